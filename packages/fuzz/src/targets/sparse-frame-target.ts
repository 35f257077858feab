/** Sparse frames: directories of chunk files. @module */
import { SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { fixtureDirectory } from "../fixtures.js";
import { FilesOnDisk } from "./files-on-disk.js";
import { verifyAndRepair } from "./frame-target.js";
import { readSuperChunk } from "./read-super-chunk.js";
import type { FuzzTarget } from "./target.js";

let disk: FilesOnDisk | undefined;

export const sparseFrameTarget: FuzzTarget = {
  seeds: () => [
    ...["empty", "special", "plain", "id-reuse", "varchunks"].map((name) =>
      fixtureDirectory(`conformance/sframes/${name}.b2frame`),
    ),
    fixtureDirectory("conformance/b2nd/sparse.b2nd"),
  ],
  read(input, options, content) {
    disk ??= new FilesOnDisk();
    disk.put(input);
    const { path } = disk;
    const backend = stdio();
    content.attempt("open", () => {
      using schunk = SChunk.open(path, backend, options);
      readSuperChunk(schunk, content);
      return "done";
    });
    verifyAndRepair(path, backend, options, content);
  },
};
