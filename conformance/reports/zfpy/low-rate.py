"""zfpy 1.0.1: compress_numpy overruns the end of its buffer at low rates.

`compress_numpy` calls zfp_stream_set_rate with zfp_type_none, so the rate is not raised to the minimum that a block of
floats needs, while zfp_compress writes at least this minimum into every block. Therefore the buffer of
zfp_stream_maximum_size is too small. Smaller arrays corrupt the heap as well, and the process may continue.
"""
# shows: SIGSEGV
import numpy as np
import zfpy

zfpy.compress_numpy(np.random.default_rng(0).standard_normal((32, 32, 32, 32)), rate=1 / 256)
