/** What stands between a frame that is being read again and those who read it. @module */
import { IoError } from "@b2frame/core/read";

/** Refuses reads while the description of a frame is read again, and after that has failed: the old one may not fit what is there by now. */
export class RefreshGuard {
  readonly #name: string;
  #failure: IoError | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws IoError `BLOSC2_IO_STALE` */
  requireReadable(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Runs what reads the description again. @throws what it throws */
  async refreshing<T>(describe: () => Promise<T>): Promise<T> {
    this.#failure = this.#stale("is being read again by refresh()");
    try {
      const described = await describe();
      this.#failure = undefined;
      return described;
    } catch (error) {
      this.#failure = this.#stale("could not be read again: call refresh() once more", error);
      throw error;
    }
  }

  #stale(why: string, cause?: unknown): IoError {
    return new IoError("BLOSC2_IO_STALE", `${this.#name}: ${why}`, { operation: "read", path: this.#name }, cause);
  }
}
