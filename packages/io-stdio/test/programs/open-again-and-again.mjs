// Opens a good and a malformed frame by turns, and tells what that left behind.
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { descriptorsOn } from "./descriptors-on.mjs";

const [good, malformed, count] = process.argv.slice(2);
const backend = stdio();

function openByTurns(times) {
  let refused = 0;
  for (let i = 0; i < times; i++) {
    try {
      const frame = SChunk.open(i % 2 === 0 ? good : malformed, backend);
      frame.decompressChunk(0);
      frame.close();
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
      refused++;
    }
  }
  return refused;
}

// The first ones fill caches and pools.
openByTurns(1000);
const memory = process.memoryUsage.rss();
const refused = openByTurns(Number(count));
const left = descriptorsOn(good) + descriptorsOn(malformed);
process.stdout.write(JSON.stringify({ refused, left, grown: process.memoryUsage.rss() - memory }));
