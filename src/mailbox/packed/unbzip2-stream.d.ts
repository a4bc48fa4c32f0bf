/** The decoder of blocks within `unbzip2-stream`, of which nobody has published types. */
declare module "unbzip2-stream/lib/bzip2.js" {
  /** The next bits as a number; `null` passes over the rest of an octet. */
  export type ReadBits = (count: number | null) => number;

  export interface Bzip2Decoder {
    /** Reads the header of a stream: the size of its blocks, in units of 100,000 octets. */
    header(bits: ReadBits): number;
    /** Gives the octets of a block; returns the checksum of the stream so far, or `null` after its end. */
    decompress(
      bits: ReadBits,
      give: (octet: number) => void,
      memory: Int32Array,
      length: number,
      checksum: number,
    ): number | null;
  }

  const decoder: Bzip2Decoder;
  export default decoder;
}
