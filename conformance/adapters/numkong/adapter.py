"""NumKong: casts between its types, by `astype`.

`astype` takes no options. Its documentation says that narrower floats round ties to even, and that floats
saturate in integers: these casts are declared as `nearest-even` with `clamp`, and into float32 and float64, whose
range no type here leaves, with any rule. Of integers that do not fit other integers it says nothing, so these are
not asked for. Its e4m3, which has no infinity, is not a type of the registry.

Which of its kernels answers depends on the processor, and they differ; judged is the one that every machine has.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numkong
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, serve

SMALL = {"bfloat16": "bfloat16", "float6_e2m3fn": "e2m3", "float6_e3m2fn": "e3m2", "float8_e5m2": "e5m2"}


for capability, there in numkong.get_capabilities().items():
    if there and capability != "serial":
        numkong.disable_capability(capability)


def cast(source, target):
    """An array of the protocol, as one of another type."""
    data = np.frombuffer(bytearray.fromhex(source["data"]), np.uint8)
    name = SMALL.get(source["data_type"], source["data_type"])
    held = numkong.from_pointer(data.ctypes.data, tuple(source["shape"]), name, owner=data)
    made = numkong.astype(held, SMALL.get(target, target))
    return {"output": {"data_type": target, "shape": list(made.shape), "data": memoryview(made).tobytes().hex()}}


def encode(request):
    # A data type may be written as an object with a name.
    data_type = json.loads(request["configuration"])["data_type"]
    return cast(request["input"], data_type["name"] if isinstance(data_type, dict) else data_type)


def decode(request):
    return cast(request["input"], request["data_type"])


if __name__ == "__main__":
    clamped = {
        "from": [*SMALL, *FLOATS],
        "to": [*SMALL, *FLOATS, *INTEGERS],
        "rounding": [None, "nearest-even"],
        "out_of_range": ["clamp"],
        "scalar_map": [None],
        "empty": [False],
    }
    widened = {
        "from": [*SMALL, *INTEGERS],
        "to": ["float32", "float64"],
        "rounding": [None, "nearest-even"],
        "scalar_map": [None],
        "empty": [False],
    }
    operations = {"cast_value.encode": (clamped, encode), "cast_value.decode": (widened, decode)}
    serve("NumKong", version("numkong"), operations, configurations=False)
