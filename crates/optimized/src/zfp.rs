//! `zfp`: blocks of 4 elements in each dimension, transformed and cut off (spec/zfp.md).
//!
//! 64 coefficients are worked on at a time: 16 blocks of one dimension, 4 of two, one of three, a
//! quarter of one of four. Their bits are turned into planes at once; only the coding of planes goes
//! block by block.

mod bits;
mod decode;
mod encode;
mod layout;
mod narrow;
mod planes;
mod transform;
mod word;

use std::num::NonZeroUsize;
use std::thread;

use exactum_model::{Array, Format, Reason, Rejection, Zfp, ZfpScalar, zfp_order};

use crate::arch::{Level, Transpose, Transposing};
use bits::{BitReader, BitWriter};
use layout::{Layout, too_large};
use word::{Float32, Float64, Int32, Int64, Scalar, Word};

/// Encodes a chunk on one thread.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] and [`Reason::Shape`] for another chunk than the codec's, and for
/// one of more than [`Zfp::MAX_BYTES`]; [`Reason::OutOfRange`] (zfp.unsigned.range, zfp.lossy.range)
/// and [`Reason::NotFinite`] (zfp.lossy.finite) for elements that the codec cannot hold.
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
    scalar(codec)?;
    let layout = Layout::of(codec, input.shape())?;
    let least = u128::from(codec.min_bits) * layout.blocks() as u128;
    let most = u128::from(Zfp::MAX_BYTES);
    if input.data().len() as u128 > most || least > 8 * most {
        return Err(too_large(input.shape()));
    }
    encode_slice(codec, input.shape(), input.data(), NonZeroUsize::MIN)
}

/// As [`encode`], from elements as an array has them, of any size, and on so many threads; the bytes
/// are the same.
///
/// # Errors
/// As for [`encode`]; [`Reason::Shape`] when the elements are not those of the shape.
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

/// As [`encode_slice`], in the place of other bytes, whose memory is used again.
///
/// # Errors
/// As for [`encode_slice`].
pub fn encode_into(
    codec: &Zfp,
    shape: &[u64],
    elements: &[u8],
    output: &mut Vec<u8>,
    threads: NonZeroUsize,
) -> Result<(), Rejection> {
    encode_at(Level::best(), codec, shape, elements, output, threads)
}

/// Decodes a chunk on one thread. Bits that are missing are zeros, and what follows the last block is
/// not looked at (zfp.stream.end).
///
/// # Errors
/// [`Reason::Shape`] for another rank than the codec's, an extent of 0, and a chunk of more than
/// [`Zfp::MAX_BYTES`].
pub fn decode(codec: &Zfp, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    scalar(codec)?;
    let layout = Layout::of(codec, shape)?;
    let size = Array::bytes_of(codec.data_type, shape)?;
    if size > Zfp::MAX_BYTES {
        return Err(too_large(shape));
    }
    let size = layout.elements() * codec.data_type.element_bytes();
    let mut data = Vec::new();
    data.try_reserve_exact(size).map_err(|_| too_large(shape))?;
    data.resize(size, 0);
    decode_into(codec, shape, bytes, &mut data, NonZeroUsize::MIN)?;
    Array::new(codec.data_type, shape.to_vec(), data)
}

/// As [`decode`], into memory of the caller, of any size, and on so many threads; more than one help
/// only where all blocks have the same number of bits, as in the mode `fixed_rate`.
///
/// # Errors
/// As for [`decode`]; [`Reason::Shape`] when the memory is not that of the shape.
pub fn decode_into(
    codec: &Zfp,
    shape: &[u64],
    bytes: &[u8],
    output: &mut [u8],
    threads: NonZeroUsize,
) -> Result<(), Rejection> {
    decode_at(Level::best(), codec, shape, bytes, output, threads)
}

pub(crate) fn encode_at(
    level: Level,
    codec: &Zfp,
    shape: &[u64],
    elements: &[u8],
    output: &mut Vec<u8>,
    threads: NonZeroUsize,
) -> Result<(), Rejection> {
    let (scalar, layout) = fitting(codec, shape, elements.len())?;
    let wide;
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
        wide = narrow::promoted(codec, elements);
        &wide
    };
    let job = Job {
        level,
        codec,
        layout,
        threads: threads.get(),
    };
    let memory = std::mem::take(output);
    let stream = match scalar {
        ZfpScalar::Int32 => job.encode::<Int32>(words, checked, memory),
        ZfpScalar::Int64 => job.encode::<Int64>(words, checked, memory),
        ZfpScalar::Float32 => job.encode::<Float32>(words, checked, memory),
        ZfpScalar::Float64 => job.encode::<Float64>(words, checked, memory),
    };
    *output = stream.ok_or_else(|| {
        narrow::fault(codec, elements)
            .unwrap_or_else(|| unreachable!("an element that could not be held is found again"))
    })?;
    Ok(())
}

pub(crate) fn decode_at(
    level: Level,
    codec: &Zfp,
    shape: &[u64],
    bytes: &[u8],
    output: &mut [u8],
    threads: NonZeroUsize,
) -> Result<(), Rejection> {
    let (scalar, layout) = fitting(codec, shape, output.len())?;
    let format = codec.data_type.format();
    let job = Job {
        level,
        codec,
        layout,
        threads: threads.get(),
    };
    if format.component_bits() < 32 {
        let mut wide = vec![0; 4 * layout.elements()];
        if scalar == ZfpScalar::Int32 {
            job.decode::<Int32>(bytes, &mut wide);
        } else {
            job.decode::<Float32>(bytes, &mut wide);
        }
        narrow::demoted(codec, &wide, output);
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

/// The bytes of a chunk whose blocks all have the same number of bits (zfp.rate.size); `None` where
/// they may differ, and beyond 64 bits.
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

fn scalar(codec: &Zfp) -> Result<ZfpScalar, Rejection> {
    codec.scalar().ok_or_else(|| {
        Rejection::new(
            Reason::UnsupportedDataType,
            "zfp.data_type",
            format!("zfp is not defined for {}", codec.data_type),
        )
    })
}

/// The layout of a chunk whose elements take so many bytes.
fn fitting(codec: &Zfp, shape: &[u64], bytes: usize) -> Result<(ZfpScalar, Layout), Rejection> {
    let scalar = scalar(codec)?;
    let layout = Layout::of(codec, shape)?;
    let size = layout.elements() * codec.data_type.element_bytes();
    if bytes == size {
        return Ok((scalar, layout));
    }
    Err(Rejection::new(
        Reason::Shape,
        "chain.shape",
        format!(
            "shape {shape:?} of {} takes {size} bytes, not {bytes}",
            codec.data_type
        ),
    ))
}

/// What every block keeps to.
#[derive(Clone, Copy)]
struct Limits {
    min_bits: u32,
    max_bits: u32,
    precision: u32,
    min_exponent: i32,
    /// Bits that are more than a block can take while it is written.
    room: usize,
}

impl Limits {
    #[inline(always)]
    fn of<S: Scalar, const D: usize>(codec: &Zfp) -> Self {
        // Two bits for each of a plane, and what a block begins with.
        let room = (2 << (2 * D)) * S::Word::BITS as usize + 128;
        Self {
            min_bits: codec.min_bits,
            max_bits: codec.max_bits,
            precision: codec.max_precision,
            min_exponent: codec.min_exponent,
            room: room.max(codec.min_bits as usize + 128),
        }
    }

    /// The planes of a block of floats above the lowest exponent.
    #[inline(always)]
    fn float_precision<const D: usize>(&self, exponent: i32) -> u32 {
        const GUARD: [i64; 5] = [2, 4, 6, 8, 10];
        let planes = i64::from(exponent) - i64::from(self.min_exponent) + GUARD[D];
        u32::try_from(planes.max(0)).map_or(self.precision, |planes| planes.min(self.precision))
    }
}

/// The blocks whose coefficients are turned into planes at once.
const fn per_pass<const D: usize>() -> usize {
    if D > 2 { 1 } else { 64 >> (2 * D) }
}

/// Which word of a pass is its coefficient `i`: the order of the coefficients, block by block.
const fn table<const D: usize>() -> &'static [u8] {
    #[expect(clippy::cast_possible_truncation, reason = "below 64")]
    const fn repeated(dimensions: usize) -> [u8; 64] {
        let order = zfp_order(dimensions);
        let mut table = [0; 64];
        let mut index = 0;
        while index < 64 {
            let start = index / order.len() * order.len();
            table[index] = start as u8 + order[index - start];
            index += 1;
        }
        table
    }
    const ONE: [u8; 64] = repeated(1);
    const TWO: [u8; 64] = repeated(2);
    match D {
        1 => &ONE,
        2 => &TWO,
        _ => zfp_order(D),
    }
}

/// A chunk that is encoded or decoded.
#[derive(Clone, Copy)]
struct Job<'a> {
    level: Level,
    codec: &'a Zfp,
    layout: Layout,
    threads: usize,
}

impl Job<'_> {
    /// The stream, in the memory of other bytes, if all elements could be held.
    fn encode<S: Scalar>(
        &self,
        elements: &[u8],
        checked: bool,
        mut memory: Vec<u8>,
    ) -> Option<Vec<u8>> {
        let one = |layout: &Layout, elements: &[u8], mut memory: Vec<u8>| {
            // Seldom more than the elements themselves.
            memory.reserve(elements.len().saturating_sub(memory.len()));
            let encoding = Encoding {
                codec: self.codec,
                layout,
                elements,
                checked,
                memory,
            };
            self.level
                .transposing(Typed::<_, S>(encoding, std::marker::PhantomData))
        };
        let slabs = self.layout.slabs(self.threads);
        let mut rest = elements;
        let parts: Vec<_> = slabs
            .iter()
            .map(|layout| {
                let (own, after) = rest.split_at(layout.elements() * S::Word::BYTES);
                rest = after;
                (layout, own)
            })
            .collect();
        let (&(layout, own), others) = parts.split_first()?;
        let (whole, others) = thread::scope(|scope| {
            let spawn = |&(layout, own): &(_, _)| scope.spawn(move || one(layout, own, Vec::new()));
            let running: Vec<_> = others.iter().map(spawn).collect();
            let whole = one(layout, own, std::mem::take(&mut memory));
            let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().ok().flatten();
            (whole, running.into_iter().map(join).collect::<Vec<_>>())
        });
        let mut whole = whole?;
        for other in others {
            whole.append(&other?);
        }
        Some(whole.into_bytes())
    }

    fn decode<S: Scalar>(&self, bytes: &[u8], elements: &mut [u8]) {
        // Only of blocks of one size is it known where they begin.
        let fixed = self.codec.min_bits == self.codec.max_bits;
        let slabs = self.layout.slabs(if fixed { self.threads } else { 1 });
        let mut left = elements;
        let mut position = 0;
        thread::scope(|scope| {
            for (index, layout) in slabs.iter().enumerate() {
                let (own, rest) =
                    std::mem::take(&mut left).split_at_mut(layout.elements() * S::Word::BYTES);
                left = rest;
                let decoding = Decoding {
                    codec: self.codec,
                    layout,
                    bits: BitReader::new(bytes, position),
                    elements: own,
                };
                position += layout.blocks() as u64 * u64::from(self.codec.max_bits);
                let level = self.level;
                let run =
                    move || level.transposing(Typed::<_, S>(decoding, std::marker::PhantomData));
                if index + 1 < slabs.len() {
                    scope.spawn(run);
                } else {
                    run();
                }
            }
        });
    }
}

/// A job for elements of one type.
struct Typed<J, S>(J, std::marker::PhantomData<S>);

struct Encoding<'a> {
    codec: &'a Zfp,
    layout: &'a Layout,
    elements: &'a [u8],
    checked: bool,
    memory: Vec<u8>,
}

impl<S: Scalar> Transposing for Typed<Encoding<'_>, S> {
    type Output = Option<BitWriter>;

    #[inline(always)]
    fn run<T: Transpose>(self, arch: T) -> Option<BitWriter> {
        let Encoding {
            codec,
            layout,
            elements,
            checked,
            memory,
        } = self.0;
        let mut out = BitWriter::over(memory);
        let fine = match codec.dimensions() {
            1 => encode::blocks::<S, 1, T>(arch, codec, checked, layout, elements, &mut out),
            2 => encode::blocks::<S, 2, T>(arch, codec, checked, layout, elements, &mut out),
            3 => encode::blocks::<S, 3, T>(arch, codec, checked, layout, elements, &mut out),
            _ => encode::blocks::<S, 4, T>(arch, codec, checked, layout, elements, &mut out),
        };
        fine.then_some(out)
    }
}

struct Decoding<'a> {
    codec: &'a Zfp,
    layout: &'a Layout,
    bits: BitReader<'a>,
    elements: &'a mut [u8],
}

impl<S: Scalar> Transposing for Typed<Decoding<'_>, S> {
    type Output = ();

    #[inline(always)]
    fn run<T: Transpose>(self, arch: T) {
        let Decoding {
            codec,
            layout,
            bits,
            elements,
        } = self.0;
        match codec.dimensions() {
            1 => decode::blocks::<S, 1, T>(arch, codec, layout, bits, elements),
            2 => decode::blocks::<S, 2, T>(arch, codec, layout, bits, elements),
            3 => decode::blocks::<S, 3, T>(arch, codec, layout, bits, elements),
            _ => decode::blocks::<S, 4, T>(arch, codec, layout, bits, elements),
        }
    }
}
