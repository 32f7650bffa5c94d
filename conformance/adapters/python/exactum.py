"""What the Python adapters share: the loop of the protocol, and its hex as numpy arrays and back.

Nothing here computes with a value: hex becomes bytes, and bytes become a view.
"""

import json
import os
import sys
from contextlib import contextmanager

import numpy as np

INTEGERS = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
FLOATS = ["float16", "float32", "float64"]


class Reject(Exception):
    """A refusal: a reason of vectors/reasons.json, then words."""


def words(error):
    """An exception as text; a lone surrogate that it quotes would be no JSON."""
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()


@contextmanager
def refusing(reason, *exceptions):
    """Turns exceptions with which a library refuses into a rejection. Others stay faults."""
    try:
        yield
    except exceptions as error:
        raise Reject(reason, words(error)) from error


def dtype(name):
    """The numpy type of a data type's name, little-endian as in the protocol."""
    return np.dtype(name).newbyteorder("<")


def array(member):
    """The numpy array of `{"data_type", "shape", "data"}`."""
    elements = np.frombuffer(bytearray.fromhex(member["data"]), dtype(member["data_type"]))
    return elements.reshape(member["shape"])


def hexed(values):
    """The bytes of an array, little-endian and in C order, as hex."""
    values = np.asarray(values)
    return values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes().hex()


def output(values):
    """The member `output` of an array: type and shape are those that the library gave it."""
    shape = list(values.shape)
    return {"output": {"data_type": values.dtype.name, "shape": shape, "data": hexed(values)}}


def serve(name, version, operations, configurations=True):
    """Answers requests until stdin ends. `operations` has for each name its domain, as in the
    answer to hello, and a function from a request to the members of `ok`."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
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
            reason, message = refusal.args
            return {"reject": {"reason": reason, "message": message}}
        except BaseException as error:  # panics of Rust extensions are no Exception
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            return {"error": {"message": words(error)}}

    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
            members = {"id": request["id"], **answer(request)}
        except (ValueError, KeyError, TypeError) as error:  # the line is no request
            members = {"id": None, "error": {"message": f"{type(error).__name__}: {error}"}}
        answers.write(json.dumps(members).encode() + b"\n")
        answers.flush()
