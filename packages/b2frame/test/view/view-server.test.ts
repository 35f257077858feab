import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { asarray } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ViewServer } from "../../src/view/view-server.js";
import { findFiles } from "../../src/view/viewed-files.js";

const folder = temporaryFolder();
const shown = join(folder, "shown");
const secret = "do not show";
let server: ViewServer;
let cookie: string;
let bytes: Buffer;

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** A request with nothing but what is said: `fetch` would mend paths and hosts. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    sent.on("error", reject).end();
  });
}

const known = (headers: Record<string, string> = {}): Record<string, string> => ({ cookie, ...headers });

beforeAll(async () => {
  const page = join(folder, "page");
  mkdirSync(join(shown, "inner"), { recursive: true });
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(page, "index.html"), '<html data-served="no">');
  writeFileSync(join(page, "assets/a.js"), "1;");
  writeFileSync(join(folder, "secret.b2nd"), secret);
  using array = asarray(Float64Array.from({ length: 500 }, (_, i) => Math.sin(i)));
  writeFileSync(join(shown, "a.b2nd"), array.toCframe());
  writeFileSync(join(shown, "notes.txt"), secret);
  symlinkSync(join(folder, "secret.b2nd"), join(shown, "inner/out.b2nd"));
  symlinkSync(join(shown, "a.b2nd"), join(shown, "inner/same.b2nd"));
  symlinkSync(folder, join(shown, "up.b2nd"));
  const { files, left } = findFiles([shown]);
  expect(files.map(({ label }) => label)).toEqual(["shown/a.b2nd", "shown/inner/same.b2nd"]);
  expect(left).toEqual(["shown/inner/out.b2nd: a link out of the folder", "shown/up.b2nd: a link out of the folder"]);
  server = await ViewServer.start(page, files, 0);
  bytes = readFileSync(join(shown, "a.b2nd"));
  const welcome = await ask(new URL(server.address).pathname + new URL(server.address).search);
  cookie = String(welcome.headers["set-cookie"]).split(";")[0] as string;
});
afterAll(() => server.stop());

describe("who may ask", () => {
  it("whoever has the token, which becomes a cookie that no script and no other site sees", async () => {
    const { status, headers } = await ask(`/?token=${cookie.split("=")[1]}&tab=info`);
    expect([status, headers.location]).toEqual([303, "/?tab=info"]);
    expect(String(headers["set-cookie"])).toMatch(/^b2frame-\d+=[0-9a-f]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await ask("/", known())).body.toString()).toBe('<html data-served="yes">');
  });

  it.each(["/", "/session.json", "/files/0", "/assets/a.js", "/nothing"])("nobody without it: %s", async (path) => {
    expect((await ask(path)).status).toBe(403);
    expect((await ask(path, { cookie: `${cookie.slice(0, -1)}x` })).status).toBe(403);
    expect((await ask(`${path}?token=${"0".repeat(32)}`, known())).status).toBe(403);
  });

  it.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"])(
    "nobody by the name %s",
    async (host) => {
      expect((await ask("/files/0", known({ host }))).status).toBe(421);
    },
  );

  it("no other page and no other site, whatever cookie it has", async () => {
    for (const origin of ["http://evil.example", "null", "https://127.0.0.1:1", `https://127.0.0.1:${server.port}`]) {
      expect((await ask("/files/0", known({ origin }))).status).toBe(403);
    }
    for (const site of ["cross-site", "same-site"]) {
      expect((await ask("/files/0", known({ "sec-fetch-site": site }))).status).toBe(403);
    }
    const own = known({ origin: `http://127.0.0.1:${server.port}`, "sec-fetch-site": "same-origin" });
    expect((await ask("/files/0", own)).status).toBe(200);
  });

  it("nobody for more than to read", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      expect((await ask("/files/0", known(), method)).status).toBe(405);
    }
  });
});

describe("what can be asked for", () => {
  it.each([
    ...[
      "/../secret.b2nd",
      "/files/../../secret.b2nd",
      "/%2e%2e/secret.b2nd",
      "/files/..%2f..%2fsecret.b2nd",
      "/files/0/../1/x",
    ],
    ...[
      "/files/%2e%2e%5csecret.b2nd",
      "//etc/passwd",
      "/files/2",
      "/files/-1",
      "/files/00",
      "/files/0x0",
      "/files/1e0",
      "/files/",
    ],
    ...["/notes.txt", "/files/notes.txt", "/assets/", "/assets/..%2findex.html", "/index.html/..%00"],
  ])("not %s", async (path) => {
    const { status, body } = await ask(path, known());
    expect([400, 403, 404, 421]).toContain(status);
    expect(body.includes(secret)).toBe(false);
  });

  it("not a name in the place of a path", async () => {
    const text = await new Promise<string>((resolve) => {
      let all = "";
      const socket = connect(server.port, "127.0.0.1", () => {
        socket.write(
          `GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
        );
      });
      socket.on("data", (part) => {
        all += part;
      });
      socket.on("close", () => resolve(all));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("the list, by numbers", async () => {
    const { files } = JSON.parse((await ask("/session.json", known())).body.toString());
    expect(files.map(({ number, path }: { number: number; path: string }) => [number, path])).toEqual([
      [0, "shown/a.b2nd"],
      [1, "shown/inner/same.b2nd"],
    ]);
  });

  it("with a policy that allows no inline script and no other place", async () => {
    const { headers } = await ask("/", known());
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe-inline");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("ranges", () => {
  it.each([
    ["bytes=0-0", 0, 1],
    ["bytes=10-19", 10, 20],
    ["bytes=100-", 100, undefined],
    ["bytes=-7", -7, undefined],
    ["bytes=5-99999999", 5, undefined],
  ])("%s", async (range, from, to) => {
    const { status, headers, body } = await ask("/files/0", known({ range }));
    const expected = bytes.subarray(from, to);
    expect([status, body.equals(expected), headers["content-length"]]).toEqual([
      206,
      true,
      String(expected.byteLength),
    ]);
    const first = from < 0 ? bytes.byteLength + from : from;
    expect(headers["content-range"]).toBe(`bytes ${first}-${first + expected.byteLength - 1}/${bytes.byteLength}`);
  });

  it("past the end are 416; what is no range, or several, gives all", async () => {
    const past = await ask("/files/0", known({ range: `bytes=${bytes.byteLength}-` }));
    expect([past.status, past.headers["content-range"]]).toEqual([416, `bytes */${bytes.byteLength}`]);
    expect((await ask("/files/0", known({ range: "bytes=-0" }))).status).toBe(416);
    for (const range of ["bytes=0-1,4-5", "bytes=5-2", "items=0-1", "bytes=-", "bytes=a-b"]) {
      const { status, body } = await ask("/files/0", known({ range }));
      expect([range, status, body.equals(bytes)]).toEqual([range, 200, true]);
    }
  });

  it("hold for one version of the file", async () => {
    const { headers, body } = await ask("/files/0", known(), "HEAD");
    const tag = String(headers.etag);
    expect([tag.startsWith('"'), body.byteLength, headers["content-length"]]).toEqual([
      true,
      0,
      String(bytes.byteLength),
    ]);
    expect((await ask("/files/0", known({ "if-match": tag }))).status).toBe(200);
    expect((await ask("/files/0", known({ "if-match": '"other"' }))).status).toBe(412);
    expect((await ask("/files/0", known({ "if-none-match": tag }))).status).toBe(304);
    expect((await ask("/files/0", known({ "if-range": '"other"', range: "bytes=0-1" }))).status).toBe(200);
    writeFileSync(join(shown, "a.b2nd"), Buffer.concat([bytes, Buffer.of(0)]));
    expect((await ask("/files/0", known({ "if-match": tag }))).status).toBe(412);
    writeFileSync(join(shown, "a.b2nd"), bytes);
  });
});
