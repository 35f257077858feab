/** Every mode, on a file that is there and on one that is not. @module */
import type { OpenMode } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import { pattern, type SuiteContext, withHandle } from "../suite-context.js";

const CONTENT = pattern(1000, 1);

function checkWritableModes(context: SuiteContext): void {
  context.check("w+ creates a file", (backend, path) => {
    withHandle(backend, path, "w+", (handle) => {
      context.same(handle.size(), 0);
      handle.write(0, CONTENT);
      context.sameBytes(handle.read(0, 1000), CONTENT);
    });
    context.same(backend.exists(path), true);
    context.sameBytes(context.contents(backend, path), CONTENT);
  });

  context.check("w+ empties a file that is there", (backend, path) => {
    context.put(backend, path, CONTENT);
    withHandle(backend, path, "w+", (handle) => context.same(handle.size(), 0));
    context.same(context.contents(backend, path).byteLength, 0);
  });

  context.check("r+ reads and changes a file in place", (backend, path) => {
    context.put(backend, path, CONTENT);
    const expected = CONTENT.slice();
    expected.set([9, 8, 7], 500);
    withHandle(backend, path, "r+", (handle) => {
      context.same(handle.size(), 1000);
      context.sameBytes(handle.read(0, 1000), CONTENT);
      handle.write(500, Uint8Array.of(9, 8, 7));
    });
    context.sameBytes(context.contents(backend, path), expected);
  });

  context.check("r+ of a missing file fails and creates nothing", (backend, path) => {
    context.fails(() => openChecked(backend, path, "r+"), "BLOSC2_IO_NOT_FOUND");
    context.same(backend.exists(path), false);
  });
}

function checkCopyOnWrite(context: SuiteContext): void {
  context.check("c keeps changes to itself and leaves the file alone", (backend, path) => {
    context.put(backend, path, CONTENT);
    const changed = pattern(3000, 2);
    withHandle(backend, path, "c", (handle) => {
      context.sameBytes(handle.read(0, 1000), CONTENT);
      handle.write(0, changed.subarray(0, 10));
      context.sameBytes(handle.read(0, 10), changed.subarray(0, 10));
      context.sameBytes(handle.read(10, 990), CONTENT.subarray(10));
      handle.write(0, changed);
      context.same(handle.size(), 3000);
      context.sameBytes(handle.read(0, 3000), changed);
      handle.flush();
      handle.truncate(5);
      context.same(handle.size(), 5);
      handle.truncate(8);
      context.sameBytes(handle.read(0, 8), Uint8Array.of(...changed.subarray(0, 5), 0, 0, 0));
      context.sameBytes(context.contents(backend, path), CONTENT);
    });
    context.sameBytes(context.contents(backend, path), CONTENT);
  });

  context.check("two c handles do not see each other's changes", (backend, path) => {
    context.put(backend, path, CONTENT);
    withHandle(backend, path, "c", (first) =>
      withHandle(backend, path, "c", (second) => {
        first.write(0, Uint8Array.of(1, 1));
        second.write(1, Uint8Array.of(2, 2));
        context.sameBytes(first.read(0, 3), Uint8Array.of(1, 1, CONTENT[2] ?? 0));
        context.sameBytes(second.read(0, 3), Uint8Array.of(CONTENT[0] ?? 0, 2, 2));
      }),
    );
  });

  context.check("c of a missing file fails", (backend, path) => {
    context.fails(() => openChecked(backend, path, "c"), "BLOSC2_IO_NOT_FOUND");
  });
}

function checkUntouched(context: SuiteContext): void {
  const { inspect } = context.options;
  if (inspect === undefined) return;
  const modes: OpenMode[] = context.options.backend().capabilities.copyOnWrite ? ["r", "c"] : ["r"];
  for (const mode of modes) {
    context.check(`${mode} never touches the file or its modification time`, (backend, path) => {
      context.put(backend, path, CONTENT);
      const before = inspect.modified(path);
      withHandle(backend, path, mode, (handle) => {
        handle.read(0, 1000);
        handle.readInto(10, new Uint8Array(50));
        handle.flush();
        if (mode === "c") handle.write(0, Uint8Array.of(1));
      });
      context.same(inspect.modified(path), before);
      context.sameBytes(inspect.bytes(path), CONTENT);
    });
  }
}

export function checkOpenModes(context: SuiteContext): void {
  const { capabilities } = context.options.backend();
  context.group("open modes", () => {
    context.check("r reads a file", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (handle) => {
        context.same(handle.size(), 1000);
        context.sameBytes(handle.read(0, 1000), CONTENT);
      });
    });

    context.check("r of a missing file fails and creates nothing", (backend, path) => {
      const error = context.fails(() => openChecked(backend, path, "r"), "BLOSC2_IO_NOT_FOUND");
      context.same(error.details.path, path);
      context.same(error.details.operation, "open");
      context.same(backend.exists(path), false);
    });

    context.check("an empty file can be opened", (backend, path) => {
      context.put(backend, path, new Uint8Array(0));
      withHandle(backend, path, "r", (handle) => {
        context.same(handle.size(), 0);
        context.same(handle.read(0, 0).byteLength, 0);
        context.fails(() => handle.read(0, 1), "BLOSC2_IO_SHORT_READ");
      });
    });

    if (capabilities.write) checkWritableModes(context);
    if (capabilities.copyOnWrite) checkCopyOnWrite(context);
    checkUntouched(context);

    const lacking: OpenMode[] = [];
    if (!capabilities.write) lacking.push("r+", "w+");
    if (!capabilities.copyOnWrite) lacking.push("c");
    for (const mode of lacking) {
      context.check(`${mode} is refused, as the capabilities say`, (backend, path) => {
        context.put(backend, path, CONTENT);
        context.fails(() => openChecked(backend, path, mode), "BLOSC2_UNSUPPORTED_BACKEND");
        context.sameBytes(context.contents(backend, path), CONTENT);
      });
    }

    context.check("no other mode and no impossible path is taken", (backend, path) => {
      context.put(backend, path, CONTENT);
      for (const mode of ["", "w", "rb", "r+b", "a", "R", "rw", "w+ "]) {
        context.fails(() => openChecked(backend, path, mode as OpenMode), "BLOSC2_ARGUMENT_INVALID");
      }
      for (const bad of ["", "a\0b"]) context.fails(() => openChecked(backend, bad, "r"), "BLOSC2_ARGUMENT_INVALID");
      context.sameBytes(context.contents(backend, path), CONTENT);
    });
  });
}
