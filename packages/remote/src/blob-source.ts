/** Files that a person picked or dropped, and other Blobs. @module */
import { IoError } from "@b2frame/core/read";
import type { ByteSource, SourceAnswer, SourceRange, SourceReadOptions } from "./byte-source.js";

/** A `FileSystemFileHandle`; what is used of it. */
export interface PickedFile {
  readonly kind: "file";
  readonly name: string;
  getFile(): Promise<Blob>;
}

/** Whether it is a `FileSystemFileHandle`, or like one. */
export function isPickedFile(value: unknown): value is PickedFile {
  const { kind, getFile } = (value ?? {}) as Partial<PickedFile>;
  return kind === "file" && typeof getFile === "function";
}

/**
 * A source over a `Blob` or `File`; only what is asked for is read, so that a file may be of any size.
 *
 * @param name for messages. Default: the file's name.
 */
export function blobSource(blob: Blob, name: string = "name" in blob ? String(blob.name) : "blob"): ByteSource {
  return {
    name,
    async readRange({ position, byteLength }: SourceRange, options: SourceReadOptions = {}): Promise<SourceAnswer> {
      const { signal, clamp = false } = options;
      signal?.throwIfAborted();
      const end = position + byteLength;
      if (end > blob.size && !clamp) {
        throw new IoError(
          "BLOSC2_IO_SHORT_READ",
          `${name}: read of ${byteLength} bytes at position ${position}: short read: the file has ${blob.size} bytes`,
          { operation: "read", path: name, position, length: byteLength, expected: end, found: blob.size },
        );
      }
      let bytes: Uint8Array;
      try {
        bytes = new Uint8Array(await blob.slice(position, Math.min(end, blob.size)).arrayBuffer());
      } catch (error) {
        // A browser refuses to read a file that has changed since it was picked.
        throw new IoError(
          "BLOSC2_IO_STALE",
          `${name}: read of ${byteLength} bytes at position ${position}: the file was changed or removed; pick it again`,
          { operation: "read", path: name, position, length: byteLength },
          error,
        );
      }
      signal?.throwIfAborted();
      return { bytes, size: blob.size };
    },
  };
}
