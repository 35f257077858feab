/** Trying a C library before data is trusted to it. @module */
import type { NativeLibrary } from "./native-library.js";

/** What a library is tried with beside round trips. */
export interface LibraryProbe {
  /** Levels that C-Blosc2 asks for, as far as a program may use them often. */
  readonly levels: readonly number[];
  /** Whether the library takes dictionaries. */
  readonly dictionaries: boolean;
  /** A stream with a checksum at its end that another program wrote, and its content. */
  readonly stream: Uint8Array;
  readonly content: Uint8Array;
}

const GUARD = 64;
const GUARD_BYTE = 0xa5;
const LENGTHS = [1, 200, 5000];
const DICTIONARY_LENGTH = 1024;

/** Bytes that neither repeat nor shrink. */
function noise(byteLength: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  for (let at = 0, state = seed; at < byteLength; at++) {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

function isEqual(some: Uint8Array, others: Uint8Array): boolean {
  return Buffer.compare(some, others) === 0;
}

/** Memory inside of other memory that must not change; shared between threads every other time, as that of workers is. */
class Guarded {
  readonly inner: Uint8Array;
  readonly #all: Uint8Array;

  constructor(byteLength: number, shared: boolean) {
    const whole = byteLength + 2 * GUARD;
    this.#all = new Uint8Array(shared ? new SharedArrayBuffer(whole) : new ArrayBuffer(whole)).fill(GUARD_BYTE);
    this.inner = this.#all.subarray(GUARD, GUARD + byteLength);
  }

  check(): void {
    const end = this.#all.byteLength - GUARD;
    for (let at = 0; at < GUARD; at++) {
      if (this.#all[at] !== GUARD_BYTE || this.#all[end + at] !== GUARD_BYTE)
        throw new Error("bytes beside the target were written");
    }
  }
}

/** Decodes into guarded memory; `undefined` for what the library refuses. */
function decoded(
  library: NativeLibrary,
  stream: Uint8Array,
  byteLength: number,
  dictionary?: Uint8Array,
): Uint8Array | undefined {
  const memory = new Guarded(byteLength, byteLength % 2 === 0);
  const good = library.decompress(stream, memory.inner, dictionary);
  memory.check();
  return good ? memory.inner : undefined;
}

function compressed(library: NativeLibrary, source: Uint8Array, level: number, dictionary?: Uint8Array): Uint8Array {
  const memory = new Guarded(source.byteLength + 128, source.byteLength % 2 === 0);
  const written = library.compress(source, memory.inner, level, dictionary);
  memory.check();
  if (written <= 0 || written > memory.inner.byteLength) throw new Error(`compressing gave ${written} bytes`);
  const short = new Guarded(written - 1, false);
  if (library.compress(source, short.inner, level, dictionary) !== 0)
    throw new Error("a target that is too small was not noticed");
  short.check();
  return memory.inner.slice(0, written);
}

/** A round trip, and that the stream is refused when it is cut or has another length. */
function probeRoundTrip(
  library: NativeLibrary,
  source: Uint8Array,
  level: number,
  dictionary?: Uint8Array,
): Uint8Array {
  const stream = compressed(library, source, level, dictionary);
  const { byteLength } = source;
  const back = decoded(library, stream, byteLength, dictionary);
  if (back === undefined || !isEqual(back, source))
    throw new Error(`a round trip of ${byteLength} bytes at level ${level} changed them`);
  for (const cut of [1, 2, stream.byteLength >>> 1, stream.byteLength]) {
    if (decoded(library, stream.subarray(0, stream.byteLength - cut), byteLength, dictionary) !== undefined)
      throw new Error("a cut stream was not noticed");
  }
  for (const other of [byteLength - 1, byteLength + 1]) {
    if (decoded(library, stream, other, dictionary) !== undefined)
      throw new Error("a stream of another length was not noticed");
  }
  return stream;
}

function probeDictionaries(library: NativeLibrary, level: number): void {
  const dictionary = noise(DICTIONARY_LENGTH, 1);
  const stream = probeRoundTrip(library, dictionary, level, dictionary);
  if (stream.byteLength > DICTIONARY_LENGTH / 4) throw new Error("dictionaries are ignored when compressing");
  for (const wrong of [undefined, noise(DICTIONARY_LENGTH, 2)]) {
    const back = decoded(library, stream, DICTIONARY_LENGTH, wrong);
    if (back !== undefined && isEqual(back, dictionary)) throw new Error("dictionaries are ignored when decompressing");
  }
}

function probeChecksum(library: NativeLibrary, { stream, content }: LibraryProbe): void {
  const back = decoded(library, stream, content.byteLength);
  if (back === undefined || !isEqual(back, content)) throw new Error("a stream of another library was not read");
  const damaged = stream.slice();
  damaged[damaged.byteLength - 1] ^= 1;
  if (decoded(library, damaged, content.byteLength) !== undefined) throw new Error("a wrong checksum was not noticed");
}

/** @throws Error that says what is wrong, when the library does not do what it should. */
export function probeLibrary(library: NativeLibrary, probe: LibraryProbe): void {
  for (const byteLength of LENGTHS) {
    const ramp = new Uint8Array(byteLength).map((_, at) => at >>> 3);
    for (const level of probe.levels) {
      probeRoundTrip(library, ramp, level);
      probeRoundTrip(library, noise(byteLength, byteLength), level);
    }
  }
  if (probe.dictionaries) for (const level of probe.levels) probeDictionaries(library, level);
  probeChecksum(library, probe);
}
