/** A server on loopback that gives ranges of files, and misbehaves when it is told to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** What the server does with the next requests. */
export type Misbehaviour =
  | { readonly kind: "status"; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly kind: "whole" }
  | { readonly kind: "ok-for-range" }
  | { readonly kind: "cut"; readonly bytes: number }
  | { readonly kind: "shifted" }
  /** So many bytes later than asked, of the right length. */
  | { readonly kind: "elsewhere"; readonly by: number }
  /** The range, and then bytes without end. */
  | { readonly kind: "endless" }
  | { readonly kind: "gzip" }
  | { readonly kind: "reset" }
  /** So many bytes of the body, and then a reset. */
  | { readonly kind: "reset-after"; readonly bytes: number }
  /** The body in three pieces, with so many milliseconds before each. */
  | { readonly kind: "slow"; readonly pause: number }
  | { readonly kind: "hang" };

/** How one request is answered: decided when it comes. */
interface Manners {
  readonly contentRange: boolean;
  readonly fault: Misbehaviour | undefined;
}

/** See the module. */
export class RangeServer {
  readonly requests: {
    readonly method: string;
    readonly range: string | undefined;
    readonly headers: IncomingMessage["headers"];
  }[] = [];
  readonly #server: Server;
  readonly #files = new Map<string, { bytes: Uint8Array; etag: string }>();
  /** Taken one for each request; when there are none left, it behaves. */
  misbehave: Misbehaviour[] = [];
  /** Does the same with every request. */
  always: Misbehaviour | undefined;
  /** Decides where neither of them does. */
  decide: () => Misbehaviour | undefined = () => undefined;
  delay = 0;
  /** Whether answers say what range they are. */
  contentRange = true;
  #versions = 0;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(): Promise<RangeServer> {
    const server = new RangeServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Puts a file there, or another one in its place. @returns its URL */
  put(name: string, bytes: Uint8Array): string {
    this.#files.set(`/${name}`, { bytes, etag: `"v${++this.#versions}"` });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { range } = request.headers;
    this.requests.push({ method: request.method ?? "", range, headers: request.headers });
    if (request.method === "HEAD") {
      const size = this.#files.get(request.url ?? "")?.bytes.byteLength;
      response.writeHead(size === undefined ? 404 : 200, size === undefined ? {} : { "content-length": size }).end();
      return;
    }
    const misbehaviour = this.misbehave.shift() ?? this.always ?? this.decide();
    const manners = { contentRange: this.contentRange, fault: misbehaviour };
    setTimeout(() => this.#respond(request.url ?? "", range, manners, response), this.delay);
  }

  #respond(path: string, range: string | undefined, manners: Manners, response: ServerResponse): void {
    const { fault } = manners;
    const file = this.#files.get(path);
    const match = /^bytes=(\d+)-(\d+)$/.exec(range ?? "");
    if (fault?.kind === "hang") return;
    if (fault?.kind === "reset") {
      response.socket?.destroy();
    } else if (fault?.kind === "status") {
      response.writeHead(fault.status, fault.headers).end("no");
    } else if (file === undefined) {
      response.writeHead(404).end();
    } else if (match === null || fault?.kind === "whole") {
      response.writeHead(200, { "content-length": file.bytes.byteLength, etag: file.etag }).end(file.bytes);
    } else {
      this.#respondRange(file, Number(match[1]), Number(match[2]), manners, response);
    }
  }

  #respondRange(
    { bytes, etag }: { bytes: Uint8Array; etag: string },
    first: number,
    last: number,
    { contentRange, fault }: Manners,
    response: ServerResponse,
  ): void {
    if (first >= bytes.byteLength) {
      response.writeHead(416).end();
      return;
    }
    const by = fault?.kind === "elsewhere" ? fault.by : 0;
    const part = bytes.subarray(first + by, last + 1 + by);
    const place = `bytes ${first + by}-${first + by + part.byteLength - 1}/${bytes.byteLength}`;
    if (contentRange) response.setHeader("content-range", place);
    if (fault?.kind === "gzip") {
      response.writeHead(206, { etag, "content-encoding": "gzip" }).end(gzipSync(part));
    } else if (fault?.kind === "cut") {
      response.writeHead(206, { etag }).end(part.subarray(0, fault.bytes));
    } else if (fault?.kind === "reset-after") {
      response.writeHead(206, { etag, "content-length": part.byteLength });
      response.write(part.subarray(0, fault.bytes), () => response.destroy());
    } else if (fault?.kind === "slow") {
      sendSlowly(response.writeHead(206, { etag, "content-length": part.byteLength }), part, fault.pause);
    } else if (fault?.kind === "endless") {
      response.writeHead(206, { etag }).write(part);
      const more = setInterval(() => response.write(new Uint8Array(65536)), 1);
      response.on("close", () => clearInterval(more));
    } else if (fault?.kind === "shifted") {
      response.writeHead(206, { etag, "content-length": part.byteLength + 1 }).end(bytes.subarray(first, last + 2));
    } else {
      response
        .writeHead(fault?.kind === "ok-for-range" ? 200 : 206, { etag, "content-length": part.byteLength })
        .end(part);
    }
  }
}

/** Sends a body in three pieces. */
function sendSlowly(response: ServerResponse, body: Uint8Array, pause: number): void {
  const piece = Math.ceil(body.byteLength / 3);
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + piece));
    sent += piece;
    if (sent < body.byteLength) return;
    clearInterval(timer);
    response.end();
  }, pause);
  response.on("close", () => clearInterval(timer));
}
