"""topozarr-core: the kernel `block_reduce`."""

from lines import elements, hexed, serve
from topozarr_core import block_reduce


def call(request):
    assert request["method"] == "mean" and "then" not in request
    return hexed(block_reduce(elements(request["input"]).copy(), tuple(request["factors"]), "mean", skipna=False))


serve(call)
