import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { asarray } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();

function array(name: string, ...[values, options]: Parameters<typeof asarray>): string {
  asarray(values, { ...options, urlpath: join(cwd, name) }).close();
  return name;
}

/** Paints, and decodes by another library. */
function painted(...args: string[]): { width: number; height: number; pixel: (x: number, y: number) => number[] } {
  runGood(["plot", args[0] as string, "out.png", ...args.slice(1)], { cwd });
  const { width, height, channels, depth, data } = decode(readFileSync(join(cwd, "out.png")), { checkCrc: true });
  expect([channels, depth]).toEqual([4, 8]);
  return { width, height, pixel: (x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)] };
}

describe("plot", () => {
  const volume = array(
    "volume.b2nd",
    Int16Array.from({ length: 3 * 20 * 50 }, (_, i) => i),
    { shape: [3, 20, 50], chunks: [1, 20, 50], blocks: [1, 10, 10] },
  );

  it("gives each item of a plane its pixel: gray is the share of the range, in 256 steps", () => {
    const { width, height, pixel } = painted(volume, "--index", "1,:,:", "--map", "gray", "--range", "1000,2000");
    expect([width, height]).toEqual([50, 20]);
    for (const [x, y] of [
      [0, 0],
      [49, 19],
      [17, 3],
      [1, 11],
    ] as const) {
      const shade = Math.floor(((50 * y + x) / 1000) * 256);
      expect(pixel(x, y)).toEqual([shade, shade, shade, 255]);
    }
  });

  it("has viridis from its first colour to its last, inverted, too; transposed and stepped as the index says", () => {
    // #440154 and #fde725, as matplotlib and d3 have them.
    const [first, last] = [
      [68, 1, 84, 255],
      [253, 231, 37, 255],
    ];
    const all = ["--index", "0", "--range", "0,999"];
    const plain = painted(volume, ...all);
    expect([plain.pixel(0, 0), plain.pixel(49, 19)]).toEqual([first, last]);
    const inverted = painted(volume, ...all, "--invert");
    expect([inverted.pixel(0, 0), inverted.pixel(49, 19)]).toEqual([last, first]);
    const backwards = painted(volume, "--index", "0,::-1,::7", "--range", "0,999");
    expect([backwards.width, backwards.height, backwards.pixel(0, 19)]).toEqual([8, 20, first]);
  });

  it("leaves NaN see-through, takes 64-bit integers and magnitudes, and bytes of three dimensions as colours", () => {
    const holes = painted(
      array("holes.b2nd", Float32Array.of(Number.NaN, 0, 1, 2), { shape: [2, 2] }),
      "--range",
      "0,2",
    );
    expect([holes.pixel(0, 0)[3], holes.pixel(1, 0)[3]]).toEqual([0, 255]);
    const wide = painted(array("wide.b2nd", BigInt64Array.of(0n, 2n ** 40n), { shape: [1, 2] }), "--map", "gray");
    expect([wide.pixel(0, 0), wide.pixel(1, 0)]).toEqual([
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
    const rgb = painted(array("rgb.b2nd", Uint8Array.of(1, 2, 3, 4, 5, 6), { shape: [1, 2, 3] }));
    expect([rgb.pixel(0, 0), rgb.pixel(1, 0)]).toEqual([
      [1, 2, 3, 255],
      [4, 5, 6, 255],
    ]);
    const rgba = painted(array("rgba.b2nd", Uint8Array.of(9, 8, 7, 6), { shape: [1, 1, 4] }));
    expect(rgba.pixel(0, 0)).toEqual([9, 8, 7, 6]);
  });

  it("refuses what is no picture, and leaves no file", () => {
    const line = array("line.b2nd", Float64Array.of(1, 2, 3));
    const words = array("words.b2nd", new Uint8Array(12), { shape: [2, 2], dtype: "|S3" });
    const none = array("none.b2nd", new Float32Array(0), { shape: [0, 4] });
    for (const [args, message] of [
      [[volume], /two dimensions.*--index 12,:,:/],
      [[line], /two dimensions/],
      [[words], /no numbers/],
      [[none], /4 x 0 pixels/],
      [[volume, "--index", "7"], /7/],
      [[volume, "--index", "a:b"], /start:stop:step/],
      [[volume, "--index", "1", "--range", "5,5"], /lower one first/],
    ] as const) {
      const [file, ...options] = args;
      const { status, stderr } = runCli(["plot", file as string, "refused.png", ...options], { cwd });
      expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
    expect(() => readFileSync(join(cwd, "refused.png"))).toThrow(/ENOENT/);
  });
});
