//! One block: 4, 16, 64 or 256 elements of zfp's own types to bits and back (zfp.block).

use exactum_model::{Zfp, ZfpScalar, zfp_order};

use super::number::{Float, bits_of, float_format, scaled, signed};
use super::planes::{self, Extent};
use super::transform::{Transform, Width};
use crate::bits::{BitReader, BitWriter};

/// Writes a block of elements, given by their bits.
pub(super) fn encode(codec: &Zfp, scalar: ZfpScalar, block: &[u64], out: &mut BitWriter) {
    let start = out.len();
    let end = start + u64::from(codec.max_bits);
    match (float_format(scalar), codec.is_reversible()) {
        (None, reversible) => {
            let integers = integers(scalar, block);
            encode_integers(
                codec,
                scalar,
                reversible,
                codec.max_precision,
                integers,
                end,
                out,
            );
        }
        (Some(_), false) => encode_floats(codec, scalar, block, end, out),
        (Some(_), true) => encode_floats_reversibly(codec, scalar, block, end, out),
    }
    out.pad(start + u64::from(codec.min_bits));
}

/// Reads a block: the bits of its elements.
pub(super) fn decode(codec: &Zfp, scalar: ZfpScalar, bits: &mut BitReader<'_>) -> Vec<u64> {
    let start = bits.position();
    let end = start + u64::from(codec.max_bits);
    let block = match (float_format(scalar), codec.is_reversible()) {
        (None, reversible) => {
            let integers =
                decode_integers(codec, scalar, reversible, codec.max_precision, end, bits);
            integers
                .into_iter()
                .map(|value| bits_of(value, scalar.bits()))
                .collect()
        }
        (Some(_), false) => decode_floats(codec, scalar, end, bits),
        (Some(_), true) => decode_floats_reversibly(codec, scalar, end, bits),
    };
    bits.skip_to(start + u64::from(codec.min_bits));
    block
}

fn integers(scalar: ZfpScalar, block: &[u64]) -> Vec<i128> {
    block
        .iter()
        .map(|&bits| signed(bits, scalar.bits()))
        .collect()
}

/// Integers by their transform, in the order of coefficients, to base -2 and plane by plane
/// (zfp.integer, zfp.reversible.integer).
fn encode_integers(
    codec: &Zfp,
    scalar: ZfpScalar,
    reversible: bool,
    precision: u32,
    mut block: Vec<i128>,
    end: u64,
    out: &mut BitWriter,
) {
    let width = Width(scalar.bits());
    let dimensions = codec.dimensions();
    transform(reversible).forward(width, &mut block, dimensions);
    let coefficients: Vec<u64> = zfp_order(dimensions)
        .iter()
        .map(|&index| width.to_negabinary(block[usize::from(index)]))
        .collect();
    let mut precision = precision;
    if reversible {
        // The planes down to the last one that is not zero.
        let any = coefficients
            .iter()
            .fold(0, |any, coefficient| any | coefficient);
        let used = scalar.bits().saturating_sub(any.trailing_zeros());
        precision = used.clamp(1, codec.max_precision);
        out.push_bits(u64::from(precision - 1), scalar.precision_bits());
    }
    let extent = Extent {
        width: scalar.bits(),
        precision,
        budget: end.saturating_sub(out.len()),
    };
    planes::encode(extent, &coefficients, out);
}

fn decode_integers(
    codec: &Zfp,
    scalar: ZfpScalar,
    reversible: bool,
    precision: u32,
    end: u64,
    bits: &mut BitReader<'_>,
) -> Vec<i128> {
    let width = Width(scalar.bits());
    let order = zfp_order(codec.dimensions());
    let mut precision = precision;
    if reversible {
        precision = u32::try_from(bits.bits(scalar.precision_bits())).unwrap_or_default() + 1;
    }
    let extent = Extent {
        width: scalar.bits(),
        precision,
        budget: end.saturating_sub(bits.position()),
    };
    let coefficients = planes::decode(extent, order.len(), bits);
    let mut block = vec![0; order.len()];
    for (&index, digits) in order.iter().zip(coefficients) {
        block[usize::from(index)] = width.of_negabinary(digits);
    }
    transform(reversible).inverse(width, &mut block, codec.dimensions());
    block
}

fn transform(reversible: bool) -> Transform {
    if reversible {
        Transform::Differences
    } else {
        Transform::Lifting
    }
}

/// How the numbers of a block of floats are laid out.
struct Common {
    /// The least exponent whose power of two is above all of them, but at least that of the
    /// smallest normal float; `None` if all of them are zero.
    exponent: Option<i64>,
    /// The floats; of NaN and the infinities nothing.
    floats: Vec<Option<Float>>,
}

impl Common {
    fn of(scalar: ZfpScalar, block: &[u64]) -> Self {
        let Some(format) = float_format(scalar) else {
            unreachable!("only blocks of floats have a common exponent");
        };
        let floats: Vec<_> = block.iter().map(|&bits| Float::of(&format, bits)).collect();
        let largest = floats.iter().flatten().filter_map(Float::magnitude).max();
        Self {
            exponent: largest.map(|exponent| exponent.max(1 - bias(scalar))),
            floats,
        }
    }
}

/// What is added to the common exponent before it is written (zfp.float.exponent).
fn bias(scalar: ZfpScalar) -> i64 {
    float_format(scalar).map_or(0, |format| i64::from(format.bias))
}

/// How far a common exponent lies above the exponent of the integers of a block: they have two bits
/// more than their magnitudes (zfp.float.truncation).
fn fraction_bits(scalar: ZfpScalar) -> i64 {
    i64::from(scalar.bits()) - 2
}

/// The planes of a block of floats above the lowest exponent (zfp.float.precision).
fn float_precision(codec: &Zfp, exponent: i64) -> u32 {
    let guard = 2 * i64::try_from(codec.dimensions()).unwrap_or_default() + 2;
    let planes = exponent - i64::from(codec.min_exponent) + guard;
    u32::try_from(planes.max(0)).map_or(codec.max_precision, |planes| {
        planes.min(codec.max_precision)
    })
}

/// zfp.float
fn encode_floats(codec: &Zfp, scalar: ZfpScalar, block: &[u64], end: u64, out: &mut BitWriter) {
    let common = Common::of(scalar, block);
    let Some(exponent) = common.exponent else {
        return out.push(false);
    };
    let precision = float_precision(codec, exponent);
    if precision == 0 {
        return out.push(false);
    }
    out.push(true);
    push_exponent(scalar, exponent, out);
    let scale = fraction_bits(scalar) - exponent;
    let integers = common
        .floats
        .iter()
        .map(|float| float.map_or(0, |float| float.truncated(scale).0))
        .collect();
    encode_integers(codec, scalar, false, precision, integers, end, out);
}

fn decode_floats(codec: &Zfp, scalar: ZfpScalar, end: u64, bits: &mut BitReader<'_>) -> Vec<u64> {
    if !bits.bit() {
        return zeros(codec);
    }
    let exponent = read_exponent(scalar, bits);
    let precision = float_precision(codec, exponent);
    let integers = decode_integers(codec, scalar, false, precision, end, bits);
    floats(scalar, exponent, &integers)
}

/// zfp.reversible.float
fn encode_floats_reversibly(
    codec: &Zfp,
    scalar: ZfpScalar,
    block: &[u64],
    end: u64,
    out: &mut BitWriter,
) {
    let common = Common::of(scalar, block);
    let integers = match common.exponent {
        None => block.iter().all(|&bits| bits == 0).then(Vec::new),
        Some(exponent) => exactly(scalar, exponent, &common.floats),
    };
    match (integers, common.exponent) {
        (Some(_), None) => out.push(false),
        (Some(integers), Some(exponent)) => {
            out.push_bits(0b01, 2);
            push_exponent(scalar, exponent, out);
            encode_integers(codec, scalar, true, 0, integers, end, out);
        }
        (None, _) => {
            out.push_bits(0b11, 2);
            let integers = integers_of_bits(scalar, block);
            encode_integers(codec, scalar, true, 0, integers, end, out);
        }
    }
}

fn decode_floats_reversibly(
    codec: &Zfp,
    scalar: ZfpScalar,
    end: u64,
    bits: &mut BitReader<'_>,
) -> Vec<u64> {
    if !bits.bit() {
        return zeros(codec);
    }
    if bits.bit() {
        let integers = decode_integers(codec, scalar, true, 0, end, bits);
        return bits_of_integers(scalar, integers);
    }
    let exponent = read_exponent(scalar, bits);
    let integers = decode_integers(codec, scalar, true, 0, end, bits);
    if exponent == -bias(scalar) {
        // No encoder writes this exponent; zfp reads zeros without a sign (zfp.reversible.float).
        return zeros(codec);
    }
    floats(scalar, exponent, &integers)
}

fn zeros(codec: &Zfp) -> Vec<u64> {
    vec![0; zfp_order(codec.dimensions()).len()]
}

fn push_exponent(scalar: ZfpScalar, exponent: i64, out: &mut BitWriter) {
    let field = u64::try_from(exponent + bias(scalar)).unwrap_or_default();
    out.push_bits(field, scalar.exponent_bits());
}

fn read_exponent(scalar: ZfpScalar, bits: &mut BitReader<'_>) -> i64 {
    i64::try_from(bits.bits(scalar.exponent_bits())).unwrap_or_default() - bias(scalar)
}

fn floats(scalar: ZfpScalar, exponent: i64, integers: &[i128]) -> Vec<u64> {
    let Some(format) = float_format(scalar) else {
        return Vec::new();
    };
    let exponent = exponent - fraction_bits(scalar);
    integers
        .iter()
        .map(|&integer| scaled(integer, exponent, &format))
        .collect()
}

/// The integers of a block whose floats they give back to the last bit, if they do: not where there
/// is a NaN, an infinity or a negative zero, or a bit too low; and not where the power of two that
/// the floats are multiplied by is no float itself (zfp.reversible.exact).
fn exactly(scalar: ZfpScalar, exponent: i64, floats: &[Option<Float>]) -> Option<Vec<i128>> {
    let scale = fraction_bits(scalar) - exponent;
    if scale > bias(scalar) {
        return None;
    }
    floats
        .iter()
        .map(|float| {
            let float = (*float)?;
            let (integer, exact) = float.truncated(scale);
            (exact && (integer != 0 || !float.negative)).then_some(integer)
        })
        .collect()
}

/// The bits of floats as integers that go up as the floats do (zfp.reversible.bits).
fn integers_of_bits(scalar: ZfpScalar, block: &[u64]) -> Vec<i128> {
    integers(scalar, block)
        .into_iter()
        .map(|value| ordered(scalar, value))
        .collect()
}

fn bits_of_integers(scalar: ZfpScalar, integers: Vec<i128>) -> Vec<u64> {
    integers
        .into_iter()
        .map(|value| bits_of(ordered(scalar, value), scalar.bits()))
        .collect()
}

/// Turns the bits of a negative number over, all but its sign: its own inverse.
fn ordered(scalar: ZfpScalar, value: i128) -> i128 {
    if value < 0 {
        value ^ ((1 << (scalar.bits() - 1)) - 1)
    } else {
        value
    }
}
