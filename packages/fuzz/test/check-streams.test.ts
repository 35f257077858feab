import { zlibCodec } from "@b2frame/core/codec";
import { expect, it } from "vitest";
import { checkStreams } from "../src/streams/check-streams.js";
import { zlibStream } from "../src/streams/zlib-streams.js";

it("finds nothing wrong with the decoder, of streams that zlib reads and streams that it refuses", () => {
  const { read, refused, problems } = checkStreams(zlibCodec, zlibStream, 1000, 1);
  expect(problems).toEqual([]);
  expect(Math.min(read, refused)).toBeGreaterThan(200);
});

it("notices a decoder that reads too much, too little or something else", () => {
  const codec = { ...zlibCodec };
  const problemsOf = (decompress: typeof codec.decompress): string =>
    checkStreams({ ...codec, decompress }, zlibStream, 50, 1).problems.join("\n");
  expect(problemsOf(() => {})).toMatch(/reads what the library refuses/);
  expect(problemsOf(() => {})).toMatch(/reads something else than the library/);
  expect(
    problemsOf(() =>
      codec.decompress(new Uint8Array(0), new Uint8Array(1), {
        clevel: 1,
        typesize: 1,
        meta: 0,
        dictionary: undefined,
        geometry: undefined,
      }),
    ),
  ).toMatch(/refuses what the library reads/);
  expect(
    problemsOf(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    }),
  ).toMatch(/throws RuntimeError/);
});
