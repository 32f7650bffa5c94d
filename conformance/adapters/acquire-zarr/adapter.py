"""acquire-zarr: the levels of the pyramids that it writes together with a stream of frames.

A level halves the dimensions that are longer than a chunk: the two dimensions of a frame together, and the dimension
before them if it is spatial. Therefore a row is written as a stack of frames of one element, and a plane as one frame
or as a stack of columns. Every request is a stream in chunks of one element. TensorStore reads the level that was
written. If an extent is 1, there is nothing to halve, and therefore no level.
"""

import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import acquire_zarr
import numpy as np
import tensorstore

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import INTEGERS, Unsupported, array, output, refusing, serve

METHODS = {"mean": "MEAN", "stride": "DECIMATE", "min": "MIN", "max": "MAX"}
# By the factors: the kind of the dimension before those of the frame, and the places of dimensions of extent 1.
PLACES = {
    (2,): ("SPACE", (1, 2)),
    (2, 1): ("SPACE", (2,)),
    (2, 2): ("TIME", (0,)),
    (2, 2, 2): ("SPACE", ()),
}


def dimension(name, kind, extent):
    kind = getattr(acquire_zarr.DimensionType, kind)
    return acquire_zarr.Dimension(
        name=name, kind=kind, array_size_px=extent, chunk_size_px=1, shard_size_chunks=1
    )


def level(values, factors, method, store):
    """Returns the values of level 1."""
    kind, ones = PLACES[factors]
    frames = np.expand_dims(values, ones)
    kinds = zip("zyx", (kind, "SPACE", "SPACE"), frames.shape)
    with refusing("metadata"):
        settings = acquire_zarr.ArraySettings(
            dimensions=[dimension(*it) for it in kinds],
            data_type=getattr(acquire_zarr.DataType, frames.dtype.name.upper()),
            downsampling_method=getattr(acquire_zarr.DownsamplingMethod, METHODS[method]),
            max_levels=1,
        )
        stream = acquire_zarr.ZarrStream(
            acquire_zarr.StreamSettings(store_path=store, arrays=[settings], max_threads=1)
        )
        stream.append(frames)
        stream.close()
    if not Path(store, "1").exists():
        raise Unsupported("it makes no level of what fits into a chunk")
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{store}/1/"}}
    written = tensorstore.open(spec, open=True, read=True).result()
    return np.squeeze(written.read().result(), ones)


def read(request):
    values = array(request["input"])
    for it in [request, *request.get("then", [])]:
        with TemporaryDirectory() as folder:
            values = level(values, tuple(it["factors"]), it["method"], f"{folder}/pyramid")
    return {**output(values), "origin": request["origin"]}


if __name__ == "__main__":
    domain = {
        "from": [*INTEGERS, "float32", "float64"],
        "method": [*METHODS],
        "factors": [[*factors] for factors in PLACES],
        "empty": [False],
        "features": ["then"],
    }
    serve("acquire-zarr", version("acquire-zarr"), {"downsample.read": (domain, read)})
