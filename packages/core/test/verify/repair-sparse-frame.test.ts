import { describe, expect, it } from "vitest";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { repairFrame } from "../../src/verify/repair-frame.js";
import { verifyFrame } from "../../src/verify/verify-frame.js";
import { directoryBackend } from "../frame/directory-backend.js";
import { hex, samples } from "./repaired-frame.js";

describe("sparse frames", () => {
  function sparse(): ReturnType<typeof directoryBackend> {
    const backend = directoryBackend();
    using s = SChunk.create({ urlpath: "d", io: backend, contiguous: false, typesize: 4, chunksize: 1200 });
    for (let i = 0; i < 5; i++) s.appendData(samples(i));
    return backend;
  }
  const all = Array.from({ length: 5 }, (_, i) => hex(new Uint8Array(samples(i).buffer)));

  it("lose the chunks whose files are gone", () => {
    const backend = sparse();
    backend.remove("d/00000003.chunk");
    expect(repairFrame("d", backend, "e", backend)).toMatchObject({
      kind: "sparse",
      chunksRecovered: 4,
      zeroedChunks: [{ start: 3, stop: 4 }],
    });
    expect(verifyFrame("e", backend)).toMatchObject({ ok: true, kind: "sparse" });
  });

  it("come back in the order of their file numbers when the index file is gone", () => {
    const backend = sparse();
    backend.remove("d/chunks.b2frame");
    expect(repairFrame("d", backend, "e", backend)).toMatchObject({
      indexSource: "walked",
      chunksRecovered: 5,
      headerKept: false,
    });
    using s = SChunk.open("e", backend);
    expect([...s.iterChunks()].map(hex)).toEqual(all);
  });

  it("leave files that no index names, unless they are asked for", () => {
    const backend = sparse();
    const s = SChunk.create({ typesize: 4 });
    s.appendData(samples(77));
    const handle = backend.open("d/00000009.chunk", "w+");
    handle.write(0, s.getChunk(0));
    handle.close();
    expect(repairFrame("d", backend, "e", backend)).toMatchObject({ chunksRecovered: 5, ignoredChunks: 1 });
    const with6 = repairFrame("d", backend, "f", backend, { uncommitted: true });
    expect(with6).toMatchObject({ chunksRecovered: 6, uncommittedChunks: 1 });
  });
});
