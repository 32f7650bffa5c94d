"""NumKong: casts between its types, with `astype`.

`astype` takes no options. Its documentation says that casts to narrower floats round ties to even, and that casts from
floats to integers saturate. These casts are declared as `nearest-even` with `clamp`; casts into float32 and float64,
whose range no type here exceeds, are declared with any rule. The documentation does not say what happens to integers
that do not fit other integers, so these casts are not declared. Its e4m3, which has no infinity, is not a type of the
registry.

Which of its kernels runs depends on the processor, and the results differ. The kernel that every machine has is judged.
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
    """Casts an array of the protocol to another type."""
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
