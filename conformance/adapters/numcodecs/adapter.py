"""numcodecs: FixedScaleOffset, the codec before `scale_offset`, where the two mean the same.

Decoding is documented as `enc / scale + offset` in NumPy arithmetic. On floats, with `astype` left
as `dtype`, that is what `scale_offset.decode` asks for. On integers NumPy divides into float64 and
cuts, which the codec documents for its own metadata and never claimed to be `scale_offset`; and
encoding ends in "rounded to the nearest integer", on floats too. Neither is declared.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numcodecs import FixedScaleOffset

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, array, output, serve

np.seterr(all="ignore")  # warnings for every overflow would only slow stderr down


def scalar(json_value, data_type):
    """A parameter as the constructor wants it, a number."""
    if isinstance(json_value, str) and json_value.startswith("0x"):
        big_endian = np.dtype(data_type).newbyteorder(">")
        return np.frombuffer(bytes.fromhex(json_value[2:]), big_endian)[0]
    return float(json_value)  # also "NaN", "Infinity" and "-Infinity"


def decode(request):
    chunk = array(request["input"])
    configuration = json.loads(request.get("configuration", "{}"))
    # Both arguments are mandatory; the identities stand for what is missing.
    codec = FixedScaleOffset(
        offset=scalar(configuration.get("offset", 0), chunk.dtype),
        scale=scalar(configuration.get("scale", 1), chunk.dtype),
        dtype=chunk.dtype,
    )
    return output(codec.decode(chunk).reshape(chunk.shape))  # it returns one dimension


if __name__ == "__main__":
    serve(
        "numcodecs",
        version("numcodecs"),
        {"scale_offset.decode": ({"from": FLOATS}, decode)},
        configurations=False,
    )
