/** A page with the package in it, bundled by Vite and served on loopback, beside files that are given by ranges. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const MEDIA_TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** See the module. */
export class PageServer {
  /** Ranges of files that were asked for. */
  readonly ranges: string[] = [];
  readonly #files = new Map<string, Uint8Array>();
  readonly #folder: string;
  readonly #server: Server;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** @param folder for the bundle */
  static async start(folder: string): Promise<PageServer> {
    const root = fileURLToPath(new URL("page", import.meta.url));
    await build({ root, logLevel: "warn", build: { outDir: folder, emptyOutDir: true }, worker: { format: "es" } });
    const server = new PageServer(folder);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Puts a file there. @returns its URL */
  put(name: string, bytes: Uint8Array): string {
    this.#files.set(`/${name}`, bytes);
    return `${this.address}${name}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url === "/" ? "/index.html" : (request.url as string);
    const file = this.#files.get(path);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (file !== undefined && first !== undefined) {
      this.ranges.push(request.headers.range as string);
      const part = file.subarray(Number(first), Number(last) + 1);
      response.writeHead(206, { "content-length": part.byteLength, etag: '"1"' }).end(part);
      return;
    }
    if (file !== undefined) {
      response.writeHead(200, { "content-length": file.byteLength, etag: '"1"' }).end(file);
      return;
    }
    try {
      const content = readFileSync(join(this.#folder, path));
      response
        .writeHead(200, { "content-type": MEDIA_TYPES[extname(path)] ?? "application/octet-stream" })
        .end(content);
    } catch {
      response.writeHead(404).end();
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
