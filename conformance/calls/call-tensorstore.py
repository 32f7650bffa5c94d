"""TensorStore: an array in a folder, opened from its document, and views of arrays."""

from tempfile import TemporaryDirectory

import numpy as np
import tensorstore as ts
from lines import elements, hexed, is_document, serve, written


def viewed(request):
    """Returns the elements of a downsampled view."""
    member = request["input"]
    view = strings(member) if "values" in member else fenced(elements(member))
    view = view[ts.IndexTransform(view.domain).translate_to[tuple(request["origin"])]]
    for level in [request, *request.get("then", [])]:
        view = ts.downsample(view, level["factors"], level["method"])
    if "transform" in request:
        view = view[ts.IndexTransform(json=request["transform"])]
    read = view.read().result()
    if "values" not in member:
        return hexed(read)
    # The strings may contain arbitrary bytes.
    return [each if isinstance(each, str) else each.decode(errors="replace") for each in read.ravel()]


def fenced(values):
    """Returns an array at the start of a larger one, so that a view that reads past its end finds ones there."""
    whole = np.pad(values, [(0, 8)] * values.ndim, constant_values=1)
    return ts.array(whole)[tuple(slice(0, extent) for extent in values.shape)]


def strings(member):
    """Returns an array of strings."""
    values = [{"string": str.encode, "ustring": str}[member["data_type"]](each) for each in member["values"]]
    return ts.array(np.array(values, object).reshape(member["shape"]), dtype=ts.dtype(member["data_type"]))


def call(request):
    if request["op"] == "downsample.read":
        return viewed(request)
    with TemporaryDirectory() as folder:
        chunk = written(request, folder)
        spec = {"driver": "zarr3", "kvstore": f"file://{folder}/", "store_data_equal_to_fill_value": True}
        array = ts.open(spec, open=True).result()
        if is_document(request):
            return ""
        if request["op"].endswith(".encode"):
            array.write(elements(request["input"])).result()
            return chunk.read_bytes().hex()
        return array.read().result().view(np.uint8).tobytes().hex()


serve(call)
