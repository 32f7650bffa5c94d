"""acquire-zarr 0.10.0: the mean of four uint32 of 2^32 - 2 is 1073741822, because their sum wraps around (issue 265)."""
# shows: AssertionError
import tempfile

import acquire_zarr as aqz
import numpy as np
import tensorstore as ts

with tempfile.TemporaryDirectory() as folder:
    sizes = [("t", "TIME", 1, 1), ("y", "SPACE", 4, 2), ("x", "SPACE", 4, 2)]
    dimensions = [
        aqz.Dimension(name=name, kind=getattr(aqz.DimensionType, kind), array_size_px=size, chunk_size_px=chunk, shard_size_chunks=1)
        for name, kind, size, chunk in sizes
    ]
    array = aqz.ArraySettings(dimensions=dimensions, data_type=aqz.DataType.UINT32, downsampling_method=aqz.DownsamplingMethod.MEAN)
    stream = aqz.ZarrStream(aqz.StreamSettings(store_path=f"{folder}/pyramid", arrays=[array]))
    stream.append(np.full((1, 4, 4), 2**32 - 2, np.uint32))
    stream.close()
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{folder}/pyramid/1/"}}
    level = ts.open(spec, open=True).result().read().result()
assert level.flat[0] == 2**32 - 2, level.flat[0]
