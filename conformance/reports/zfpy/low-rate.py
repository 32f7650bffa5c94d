"""zfpy 1.0.1: compress_numpy runs over the end of its buffer at low rates.

`compress_numpy` calls zfp_stream_set_rate with zfp_type_none, so the rate is not raised to what a block of floats needs
at least, while zfp_compress writes that much into every block: the buffer of zfp_stream_maximum_size is too small. Smaller
arrays corrupt the heap as well, and may go on.
"""
# shows: SIGSEGV
import numpy as np
import zfpy

zfpy.compress_numpy(np.random.default_rng(0).standard_normal((32, 32, 32, 32)), rate=1 / 256)
