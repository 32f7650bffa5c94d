"""ml_dtypes: small types for NumPy, whose casts are `astype`.

`astype` takes no options and never fails, so only configurations that need neither are declared:
- From a small type into float32 or float64, which represent all its values, with any rounding mode and
  range rule. These casts show the value tables of the types.
- Into a small float type with the defaults: its casts, like those of NumPy, are meant to round to
  nearest-even. Beyond the range they give infinity, NaN or the largest value, where `cast_value`
  without `out_of_range` requires an error; an expectation records this. `clamp` is not declared,
  because types with NaN but without infinity do not clamp. Small integers are not declared as
  targets, because integers wrap and floats are truncated.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import ml_dtypes  # registers its types with NumPy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, array, output, serve

IEEE = ["bfloat16", "float8_e3m4", "float8_e4m3", "float8_e5m2"]
FINITE = ["float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"]
NAN_ONLY = ["float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2fnuz"]
NAN_ONLY += ["float8_e8m0fnu"]
SMALL = [*IEEE, *FINITE, *NAN_ONLY]
SMALL_INTEGERS = ["int2", "int4", "uint2", "uint4"]

np.seterr(all="ignore")  # a warning for every overflow would only slow down stderr


def encode(request):
    # A data type may be written as an object with a name.
    data_type = json.loads(request["configuration"])["data_type"]
    target = data_type["name"] if isinstance(data_type, dict) else data_type
    return output(array(request["input"]).astype(target))


def decode(request):
    return output(array(request["input"]).astype(request["data_type"]))


if __name__ == "__main__":
    narrow = {
        # Not every small type can be cast to every other one; float8_e8m0fnu is an example.
        "from": ["bfloat16", *FLOATS, *INTEGERS],
        "to": SMALL,
        "rounding": [None, "nearest-even"],
        "out_of_range": [None],
        "scalar_map": [None],
    }
    widen = {
        "from": [*SMALL, *SMALL_INTEGERS],
        "to": ["float32", "float64"],
        "scalar_map": [None],
    }
    serve(
        ml_dtypes.__name__,
        version("ml_dtypes"),
        {"cast_value.encode": (narrow, encode), "cast_value.decode": (widen, decode)},
        configurations=False,
    )
