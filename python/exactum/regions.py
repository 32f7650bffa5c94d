"""Pyramids and packed arrays by many machines: a plan, independent regions, and ``run(region)``.

Each region is a share of the chunks of the output, which the command ``exactum`` writes when it is given
``--part K/N``. Regions may run in any order, at the same time, on any machine that reaches the folders, and any
number of times: what a worker that was killed has left unfinished is written again. Whichever ends last completes
the output, whose bytes are those of the command run at once.

>>> import exactum.regions
>>> regions = exactum.regions.pack("in.zarr", "out.zarr", 4, max_error=0.005)
>>> regions[2].arguments
('pack', 'in.zarr', 'out.zarr', '--part=3/4', '--max-error=0.005')

Dask and Cubed, whose executors reach Beam, Ray and Lithops, take the regions as they are::

    dask.compute(*map(dask.delayed(exactum.regions.run), regions))
    exactum.regions.run_cubed(regions, spec=cubed.Spec("work", allowed_mem="2GB"))

What is complete can be committed to Icechunk by the same machines, see :mod:`exactum.icechunk`.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, Literal

import numpy as np

from ._commands import run as _run
from ._types import Scalar, json_of

__all__ = ["Region", "check", "downsample", "files", "pack", "run", "run_cubed"]


@dataclass(frozen=True)
class Region:
    """One share of the work: the arguments of a command."""

    arguments: tuple[str, ...]


def _regions(
    command: str,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    count: int,
    options: Sequence[str],
) -> list[Region]:
    if count < 1:
        raise ValueError(f"the number of regions is at least 1, not {count}")
    paths = (os.fspath(source), os.fspath(target))
    return [Region((command, *paths, f"--part={index}/{count}", *options)) for index in range(1, count + 1)]


def downsample(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    count: int,
    factors: Sequence[int] | Sequence[Sequence[int]],
    method: Literal["stride", "mean", "min", "max", "median", "mode"] = "mean",
    *,
    skip_value: Scalar | None = None,
    nan: Literal["propagate", "skip"] | None = None,
    levels: int | None = None,
    from_base: bool = False,
    without_base: bool = False,
) -> list[Region]:
    """Divides a pyramid into regions.

    Args:
        source: The folder of a Zarr 3 array, or of an OME-Zarr 0.5 image.
        target: The folder of the pyramid.
        count: The number of regions.
        factors: By how much a level is smaller: a factor for each dimension, or such a list for each level.
        method: What is made of the elements of a block.
        skip_value, nan: As for :func:`exactum.downsample`.
        levels: How many levels are made; by default until one fits into a chunk.
        from_base: Makes every level from the array itself.
        without_base: Does not copy the array as level 0.
    """
    each = [factors] if isinstance(factors[0], int) else factors
    options = [f"--factors={','.join(map(str, one))}" for one in each]  # type: ignore[arg-type]
    options.append(f"--method={method}")
    if skip_value is not None:
        options.append(f"--skip-value={json_of(skip_value).strip(chr(34))}")
    if nan is not None:
        options.append(f"--nan={nan}")
    if levels is not None:
        options.append(f"--levels={levels}")
    options += ["--from-base"] if from_base else []
    options += ["--without-base"] if without_base else []
    return _regions("downsample", source, target, count, options)


def pack(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    count: int,
    *,
    max_error: float | None = None,
    codecs: str | os.PathLike[str] | None = None,
    compress: str | None = None,
) -> list[Region]:
    """Divides the packing of an array, or of the arrays of a group, into regions.

    Every region reads all values once, for the proof of its codecs, so that some regions for each worker are enough.

    Args:
        source: The folder of a Zarr 3 array, or of a group.
        target: The folder that is written.
        count: The number of regions.
        max_error: The largest error that a value may have.
        codecs: A file with a list of codecs, or with a plan; by default the smallest that keep the error.
        compress: What compresses the bytes, such as ``"zstd:3"``.
    """
    given = {"--max-error": max_error, "--codecs": codecs, "--compress": compress}
    options = [f"{name}={value}" for name, value in given.items() if value is not None]
    return _regions("pack", source, target, count, options)


def check(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    max_error: float | None = None,
) -> list[Region]:
    """Compares a packed array, or each packed array of a group, with the original: a region for each array."""
    options = ["--check", *([] if max_error is None else [f"--max-error={max_error}"])]
    return [Region(("pack", os.fspath(source), os.fspath(target), *options))]


def run(region: Region) -> str:
    """Runs a region on one thread and returns what the command reports.

    Raises:
        Rejection: When a value does not survive (reason ``findings``), or the region cannot be carried out
            (``not_carried_out``).
    """
    return _run([*region.arguments, "--threads=1"], [0])[1]


def files(folder: str | os.PathLike[str]) -> list[PurePath]:
    """Lists the files that readers read, by their paths in the folder: the journal of the command is not among them."""
    root = Path(folder)
    names = sorted(file.relative_to(root) for file in root.rglob("*") if file.is_file())
    return [name for name in names if not any(part.startswith(".") for part in name.parts)]


def run_cubed(regions: Sequence[Region], *, spec: Any = None, memory: int = 500_000_000, **compute: Any) -> list[str]:
    """Runs regions by Cubed, a task for each, and returns what each reports.

    Args:
        regions: The regions.
        spec: The ``cubed.Spec``: where Cubed works, and the memory that a task may take.
        memory: The bytes that a region takes. Cubed refuses a ``spec`` that allows less before a region runs. The
            default is for chunks, or shards, of up to 16 MB; a larger one is held whole, more than once.
        compute: Arguments of ``compute``, such as ``executor``.
    """
    cubed: Any = import_module("cubed")

    def block(numbers: Any, block_id: tuple[int, ...] | None = None) -> Any:
        (number,) = block_id or (0,)
        return np.array([run(regions[number]).encode()[:_REPORT]], f"S{_REPORT}").view(np.uint8)

    numbers = cubed.from_array(np.zeros(len(regions), np.uint8), chunks=1, spec=spec)
    chunks = ((_REPORT,) * len(regions),)
    reports = cubed.map_blocks(block, numbers, dtype=np.uint8, chunks=chunks, extra_projected_mem=memory)
    table = np.asarray(reports.compute(**compute)).reshape(len(regions), _REPORT)
    return [bytes(row).rstrip(b"\0").decode() for row in table]


# The bytes that are kept of a report.
_REPORT = 512
