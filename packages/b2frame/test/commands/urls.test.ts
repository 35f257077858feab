import { readFileSync } from "node:fs";
import { join } from "node:path";
import { noise, temporaryFolder } from "@b2frame/test-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RangeServer } from "../../../torture/src/remote/range-server.js";
import { asarray, createSChunk, createStore, decodeNpy } from "../../src/index.js";
import { type CliResult, startCli } from "../run-cli.js";

const cwd = temporaryFolder();
/** Hardly compressible, so that blocks are as long as their items. */
const values = noise(2_000_000);
let server: RangeServer;
let url: string;

/** Runs the program while the server in this process answers. */
function run(...args: string[]): Promise<CliResult> {
  const child = startCli(args, { cwd, stdio: "pipe" } as never);
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout?.on("data", (data: Buffer) => out.push(data));
  child.stderr?.on("data", (data: Buffer) => errors.push(data));
  return new Promise((resolve) => {
    child.on("close", (status) =>
      resolve({ status, stdout: Buffer.concat(out), stderr: Buffer.concat(errors).toString() }),
    );
  });
}

beforeAll(async () => {
  server = await RangeServer.start();
  asarray(values, {
    shape: [200, 100, 100],
    chunks: [120, 100, 100],
    blocks: [10, 50, 100],
    cparams: { codec: "lz4" },
    urlpath: join(cwd, "v.b2nd"),
  }).close();
});
beforeEach(() => {
  server.always = undefined;
  server.misbehave = [];
  url = server.put("v.b2nd", readFileSync(join(cwd, "v.b2nd")));
  server.requests.length = 0;
});
afterAll(() => server.stop());

describe("a URL in place of a file", () => {
  it("is described as the file is", async () => {
    const [far, near] = await Promise.all([run("info", url, "--json"), run("info", "v.b2nd", "--json")]);
    const { storedBytes: _, ...facts } = JSON.parse(near.stdout.toString());
    expect(JSON.parse(far.stdout.toString())).toEqual({ ...facts, path: url });
    expect(far.stderr).toBe("");
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  it("gives its chunks, and its items by the bytes they take", async () => {
    const [far, near] = await Promise.all([run("ls", url, "--json"), run("ls", "v.b2nd", "--json")]);
    expect(JSON.parse(far.stdout.toString())).toEqual(JSON.parse(near.stdout.toString()));
    const all = await run("cat", url);
    expect(all.stdout.equals(values)).toBe(true);
  });

  it("is sliced by the blocks that are touched, and tells what that took", async () => {
    const { status, stderr } = await run("slice", url, "crop.npy", "--start", "15,60", "--stop", "25,70", "--verbose");
    expect([status, stderr]).toEqual([0, expect.stringMatching(/v\.b2nd: \d+ requests, \d+ bytes\n$/)]);
    const crop = decodeNpy(readFileSync(join(cwd, "crop.npy")));
    expect(crop.shape).toEqual([10, 10, 100]);
    expect([...crop.bytes.subarray(0, 100)]).toEqual([...values.subarray(15 * 10_000 + 6000, 15 * 10_000 + 6100)]);
    // Header, index and two blocks of 50,000 bytes.
    const bytes = Number(/(\d+) bytes/.exec(stderr)?.[1]);
    expect(bytes).toBeLessThan(1.3 * 100_000 + 40_000);
  });

  it("is unpacked and verified", async () => {
    expect((await run("unpack", url, "v.npy", "--quiet")).status).toBe(0);
    expect(Buffer.from(decodeNpy(readFileSync(join(cwd, "v.npy"))).bytes).equals(values)).toBe(true);
    expect((await run("verify", url)).stdout.toString()).toContain("good");
    const [{ position }] = JSON.parse((await run("ls", url, "--json")).stdout.toString());
    // The sizes in the header of the first chunk.
    const damaged = readFileSync(join(cwd, "v.b2nd"));
    const { status, stdout } = await run(
      "verify",
      server.put("damaged.b2nd", damaged.fill(0xff, position + 4, position + 12)),
    );
    expect([status, stdout.toString()]).toEqual([1, expect.stringContaining("BAD")]);
    expect((await run("unpack", url, "w.bin", "--workers", "1")).stderr).toContain("--workers is for files");
  });

  it("may be that of a super-chunk or a store", async () => {
    using schunk = createSChunk(join(cwd, "s.b2frame"), { chunksize: 100_000 });
    schunk.appendData(values);
    schunk.flush();
    const frame = server.put("s.b2frame", readFileSync(join(cwd, "s.b2frame")));
    const part = await run("cat", frame, "--start", "150000", "--stop", "150010");
    expect(part.stdout).toEqual(Buffer.from(values.subarray(150_000, 150_010)));
    {
      using store = createStore(join(cwd, "run.b2z"));
      store.set("/images/first", values.subarray(0, 10_000), { shape: [100, 100] });
    }
    const zip = server.put("run.b2z", readFileSync(join(cwd, "run.b2z")));
    expect((await run("ls", zip)).stdout.toString()).toContain("/images/first");
    const member = await run("cat", zip, "--key", "/images/first", "--start", "5", "--stop", "6");
    expect(member.stdout).toEqual(Buffer.from(values.subarray(500, 600)));
    expect((await run("verify", zip)).status).toBe(0);
  });

  it("that can't be read is told of in one line, and leaves no output", async () => {
    const missing = await run("slice", `${url}x`, "no.npy");
    expect(missing.status).toBe(2);
    expect(missing.stderr).toMatch(/^b2frame: http:.*HTTP 404: there is nothing of this name\n$/);
    server.always = { kind: "whole" };
    expect((await run("info", url)).stderr).toMatch(/^b2frame: .*in place of a range.*\n$/);
    server.always = undefined;
    server.misbehave = [{ kind: "status", status: 503 }, { kind: "reset" }];
    expect((await run("info", url)).status).toBe(0);
  });
});
