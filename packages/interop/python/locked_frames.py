"""Frames and arrays that stay open with locking=True, while others change them."""

import base64

import blosc2
import numpy as np

handles = {}
brackets = {}


def create(request):
    cparams = blosc2.CParams(typesize=4, codec=blosc2.Codec.LZ4, nthreads=1)
    storage = {"urlpath": request["path"], "contiguous": request["contiguous"], "mode": "w", "locking": True}
    data = np.frombuffer(base64.b64decode(request["data"]), dtype=np.int32)
    if request["array"]:
        chunks = {"chunks": tuple(request["chunks"]), "blocks": tuple(request["chunks"])}
        blosc2.asarray(data.reshape(1, -1), cparams=cparams, **chunks, **storage)
    else:
        blosc2.SChunk(chunksize=data.nbytes, data=data, cparams=cparams, **storage)
    return {}


def open_locked(request):
    handles[request["handle"]] = blosc2.open(request["path"], mode="a", locking=True)
    return {}


def apply(frame, step):
    op = step["op"]
    data = base64.b64decode(step["data"]) if "data" in step else None
    if op == "append":
        frame.append_data(data)
        return
    # A chunk index is held against what the handle saw last, unless the lock is held.
    with frame.holding_lock():
        if op == "insert":
            frame.insert_data(step["chunk"], data, True)
        elif op == "update":
            frame.update_data(step["chunk"], data, True)
        elif op == "delete":
            frame.delete_chunk(step["chunk"])
        elif op == "set-vlmeta":
            frame.vlmeta[step["name"]] = step["value"]
        elif op == "append-rows":
            rows, columns = frame.shape
            values = np.frombuffer(data, dtype=np.int32).reshape(-1, columns)
            frame.resize((rows + len(values), columns))
            frame[rows:] = values
        elif op == "cut-rows":
            frame.resize((step["rows"], frame.shape[1]))
        else:
            raise ValueError(f"unknown step {op}")


def take_step(request):
    apply(handles[request["handle"]], request["step"])
    return {}


def take_steps(request):
    for step in request["steps"]:
        apply(handles[request["handle"]], step)
    return {}


def read(request):
    frame = handles[request["handle"]]
    if request["array"]:
        frame.refresh()
        return {"shape": list(frame.shape), "data": base64.b64encode(frame[...].tobytes()).decode()}
    frame.refresh()
    data = b"".join(frame.decompress_chunk(i) for i in range(frame.nchunks))
    names = sorted(frame.vlmeta.keys())
    return {
        "data": base64.b64encode(data).decode(),
        "vlmeta": {name: frame.vlmeta[name] for name in names},
    }


def hold(request):
    bracket = handles[request["handle"]].holding_lock()
    bracket.__enter__()
    brackets[request["handle"]] = bracket
    return {}


def release(request):
    brackets.pop(request["handle"]).__exit__(None, None, None)
    return {}


def close(request):
    del handles[request["handle"]]
    return {}


OPERATIONS = {
    "locked-create": create,
    "locked-open": open_locked,
    "locked-step": take_step,
    "locked-steps": take_steps,
    "locked-read": read,
    "locked-hold": hold,
    "locked-release": release,
    "locked-close": close,
}
