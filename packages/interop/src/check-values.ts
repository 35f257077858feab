/** Values of vlmetalayers that b2frame stores, python-blosc2 reads and stores again, and b2frame reads. @module */
import { rmSync } from "node:fs";
import { Complex, createUdio, encodeMsgpack, NDBuffer, openUdio, parseDType, Tuple } from "@b2frame/core";
import { chooseParticipant, type Participant } from "./participants.js";
import type { PythonPeer } from "./python-peer.js";
import { SeededRandom } from "./seeded-random.js";

// Without padding, of which python-blosc2 makes a field.
const DTYPES = ["<i4", ">f8", "|S3", "<U2", "<M8[ns]", "|b1", "[('a', '<i2'), ('b', [('c', '<f4', (2,))])]"];
const MAX_DEPTH = 4;

function randomBytes(random: SeededRandom, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.bits() & 0x7f);
}

function randomArray(random: SeededRandom): NDBuffer {
  const dtype = parseDType(random.pick(DTYPES));
  const shape = random.pick([[], [0], [3], [2, 2]]);
  const itemCount = shape.reduce((all, n) => all * n, 1);
  // Text has zeros, which are characters to NumPy.
  const bytes = dtype.kind === "U" ? 0 : 1;
  return new NDBuffer(
    dtype,
    shape,
    randomBytes(random, itemCount * dtype.itemsize).map((byte) => byte * bytes),
  );
}

function randomLeaf(random: SeededRandom): unknown {
  switch (random.integer(0, 8)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return BigInt.asIntN(random.integer(1, 64), (BigInt(random.bits()) << 32n) | BigInt(random.bits()));
    case 3:
      return BigInt.asUintN(random.integer(1, 64), (BigInt(random.bits()) << 32n) | BigInt(random.bits()));
    case 4:
      return random.bits() / 3;
    case 5:
      return String.fromCodePoint(
        ...Array.from({ length: random.magnitude(1, 300) }, () => random.pick([97, 233, 0x6e29, 0x1f321])),
      );
    case 6:
      return randomBytes(random, random.magnitude(1, 300));
    case 7:
      return new Complex(random.bits() / 3, -random.bits());
    default:
      return randomArray(random);
  }
}

function randomValue(random: SeededRandom, depth: number): unknown {
  if (depth === MAX_DEPTH || random.oneIn(3)) return randomLeaf(random);
  const inner = (): unknown => randomValue(random, depth + 1);
  const list = Array.from({ length: random.magnitude(1, 20) - 1 }, inner);
  switch (random.integer(0, 3)) {
    case 0:
      return list;
    case 1:
      return Tuple.from(list);
    case 2:
      // Python's own order of a set's members is not ours.
      return new Set(random.oneIn(2) ? [] : [random.bits()]);
    default:
      return new Map(list.map((value, i) => [random.oneIn(4) ? randomBytes(random, i) : `key ${i}`, value]));
  }
}

/** @throws Error where what python-blosc2 stored is another value, or python-blosc2 refuses ours */
export async function checkValues(
  seed: number,
  path: string,
  participants: readonly Participant[],
  peer: PythonPeer,
): Promise<void> {
  const { backend, options } = chooseParticipant(participants, seed, true);
  const random = new SeededRandom(seed);
  const value = randomValue(random, 0);
  rmSync(path, { force: true });
  const made = createUdio(path, backend, { ...options, contiguous: true });
  made.vlmeta.setValue("value", value);
  made.close();
  await peer.request("store-again", { path });
  using opened = openUdio(path, backend, options);
  const again = opened.vlmeta.getValue("value");
  const [expected, found] = [encodeMsgpack(value), encodeMsgpack(again)];
  if (Buffer.compare(expected, found) !== 0) {
    throw new Error(
      `value: expected ${Buffer.from(expected).toString("hex")}, found ${Buffer.from(found).toString("hex")}`,
    );
  }
}
