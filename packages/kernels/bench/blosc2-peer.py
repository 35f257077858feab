"""One-thread C-Blosc2 on the bytes of a file; runs one round per line on stdin ("encode" or "decode"), answers seconds."""

import sys
import time

import blosc2

path, typesize, codec, clevel = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
with open(path, "rb") as f:
    raw = f.read()
blosc2.set_nthreads(1)
params = dict(
    codec=blosc2.Codec[codec], clevel=clevel, typesize=typesize, nthreads=1, filters=[blosc2.Filter[sys.argv[5]]]
)
chunk = blosc2.compress2(raw, **params)
target = bytearray(len(raw))
print(len(chunk), int.from_bytes(chunk[8:12], "little"), flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    if line.strip() == "encode":
        blosc2.compress2(raw, **params)
    else:
        blosc2.decompress2(chunk, dst=target, nthreads=1)
    print(time.perf_counter() - start, flush=True)
