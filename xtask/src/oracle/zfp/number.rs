//! The types that zfp supports, conversions from and to other types, and software floats.

use exactum_model::{DataType, Format, Reason};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

mod small;

/// A type that zfp supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    Int32,
    Int64,
    Float32,
    Float64,
}

/// Returns the type as which elements of a data type are compressed.
pub(super) fn own(data_type: DataType) -> Option<Own> {
    Some(match data_type.name() {
        "int64" | "uint64" => Own::Int64,
        "float64" => Own::Float64,
        name if name.starts_with("float") || name == "bfloat16" => Own::Float32,
        name if name.starts_with("int") || name.starts_with("uint") => Own::Int32,
        _ => return None,
    })
}

impl Own {
    pub(super) fn bits(self) -> u32 {
        match self {
            Own::Int32 | Own::Float32 => 32,
            Own::Int64 | Own::Float64 => 64,
        }
    }

    /// Interprets bits as an integer in two's complement.
    pub(super) fn signed(self, bits: u64) -> i64 {
        let unused = 64 - self.bits();
        (bits << unused).cast_signed() >> unused
    }

    /// Returns the lowest bits of an integer as a signed integer.
    pub(super) fn kept(self, integer: i64) -> i64 {
        self.signed(integer.cast_unsigned())
    }

    pub(super) fn unsigned(self, integer: i64) -> u64 {
        integer.cast_unsigned() & (u64::MAX >> (64 - self.bits()))
    }

    /// Returns the width of an exponent and its bias; both are 0 for integers.
    pub(super) fn exponent(self) -> (u32, i64) {
        match self {
            Own::Int32 | Own::Int64 => (0, 0),
            Own::Float32 => (8, 127),
            Own::Float64 => (11, 1023),
        }
    }

    /// Returns the least e for which all finite floats are below 2^e in magnitude, but not less than that of the
    /// smallest normal float. Returns `None` if all of them are zero.
    pub(super) fn common_exponent(self, block: &[u64]) -> Option<i64> {
        let magnitudes = block.iter().map(|&bits| self.quad(bits));
        let numbers = magnitudes.filter(|it| it.is_finite() && !it.is_zero());
        let largest = numbers.map(|it| i64::from(it.ilogb()) + 1).max()?;
        Some(largest.max(1 - self.exponent().1))
    }

    fn quad(self, bits: u64) -> Quad {
        let mut inexact = false;
        match self {
            Own::Float32 => Single::from_bits(bits.into()).convert(&mut inexact).value,
            _ => Double::from_bits(bits.into()).convert(&mut inexact).value,
        }
    }

    /// Returns a float times a power of two, truncated to an integer. It is computed in binary128, in which nothing
    /// overflows.
    pub(super) fn truncated(self, bits: u64, exponent: i64) -> i64 {
        integer(self.quad(bits), exponent).unwrap_or(0)
    }

    /// Returns the integers of a block of floats, if zfp's own arithmetic restores every float from them.
    pub(super) fn reversible(self, block: &[u64], exponent: i64) -> Option<Vec<i64>> {
        let there = i64::from(self.bits()) - 2 - exponent;
        block
            .iter()
            .map(|&bits| {
                let integer = match self {
                    Own::Float32 => multiplied::<Single>(bits, there).and_then(|it| integer(it, 0)),
                    _ => multiplied::<Double>(bits, there).and_then(|it| integer(it, 0)),
                }?;
                (self.float(integer, exponent) == bits).then_some(integer)
            })
            .collect()
    }

    /// Returns the float that an integer of a block represents.
    pub(super) fn float(self, integer: i64, exponent: i64) -> u64 {
        let power = exponent - i64::from(self.bits()) + 2;
        match self {
            Own::Float32 => product::<Single>(integer, power),
            _ => product::<Double>(integer, power),
        }
    }
}

fn power<F: Float>(exponent: i64) -> F {
    let one = F::from_u128(1).value;
    one.scalbn(i32::try_from(exponent).unwrap_or_default())
}

/// Multiplies a finite float by a power of two that its type can represent.
fn multiplied<F: Float>(bits: u64, exponent: i64) -> Option<F> {
    let (float, power) = (F::from_bits(bits.into()), power::<F>(exponent));
    (float.is_finite() && power.is_finite())
        .then(|| float.mul_r(power, Round::NearestTiesToEven).value)
}

fn product<F: Float>(integer: i64, exponent: i64) -> u64 {
    let float = F::from_i128(integer.into()).value;
    let product = float.mul_r(power(exponent), Round::NearestTiesToEven);
    u64::try_from(product.value.to_bits()).unwrap_or_default()
}

fn integer<F: Float>(float: F, exponent: i64) -> Option<i64> {
    let exponent = i32::try_from(exponent).ok()?;
    let mut exact = false;
    let scaled = float.scalbn(exponent);
    let integer = scaled.to_i128_r(127, Round::TowardZero, &mut exact);
    i64::try_from(integer.value).ok()
}

/// Converts the bits of an element to those of the type as which it is compressed.
pub(super) fn promote(data_type: DataType, reversible: bool, bits: u64) -> Result<u64, Reason> {
    let own = own(data_type).ok_or(Reason::UnsupportedDataType)?;
    match data_type {
        DataType::Float16 => widened::<Half>(bits, 10),
        DataType::Bfloat16 => widened::<BFloat>(bits, 7),
        DataType::Float32 | DataType::Float64 => Some(bits),
        _ if own == Own::Float32 => small::widened(data_type, bits),
        _ => return integer_of(data_type, own, reversible, bits),
    }
    .filter(|&bits| reversible || own.quad(bits).is_finite())
    .ok_or(Reason::NotFinite)
}

fn integer_of(data_type: DataType, own: Own, reversible: bool, bits: u64) -> Result<u64, Reason> {
    let (width, signed) = width(data_type);
    let value = if signed {
        i128::from((bits << (64 - width)).cast_signed() >> (64 - width))
    } else {
        i128::from(bits)
    };
    if width < 32 {
        let centre = if signed { 0 } else { 1 << (width - 1) };
        let promoted = (value - centre) * (1 << (31 - width));
        let promoted = i64::try_from(promoted).map_err(|_| Reason::OutOfRange)?;
        return Ok(own.unsigned(promoted));
    }
    let fits = if reversible {
        value <= i128::MAX >> (128 - width)
    } else {
        // The transform needs one more bit.
        value.abs() <= i128::MAX >> (129 - width)
    };
    fits.then_some(bits).ok_or(Reason::OutOfRange)
}

fn width(data_type: DataType) -> (u32, bool) {
    match data_type.format() {
        Format::Integer(format) => (format.bits, format.signed),
        _ => (64, true),
    }
}

/// Converts a float of 16 bits, with the given number of mantissa bits, to float32.
fn widened<F: Float + FloatConvert<Single>>(bits: u64, mantissa: u32) -> Option<u64> {
    let float = F::from_bits(bits.into());
    if float.is_nan() {
        let payload = bits & ((1 << mantissa) - 1);
        return Some(bits >> 15 << 31 | 0xff << 23 | payload << (23 - mantissa));
    }
    let mut inexact = false;
    u64::try_from(float.convert(&mut inexact).value.to_bits()).ok()
}

/// Returns the 16-bit float that is nearest to a float32.
fn narrowed<F: Float>(bits: u64, mantissa: u32) -> u64
where
    Single: FloatConvert<F>,
{
    let float = Single::from_bits(bits.into());
    if float.is_nan() {
        let exponent = 0x7fff >> mantissa << mantissa;
        let payload = (bits & 0x7f_ffff) >> (23 - mantissa);
        let payload = if payload == 0 {
            1 << (mantissa - 1)
        } else {
            payload
        };
        return bits >> 31 << 15 | exponent | payload;
    }
    let mut inexact = false;
    let narrow: F = float
        .convert_r(Round::NearestTiesToEven, &mut inexact)
        .value;
    u64::try_from(narrow.to_bits()).unwrap_or_default()
}

/// Converts decoded bits to the bits of an element.
pub(super) fn demote(data_type: DataType, bits: u64) -> u64 {
    match data_type {
        DataType::Float16 => return narrowed::<Half>(bits, 10),
        DataType::Bfloat16 => return narrowed::<BFloat>(bits, 7),
        DataType::Float32 | DataType::Float64 => return bits,
        _ if own(data_type) == Some(Own::Float32) => return small::narrowed(data_type, bits),
        _ => {}
    }
    let (width, signed) = width(data_type);
    let Some(own) = own(data_type) else {
        return bits;
    };
    let integer = own.signed(bits);
    if width >= 32 {
        return if signed {
            bits
        } else {
            own.unsigned(integer.max(0))
        };
    }
    let steps = integer.div_euclid(1 << (31 - width));
    let half = 1 << (width - 1);
    let element = steps.clamp(-half, half - 1);
    let element = if signed { element } else { element + half };
    element.cast_unsigned() & ((1 << width) - 1)
}
