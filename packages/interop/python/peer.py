"""Executes steps with python-blosc2: one JSON request a line in, one JSON answer a line out."""

import base64
import hashlib
import json
import sys

import blosc2
from blosc2 import blosc2_ext

CODECS = {
    "blosclz": blosc2.Codec.BLOSCLZ,
    "lz4": blosc2.Codec.LZ4,
    "lz4hc": blosc2.Codec.LZ4HC,
    "zlib": blosc2.Codec.ZLIB,
    "zstd": blosc2.Codec.ZSTD,
}
SPLIT_MODES = {
    "always": blosc2.SplitMode.ALWAYS_SPLIT,
    "never": blosc2.SplitMode.NEVER_SPLIT,
    "auto": blosc2.SplitMode.AUTO_SPLIT,
    "forward_compat": blosc2.SplitMode.FORWARD_COMPAT_SPLIT,
}


def create(request):
    given = request["cparams"]
    cparams = blosc2.CParams(
        codec=CODECS[given["codec"]],
        clevel=given["clevel"],
        typesize=given["typesize"],
        blocksize=given["blocksize"],
        splitmode=SPLIT_MODES[given["splitmode"]],
        filters=[blosc2.Filter(i) for i in given["filters"]],
        filters_meta=given["filtersMeta"],
        nthreads=request["threads"],
    )
    return blosc2.SChunk(
        chunksize=request["chunksize"],
        urlpath=request["path"],
        contiguous=request["contiguous"],
        mode="w",
        cparams=cparams,
        meta={name: bytes.fromhex(value) for name, value in request["meta"].items()},
    )


def apply(schunk, step):
    op = step["op"]
    data = base64.b64decode(step["data"]) if "data" in step else None
    if op == "append":
        schunk.append_data(data)
    elif op == "insert":
        schunk.insert_data(step["chunk"], data, True)
    elif op == "update":
        schunk.update_data(step["chunk"], data, True)
    elif op == "delete":
        schunk.delete_chunk(step["chunk"])
    elif op == "reorder":
        schunk.reorder_offsets(step["order"])
    elif op == "set-slice":
        schunk[step["start"] : step["start"] + len(data) // schunk.typesize] = data
    elif op == "set-vlmeta":
        blosc2_ext.vlmeta.set_vlmeta(schunk.vlmeta, step["name"], bytes.fromhex(step["value"]))
    elif op == "delete-vlmeta":
        del schunk.vlmeta[step["name"]]
    else:
        raise ValueError(f"unknown step {op}")


def write(request):
    """Creates the frame, or opens it, and applies the steps."""
    schunk = create(request) if request["create"] else blosc2.open(request["path"], mode="a")
    for step in request["steps"]:
        apply(schunk, step)
    return {}


def describe(request):
    """Says what the frame holds. Chunks are decompressed whole."""
    schunk = blosc2.open(request["path"], mode="r", mmap_mode=request["mmapMode"])
    chunks = [schunk.decompress_chunk(i) for i in range(schunk.nchunks)]
    names = blosc2_ext.vlmeta.get_names(schunk.vlmeta)
    return {
        "typesize": schunk.typesize,
        "nbytes": schunk.nbytes,
        "chunks": [[len(chunk), hashlib.sha256(chunk).hexdigest()] for chunk in chunks],
        "meta": {name: schunk.meta[name].hex() for name in schunk.meta},
        "vlmeta": {name: blosc2_ext.vlmeta.get_vlmeta(schunk.vlmeta, name).hex() for name in names},
    }


OPERATIONS = {"write": write, "describe": describe}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"ok": True, **OPERATIONS[request["operation"]](request)}
    except Exception as error:
        answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
