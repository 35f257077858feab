// Deterministic data for the micro benchmark.

/** A generator of numbers in 0..1, the same for the same seed. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 8) + 0.5) / 0x1000000;
  };
}

const MAKERS = {
  "int32 walk": (byteLength) => {
    const next = random(1);
    const items = new Int32Array(byteLength / 4);
    for (let i = 1; i < items.length; i++) items[i] = items[i - 1] + Math.floor(next() * 11) - 5;
    return items;
  },
  "int32 wide walk": (byteLength) => {
    const next = random(2);
    const items = new Int32Array(byteLength / 4);
    for (let i = 1; i < items.length; i++) items[i] = items[i - 1] + Math.floor(next() * 2001) - 1000;
    return items;
  },
  "float64 sine": (byteLength) => {
    const items = new Float64Array(byteLength / 8);
    for (let i = 0; i < items.length; i++) items[i] = Math.sin(i * 1e-3) * 100;
    return items;
  },
  "float64 cents": (byteLength) => {
    const next = random(3);
    const items = new Float64Array(byteLength / 8);
    for (let i = 1; i < items.length; i++) items[i] = Math.round((items[i - 1] + next() * 2 - 1) * 100) / 100;
    return items;
  },
  "float64 ramp": (byteLength) => {
    const items = new Float64Array(byteLength / 8);
    for (let i = 0; i < items.length; i++) items[i] = (i * 1000) / items.length;
    return items;
  },
  incompressible: (byteLength) => {
    const next = random(4);
    const items = new Int32Array(byteLength / 4);
    for (let i = 0; i < items.length; i++) items[i] = Math.floor(next() * 2 ** 24) * 257;
    return items;
  },
};

/** Names of the data sets. */
export const DATASETS = Object.keys(MAKERS);

/** The data set `name` of `byteLength` bytes, a typed array. */
export function makeDataset(name, byteLength) {
  return MAKERS[name](byteLength);
}
