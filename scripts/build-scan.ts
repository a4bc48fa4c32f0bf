/** Writes the code of the scan kernel, from its source in WebAssembly text, to where the engine finds it. */
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const FOLDER = new URL("../src/engine/pattern/search/", import.meta.url);

/** The file that holds the code, as it should be. */
export async function scanCode(): Promise<string> {
  const { parseWat } = await wabt();
  const parsed = parseWat("scan.wat", readFileSync(new URL("scan.wat", FOLDER)), { simd: true });
  const code = Buffer.from(parsed.toBinary({}).buffer).toString("base64");
  parsed.destroy();
  const lines = code.match(/.{1,92}/g)!.map((line) => `  "${line}"`);
  return [
    "/** The code of `scan.wat`, written by `npm run scan`. */",
    `export const SCAN_CODE: string = [\n${lines.join(",\n")},\n].join("");`,
    "",
  ].join("\n");
}

if (process.argv[1]?.endsWith("build-scan.ts")) {
  writeFileSync(new URL("scan-code.ts", FOLDER), await scanCode());
}
