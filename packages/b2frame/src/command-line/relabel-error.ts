/** Errors about a copy that name the original. @module */
import { isBlosc2Error } from "@b2frame/core";

/** The text with one name in the place of another. */
export function relabel(text: string, copy: string, original: string): string {
  return text.replaceAll(copy, original);
}

/** Puts the original's name into an error about its copy; gives the same error. */
export function relabelError(error: unknown, copy: string, original: string): unknown {
  if (!isBlosc2Error(error) || !error.message.includes(copy)) return error;
  error.message = relabel(error.message, copy, original);
  const details = Object.entries(error.details).map(([name, value]) => [
    name,
    typeof value === "string" ? relabel(value, copy, original) : value,
  ]);
  Object.defineProperty(error, "details", { value: Object.fromEntries(details), enumerable: true });
  return error;
}

/** Runs `use`; its errors name `original` where they would name `copy`. */
export async function relabelling<T>(copy: string, original: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw relabelError(error, copy, original);
  }
}
