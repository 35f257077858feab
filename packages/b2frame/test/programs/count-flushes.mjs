// Imported before the program: says at its end, in the file that COUNT_FLUSHES names, how often it waited for the disk.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let count = 0;
for (const name of ["fsyncSync", "fdatasyncSync"]) {
  const flush = fs[name];
  fs[name] = (descriptor) => {
    count++;
    flush(descriptor);
  };
}
syncBuiltinESMExports();
process.on("exit", () => fs.writeFileSync(process.env.COUNT_FLUSHES, String(count)));
