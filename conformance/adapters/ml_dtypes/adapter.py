"""ml_dtypes: small types for NumPy, whose casts are `astype`.

`astype` takes no options, so only configurations are declared whose rules are its own:
- From a small type into float32 or float64, which hold all its values: any configuration without
  a map. These casts are the value tables of the types.
- Into a float type, rounding to nearest-even. Beyond the range its IEEE-like types become infinity
  and its types without infinity and NaN the largest value, which is what `clamp` asks for. Types that
  have NaN and no infinity become NaN there, which is no configuration: they are not declared as
  targets, nor are the small integers, into which integers wrap and floats are cut.
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
NAN_ONLY = ["float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"]
SMALL = ["int2", "int4", "uint2", "uint4", *IEEE, *FINITE, *NAN_ONLY]

np.seterr(all="ignore")  # warnings for every overflow would only slow stderr down


def encode(request):
    # A data type may be written as an object with a name.
    data_type = json.loads(request["configuration"])["data_type"]
    target = data_type["name"] if isinstance(data_type, dict) else data_type
    return output(array(request["input"]).astype(target))


def decode(request):
    return output(array(request["input"]).astype(request["data_type"]))


if __name__ == "__main__":
    narrow = {
        "from": [*SMALL, *FLOATS, *INTEGERS],
        "to": [*IEEE, *FINITE],
        "rounding": [None, "nearest-even"],
        "out_of_range": ["clamp"],
        "scalar_map": [None],
    }
    widen = {"from": SMALL, "to": ["float32", "float64"], "scalar_map": [None]}
    serve(
        ml_dtypes.__name__,
        version("ml_dtypes"),
        {"cast_value.encode": (narrow, encode), "cast_value.decode": (widen, decode)},
        configurations=False,
    )
