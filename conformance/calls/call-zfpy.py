"""zfpy: `compress_numpy` at a rate."""

import json

import zfpy
from lines import elements, serve


def call(request):
    configuration = json.loads(request["configuration"])
    assert request["op"] == "zfp.encode" and configuration["mode"] == "fixed_rate"
    return zfpy.compress_numpy(elements(request["input"]), rate=configuration["rate"], write_header=False).hex()


serve(call)
