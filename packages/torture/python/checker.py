"""Reads frames with C-Blosc2, and appends to them: one JSON request a line in, one JSON answer a line out."""

import json
import sys
import zlib

import blosc2
import numpy as np


def read(request):
    mapped = {"mmap_mode": "r"} if request.get("mapped") else {"mode": "r"}
    opened = blosc2.open(request["path"], offset=request.get("offset", 0), **mapped)
    schunk = opened.schunk if request["kind"] == "array" else opened
    if request["kind"] == "array":
        rows = np.ascontiguousarray(opened[:])
        parts = [zlib.crc32(row.tobytes()) for row in rows]
    else:
        parts = [zlib.crc32(schunk.decompress_chunk(i)) for i in range(schunk.nchunks)]
    vlmeta = {name: schunk.vlmeta[name] for name in schunk.vlmeta if not name.startswith("b2frame.")}
    return {"parts": parts, "vlmeta": vlmeta}


def append(request):
    schunk = blosc2.open(request["path"], mode="a")
    data = bytes((request["seed"] + i * i) & 0xFF for i in range(request["bytes"]))
    schunk.append_data(data)
    return {"crc": zlib.crc32(data)}


OPERATIONS = {"read": read, "append": append}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"ok": True, **OPERATIONS[request["operation"]](request)}
    except Exception as error:
        answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
