// XXH64 with seed 0, whose lower half is the checksum of zstd frames (RFC 8878, 3.1.1).
const PRIME1: u64 = ((<u64>0x9e3779b1) << 32) | 0x85ebca87;
const PRIME2: u64 = ((<u64>0xc2b2ae3d) << 32) | 0x27d4eb4f;
const PRIME3: u64 = ((<u64>0x165667b1) << 32) | 0x9e3779f9;
const PRIME4: u64 = ((<u64>0x85ebca77) << 32) | 0xc2b2ae63;
const PRIME5: u64 = ((<u64>0x27d4eb2f) << 32) | 0x165667c5;

function round(sum: u64, input: u64): u64 {
  return rotl(sum + input * PRIME2, 31) * PRIME1;
}

function merge(hash: u64, sum: u64): u64 {
  return (hash ^ round(0, sum)) * PRIME1 + PRIME4;
}

export function xxh64(source: usize, length: usize): u64 {
  const end = source + length;
  let at = source;
  let hash: u64 = PRIME5;
  if (length >= 32) {
    let a = PRIME1 + PRIME2;
    let b = PRIME2;
    let c: u64 = 0;
    let d: u64 = 0 - PRIME1;
    for (; end - at >= 32; at += 32) {
      a = round(a, load<u64>(at));
      b = round(b, load<u64>(at, 8));
      c = round(c, load<u64>(at, 16));
      d = round(d, load<u64>(at, 24));
    }
    hash = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18);
    hash = merge(merge(merge(merge(hash, a), b), c), d);
  }
  hash += <u64>length;
  for (; end - at >= 8; at += 8) hash = rotl(hash ^ round(0, load<u64>(at)), 27) * PRIME1 + PRIME4;
  if (end - at >= 4) {
    hash = rotl(hash ^ (<u64>load<u32>(at) * PRIME1), 23) * PRIME2 + PRIME3;
    at += 4;
  }
  for (; at < end; at++) hash = rotl(hash ^ (<u64>load<u8>(at) * PRIME5), 11) * PRIME1;
  hash = (hash ^ (hash >> 33)) * PRIME2;
  hash = (hash ^ (hash >> 29)) * PRIME3;
  return hash ^ (hash >> 32);
}
