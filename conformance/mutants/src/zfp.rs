//! Mutants of `zfp`.

mod cells;
mod elements;

use exactum_conformance::model::{
    Array, ArrayToBytes, DataType, FloatFormat, Format, IntegerFormat, Rejection, Rounding, Zfp,
    ZfpScalar,
};
use exactum_exact::{Exact, Finite, Rounded, clamp, round};
use exactum_reference::Reference;
use exactum_reference::zfp::{
    Coding, Float, Transform, Width, decode, decode_with, encode, encode_with,
};

use super::order::quiet;
use super::{Coder, Mutant, NONE, Overrides, mutant, some_rejection};
pub(crate) use cells::lies;

const CODER: Coder<Zfp> = Coder::NONE;

fn row(name: &'static str, clause: &'static str, fault: &'static str, zfp: Coder<Zfp>) -> Mutant {
    mutant(name, clause, fault, Overrides { zfp, ..NONE })
}

/// Applies a wrong decision in both directions. Floats of less than 16 bits are left as they are, because these are
/// faults of larger types.
fn faulty(wrong: impl Coding + Copy + Send + Sync + 'static) -> Coder<Zfp> {
    let coder = CODER
        .encoding(move |codec, input| encode_with(&wrong, codec, input))
        .decoding(move |codec, shape, bytes| decode_with(&wrong, codec, shape, bytes));
    within(not_small, coder)
}

/// Uses a wrong coder where `lives` applies, and the right one elsewhere.
fn within(
    lives: impl Fn(&Zfp) -> bool + Copy + Send + Sync + 'static,
    wrong: Coder<Zfp>,
) -> Coder<Zfp> {
    let mut confined = CODER;
    if let Some(part) = wrong.encode {
        confined = confined.encoding(move |codec, input| match lives(codec) {
            true => part(codec, input),
            false => encode(codec, input),
        });
    }
    if let Some(part) = wrong.decode {
        confined = confined.decoding(move |codec, shape, bytes| match lives(codec) {
            true => part(codec, shape, bytes),
            false => decode(codec, shape, bytes),
        });
    }
    confined
}

fn not_small(codec: &Zfp) -> bool {
    let format = codec.data_type.format();
    format.float().is_none_or(|float| float.bits() >= 16)
}

/// Reverses the bytes of every word, as on a big-endian machine.
fn big_endian(stream: &[u8]) -> Vec<u8> {
    let words = stream.chunks(8);
    words.flat_map(|word| word.iter().rev().copied()).collect()
}

/// Returns whether a block of floats has room for its header only.
fn is_header(codec: &Zfp) -> bool {
    matches!((codec.min_bits, codec.max_bits), (9, 9) | (12, 12))
}

/// Returns the lowest bits of an integer.
fn bits_of(value: i128, width: u32) -> u64 {
    (value & ((1 << width) - 1)).try_into().unwrap_or(0)
}

/// Returns half the range of an unsigned integer of zfp's own widths, or 0 for other types.
fn middle(data_type: DataType) -> u64 {
    match data_type.format() {
        Format::Integer(format) if format.bits >= 32 && !format.signed => 1 << (format.bits - 1),
        _ => 0,
    }
}

/// Returns `integer * 2^exponent`, rounded once.
fn rounded_once(integer: i128, exponent: i64, format: &FloatFormat) -> u64 {
    let power = Exact::Finite(Finite {
        negative: false,
        numerator: 1u32.into(),
        denominator: 1u32.into(),
        exponent,
    });
    let (value, format) = (
        Exact::integer(integer).multiply(&power),
        Format::Float(*format),
    );
    match round(&value, &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => clamp(&format, above),
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}

/// Uses other limits in both directions.
fn limits(change: fn(&mut Zfp)) -> Coder<Zfp> {
    let changed = move |codec: &Zfp| {
        let mut codec = *codec;
        change(&mut codec);
        codec
    };
    CODER
        .encoding(move |codec, input| encode(&changed(codec), input))
        .decoding(move |codec, shape, bytes| decode(&changed(codec), shape, bytes))
}

/// Refuses some codecs in both directions.
fn refusing(refuses: fn(&Zfp) -> bool) -> Coder<Zfp> {
    CODER
        .encoding(move |codec, input| match refuses(codec) {
            true => Err(some_rejection()),
            false => encode(codec, input),
        })
        .decoding(move |codec, shape, bytes| match refuses(codec) {
            true => Err(some_rejection()),
            false => decode(codec, shape, bytes),
        })
}

/// Returns whether all blocks have the same number of bits and nothing else is limited.
fn has_rate(codec: &Zfp) -> bool {
    codec.min_bits == codec.max_bits && codec.max_precision == 64 && codec.min_exponent == -1074
}

/// Returns whether the lowest plane is the limit.
fn has_tolerance(codec: &Zfp) -> bool {
    codec.min_bits == 1 && codec.max_bits == Zfp::MAX_BITS && codec.max_precision == 64
}

fn is_promoted(codec: &Zfp) -> bool {
    codec.data_type.format().component_bits() < 32
}

/// Encodes a chunk; integers lose the bits for which the transform has no room.
fn unchecked(codec: &Zfp, input: &Array) -> Result<Vec<u8>, Rejection> {
    let Format::Integer(format) = codec.data_type.format() else {
        return encode(codec, input);
    };
    let most = 1 << (format.bits - 2);
    let own = input.components().map(|bits| bits & (most - 1));
    let input = Array::from_components(input.data_type(), input.shape().to_vec(), own)?;
    encode(codec, &input)
}

pub(super) fn mutants() -> Vec<Mutant> {
    [
        block_limits(),
        blocks_and_planes(),
        float_blocks(),
        elements::promotions(),
        elements::narrow_floats(),
        streams(),
    ]
    .concat()
}

#[rustfmt::skip] // A table.
fn block_limits() -> Vec<Mutant> {
    vec![
        row("zfp-rate-of-three-dimensions", "zfp.rate.rank",
            "The bits of a rate are always computed for three dimensions (zarrs).",
            limits(|codec| if has_rate(codec) {
                codec.min_bits = 64 * codec.min_bits / (1 << (2 * codec.dimensions()));
                codec.max_bits = codec.min_bits;
            })),
        row("zfp-no-dimension-refused", "zfp.blocks.single",
            "A chunk without dimensions has no field of zfp (zarrs).",
            refusing(|codec| codec.rank == 0)),
        row("zfp-unsigned-clamped", "zfp.unsigned.range",
            "Unsigned integers are clamped to the signed maximum, in the reversible mode too (zarrs).",
            faulty(wrong!(Coding:
                fn check(&self, _: &Zfp, _: u64) -> Result<(), Rejection> { Ok(()) }
                fn promote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
                    match middle(data_type) {
                        0 => Reference.promote(data_type, scalar, bits),
                        middle => bits.min(middle - 1),
                    }
                }
            ))),
        row("zfp-unsigned-centred", "zfp.unsigned",
            "uint32 and uint64 are centred as smaller unsigned integers are.",
            faulty(wrong!(Coding:
                fn check(&self, _: &Zfp, _: u64) -> Result<(), Rejection> { Ok(()) }
                fn promote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 { Reference.promote(data_type, scalar, bits ^ middle(data_type)) }
                fn demote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
                    match middle(data_type) {
                        0 => Reference.demote(data_type, scalar, bits),
                        middle => bits ^ middle,
                    }
                }
            ))),
        row("zfp-limits-of-expert-replaced", "zfp.expert.limits",
            "The limits of expert mode do not reach zfp, which uses its defaults (zarrs, if the limits are invalid).",
            limits(|codec| if !has_rate(codec) && codec.max_bits < Zfp::MAX_BITS {
                (codec.min_bits, codec.max_bits) = (1, Zfp::MAX_BITS);
            })),
        row("zfp-maxprec-of-expert-ignored", "zfp.expert.limits zfp.precision.planes",
            "A number of planes has no effect.",
            limits(|codec| codec.max_precision = 64)),
        row("zfp-minexp-below-is-the-least", "zfp.expert.limits",
            "A minexp below -1074 counts as -1074, so that the mode is never reversible.",
            limits(|codec| if codec.max_bits < Zfp::MAX_BITS {
                codec.min_exponent = codec.min_exponent.max(-1074);
            })),
        row("zfp-precision-one-more", "zfp.precision.planes",
            "The planes are counted from 0.",
            limits(|codec| if codec.max_bits == Zfp::MAX_BITS {
                codec.max_precision = (codec.max_precision + 1).min(64);
            })),
        row("zfp-reversible-is-precise", "zfp.reversible zfp.reversible.integer",
            "Reversible is the lossy transform with all planes.",
            limits(|codec| codec.min_exponent = codec.min_exponent.max(-1074))),
        row("zfp-tolerance-rounded-up", "zfp.accuracy.exponent zfp.accuracy.bound",
            "The exponent of a tolerance is that of the power of two above it, and two more.",
            limits(|codec| if has_tolerance(codec) && codec.min_exponent > -1074 && codec.min_exponent < 1000 {
                codec.min_exponent += 3;
            })),
        row("zfp-tolerance-of-frexp", "zfp.accuracy.exponent",
            "The exponent of a tolerance is the one of frexp, one too high.",
            limits(|codec| if has_tolerance(codec) && codec.min_exponent > -1074 && codec.min_exponent < 1000 {
                codec.min_exponent += 1;
            })),
    ]
}

#[rustfmt::skip] // A table.
fn blocks_and_planes() -> Vec<Mutant> {
    vec![
        row("zfp-rate-aligned", "zfp.rate.bits",
            "Blocks of a fixed rate begin at word boundaries, as for random access.",
            faulty(wrong!(Coding: fn filled(&self, codec: &Zfp, bits: u64) -> u64 {
                match codec.min_bits == codec.max_bits {
                    true => u64::from(codec.max_bits).next_multiple_of(64),
                    false => Reference.filled(codec, bits),
                }
            }))),
        row("zfp-rate-not-raised", "zfp.rate.bits",
            "A rate below the size of a block's header is used unchanged.",
            faulty(wrong!(Coding:
                fn max_bits(&self, codec: &Zfp) -> u64 { if is_header(codec) { 4 } else { Reference.max_bits(codec) } }
                fn filled(&self, codec: &Zfp, bits: u64) -> u64 { if is_header(codec) { bits.max(4) } else { Reference.filled(codec, bits) } }
            ))),
        row("zfp-blocks-not-filled", "zfp.block zfp.rate.bits",
            "Blocks end with their last bit, even below minbits.",
            faulty(wrong!(Coding: fn filled(&self, _: &Zfp, bits: u64) -> u64 { bits }))),
        row("zfp-maxbits-ignored", "zfp.block",
            "A block has as many bits as its planes need.",
            faulty(wrong!(Coding: fn max_bits(&self, _: &Zfp) -> u64 { u64::MAX }))),
        row("zfp-first-dimension-is-x", "zfp.blocks",
            "The first dimension of the shape is zfp's x.",
            faulty(wrong!(Coding: fn axes(&self, rank: usize) -> Vec<usize> { (0..rank).collect() }))),
        row("zfp-blocks-by-columns", "zfp.blocks.order",
            "Blocks follow each other along the slowest axis first.",
            faulty(wrong!(Coding: fn block_axes(&self) -> [usize; 4] { [3, 2, 1, 0] }))),
        row("zfp-last-element-repeated", "zfp.blocks.partial",
            "Partial blocks are padded with their last element.",
            faulty(wrong!(Coding: fn padded(&self, line: [u64; 4], valid: usize) -> [u64; 4] { [0, 1, 2, 3].map(|step| line[step.min(valid - 1)]) }))),
        row("zfp-zeros-pad", "zfp.blocks.partial",
            "Partial blocks are padded with zeros.",
            faulty(wrong!(Coding: fn padded(&self, line: [u64; 4], valid: usize) -> [u64; 4] { [0, 1, 2, 3].map(|step| if step < valid { line[step] } else { 0 }) }))),
        row("zfp-order-by-index", "zfp.block.order",
            "Coefficients are ordered by degree and then by index, without a table.",
            faulty(wrong!(Coding: fn order(&self, dimensions: usize) -> Vec<usize> {
                let degree = |index: usize| (0..dimensions).map(|axis| index >> (2 * axis) & 3).sum::<usize>();
                let mut order: Vec<usize> = (0..1 << (2 * dimensions)).collect();
                order.sort_by_key(|&index| degree(index));
                order
            }))),
        row("zfp-twos-complement", "zfp.block.negabinary",
            "Coefficients are coded in memory order.",
            faulty(wrong!(Coding:
                fn digits(&self, width: Width, coefficient: i128) -> u64 { bits_of(coefficient, width.0) }
                fn coefficient(&self, width: Width, digits: u64) -> i128 { width.wrap(digits.into()) }
            ))),
        row("zfp-lossy-integers-counted", "zfp.integer",
            "Lossy blocks of integers begin with the number of their planes, as reversible ones do.",
            faulty(wrong!(Coding: fn is_counted(&self, codec: &Zfp, scalar: ZfpScalar) -> bool { codec.is_reversible() || scalar.exponent_bits() == 0 }))),
        row("zfp-lift-rounded", "zfp.lift.lossy",
            "Means are rounded to nearest.",
            faulty(wrong!(Coding: fn mean(&self, width: Width, sum: i128) -> i128 { width.wrap(sum + 1) >> 1 }))),
        row("zfp-planes-begin-anew", "zfp.planes",
            "The set of significant coefficients is forgotten at every plane.",
            faulty(wrong!(Coding: fn reached(&self, _: usize) -> usize { 0 }))),
        row("zfp-last-one-written", "zfp.planes.implied",
            "The last coefficient has a separate bit, although it must be a 1.",
            faulty(wrong!(Coding: fn implied(&self, coefficients: usize) -> usize { coefficients }))),
        row("zfp-announced-forgotten", "zfp.planes.implied",
            "A 1 that was announced before the bits ran out does not count.",
            faulty(wrong!(Coding: fn unseen(&self) -> u64 { 0 }))),
    ]
}

#[rustfmt::skip] // A table.
fn float_blocks() -> Vec<Mutant> {
    vec![
        row("zfp-zeros-written-out", "zfp.float",
            "A block of zeros is coded like any other block.",
            faulty(wrong!(Coding: fn is_zero(&self, exponent: Option<i64>, planes: u32) -> bool { exponent.is_some() && planes == 0 }))),
        row("zfp-exponent-of-a-fraction-of-one", "zfp.float.exponent",
            "The exponent is one more, and the integers have one bit less.",
            faulty(wrong!(Coding: fn exponent(&self, scalar: ZfpScalar, magnitude: i64) -> i64 { Reference.exponent(scalar, magnitude) + 1 }))),
        row("zfp-floats-rounded", "zfp.float.truncation",
            "Floats are rounded to integers.",
            faulty(wrong!(Coding: fn truncated(&self, scalar: ZfpScalar, float: Option<Float>, scale: i64) -> i128 {
                let halves = Reference.truncated(scalar, float, scale + 1);
                halves.signum() * ((halves.abs() + 1) >> 1)
            }))),
        row("zfp-guards-of-one-dimension", "zfp.float.precision",
            "There are two guard planes in every number of dimensions.",
            faulty(wrong!(Coding: fn guard_planes(&self, _: usize) -> usize { 2 }))),
        row("zfp-planes-in-the-middle", "zfp.float.decode zfp.planes",
            "Truncated planes count as a half, as in a build of zfp with rounding.",
            faulty(wrong!(Coding: fn restored(&self, width: Width, planes: u32, digits: u64) -> u64 {
                match digits != 0 && planes < width.0 {
                    true => digits | 1 << (width.0 - planes - 1),
                    false => digits,
                }
            }))),
        row("zfp-decoded-in-one-step", "zfp.float.decode",
            "Integer and power are multiplied exactly and rounded once.",
            faulty(wrong!(Coding: fn scaled(&self, integer: i128, exponent: i64, format: &FloatFormat) -> u64 { rounded_once(integer, exponent, format) }))),
        row("zfp-planes-counted-from-one", "zfp.reversible.integer",
            "The number of planes is written without subtracting 1.",
            faulty(wrong!(Coding: fn least_planes(&self) -> u32 { 0 }))),
        row("zfp-all-planes", "zfp.reversible.integer",
            "All planes are written, even those that contain only zeros.",
            faulty(wrong!(Coding: fn used_planes(&self, width: Width, _: u64) -> u32 { width.0 }))),
        row("zfp-reversible-lift-lossy", "zfp.lift.reversible",
            "Reversible blocks use the lossy transform, too.",
            faulty(wrong!(Coding: fn transform(&self, _: &Zfp) -> Transform { Transform::Lifting }))),
        row("zfp-floats-by-bits-always", "zfp.reversible.float",
            "Reversible blocks of floats are always those of their bits.",
            faulty(wrong!(Coding: fn is_by_value(&self) -> bool { false }))),
        row("zfp-zero-sign-lost", "zfp.reversible.exact",
            "The decoded block is compared by value, so that -0 equals 0.",
            faulty(wrong!(Coding: fn comes_back(&self, _: Float, _: i128, exact: bool) -> bool { exact }))),
        row("zfp-bits-not-turned", "zfp.reversible.bits",
            "The bits of negative floats are used unchanged.",
            faulty(wrong!(Coding: fn ordered(&self, _: Width, value: i128) -> i128 { value }))),
        row("zfp-nan-quieted", "zfp.reversible.bits zfp.promotion.floats",
            "Loading a signalling NaN into a register sets its quiet bit.",
            faulty(wrong!(Coding: fn promote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 { Reference.promote(data_type, scalar, quiet(data_type, bits)) }))),
    ]
}

#[rustfmt::skip] // A table.
fn streams() -> Vec<Mutant> {
    vec![
        row("zfp-unsigned-refused", "zfp.unsigned",
            "Only the types that the C library has are supported.",
            refusing(|codec| matches!(codec.data_type.format(), Format::Integer(it) if !it.signed && it.bits >= 32))),
        row("zfp-promoted-refused", "zfp.data_type.promoted",
            "Only zfp's own types are accepted.",
            refusing(is_promoted)),
        row("zfp-big-endian-words", "zfp.stream",
            "Words are written in the order of a big-endian machine.",
            within(not_small, CODER
                .encoding(|codec, input| encode(codec, input).map(|stream| big_endian(&stream)))
                .decoding(|codec, shape, bytes| decode(codec, shape, &big_endian(bytes))))),
        row("zfp-small-floats-saturate", "zfp.demotion.floats.small",
            "A value too large for a type without infinities becomes its largest number.",
            CODER.decoding(|codec, shape, bytes| {
                let right = decode(codec, shape, bytes)?;
                let Some(float) = codec.data_type.format().float() else {
                    return Ok(right);
                };
                let saturated = right.components().map(|bits| match float.is_nan(bits) {
                    true if float.bits() < 16 => float.max_finite_bits(),
                    _ => bits,
                });
                let shape = right.shape().to_vec();
                Array::from_components(codec.data_type, shape, saturated.collect::<Vec<_>>())
            })),
        row("zfp-whole-bytes", "zfp.stream.words",
            "A stream ends with its last byte: words have 8 bits (Debian's libzfp).",
            faulty(wrong!(Coding: fn word_bits(&self) -> u64 { 8 }))),
        row("zfp-header", "zfp.stream",
            "The stream begins with a header, as in numcodecs.zfpy: \"zfp\" and the version of the codec.",
            faulty(wrong!(Coding: fn header(&self) -> (u64, u32) { (0x0570_667a, 32) }))),
        row("zfp-short-refused", "zfp.stream.end",
            "A stream that does not consist of whole words is refused.",
            CODER.decoding(|codec, shape, bytes| match bytes.len().is_multiple_of(8) {
                true => decode(codec, shape, bytes),
                false => Err(some_rejection()),
            })),
        row("zfp-size-wraps", "zfp.stream.size",
            "The size of a chunk is computed in 32 bits, and looks small.",
            CODER.decoding(|codec, shape, bytes| match decode(codec, shape, bytes) {
                Err(rejection) if rejection.clause == "chain.shape" => {
                    Array::new(codec.data_type, vec![0], Vec::new())
                }
                answer => answer,
            })),
        mutant("zfp-size-of-a-stream-unknown", "zfp.rate.size",
            "The size of a compressed chunk is not known.",
            Overrides {
                resolution: Some(|chain, it| {
                    if let ArrayToBytes::Zfp(_) = chain.pipeline.array_to_bytes {
                        it.encoded_bytes = None;
                    }
                }),
                ..NONE
            }),
        mutant("zfp-size-not-in-words", "zfp.rate.size",
            "The size is that of the bits, without the padding of the last word.",
            Overrides {
                resolution: Some(|chain, it| {
                    if let ArrayToBytes::Zfp(codec) = &chain.pipeline.array_to_bytes
                        && let Some(stage) = it.stages.last()
                    {
                        let blocks: u64 = stage.shape.iter().map(|extent| extent.div_ceil(4)).product();
                        let bits = blocks * u64::from(codec.max_bits);
                        it.encoded_bytes = it.encoded_bytes.map(|_| bits.div_ceil(8));
                    }
                }),
                ..NONE
            }),
    ]
}
