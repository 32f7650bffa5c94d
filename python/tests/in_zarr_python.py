"""A pytest plugin with which zarr-python's own tests run with the codecs of this package in place of its own.

``enable`` registers the codecs for documents, and this plugin also puts the classes where the tests import them.
Where a test requires a certain message, an exception of the same type that names a clause is accepted, as this
package promises.
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

# Tests of something other than codecs, by file and name.
LEFT_OUT = {
    ("test_cast_value.py", "test_to_dict[full]"): "compares a document that has a tuple, which JSON does not have",
    ("test_cast_value.py", "test_encode_rejects_outdated_backend"): "replaces a private method of zarr-python's class",
    **{
        ("test_array.py", f"test_multiprocessing[{shards}-local-{method}]"): "imports the tests in another process, "
        "where they fail if any installed package adds data types"
        for shards in ("None", "shards1")
        for method in ("spawn", "forkserver")
    },
}

exactum.zarr.enable()
for module in (zarr.codecs, zarr.codecs.cast_value):
    module.CastValue = exactum.zarr.CastValue  # type: ignore[assignment, misc]
for module in (zarr.codecs, zarr.codecs.scale_offset):
    module.ScaleOffset = exactum.zarr.ScaleOffset  # type: ignore[assignment, misc]
# Without the library that zarr-python uses for casts, the tests would skip casts, but this package does not need it.
sys.modules["cast_value_rs"] = types.ModuleType("cast_value_rs")

# The tests iterate over the data types while they look one up. The lookup would load those of other packages meanwhile.
data_type_registry._lazy_load()

_raises = pytest.raises
rejections = 0
# The number of rejections that each worker of pytest-xdist encountered.
accepted: dict[str, int] = {}


class _Raises:
    """``pytest.raises``, except that a rejection that names its clause may have any message."""

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
    """``pytest.raises`` with the signature with which the tests call it."""
    if arguments or options:
        return _raises(expected, *arguments, match=match, **options)
    return _Raises(expected, match)


pytest.raises = raises  # type: ignore[assignment]


# The tests run with every registered data type, including those of this package.
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
    """Expects data types of this package to refuse Zarr 2, and adds the number of rejections to the report."""
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
    """Prints what was left out, and how often a clause was accepted in place of a message."""
    terminalreporter.write_line(
        f"{sum(accepted.values())} rejections were accepted by their clauses instead of their messages"
    )
    for (file, name), why in LEFT_OUT.items():
        terminalreporter.write_line(f"left out: {file}::{name}, which {why}")
    for name, why in OF_DATA_TYPES.items():
        terminalreporter.write_line(f"left out with the data types of this package: {name}, which {why}")
