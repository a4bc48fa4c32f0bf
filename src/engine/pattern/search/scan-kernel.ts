/** The inner loop of the search for literals: in WebAssembly where the host compiles it, else in JavaScript. */
import { createByteWriter } from "./low-bytes.ts";
import { SCAN_CODE } from "./scan-code.ts";

/** The layout of a kernel's memory; `scan.wat` knows the first three addresses. */
const MASKS_AT = 0;
const NEXT_AT = 144;
const FILTER_AT = 1_024;
export const FILTER_BYTES_MAX = 65_536;
const TEXT_AT: number = FILTER_AT + FILTER_BYTES_MAX;
/** Code units that are scanned at once, and room after them for a gram that starts at the last one. */
const CHUNK_UNITS = 61_440;
const MARGIN_UNITS = 64;
const OUT_AT: number = TEXT_AT + CHUNK_UNITS + MARGIN_UNITS;
/** Octets of candidates: each takes four, and up to sixteen are written at once. */
const OUT_BYTES = 32_768;
const MEMORY_BYTES = 262_144;

/** The bit by which small letters of ASCII differ from capitals, in four bytes. */
export const SMALL = 0x20202020;
export const HASH_FACTOR: number = 0x9e3779b1 | 0;

/** Units of a gram, at most. */
export const GRAM_UNITS = 4;
/** By units of a gram: the mask of its bytes among four. */
export const GRAM_MASKS: readonly number[] = [0, 0xff, 0xffff, 0xffffff, -1];

/** Looks through units from `at` to `end`, writes candidates from `out` on, stops soon after `full`. */
type KernelScan = (
  at: number,
  end: number,
  out: number,
  full: number,
  shift: number,
  kinds: number,
) => number;

/** What a kernel looks for. */
export interface ScanTables {
  /** By unit of a gram: the buckets that accept each lower and each upper half of a byte. */
  readonly masks: Uint8Array;
  /** A bit per hash: whether any gram has it. */
  readonly filter: Uint8Array;
  /** Turns a hash into a bit of the filter. */
  readonly shift: number;
  /** The buckets of grams of four, three and two units, and of grams that need no filter: a byte each. */
  readonly kinds: number;
}

/** Receives a place of the text at which a gram may start, and the address of its bytes; answers whether to go on. Must not start a scan itself. */
export type OnPlace = (place: number, at: number) => boolean;

export interface ScanKernel {
  readonly view: DataView;
  /** Calls `onPlace` with each place from `first` on, in order; false if it ended the scan. A text is read in pieces that double. */
  scan(tables: ScanTables, text: string, first: number, onPlace: OnPlace): boolean;
}

/** Units of the first piece of a text; the next ones double what was read, so that a scan that ends early has not read much more. */
const FIRST_PIECE = 1_024;

function createKernel(memory: ArrayBuffer, run: KernelScan): ScanKernel {
  const bytes = new Uint8Array(memory);
  const view = new DataView(memory);
  const candidates = new Int32Array(memory);
  const writeBytes = createByteWriter(bytes.subarray(TEXT_AT, OUT_AT));
  let loaded: ScanTables | undefined;
  const load = (tables: ScanTables): void => {
    if (tables === loaded) return;
    bytes.set(tables.masks, MASKS_AT);
    bytes.set(tables.filter, FILTER_AT);
    loaded = tables;
  };
  /** Copies a part of a text, with the units of a gram that starts at its last one. */
  const write = (text: string, from: number, until: number): void => {
    const isWhole = from === 0 && until === text.length;
    writeBytes(isWhole ? text : text.slice(from, until + GRAM_UNITS));
  };
  return {
    view,
    scan(tables, text, first, onPlace) {
      const { shift, kinds } = tables;
      load(tables);
      for (let [from, until] = [first, first]; from < text.length; from = until) {
        const units = Math.min(CHUNK_UNITS, Math.max(FIRST_PIECE, from - first));
        until = Math.min(text.length, from + units);
        write(text, from, until);
        const start = TEXT_AT - from;
        const last = start + until;
        for (let at = start + from; at < last; at = view.getInt32(NEXT_AT, true)) {
          const ended = run(at, last, OUT_AT, OUT_AT + OUT_BYTES, shift, kinds) >> 2;
          for (let nth = OUT_AT >> 2; nth < ended; nth++) {
            const address = candidates[nth]!;
            if (address < last && !onPlace(address - start, address)) return false;
          }
        }
      }
      return true;
    },
  };
}

/** The same as `scan.wat`, a unit at a time. */
export function createPlainKernel(): ScanKernel {
  const memory = new ArrayBuffer(MEMORY_BYTES);
  const bytes = new Uint8Array(memory);
  const view = new DataView(memory);
  const listed = (gram: number, shift: number): number => {
    const bit = Math.imul(gram, HASH_FACTOR) >>> shift;
    return (bytes[FILTER_AT + (bit >>> 3)]! >>> (bit & 7)) & 1;
  };
  const [, , two, three] = GRAM_MASKS as [number, number, number, number];
  const bucketsOf = (byte: number, masksAt: number): number =>
    bytes[masksAt + (byte & 15)]! & bytes[masksAt + 16 + (byte >> 4)]!;
  return createKernel(memory, (from, end, out, full, shift, kinds) => {
    let at = from;
    for (; at < end && out < full; at++) {
      let buckets = bucketsOf(bytes[at]!, MASKS_AT);
      if (buckets !== 0) buckets &= bucketsOf(bytes[at + 1]!, MASKS_AT + 32);
      if (buckets !== 0) buckets &= bucketsOf(bytes[at + 2]!, MASKS_AT + 64);
      if (buckets !== 0) buckets &= bucketsOf(bytes[at + 3]!, MASKS_AT + 96);
      if (buckets === 0) continue;
      const gram = view.getInt32(at, true) | SMALL;
      const found =
        (buckets & (kinds >>> 24)) !== 0 ||
        ((kinds & 0xff) !== 0 && listed(gram, shift) !== 0) ||
        ((kinds & 0xff00) !== 0 && listed(gram & three, shift) !== 0) ||
        ((kinds & 0xff0000) !== 0 && listed(gram & two, shift) !== 0);
      if (!found) continue;
      view.setInt32(out, at, true);
      out += 4;
    }
    view.setInt32(NEXT_AT, at, true);
    return out;
  });
}

/** The part that is needed here: Node's types declare only the names. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer };
      readonly scan: KernelScan;
    };
  };
};

/** `null` if the host has no WebAssembly, or does not compile it from bytes: a strict CSP, some edge hosts. */
export function createSimdKernel(): ScanKernel | null {
  try {
    const code = Uint8Array.from(atob(SCAN_CODE), (letter) => letter.charCodeAt(0));
    const { memory, scan } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
    return createKernel(memory.buffer, scan);
  } catch {
    return null;
  }
}

let kernel: ScanKernel | undefined;

/** All scanners share one kernel, because no scan interrupts another. Made on first use. */
export function scanKernel(): ScanKernel {
  kernel ??= createSimdKernel() ?? createPlainKernel();
  return kernel;
}
