/** What a check says. @module */

/** Thrown by a check that could not look: neither passed nor failed. */
export class NotChecked extends Error {
  /**
   * @param {string} why
   * @param {string} [state]
   */
  constructor(why, state = "not checked") {
    super(why);
    this.state = state;
  }
}

/**
 * @param {string} what
 * @param {unknown} found
 * @param {unknown} expected
 */
export function expectSame(what, found, expected) {
  const [a, b] = [JSON.stringify(expected), JSON.stringify(found)];
  if (a !== b) throw new Error(`${what}: expected ${a}, found ${b}`);
}
