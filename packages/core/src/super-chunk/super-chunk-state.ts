/** The state of an open super-chunk; `SChunk` is its public face, the other files of this folder work on it. @module */
import { type CParams, type ResolvedCParams, resolveCParams } from "../chunk/cparams.js";
import { ArgumentError } from "../errors.js";
import type { Frame } from "../frame/frame.js";
import { cparamsOfHeader } from "./frame-cparams.js";
import { type ReadSettings, ReadState } from "./read-state.js";

/** What a super-chunk is told at creation and no frame keeps. */
export interface SuperChunkSettings extends ReadSettings {
  /** `cparams` as given; what it lacks is taken from the header. */
  readonly cparams?: Partial<CParams> | undefined;
  /** Uncompressed bytes per chunk, for the first one; later the header says it. */
  readonly chunksize?: number | undefined;
  /** Whether the typesize was chosen; if not, the first typed array that is appended decides. */
  readonly typesizeChosen: boolean;
  /** Commit when this many bytes of chunks wait; undefined = only when asked to. */
  readonly commitEvery?: number | undefined;
}

/** See the module's description. */
export class SuperChunkState extends ReadState {
  declare readonly frame: Frame;
  declare readonly settings: SuperChunkSettings;
  #cparams: ResolvedCParams | undefined;

  constructor(frame: Frame, settings: SuperChunkSettings) {
    super(frame, settings);
  }

  /** @throws IoError `BLOSC2_IO_CLOSED`, `BLOSC2_IO_READ_ONLY`, `BLOSC2_IO_HANDLE_FAILED` */
  requireWritable(operation: string): void {
    this.requireOpen(operation);
    this.frame.requireWritable(operation);
  }

  /** The parameters to compress with. @throws UnsupportedError when codec or a filter is not registered or only reads */
  get cparams(): ResolvedCParams {
    if (this.#cparams === undefined) {
      const { codecs, filters } = this.environment;
      const wanted = { ...cparamsOfHeader(this.frame.header), prefilter: this.settings.cparams?.prefilter };
      this.#cparams = resolveCParams(wanted, codecs, filters);
    }
    return this.#cparams;
  }

  /** Takes the typesize of the first data, if none was chosen. */
  adoptTypesize(data: ArrayBufferView): void {
    const { header, index } = this.frame;
    if (this.settings.typesizeChosen || index.length > 0) return;
    const typesize = elementSize(data);
    if (typesize === header.typesize) return;
    header.typesize = typesize;
    this.#cparams = undefined;
    this.environment = { ...this.environment, superChunkTypesize: typesize };
  }

  /** Commits if enough is waiting. */
  afterChange(): void {
    const { commitEvery } = this.settings;
    if (commitEvery !== undefined && this.frame.pendingBytes >= commitEvery) this.frame.commit();
  }
}

/** Bytes per element of a typed array; 1 for a DataView. */
export function elementSize(data: ArrayBufferView): number {
  return (data as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
}

/** The bytes under a view. @throws ArgumentError for anything else */
export function requireBytes(data: ArrayBufferView, parameter: string): Uint8Array {
  if (!ArrayBuffer.isView(data)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter} must be a typed array or a DataView`, {
      parameter,
    });
  }
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
