/**
 * The server of `b2frame view`: the page and ranges of the named files, for this machine and for whoever has the token. Files are asked for by
 * number, never by path; nothing is written, nothing else is answered.
 *
 * @module
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { ioFailure } from "@b2frame/core/backend";
import { sendFile } from "./send-file.js";
import type { ViewedFile } from "./viewed-files.js";

const TOKEN_BYTES = 16;
const HOST = "127.0.0.1";
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cache-control": "no-store",
};

/** What is served beside the files. */
interface Page {
  readonly bytes: Buffer;
  readonly type: string;
}

/** The files of the page by the path under which they are asked for: nothing else can be. */
function readPages(folder: string): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).replaceAll("\\", "/").replace(/^\/*/, "/");
    const type = MEDIA_TYPES[extname(path)] ?? "application/octet-stream";
    const bytes = readFileSync(path);
    if (name !== "/index.html") pages.set(name, { bytes, type });
    else
      pages.set("/", { type, bytes: Buffer.from(bytes.toString().replace('data-served="no"', 'data-served="yes"')) });
  }
  return pages;
}

/** See the module. */
export class ViewServer {
  readonly #server: Server;
  readonly #pages: Map<string, Page>;
  readonly #files: readonly ViewedFile[];
  readonly #token: string = randomBytes(TOKEN_BYTES).toString("hex");
  #hosts: ReadonlySet<string> = new Set();
  #lastAsked: number = performance.now();

  private constructor(pageFolder: string, files: readonly ViewedFile[]) {
    this.#pages = readPages(pageFolder);
    this.#files = files;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /**
   * Listens on the loopback interface only.
   *
   * @param port 0 takes a free one.
   */
  static async start(pageFolder: string, files: readonly ViewedFile[], port: number): Promise<ViewServer> {
    const server = new ViewServer(pageFolder, files);
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", (error) => {
        reject(ioFailure(error, { operation: "listen", path: `${HOST}:${port}` }));
      });
      server.#server.listen(port, HOST, resolve);
    });
    const names = [HOST, "localhost"].map((host) => `${host}:${server.port}`);
    server.#hosts = new Set(names);
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The address to open; whoever has it may read the files. */
  get address(): string {
    return `http://${HOST}:${this.port}/?token=${this.#token}`;
  }

  /** Milliseconds since something was last asked for. */
  get idleTime(): number {
    return performance.now() - this.#lastAsked;
  }

  /** Ends all answers that are under way. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const refused = this.#refusal(request);
    if (refused !== undefined) {
      response.writeHead(refused.status, { "content-type": "text/plain; charset=utf-8" }).end(`${refused.why}\n`);
      return;
    }
    const url = new URL(request.url ?? "/", `http://${HOST}`);
    if (url.searchParams.has("token")) this.#welcome(url, response);
    else if (this.#isKnown(request)) this.#serve(request, response, url.pathname);
    else response.writeHead(403, { "content-type": "text/plain" }).end("Open the link that b2frame view printed.\n");
  }

  /** Requests that another page made, that came by another name, or that ask for more than to read. */
  #refusal({ method, headers, url }: IncomingMessage): { status: number; why: string } | undefined {
    const { host, origin } = headers;
    if (host === undefined || !this.#hosts.has(host)) return { status: 421, why: "not this server's name" };
    if (origin !== undefined && !this.#hosts.has(origin.replace(/^http:\/\//, ""))) {
      return { status: 403, why: "asked for by another page" };
    }
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") {
      return { status: 403, why: "asked for by another site" };
    }
    if (method !== "GET" && method !== "HEAD") return { status: 405, why: "only GET and HEAD" };
    if (url === undefined || !url.startsWith("/")) return { status: 400, why: "no path" };
    return undefined;
  }

  #matches(token: string): boolean {
    const given = Buffer.from(token);
    const own = Buffer.from(this.#token);
    return given.byteLength === own.byteLength && timingSafeEqual(given, own);
  }

  get #cookieName(): string {
    // Cookies know no ports: several servers must not take each other's.
    return `b2frame-${this.port}`;
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
    const own = cookies.find((cookie) => cookie.startsWith(`${this.#cookieName}=`));
    return own !== undefined && this.#matches(own.slice(this.#cookieName.length + 1));
  }

  /** Takes the token out of the address, where it would be seen and copied, into a cookie. */
  #welcome(url: URL, response: ServerResponse): void {
    if (!this.#matches(url.searchParams.get("token") ?? "")) {
      response.writeHead(403, { "content-type": "text/plain" }).end("Not the token of this server.\n");
      return;
    }
    url.searchParams.delete("token");
    this.#lastAsked = performance.now();
    response
      .writeHead(303, {
        location: `/${url.search}`,
        "set-cookie": `${this.#cookieName}=${this.#token}; HttpOnly; SameSite=Strict; Path=/`,
      })
      .end();
  }

  #serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    this.#lastAsked = performance.now();
    const page = this.#pages.get(path);
    const number = /^\/files\/(0|[1-9]\d{0,8})$/.exec(path)?.[1];
    const file = number === undefined ? undefined : this.#files[Number(number)];
    if (page !== undefined) this.#send(request, response, page);
    else if (path === "/session.json") this.#send(request, response, this.#session());
    else if (file !== undefined) sendFile(request, response, file);
    else response.writeHead(404, { "content-type": "text/plain" }).end("Not found.\n");
  }

  #session(): Page {
    const files = this.#files.map(({ label, path, offset, byteLength }, number) => ({
      number,
      path: label,
      address: path,
      offset,
      byteLength,
    }));
    return { bytes: Buffer.from(JSON.stringify({ files })), type: "application/json" };
  }

  #send({ method }: IncomingMessage, response: ServerResponse, { bytes, type }: Page): void {
    response.writeHead(200, { "content-type": type, "content-length": bytes.byteLength });
    response.end(method === "HEAD" ? undefined : bytes);
  }
}
