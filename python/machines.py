"""Creates a pyramid and a packed array from a large array with Cubed while killing a worker, and compares the files.

Run it as `python -P machines.py FOLDER [GIGABYTES]` in an environment with the wheel, cubed and distributed. It needs
six times the size of the array in the folder; 4 GB is the default.

The files are compared with those that the command `exactum` creates in one run. Two executors of Cubed are used:
`processes`, which stops when a worker dies and is started again, and `dask`, which replaces the worker and repeats its
task by itself.
"""

import filecmp
import json
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cubed
import numpy as np
import psutil
import zarr
from distributed import LocalCluster

from exactum import regions

FOLDER = Path(sys.argv[1])
GIGABYTES = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
CHUNK, PARTS = 1024, 32
EXECUTORS = ("processes", "dask")


@contextmanager
def workers(executor: str) -> Iterator[dict[str, Any]]:
    """The arguments with which an executor has two workers."""
    if executor == "processes":
        yield {"max_workers": 2}
        return
    with LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="2GB", dashboard_address=None) as cluster:
        cluster.wait_for_workers(2)
        yield {"compute_kwargs": {"address": cluster.scheduler_address}}


def make(path: Path) -> int:
    """Writes smooth values with noise, chunk row by chunk row, and returns their bytes."""
    side = max(4, round((GIGABYTES * 1e9 / 4) ** 0.5 / CHUNK)) * CHUNK
    array = zarr.create_array(
        str(path), shape=(side, side), chunks=(CHUNK, CHUNK), dtype="float32", compressors=None, overwrite=True
    )
    random = np.random.default_rng(7)
    across = np.linspace(0, 20, side, dtype="float32")
    for row in range(0, side, CHUNK):
        noise = random.standard_normal((CHUNK, side), dtype="float32")
        array[row : row + CHUNK] = 280 + 10 * np.sin(across + row / side) + noise
    return 4 * side * side


def kill_a_worker(target: Path, least: int, killed: list[int]) -> None:
    """Kills the worker that has used the most processor time, once the target contains some files."""
    while len(list(target.rglob("*"))) < least:
        time.sleep(0.05)
    children = psutil.Process().children(recursive=True)
    busiest = max(children, key=lambda it: sum(it.cpu_times()[:2]))
    busiest.kill()
    killed.append(busiest.pid)


def by_cubed(plan: Callable[[Path], list[regions.Region]], target: Path, least: int, executor: str) -> str:
    """Runs the regions until they are complete, and returns how often Cubed was started."""
    killed: list[int] = []
    with workers(executor) as arguments:
        threading.Thread(target=kill_a_worker, args=(target, least, killed), daemon=True).start()
        spec = cubed.Spec(str(FOLDER / "work"), allowed_mem="1GB", executor_name=executor)
        for attempt in range(1, 4):
            try:
                regions.run_cubed(plan(target), spec=spec, **arguments)
            except BrokenProcessPool:
                continue
            if not killed:
                raise SystemExit("no worker was killed: the array is too small")
            return f"Cubed was started {attempt} times" if attempt > 1 else "Cubed was started once"
    raise SystemExit("Cubed gave up")


def compare(got: Path, want: Path) -> int:
    """The number of files, all of which are equal byte for byte. If any file differs, the program ends."""
    names = regions.files(want)
    _, different, absent = filecmp.cmpfiles(want, got, names, shallow=False)
    different += absent + sorted(set(regions.files(got)) - set(names))
    if different:
        raise SystemExit(f"{len(different)} files differ, such as {different[0]}")
    return len(names)


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    source, want, got = FOLDER / "in", FOLDER / "want", FOLDER / "got"
    size = make(source)
    shape = json.loads((source / "zarr.json").read_text())["shape"]
    print(f"{size / 1e9:.1f} GB of float32, {shape[0]} x {shape[1]}, in chunks of {CHUNK} x {CHUNK}")
    plans: dict[str, Callable[[Path], list[regions.Region]]] = {
        "pyramid": lambda target: regions.downsample(source, target, PARTS, [2, 2], "mean", levels=3),
        "packed within 0.005": lambda target: regions.pack(source, target, PARTS, max_error=0.005),
    }
    for title, plan in plans.items():
        (first, *_) = plan(want)
        arguments = [it for it in first.arguments if not it.startswith("--part=")]
        begin = time.monotonic()
        command = [sys.executable, "-P", "-m", "exactum", *arguments, "--threads=1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        # Linux reports the maximum of all commands so far, in KiB.
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        print(f"{title}: the command took {time.monotonic() - begin:.0f} s on one thread, and {memory / 1e6:.0f} MB")
        least = len(regions.files(want)) // 3
        for executor in EXECUTORS:
            begin = time.monotonic()
            starts = by_cubed(plan, got, least, executor)
            seconds = time.monotonic() - begin
            number = compare(got, want)
            print(f"  {executor}: {seconds:.0f} s, a worker killed, {starts}; {number} files equal byte for byte")
            shutil.rmtree(got)
        shutil.rmtree(want)


if __name__ == "__main__":
    main()
