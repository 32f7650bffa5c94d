"""Tests that regions run by Dask, by Cubed and by killed workers give the same output as a single command."""

import filecmp
import multiprocessing
import os
import signal
import time

import numpy as np
import pytest

zarr = pytest.importorskip("zarr")

from exactum import regions  # noqa: E402
from exactum._exactum import call  # noqa: E402


@pytest.fixture
def array(tmp_path):
    data = np.random.default_rng(7).normal(280, 15, (256, 512)).astype("float32")
    zarr.create_array(str(tmp_path / "in"), data=data, chunks=(32, 32))
    return tmp_path / "in"


def command(*arguments):
    code, _, complaints = call(["exactum", *map(str, arguments)])
    assert code == 0, complaints


def pyramid(array):
    command("downsample", array, array.parent / "want", "--factors=2,2", "--method=mean", "--levels=2")
    return regions.downsample(array, array.parent / "got", 4, [2, 2], "mean", levels=2)


def packed(array):
    command("pack", array, array.parent / "want", "--max-error=0.005")
    return regions.pack(array, array.parent / "got", 4, max_error=0.005)


PLANS = pytest.mark.parametrize("planned", [pyramid, packed])


def same(array):
    got, want = array.parent / "got", array.parent / "want"
    names = regions.files(want)
    assert len(names) > 60
    assert regions.files(got) == names
    assert filecmp.cmpfiles(got, want, names, shallow=False)[1:] == ([], [])


@PLANS
def test_regions_run_in_any_order_and_twice(array, planned):
    parts = planned(array)
    for part in [*reversed(parts), parts[1]]:
        regions.run(part)
    same(array)


@PLANS
def test_dask_runs_them(array, planned):
    dask = pytest.importorskip("dask")
    dask.compute(*map(dask.delayed(regions.run), planned(array)), scheduler="threads")
    same(array)


@PLANS
@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_cubed_runs_them(array, planned, executor, tmp_path):
    cubed = pytest.importorskip("cubed")
    spec = cubed.Spec(str(tmp_path / "work"), allowed_mem="2GB", executor_name=executor)
    reports = regions.run_cubed(planned(array), spec=spec)
    assert len(reports) == 4
    assert any("complete" in report for report in reports)
    same(array)


def test_cubed_knows_the_memory_beforehand(array, tmp_path):
    cubed = pytest.importorskip("cubed")
    spec = cubed.Spec(str(tmp_path / "work"), allowed_mem="100MB")
    with pytest.raises(ValueError, match="exceeds allowed_mem"):
        regions.run_cubed(pyramid(array), spec=spec)
    assert not (array.parent / "got").exists()


@PLANS
def test_what_a_killed_worker_leaves_is_made_again(array, planned):
    parts = planned(array)
    context = multiprocessing.get_context("spawn")
    worker = context.Process(target=regions.run, args=(parts[0],))
    worker.start()
    deadline = time.monotonic() + 30
    while not (array.parent / "got").exists() and time.monotonic() < deadline and worker.is_alive():
        time.sleep(0.001)
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    for part in parts:
        regions.run(part)
    same(array)
    if planned is packed:
        (checked,) = regions.check(array, array.parent / "got")
        assert "is within the promised error" in regions.run(checked)


def test_numbers_of_regions_are_checked(array):
    with pytest.raises(ValueError, match="at least 1"):
        regions.pack(array, array.parent / "got", 0, max_error=1)
