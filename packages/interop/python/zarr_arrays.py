"""Operations of peer.py on Zarr arrays, and on chunks of numcodecs."""

import base64
import hashlib

import numcodecs
import numpy as np
import zarr


def compressor_of(request):
    given = request["compressor"]
    if request["format"] == 2:
        return numcodecs.Blosc(**given)
    return zarr.codecs.BloscCodec(**given)


def box_of(request):
    return tuple(slice(start, stop) for start, stop in zip(request["start"], request["stop"], strict=True))


def set_zarr(request):
    """Makes the array if asked to, and sets a box of it."""
    if request["create"]:
        array = zarr.create_array(
            request["path"],
            shape=request["shape"],
            dtype=request["dtype"],
            chunks=request["chunkShape"],
            zarr_format=request["format"],
            compressors=compressor_of(request),
            filters=None,
            overwrite=True,
        )
    else:
        array = zarr.open_array(request["path"], mode="r+")
    box = box_of(request)
    shape = [s.stop - s.start for s in box]
    array[box] = np.frombuffer(base64.b64decode(request["data"]), dtype=request["dtype"]).reshape(shape)
    return {}


def describe_zarr(request):
    array = zarr.open_array(request["path"], mode="r")
    content = np.ascontiguousarray(array[...])
    return {"shape": list(array.shape), "content": hashlib.sha256(content.tobytes()).hexdigest()}


def decode_blosc(request):
    """Decompresses a chunk with numcodecs."""
    chunk = base64.b64decode(request["chunk"])
    return {"content": hashlib.sha256(numcodecs.blosc.decompress(chunk)).hexdigest()}


def encode_blosc(request):
    """Compresses data with numcodecs."""
    data = np.frombuffer(base64.b64decode(request["data"]), dtype=request["dtype"])
    chunk = numcodecs.Blosc(**request["compressor"]).encode(data)
    return {"chunk": base64.b64encode(bytes(chunk)).decode()}


OPERATIONS = {
    "set-zarr": set_zarr,
    "describe-zarr": describe_zarr,
    "decode-blosc": decode_blosc,
    "encode-blosc": encode_blosc,
}
