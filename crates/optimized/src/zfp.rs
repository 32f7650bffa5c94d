//! `zfp`: blocks of 4 elements in each dimension, transformed and truncated (spec/zfp.md).
//!
//! 64 coefficients are processed at a time: 16 blocks of one dimension, 4 of two, one of three, a quarter of
//! one of four. Their bits are turned into planes at once; only the coding of planes is done block by block.

mod bits;
mod decode;
mod encode;
mod job;
mod layout;
mod narrow;
mod planes;
mod transform;
mod word;

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use exactum_model::{Array, Direction, Format, Reason, Rejection, Zfp, ZfpScalar, zfp_order};

use crate::arch::{Order, SimdLevel};
use crate::fault::{Fault, Message, ZfpMessage};
use job::Job;
use layout::Layout;
use word::{Float32, Float64, Int32, Int64, Scalar, Word};

/// Encodes a chunk on one thread.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] and [`Reason::Shape`] if the chunk does not fit the codec, or has more
/// than [`Zfp::MAX_BYTES`]; [`Reason::OutOfRange`] (zfp.unsigned.range, zfp.lossy.range) and
/// [`Reason::NotFinite`] (zfp.lossy.finite) for elements that the codec cannot hold.
///
/// ```
/// use exactum_optimized::model::{Array, DataType, Zfp};
/// use exactum_optimized::zfp;
///
/// let codec = Zfp::reversible(DataType::Float32, 1);
/// let data = [1.0_f32, 1.5, 2.0, 2.5].iter().flat_map(|value| value.to_le_bytes()).collect();
/// let array = Array::new(DataType::Float32, vec![4], data)?;
/// let stream = zfp::encode(&codec, &array)?;
/// assert_eq!(zfp::decode(&codec, &[4], &stream)?, array);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &Zfp, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input.data_type(), codec.data_type, "chain.data_type")?;
    require_bounded(codec, input.shape(), Direction::Encode)?;
    encode_slice(codec, input.shape(), input.data(), NonZeroUsize::MIN)
}

/// Like [`encode`], from the bytes of an array of any size, on the given number of threads. The stream does
/// not depend on that number.
///
/// # Errors
/// The same as for [`encode`]; [`Reason::Shape`] if the elements do not fit the shape.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use exactum_optimized::model::{DataType, Zfp};
/// use exactum_optimized::zfp;
///
/// let codec = Zfp {
///     min_bits: 64,
///     max_bits: 64,
///     min_exponent: Zfp::MIN_EXPONENT,
///     ..Zfp::reversible(DataType::Float32, 1)
/// };
/// let one = NonZeroUsize::MIN;
/// let elements = [0; 16];
/// let stream = zfp::encode_slice(&codec, &[4], &elements, one)?;
/// assert_eq!(zfp::encoded_bytes(&codec, &[4]), Some(stream.len() as u64));
/// let (mut again, mut back) = (Vec::new(), [1; 16]);
/// zfp::encode_into(&codec, &[4], &elements, &mut again, one)?;
/// zfp::decode_into(&codec, &[4], &again, &mut back, one)?;
/// assert_eq!((again, back), (stream, elements));
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_slice(
    codec: &Zfp,
    shape: &[u64],
    elements: &[u8],
    threads: NonZeroUsize,
) -> Result<Vec<u8>, Rejection> {
    let mut output = Vec::new();
    encode_into(codec, shape, elements, &mut output, threads)?;
    Ok(output)
}

/// Like [`encode_slice`], but replaces the contents of `output` and reuses its memory.
///
/// # Errors
/// The same as for [`encode_slice`].
pub fn encode_into(
    codec: &Zfp,
    shape: &[u64],
    elements: &[u8],
    output: &mut Vec<u8>,
    threads: NonZeroUsize,
) -> Result<(), Rejection> {
    let mut wide = Vec::new();
    let chunk = (shape, elements);
    Ok(encode_at(
        SimdLevel::best(),
        codec,
        chunk,
        output,
        &mut wide,
        threads,
    )?)
}

/// Decodes a chunk on one thread. Missing bits are zeros, and anything after the last block is ignored
/// (zfp.stream.end).
///
/// # Errors
/// [`Reason::Shape`] if the rank is not the codec's, for an extent of 0, and for a chunk of more than
/// [`Zfp::MAX_BYTES`].
pub fn decode(codec: &Zfp, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    let size = require_bounded(codec, shape, Direction::Decode)?;
    let mut data = Vec::new();
    data.try_reserve_exact(size)
        .map_err(|_| Fault::too_large(shape))?;
    data.resize(size, 0);
    decode_into(codec, shape, bytes, &mut data, NonZeroUsize::MIN)?;
    Array::new(codec.data_type, shape.to_vec(), data)
}

/// Requires the codec to have chunks of this shape.
pub(crate) fn require_shape(codec: &Zfp, shape: &[u64]) -> Result<(), Fault> {
    scalar(codec)?;
    Layout::of(codec, shape).map(drop)
}

/// Returns the number of bytes of a chunk's elements, if neither they nor the minimum of their encoded bytes
/// exceed the limit for allocations.
pub(crate) fn require_bounded(
    codec: &Zfp,
    shape: &[u64],
    direction: Direction,
) -> Result<usize, Fault> {
    scalar(codec)?;
    let layout = Layout::of(codec, shape)?;
    let size = crate::bytes_of(codec.data_type, shape)?;
    let least = match direction {
        Direction::Encode => u128::from(codec.min_bits) * layout.blocks() as u128,
        Direction::Decode => 0,
    };
    let most = u128::from(Zfp::MAX_BYTES);
    if size as u128 > most || least > 8 * most {
        return Err(Fault::too_large(shape));
    }
    Ok(size)
}

/// Like [`decode`], into the caller's memory, of any size, on the given number of threads. More than one
/// thread helps only if all blocks have the same number of bits, as in the mode `fixed_rate`.
///
/// # Errors
/// The same as for [`decode`]; [`Reason::Shape`] if the memory does not fit the shape.
pub fn decode_into(
    codec: &Zfp,
    shape: &[u64],
    bytes: &[u8],
    output: &mut [u8],
    threads: NonZeroUsize,
) -> Result<(), Rejection> {
    let mut wide = Vec::new();
    let chunk = (shape, output);
    Ok(decode_at(
        SimdLevel::best(),
        codec,
        bytes,
        chunk,
        &mut wide,
        threads,
    )?)
}

/// Encodes a chunk. Elements of fewer than 32 bits are widened first.
pub(crate) fn encode_at(
    level: SimdLevel,
    codec: &Zfp,
    (shape, elements): (&[u64], &[u8]),
    output: &mut Vec<u8>,
    wide: &mut Vec<u8>,
    threads: NonZeroUsize,
) -> Result<(), Fault> {
    let (scalar, layout) = fitting(codec, shape, elements.len())?;
    let (own, checked) = match codec.data_type.format() {
        Format::Integer(format) if format.bits < 32 => (false, false),
        Format::Integer(format) if !format.signed => {
            if let Some(fault) = narrow::fault(codec, elements) {
                return Err(fault);
            }
            (true, false)
        }
        Format::Float(format) => (format.bits() >= 32, true),
        _ => (true, true),
    };
    let words = if own {
        elements
    } else {
        narrow::promote(codec, elements, wide);
        wide
    };
    let job = Job {
        level,
        codec,
        layout,
        threads: threads.get(),
    };
    let memory = core::mem::take(output);
    let stream = match scalar {
        ZfpScalar::Int32 => job.encode::<Int32>(words, checked, memory),
        ZfpScalar::Int64 => job.encode::<Int64>(words, checked, memory),
        ZfpScalar::Float32 => job.encode::<Float32>(words, checked, memory),
        ZfpScalar::Float64 => job.encode::<Float64>(words, checked, memory),
    };
    *output = stream.ok_or_else(|| {
        narrow::fault(codec, elements)
            .unwrap_or_else(|| unreachable!("the element that cannot be encoded is found again"))
    })?;
    Ok(())
}

/// Decodes a chunk. Elements of fewer than 32 bits are decoded as wide ones first.
pub(crate) fn decode_at(
    level: SimdLevel,
    codec: &Zfp,
    bytes: &[u8],
    (shape, output): (&[u64], &mut [u8]),
    wide: &mut Vec<u8>,
    threads: NonZeroUsize,
) -> Result<(), Fault> {
    let (scalar, layout) = fitting(codec, shape, output.len())?;
    let format = codec.data_type.format();
    let job = Job {
        level,
        codec,
        layout,
        threads: threads.get(),
    };
    if format.component_bits() < 32 {
        wide.resize(4 * layout.elements(), 0);
        if scalar == ZfpScalar::Int32 {
            job.decode::<Int32>(bytes, wide);
        } else {
            job.decode::<Float32>(bytes, wide);
        }
        narrow::demote(codec, wide, output);
        return Ok(());
    }
    match scalar {
        ZfpScalar::Int32 => job.decode::<Int32>(bytes, output),
        ZfpScalar::Int64 => job.decode::<Int64>(bytes, output),
        ZfpScalar::Float32 => job.decode::<Float32>(bytes, output),
        ZfpScalar::Float64 => job.decode::<Float64>(bytes, output),
    }
    match format {
        Format::Integer(format) if !format.signed && format.bits == 32 => {
            narrow::without_negatives::<4>(output);
        }
        Format::Integer(format) if !format.signed => narrow::without_negatives::<8>(output),
        _ => {}
    }
    Ok(())
}

/// Returns the number of bytes of a chunk whose blocks all have the same number of bits (zfp.rate.size).
/// Returns `None` if the blocks may differ, or if the number does not fit into 64 bits.
#[must_use]
pub fn encoded_bytes(codec: &Zfp, shape: &[u64]) -> Option<u64> {
    if codec.min_bits != codec.max_bits {
        return None;
    }
    let blocks = shape.iter().try_fold(1u64, |blocks, extent| {
        blocks.checked_mul(extent.div_ceil(4))
    })?;
    let bits = u128::from(blocks) * u128::from(codec.max_bits);
    u64::try_from(bits.div_ceil(64) * 8).ok()
}

fn scalar(codec: &Zfp) -> Result<ZfpScalar, Fault> {
    codec.scalar().ok_or_else(|| {
        let words = Message::Zfp(ZfpMessage::Undefined(codec.data_type));
        Fault::new(Reason::UnsupportedDataType, "zfp.data_type.others", words)
    })
}

/// Returns the layout of a chunk, given the size of its elements.
fn fitting(codec: &Zfp, shape: &[u64], bytes: usize) -> Result<(ZfpScalar, Layout), Fault> {
    let scalar = scalar(codec)?;
    let layout = Layout::of(codec, shape)?;
    let size = layout.elements() * codec.data_type.element_bytes();
    if bytes == size {
        return Ok((scalar, layout));
    }
    let words = Message::OtherSize {
        shape: shape.to_vec(),
        data_type: codec.data_type,
        bits: None,
        expected: size as u64,
        actual: bytes,
    };
    Err(Fault::new(Reason::Shape, "chain.shape", words))
}

/// The limits of every block.
#[derive(Clone, Copy)]
struct Limits {
    min_bits: u32,
    max_bits: u32,
    precision: u32,
    min_exponent: i32,
    /// An upper bound on the number of bits that a block takes while it is written.
    room: usize,
}

impl Limits {
    #[inline(always)]
    fn of<S: Scalar, const D: usize>(codec: &Zfp) -> Self {
        // Two bits for each bit of a plane, and the header of a block.
        let room = (2 << (2 * D)) * S::Word::BITS as usize + 128;
        Self {
            min_bits: codec.min_bits,
            max_bits: codec.max_bits,
            precision: codec.max_precision,
            min_exponent: codec.min_exponent,
            room: room.max(codec.min_bits as usize + 128),
        }
    }

    /// Returns the number of planes of a block of floats above the lowest exponent.
    #[inline(always)]
    fn float_precision<const D: usize>(&self, exponent: i32) -> u32 {
        const GUARD: [i64; 5] = [2, 4, 6, 8, 10];
        let planes = i64::from(exponent) - i64::from(self.min_exponent) + GUARD[D];
        u32::try_from(planes.max(0)).map_or(self.precision, |planes| planes.min(self.precision))
    }
}

/// Returns the number of blocks whose coefficients are turned into planes at once.
const fn per_pass<const D: usize>() -> usize {
    if D > 2 { 1 } else { 64 >> (2 * D) }
}

/// Returns the order of the coefficients of a pass.
const fn order<const D: usize>() -> &'static Order<1> {
    const ONE: &Order<1> = &Order::of(zfp_order(1));
    const TWO: &Order<1> = &Order::of(zfp_order(2));
    const THREE: &Order<1> = &Order::of(zfp_order(3));
    match D {
        1 => ONE,
        2 => TWO,
        _ => THREE,
    }
}

/// Like [`order`], for a block of four dimensions.
const ORDER_4: &Order<4> = &Order::of(zfp_order(4));
