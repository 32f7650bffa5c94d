"""cast-value-rs: the function `cast_array`, which takes a configuration member by member.

It does not parse configurations or fill values, so it is not judged on invalid ones.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from cast_value_rs import cast_array

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, array, output, refusing, serve


def scalar(json_value, data_type):
    """Returns an entry's scalar as a number of Python or NumPy, which the function requires."""
    if isinstance(json_value, str) and json_value.startswith("0x"):
        big_endian = np.dtype(data_type).newbyteorder(">")
        return np.frombuffer(bytes.fromhex(json_value[2:]), big_endian)[0]
    # Python's int and float parse integers exactly, and also "NaN", "Infinity" and "-Infinity".
    return int(json_value) if data_type in INTEGERS else float(json_value)


def cast(request, side, source, target):
    configuration = json.loads(request["configuration"])
    entries = configuration.get("scalar_map", {}).get(side, [])
    scalars = [(scalar(key, source), scalar(value, target)) for key, value in entries]
    with refusing("out_of_range"):
        return output(
            cast_array(
                array(request["input"]),
                target_dtype=target,
                # The function has no default; that of the specification is nearest-even.
                rounding_mode=configuration.get("rounding", "nearest-even"),
                out_of_range_mode=configuration.get("out_of_range"),
                scalar_map_entries=scalars,
            )
        )


def encode(request):
    # A data type may be written as an object with a name.
    data_type = json.loads(request["configuration"])["data_type"]
    target = data_type["name"] if isinstance(data_type, dict) else data_type
    return cast(request, "encode", request["input"]["data_type"], target)


def decode(request):
    return cast(request, "decode", request["input"]["data_type"], request["data_type"])


if __name__ == "__main__":
    domain = {"from": INTEGERS + FLOATS, "to": INTEGERS + FLOATS}
    serve(
        "cast-value-rs",
        version("cast-value-rs"),
        {"cast_value.encode": (domain, encode), "cast_value.decode": (domain, decode)},
        configurations=False,
    )
