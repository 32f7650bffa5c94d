"""astropy: the data of a FITS image, scaled by its keywords on reading and by `scale` before writing."""

import io
import os
import sys
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path

# astropy looks for its settings there, and the user as which it runs may not have a home folder.
os.environ["HOME"] = tempfile.gettempdir()

import numpy as np
from astropy.io import fits

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import array, output, refusing, serve
from fits_file import OTHERS, file, keywords, typed

warnings.simplefilter("ignore")


def decode(request):
    data = file(request)
    with refusing("metadata"), fits.open(io.BytesIO(data)) as opened:
        values = np.array(opened[0].data)
    return output(values)


def encode(request):
    packed, of = keywords(request)
    image = fits.PrimaryHDU(array(request["input"]).copy())
    with refusing("metadata"):
        image.scale(packed.name, bscale=of.get("BSCALE", 1), bzero=of.get("BZERO", 0))
    return output(image.data)


if __name__ == "__main__":
    domain = {"rank": [1], "empty": [False], "reader": [None, "cf"], **OTHERS}
    serve(
        "astropy",
        version("astropy"),
        {
            "cf.decode": ({**typed("from", "to"), **domain}, decode),
            "cf.encode": ({**typed("to", "from"), "_FillValue": [None], **domain}, encode),
        },
    )
