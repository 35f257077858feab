import { expect, test } from "vitest";
import { decodeError, encodeError } from "../src/error-transfer.js";
import {
  ArgumentError,
  Blosc2Error,
  CodecError,
  FormatError,
  IoError,
  isBlosc2Error,
  UnsupportedError,
} from "../src/index.js";

const system = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT", errno: -2, syscall: "open" });

const ERRORS: readonly Error[] = [
  new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
    path: "a.b2frame",
    structure: "chunk 3",
    position: 100,
    field: "nbytes",
    offset: 4,
    expected: 5n,
    found: 6,
  }),
  new FormatError(
    "BLOSC2_FORMAT_INVALID",
    { structure: "x", position: 7, field: "y", expected: "1", found: "2" },
    system,
  ),
  new UnsupportedError("BLOSC2_UNSUPPORTED", "no", { feature: "f" }),
  new CodecError("BLOSC2_CODEC_DECOMPRESS", "bad", { codec: "lz4", direction: "decompress", block: 3 }),
  new IoError("BLOSC2_IO_NOT_FOUND", "none", { operation: "open", path: "p" }, system),
  new ArgumentError("BLOSC2_ARGUMENT_INVALID", "wrong", { parameter: "p" }),
  new Blosc2Error("BLOSC2_LIMIT_EXCEEDED", "much", { limit: "l", found: undefined }),
];

test.each(ERRORS.map((error) => [error.name, error] as const))("%s crosses threads whole", (_, error) => {
  const back = decodeError(structuredClone(encodeError(error))) as Blosc2Error;
  const original = error as Blosc2Error;
  expect(back.constructor).toBe(error.constructor);
  expect(isBlosc2Error(back, original.code)).toBe(true);
  expect([back.name, back.message, back.stack]).toEqual([error.name, error.message, error.stack]);
  expect(back.details).toEqual(original.details);
  expect(back.cause).toEqual(error.cause);
});

test("system errors keep their code; other values are themselves", () => {
  expect(decodeError(structuredClone(encodeError(system)))).toMatchObject({
    code: "ENOENT",
    errno: -2,
    syscall: "open",
  });
  expect((decodeError(encodeError(new TypeError("t"))) as Error).name).toBe("TypeError");
  for (const value of ["text", 5, undefined, null])
    expect(decodeError(structuredClone(encodeError(value)))).toBe(value);
  expect(decodeError(structuredClone(encodeError({ a: 1 })))).toBe("[object Object]");
});

test("an error that is its own cause ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect((decodeError(structuredClone(encodeError(error))) as Error).message).toBe("round");
});
