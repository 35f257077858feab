/** Files to look at, of values that arithmetic gives. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asarray, NDBuffer, nans, parseDType, SChunk, uninit, zeros } from "@b2frame/core";
import { registerZstd } from "@b2frame/core/zstd";

export const VOLUME_SHAPE = [24, 60, 80] as const;

/** What the volume holds at a place. */
export function volumeAt(z: number, y: number, x: number): number {
  return z * 100 + y * 3 - x;
}

export const HOSTILE_NAME = "<img src=x onerror=alert(1)>.b2nd";

function volume(): Int16Array {
  const [depth, height, width] = VOLUME_SHAPE;
  const values = new Int16Array(depth * height * width);
  for (let i = 0; i < values.length; i++) {
    const x = i % width;
    const y = Math.floor(i / width) % height;
    values[i] = volumeAt(Math.floor(i / width / height), y, x);
  }
  return values;
}

/** Something like a scan: shells in a box. */
function shells(size: number): Float32Array {
  const values = new Float32Array(size ** 3);
  for (let i = 0; i < values.length; i++) {
    const [z, y, x] = [Math.floor(i / size / size), Math.floor(i / size) % size, i % size].map((n) => n / size - 0.5);
    const away = Math.hypot(x as number, (y as number) * 1.2, z as number);
    values[i] =
      away > 0.46
        ? 0
        : 0.6 + 0.4 * Math.sin(40 * away) + 0.2 * Math.cos(18 * (x as number)) * Math.sin(14 * (y as number));
  }
  return values;
}

function wave(length: number): Float64Array {
  return Float64Array.from(
    { length },
    (_, i) => Math.sin(i / 5000) + 0.3 * Math.sin(i / 37) + (i % 99991 === 0 ? 3 : 0),
  );
}

/** Writes them, and gives their names. */
export async function writeSamples(folder: string): Promise<void> {
  await registerZstd();
  const put = (name: string, bytes: Uint8Array): void => writeFileSync(join(folder, name), bytes);
  const array = (name: string, ...input: Parameters<typeof asarray>): void => {
    using made = asarray(...input);
    made.schunk.vlmeta.setValue("about", { name, made: [1, 2, 3], nested: { text: "<b>not bold</b>" } });
    put(name, made.toCframe());
  };
  const raw = (name: string, dtype: string, shape: readonly number[], bytes: Uint8Array): void =>
    array(name, new NDBuffer(parseDType(dtype), shape, bytes));
  const cparams = { codec: "zstd" } as const;
  array("volume.b2nd", volume(), { shape: VOLUME_SHAPE, chunks: [8, 60, 80], blocks: [1, 30, 80], cparams });
  array("scan.b2nd", shells(96), { shape: [96, 96, 96], chunks: [16, 48, 48], blocks: [4, 24, 48], cparams });
  array("wave.b2nd", wave(3_000_000), { shape: [3_000_000], cparams });
  array(
    "colour.b2nd",
    Uint8Array.from({ length: 40 * 60 * 3 }, (_, i) => (i * 7) % 256),
    { shape: [40, 60, 3], cparams },
  );
  raw(
    "complex.b2nd",
    "<c16",
    [30, 40],
    new Uint8Array(Float64Array.from({ length: 2 * 30 * 40 }, (_, i) => Math.sin(i)).buffer),
  );
  raw("big-endian.b2nd", ">i2", [2, 2], Uint8Array.of(0x01, 0x02, 0xff, 0xfe, 0, 7, 0, 8));
  raw("half.b2nd", "<f2", [2, 2], new Uint8Array(Uint16Array.of(0x3c00, 0xc000, 0x7e00, 0x3555).buffer));
  array("uint64.b2nd", BigUint64Array.of(0n, 1n, 2n ** 63n + 1n, 2n ** 64n - 1n), { shape: [2, 2] });
  raw(
    "records.b2nd",
    "[('id', '<i4'), ('<script>', '<f8')]",
    [30],
    new Uint8Array(12 * 30).map((_, i) => i),
  );
  raw("words.b2nd", "|S5", [4], new TextEncoder().encode("one\0\0two\0\0three<b>x\0"));
  array("scalar.b2nd", Float64Array.of(42.5), { shape: [] });
  array("empty.b2nd", new Float32Array(0), { shape: [0, 7] });
  array(HOSTILE_NAME, new Float32Array(6).fill(2), { shape: [2, 3] });
  for (const [name, made] of [
    ["nan.b2nd", nans([40, 50], { dtype: "<f4" })],
    ["chunks-10-million.b2nd", zeros([10_000_000, 4], { dtype: "|u1", chunks: [1, 4], blocks: [1, 4] })],
    ["unwritten.b2nd", uninit([64, 64], { dtype: "<i4", chunks: [8, 8], blocks: [4, 8] })],
  ] as const) {
    put(name, made.toCframe());
    made.close();
  }
  using schunk = SChunk.create({ chunksize: 4000, cparams: { typesize: 4 } });
  for (let i = 0; i < 5; i++) schunk.appendData(Uint8Array.from({ length: 4000 }, (_, k) => (k * (i + 1)) % 256));
  put("bytes.b2frame", schunk.toCframe());
  using damaged = asarray(volume(), { shape: VOLUME_SHAPE, chunks: [8, 60, 80], blocks: [1, 30, 80], cparams });
  const bytes = damaged.toCframe();
  const info = [...damaged.schunk.iterChunksInfo()][1];
  bytes.fill(0x5a, info?.position ?? 2000, (info?.position ?? 2000) + 400);
  put("damaged.b2nd", bytes);
  put("cut.b2nd", bytes.slice(0, bytes.byteLength - 50));
  put("foreign.b2nd", new TextEncoder().encode("<!doctype html><title>no frame</title>".padEnd(2000)));
}
