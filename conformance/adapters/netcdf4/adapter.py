"""netCDF4-python: a variable of a file in memory, written and read with the library's automatic masks and scales.

On reading, the library returns a masked array. If the values are floats, a masked element becomes NaN here; if they are
the codes, it becomes the code under the mask. On writing, NaN is masked, as users of the library do: to the library, a
masked element is a missing one.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import netCDF4
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import array, attributes, output, refusing, serve


def variable(file, packed, of, count):
    """Creates a variable with these attributes, without automatic masks and scales."""
    file.createDimension("x", count)
    made = file.createVariable("v", packed, ["x"], fill_value=of.pop("_FillValue", None))
    made.set_auto_maskandscale(False)
    made.setncatts(of)
    return made


def decode(request):
    packed, of = attributes(request)
    codes = array(request["input"])
    with netCDF4.Dataset("v.nc", "w", diskless=True, persist=False) as file:
        with refusing("metadata"):
            made = variable(file, packed, of, codes.size)
            made[:] = codes
            made.set_auto_maskandscale(True)
            values = made[:]
    if np.ma.isMaskedArray(values):
        values = values.filled(np.nan) if values.dtype.kind == "f" else values.data
    return output(values)


def encode(request):
    packed, of = attributes(request)
    values = array(request["input"])
    values = np.ma.masked_where(np.isnan(values), values)
    with netCDF4.Dataset("v.nc", "w", diskless=True, persist=False) as file:
        with refusing("metadata"):
            made = variable(file, packed, of, values.size)
            made.set_auto_maskandscale(True)
            made[:] = values
            made.set_auto_maskandscale(False)
            codes = made[:]
    return output(np.asarray(codes))


if __name__ == "__main__":
    domain = {"rank": [1], "empty": [False], "reader": [None, "cf", "netcdf4"]}
    serve(
        "netcdf4",
        version("netCDF4"),
        {"cf.decode": (domain, decode), "cf.encode": (domain, encode)},
    )
