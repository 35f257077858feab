/** How the backend says that it did something another way than was asked for. @module */

/** Something went another way than asked for; the bytes are right all the same. */
export interface MmapDiagnostic {
  /**
   * `"other-driver"`: a range was mapped by the other driver. `"positioned-io"`: a range could not be mapped, so reads of it
   * are copies made by positioned reads on the open file. `"copied"`: the file can't be mapped inside the memory in which frames are
   * decompressed, so compressed bytes are copied there; listeners are not told of that.
   */
  readonly kind: "other-driver" | "positioned-io" | "copied";
  readonly path: string;
  /** Where in the file the range starts. */
  readonly position: number;
  /** Why, for people. */
  readonly reason: string;
}

/** Is told once for each kind and driver, not for each read. */
export type MmapDiagnosticListener = (diagnostic: MmapDiagnostic) => void;

/** The default listener: a warning of the process, printed once by Node.js. */
export function warnAboutMapping(diagnostic: MmapDiagnostic): void {
  process.emitWarning(`${diagnostic.path}: ${diagnostic.reason}`, {
    type: "B2frameMmapWarning",
    code: diagnostic.kind === "other-driver" ? "B2FRAME_MMAP_OTHER_DRIVER" : "B2FRAME_MMAP_POSITIONED_IO",
  });
}
