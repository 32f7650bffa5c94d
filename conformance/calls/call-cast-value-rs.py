"""cast-value-rs: its function `cast_array`."""

import json

from cast_value_rs import cast_array
from lines import elements, hexed, serve


def call(request):
    configuration = json.loads(request["configuration"])
    assert "scalar_map" not in configuration
    options = {"rounding_mode": configuration.get("rounding", "nearest-even"), "scalar_map_entries": []}
    options["out_of_range_mode"] = configuration.get("out_of_range")
    target = request["data_type"] if request["op"].endswith("decode") else configuration["data_type"]
    return hexed(cast_array(elements(request["input"]), target_dtype=target, **options))


serve(call)
