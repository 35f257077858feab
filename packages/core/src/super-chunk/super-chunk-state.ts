/** The state of an open super-chunk; `SChunk` is its public face, the other files of this folder work on it. @module */
import { type CParams, type ResolvedCParams, resolveCParams } from "../chunk/cparams.js";
import { ArgumentError, isBlosc2Error } from "../errors.js";
import { abandonFrame } from "../frame/abandon-frame.js";
import type { Frame } from "../frame/frame.js";
import type { FrameLocking } from "../frame/frame-locking.js";
import type { LockKind } from "../io/backend.js";
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
  /** Keeps others out meanwhile; absent: nobody does. */
  readonly locking?: FrameLocking | undefined;
}

/** See the module's description. */
export class SuperChunkState extends ReadState {
  declare readonly frame: Frame;
  declare readonly settings: SuperChunkSettings;
  #cparams: ResolvedCParams | undefined;

  constructor(frame: Frame, settings: SuperChunkSettings) {
    super(frame, settings);
    settings.locking?.guard(frame);
  }

  override reading<T>(operation: string, read: () => T): T {
    this.requireOpen(operation);
    return this.settings.locking === undefined ? read() : this.#locked(this.settings.locking, "shared", read);
  }

  /** Does what changes the frame. @throws as {@link requireWritable} */
  changing<T>(operation: string, change: () => T): T {
    this.requireWritable(operation);
    try {
      const { locking } = this.settings;
      return locking === undefined ? change() : this.#locked(locking, "exclusive", change);
    } catch (error) {
      // Reading a file that someone else has changed fails in many ways; what matters is that it was changed.
      if (isBlosc2Error(error, "BLOSC2_IO_SHORT_READ") || isBlosc2Error(error, "BLOSC2_IO_CHANGED")) {
        this.frame.requireUnchanged();
      }
      throw error;
    }
  }

  #locked<T>(locking: FrameLocking, kind: LockKind, operation: () => T): T {
    if (locking.enter(kind)) this.forget();
    try {
      return operation();
    } finally {
      locking.leave();
    }
  }

  /** Begins to hold the lock; {@link endBracket} ends it. @throws ArgumentError without locking */
  beginBracket(kind: LockKind): void {
    const { locking } = this.settings;
    if (kind === "exclusive") this.requireWritable("lock");
    else this.requireOpen("lock");
    if (locking === undefined) {
      const path = this.frame.origin.path ?? "super-chunk";
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `${path}: lock: it was opened without the option locking, so a lock would keep nobody out`,
        { parameter: "locking", path },
      );
    }
    if (locking.enter(kind)) this.forget();
  }

  endBracket(kind: LockKind): void {
    const { locking } = this.settings;
    locking?.leave();
    if (kind === "exclusive" && locking?.busy === false) this.commit();
  }

  /** Commits, and lets others have the frame. */
  commit(): void {
    this.frame.commit();
    this.settings.locking?.settle();
  }

  /** Drops what is not committed, and reads again what is. */
  reopen(): void {
    this.requireOpen("reopen");
    this.frame.reopen();
    this.forget();
    this.settings.locking?.settle();
  }

  override forget(): void {
    super.forget();
    this.#cparams = undefined;
  }

  /** Closing may move the index to save room, but not while others have the frame. */
  protected override closeFrame(): void {
    const { frame } = this;
    const { locking } = this.settings;
    try {
      if (locking === undefined || frame.origin.mode === "r" || frame.dirty || locking.enterUnchanged()) frame.close();
      else this.#letGo();
    } finally {
      locking?.close();
    }
  }

  #letGo(): void {
    try {
      this.frame.requireWritable("close");
    } finally {
      this.frame.discard();
    }
  }

  /** Releases everything, and removes the frame, which was made here and is not finished. */
  abandon(): void {
    this.closed = true;
    try {
      abandonFrame(this.frame, this.settings.locking !== undefined);
    } finally {
      this.settings.locking?.close();
    }
  }

  /** Releases everything, without committing. */
  discard(): void {
    this.closed = true;
    try {
      this.frame.discard();
    } finally {
      this.settings.locking?.close();
    }
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
    const { header, chunks } = this.frame;
    if (this.settings.typesizeChosen || chunks.length > 0) return;
    const typesize = elementSize(data);
    if (typesize === header.typesize) return;
    this.frame.setTypesize(typesize);
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
  // What is made from a Uint8Array, as Node's Buffer, has other methods of the same names.
  if (data.constructor === Uint8Array) return data as Uint8Array;
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
