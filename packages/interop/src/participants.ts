/** The ways in which b2frame takes part: each engine with each backend that keeps real files. @module */
import { defaultCodecs, defaultEngine, defaultFilters } from "@b2frame/core";
import { registerZstd } from "@b2frame/core/zstd";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import type { Participant } from "./run-steps.js";

/** Portable codecs go with the portable engine and Node's with the other, so that both sets write and read. */
export async function makeParticipants(): Promise<readonly Participant[]> {
  const backends = [stdio(), mmap()];
  const participants: Participant[] = [];
  for (const name of ["portable", "kernels"] as const) {
    const codecs = defaultCodecs.clone();
    if (name === "portable") await registerZstd(codecs);
    else await registerNodeCodecs(codecs);
    const options = { engine: defaultEngine({ engine: name, codecs, filters: defaultFilters }), codecs };
    for (const backend of backends) participants.push({ name: `${name}, ${backend.name}`, backend, options });
  }
  return participants;
}
