// Says when it has made a frame, appends chunks of their own number to it, and commits after so many.
import { SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";

const [path, count, perCommit] = process.argv.slice(2);
const frame = SChunk.create({ urlpath: path, io: stdio(), typesize: 4, chunksize: 1000 });
process.stdout.write("created");
for (let i = 0; i < Number(count); i++) {
  frame.appendData(new Int32Array(250).fill(i));
  if ((i + 1) % Number(perCommit) === 0) frame.flush();
}
frame.close();
