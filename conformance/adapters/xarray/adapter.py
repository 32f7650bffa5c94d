"""xarray: `decode_cf_variable` and `encode_cf_variable`, which read and write a variable's attributes in memory.

The attributes are NumPy numbers, as in a netCDF file: `scale_factor` and `add_offset` have the type that the request
names, and the others have the type of the codes. In xarray, too, missing values are NaN.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import xarray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import array, attributes, output, refusing, serve


def decode(request):
    packed, of = attributes(request)
    variable = xarray.Variable(["x"], array(request["input"]), of)
    with refusing("metadata"):
        decoded = xarray.conventions.decode_cf_variable("v", variable, decode_times=False)
        values = decoded.values
    return output(values)


def encode(request):
    packed, of = attributes(request)
    values = array(request["input"])
    with refusing("metadata"):
        variable = xarray.Variable(["x"], values, encoding={"dtype": packed, **of})
        codes = xarray.conventions.encode_cf_variable(variable, name="v").values
    return output(codes)


if __name__ == "__main__":
    domain = {"rank": [1], "reader": [None, "cf", "xarray"]}
    serve(
        "xarray",
        version("xarray"),
        {"cf.decode": (domain, decode), "cf.encode": (domain, encode)},
    )
