/** Kinds of input. @module */
import type { Content } from "../content.js";
import type { Input, NamedInput } from "../input.js";
import type { OpenOptions } from "../setups.js";

/** One kind of input: good ones, and every way in which one is read. */
export interface FuzzTarget {
  /** About a dozen small good files. */
  readonly seeds: () => readonly NamedInput[];
  /** Opens `input` and reads it in every way there is, into `content`. May throw b2frame errors. */
  read(input: Input, options: OpenOptions, content: Content): void;
}
