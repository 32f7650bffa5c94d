"""NumKong: `astype` of a tensor, with the kernel that is available on every machine."""

import json

import numkong as nk
import numpy as np
from lines import serve

for name, there in nk.get_capabilities().items():
    if there and name != "serial":
        nk.disable_capability(name)


def call(request):
    given = request["input"]
    data = np.frombuffer(bytearray.fromhex(given["data"]), np.uint8)
    tensor = nk.from_pointer(data.ctypes.data, tuple(given["shape"]), given["data_type"], owner=data)
    target = request.get("data_type") or json.loads(request["configuration"])["data_type"]
    return memoryview(nk.astype(tensor, target)).tobytes().hex()


serve(call)
