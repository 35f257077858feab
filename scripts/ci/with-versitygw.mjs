/**
 * Runs a program with a real S3 server on loopback: `node scripts/ci/with-versitygw.mjs PROGRAM ARGUMENTS...`. The server is built once, out of
 * the Go module proxy, and kept in a cache; the program finds it by the environment variables of S3 tools.
 *
 * @module
 */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

const VERSION = "v1.8.0";
const MODULE = "github.com/versity/versitygw/cmd/versitygw";
const cache = resolve("node_modules/.cache/versitygw", VERSION);
const server = process.env.B2FRAME_VERSITYGW ?? join(cache, "versitygw");
const START_TRIES = 100;

if (!existsSync(server)) {
  console.log(`building ${MODULE}@${VERSION}, which takes some minutes the first time`);
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, GOBIN: cache };
  const { status } = spawnSync("go", ["install", `${MODULE}@${VERSION}`], { env, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

/** A port that was free a moment ago. */
async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/** Waits until the server takes connections. */
async function waitFor(port) {
  for (let tries = 0; tries < START_TRIES; tries++) {
    const open = await new Promise((done) => {
      const socket = connect(port, "127.0.0.1", () => done(true));
      socket.on("error", () => done(false));
      socket.on("connect", () => socket.end());
    });
    if (open) return;
    await setTimeout(100);
  }
  throw new Error("the S3 server did not start");
}

const port = await freePort();
const folder = mkdtempSync(join(tmpdir(), "b2frame-s3-"));
const access = randomBytes(10).toString("hex");
const secret = randomBytes(20).toString("hex");
for (const name of ["meta", "data"]) mkdirSync(join(folder, name));
const env = { ...process.env, ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret };
const address = ["--port", `127.0.0.1:${port}`, "--quiet", "posix"];

/** Starts the server. */
function start(...words) {
  return spawn(server, [...address, ...words, join(folder, "data")], { env, stdio: ["ignore", "ignore", "inherit"] });
}

/** Waits until the server takes connections. @returns false if it ended before */
async function serves(child) {
  const ended = new Promise((done) => child.on("exit", () => done(false)));
  return await Promise.race([waitFor(port).then(() => true), ended]);
}

let running = start();
let code = 1;
try {
  if (!(await serves(running))) {
    // Without extended attributes ETags are kept beside the objects, and one may be read of the version before or after.
    console.log("the file system has no extended attributes: ETags and objects do not change at one moment");
    running = start("--sidecar", join(folder, "meta"));
    await waitFor(port);
  }
  const [program, ...words] = process.argv.slice(2);
  const child = spawn(program, words, {
    stdio: "inherit",
    env: {
      ...process.env,
      AWS_ACCESS_KEY_ID: access,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_REGION: "us-east-1",
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    },
  });
  code = await new Promise((done) => child.on("close", (status) => done(status ?? 1)));
} finally {
  running.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
