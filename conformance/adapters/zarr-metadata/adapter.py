"""zarr-metadata: its model of array documents, which checks a document against the definitions of the core and of the
registered extensions, including `cast_value` and `scale_offset`.

The parser does not reject unknown members of a document but lists them. Its documentation requires the implementation
that reads the document to reject those that must be understood. This adapter does not understand any.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from zarr_metadata import ZarrV3ArrayMetadata

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, Reject, refusing, serve

CODECS = ["blosc", "bytes", "cast_value", "crc32c", "gzip", "scale_offset"]
CODECS += ["sharding_indexed", "transpose", "zstd"]
TYPES = ["bool", *INTEGERS, *FLOATS, "complex64", "complex128"]


def metadata_validate(request):
    with refusing("metadata"):
        document = ZarrV3ArrayMetadata.from_key_value({"zarr.json": request["document"].encode()})
    if fields := document.must_understand_fields:
        raise Reject("metadata", f"these must be understood: {', '.join(fields)}", False)
    return {}


if __name__ == "__main__":
    documents = {"codecs": CODECS, "data_types": TYPES, "kind": ["array"]}
    serve("zarr-metadata", version("zarr-metadata"), {"metadata.validate": (documents, metadata_validate)})
