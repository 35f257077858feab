/** Reading as much of a frame's description as is sound. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { ContiguousFrame } from "../frame/contiguous-frame.js";
import { FILE_HEAD_LENGTH, refuseForeignFile } from "../frame/file-kind.js";
import type { Frame, FrameOrigin } from "../frame/frame.js";
import { FrameFile } from "../frame/frame-file.js";
import {
  checkTailSeal,
  decodeTailIndex,
  decodeTailTrailer,
  type FrameParts,
  type FramePartsRequest,
  readFrameHeader,
  readFrameTail,
  requireTailSeal,
} from "../frame/frame-parts.js";
import { OffsetsIndex } from "../frame/offsets-index.js";
import { SparseFiles } from "../frame/sparse-files.js";
import { SparseFrame } from "../frame/sparse-frame.js";
import type { IoBackend } from "../io/backend.js";
import { type CheckedHandle, openChecked } from "../io/checked-handle.js";
import { memoryHandle } from "../io/memory-backend.js";
import type { ProblemList } from "./verify-problem.js";

/** Where a frame is, and how its parts are to be decoded. */
export interface FramePlace {
  readonly path: string;
  readonly backend: IoBackend;
  /** Absolute position of the frame's first byte. */
  readonly offset: number;
  readonly environment: ChunkEnvironment;
}

/** A frame's description, as far as it could be read; the rest of it is empty. */
export interface DamagedFrame {
  /** Undefined when not even the header can be used. */
  readonly frame: Frame | undefined;
  readonly sparse: boolean;
  readonly headerSound: boolean;
  readonly indexSound: boolean;
  readonly trailerSound: boolean;
  /** Whether the checksums, if the frame keeps some, are of these chunks: no other writer has changed it since. */
  readonly sumsOurs: boolean;
  /** Bytes that follow the frame in its file. */
  readonly strayBytes: number;
  /** The frame's file, or the index file of a sparse frame; one without bytes if that is missing. */
  readonly file: FrameFile;
  /** Of a sparse frame. */
  readonly files: SparseFiles | undefined;
  close(): void;
}

const NOTHING_SOUND = { indexSound: false, trailerSound: false, sumsOurs: false };

/** Header, then index and trailer, each on its own. */
function readParts(
  file: FrameFile,
  request: FramePartsRequest,
  problems: ProblemList,
): Pick<DamagedFrame, "indexSound" | "trailerSound" | "sumsOurs"> & { parts: FrameParts | undefined } {
  const described = problems.attempt("frame header", () => {
    const length = Math.min(Math.max(0, file.size()), FILE_HEAD_LENGTH);
    refuseForeignFile(file.read(0, length), request.path, file.position);
    return readFrameHeader(file, request);
  });
  if (described === undefined) return { parts: undefined, ...NOTHING_SOUND };
  const { header } = described;
  const tail = problems.attempt("index and trailer", () => readFrameTail(file, header, request));
  if (tail === undefined) {
    const parts = { ...described, vlmetalayers: [], index: new OffsetsIndex() };
    return { parts, ...NOTHING_SOUND };
  }
  const seal = "header, index and trailer";
  // Undefined: it is there, and differs.
  const sealed = problems.attempt(seal, () => checkTailSeal(tail, described.encodedHeader, request));
  const trailer = problems.attempt("frame trailer", () => decodeTailTrailer(tail, header, request.path));
  // The index says its own length, so it can be decoded without knowing where the trailer starts.
  const indexEnd = trailer?.start ?? tail.bytes.byteLength;
  const index = problems.attempt("index chunk", () => {
    const decoded = decodeTailIndex(tail, indexEnd, header, request);
    // Finds bad entries now, also in a long index.
    decoded.entries();
    return decoded;
  });
  const vlmetalayers = trailer?.vlmetalayers ?? [];
  if (trailer !== undefined && sealed !== undefined) {
    problems.attempt(seal, () => requireTailSeal(tail, sealed, vlmetalayers, request.path));
  }
  const parts = { ...described, vlmetalayers, index: index ?? new OffsetsIndex() };
  return { parts, indexSound: index !== undefined, trailerSound: trailer !== undefined, sumsOurs: sealed !== false };
}

/**
 * Opens a frame for reading whatever is wrong with it; what is wrong is added to `problems`.
 *
 * @throws IoError when the file itself can't be opened
 */
export function readDamagedFrame(place: FramePlace, problems: ProblemList): DamagedFrame {
  const { path, backend, offset, environment } = place;
  const origin: FrameOrigin = { path, backend, mode: "r", volatile: false };
  const sparse = backend.directories?.isDirectory(path) === true;
  const files = sparse ? new SparseFiles(backend, path) : undefined;
  const filePath = files?.indexPath ?? path;
  const handle = files === undefined ? openChecked(backend, path, "r") : openIndexFile(files, problems);
  const file = new FrameFile(handle, offset);
  let frame: Frame | undefined;
  const close = (): void => {
    frame?.discard();
    handle.close();
    files?.close();
  };
  try {
    const { parts, ...sound } =
      problems.problems.length > 0
        ? { parts: undefined, ...NOTHING_SOUND }
        : readParts(file, { path: filePath, environment, sparse, exactSpecials: true }, problems);
    if (parts !== undefined) {
      const context = { origin, environment };
      frame =
        files === undefined
          ? ContiguousFrame.ofParts(file, context, parts)
          : SparseFrame.ofParts(files, context, parts);
    }
    const strayBytes = parts === undefined ? 0 : Math.max(0, file.size() - parts.header.frameLength);
    return { frame, sparse, headerSound: parts !== undefined, ...sound, strayBytes, file, files, close };
  } catch (error) {
    close();
    throw error;
  }
}

function openIndexFile(files: SparseFiles, problems: ProblemList): CheckedHandle {
  const { backend, indexPath } = files;
  return (
    problems.attempt("index file", () => openChecked(backend, indexPath, "r")) ??
    memoryHandle(new Uint8Array(0), { mode: "r", path: indexPath })
  );
}
