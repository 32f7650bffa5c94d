//! `bitround`: rounds components to fewer bits (spec/bitround.md).
//!
//! In every format, magnitudes are ordered like their bits. Therefore half a quantum is added to the bits,
//! and those below the quantum are cleared: a carry out of the mantissa automatically gives the next power of
//! two.

use exactum_model::{
    Array, BitRound, DataType, Direction, FloatFormat, Format, Nan, Reason, Rejection,
};

use crate::arch::{Flags, Kernel, NO_FLAGS, SimdLevel};
use crate::bytes::on_bytes;
use crate::fault::{Fault, Message};
use crate::lanes::{Element, map_lanes};

/// The clause that an input of another data type violates.
const DATA_TYPES: &str = "bitround.data_types";

/// Rounds every component.
///
/// # Errors
/// If the data type of the input is not the codec's, or if the codec keeps no bits or is for `bool`.
///
/// ```
/// use exactum_optimized::bitround::{decode, encode};
/// use exactum_optimized::model::{Array, BitRound, DataType};
///
/// let codec = BitRound::new(DataType::Uint8, 3);
/// let rounded = encode(&codec, &Array::new(DataType::Uint8, vec![3], vec![11, 123, 255])?)?;
/// assert_eq!(rounded.data(), [12, 128, 224]);
/// assert_eq!(decode(&codec, &rounded)?, rounded);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &BitRound, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Encode)
}

/// Returns every component unchanged.
///
/// # Errors
/// The same as for [`encode`].
pub fn decode(codec: &BitRound, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Decode)
}

/// Like [`encode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// If the lengths differ, or the codec keeps no bits or is for `bool`.
///
/// ```
/// use exactum_optimized::bitround::{decode_element, decode_into, encode_element, encode_into};
/// use exactum_optimized::model::{BitRound, DataType};
///
/// let codec = BitRound::new(DataType::Float32, 3);
/// let (mut rounded, mut back) = ([0; 4], [0; 4]);
/// encode_into(&codec, &123.4_f32.to_le_bytes(), &mut rounded)?;
/// decode_into(&codec, &rounded, &mut back)?;
/// assert_eq!((rounded, back), (120.0_f32.to_le_bytes(), rounded));
/// // One component, by its bits.
/// assert_eq!(encode_element(&codec, 123.4_f32.to_bits().into())?, 120.0_f32.to_bits().into());
/// assert_eq!(decode_element(&codec, 123)?, 123);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_into(codec: &BitRound, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Encode, input, output)?)
}

/// Like [`decode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// The same as for [`encode_into`].
pub fn decode_into(codec: &BitRound, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Decode, input, output)?)
}

/// Like [`encode`], from one slice of numbers into another.
///
/// # Errors
/// The same as for [`encode_into`], or if `E` is not the type of the codec's data type.
///
/// ```
/// use exactum_optimized::bitround::encode_slice_into;
/// use exactum_optimized::model::{BitRound, DataType};
///
/// let codec = BitRound::new(DataType::Float64, 1);
/// let mut rounded = [0.0; 2];
/// encode_slice_into(&codec, &[1.3, -7.9], &mut rounded)?;
/// assert_eq!(rounded, [1.5, -8.0]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_slice_into<E: Element>(
    codec: &BitRound,
    input: &[E],
    output: &mut [E],
) -> Result<(), Rejection> {
    crate::require_data_type(E::DATA_TYPE, codec.data_type, DATA_TYPES)?;
    Ok(on_bytes(input, output, |input, output| {
        run(codec, Direction::Encode, input, output)
    })?)
}

/// Rounds the bits of one component, which may be a part of a complex number.
///
/// # Errors
/// If the codec keeps no bits or is for `bool`.
pub fn encode_element(codec: &BitRound, bits: u64) -> Result<u64, Rejection> {
    require_valid(codec)?;
    Ok(component(codec, bits))
}

/// Returns the bits of one component unchanged.
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element(codec: &BitRound, bits: u64) -> Result<u64, Rejection> {
    require_valid(codec)?;
    Ok(bits)
}

/// Requires what a document of the codec guarantees, because a program may set the public fields to other
/// values.
fn require_valid(codec: &BitRound) -> Result<(), Fault> {
    if codec.data_type == DataType::Bool {
        let words = Message::Fixed("bool has no bits to round");
        return Err(Fault::new(Reason::UnsupportedDataType, DATA_TYPES, words));
    }
    if codec.keep_bits == 0 {
        let words = Message::Fixed("keepbits is 0, but must be at least 1");
        return Err(Fault::new(Reason::Metadata, "bitround.keepbits", words));
    }
    Ok(())
}

fn convert_array(
    codec: &BitRound,
    input: &Array,
    direction: Direction,
) -> Result<Array, Rejection> {
    let types = (codec.data_type, codec.data_type);
    crate::convert_array(types, DATA_TYPES, input, |input, output| {
        run(codec, direction, input, output)
    })
}

/// Runs one direction on bytes.
pub(crate) fn run(
    codec: &BitRound,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    run_at(SimdLevel::best(), codec, direction, input, output)
}

pub(crate) fn run_at(
    level: SimdLevel,
    codec: &BitRound,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let (data_type, format) = (codec.data_type, codec.data_type.format());
    require_valid(codec)?;
    let element = (data_type, data_type.element_bytes());
    crate::count(element, input, element, output)?;
    let encodes = direction == Direction::Encode;
    if format.component_bytes() == 1 {
        // Bits above a small component are cleared in both directions.
        let mask = format.component_mask();
        let rounded = |bits: u8| match encodes {
            true => component(codec, u64::from(bits) & mask),
            false => u64::from(bits) & mask,
        };
        by_table(input, output, |bits| rounded(bits).to_le_bytes()[0]);
        return Ok(());
    }
    let drops = match format.float() {
        Some(_) => codec.narrow().is_some(),
        None => codec.keep_bits < format.component_bits().into(),
    };
    if !encodes || !drops {
        output.copy_from_slice(input);
        return Ok(());
    }
    match (format, format.component_bytes()) {
        (Format::Integer(_), 2) => level.run_long(&Integers::<u16>::of(codec), input, output),
        (Format::Integer(_), 4) => level.run_long(&Integers::<u32>::of(codec), input, output),
        (Format::Integer(_), _) => level.run_long(&Integers::<u64>::of(codec), input, output),
        (_, 2) => level.run_long(&Floats::<u16>::of(codec), input, output),
        (_, 4) => level.run_long(&Floats::<u32>::of(codec), input, output),
        (_, _) => level.run_long(&Floats::<u64>::of(codec), input, output),
    };
    Ok(())
}

/// Writes the result of a function for every byte, using a table if that is less work.
fn by_table(input: &[u8], output: &mut [u8], rounded: impl Fn(u8) -> u8) {
    if input.len() < 256 {
        map_lanes(input, output, rounded);
        return;
    }
    let mut table = [0; 256];
    for (entry, bits) in table.iter_mut().zip(0..=u8::MAX) {
        *entry = rounded(bits);
    }
    map_lanes(input, output, |bits: u8| table[usize::from(bits)]);
}

/// Rounds the bits of one component of any format. Bits above those of the format must be zeros.
fn component(codec: &BitRound, bits: u64) -> u64 {
    match codec.data_type.format() {
        Format::Integer(format) => {
            let unused = u64::BITS - format.bits;
            let keep = u32::try_from(codec.keep_bits).unwrap_or(u32::MAX);
            // With the integer moved to the top of the word, its limits are those of the word.
            u64::rounded_integer(bits << unused, keep, format.signed) >> unused
        }
        Format::Float(format) | Format::Complex(format) => match codec.narrow() {
            Some(narrow) => float(&format, format.mantissa_bits - narrow.mantissa_bits, bits),
            None => bits,
        },
        Format::Bool => bits,
    }
}

/// Rounds a float of any format by dropping at least one bit.
fn float(format: &FloatFormat, dropped: u32, bits: u64) -> u64 {
    if format.is_nan(bits) || format.is_infinite(bits) {
        return bits;
    }
    let sign = bits & format.sign_mask();
    let magnitude = bits ^ sign;
    let mut rounded = u64::rounded(magnitude, dropped);
    if rounded > format.max_finite_bits() && !format.infinity {
        rounded = magnitude >> dropped << dropped;
    }
    match rounded == 0 && !format.negative_zero {
        true => 0,
        false => rounded | sign,
    }
}

/// An unsigned word that holds a component.
trait Word: crate::lanes::Lane + PartialOrd {
    /// Rounds a word to nearest, ties to even: the lowest bits, at least one of them, become zeros.
    fn rounded(self, dropped: u32) -> Self;

    /// Rounds an integer that fills the word, whose highest bit is its sign if it is signed.
    fn rounded_integer(self, keep: u32, is_signed: bool) -> Self;

    fn and(self, mask: Self) -> Self;

    /// Keeps the low bits of a pattern.
    fn cut(bits: u64) -> Self;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Word for $word {
            #[inline(always)]
            fn rounded(self, dropped: u32) -> Self {
                let below_half = (1 << (dropped - 1)) - 1;
                (self + below_half + (self >> dropped & 1)) >> dropped << dropped
            }

            #[inline(always)]
            fn rounded_integer(self, keep: u32, is_signed: bool) -> Self {
                let length = Self::BITS - self.leading_zeros();
                let dropped = length.saturating_sub(keep);
                // Since `keep` is at least 1, both are 0 if there is no bit to drop.
                let half = ((1 as Self) << dropped) >> 1;
                let odd = (self >> dropped) & Self::from(half != 0);
                let sum = self.wrapping_add(half.saturating_sub(1) + odd);
                let overflows = match is_signed {
                    true => (sum ^ self) >> (Self::BITS - 1) != 0,
                    false => sum < self,
                };
                let kept = if overflows { self } else { sum };
                kept >> dropped << dropped
            }

            #[inline(always)]
            fn and(self, mask: Self) -> Self {
                self & mask
            }

            #[allow(
                clippy::cast_possible_truncation,
                clippy::unnecessary_cast,
                reason = "a bit pattern fits into the word of its format"
            )]
            fn cut(bits: u64) -> Self {
                bits as Self
            }
        }
    )*};
}

words!(u16 u32 u64);

/// Integers that fill their words.
struct Integers<W> {
    keep: u32,
    is_signed: bool,
    word: core::marker::PhantomData<W>,
}

impl<W> Integers<W> {
    fn of(codec: &BitRound) -> Self {
        Self {
            keep: u32::try_from(codec.keep_bits).unwrap_or(u32::MAX),
            is_signed: matches!(codec.data_type.format(), Format::Integer(format) if format.signed),
            word: core::marker::PhantomData,
        }
    }
}

impl<W: Word> Kernel for Integers<W> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (keep, is_signed) = (self.keep, self.is_signed);
        // The sign is checked only once, so that the loops have no branch.
        match is_signed {
            true => map_lanes(source, target, |word: W| word.rounded_integer(keep, true)),
            false => map_lanes(source, target, |word: W| word.rounded_integer(keep, false)),
        }
        NO_FLAGS
    }
}

/// Floats of IEEE 754 that fill their words, of which some bits are dropped.
struct Floats<W> {
    dropped: u32,
    magnitude: W,
    infinity: W,
}

impl<W: Word> Floats<W> {
    fn of(codec: &BitRound) -> Self {
        let format = codec.data_type.format().float();
        let format = format.unwrap_or(FloatFormat::FLOAT64);
        debug_assert!(
            format.nan == Nan::Ieee,
            "only small formats are of other kinds"
        );
        let kept = codec.narrow().map_or(0, |narrow| narrow.mantissa_bits);
        Self {
            dropped: format.mantissa_bits - kept,
            magnitude: W::cut(!format.sign_mask()),
            infinity: W::cut(format.infinity_bits().unwrap_or_default()),
        }
    }
}

impl<W: Word> Kernel for Floats<W> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let Self {
            dropped,
            magnitude,
            infinity,
        } = *self;
        map_lanes(source, target, |word: W| {
            // Infinities and NaN are kept. For any other number, the carry does not reach the sign.
            match word.and(magnitude) >= infinity {
                true => word,
                false => word.rounded(dropped),
            }
        });
        NO_FLAGS
    }
}
