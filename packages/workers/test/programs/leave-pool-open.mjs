/** Uses a pool and ends without closing it: the process must end by itself. */
import { readAll, readChunks, WorkerPool } from "@b2frame/workers";

const [path] = process.argv.slice(2);
const pool = new WorkerPool({ workers: 2 });
const bytes = await readAll(path, { pool });
const reader = readChunks(path, { pool });
await reader.next();
process.stdout.write(`${bytes.byteLength}\n`);
