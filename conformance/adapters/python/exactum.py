"""Code shared by the Python adapters: the loop of the protocol, and the conversion between hex and NumPy arrays.

Nothing here computes with values: hex becomes bytes, and bytes become a view.
"""

import dis
import json
import os
import sys
from contextlib import contextmanager

import numpy as np

INTEGERS = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
FLOATS = ["float16", "float32", "float64"]


class Reject(Exception):
    """A refusal: a reason from vectors/reasons.json, a message, and whether it was accidental."""


class Unsupported(Exception):
    """A request that the library's interface cannot express."""


def words(error):
    """Returns an exception as text. Lone surrogates that it quotes are replaced, because they are not valid JSON."""
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()


# The exceptions that Python raises for mistakes in a program.
MISTAKES = (AssertionError, AttributeError, LookupError, NameError, TypeError, ZeroDivisionError)


def by_accident(error):
    """Returns whether a refusal was accidental: Python itself raised the exception, not a `raise` in the library."""
    place = error.__traceback__
    while place.tb_next is not None:
        place = place.tb_next
    raised = dis.opname[place.tb_frame.f_code.co_code[place.tb_lasti]] in ("RAISE_VARARGS", "RERAISE")
    # A configuration is often passed on as arguments, and the signature rejects unknown members.
    signature = isinstance(error, TypeError) and "keyword" in str(error)
    return isinstance(error, MISTAKES) and not raised and not signature


@contextmanager
def refusing(reason):
    """Turns any exception from the call of a library into a refusal. Running out of memory, and the panic of
    an extension, which is not an Exception, are not refusals."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise Reject(reason, words(error), by_accident(error)) from error


def dtype(name):
    """Returns the NumPy type with the name of a data type, little-endian as in the protocol."""
    return np.dtype(name).newbyteorder("<")


def array(member):
    """Returns the NumPy array for `{"data_type", "shape", "data"}`."""
    elements = np.frombuffer(bytearray.fromhex(member["data"]), dtype(member["data_type"]))
    return elements.reshape(member["shape"])


def attributes(request):
    """Returns the type of the codes and the attributes of a packed variable, typed as in a netCDF file."""
    members = json.loads(request["configuration"])
    packed = np.dtype(members.pop("data_type"))
    number = np.dtype(members.pop("attribute_type", "float64")).type
    members.pop("reader", None)
    typed = {}
    for name, value in members.items():
        if name in ("scale_factor", "add_offset"):
            typed[name] = number(value)
        elif name == "_Unsigned":
            typed[name] = value
        else:
            typed[name] = np.array(value, packed) if isinstance(value, list) else packed.type(value)
    return packed, typed


def hexed(values):
    """Returns the bytes of an array, little-endian and in C order, as hex."""
    values = np.asarray(values)
    return values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes().hex()


def output(values, data_type=None):
    """Returns the member `output` for an array, with the type and shape from the library. `data_type` names
    the type if the library returns the elements in another one."""
    name = data_type or values.dtype.name
    return {"output": {"data_type": name, "shape": list(values.shape), "data": hexed(values)}}


def one_chunk(data_type, shape, fill_value, configuration):
    """Returns the document of an array with one chunk. Texts of requests are inserted unchanged."""
    member = "" if configuration is None else f', "configuration": {configuration}'
    return (
        f'{{"zarr_format": 3, "node_type": "array", "data_type": "{data_type}", "shape": {shape}, '
        f'"chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape}}}}}, '
        f'"chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, '
        f'"codecs": [{{"name": "bytes"{member}}}]}}'
    )


def serve(name, version, operations, configurations=True):
    """Answers requests until stdin ends. `operations` maps each name to its domain, as in the answer to
    `hello`, and to a function from a request to the members of `ok`."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output printed by a library is not an answer
    hello = {
        "protocol": 1,
        "name": name,
        "version": version,
        "language": "python",
        "operations": {operation: domain for operation, (domain, _) in operations.items()},
        "configurations": configurations,
    }

    def answer(request):
        if request["op"] == "hello":
            return {"ok": hello}
        if request["op"] not in operations:
            return {"unsupported": {"message": f"{request['op']} is not offered"}}
        try:
            return {"ok": operations[request["op"]][1](request)}
        except Reject as refusal:
            reason, message, accident = refusal.args
            return {"reject": {"reason": reason, "message": message, "accident": accident}}
        except Unsupported as lack:
            return {"unsupported": {"message": str(lack)}}
        except BaseException as error:  # panics of Rust extensions are not Exception
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            return {"error": {"message": words(error)}}

    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
            members = {"id": request["id"], **answer(request)}
        except (ValueError, KeyError, TypeError) as error:  # the line is not a request
            members = {"id": None, "error": {"message": f"{type(error).__name__}: {error}"}}
        answers.write(json.dumps(members).encode() + b"\n")
        answers.flush()
