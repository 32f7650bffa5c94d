"""TensorStore 0.1.86: 1.0 becomes 2^-64 in float8_e8m0fnu.

The conversion uses the upper 8 bits of the float32, including its sign, as the exponent. 1.0 is 0x7f in this format.
"""
# shows: AssertionError
import tensorstore as ts

one = ts.cast(ts.array([1.0], dtype=ts.float32), ts.float8_e8m0fnu).read().result()
assert one.tobytes() == b"\x7f", one.tobytes()
