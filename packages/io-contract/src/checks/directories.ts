/** Directories, for backends that can keep sparse frames. @module */
import type { IoBackend } from "@b2frame/core";
import type { IoDirectories } from "@b2frame/core/backend";
import { openChecked } from "@b2frame/core/backend";
import { pattern, type SuiteContext } from "../suite-context.js";

function directoriesOf(backend: IoBackend): IoDirectories {
  if (backend.directories === undefined) throw new Error("capabilities.sparseFrames is true, directories is missing");
  return backend.directories;
}

export function checkDirectories(context: SuiteContext): void {
  context.group("directories", () => {
    if (!context.options.backend().capabilities.sparseFrames) {
      context.check("there are none, as the capabilities say", (backend) =>
        context.same(backend.directories, undefined),
      );
      return;
    }

    context.check("make, list, fill, empty, remove", (backend, path) => {
      const directories = directoriesOf(backend);
      context.same(directories.isDirectory(path), false);
      directories.make(path);
      context.same(directories.isDirectory(path), true);
      context.same(backend.exists(path), false);
      context.same(directories.list(path).length, 0);
      for (const name of ["chunks.b2frame", "00000000.chunk", "0000000A.chunk"]) {
        context.put(backend, `${path}/${name}`, pattern(10, 1));
      }
      directories.flush(path);
      context.same(directories.list(path).toSorted().join(), "00000000.chunk,0000000A.chunk,chunks.b2frame");
      backend.rename(`${path}/00000000.chunk`, `${path}/00000001.chunk`);
      context.same(directories.list(path).toSorted().join(), "00000001.chunk,0000000A.chunk,chunks.b2frame");
      context.fails(() => directories.remove(path), "BLOSC2_IO_FAILED", "BLOSC2_IO_EXISTS");
      for (const name of directories.list(path)) backend.remove(`${path}/${name}`);
      directories.remove(path);
      context.same(directories.isDirectory(path), false);
    });

    context.check("what is there is not made again", (backend, path) => {
      const directories = directoriesOf(backend);
      directories.make(path);
      context.fails(() => directories.make(path), "BLOSC2_IO_EXISTS");
      const file = context.options.makePath();
      context.put(backend, file, pattern(10, 1));
      context.fails(() => directories.make(file), "BLOSC2_IO_EXISTS");
      context.same(directories.isDirectory(file), false);
      context.sameBytes(context.contents(backend, file), pattern(10, 1));
    });

    context.check("what is not there fails by name", (backend, path) => {
      const directories = directoriesOf(backend);
      context.fails(() => directories.list(path), "BLOSC2_IO_NOT_FOUND");
      context.fails(() => directories.remove(path), "BLOSC2_IO_NOT_FOUND");
      context.fails(() => directories.flush(path), "BLOSC2_IO_NOT_FOUND");
      context.fails(() => directories.make(`${path}/deep/er`), "BLOSC2_IO_NOT_FOUND");
      context.fails(() => openChecked(backend, `${path}/file`, "w+"), "BLOSC2_IO_NOT_FOUND");
    });

    context.check("a directory is no file", (backend, path) => {
      directoriesOf(backend).make(path);
      for (const mode of ["r", "r+", "w+"] as const) {
        const error = context.fails(() => openChecked(backend, path, mode), "BLOSC2_IO_FAILED");
        context.same(error.details.path, path);
      }
      context.fails(() => backend.remove(path), "BLOSC2_IO_FAILED");
      context.same(directoriesOf(backend).isDirectory(path), true);
    });
  });
}
