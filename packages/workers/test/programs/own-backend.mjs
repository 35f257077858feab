/** A backend of the user's, for tests: stdio with options. */
import { stdio } from "@b2frame/io-stdio";

export function make(options) {
  return Promise.resolve(stdio(options));
}

export function none() {
  return undefined;
}
