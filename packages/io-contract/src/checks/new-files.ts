/** Files that are made beside others, and what tells files apart. @module */
import { openChecked, openNewChecked } from "@b2frame/core/backend";
import { pattern, type SuiteContext, withHandle } from "../suite-context.js";

export function checkNewFiles(context: SuiteContext): void {
  const { capabilities, openNew, identify } = context.options.backend();
  if (!capabilities.write) return;
  context.group("new files", () => {
    context.check("a new file is empty, and written and read as one of mode w+", (backend, path) => {
      const handle = openNewChecked(backend, path);
      context.same(handle.size(), 0);
      handle.write(3, pattern(10, 1));
      handle.flush();
      context.sameBytes(handle.read(3, 10), pattern(10, 1));
      handle.close();
      context.same(context.contents(backend, path).byteLength, 13);
    });

    if (openNew !== undefined) {
      context.check("what is there is not opened, and not touched", (backend, path) => {
        context.put(backend, path, pattern(10, 1));
        context.fails(() => openNewChecked(backend, path), "BLOSC2_IO_EXISTS");
        context.sameBytes(context.contents(backend, path), pattern(10, 1));
      });

      context.check("an open new file goes on under the name that it gets", (backend, path) => {
        const final = context.options.makePath();
        context.put(backend, final, pattern(5, 3));
        const handle = openNewChecked(backend, path, final);
        handle.write(0, pattern(10, 1));
        handle.flush();
        backend.rename(path, final);
        handle.write(10, pattern(10, 2));
        handle.flush();
        context.same(handle.size(), 20);
        handle.close();
        context.same(backend.exists(path), false);
        context.sameBytes(context.contents(backend, final).subarray(10), pattern(10, 2));
      });
    }

    if (identify === undefined) return;

    context.check(
      "a file has one identity, by name and by handle, and keeps it under another name",
      (backend, path) => {
        const other = context.options.makePath();
        context.same(backend.identify?.(path), undefined);
        context.put(backend, path, pattern(10, 1));
        context.put(backend, other, pattern(10, 1));
        const identity = backend.identify?.(path);
        context.same(typeof identity, "string");
        context.same(identity === backend.identify?.(other), false);
        withHandle(backend, path, "r", (handle) => context.same(handle.identify(), identity));
        withHandle(backend, path, "r+", (handle) => {
          handle.write(0, pattern(20, 2));
          context.same(handle.identify(), identity);
        });
        context.same(backend.identify?.(path), identity);
        backend.rename(path, other);
        context.same(backend.identify?.(other), identity);
        context.same(backend.identify?.(path), undefined);
      },
    );

    context.check("a handle tells its own file from the one that took its name", (backend, path) => {
      const other = context.options.makePath();
      context.put(backend, path, pattern(10, 1));
      context.put(backend, other, pattern(10, 2));
      const handle = openChecked(backend, path, "r");
      backend.rename(other, path);
      context.same(handle.identify() === backend.identify?.(path), false);
      handle.close();
    });
  });
}
