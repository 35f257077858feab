// A worker thread that opens every file, reads them over and over, and reports.
import { parentPort, workerData } from "node:worker_threads";
import { stdio } from "@b2frame/io-stdio";

const { paths, rounds, leave, handleBudget } = workerData;
const backend = stdio({ handleBudget });
const handles = paths.map((path) => backend.open(path, "r"));
let wrong = 0;
for (let round = 0; round < rounds; round++) {
  for (const [i, handle] of handles.entries()) {
    const view = handle.read((round * 131) % 5000, 3000);
    if (!view.every((byte) => byte === (i & 0xff))) wrong++;
  }
}
if (!leave) for (const handle of handles) handle.close();
parentPort.postMessage({ wrong });
