"""Prints a table that compares the speed of this package with that of other libraries for the same operations.

Run it as `python -P bench.py [ELEMENTS]`, so that the installed package is imported and not the sources beside it,
in an environment with the wheel and the others:

    pip install cast-value-rs zfpy tinybrain scikit-image tensorstore numcodecs

Times are the best of several runs, in one process and on one thread. Libraries that are not installed are left out.
"""

import importlib.metadata
import importlib.util
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import exactum

SIZE = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000_000


def has(name: str) -> bool:
    """Whether a library is installed."""
    return importlib.util.find_spec(name) is not None


def best(work: Callable[[], Any], least: float = 0.3) -> float:
    """The shortest time of a call in seconds."""
    work()
    shortest, begin = float("inf"), time.perf_counter()
    while time.perf_counter() - begin < least or shortest == float("inf"):
        start = time.perf_counter()
        work()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest


def small(work: Callable[[], Any], calls: int = 20_000) -> float:
    """The time of a call with 8 elements in seconds, as the best of seven loops."""
    shortest = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(calls):
            work()
        shortest = min(shortest, (time.perf_counter() - start) / calls)
    return shortest


def rows() -> list[tuple[str, str, Callable[[], Any], int]]:
    """All cases: the operation, the library, the call, and the number of bytes that are read and written."""
    made: list[tuple[str, str, Callable[[], Any], int]] = []
    f64 = np.linspace(0, 250, SIZE)
    f32 = f64.astype("float32")
    i16 = (f64 * 100).astype("int16")
    out8, out16 = np.empty(SIZE, "uint8"), np.empty(SIZE, "float16")
    out32, out64 = np.empty(SIZE, "float32"), np.empty(SIZE)

    def add(what: str, who: str, work: Callable[[], Any], size: int) -> None:
        made.append((what, who, work, size))

    what = "float64 to uint8, nearest-even, clamped"
    cast = exactum.cast
    add(what, "exactum", lambda: cast(f64, "uint8", out_of_range="clamp", out=out8), 9 * SIZE)

    def clip() -> None:
        np.rint(f64, out=out64)
        np.clip(out64, 0, 255, out=out64)
        np.copyto(out8, out64, casting="unsafe")

    add(what, "numpy rint, clip", clip, 9 * SIZE)
    if has("cast_value_rs"):
        from cast_value_rs import cast_array

        options = {"rounding_mode": "nearest-even", "out_of_range_mode": "clamp"}
        add(
            what,
            "cast-value-rs",
            lambda: cast_array(f64, target_dtype="uint8", **options),
            9 * SIZE,
        )
    what = "float32 to float16"
    add(what, "exactum", lambda: cast(f32, "float16", out=out16), 6 * SIZE)
    add(what, "numpy astype", lambda: np.copyto(out16, f32, casting="unsafe"), 6 * SIZE)
    if has("cast_value_rs"):
        add(
            what,
            "cast-value-rs",
            lambda: cast_array(f32, target_dtype="float16", rounding_mode="nearest-even"),
            6 * SIZE,
        )
    what = "int16 to float64"
    add(what, "exactum", lambda: cast(i16, "float64", out=out64), 10 * SIZE)
    add(what, "numpy astype", lambda: np.copyto(out64, i16), 10 * SIZE)
    what = "scale_offset of float32"
    encode = exactum.scale_offset.encode
    add(what, "exactum", lambda: encode(f32, scale=3.0, offset=5.0, out=out32), 8 * SIZE)

    def scale() -> None:
        np.subtract(f32, np.float32(5), out=out32)
        np.multiply(out32, np.float32(3), out=out32)

    add(what, "numpy", scale, 8 * SIZE)
    if has("numcodecs"):
        from numcodecs import FixedScaleOffset

        codec = FixedScaleOffset(offset=5, scale=3, dtype="<f4", astype="<f4")
        add(what, "numcodecs (rounds too)", lambda: codec.encode(f32), 8 * SIZE)
    what = "zfp of float32, tolerance 0.001, 2-D"
    side = int(SIZE**0.5)
    field = np.sin(f32[: side * side]).reshape(side, side)
    add(what, "exactum", lambda: exactum.zfp.encode(field, tolerance=1e-3), field.nbytes)
    if has("zfpy"):
        import zfpy

        add(
            what,
            "zfpy",
            lambda: zfpy.compress_numpy(field, tolerance=1e-3, write_header=False),
            field.nbytes,
        )
    what = "mean of uint8 by 2x2"
    image = out8[: side * side].reshape(side, side)
    image[...] = np.arange(side * side).reshape(side, side)
    add(what, "exactum", lambda: exactum.downsample(image, 2), image.nbytes)
    if has("tensorstore"):
        import tensorstore as ts

        view = ts.downsample(ts.array(image), [2, 2], "mean")
        add(what, "tensorstore", lambda: view.read().result(), image.nbytes)
    if has("tinybrain"):
        import tinybrain

        volume = image[:, :, None]
        add(
            what,
            "tinybrain (truncates)",
            lambda: tinybrain.downsample_with_averaging(volume, (2, 2, 1)),
            image.nbytes,
        )
    if has("skimage"):
        from skimage.measure import block_reduce

        add(
            what,
            "scikit-image (float64)",
            lambda: block_reduce(image, (2, 2), np.mean),
            image.nbytes,
        )
    return made


def main() -> None:
    """Prints the table."""
    names = ["exactum", "numpy", "cast-value-rs", "numcodecs", "zfpy", "tensorstore", "tinybrain", "scikit-image"]
    installed = {it.metadata["Name"]: it.version for it in importlib.metadata.distributions()}
    versions = ", ".join(f"{name} {installed[name]}" for name in names if name in installed)
    print(f"{SIZE} elements, best time, one thread\n{textwrap.fill(versions, 100)}\n")
    print(f"{'':44}{'':26}{'ms':>10}{'GB/s':>8}")
    last = ""
    for what, who, work, size in rows():
        seconds = best(work)
        print(f"{what if what != last else '':44}{who:26}{seconds * 1e3:10.2f}{size / seconds / 1e9:8.2f}")
        last = what
    print("\na call with 8 elements, microseconds")
    a = np.linspace(0, 7, 8)
    out = np.empty(8, "int16")
    same = np.empty(8)
    encode = exactum.scale_offset.encode
    for who, work in [
        ("numpy.add(a, a)", lambda: np.add(a, a)),
        ("numpy.add(a, a, out=b)", lambda: np.add(a, a, out=same)),
        ("numpy.add(a, 1.5)", lambda: np.add(a, 1.5)),
        ("a.astype(int16)", lambda: a.astype("int16")),
        ("exactum.cast(a, int16)", lambda: exactum.cast(a, "int16")),
        ("exactum.cast(a, int16, out=b)", lambda: exactum.cast(a, "int16", out=out)),
        ("exactum.scale_offset.encode(a, ...)", lambda: encode(a, scale=2.0, offset=1.0)),
    ]:
        print(f"  {who:40}{small(work) * 1e6:8.3f}")


if __name__ == "__main__":
    main()
