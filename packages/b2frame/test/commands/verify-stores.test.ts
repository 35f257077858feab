import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { compact, createSChunk, createStore, openSChunk, repair, verify } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
const fixtures = fileURLToPath(new URL("../../../../fixtures/", import.meta.url));
const stores = join(fixtures, "stores");

/** A copy of a ZIP store of python-blosc2 in which one byte of a member's content is another. */
function damagedZip(name: string): string {
  const bytes = readFileSync(join(stores, "tree.b2z"));
  // The content of the first member of this name follows its local header.
  const at = bytes.indexOf("g/b.b2nd") + 60;
  bytes[at] = (bytes[at] as number) ^ 4;
  const path = join(cwd, name);
  writeFileSync(path, bytes);
  return path;
}

describe("b2frame verify of stores", () => {
  it.each(["tree.b2z", "tree.b2d", "dict.b2z", "dict.b2d", "embed.b2e"])("finds %s of python-blosc2 whole", (name) => {
    const { status, stdout } = runCli(["verify", join(stores, name)], { cwd });
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^good .*(tree|dict|embed) store in .*, \d+ frames?, /);
  });

  it("names the member that is damaged, with exit code 1", () => {
    const path = damagedZip("damaged.b2z");
    const shown = runCli(["verify", path], { cwd });
    expect(shown.status).toBe(1);
    const [verdict, key, problem] = shown.stdout.toString().split("\n");
    expect(verdict).toMatch(/^BAD .*damaged\.b2z {2}\d+ problems?, 1 of 14 members damaged$/);
    expect(key).toBe("      /g/b");
    expect(problem).toContain('zip member "g/b.b2nd": CRC-32 at position');
    const asJson = runCli(["verify", path, "--json"], { cwd });
    const [report] = JSON.parse(asJson.stdout.toString());
    expect(report).toMatchObject({ path, kind: "store", format: "b2z", type: "tree", ok: false, problems: [] });
    const unsound = report.members.filter(({ ok }: { ok: boolean }) => !ok);
    expect(unsound).toMatchObject([
      { key: "/g/b", problems: [{ code: "BLOSC2_FORMAT_CHECKSUM", field: "CRC-32" }, ...unsound[0].problems.slice(1)] },
    ]);
    // By way of a pipe as well, without the name of the copy.
    const piped = runCli(["verify", "-"], { cwd, input: readFileSync(path) });
    expect(piped.status).toBe(1);
    expect(piped.stdout.toString()).toMatch(/^BAD {3}standard input/);
    expect(piped.stdout.toString()).not.toContain("/input");
  });

  it("says with exit code 2 what can't be checked here, in words of its own", () => {
    const store = join(cwd, "other-codec.b2d");
    cpSync(join(stores, "dict.b2d"), store, { recursive: true });
    copyFileSync(join(fixtures, "python-objects/codec39.b2frame"), join(store, "images.b2f"));
    const unknown = runCli(["verify", store], { cwd });
    expect(unknown.status).toBe(2);
    expect(unknown.stdout.toString()).toMatch(/^not supported .*\n {6}\/images\n {8}images\.b2f: .*codec 39/);

    writeFileSync(join(cwd, "scan.h5"), Buffer.from("\x89HDF\r\n\x1a\n and more", "latin1"));
    const foreign = runCli(["verify", "scan.h5"], { cwd });
    expect(foreign.status).toBe(2);
    expect(foreign.stderr).toBe(
      "b2frame: scan.h5: not supported: neither a Blosc2 frame nor a store, but an HDF5 file: read it with h5py or h5wasm, and store " +
        "its arrays with asarray()\n",
    );

    // Damage is the worse of the two.
    expect(runCli(["verify", store, "scan.h5", damagedZip("other.b2z")], { cwd }).status).toBe(1);
  });

  it("has nothing to lock in a store", () => {
    const { status, stderr } = runCli(["verify", join(stores, "tree.b2z"), "--lock", "1"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("is a store; --lock is for frames");
  });
});

describe("verify, repair and compact", () => {
  it("take paths and file: URLs, and report what the command prints", () => {
    const path = join(cwd, "some.b2frame");
    createSChunk(path, { data: new Uint8Array(5000).fill(7), chunksize: 1000 }).close();
    const report = verify(pathToFileURL(path));
    expect(report).toMatchObject({ path, kind: "contiguous", ok: true, nchunks: 5, nbytes: 5000 });
    expect(JSON.parse(runGood(["verify", path, "--json"], { cwd }))).toEqual([JSON.parse(JSON.stringify(report))]);
    const units = new Set<string>();
    verify(path, { onProgress: (_, __, unit) => units.add(unit) });
    verify(join(stores, "tree.b2d"), { onProgress: (_, __, unit) => units.add(unit) });
    expect([...units]).toEqual(["chunks", "bytes"]);
  });

  it("repair the frame, and say of a store what to do, which works when it is done", () => {
    const store = join(cwd, "broken.b2d");
    cpSync(join(stores, "dict.b2d"), store, { recursive: true });
    const member = join(store, "deep/large.b2nd");
    const bytes = readFileSync(member);
    writeFileSync(member, bytes.subarray(0, bytes.length - 5));
    expect(verify(store).ok).toBe(false);
    expect(() => repair(store, join(cwd, "x"))).toThrow(
      expect.objectContaining({
        code: "BLOSC2_UNSUPPORTED",
        message: expect.stringContaining("repair the files in it"),
      }),
    );
    repair(member, join(cwd, "large.b2nd"));
    copyFileSync(join(cwd, "large.b2nd"), member);
    const { kind, ok } = verify(store);
    expect({ kind, ok }).toEqual({ kind: "store", ok: true });
    expect(() => repair(join(stores, "tree.b2z"), join(cwd, "x"))).toThrow(/unpack it with unzip/);
  });

  it("give back what was superseded, of frames and of stores", () => {
    const path = join(cwd, "grown.b2frame");
    const chunk = (seed: number) => Uint8Array.from({ length: 4000 }, (_, i) => (i * seed * 31) % 253);
    {
      using s = createSChunk(path, { data: chunk(1), chunksize: 4000 });
      s.commit();
      s.updateData(0, chunk(2));
    }
    using before = openSChunk(path);
    const { deadBytes } = before;
    expect(deadBytes).toBeGreaterThan(0);
    before.close();
    expect(compact(path)).toMatchObject({ path, nbytes: 4000, nchunks: 1, reclaimed: deadBytes });
    expect(compact(path).reclaimed).toBe(0);

    const store = join(cwd, "grown.b2e");
    {
      using made = createStore(store);
      for (const seed of [1, 2, 3]) made.set("/a", chunk(seed));
    }
    const facts = JSON.parse(runGood(["compact", store, "--json"], { cwd }));
    expect(facts).toMatchObject({ path: store, nbytes: expect.any(Number) });
    expect(facts.reclaimed).toBeGreaterThan(1000);
    expect(verify(store)).toMatchObject({ ok: true, members: [{ key: "/a", nbytes: 4000 }] });
    expect(() => compact(store, { locking: true })).toThrow(
      expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }),
    );
  });

  it("take a store that has lost what it is known by for a damaged one", () => {
    const path = join(cwd, "headless.b2z");
    const bytes = readFileSync(join(stores, "tree.b2z"));
    bytes[0] = 0;
    writeFileSync(path, bytes);
    const report = verify(path);
    expect(report).toMatchObject({ kind: "store", format: "b2z", ok: false });
    if (report.kind !== "store") throw new Error("no report of a store");
    expect(report.members.filter(({ ok }) => !ok)).toHaveLength(1);
    mkdirSync(join(cwd, "empty.b2d"));
    const empty = verify(join(cwd, "empty.b2d"));
    expect(empty).toMatchObject({ kind: "store", problems: [{ structure: "store", field: "files" }] });
  });
});
