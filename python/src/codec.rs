//! The codecs over NumPy arrays.

use std::num::NonZeroUsize;

use exactum_metadata as metadata;
use exactum_model::{
    Array, BitRound, Bytes, CastValue, Cf, DataType, Direction, PackBits, Reason, Rejection,
    ScaleOffset, Zfp,
};
use exactum_optimized::{bitround, bytes, cast_value, cf, packbits, scale_offset, zfp};
use numpy::{
    PyArray1, PyArrayDescr, PyArrayDescrMethods as _, PyArrayMethods as _, PyUntypedArray,
    PyUntypedArrayMethods as _,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arch::{self, Memory};
use crate::rejection::raise;

/// Below this number of bytes, releasing the interpreter lock takes longer than the work itself.
const DETACHED: usize = 1 << 15;

/// A codec that has been resolved for a data type.
#[pyclass(frozen, module = "exactum._exactum")]
pub(crate) struct Codec {
    operation: Operation,
    decoded: Side,
    encoded: Side,
}

enum Operation {
    BitRound(BitRound),
    Bytes(Bytes),
    CastValue(CastValue),
    Cf(Cf),
    PackBits(PackBits),
    ScaleOffset(ScaleOffset),
    Zfp(Zfp),
}

/// The elements on one side of a codec.
struct Side {
    data_type: DataType,
    descr: Py<PyArrayDescr>,
}

/// Returns the data type with this name.
pub(crate) fn data_type_of(name: &str) -> Result<DataType, Rejection> {
    metadata::parse_data_type(name)
}

impl Operation {
    /// Parses the configuration of the codec `name`. Returns the codec and the data type of its encoded elements.
    fn parse(
        name: &str,
        text: &str,
        data_type: DataType,
        rank: usize,
    ) -> Result<(Self, DataType), Rejection> {
        let operation = match name {
            "bitround" => Self::BitRound(metadata::parse_bitround(text, data_type)?),
            "bytes" => Self::Bytes(metadata::parse_bytes(text, data_type)?),
            "cast_value" => Self::CastValue(metadata::parse_cast_value(text, data_type)?),
            "cf" => Self::Cf(metadata::parse_cf(text, data_type)?),
            "packbits" => Self::PackBits(metadata::parse_packbits(text, data_type)?),
            "scale_offset" => Self::ScaleOffset(metadata::parse_scale_offset(text, data_type)?),
            "zfp" => Self::Zfp(metadata::parse_zfp(text, data_type, rank)?),
            _ => {
                let message = format!("unknown codec {name}");
                let reason = Reason::UnsupportedCodec;
                return Err(Rejection::new(reason, "chain.codecs", message));
            }
        };
        let encoded = match &operation {
            Self::CastValue(codec) => codec.encoded,
            Self::Cf(codec) => codec.packed,
            Self::BitRound(_) | Self::ScaleOffset(_) => data_type,
            Self::Bytes(_) | Self::PackBits(_) | Self::Zfp(_) => DataType::Uint8,
        };
        Ok((operation, encoded))
    }

    /// Converts contiguous elements with `bytes` or with a codec that turns arrays into arrays.
    fn run(&self, direction: Direction, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
        use Direction::{Decode, Encode};
        match (self, direction) {
            (Self::BitRound(codec), Encode) => bitround::encode_into(codec, input, output),
            (Self::BitRound(codec), Decode) => bitround::decode_into(codec, input, output),
            (Self::CastValue(codec), Encode) => cast_value::encode_into(codec, input, output),
            (Self::CastValue(codec), Decode) => cast_value::decode_into(codec, input, output),
            (Self::Cf(codec), Encode) => cf::encode_into(codec, input, output),
            (Self::Cf(codec), Decode) => cf::decode_into(codec, input, output),
            (Self::ScaleOffset(codec), Encode) => scale_offset::encode_into(codec, input, output),
            (Self::ScaleOffset(codec), Decode) => scale_offset::decode_into(codec, input, output),
            (Self::Bytes(codec), Encode) => bytes::encode_into(codec, input, output),
            (Self::Bytes(codec), Decode) => bytes::decode_into(codec, input, output),
            (Self::PackBits(codec), Encode) => packbits::encode_into(codec, input, output),
            (Self::PackBits(codec), Decode) => packbits::decode_into(codec, input, output),
            (Self::Zfp(_), _) => unreachable!("zfp requires the shape"),
        }
    }
}

#[pymethods]
impl Codec {
    /// Resolves the codec `name`, with the JSON text of its configuration, for arrays of `rank` dimensions.
    #[new]
    fn new(
        py: Python<'_>,
        name: &str,
        configuration: &str,
        data_type: &str,
        decoded: Py<PyArrayDescr>,
        encoded: Py<PyArrayDescr>,
        rank: usize,
    ) -> PyResult<Self> {
        let resolved = data_type_of(data_type).and_then(|data_type| {
            Ok((
                data_type,
                Operation::parse(name, configuration, data_type, rank)?,
            ))
        });
        let (data_type, (operation, target)) = resolved.map_err(|why| raise(py, &why))?;
        let side = |data_type: DataType, descr: Py<PyArrayDescr>| match descr.bind(py).itemsize()
            == data_type.element_bytes()
        {
            true => Ok(Side { data_type, descr }),
            false => Err(PyTypeError::new_err(format!(
                "elements of {data_type} have {} bytes, not {}",
                data_type.element_bytes(),
                descr.bind(py).itemsize()
            ))),
        };
        Ok(Self {
            operation,
            decoded: side(data_type, decoded)?,
            encoded: side(target, encoded)?,
        })
    }

    /// Returns the number of bytes to which any array of this shape is encoded, or `None` if the number varies.
    fn encoded_bytes(&self, shape: Vec<u64>) -> Option<u64> {
        let elements = || {
            shape
                .iter()
                .try_fold(1_u64, |all, &extent| all.checked_mul(extent))
        };
        match &self.operation {
            Operation::PackBits(codec) => packbits::encoded_bytes(codec, elements()?),
            Operation::Zfp(codec) => zfp::encoded_bytes(codec, &shape),
            _ => elements()?.checked_mul(self.encoded.data_type.element_bytes() as u64),
        }
    }

    /// Encodes an array element by element.
    fn encode<'py>(
        &self,
        a: &Bound<'py, PyUntypedArray>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.elementwise(Direction::Encode, a, out)
    }

    /// Decodes an array element by element.
    fn decode<'py>(
        &self,
        a: &Bound<'py, PyUntypedArray>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.elementwise(Direction::Decode, a, out)
    }

    /// Encodes an array to bytes.
    fn to_bytes<'py>(
        &self,
        a: &Bound<'py, PyUntypedArray>,
        out: Option<&Bound<'py, PyAny>>,
        threads: NonZeroUsize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = a.py();
        self.decoded.require(a, "the array")?;
        let shape: Vec<u64> = a.shape().iter().map(|&extent| extent as u64).collect();
        let components = self.decoded.components();
        let rejected = |why: Rejection| raise(py, &why);
        if let Operation::Zfp(codec) = &self.operation {
            let input = plain_alone(a, components)?;
            let mut stream = Vec::new();
            py.detach(|| {
                let encode =
                    |bytes: &[u8]| zfp::encode_into(codec, &shape, bytes, &mut stream, threads);
                input.memory.read(encode)
            })
            .map_err(rejected)?;
            return match out {
                None => Ok(PyArray1::from_vec(py, stream).into_any()),
                Some(out) => copied(py, &stream, out),
            };
        }
        let bytes = match &self.operation {
            Operation::PackBits(codec) => packbits::encoded_bytes(codec, a.len() as u64),
            _ => Some((a.len() * self.decoded.data_type.element_bytes()) as u64),
        };
        let too_many = || PyValueError::new_err("the encoded array does not fit into memory");
        let bytes = bytes.and_then(|bytes| isize::try_from(bytes).ok());
        let extents = [bytes.ok_or_else(too_many)?.unsigned_abs()];
        let descr = self.encoded.descr.bind(py);
        let output = Output::plain(py, out, &extents, descr, 1)?;
        let input = plain(a, components, &output.memory)?;
        self.work(py, Direction::Encode, &input.memory, &output.memory)?;
        Ok(output.array)
    }

    /// Decodes bytes to an array of the given shape.
    #[pyo3(name = "from_bytes")]
    fn decode_bytes<'py>(
        &self,
        buffer: &Bound<'py, PyUntypedArray>,
        shape: Vec<usize>,
        out: Option<&Bound<'py, PyAny>>,
        threads: NonZeroUsize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = buffer.py();
        self.encoded.require(buffer, "the buffer")?;
        let rejected = |why: Rejection| raise(py, &why);
        let wide: Vec<u64> = shape.iter().map(|&extent| extent as u64).collect();
        let data_type = self.decoded.data_type;
        // No memory is allocated for a shape that does not match the number of bytes.
        let size = Array::bytes_of(data_type, &wide).map_err(rejected)?;
        let elements = size / data_type.element_bytes() as u64;
        let needed = match &self.operation {
            Operation::PackBits(codec) => packbits::encoded_bytes(codec, elements),
            Operation::Bytes(_) => Some(size),
            _ => None,
        };
        let actual = buffer.len();
        if needed.is_some_and(|needed| needed != actual as u64) {
            let message = format!(
                "shape {shape:?} of {data_type} is encoded to {} bytes, not {actual}",
                needed.unwrap_or_default()
            );
            let clause = match &self.operation {
                Operation::PackBits(_) => "packbits.length",
                _ => "bytes.length",
            };
            return Err(rejected(Rejection::new(Reason::Truncated, clause, message)));
        }
        let components = self.decoded.components();
        let output = Output::plain(py, out, &shape, self.decoded.descr.bind(py), components)?;
        let input = plain(buffer, 1, &output.memory)?;
        match &self.operation {
            Operation::Zfp(codec) => py
                .detach(|| {
                    arch::pair(&input.memory, &output.memory, |bytes, output| {
                        zfp::decode_into(codec, &wide, bytes, output, threads)
                    })
                })
                .map_err(rejected)?,
            _ => self.work(py, Direction::Decode, &input.memory, &output.memory)?,
        }
        Ok(output.array)
    }
}

impl Codec {
    fn elementwise<'py>(
        &self,
        direction: Direction,
        a: &Bound<'py, PyUntypedArray>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = a.py();
        let (from, to) = match direction {
            Direction::Encode => (&self.decoded, &self.encoded),
            Direction::Decode => (&self.encoded, &self.decoded),
        };
        from.require(a, "the array")?;
        let output = Output::of(py, out, a.shape(), to.descr.bind(py), to.components())?;
        let components = from.components();
        let memory = Memory::of(a, components);
        if !memory.overlaps(&output.memory) {
            self.work(py, direction, &memory, &output.memory)?;
        } else {
            let copy = copy(a, components)?;
            self.work(py, direction, &copy.memory, &output.memory)?;
        }
        Ok(output.array)
    }

    /// Converts all elements. The interpreter lock is released if there are many.
    fn work(
        &self,
        py: Python<'_>,
        direction: Direction,
        input: &Memory,
        output: &Memory,
    ) -> PyResult<()> {
        let run = || match (&self.operation, direction) {
            (Operation::PackBits(_), _) | (Operation::Bytes(_), _) => {
                arch::pair(input, output, |from, to| {
                    self.operation.run(direction, from, to)
                })
            }
            _ => arch::convert(input, output, |from, to, first| {
                self.operation.run(direction, from, to).map_err(|mut why| {
                    if let Some(exactum_model::At::Element(index)) = &mut why.at {
                        *index += first;
                    }
                    why
                })
            }),
        };
        let done = match input.bytes().max(output.bytes()) < DETACHED {
            true => run(),
            false => py.detach(run),
        };
        done.map_err(|why| raise(py, &why))
    }
}

impl Side {
    fn components(&self) -> usize {
        self.data_type.format().components()
    }

    /// Returns an error unless the elements of the array have this data type.
    fn require(&self, array: &Bound<'_, PyUntypedArray>, what: &str) -> PyResult<()> {
        let (descr, own) = (array.dtype(), self.descr.bind(array.py()));
        if is_same(&descr, own) {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!(
            "{what} has elements of {descr}, not of {own}"
        )))
    }
}

/// Returns whether two descriptors describe the same elements, disregarding the byte order.
fn is_same(a: &Bound<'_, PyArrayDescr>, b: &Bound<'_, PyArrayDescr>) -> bool {
    let is_number = |descr: &Bound<'_, PyArrayDescr>| b"biufc".contains(&descr.kind());
    a.is(b)
        || a.num() == b.num() && a.itemsize() == b.itemsize()
        // `long` and `long long` are distinct types in NumPy.
        || a.num().max(b.num()) < 24 && is_number(a) && a.kind() == b.kind() && a.itemsize() == b.itemsize()
}

/// A plain array that a codec reads: the caller's array, or a copy of it.
pub(crate) struct Input<'py> {
    _array: Bound<'py, PyUntypedArray>,
    pub(crate) memory: Memory,
}

/// Returns a plain array with the elements of `a` that does not overlap `other`. The elements are copied if necessary.
///
/// # Errors
/// If there is not enough memory for a copy.
pub(crate) fn plain<'py>(
    a: &Bound<'py, PyUntypedArray>,
    components: usize,
    other: &Memory,
) -> PyResult<Input<'py>> {
    let memory = Memory::of(a, components);
    match memory.is_plain() && !memory.overlaps(other) {
        true => Ok(Input {
            _array: a.clone(),
            memory,
        }),
        false => copy(a, components),
    }
}

/// Returns a plain array with the elements of `a`, for a call that writes no array.
fn plain_alone<'py>(a: &Bound<'py, PyUntypedArray>, components: usize) -> PyResult<Input<'py>> {
    let memory = Memory::of(a, components);
    match memory.is_plain() {
        true => Ok(Input {
            _array: a.clone(),
            memory,
        }),
        false => copy(a, components),
    }
}

fn copy<'py>(a: &Bound<'py, PyUntypedArray>, components: usize) -> PyResult<Input<'py>> {
    let descr = a.dtype();
    let little = match descr.byteorder() {
        b'|' | b'<' => descr,
        b'=' if cfg!(target_endian = "little") => descr,
        _ => descr.call_method1("newbyteorder", ("<",))?.cast_into()?,
    };
    let array = arch::empty(a.py(), a.shape(), little)?;
    let memory = Memory::of(&array, components);
    let copied = arch::convert(&Memory::of(a, components), &memory, |from, to, _| {
        to.copy_from_slice(from);
        Ok::<(), std::convert::Infallible>(())
    });
    let Ok(()) = copied;
    Ok(Input {
        _array: array,
        memory,
    })
}

/// The array that a codec writes: the caller's array, or a new one.
pub(crate) struct Output<'py> {
    pub(crate) array: Bound<'py, PyAny>,
    pub(crate) memory: Memory,
}

impl<'py> Output<'py> {
    /// Returns an output array of this shape and data type: `out` if it is given, or a new array.
    ///
    /// # Errors
    /// `TypeError` or `ValueError` if `out` has another shape or type, or is read-only.
    fn of(
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        shape: &[usize],
        descr: &Bound<'py, PyArrayDescr>,
        components: usize,
    ) -> PyResult<Self> {
        let array = match out {
            None => arch::empty(py, shape, descr.clone())?,
            Some(out) => {
                let array = out.cast::<PyUntypedArray>()?.clone();
                if !is_same(&array.dtype(), descr) {
                    let words = format!("out has elements of {}, not of {descr}", array.dtype());
                    return Err(PyTypeError::new_err(words));
                }
                if array.shape() != shape {
                    let words = format!("out has the shape {:?}, not {shape:?}", array.shape());
                    return Err(PyValueError::new_err(words));
                }
                array
            }
        };
        let memory = Memory::of(&array, components);
        if !memory.is_writeable() {
            return Err(PyValueError::new_err("out is read-only"));
        }
        Ok(Self {
            array: array.into_any(),
            memory,
        })
    }

    /// Returns an output array as [`of`](Self::of) does, and requires that its elements are contiguous.
    ///
    /// # Errors
    /// As [`of`](Self::of), and `ValueError` if the elements of `out` are not contiguous or not in native byte order.
    pub(crate) fn plain(
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        shape: &[usize],
        descr: &Bound<'py, PyArrayDescr>,
        components: usize,
    ) -> PyResult<Self> {
        let output = Self::of(py, out, shape, descr, components)?;
        match output.memory.is_plain() {
            true => Ok(output),
            false => Err(PyValueError::new_err(
                "out must be C-contiguous and in native byte order",
            )),
        }
    }
}

/// Copies a stream to the start of `out` and returns the part of `out` that it fills.
fn copied<'py>(
    py: Python<'py>,
    stream: &[u8],
    out: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let array = out.cast::<PyArray1<u8>>()?;
    if array.len() < stream.len() {
        let words = format!(
            "out has {} bytes, but the stream has {}",
            array.len(),
            stream.len()
        );
        return Err(PyValueError::new_err(words));
    }
    let part = out.get_item(pyo3::types::PySlice::new(py, 0, stream.len() as isize, 1))?;
    part.cast::<PyArray1<u8>>()?
        .try_readwrite()?
        .as_slice_mut()?
        .copy_from_slice(stream);
    Ok(part)
}
