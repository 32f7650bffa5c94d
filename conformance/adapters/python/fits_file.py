"""A packed variable as the bytes of a FITS file: a header of keywords, followed by codes in big-endian order."""

from exactum import array, attributes

KEYWORDS = {"scale_factor": "BSCALE", "add_offset": "BZERO", "_FillValue": "BLANK"}
# FITS has no keyword for these.
OTHERS = {name: [None] for name in ("missing_value", "valid_min", "valid_max", "valid_range", "_Unsigned")}
# FITS has these integers, but no types of attributes: readers choose the float type by the width of the codes.
UNPACKED = {"float32": ["uint8", "int16"], "float64": ["int32"]}
CODES, VALUES = ["uint8", "int16", "int32"], [*UNPACKED]


def typed(codes, values):
    """Returns the restrictions of an operation between codes and values, under the names of their types in `hello`."""
    others = [{values: [value], codes: [it for it in CODES if it not in UNPACKED[value]]} for value in VALUES]
    return {codes: CODES, values: VALUES, "except": others}


def keywords(request):
    """Returns the type of the codes and the keywords of a request."""
    packed, of = attributes(request)
    return packed, {KEYWORDS[name]: value.item() for name, value in of.items()}


def card(name, value):
    """Returns a line of a header."""
    text = {True: "T", False: "F"}[value] if isinstance(value, bool) else repr(value).upper()
    return f"{name:<8}= {text:>20}".ljust(80)


def file(request):
    """Returns the file that a request asks to read."""
    packed, of = keywords(request)
    codes = array(request["input"])
    members = {"SIMPLE": True, "BITPIX": 8 * packed.itemsize, "NAXIS": 1, "NAXIS1": codes.size, **of}
    header = "".join(card(name, value) for name, value in members.items()) + "END".ljust(80)
    data = codes.astype(packed.newbyteorder(">")).tobytes()
    return padded(header.encode(), b" ") + padded(data, b"\0")


def padded(data, by):
    """Returns the data padded to whole blocks of 2880 bytes."""
    return data + by * (-len(data) % 2880)
