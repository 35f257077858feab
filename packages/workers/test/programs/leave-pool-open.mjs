/** Uses a pool and ends without closing it: the process must end by itself. */
import { decompressAll, readAhead, WorkerPool } from "@b2frame/workers";

const [path] = process.argv.slice(2);
const pool = new WorkerPool({ workers: 2 });
const bytes = await decompressAll(path, { io: "stdio" }, { pool });
const reader = readAhead(path, { io: "stdio" }, { pool });
await reader.next();
process.stdout.write(`${bytes.byteLength}\n`);
