"""acquire-zarr: one frame whose equal columns contain the elements, so that level 1 contains their means."""

from pathlib import Path
from tempfile import TemporaryDirectory

import acquire_zarr as az
import numpy as np
import tensorstore as ts
from lines import elements, hexed, serve


def call(request):
    assert request["method"] == "mean" and request["factors"] == [2] and "then" not in request
    column = elements(request["input"])
    # One frame of two equal columns: the mean of each 2 x 2 block is that of two elements.
    frame = np.repeat(column[:, None], 2, axis=1)[None]
    with TemporaryDirectory() as folder:
        kinds = [az.DimensionType.TIME, az.DimensionType.SPACE, az.DimensionType.SPACE]
        dimensions = [
            az.Dimension(name=name, kind=kind, array_size_px=size, chunk_size_px=1, shard_size_chunks=1)
            for name, kind, size in zip("tyx", kinds, frame.shape)
        ]
        settings = az.ArraySettings(
            dimensions=dimensions,
            data_type=getattr(az.DataType, column.dtype.name.upper()),
            downsampling_method=az.DownsamplingMethod.MEAN,
            max_levels=1,
        )
        stream = az.ZarrStream(az.StreamSettings(store_path=f"{folder}/it", arrays=[settings]))
        stream.append(frame)
        stream.close()
        spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{folder}/it/1/"}}
        assert Path(folder, "it/1").exists()
        return hexed(ts.open(spec, open=True).result().read().result())


serve(call)
