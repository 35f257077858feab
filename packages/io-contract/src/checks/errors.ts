/** Files as a whole: what is there, what is not, and what the errors say. @module */
import { openChecked } from "@b2frame/core/backend";
import { pattern, type SuiteContext } from "../suite-context.js";

export function checkErrors(context: SuiteContext): void {
  const { capabilities } = context.options.backend();
  context.group("files and errors", () => {
    context.check("exists tells files that are there", (backend, path) => {
      context.same(backend.exists(path), false);
      context.put(backend, path, pattern(10, 1));
      context.same(backend.exists(path), true);
    });

    context.check("removing what is not there fails", (backend, path) => {
      const error = context.fails(() => backend.remove(path), "BLOSC2_IO_NOT_FOUND");
      context.same(error.details.path, path);
      context.same(error.details.operation, "remove");
    });

    if (!capabilities.write) return;

    context.check("remove removes", (backend, path) => {
      context.put(backend, path, pattern(10, 1));
      backend.remove(path);
      context.same(backend.exists(path), false);
      context.fails(() => openChecked(backend, path, "r"), "BLOSC2_IO_NOT_FOUND");
      context.fails(() => backend.remove(path), "BLOSC2_IO_NOT_FOUND");
    });

    context.check("rename moves, and replaces what is there", (backend, from) => {
      const to = context.options.makePath();
      context.put(backend, from, pattern(10, 1));
      backend.rename(from, to);
      context.same(backend.exists(from), false);
      context.sameBytes(context.contents(backend, to), pattern(10, 1));
      context.put(backend, from, pattern(20, 2));
      backend.rename(from, to);
      context.same(backend.exists(from), false);
      context.sameBytes(context.contents(backend, to), pattern(20, 2));
    });

    context.check("renaming what is not there fails and leaves the target", (backend, from) => {
      const to = context.options.makePath();
      context.put(backend, to, pattern(10, 1));
      const error = context.fails(() => backend.rename(from, to), "BLOSC2_IO_NOT_FOUND");
      context.same(error.details.operation, "rename");
      context.sameBytes(context.contents(backend, to), pattern(10, 1));
    });

    context.check("renaming a file to its own name keeps it", (backend, path) => {
      context.put(backend, path, pattern(10, 1));
      backend.rename(path, path);
      context.sameBytes(context.contents(backend, path), pattern(10, 1));
    });
  });
}
