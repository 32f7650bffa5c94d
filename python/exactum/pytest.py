"""A pytest plugin that judges another library by the vectors, with one test for each vector.

An implementer writes two functions::

    from exactum.pytest import Conformance

    class TestCasts(Conformance):
        operations = ["cast_value.encode"]
        expected = "expected-failures.txt"

        def offers(self, request):
            return request.settings.keys() == {"data_type"} and request.target == "int16"

        def answer(self, request):
            return my_library.cast(request.array, request.target)

``pytest --exactum-update`` writes the ids that fail into the file ``expected``. From then on, these ids are expected to
fail, and an id that passes is a failure: the file lists exactly the known failures.
"""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ._vectors import OPERATIONS, Answer, Request, Vector, load

__all__ = ["OPERATIONS", "Conformance", "Request", "Vector"]

_FAILED: pytest.StashKey[dict[Path, dict[str, bool]]] = pytest.StashKey()


class Conformance:
    """A test class in which an implementer defines :meth:`offers` and :meth:`answer`."""

    operations: ClassVar[Sequence[str]] = OPERATIONS
    """The operations that are judged."""
    levels: ClassVar[Sequence[str]] = ("must",)
    """The levels of the vectors: ``"must"``, and optionally ``"ruling"`` and ``"may"``."""
    expected: ClassVar[str | None] = None
    """A file with the ids that are expected to fail, next to the test file."""
    rejections: ClassVar[tuple[type[Exception], ...]] = (ValueError, OverflowError, TypeError)
    """The exceptions that are rejections; any other exception is a failure."""

    def offers(self, request: Request) -> bool:
        """Whether the library supports the request."""
        raise NotImplementedError

    def answer(self, request: Request) -> Answer:
        """The library's answer to the request: an array, or bytes as in memory. A rejection is raised."""
        raise NotImplementedError

    def test_vector(self, vector: Vector) -> None:
        """Compares the answer of the library with the vector."""
        for request in vector.requests():
            try:
                answer: Answer | None = self.answer(request)
            except self.rejections:
                answer = None
            why = vector.difference(answer)
            if why is not None:
                where = "" if request.element is None else f"element {request.element} alone "
                pytest.fail(
                    f"{vector.id}\n{where}{why}\nclauses: {', '.join(vector.clauses)}\n"
                    f"request: {_text(request)}\nexactum explain {vector.id}",
                    pytrace=False,
                )


def _text(request: Request) -> str:
    elements = request.elements[:16].hex() + ("..." if len(request.elements) > 16 else "")
    return f"{request.op} {request.configuration} of {request.source}{list(request.shape)} 0x{elements}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of the plugin."""
    group = parser.getgroup("exactum")
    text = "write the ids of vectors that fail into the files of expected failures"
    group.addoption("--exactum-update", action="store_true", help=text)


def _file_of(cls: type[Conformance], config: pytest.Config, path: Path) -> Path | None:
    return path.parent / cls.expected if cls.expected else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Makes one test for each vector that the library offers."""
    cls = metafunc.cls
    if not (isinstance(cls, type) and issubclass(cls, Conformance)):
        return
    if "vector" not in metafunc.fixturenames:
        return
    implementer = cls()
    path = Path(str(metafunc.module.__file__))
    file = _file_of(cls, metafunc.config, path)
    known: set[str] = set()
    if file and file.exists() and not metafunc.config.getoption("--exactum-update"):
        known = {line for line in file.read_text().splitlines() if line and line[0] != "#"}
    mark = pytest.mark.xfail(strict=True, reason=f"listed in {cls.expected}")
    vectors = (it for it in load(cls.operations, cls.levels) if implementer.offers(it.request))
    metafunc.parametrize(
        "vector",
        [pytest.param(it, id=it.id, marks=[mark] if it.id in known else []) for it in vectors],
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Records which vectors fail, if this is requested."""
    report = yield
    cls: Any = getattr(item, "cls", None)
    is_ours = isinstance(cls, type) and issubclass(cls, Conformance) and hasattr(item, "callspec")
    if not (is_ours and call.when == "call" and item.config.getoption("--exactum-update")):
        return report
    file = _file_of(cls, item.config, item.path)
    if file is not None:
        vector: Vector = item.callspec.params["vector"]  # type: ignore[attr-defined]
        recorded = item.config.stash.setdefault(_FAILED, {}).setdefault(file, {})
        recorded[vector.id] = report.failed
        if report.failed:
            report.outcome = "skipped"
            report.wasxfail = f"written to {file.name}"
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes the files of expected failures; ids that did not run are kept."""
    for file, ran in session.config.stash.get(_FAILED, {}).items():
        before = file.read_text().splitlines() if file.exists() else []
        kept = {line for line in before if line and line[0] != "#" and line not in ran}
        ids = sorted(kept | {name for name, failed in ran.items() if failed})
        head = "# Vectors that are expected to fail; updated by `pytest --exactum-update`.\n"
        file.write_text(head + "".join(f"{name}\n" for name in ids))
