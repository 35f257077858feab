/** Opening one frame in several threads. @module */
import { type EngineName, IoError, type Limits, SChunk } from "@b2frame/core";
import { LIMIT_NAMES, type OptionNames } from "@b2frame/core/backend";
import { type BackendSpec, backendSpec, makeBackend, type WorkerIoOption } from "./backend-spec.js";

/** How a frame is opened for reading; the same in every thread. */
export interface FrameOptions extends WorkerIoOption {
  /** Absolute position of the frame's first byte in the file. Default 0. */
  readonly offset?: number | undefined;
  /** Which engine decodes; see `defaultEngine` of `@b2frame/core`. */
  readonly engine?: EngineName | undefined;
  /** Bounds on what the file may make b2frame allocate, in each thread. */
  readonly limits?: Partial<Limits> | undefined;
  /** Whether the frame is held against its checksums, if it keeps some. Default true. */
  readonly checksum?: boolean | undefined;
}

/** See `checkOptionNames`. */
export const FRAME_NAMES: OptionNames<FrameOptions> = {
  io: true,
  ioOptions: true,
  offset: true,
  engine: true,
  limits: LIMIT_NAMES,
  checksum: true,
};

/** A frame's committed state as far as readers care. */
interface FrameState {
  readonly nchunks: number;
  readonly nbytes: number;
  readonly cbytes: number;
}

/** A frame to read, as data. */
export interface FrameSpec {
  readonly path: string;
  readonly backend: BackendSpec;
  readonly options: Omit<FrameOptions, keyof WorkerIoOption>;
  /** What the thread that ordered the work saw: others must see the same. */
  readonly expected?: FrameState | undefined;
}

/** The frame that `path` and `options` stand for. @throws ArgumentError for a backend that can't be sent to threads */
export function frameSpec(path: string, options: FrameOptions): FrameSpec {
  const { offset, engine, limits, checksum } = options;
  return { path, backend: backendSpec(options), options: { offset, engine, limits, checksum } };
}

/** The same frame in the state that it has in `schunk`. */
export function expecting(spec: FrameSpec, schunk: SChunk): FrameSpec {
  const { nchunks, nbytes, cbytes } = schunk;
  return { ...spec, expected: { nchunks, nbytes, cbytes } };
}

function requireExpected({ path, expected }: FrameSpec, schunk: SChunk): void {
  if (expected === undefined) return;
  const { nchunks, nbytes, cbytes } = schunk;
  if (nchunks === expected.nchunks && nbytes === expected.nbytes && cbytes === expected.cbytes) return;
  throw new IoError("BLOSC2_IO_STALE", `${path}: the frame was changed while threads opened it`, {
    operation: "open",
    path,
    expected: `${expected.nchunks} chunks, ${expected.nbytes} bytes`,
    found: `${nchunks} chunks, ${nbytes} bytes`,
  });
}

/** Opens a frame for reading. @throws as `SChunk.open`; IoError `BLOSC2_IO_STALE` when it is not in the expected state */
export async function openFrame(spec: FrameSpec): Promise<SChunk> {
  const backend = await makeBackend(spec.backend);
  const schunk = SChunk.open(spec.path, backend, spec.options);
  try {
    requireExpected(spec, schunk);
    return schunk;
  } catch (error) {
    schunk.close();
    throw error;
  }
}
