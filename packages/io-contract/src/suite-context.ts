/** What every check of the suite works with. @module */
import { type Blosc2Error, type Blosc2ErrorCode, type IoBackend, isBlosc2Error, type OpenMode } from "@b2frame/core";
import { type CheckedHandle, openChecked } from "@b2frame/core/backend";

/** The test framework's functions that the suite needs; vitest's and jest's fit. */
export interface SuiteTestApi {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => void): unknown;
  expect(actual: unknown): { toBe(expected: unknown): unknown; toEqual(expected: unknown): unknown };
}

/** How the suite looks at a file past the backend, for backends that keep real files. */
export interface SuiteFileInspection {
  /** The file's bytes. */
  bytes(path: string): Uint8Array;
  /** Modification time, in the finest unit there is. */
  modified(path: string): bigint;
}

/** What {@link runIoBackendSuite} is given. */
export interface IoBackendSuiteOptions {
  /** Names the suite in reports. */
  readonly name: string;
  /** Makes the backend; called once for each test. */
  readonly backend: () => IoBackend;
  /** A path at which nothing is and a file or directory may be made. A new one at each call; the caller cleans up. */
  readonly makePath: () => string;
  readonly test: SuiteTestApi;
  /** Puts a file there. Default: through mode `w+`; a backend that can't write needs it. */
  readonly put?: (backend: IoBackend, path: string, bytes: Uint8Array) => void;
  /** For backends that keep real files: adds the checks that a reader never touches the file. */
  readonly inspect?: SuiteFileInspection;
  /** Random operation sequences that the model test tries. Default 60. */
  readonly modelRuns?: number;
}

/** One test's backend, and the few steps that all checks share. */
export class SuiteContext {
  readonly options: IoBackendSuiteOptions;

  constructor(options: IoBackendSuiteOptions) {
    this.options = options;
  }

  /** A test of its own on a new backend and a new path. */
  check(name: string, body: (backend: IoBackend, path: string) => void): void {
    this.options.test.it(name, () => body(this.options.backend(), this.options.makePath()));
  }

  group(name: string, body: () => void): void {
    this.options.test.describe(name, body);
  }

  same(actual: unknown, expected: unknown): void {
    this.options.test.expect(actual).toBe(expected);
  }

  /** Compares bytes; names the first difference, since frameworks print long arrays badly. */
  sameBytes(actual: Uint8Array, expected: Uint8Array): void {
    let difference = -1;
    for (let i = 0; i < expected.byteLength && difference < 0; i++) if (actual[i] !== expected[i]) difference = i;
    this.options.test
      .expect({ byteLength: actual.byteLength, firstDifference: difference })
      .toEqual({ byteLength: expected.byteLength, firstDifference: -1 });
  }

  /** Runs `body`, which must throw one of ours with one of `codes`; gives the error. */
  fails(body: () => unknown, ...codes: Blosc2ErrorCode[]): Blosc2Error {
    let thrown: unknown;
    let returned = false;
    try {
      body();
      returned = true;
    } catch (error) {
      thrown = error;
    }
    if (returned) throw new Error(`expected an error ${codes.join(" or ")}, nothing was thrown`);
    if (!isBlosc2Error(thrown)) throw new Error(`expected a Blosc2Error ${codes.join(" or ")}`, { cause: thrown });
    if (!codes.includes(thrown.code)) {
      throw new Error(`expected an error ${codes.join(" or ")}, got ${thrown.code}`, { cause: thrown });
    }
    return thrown;
  }

  put(backend: IoBackend, path: string, bytes: Uint8Array): void {
    if (this.options.put !== undefined) this.options.put(backend, path, bytes);
    else {
      withHandle(backend, path, "w+", (handle) => handle.write(0, bytes));
    }
  }

  /** The whole file, through a new handle. */
  contents(backend: IoBackend, path: string): Uint8Array {
    return withHandle(backend, path, "r", (handle) => handle.read(0, handle.size()).slice());
  }
}

/** Opens, runs `body`, closes. */
export function withHandle<T>(backend: IoBackend, path: string, mode: OpenMode, body: (handle: CheckedHandle) => T): T {
  const handle = openChecked(backend, path, mode);
  let result: T;
  try {
    result = body(handle);
  } catch (error) {
    try {
      handle.close();
    } catch {
      // The first error says more.
    }
    throw error;
  }
  handle.close();
  return result;
}

/** `byteLength` bytes that differ from place to place and from seed to seed. */
export function pattern(byteLength: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  let state = (seed * 2654435761 + 1) >>> 0;
  for (let i = 0; i < byteLength; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}
