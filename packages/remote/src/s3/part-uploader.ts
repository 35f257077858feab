/** A multipart upload: several parts at a time, and nothing left behind when it fails. @module */
import { IoError } from "@b2frame/core/read";
import type { SourceRange } from "../byte-source.js";
import type { FinishedPart, S3Object, WriteCondition } from "./s3-object.js";

/** Parts under way at a time. */
const DEFAULT_CONCURRENCY = 4;

/** See the module. Every method throws what `sendS3` throws. */
export class PartUploader {
  readonly #object: S3Object;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #concurrency: number;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #underWay = new Set<Promise<void>>();
  readonly #finished: FinishedPart[] = [];
  #uploadId: string | undefined;
  #failed = false;
  #failure: unknown;

  constructor(
    object: S3Object,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
    concurrency: number = DEFAULT_CONCURRENCY,
  ) {
    this.#object = object;
    this.#headers = headers;
    this.#concurrency = concurrency;
    this.#signal = this.#stop.signal;
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => this.#stop.abort(signal.reason), { once: true, signal: this.#signal });
  }

  /** Whether anything was sent. */
  get begun(): boolean {
    return this.#uploadId !== undefined;
  }

  /** Begins to upload a part, when there is room. */
  async upload(number: number, bytes: Uint8Array): Promise<void> {
    await this.#start((id) => this.#object.uploadPart(id, number, bytes, this.#signal));
  }

  /** Begins to copy a part out of the object as it was. */
  async copy(number: number, range: SourceRange, etag: string): Promise<void> {
    await this.#start((id) => this.#object.copyPart(id, number, range, etag, this.#signal));
  }

  async #start(send: (uploadId: string) => Promise<FinishedPart>): Promise<void> {
    while (this.#underWay.size >= this.#concurrency) await Promise.race(this.#underWay);
    this.#throwFailure();
    this.#uploadId ??= await this.#object.begin(this.#headers, this.#signal);
    const part = this.#run(send, this.#uploadId).finally(() => this.#underWay.delete(part));
    this.#underWay.add(part);
  }

  /** Never rejects: the first failure ends the others, and is thrown by what comes next. */
  async #run(send: (uploadId: string) => Promise<FinishedPart>, uploadId: string): Promise<void> {
    try {
      this.#finished.push(await send(uploadId));
    } catch (error) {
      if (!this.#failed) this.#failure = error;
      this.#failed = true;
      this.#stop.abort(error);
    }
  }

  #throwFailure(): void {
    if (this.#failed) throw this.#failure;
    this.#signal.throwIfAborted();
  }

  /** Waits for all parts and makes them the object. @returns its ETag */
  async complete(condition: WriteCondition): Promise<string> {
    await Promise.all(this.#underWay);
    this.#throwFailure();
    const etag = await this.#object.complete(this.#uploadId as string, this.#finished, condition, this.#signal);
    // The caller's signal is not listened to any longer.
    this.#stop.abort();
    return etag;
  }

  /**
   * Gives the upload up, so that the service keeps nothing of it.
   *
   * @returns the failure, which says so if that did not work either.
   */
  async abandon(failure: unknown): Promise<unknown> {
    this.#stop.abort(failure);
    await Promise.all(this.#underWay);
    if (this.#uploadId === undefined) return failure;
    try {
      await this.#object.abort(this.#uploadId);
      return failure;
    } catch (error) {
      const { name } = this.#object;
      const text = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
      return new IoError(
        "BLOSC2_IO_FAILED",
        `${text(failure)}; and the upload ${this.#uploadId} of ${name}, which costs storage, could not be given up: ${text(error)}`,
        { operation: "abort upload", path: name, uploadId: this.#uploadId },
        failure,
      );
    }
  }
}
