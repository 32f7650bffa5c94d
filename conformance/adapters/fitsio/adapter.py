"""fitsio, and with it cfitsio: the data of a FITS image, scaled by its keywords on reading.

It can read files only by name. Its interface cannot write scaled integers.
"""

import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import fitsio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import output, refusing, serve
from fits_file import OTHERS, file, typed


def decode(folder, request):
    path = Path(folder) / "image.fits"
    path.write_bytes(file(request))
    with refusing("metadata"):
        values = fitsio.read(str(path))
    return output(values)


if __name__ == "__main__":
    domain = {"rank": [1], "empty": [False], "reader": [None, "cf"], **OTHERS}
    with TemporaryDirectory() as folder:
        serve(
            "fitsio",
            version("fitsio"),
            {
                "cf.decode": (
                    {**typed("from", "to"), **domain},
                    lambda request: decode(folder, request),
                )
            },
        )
