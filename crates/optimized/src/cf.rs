//! `cf`: packs values by the attributes of the CF conventions (spec/cf.md).

use alloc::vec::Vec;

use exactum_model::{Array, Cf, DataType, Direction, Reason, Rejection};

use crate::element_bits;
use crate::fault::{Fault, Message};
use crate::lanes::Lane;
#[cfg(not(feature = "std"))]
use crate::math::Whole as _;

/// Packs every value.
///
/// # Errors
/// The first value without a code, by its index; an input whose data type is not the unpacked one.
///
/// ```
/// use exactum_optimized::cf::{decode, encode};
/// use exactum_optimized::model::{Array, Cf, DataType};
///
/// let codec = Cf {
///     unpacked: DataType::Float64,
///     packed: DataType::Int8,
///     counted: DataType::Int8,
///     scale_factor: Some(0.5_f64.to_bits()),
///     add_offset: Some(10.0_f64.to_bits()),
///     missing: vec![0x80],
///     valid: (i64::MIN, i64::MAX),
/// };
/// let values = [11.5_f64, f64::NAN].iter().flat_map(|it| it.to_le_bytes()).collect();
/// let packed = encode(&codec, &Array::new(DataType::Float64, vec![2], values)?)?;
/// assert_eq!(packed.data(), [3, 0x80]);
/// assert_eq!(decode(&codec, &packed)?.data()[..8], 11.5_f64.to_le_bytes());
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &Cf, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Encode, "cf.decode.type")
}

/// Unpacks every code.
///
/// # Errors
/// If the data type of the input is not the packed one, or the output is too large to hold.
pub fn decode(codec: &Cf, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Decode, "cf.document.data_type")
}

/// Like [`encode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// The same as for [`encode`], and if the lengths do not fit each other.
///
/// ```
/// use exactum_optimized::cf::{decode_element, decode_into, encode_element, encode_into};
/// use exactum_optimized::model::{Cf, DataType};
///
/// let codec = Cf {
///     unpacked: DataType::Float32,
///     packed: DataType::Uint8,
///     counted: DataType::Uint8,
///     scale_factor: Some(2.0_f32.to_bits().into()),
///     add_offset: None,
///     missing: vec![],
///     valid: (0, 100),
/// };
/// let (mut packed, mut back) = ([0], [0; 4]);
/// encode_into(&codec, &8.0_f32.to_le_bytes(), &mut packed)?;
/// decode_into(&codec, &packed, &mut back)?;
/// assert_eq!((packed, back), ([4], 8.0_f32.to_le_bytes()));
/// // One element, by its bits.
/// assert_eq!(encode_element(&codec, 8.0_f32.to_bits().into())?, 4);
/// assert_eq!(decode_element(&codec, 4)?, 8.0_f32.to_bits().into());
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_into(codec: &Cf, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Encode, input, output)?)
}

/// Like [`decode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// If the lengths do not fit each other.
pub fn decode_into(codec: &Cf, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Decode, input, output)?)
}

/// Packs one value (cf.encode).
///
/// # Errors
/// If the value lacks a code.
pub fn encode_element(codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    element(codec, Direction::Encode, bits)
}

/// Unpacks one code (cf.decode).
///
/// # Errors
/// None, if the data types are those of a packing.
pub fn decode_element(codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    element(codec, Direction::Decode, bits)
}

fn types(codec: &Cf, direction: Direction) -> (DataType, DataType) {
    match direction {
        Direction::Encode => (codec.unpacked, codec.packed),
        Direction::Decode => (codec.packed, codec.unpacked),
    }
}

fn convert_array(
    codec: &Cf,
    input: &Array,
    direction: Direction,
    clause: &'static str,
) -> Result<Array, Rejection> {
    let types = types(codec, direction);
    crate::convert_array(types, clause, input, |input, output| {
        run(codec, direction, input, output)
    })
}

fn element(codec: &Cf, direction: Direction, bits: u64) -> Result<u64, Rejection> {
    let types = types(codec, direction);
    let run = |input: &[u8], output: &mut [u8]| run(codec, direction, input, output);
    Ok(crate::element(types, bits, run)?)
}

/// Runs one direction on bytes.
pub(crate) fn run(
    codec: &Cf,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let (from, to) = types(codec, direction);
    crate::count(
        (from, from.element_bytes()),
        input,
        (to, to.element_bytes()),
        output,
    )?;
    if codec.packed.element_bytes() != codec.counted.element_bytes() {
        return Err(not_packed(codec.counted));
    }
    if codec.unpacked == codec.counted {
        // cf.missing.integer: nothing is computed, and there is no NaN.
        output.copy_from_slice(input);
        return Ok(());
    }
    match codec.counted {
        DataType::Int8 => of_codes::<i8>(codec, direction, input, output),
        DataType::Int16 => of_codes::<i16>(codec, direction, input, output),
        DataType::Int32 => of_codes::<i32>(codec, direction, input, output),
        DataType::Uint8 => of_codes::<u8>(codec, direction, input, output),
        DataType::Uint16 => of_codes::<u16>(codec, direction, input, output),
        DataType::Uint32 => of_codes::<u32>(codec, direction, input, output),
        other => Err(not_packed(other)),
    }
}

fn of_codes<C: Code>(
    codec: &Cf,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    match (codec.unpacked, direction) {
        (DataType::Float32, Direction::Encode) => pack::<f32, C>(codec, input, output),
        (DataType::Float32, Direction::Decode) => unpack::<f32, C>(codec, input, output),
        (DataType::Float64, Direction::Encode) => pack::<f64, C>(codec, input, output),
        (DataType::Float64, Direction::Decode) => unpack::<f64, C>(codec, input, output),
        (other, _) => Err(not_packed(other)),
    }
}

fn not_packed(data_type: DataType) -> Fault {
    let words = Message::NotReal(data_type);
    Fault::new(Reason::UnsupportedDataType, "cf.document.data_type", words)
}

/// An integer type of codes.
trait Code: Lane + Into<i64> + Into<f64> + PartialOrd {
    const RANGE: (f64, f64);

    /// Returns the code of these bits.
    fn of_bits(bits: u64) -> Self;

    /// Returns the code of a number in range.
    fn of_number(number: f64) -> Self;
}

macro_rules! codes {
    ($($code:ty)*) => {$(
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            clippy::cast_sign_loss,
            clippy::cast_lossless,
            reason = "the bits fit the type, and the number is in its range; not every type triggers every lint"
        )]
        impl Code for $code {
            const RANGE: (f64, f64) = (<$code>::MIN as f64, <$code>::MAX as f64);

            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                bits as Self
            }

            #[inline(always)]
            fn of_number(number: f64) -> Self {
                number as Self
            }
        }
    )*};
}

codes!(i8 i16 i32 u8 u16 u32);

/// A float type of values.
trait Real: Lane + Into<f64> {
    const NAN: Self;
    fn of_bits(bits: u64) -> Self;
    fn of_code(code: impl Code) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
}

macro_rules! reals {
    ($($real:ident $bits:ident;)*) => {$(
        #[allow(
            clippy::cast_possible_truncation,
            clippy::unnecessary_cast,
            reason = "the bits fit the type, and a code is rounded once, from a float64 that holds it exactly"
        )]
        impl Real for $real {
            const NAN: Self = Self::NAN;

            fn of_bits(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }

            #[inline(always)]
            fn of_code(code: impl Code) -> Self {
                let wide: f64 = code.into();
                wide as Self
            }

            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                self * other
            }

            #[inline(always)]
            fn divide(self, other: Self) -> Self {
                self / other
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn subtract(self, other: Self) -> Self {
                self - other
            }
        }
    )*};
}

reals! {
    f32 u32;
    f64 u64;
}

/// The missing codes (cf.missing.fill, cf.missing.value, cf.missing.range).
struct Missing<C> {
    /// The codes, in ascending order.
    codes: Vec<C>,
    valid: (i64, i64),
}

impl<C: Code> Missing<C> {
    fn of(codec: &Cf) -> Self {
        let mut codes: Vec<C> = codec.missing.iter().map(|&bits| C::of_bits(bits)).collect();
        codes.sort_unstable_by_key(|&code| -> i64 { code.into() });
        Self {
            codes,
            valid: codec.valid,
        }
    }

    #[inline(always)]
    fn has(&self, code: C) -> bool {
        let wide: i64 = code.into();
        let by_key = |other: &C| -> i64 { (*other).into() };
        wide < self.valid.0
            || wide > self.valid.1
            || self.codes.binary_search_by_key(&wide, by_key).is_ok()
    }
}

/// Computes the product, then the sum (cf.decode.steps).
fn unpack<F: Real, C: Code>(codec: &Cf, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
    let parameter = |bits: Option<u64>| bits.map(F::of_bits);
    match (parameter(codec.scale_factor), parameter(codec.add_offset)) {
        (Some(scale), Some(offset)) => unpack_by(codec, input, output, |code: C| {
            F::of_code(code).multiply(scale).add(offset)
        }),
        (Some(scale), None) => {
            unpack_by(codec, input, output, |code: C| {
                F::of_code(code).multiply(scale)
            });
        }
        (None, Some(offset)) => {
            unpack_by(codec, input, output, |code: C| F::of_code(code).add(offset));
        }
        (None, None) => unpack_by(codec, input, output, |code: C| F::of_code(code)),
    }
    Ok(())
}

#[inline(always)]
fn unpack_by<F: Real, C: Code>(
    codec: &Cf,
    input: &[u8],
    output: &mut [u8],
    value: impl Fn(C) -> F,
) {
    let missing = Missing::<C>::of(codec);
    let full = missing.valid == (i64::MIN, i64::MAX);
    let lanes = C::split(input).iter().zip(F::split_mut(output));
    match missing.codes.as_slice() {
        [] if full => lanes.for_each(|(from, to)| *to = value(C::load(*from)).store()),
        // The usual case: only a fill value.
        &[fill] if full => lanes.for_each(|(from, to)| {
            let code = C::load(*from);
            *to = if code == fill { F::NAN } else { value(code) }.store();
        }),
        _ => lanes.for_each(|(from, to)| {
            let code = C::load(*from);
            *to = if missing.has(code) {
                F::NAN
            } else {
                value(code)
            }
            .store();
        }),
    }
}

/// Computes the difference, then the quotient, then the nearest integer (cf.encode.steps,
/// cf.encode.round).
fn pack<F: Real, C: Code>(codec: &Cf, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
    let parameter = |bits: Option<u64>| bits.map(F::of_bits);
    let (scale, offset) = (parameter(codec.scale_factor), parameter(codec.add_offset));
    let missing = Missing::<C>::of(codec);
    let fill = codec.missing.first().map(|&bits| C::of_bits(bits));
    let lanes = F::split(input).iter().zip(C::split_mut(output));
    for (index, (from, to)) in lanes.enumerate() {
        let value = F::load(*from);
        let shifted = offset.map_or(value, |offset| value.subtract(offset));
        let quotient = scale.map_or(shifted, |scale| shifted.divide(scale));
        let number = quotient.into().round_ties_even();
        // NaN is in no range.
        let in_range = number >= C::RANGE.0 && number <= C::RANGE.1;
        let code = C::of_number(number);
        *to = match fill {
            _ if in_range && !missing.has(code) => code,
            Some(fill) if value.into().is_nan() => fill,
            _ => {
                let bits = element_bits(codec.unpacked, input, index);
                return Err(unpackable(codec, bits, value.into(), in_range).at_element(index));
            }
        }
        .store();
    }
    Ok(())
}

/// Returns the reason why a value lacks a code.
fn unpackable(codec: &Cf, bits: u64, value: f64, in_range: bool) -> Fault {
    let (reason, clause) = if value.is_nan() {
        (Reason::NotANumber, "cf.encode.nan")
    } else if value.is_infinite() {
        (Reason::NotFinite, "cf.encode.infinity")
    } else if in_range {
        (Reason::OutOfRange, "cf.encode.reserved")
    } else {
        (Reason::OutOfRange, "cf.encode.range")
    };
    let words = Message::NoCode {
        from: codec.unpacked,
        bits,
        to: codec.packed,
    };
    Fault::new(reason, clause, words)
}
