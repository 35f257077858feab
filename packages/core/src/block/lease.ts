/** Who may use the memory of an engine. @module */
import { checksLoans, endLoan, type Lent, lend } from "../bytes/lent.js";
import { ArgumentError } from "../errors.js";

/**
 * An engine's memory, held for one call or for as long as a new chunk lies in it. There is one lease to an engine; it is taken and
 * ended, and nobody else can take it meanwhile. So a codec, a filter or a backend that comes back to the engine from inside a call is
 * refused, where it would otherwise overwrite what the call has staged.
 */
export class Lease {
  #held = false;
  readonly #loans: Lent[] = [];

  /** @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` while somebody holds it */
  take(): void {
    if (this.#held)
      throw misuse("the engine is in use: a chunk can't be read or made inside the reading or making of another");
    this.#held = true;
  }

  /** Ends the lease, and with it all loans of the engine's memory. Idempotent. */
  end(): void {
    this.#held = false;
    if (this.#loans.length === 0) return;
    for (const loan of this.#loans) endLoan(loan);
    this.#loans.length = 0;
  }

  /** Does what nobody else may use the engine during. @throws as {@link take} */
  during<T>(work: () => T): T {
    this.take();
    try {
      return work();
    } finally {
      this.end();
    }
  }

  /**
   * Lends bytes of the engine's memory until the lease ends.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` while nobody holds it
   */
  lend(bytes: Uint8Array): Lent {
    if (!this.#held) throw misuse("take the engine's lease before staging bytes");
    const loan = lend(bytes);
    if (checksLoans()) this.#loans.push(loan);
    return loan;
  }
}

function misuse(message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "engine" });
}
