/**
 * Serves files of a folder by ranges on loopback, each answer some milliseconds late, in a process of its own: `/20/scan.b2nd` is `scan.b2nd`, 20 ms late.
 * Sends its port to the process that started it.
 *
 * @module
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const folder = process.argv[2] ?? ".";

function respond(name: string, range: string | undefined, response: ServerResponse): void {
  let file: number;
  try {
    file = openSync(join(folder, name), "r");
  } catch {
    response.writeHead(404).end();
    return;
  }
  try {
    const { size } = fstatSync(file);
    const asked = /^bytes=(\d+)-(\d+)$/.exec(range ?? "");
    const first = asked === null ? 0 : Number(asked[1]);
    const end = asked === null ? size : Math.min(size, Number(asked[2]) + 1);
    const bytes = Buffer.allocUnsafe(Math.max(0, end - first));
    readSync(file, bytes, 0, bytes.byteLength, first);
    response.writeHead(asked === null ? 200 : 206, { "content-length": bytes.byteLength, etag: '"1"' }).end(bytes);
  } finally {
    closeSync(file);
  }
}

const server = createServer((request, response) => {
  const [, late, ...path] = (request.url ?? "").split("/");
  setTimeout(() => respond(path.join("/"), request.headers.range, response), Number(late));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
