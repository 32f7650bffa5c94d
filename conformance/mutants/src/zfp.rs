//! Mutants of `zfp`.

mod block;
mod cells;
mod codec;
mod fault;
mod number;

use exactum_conformance::model::{Array, ArrayToBytes, Format, Rejection, Zfp};
use exactum_reference::zfp::{decode, encode};

use super::{Coder, Mutant, NONE, Overrides, mutant, some_rejection};
pub(crate) use cells::lies;
use fault::Fault::{self, *};

const CODER: Coder<Zfp> = Coder::NONE;

fn row(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    witness: &'static str,
    zfp: Coder<Zfp>,
) -> Mutant {
    mutant(name, clause, fault, witness, Overrides { zfp, ..NONE })
}

/// A codec with a fault in both directions.
fn faulty(fault: Fault) -> Coder<Zfp> {
    CODER
        .encoding(move |codec, input| codec::encode(fault, codec, input))
        .decoding(move |codec, shape, bytes| codec::decode(fault, codec, shape, bytes))
}

/// The codec with other limits, in both directions.
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

/// Something that is refused, in both directions.
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

/// Whether all blocks have the same number of bits and nothing else is limited.
fn has_rate(codec: &Zfp) -> bool {
    codec.min_bits == codec.max_bits && codec.max_precision == 64 && codec.min_exponent == -1074
}

/// Whether the lowest plane is what limits.
fn has_tolerance(codec: &Zfp) -> bool {
    codec.min_bits == 1 && codec.max_bits == Zfp::MAX_BITS && codec.max_precision == 64
}

fn is_promoted(codec: &Zfp) -> bool {
    codec.data_type.format().component_bits() < 32
}

/// The bytes of a chunk whose integers lose the bits that the transform has no room for.
fn unchecked(codec: &Zfp, input: &Array) -> Result<Vec<u8>, Rejection> {
    let Format::Integer(format) = codec.data_type.format() else {
        return encode(codec, input);
    };
    let most = 1 << (format.bits - 2);
    let own = input.components().map(|bits| bits & (most - 1));
    let input = Array::from_components(input.data_type(), input.shape().to_vec(), own)?;
    encode(codec, &input)
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    const REVERSIBLE: &str = r#"zfp.encode float32 {"mode":"reversible"} [0.0, 0.0, 0.0, -0.0]"#;
    vec![
        row("zfp-rate-of-three-dimensions", "zfp.rate.rank",
            "The bits of a rate are computed for three dimensions, whatever the chunk has (zarrs).",
            r#"zfp.encode int32 {"mode":"fixed_rate","rate":8} [1, 2, 3, 4]"#,
            limits(|codec| if has_rate(codec) {
                codec.min_bits = 64 * codec.min_bits / (1 << (2 * codec.dimensions()));
                codec.max_bits = codec.min_bits;
            })),
        row("zfp-no-dimension-refused", "zfp.blocks.single",
            "A chunk without dimensions has no field of zfp (zarrs).",
            r#"zfp.decode int32 {"mode":"reversible"} [] 0000000000000000"#,
            refusing(|codec| codec.rank == 0)),
        row("zfp-unsigned-clamped", "zfp.unsigned.range",
            "Unsigned integers are clamped to the signed maximum, in the reversible mode too (zarrs).",
            r#"zfp.encode uint32 {"mode":"reversible"} [4294967295]"#,
            faulty(Clamped)),
        row("zfp-unsigned-centred", "zfp.unsigned",
            "uint32 and uint64 are centred as smaller unsigned integers are.",
            r#"zfp.encode uint32 {"mode":"reversible"} [1, 2, 3, 4]"#,
            faulty(CentredUnsigned)),
        row("zfp-limits-of-expert-replaced", "zfp.expert.limits",
            "The limits of expert do not reach zfp, which goes on with its defaults (zarrs, of limits that are invalid).",
            r#"zfp.encode int32 {"mode":"expert","minbits":0,"maxbits":9,"maxprec":64,"minexp":-1074} [1, 2, 3, 4]"#,
            limits(|codec| if !has_rate(codec) && codec.max_bits < Zfp::MAX_BITS {
                (codec.min_bits, codec.max_bits) = (1, Zfp::MAX_BITS);
            })),
        row("zfp-maxprec-of-expert-ignored", "zfp.expert.limits zfp.precision.planes",
            "A number of planes has no effect.",
            r#"zfp.encode int32 {"mode":"fixed_precision","precision":3} [1, 1000000000, 3, 4]"#,
            limits(|codec| codec.max_precision = 64)),
        row("zfp-minexp-below-is-the-least", "zfp.expert.limits",
            "A minexp below -1074 is taken for -1074: never reversible.",
            r#"zfp.encode int32 {"mode":"expert","minbits":0,"maxbits":99,"maxprec":64,"minexp":-1075} [1, 2, 3, 4]"#,
            limits(|codec| if codec.max_bits < Zfp::MAX_BITS {
                codec.min_exponent = codec.min_exponent.max(-1074);
            })),
        row("zfp-precision-one-more", "zfp.precision.planes",
            "The planes are counted from 0.",
            r#"zfp.encode int32 {"mode":"fixed_precision","precision":3} [1, 1000000000, 3, 4]"#,
            limits(|codec| if codec.max_bits == Zfp::MAX_BITS {
                codec.max_precision = (codec.max_precision + 1).min(64);
            })),
        row("zfp-reversible-is-precise", "zfp.reversible zfp.reversible.integer",
            "Reversible is the lossy transform with all planes.",
            r#"zfp.encode int32 {"mode":"reversible"} [1, 2, 30, 100]"#,
            limits(|codec| codec.min_exponent = codec.min_exponent.max(-1074))),
        row("zfp-tolerance-rounded-up", "zfp.accuracy.exponent zfp.accuracy.bound",
            "The exponent of a tolerance is that of the power of two above it, and two more.",
            r#"zfp.encode float32 {"mode":"fixed_accuracy","tolerance":0.05} [0.0, 0.25, 0.5, 0.8]"#,
            limits(|codec| if has_tolerance(codec) && codec.min_exponent > -1074 && codec.min_exponent < 1000 {
                codec.min_exponent += 3;
            })),
        row("zfp-tolerance-of-frexp", "zfp.accuracy.exponent",
            "The exponent of a tolerance is the one of frexp, one too high.",
            r#"zfp.encode float32 {"mode":"fixed_accuracy","tolerance":0.05} [0.0, 0.25, 0.5, 0.8]"#,
            limits(|codec| if has_tolerance(codec) && codec.min_exponent > -1074 && codec.min_exponent < 1000 {
                codec.min_exponent += 1;
            })),
        row("zfp-rate-aligned", "zfp.rate.bits",
            "Blocks of a fixed rate begin with words, as for access at random.",
            r#"zfp.encode int32 {"mode":"fixed_rate","rate":8} [1, 2, 3, 4, 5]"#,
            faulty(AlignedBlocks)),
        row("zfp-rate-not-raised", "zfp.rate.bits",
            "A rate below the header of a block is taken as it is.",
            r#"zfp.encode float32 {"mode":"fixed_rate","rate":1} [1.0, 1.0, 1.0, 1.0, 1.0]"#,
            faulty(NotRaised)),
        row("zfp-blocks-not-filled", "zfp.block zfp.rate.bits",
            "Blocks end with their last bit, also below minbits.",
            r#"zfp.encode int32 {"mode":"fixed_rate","rate":16} [0, 0, 0, 0, 1]"#,
            faulty(NoFilling)),
        row("zfp-maxbits-ignored", "zfp.block",
            "A block has as many bits as its planes need.",
            r#"zfp.encode int32 {"mode":"expert","minbits":0,"maxbits":9,"maxprec":64,"minexp":-1074} [1, 200000, 3, 4]"#,
            faulty(NoMost)),
        row("zfp-first-dimension-is-x", "zfp.blocks",
            "The first dimension of the shape is zfp's x.",
            r#"zfp.encode int32 {"mode":"reversible"} [2, 3] 0x010000000200000003000000040000000500000009000000"#,
            faulty(FirstAxisFastest)),
        row("zfp-blocks-by-columns", "zfp.blocks.order",
            "Blocks follow each other along the slowest axis first.",
            r#"zfp.encode int8 {"mode":"reversible"} [5, 5] 0x01020304050607080900010203040506070809000102030405"#,
            faulty(BlocksByTheLastAxis)),
        row("zfp-last-element-repeated", "zfp.blocks.partial",
            "Partial blocks are padded by their last element.",
            r#"zfp.encode int32 {"mode":"reversible"} [1, 2, 4]"#,
            faulty(RepeatedEdge)),
        row("zfp-zeros-pad", "zfp.blocks.partial",
            "Partial blocks are padded by zeros.",
            r#"zfp.encode int32 {"mode":"reversible"} [1, 2, 4]"#,
            faulty(ZeroEdge)),
        row("zfp-order-by-index", "zfp.block.order",
            "Coefficients go by their degree and then by their index: no table.",
            r#"zfp.encode int32 {"mode":"reversible"} [4, 4] 0x01000000020000000300000004000000050000000900000011000000120000001300000014000000150000001900000001000000020000000400000008000000"#,
            faulty(LexicographicOrder)),
        row("zfp-twos-complement", "zfp.block.negabinary",
            "Coefficients are coded as they stand in memory.",
            r#"zfp.encode int32 {"mode":"reversible"} [1, 2, 30, 100]"#,
            faulty(TwosComplement)),
        row("zfp-lossy-integers-counted", "zfp.integer",
            "Lossy blocks of integers have the number of their planes in front, as reversible ones do.",
            r#"zfp.encode int32 {"mode":"fixed_precision","precision":64} [1, 2, 30, 100]"#,
            faulty(LossyWithHeader)),
        row("zfp-lift-rounded", "zfp.lift.lossy",
            "Means are rounded to nearest.",
            r#"zfp.encode int32 {"mode":"fixed_precision","precision":64} [1, 2, 30, 100]"#,
            faulty(RoundedLift)),
        row("zfp-planes-begin-anew", "zfp.planes",
            "Which coefficients were reached is forgotten at every plane.",
            r#"zfp.encode int32 {"mode":"reversible"} [1, 2, 30, 100]"#,
            faulty(ReachedForgotten)),
        row("zfp-last-one-written", "zfp.planes.implied",
            "The last coefficient has a bit of its own, although it must be a 1.",
            r#"zfp.encode int32 {"mode":"reversible"} [0, 0, 0, 1]"#,
            faulty(LastNotImplied)),
        row("zfp-announced-forgotten", "zfp.planes.implied",
            "A 1 that was announced when the bits ran out is none.",
            r#"zfp.decode int32 {"mode":"expert","minbits":0,"maxbits":1,"maxprec":64,"minexp":-1074} [4] 0100000000000000"#,
            faulty(AnnouncedForgotten)),
        row("zfp-zeros-written-out", "zfp.float",
            "A block of zeros is one like any other.",
            r#"zfp.encode float32 {"mode":"fixed_precision","precision":8} [0.0, 0.0, 0.0, 0.0]"#,
            faulty(ZerosWrittenOut)),
        row("zfp-exponent-of-a-fraction-of-one", "zfp.float.exponent",
            "The exponent is one more, and the integers have one bit less.",
            r#"zfp.encode float32 {"mode":"fixed_precision","precision":8} [1.0, 0.0, 0.0, 0.0]"#,
            faulty(FractionExponent)),
        row("zfp-floats-rounded", "zfp.float.truncation",
            "Floats are rounded to integers.",
            r#"zfp.encode float32 {"mode":"fixed_precision","precision":64} [1.0, 0.000000001, 0.0, 0.0]"#,
            faulty(RoundedFloats)),
        row("zfp-guards-of-one-dimension", "zfp.float.precision",
            "There are two guard planes in every number of dimensions.",
            r#"zfp.encode float32 {"mode":"fixed_accuracy","tolerance":0.05} [0.0, 0.25, 0.5, 0.8]"#,
            faulty(FewerGuards)),
        row("zfp-planes-in-the-middle", "zfp.float.decode zfp.planes",
            "Planes that were cut off are taken for a half, as a build of zfp with rounding does.",
            r#"zfp.decode int32 {"mode":"fixed_precision","precision":3} [4] 0300000000000000"#,
            faulty(MidPlanes)),
        row("zfp-decoded-in-one-step", "zfp.float.decode",
            "Integer and power are multiplied exactly and rounded once.",
            r#"zfp.decode float32 {"mode":"fixed_precision","precision":64} [4] 0300ffffffff0000"#,
            faulty(SingleStep)),
        row("zfp-planes-counted-from-one", "zfp.reversible.integer",
            "The number of planes is written as it is.",
            r#"zfp.encode int32 {"mode":"reversible"} [1, 2, 3, 5]"#,
            faulty(PlanesNotLessOne)),
        row("zfp-all-planes", "zfp.reversible.integer",
            "All planes are written, also those that are zero throughout.",
            r#"zfp.encode int32 {"mode":"reversible"} [1024, 2048, 4096, 0]"#,
            faulty(AlwaysAllPlanes)),
        row("zfp-reversible-lift-lossy", "zfp.lift.reversible",
            "The lossy transform stands in reversible blocks too.",
            r#"zfp.encode int32 {"mode":"reversible"} [1, 2, 30, 100]"#,
            faulty(LossyLift)),
        row("zfp-floats-by-bits-always", "zfp.reversible.float",
            "Reversible blocks of floats are always those of their bits.",
            r#"zfp.encode float32 {"mode":"reversible"} [1.0, 2.0, 3.0, 4.0]"#,
            faulty(AlwaysBits)),
        row("zfp-zero-sign-lost", "zfp.reversible.exact",
            "What comes back is compared by value, so that -0 passes for 0.",
            r#"zfp.encode float32 {"mode":"reversible"} [1.0, -0.0, 3.0, 4.0]"#,
            faulty(ZeroSignLost)),
        row("zfp-bits-not-turned", "zfp.reversible.bits",
            "The bits of negative floats are taken as they are.",
            r#"zfp.encode float32 {"mode":"reversible"} [-1.0, -0.0, 3.0, 4.0]"#,
            faulty(BitsNotTurned)),
        row("zfp-nan-quieted", "zfp.reversible.bits zfp.promotion.floats",
            "Loading a signalling NaN into a register sets its quiet bit.",
            r#"zfp.encode float32 {"mode":"reversible"} [1] 0x0100807f"#,
            faulty(QuietNans)),
        row("zfp-promoted-without-shift", "zfp.promotion.integers zfp.demotion",
            "Small integers are compressed as they are, in the low bits of an int32.",
            r#"zfp.encode int8 {"mode":"reversible"} [1, 2, 3, 5]"#,
            faulty(Unshifted)),
        row("zfp-promoted-without-centre", "zfp.promotion.integers",
            "Small unsigned integers are halved, not centred.",
            r#"zfp.encode uint8 {"mode":"reversible"} [1, 2, 3, 5]"#,
            faulty(Uncentred)),
        row("zfp-half-floats-as-integers", "zfp.promotion",
            "Floats of 16 bits are compressed as int16.",
            r#"zfp.encode float16 {"mode":"reversible"} [1.0, 2.0, 3.0, 5.0]"#,
            faulty(SixteenBitsAsIntegers)),
        row("zfp-payload-lost", "zfp.promotion.floats zfp.demotion.floats",
            "NaNs of 16 bits become the default one on their way.",
            r#"zfp.encode float16 {"mode":"reversible"} [1] 0x017c"#,
            faulty(PayloadLost)),
        row("zfp-demoted-to-nearest", "zfp.demotion",
            "Integers are rounded to nearest when they are shifted down.",
            r#"zfp.decode int8 {"mode":"reversible"} [4] 0adad7833e000000"#,
            faulty(RoundedDemotion)),
        row("zfp-demoted-unclamped", "zfp.demotion",
            "Integers beyond the type wrap around.",
            r#"zfp.decode int8 {"mode":"fixed_precision","precision":9} [4] ffffffffffffffff"#,
            faulty(UnclampedDemotion)),
        row("zfp-demoted-between-swapped-limits", "zfp.demotion",
            "The limits are those of the text, of which the lower one is above the upper.",
            r#"zfp.decode int8 {"mode":"reversible"} [4] 0000000000000000"#,
            faulty(SwappedLimits)),
        row("zfp-narrow-floats-cut", "zfp.demotion.floats",
            "A float32 is cut to 16 bits: bfloat16 is its upper half.",
            r#"zfp.decode bfloat16 {"mode":"reversible"} [4] 01660b60bd3e000000000000e8030000"#,
            faulty(CutFloats)),
        row("zfp-narrow-floats-saturate", "zfp.demotion.floats",
            "What is too large becomes the largest finite number.",
            r#"zfp.decode float16 {"mode":"reversible"} [4] 2307000031000000"#,
            faulty(LargestForInfinity)),
        row("zfp-lossy-nan", "zfp.lossy.finite",
            "NaN and infinities become what the machine's conversion makes of them (C on x86-64).",
            r#"zfp.encode float32 {"mode":"fixed_rate","rate":16} [1.0, "NaN", 2.0, 3.0]"#,
            faulty(Garbage)),
        row("zfp-lossy-range-unchecked", "zfp.lossy.range",
            "Integers without room for the transform are stored, as others (C, zfpy, zarrs).",
            r#"zfp.encode int32 {"mode":"fixed_rate","rate":16} [2147483647]"#,
            CODER.encoding(|codec, input| match encode(codec, input) {
                Err(_) if !codec.is_reversible() => unchecked(codec, input),
                answer => answer,
            })),
        row("zfp-unsigned-refused", "zfp.unsigned",
            "Only the types that the C library has are supported.",
            r#"zfp.encode uint32 {"mode":"reversible"} [1, 2, 3, 4]"#,
            refusing(|codec| matches!(codec.data_type.format(), Format::Integer(it) if !it.signed && it.bits >= 32))),
        row("zfp-promoted-refused", "zfp.data_type.promoted",
            "Only the types that zfp itself has are taken.",
            r#"zfp.encode int8 {"mode":"reversible"} [1, 2, 3, 5]"#,
            refusing(is_promoted)),
        row("zfp-big-endian-words", "zfp.stream",
            "Words are written in the order of a big-endian machine.",
            REVERSIBLE,
            faulty(BigEndianWords)),
        row("zfp-small-floats-saturate", "zfp.demotion.floats.small",
            "What is too large for a type without infinities becomes its largest number.",
            r#"zfp.decode float8_e4m3fn {"mode":"reversible"} [4] 2307000031000000"#,
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
            REVERSIBLE,
            faulty(ByteFlush)),
        row("zfp-header", "zfp.stream",
            "A header stands in front, as in numcodecs.zfpy.",
            REVERSIBLE,
            faulty(Header)),
        row("zfp-short-refused", "zfp.stream.end",
            "A stream that is not whole words is refused.",
            r#"zfp.decode int32 {"mode":"reversible"} [4] 00000000000000"#,
            CODER.decoding(|codec, shape, bytes| match bytes.len().is_multiple_of(8) {
                true => decode(codec, shape, bytes),
                false => Err(some_rejection()),
            })),
        row("zfp-size-wraps", "zfp.stream.size",
            "The size of a chunk is computed in 32 bits, and looks small.",
            r#"zfp.decode int32 {"mode":"reversible"} [1048576, 1048576] 0000000000000000"#,
            CODER.decoding(|codec, shape, bytes| match decode(codec, shape, bytes) {
                Err(rejection) if rejection.clause == "chain.shape" => {
                    Array::new(codec.data_type, vec![0], Vec::new())
                }
                answer => answer,
            })),
        mutant("zfp-size-of-a-stream-unknown", "zfp.rate.size",
            "No size is told of a compressed chunk.",
            r#"chain.resolve float32 0 [10] [{"name":"zfp","configuration":{"mode":"fixed_rate","rate":8}}]"#,
            Overrides {
                resolution: Some(|chain, it| {
                    if let ArrayToBytes::Zfp(_) = chain.pipeline.array_to_bytes {
                        it.encoded_bytes = None;
                    }
                }),
                ..NONE
            }),
        mutant("zfp-size-not-in-words", "zfp.rate.size",
            "The size is that of the bits, without the last word's filling.",
            r#"chain.resolve float32 0 [10] [{"name":"zfp","configuration":{"mode":"fixed_rate","rate":8}}]"#,
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
