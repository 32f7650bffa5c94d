"""Runs the examples of all docstrings and of the README, against the installed package."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The package that is installed, not the sources beside this folder, which have no extension module.
HERE = Path(__file__).resolve().parent
sys.path[:] = [path for path in sys.path if Path(path).resolve() not in (HERE, HERE.parent)]


def docstrings() -> int:
    """Runs the examples of docstrings and returns the number of failures."""
    package = importlib.import_module("exactum")
    names = [f"exactum.{it.name}" for it in pkgutil.iter_modules(package.__path__)]
    failed = attempted = 0
    for name in ["exactum", *sorted(names)]:
        if name.endswith((".__main__", "._exactum")):
            continue
        result = doctest.testmod(importlib.import_module(name))
        failed, attempted = failed + result.failed, attempted + result.attempted
    print(f"{attempted} examples of docstrings, {failed} failed")
    return failed + (attempted == 0)


# Arrays that zarrs writes, as the command has it: one with packed bits, and the levels of a pyramid with zfp.
BY_ZARRS = """
import json
import numpy as np, zarr
import exactum, exactum.zarr
from exactum import _exactum

def run(*arguments):
    code, _, complaints = _exactum.call(["exactum", *arguments])
    assert code == 0, complaints

field = np.linspace(250, 310, 5000, dtype="float32")
zarr.create_array("field.zarr", data=field, chunks=(1000,))
with open("codecs.json", "w") as file:
    json.dump(exactum.plan(field, max_error=0.005).document, file)
run("pack", "field.zarr", "bits.zarr", "--codecs=codecs.json")
zfp = exactum.zarr.Zfp(mode="fixed_accuracy", tolerance=0.005)
zarr.create_array("zfp.zarr", data=field, chunks=(1000,), serializer=zfp, compressors=None)
run("downsample", "zfp.zarr", "pyramid.zarr", "--factors=2", "--method=stride", "--levels=1")
for name, codec in {"bits.zarr": "packbits", "pyramid.zarr/1": "zfp"}.items():
    assert codec in [it["name"] for it in json.load(open(f"{name}/zarr.json"))["codecs"]]
"""


def readme() -> int:
    """Runs the Python blocks of the README, each group in one process, and returns the number of failures."""
    text = (HERE.parent / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", BY_ZARRS], cwd=folder, check=True)
        for block in blocks:
            lines = [line for line in block.splitlines() if line.strip()]
            if "def test_" in block or "(Conformance)" in block:
                Path(folder, "test_readme.py").write_text(block)
                command = [sys.executable, "-m", "pytest", "-q", "-x", "test_readme.py"]
            else:
                command = [sys.executable, "-c", block]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                print(f"{block}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
            if len(lines) >= 10:
                print(f"a block of the README has {len(lines)} lines, but at most nine are allowed:\n{block}")
            failed += bool(done.returncode) or len(lines) >= 10
    print(f"{len(blocks)} examples of the README, {failed} failed")
    return failed + (not blocks)


if __name__ == "__main__":
    sys.exit(min(docstrings() + readme(), 1))
