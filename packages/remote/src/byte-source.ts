/** Where the bytes of a remote frame come from. @module */

/** Bytes of a source. */
export interface SourceRange {
  /** Absolute position of the first byte. */
  readonly position: number;
  readonly byteLength: number;
}

/** How ranges are read. */
export interface SourceReadOptions {
  /** Ends the reading; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The range may reach past the end of the source: what there is of it is given. Default false. */
  readonly clamp?: boolean | undefined;
}

/** What a source answered. */
export interface SourceAnswer {
  /** Exactly the bytes that were asked for; fewer only where {@link SourceReadOptions.clamp} allows it. */
  readonly bytes: Uint8Array;
  /** Names this version of the content; another one means that the content was replaced. Absent where the source can't tell. */
  readonly version?: string | undefined;
  /** Bytes of all of the content, where the answer tells. */
  readonly size?: number | undefined;
}

/**
 * A place that gives bytes by ranges. `httpSource` and `blobSource` make one; anything else can be one, too.
 *
 * @example
 * ```ts
 * const source: ByteSource = {
 *   name: "my storage",
 *   readRange: async ({ position, byteLength }) => ({ bytes: await storage.read(position, byteLength) }),
 * };
 * const array = await openRemote(source);
 * ```
 */
export interface ByteSource {
  /** For messages. */
  readonly name: string;
  /**
   * Reads one range.
   *
   * @throws IoError that says what is wrong and who can mend it; the signal's reason
   */
  readRange(range: SourceRange, options?: SourceReadOptions): Promise<SourceAnswer>;
  /** Bytes of all of the content; asked for only where no answer told it and there is no way without. Absent: it can't be known. */
  findSize?(options?: SourceReadOptions): Promise<number>;
  /** Forgets what the source keeps of the content: it may have been replaced. */
  reset?(): void;
}
