"""Tests that arrays of every layout are either converted correctly or refused."""

import threading

import ml_dtypes
import numpy as np
import pytest

import exactum

BASE = np.arange(-120, 120, dtype="float64").reshape(4, 6, 10)

LAYOUTS = {
    "plain": lambda a: a,
    "fortran": lambda a: np.asfortranarray(a),
    "reversed": lambda a: a[::-1, :, ::-1],
    "strided": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "transposed": lambda a: a.transpose(2, 0, 1),
    "broadcast": lambda a: np.broadcast_to(a[:1], (5, *a.shape[1:])),
    "foreign": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "foreign-reversed": lambda a: a.astype(a.dtype.newbyteorder(">"))[:, ::-1],
    "scalar": lambda a: a[1, 2, 3],
    "empty": lambda a: a[:0],
    "empty-inside": lambda a: a[:, :0],
    "read-only": lambda a: _frozen(a),
    "misaligned": lambda a: _misaligned(a),
}


def _frozen(a):
    frozen = a.copy()
    frozen.flags.writeable = False
    return frozen


def _misaligned(a):
    memory = bytearray(a.nbytes + 1)
    shifted = np.frombuffer(memory, a.dtype, offset=1).reshape(a.shape)
    shifted[...] = a
    assert a.itemsize == 1 or not shifted.flags.aligned
    return shifted


@pytest.fixture(params=LAYOUTS.values(), ids=LAYOUTS)
def layout(request):
    return request.param


def test_casts_take_every_layout(layout):
    a = layout(BASE)
    got = exactum.cast(a, "int8")
    assert got.dtype == np.int8
    np.testing.assert_array_equal(got, np.asarray(a).astype(np.int8))
    out = layout(np.zeros(BASE.shape, "int8"))
    if not isinstance(out, np.ndarray) or not out.flags.writeable:
        return
    if out.shape == np.shape(a):
        assert exactum.cast(a, "int8", out=out) is out
        np.testing.assert_array_equal(out, np.asarray(a).astype(np.int8))


def test_bytes_and_back_take_every_layout(layout):
    a = np.asarray(layout(BASE.astype("int16")))
    want = a.astype("<i2").tobytes()
    assert exactum.bytes.encode(a).tobytes() == want
    assert exactum.packbits.encode(a).tobytes() == want
    np.testing.assert_array_equal(exactum.packbits.decode(want, a.shape, a.dtype), a)
    np.testing.assert_array_equal(exactum.bytes.decode(want, a.shape, "int16"), a)


def test_scale_offset_takes_every_layout(layout):
    a = layout(BASE)
    np.testing.assert_array_equal(exactum.scale_offset.encode(a, scale=2.0, offset=1.0), (np.asarray(a) - 1) * 2)


def test_downsample_takes_every_layout(layout):
    a = np.asarray(layout(BASE))
    if not a.ndim:
        return
    want = a[tuple(slice(None, None, 2) for _ in a.shape)]
    np.testing.assert_array_equal(exactum.downsample(a, 2, "stride"), want)


def test_large_strided_arrays_pass_block_by_block():
    a = np.arange(300_000, dtype="int32").reshape(3, 100_000)[:, ::-3]
    want = a.astype("float64")
    np.testing.assert_array_equal(exactum.cast(a, "float64"), want)
    bad = a.astype("float64")
    bad[2, 20_000] = np.nan
    with pytest.raises(exactum.Rejection) as caught:
        exactum.cast(np.asfortranarray(bad), "int32")
    assert caught.value.place == 2 * a.shape[1] + 20_000


def test_an_output_may_be_the_input_or_overlap_it():
    a = np.arange(100, dtype="float32")
    assert exactum.scale_offset.encode(a, scale=2.0, out=a) is a
    np.testing.assert_array_equal(a, np.arange(0, 200, 2, dtype="float32"))
    memory = np.arange(101, dtype="int16")
    exactum.cast(memory[:-1], "int16", out=memory[1:])
    np.testing.assert_array_equal(memory[1:], np.arange(100))
    memory = np.arange(100, dtype="int16")
    exactum.cast(memory, "int16", out=memory[::-1])
    np.testing.assert_array_equal(memory, np.arange(100)[::-1])


@pytest.mark.parametrize(
    ("out", "error"),
    [
        (np.zeros(3, "int16"), ValueError),
        (np.zeros(4, "int8"), TypeError),
        (np.zeros((2, 2), "int16"), ValueError),
        (_frozen(np.zeros(4, "int16")), ValueError),
        ([0, 0, 0, 0], TypeError),
        (np.zeros(4, object), TypeError),
    ],
)
def test_wrong_outputs_are_refused(out, error):
    with pytest.raises(error):
        exactum.cast(np.zeros(4), "int16", out=out)


def test_strided_outputs_of_bytes_are_refused():
    for out in (np.zeros(8, "uint8")[::2], np.zeros((2, 2), "uint8")):
        with pytest.raises(ValueError, match="out"):
            exactum.packbits.encode(np.zeros(4, "uint8"), out=out)


@pytest.mark.parametrize(
    "call",
    [
        lambda: exactum.cast(np.array(["a"]), "int8"),
        lambda: exactum.cast(np.array([object()]), "int8"),
        lambda: exactum.cast(np.zeros(2, "datetime64[s]"), "int8"),
        lambda: exactum.cast(np.zeros(2, [("a", "i4")]), "int8"),
        lambda: exactum.cast(np.ma.masked_array([1, 2], [0, 1]), "int8"),
        lambda: exactum.cast(np.zeros(2), "int3"),
        lambda: exactum.cast(np.zeros(2), "complex64"),
        lambda: exactum.cast(np.zeros(2), "int8", rounding='"x'),
        lambda: exactum.packbits.decode(b"123", (1 << 40, 1 << 40), "int8"),
        lambda: exactum.packbits.decode(b"123", -1, "int8"),
        lambda: exactum.zfp.decode(b"123", (1 << 31, 1 << 31), "float64"),
        lambda: exactum.zfp.encode(np.zeros((1, 1, 1, 1, 1))),
        lambda: exactum.zfp.encode(np.zeros(4), tolerance=float("nan")),
        lambda: exactum.downsample(np.zeros((2, 2)), [0, 1]),
        lambda: exactum.downsample(np.zeros((2, 2)), [2]),
        lambda: exactum.downsample(np.zeros(2), 2, "average"),
        lambda: exactum.bytes.decode(np.zeros((2, 2), "uint8"), 4, "uint8"),
    ],
)
def test_what_there_is_no_result_for_is_refused(call):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        call()


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float6_e3m2fn", "int4", "uint2"])
def test_small_types_are_those_of_ml_dtypes(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    values = [0, 1, 2, 3] if name == "uint2" else [0, 1, -2, 3]
    got = exactum.cast(np.array(values, "float32"), name)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got.astype("float32"), values)
    np.testing.assert_array_equal(exactum.cast(got[::-1], "float64"), values[::-1])
    packed = exactum.packbits.encode(got) if not name.startswith("float8") else None
    if packed is not None:
        back = exactum.packbits.decode(packed, 4, name)
        np.testing.assert_array_equal(back.astype("float32"), values)


def test_zeros_of_both_signs_are_different_parameters():
    a = np.array([-0.0])
    decode = exactum.scale_offset.decode
    assert not np.signbit(decode(a, offset=0.0))[0]
    assert np.signbit(decode(a, offset=-0.0))[0]
    assert np.signbit(decode(a))[0]


def test_errors_have_their_attributes():
    with pytest.raises(exactum.Rejection) as caught:
        exactum.cast(np.array([[0.0, 300.0]]), "uint8")
    why = caught.value
    assert (why.reason, why.clause, why.place) == ("out_of_range", "cast_value.range.error", 1)
    with pytest.raises(exactum.Rejection) as caught:
        exactum.cast(np.zeros(1), "uint8", rounding="up")
    assert caught.value.place == "/rounding"


def test_threads_share_the_work():
    a = np.linspace(-1, 1, 1_000_000)
    want = exactum.cast(a, "float32")
    results = [None] * 4

    def work(index):
        results[index] = exactum.cast(a, "float32")

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, want) for result in results)


def test_no_more_than_the_result_is_allocated():
    import tracemalloc

    a = np.zeros(1_000_000, "float64")
    exactum.cast(a, "int16")
    tracemalloc.start()
    exactum.cast(a, "int16")
    exactum.cast(a[::-1], "int16", out=np.zeros(1_000_000, "int16"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000 + 100_000
