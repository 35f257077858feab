/** Writing frames of any length into objects, while they are made. @module */
import { ArgumentError, type IoBackend } from "@b2frame/core";
import type { Draft } from "./draft.js";
import { DraftBackend } from "./draft-backend.js";
import { partBytes } from "./object-parts.js";
import { PartUploader } from "./part-uploader.js";
import { putWhole } from "./put-s3.js";
import { S3Object } from "./s3-object.js";
import { checkPutOptions, type S3PutOptions, type S3Written } from "./s3-write-options.js";
import { headersWith, newToken, publishOnce } from "./write-token.js";

/** Where a frame is written that goes into an object. */
export interface S3FrameDraft {
  /** To give as `urlpath`. */
  readonly urlpath: string;
  /** To give as `io`. */
  readonly io: IoBackend;
  /**
   * Sends what is finished, so that memory holds no more than a few parts. Wait for it after each chunk or batch of rows; what was sent can be
   * appended to, not read or changed.
   */
  room(): Promise<void>;
}

/**
 * Makes a contiguous frame and puts it into an object while it grows: chunks are uploaded in parts of 8 MiB, four at a time, and the header
 * last of all. The object is there, or replaced, when this returns, and not before; if it fails nothing is left behind.
 *
 * @param write creates the frame at `urlpath` through `io`, fills and closes it.
 * @throws ArgumentError if it leaves no frame there, or one that is open; IoError, `BLOSC2_IO_CONFLICT` if the condition was not met; the
 * signal's reason; what `write` throws
 * @example
 * ```ts
 * await writeS3Frame("s3://scans/run.b2nd", async ({ urlpath, io, room }) => {
 *   using array = zeros([0, 512, 512], { urlpath, io, dtype: "<u2", chunks: [8, 512, 512] });
 *   for await (const image of camera) {
 *     array.append(image);
 *     await room();
 *   }
 * }, { keys });
 * ```
 */
export async function writeS3Frame(
  url: string | URL,
  write: (draft: S3FrameDraft) => void | Promise<void>,
  options: S3PutOptions = {},
): Promise<S3Written> {
  checkPutOptions(options);
  const object = new S3Object(url, options);
  const writer = new FrameUpload(object, options);
  try {
    await write({ urlpath: object.name, io: writer.backend, room: () => writer.sendFinished() });
    return await writer.finish();
  } catch (error) {
    throw await writer.abandon(error);
  }
}

class FrameUpload {
  readonly backend = new DraftBackend();
  readonly #object: S3Object;
  readonly #options: S3PutOptions;
  readonly #token = newToken();
  readonly #headers: Readonly<Record<string, string>>;
  readonly #uploader: PartUploader;
  /** That of which parts have been sent. */
  #draft: Draft | undefined;
  /** The next part to be sent; the first one is sent last, for it has the header. */
  #number = 2;
  #position: number;

  constructor(object: S3Object, options: S3PutOptions) {
    this.#object = object;
    this.#options = options;
    this.#headers = headersWith(this.#token, undefined, options.objectHeaders);
    this.#uploader = new PartUploader(object, this.#headers, options.signal);
    this.#position = this.#sizeOf(1);
  }

  #sizeOf(number: number): number {
    return partBytes(this.#object.name, number, this.#options.partSize);
  }

  async sendFinished(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    // While a frame is written again beside itself, which comes first is not known.
    const draft = this.backend.onlyDraft;
    if (draft === undefined) return;
    await this.#send(draft, draft.settledEnd);
    // Appending is synchronous: uploads go on only where the thread is given to them.
    if (this.#uploader.begun) await new Promise((resolve) => setTimeout(resolve));
  }

  async #send(draft: Draft, end: number): Promise<void> {
    while (this.#position + this.#sizeOf(this.#number) <= end) {
      this.#requireSame(draft);
      this.#draft = draft;
      await this.#sendPart(draft, this.#sizeOf(this.#number));
    }
  }

  async #sendPart(draft: Draft, byteLength: number): Promise<void> {
    const range = { position: this.#position, byteLength };
    const bytes = draft.take(range);
    draft.drop(range);
    this.#position += byteLength;
    await this.#uploader.upload(this.#number++, bytes);
  }

  async finish(): Promise<S3Written> {
    const { name } = this.#object;
    if (this.backend.openHandles > 0) throw this.#misuse("the frame is still open: close it before write returns");
    const draft = this.backend.draft(name);
    if (draft === undefined) throw this.#misuse("write made no frame at urlpath");
    this.#requireSame(draft);
    const byteLength = draft.size;
    const first = { position: 0, byteLength: Math.min(byteLength, this.#sizeOf(1)) };
    if (first.byteLength === byteLength && !this.#uploader.begun) {
      const etag = await putWhole(this.#object, draft.take(first), this.#options, this.#token, this.#headers);
      return { etag, byteLength };
    }
    await this.#send(draft, byteLength);
    if (this.#position < byteLength) await this.#sendPart(draft, byteLength - this.#position);
    await this.#uploader.upload(1, draft.take(first));
    const complete = (): Promise<string> => this.#uploader.complete(this.#options);
    return { etag: await publishOnce(this.#object, this.#token, complete, this.#options.signal), byteLength };
  }

  #requireSame(draft: Draft): void {
    if (this.#draft === undefined || this.#draft === draft) return;
    throw this.#misuse("another frame was begun after parts of the first one had been sent");
  }

  #misuse(what: string): ArgumentError {
    const { name } = this.#object;
    return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${name}: ${what}`, { parameter: "write", path: name });
  }

  abandon(failure: unknown): Promise<unknown> {
    return this.#uploader.abandon(failure);
  }
}
