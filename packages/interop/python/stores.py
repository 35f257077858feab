"""Operations of peer.py on stores."""

import base64
import hashlib

import blosc2
import numpy as np

CLASSES = {"tree": blosc2.TreeStore, "dict": blosc2.DictStore, "embed": blosc2.EmbedStore}
TYPES = {"TreeStore": "tree", "DictStore": "dict", "EmbedStore": "embed"}


def open_store(request):
    mode = "w" if request["create"] else "a"
    if request["type"] == "embed":
        return blosc2.EmbedStore(request["path"], mode=mode)
    return CLASSES[request["type"]](request["path"], mode=mode, threshold=request["threshold"])


def value_of(step):
    data = base64.b64decode(step["data"])
    if step["kind"] == "super-chunk":
        return blosc2.SChunk(chunksize=step["chunksize"], data=data, cparams={"typesize": 1})
    return np.frombuffer(data, dtype=step["dtype"]).reshape(step["shape"])


def group_of(store, key):
    return store if key == "/" else store.get_subtree(key)


def apply_to_store(store, step):
    if step["op"] == "set":
        # An EmbedStore does not replace.
        if isinstance(store, blosc2.EmbedStore) and step["key"] in store:
            del store[step["key"]]
        store[step["key"]] = value_of(step)
    elif step["op"] == "delete":
        del store[step["key"]]
    elif step["op"] == "set-attribute":
        group_of(store, step["group"]).attrs[step["name"]] = step["value"]
    else:
        raise ValueError(f"unknown step {step['op']}")


def write_store(request):
    """Creates the store, or opens it, and applies the steps."""
    store = open_store(request)
    for step in request["steps"]:
        apply_to_store(store, step)
    if request["type"] != "embed":
        store.close()
    return {}


def describe_member(value):
    if isinstance(value, blosc2.NDArray):
        content = np.ascontiguousarray(value[...]).tobytes()
        facts = {"kind": "array", "dtype": value.dtype.str, "shape": list(value.shape)}
    else:
        content = bytes(value[:])
        facts = {"kind": "super-chunk", "dtype": "", "shape": [len(content)]}
    return {**facts, "content": hashlib.sha256(content).hexdigest()}


def describe_store(request):
    """Says what the store holds."""
    store = blosc2.open(request["path"], mode="r")
    members = {}
    for key in sorted(store.keys()):
        value = store[key]
        if not isinstance(value, blosc2.TreeStore):
            members[key] = describe_member(value)
    attributes = {}
    for group in request["groups"]:
        found = dict(group_of(store, group).attrs[:])
        attributes[group] = dict(sorted(found.items()))
    return {"type": TYPES[type(store).__name__], "members": members, "attributes": attributes}


OPERATIONS = {"write-store": write_store, "describe-store": describe_store}
