/** What verifying a store finds. @module */
import type { VerifyOptions, VerifyProblem, VerifyReport } from "@b2frame/core";
import type { MemberPlace, StoreFormat, StoreType } from "../store-options.js";

/** Options of `verifyStore`. */
export interface StoreVerifyOptions extends Omit<VerifyOptions, "offset" | "locking"> {
  /** Called as members are checked, with the stored bytes checked and of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What was found about one member: what `verifyFrame` says of its frame, and what the ZIP file says of its bytes. */
export interface MemberReport extends Omit<VerifyReport, "path" | "kind"> {
  /** As `openStore` has it; parts of tables and attributes of groups are members of their own. */
  readonly key: string;
  readonly storage: MemberPlace["storage"];
}

/** What `verifyStore` found. */
export interface StoreReport {
  readonly path: string;
  readonly kind: "store";
  readonly format: StoreFormat;
  /** Absent if what says so can't be read. */
  readonly type?: StoreType | undefined;
  /** Whether all of it was checked and is whole. */
  readonly ok: boolean;
  /** Sorted by key. */
  readonly members: readonly MemberReport[];
  /**
   * Files in a `.b2d` that are being written, or that a killed writer left: no members here, but python-blosc2 takes those that are whole for
   * some. They can be removed when nobody writes.
   */
  readonly leftovers: readonly string[];
  /** Damage of what belongs to no member: the list of a ZIP file's members, the map of keys and the frame that holds it. */
  readonly problems: readonly VerifyProblem[];
  /** What could not be checked of the same. */
  readonly unsupported: readonly VerifyProblem[];
}
