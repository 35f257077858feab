/** The ways in which b2frame takes part: each engine with each backend that keeps real files. @module */
import { defaultCodecs, type IoBackend, type SChunkCreateOptions } from "@b2frame/core";
import { defaultEngine } from "@b2frame/core/codec";
import { registerZstd } from "@b2frame/core/zstd";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";

/** One way; every one must give the same. */
export interface Participant {
  readonly name: string;
  readonly backend: IoBackend;
  readonly options: Pick<SChunkCreateOptions, "engine" | "codecs">;
}

/** Portable codecs go with the portable engine and Node's with the other, so that both sets write and read. */
export async function makeParticipants(): Promise<readonly Participant[]> {
  const backends = [stdio(), mmap()];
  const participants: Participant[] = [];
  for (const name of ["portable", "kernels"] as const) {
    const codecs = defaultCodecs.clone();
    if (name === "portable") await registerZstd(codecs);
    else registerNodeCodecs(codecs);
    const options = { engine: defaultEngine({ engine: name, codecs }), codecs };
    for (const backend of backends) participants.push({ name: `${name}, ${backend.name}`, backend, options });
  }
  return participants;
}

/** The participant of a program: by its seed, among those that can keep its kind of frame. */
export function chooseParticipant(all: readonly Participant[], seed: number, contiguous: boolean): Participant {
  const able = all.filter(({ backend }) => contiguous || backend.capabilities.sparseFrames);
  return able[seed % able.length] as Participant;
}
