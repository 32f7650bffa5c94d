"""A pytest plugin under which zarr-python's own tests run with the codecs of this package in the place of its own.

``enable`` puts them where documents name them, and here the classes also stand where the tests import them. What the
tests demand of messages is replaced by what this package promises: the exception of the same type, with a clause.
"""

import sys
import types
from collections.abc import Generator
from typing import Any

import pytest
import zarr.codecs
import zarr.codecs.cast_value
import zarr.codecs.scale_offset
from zarr.core.dtype import data_type_registry

import exactum.zarr

# Tests of something else than codecs, by the file and the name.
LEFT_OUT = {
    ("test_cast_value.py", "test_to_dict[full]"): "compares a document that has a tuple, which JSON does not have",
    ("test_cast_value.py", "test_encode_rejects_outdated_backend"): "replaces a private method of zarr-python's class",
    **{
        ("test_array.py", f"test_multiprocessing[{shards}-local-{method}]"): "imports the tests in another process, "
        "where they fail beside any package that brings data types"
        for shards in ("None", "shards1")
        for method in ("spawn", "forkserver")
    },
}

exactum.zarr.enable()
for module in (zarr.codecs, zarr.codecs.cast_value):
    module.CastValue = exactum.zarr.CastValue  # type: ignore[assignment, misc]
for module in (zarr.codecs, zarr.codecs.scale_offset):
    module.ScaleOffset = exactum.zarr.ScaleOffset  # type: ignore[assignment, misc]
# Without the library that zarr-python casts with, the tests skip what this package does not need it for.
sys.modules["cast_value_rs"] = types.ModuleType("cast_value_rs")

# The tests iterate over the data types while looking one up, which loads those of other packages.
data_type_registry._lazy_load()

_raises = pytest.raises
rejections = 0
# The number of rejections by the worker of pytest-xdist that met them.
accepted: dict[str, int] = {}


class _Raises:
    """``pytest.raises``, for which a rejection that names its clause has any message."""

    def __init__(self, expected: Any, match: Any) -> None:
        self.expected, self.match = expected, match

    def __enter__(self) -> Any:
        self.context = _raises(self.expected)
        self.info = self.context.__enter__()
        return self.info

    def __exit__(self, *raised: Any) -> bool:
        global rejections
        done = bool(self.context.__exit__(*raised))
        if done and isinstance(self.info.value, exactum.Rejection) and self.info.value.clause:
            rejections += 1
        elif done and self.match is not None:
            assert self.info.match(self.match)
        return done


def raises(expected: Any = Exception, *arguments: Any, match: Any = None, **options: Any) -> Any:
    """``pytest.raises`` as the tests call it."""
    if arguments or options:
        return _raises(expected, *arguments, match=match, **options)
    return _Raises(expected, match)


pytest.raises = raises  # type: ignore[assignment]


# The tests run with every data type that is registered, those of this package among them.
OF_DATA_TYPES = {
    "test_dtype_forms": "finds a data type by its ``str``, which is that of raw bytes for the types of ml_dtypes",
}
NOT_IN_ZARR_2 = "Zarr 2 has no "


def is_left_out(item: pytest.Item) -> bool:
    """Whether a test is one of ``LEFT_OUT``, or one of ``OF_DATA_TYPES`` with a data type of this package."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    is_ours = type(params.get("dtype")) in exactum.zarr.DATA_TYPES.values()
    is_of_ours = is_ours and getattr(item, "originalname", "") in OF_DATA_TYPES
    return is_of_ours or (item.path.name, item.name) in LEFT_OUT


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of ``LEFT_OUT``."""
    config.hook.pytest_deselected(items=[item for item in items if is_left_out(item)])
    items[:] = [item for item in items if not is_left_out(item)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Expects a data type of this package to refuse Zarr 2, and has the report carry the number of rejections."""
    report = yield
    if report.failed and call.excinfo and str(call.excinfo.value).startswith(NOT_IN_ZARR_2):
        report.outcome = "skipped"
        report.wasxfail = "Zarr 2 has no names for the data types of this package"
    report.user_properties.append(("rejections", rejections))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Takes the number of rejections from a report, which may come from a worker of pytest-xdist."""
    accepted[getattr(report, "worker_id", "")] = dict(report.user_properties)["rejections"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Says what was left out, and how often a clause stood in the place of a message."""
    terminalreporter.write_line(
        f"{sum(accepted.values())} rejections were accepted by their clauses instead of their messages"
    )
    for (file, name), why in LEFT_OUT.items():
        terminalreporter.write_line(f"left out: {file}::{name}, which {why}")
    for name, why in OF_DATA_TYPES.items():
        terminalreporter.write_line(f"left out with the data types of this package: {name}, which {why}")
