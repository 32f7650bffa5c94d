//! `numcodecs.fixedscaleoffset`, the predecessor of `scale_offset` (spec/scale_offset.md, "The legacy
//! codec").
//!
//! A block of elements is computed in machine arithmetic into one of three buffers, of binary64 or of 64-bit
//! integers, each of which holds every value of the narrower types; from there it is cast. Therefore the
//! number of loops is that of the data types, not that of their pairs.

use exactum_model::{
    Array, DataType, Direction, FixedScaleOffset, FixedScaleOffsetNumber, Reason, Rejection,
};

use crate::cast_value::float16::{float16_of_float32, float32_of_float16};
use crate::fault::{Fault, Message};
use crate::lanes::Lane;
#[cfg(not(feature = "std"))]
use crate::math::Whole as _;

/// Returns `(in - offset) * scale`, rounded and cast to `astype`, for every element.
///
/// # Errors
/// The first element that would be NaN or infinite before it becomes an integer, by its index; an input whose
/// data type is not `dtype`; an output too large to hold.
///
/// ```
/// use exactum_optimized::model::{Array, DataType, FixedScaleOffset, FixedScaleOffsetNumber};
/// use exactum_optimized::scale_offset::fixed_scale_offset;
///
/// let codec = FixedScaleOffset {
///     dtype: DataType::Float64,
///     astype: DataType::Uint8,
///     offset: FixedScaleOffsetNumber::Integer(1000),
///     scale: FixedScaleOffsetNumber::Integer(10),
/// };
/// let data = 1000.5_f64.to_le_bytes().to_vec();
/// let array = Array::new(DataType::Float64, vec![1], data)?;
/// let stored = fixed_scale_offset::encode(&codec, &array)?;
/// assert_eq!(stored.data(), [5]);
/// assert_eq!(fixed_scale_offset::decode(&codec, &stored)?, array);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &FixedScaleOffset, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Encode)
}

/// Returns `(in / scale) + offset`, cast to `dtype`, for every element.
///
/// # Errors
/// The same as for [`encode`], except that the data type of the input is `astype`.
pub fn decode(codec: &FixedScaleOffset, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Decode)
}

/// Like [`encode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// The same as for [`encode`], and if the lengths do not fit each other.
///
/// ```
/// use exactum_optimized::model::{DataType, FixedScaleOffset, FixedScaleOffsetNumber};
/// use exactum_optimized::scale_offset::fixed_scale_offset::{
///     decode_element, decode_into, encode_element, encode_into,
/// };
///
/// let codec = FixedScaleOffset {
///     dtype: DataType::Uint8,
///     astype: DataType::Uint8,
///     offset: FixedScaleOffsetNumber::Integer(100),
///     scale: FixedScaleOffsetNumber::Integer(2),
/// };
/// let (mut stored, mut back) = ([0], [0]);
/// encode_into(&codec, &[103], &mut stored)?;
/// decode_into(&codec, &stored, &mut back)?;
/// assert_eq!((stored, back), ([6], [103]));
/// // One element, by its bits.
/// assert_eq!(encode_element(&codec, 103)?, 6);
/// assert_eq!(decode_element(&codec, 6)?, 103);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_into(
    codec: &FixedScaleOffset,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Encode, input, output)?)
}

/// Like [`decode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// The same as for [`encode_into`].
pub fn decode_into(
    codec: &FixedScaleOffset,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Decode, input, output)?)
}

/// Encodes one element.
///
/// # Errors
/// If NaN or an infinity would become an integer.
pub fn encode_element(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    Ok(element(codec, Direction::Encode, bits)?)
}

/// Decodes one element.
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    Ok(element(codec, Direction::Decode, bits)?)
}

fn types(codec: &FixedScaleOffset, direction: Direction) -> (DataType, DataType) {
    match direction {
        Direction::Encode => (codec.dtype, codec.astype),
        Direction::Decode => (codec.astype, codec.dtype),
    }
}

fn convert_array(
    codec: &FixedScaleOffset,
    input: &Array,
    direction: Direction,
) -> Result<Array, Rejection> {
    let types = types(codec, direction);
    crate::convert_array(
        types,
        "scale_offset.legacy.dtype",
        input,
        |input, output| run(codec, direction, input, output),
    )
}

fn element(codec: &FixedScaleOffset, direction: Direction, bits: u64) -> Result<u64, Fault> {
    let types = types(codec, direction);
    let run = |input: &[u8], output: &mut [u8]| run(codec, direction, input, output);
    crate::element(types, bits, run)
}

/// The number of elements that are computed at once.
const BLOCK: usize = 512;

/// The results of a block before they are cast.
struct Work {
    floats: [f64; BLOCK],
    integers: [u64; BLOCK],
}

/// The location of the results in a [`Work`].
#[derive(Clone, Copy)]
enum Results {
    Floats,
    /// Two's complement.
    Signed,
    Unsigned,
}

/// Runs one direction on bytes.
pub(crate) fn run(
    codec: &FixedScaleOffset,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let (from, to) = types(codec, direction);
    let (width, width_out) = (from.element_bytes(), to.element_bytes());
    crate::count((from, width), input, (to, width_out), output)?;
    let mut work = Work {
        floats: [0.0; BLOCK],
        integers: [0; BLOCK],
    };
    for (index, (source, target)) in input
        .chunks(BLOCK * width)
        .zip(output.chunks_mut(BLOCK * width_out))
        .enumerate()
    {
        let results = compute(codec, from, source, &mut work, direction);
        store(&work, results, to, target)
            .map_err(|(place, fault)| fault.at_element(index * BLOCK + place))?;
    }
    Ok(())
}

/// Returns a parameter in binary64.
#[expect(
    clippy::cast_precision_loss,
    reason = "integers round into binary64 as NumPy rounds them"
)]
fn binary64(number: FixedScaleOffsetNumber) -> f64 {
    match number {
        FixedScaleOffsetNumber::Integer(integer) => integer as f64,
        FixedScaleOffsetNumber::Binary64(bits) => f64::from_bits(bits),
    }
}

/// Computes the arithmetic of a block: everything except the cast.
fn compute(
    codec: &FixedScaleOffset,
    data_type: DataType,
    source: &[u8],
    work: &mut Work,
    direction: Direction,
) -> Results {
    let (offset, scale) = (binary64(codec.offset), binary64(codec.scale));
    match data_type {
        DataType::Float16 => {
            let (offset, scale) = (rounded16(offset), rounded16(scale));
            floats(source, work, |bits: u16| {
                let value = f32::from_bits(float32_of_float16(bits));
                f64::from(match direction {
                    Direction::Encode => {
                        through16(through16(value - offset) * scale).round_ties_even()
                    }
                    Direction::Decode => through16(through16(value / scale) + offset),
                })
            })
        }
        DataType::Float32 => {
            let (offset, scale) = (narrowed(offset), narrowed(scale));
            floats(source, work, |value: f32| {
                f64::from(match direction {
                    Direction::Encode => ((value - offset) * scale).round_ties_even(),
                    Direction::Decode => value / scale + offset,
                })
            })
        }
        DataType::Float64 => floats(source, work, |value: f64| match direction {
            Direction::Encode => ((value - offset) * scale).round_ties_even(),
            Direction::Decode => value / scale + offset,
        }),
        _ => integers(codec, data_type, source, work, direction),
    }
}

fn floats<L: Lane>(source: &[u8], work: &mut Work, f: impl Fn(L) -> f64) -> Results {
    for (to, from) in work.floats.iter_mut().zip(L::split(source)) {
        *to = f(L::load(*from));
    }
    Results::Floats
}

/// Returns the float32 nearest to a binary64 number.
#[expect(clippy::cast_possible_truncation, reason = "the rounding is intended")]
fn narrowed(value: f64) -> f32 {
    value as f32
}

/// Returns the float16 nearest to a binary64 number, using a float32 whose last digit states whether anything
/// was truncated.
fn float16_of_float64(value: f64) -> u16 {
    let nearest = narrowed(value);
    let back = f64::from(nearest);
    let mut bits = nearest.to_bits();
    if back != value && !value.is_nan() {
        if back.abs() > value.abs() {
            bits -= 1;
        }
        bits |= 1;
    }
    float16_of_float32::<0>(bits).0
}

fn rounded16(value: f64) -> f32 {
    f32::from_bits(float32_of_float16(float16_of_float64(value)))
}

/// Returns a float32 result rounded to float16. For one operation on two float16 numbers, float32 has more
/// than twice their digits, so that rounding twice equals rounding once.
fn through16(value: f32) -> f32 {
    f32::from_bits(float32_of_float16(
        float16_of_float32::<0>(value.to_bits()).0,
    ))
}

macro_rules! integers {
    ($($data_type:pat => $type:ident $wide:ident $results:ident;)*) => {
        /// Computes the arithmetic of a block of integers.
        #[expect(
            clippy::cast_lossless,
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "integers of metadata fit the type; integers round into binary64"
        )]
        fn integers(
            codec: &FixedScaleOffset,
            data_type: DataType,
            source: &[u8],
            work: &mut Work,
            direction: Direction,
        ) -> Results {
            let (offset, scale) = (binary64(codec.offset), binary64(codec.scale));
            match data_type {$(
                $data_type => {
                    if direction == Direction::Decode {
                        return floats(source, work, |value: $type| value as f64 / scale + offset);
                    }
                    let own = |number| match number {
                        FixedScaleOffsetNumber::Integer(integer) => Some(integer as $type),
                        FixedScaleOffsetNumber::Binary64(_) => None,
                    };
                    match (own(codec.offset), own(codec.scale)) {
                        (Some(offset), Some(scale)) => {
                            for (to, from) in work.integers.iter_mut().zip($type::split(source)) {
                                let value = $type::load(*from);
                                let value = value.wrapping_sub(offset).wrapping_mul(scale);
                                *to = value as $wide as u64;
                            }
                            Results::$results
                        }
                        (Some(offset), None) => floats(source, work, |value: $type| {
                            (value.wrapping_sub(offset) as f64 * scale).round_ties_even()
                        }),
                        (None, _) => floats(source, work, |value: $type| {
                            ((value as f64 - offset) * scale).round_ties_even()
                        }),
                    }
                }
            )*}
        }
    };
}

integers! {
    DataType::Int8 => i8 i64 Signed;
    DataType::Int16 => i16 i64 Signed;
    DataType::Int32 => i32 i64 Signed;
    DataType::Int64 => i64 i64 Signed;
    DataType::Uint8 => u8 u64 Unsigned;
    DataType::Uint16 => u16 u64 Unsigned;
    DataType::Uint32 => u32 u64 Unsigned;
    // The list of scale_offset.legacy.data_types ends here.
    _ => u64 u64 Unsigned;
}

/// Casts results: to integers with truncation and modulo 2^N, to floats with rounding.
fn store(
    work: &Work,
    results: Results,
    to: DataType,
    target: &mut [u8],
) -> Result<(), (usize, Fault)> {
    match to {
        DataType::Float16 => floating(work, results, target, float16_of_float64),
        DataType::Float32 => floating(work, results, target, |value| canonical32(narrowed(value))),
        DataType::Float64 => floating(work, results, target, |value| {
            if value.is_nan() { f64::NAN } else { value }
        }),
        _ => {
            let width = to.element_bytes();
            if matches!(results, Results::Floats) {
                let count = target.len() / width;
                refuse_non_finite(&work.floats[..count], to)?;
            }
            match width {
                1 => residues(work, results, target, |bits| bits.to_le_bytes()[0]),
                2 => residues(work, results, target, |bits| (bits & 0xffff) as u16),
                4 => residues(work, results, target, |bits| (bits & 0xffff_ffff) as u32),
                _ => residues(work, results, target, |bits: u64| bits),
            }
        }
    }
    Ok(())
}

fn canonical32(value: f32) -> f32 {
    if value.is_nan() { f32::NAN } else { value }
}

/// Rounds integers to the float once: to float32 from all their digits, and to float16 from a float64, which
/// contains every integer within the range of float16.
fn floating<T: FromInteger>(
    work: &Work,
    results: Results,
    target: &mut [u8],
    f: impl Fn(f64) -> T,
) {
    let targets = T::split_mut(target).iter_mut();
    match results {
        Results::Floats => {
            for (to, &from) in targets.zip(&work.floats) {
                *to = f(from).store();
            }
        }
        Results::Signed => {
            for (to, &from) in targets.zip(&work.integers) {
                *to = T::of_signed(from.cast_signed()).store();
            }
        }
        Results::Unsigned => {
            for (to, &from) in targets.zip(&work.integers) {
                *to = T::of_unsigned(from).store();
            }
        }
    }
}

/// A float, or the bits of one, made from an integer.
trait FromInteger: Lane {
    fn of_signed(value: i64) -> Self;
    fn of_unsigned(value: u64) -> Self;
}

macro_rules! from_integer {
    ($($type:ty: $convert:expr;)*) => {$(
        #[expect(clippy::cast_precision_loss, reason = "the rounding is intended")]
        impl FromInteger for $type {
            fn of_signed(value: i64) -> Self {
                $convert(value as _)
            }

            fn of_unsigned(value: u64) -> Self {
                $convert(value as _)
            }
        }
    )*};
}

from_integer! {
    u16: float16_of_float64;
    f32: |value: f32| value;
    f64: |value: f64| value;
}

fn residues<T: Lane>(work: &Work, results: Results, target: &mut [u8], low: impl Fn(u64) -> T) {
    let targets = T::split_mut(target).iter_mut();
    match results {
        Results::Floats => {
            for (to, &from) in targets.zip(&work.floats) {
                *to = low(residue(from)).store();
            }
        }
        Results::Signed | Results::Unsigned => {
            for (to, &from) in targets.zip(&work.integers) {
                *to = low(from).store();
            }
        }
    }
}

/// Returns a finite number without its fraction, modulo 2^64.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "truncation and two's complement are intended"
)]
fn residue(value: f64) -> u64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if value.abs() < LIMIT {
        return value as i64 as u64;
    }
    // From 2^63 on, a float64 is its significand times a power of two.
    let bits = value.to_bits();
    let shift = ((bits >> 52) & 0x7ff) - 1075;
    let significand = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    let magnitude = if shift < 64 { significand << shift } else { 0 };
    if value < 0.0 {
        magnitude.wrapping_neg()
    } else {
        magnitude
    }
}

fn refuse_non_finite(values: &[f64], to: DataType) -> Result<(), (usize, Fault)> {
    let Some(place) = values.iter().position(|value| !value.is_finite()) else {
        return Ok(());
    };
    let (reason, what) = if values[place].is_nan() {
        (Reason::NotANumber, "NaN")
    } else {
        (Reason::NotFinite, "infinity")
    };
    Err((
        place,
        Fault::new(
            reason,
            "scale_offset.legacy.non-finite",
            Message::NotStored { what, to },
        ),
    ))
}
