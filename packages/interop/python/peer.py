"""Executes steps with python-blosc2: one JSON request a line in, one JSON answer a line out."""

import ast
import base64
import hashlib
import json
import sys

import blosc2
import locked_frames
import numpy as np
import stores
import zarr_arrays
from blosc2 import blosc2_ext
from blosc2.msgpack_utils import msgpack_unpackb

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


def make_cparams(request):
    given = request["cparams"]
    return blosc2.CParams(
        codec=CODECS[given["codec"]],
        clevel=given["clevel"],
        typesize=given["typesize"],
        blocksize=given["blocksize"],
        splitmode=SPLIT_MODES[given["splitmode"]],
        filters=[blosc2.Filter(i) for i in given["filters"]],
        filters_meta=given["filtersMeta"],
        nthreads=request["threads"],
    )


def create(request):
    return blosc2.SChunk(
        chunksize=request["chunksize"],
        urlpath=request["path"],
        contiguous=request["contiguous"],
        mode="w",
        cparams=make_cparams(request),
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
    schunk = blosc2.open(request["path"], mode="r")
    chunks = [schunk.decompress_chunk(i) for i in range(schunk.nchunks)]
    names = blosc2_ext.vlmeta.get_names(schunk.vlmeta)
    return {
        "typesize": schunk.typesize,
        "nbytes": schunk.nbytes,
        "chunks": [[len(chunk), hashlib.sha256(chunk).hexdigest()] for chunk in chunks],
        "meta": {name: schunk.meta[name].hex() for name in schunk.meta},
        "vlmeta": {name: blosc2_ext.vlmeta.get_vlmeta(schunk.vlmeta, name).hex() for name in names},
    }


def numpy_dtype(text):
    return np.dtype(ast.literal_eval(text) if text.startswith("[") else text)


def create_array(request):
    dtype = numpy_dtype(request["dtype"])
    start = request["start"]
    storage = {
        "chunks": tuple(request["chunks"]),
        "blocks": tuple(request["blocks"]),
        "urlpath": request["path"],
        "contiguous": request["contiguous"],
        "mode": "w",
        "cparams": make_cparams(request),
    }
    shape = tuple(request["shape"])
    if start["kind"] == "zeros":
        return blosc2.zeros(shape, dtype=dtype, **storage)
    if start["kind"] == "full":
        item = np.frombuffer(base64.b64decode(start["item"]), dtype=dtype)
        array = blosc2.zeros(shape, dtype=dtype, **storage)
        array[...] = np.full(shape, item[0], dtype=dtype)
        return array
    items = np.frombuffer(base64.b64decode(start["data"]), dtype=dtype).reshape(shape)
    return blosc2.asarray(items, **storage)


def apply_to_array(array, step):
    if step["op"] == "resize":
        array.resize(tuple(step["shape"]))
    elif step["op"] == "set-vlmeta":
        blosc2_ext.vlmeta.set_vlmeta(array.schunk.vlmeta, step["name"], bytes.fromhex(step["value"]))
    elif step["op"] == "set":
        box = tuple(slice(start, stop) for start, stop in zip(step["start"], step["stop"], strict=True))
        shape = [s.stop - s.start for s in box]
        array[box] = np.frombuffer(base64.b64decode(step["data"]), dtype=array.dtype).reshape(shape)
    else:
        raise ValueError(f"unknown step {step['op']}")


def write_array(request):
    """Creates the array, or opens it, and applies the steps."""
    array = create_array(request) if request["create"] else blosc2.open(request["path"], mode="a")
    for step in request["steps"]:
        apply_to_array(array, step)
    return {}


def sha256_of_items(items):
    return hashlib.sha256(np.ascontiguousarray(items).tobytes()).hexdigest()


def dtype_text(dtype):
    return dtype.str if dtype.names is None else str(dtype.descr)


def describe_array(request):
    """Says what the array holds, and what is in each box."""
    array = blosc2.open(request["path"], mode="r")
    vlmeta = array.schunk.vlmeta
    boxes = [
        tuple(slice(start, stop) for start, stop in zip(box["start"], box["stop"], strict=True))
        for box in request["boxes"]
    ]
    return {
        "shape": list(array.shape),
        "chunks": list(array.chunks),
        "blocks": list(array.blocks),
        "dtype": dtype_text(array.dtype),
        "content": sha256_of_items(array[...]),
        "boxes": [sha256_of_items(array[box]) for box in boxes],
        "vlmeta": {
            name: blosc2_ext.vlmeta.get_vlmeta(vlmeta, name).hex() for name in blosc2_ext.vlmeta.get_names(vlmeta)
        },
    }


def store_again(request):
    """Reads a value as Python objects, and stores these in its place."""
    schunk = blosc2.open(request["path"], mode="a")
    value = msgpack_unpackb(blosc2_ext.vlmeta.get_vlmeta(schunk.vlmeta, "value"), deserialize="full")
    schunk.vlmeta["value"] = value
    return {}


OPERATIONS = {
    "store-again": store_again,
    "write": write,
    "describe": describe,
    "write-array": write_array,
    "describe-array": describe_array,
    **locked_frames.OPERATIONS,
    **stores.OPERATIONS,
    **zarr_arrays.OPERATIONS,
}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"ok": True, **OPERATIONS[request["operation"]](request)}
    except Exception as error:
        answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
