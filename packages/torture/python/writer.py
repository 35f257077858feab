"""Appends chunks to a new frame with C-Blosc2 until it is killed, telling the number of each sixteenth one that is there."""

import sys

import blosc2
import numpy as np

# Seldom, so that most of the time is spent in C-Blosc2.
TOLD_EVERY = 16

path, chunk_bytes, backend = sys.argv[1], int(sys.argv[2]), sys.argv[3]
options = {"mmap_mode": "w+"} if backend == "mmap" else {}
schunk = blosc2.SChunk(chunksize=chunk_bytes, urlpath=path, mode="w", cparams={"typesize": 4, "nthreads": 1}, **options)
schunk.vlmeta["note"] = "kept"
count = chunk_bytes // 4
print("ready", flush=True)
for i in range(1_000_000):
    schunk.append_data((np.arange(count, dtype=np.uint32) * np.uint32(i + 1)) ^ np.uint32(i * 40503))
    if i % TOLD_EVERY == TOLD_EVERY - 1:
        print(i, flush=True)
