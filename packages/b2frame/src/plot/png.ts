/** Writing PNG files: 8 bits for each of red, green, blue and alpha. @module */
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const CHANNELS = 4;
const BITS_OF_CHANNEL = 8;
const TRUECOLOUR_WITH_ALPHA = 6;
/** Filter of a line (PNG specification, section 9): the difference from the pixel before, which compresses smooth pictures best. */
const SUB = 1;

/** A chunk (section 5.3): length, type, data, CRC-32 of type and data. */
function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.byteLength);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.byteLength);
  chunk.set(Buffer.from(type, "latin1"), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.byteLength, crc32(chunk.subarray(4, 8 + data.byteLength)));
  return chunk;
}

/** A PNG file. @param pixels four bytes each, from the upper left */
export function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([BITS_OF_CHANNEL, TRUECOLOUR_WITH_ALPHA], 8);
  const rowBytes = width * CHANNELS;
  const lines = new Uint8Array(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) {
    const from = y * rowBytes;
    const to = y * (rowBytes + 1);
    lines[to] = SUB;
    for (let i = 0; i < rowBytes; i++) {
      const before = i < CHANNELS ? 0 : (pixels[from + i - CHANNELS] as number);
      lines[to + 1 + i] = (pixels[from + i] as number) - before;
    }
  }
  return Buffer.concat([
    SIGNATURE,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(lines)),
    pngChunk("IEND", new Uint8Array(0)),
  ]);
}
