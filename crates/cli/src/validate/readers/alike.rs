//! Codecs and chains that are so alike that a fault with one of them can affect the other.

use exactum_conformance::Codec;
use exactum_model::{ArrayCodec, ArrayToBytes, Chain};

/// Returns the array -> bytes codec within all shards.
fn last(chain: &Chain) -> &ArrayToBytes {
    let mut pipeline = &chain.pipeline;
    while let ArrayToBytes::Sharding {
        pipeline: inner, ..
    } = &pipeline.array_to_bytes
    {
        pipeline = inner;
    }
    &pipeline.array_to_bytes
}

/// Returns whether a codec has the same settings as one in a chain.
pub(super) fn has_codec(chain: &Chain, codec: &Codec) -> bool {
    let has = |codec: ArrayCodec| {
        let mut steps = chain.pipeline.all_array_to_array();
        steps.any(|step| is_alike(&codec, &step.codec))
    };
    match codec {
        Codec::BitRound(codec) => has((*codec).into()),
        Codec::CastValue(codec) => has(codec.clone().into()),
        Codec::ScaleOffset(codec) => has((*codec).into()),
        Codec::Bytes(codec) => *last(chain) == ArrayToBytes::Bytes(*codec),
        Codec::PackBits(codec) => *last(chain) == ArrayToBytes::PackBits(*codec),
        Codec::Zfp(codec) => *last(chain) == ArrayToBytes::Zfp(*codec),
        Codec::Chain(other) => is_like(other, chain),
        _ => false,
    }
}

/// Returns whether two codecs have the same data types and rules; parameters and the entries of maps may
/// differ.
fn is_alike(a: &ArrayCodec, b: &ArrayCodec) -> bool {
    match (a, b) {
        (ArrayCodec::BitRound(a), ArrayCodec::BitRound(b)) => a.data_type == b.data_type,
        (ArrayCodec::CastValue(a), ArrayCodec::CastValue(b)) => {
            (a.decoded, a.encoded, a.rounding, a.out_of_range)
                == (b.decoded, b.encoded, b.rounding, b.out_of_range)
                && a.encode_map.is_empty() == b.encode_map.is_empty()
                && a.decode_map.is_empty() == b.decode_map.is_empty()
        }
        (ArrayCodec::ScaleOffset(a), ArrayCodec::ScaleOffset(b)) => {
            (a.data_type, a.offset.is_some(), a.scale.is_some())
                == (b.data_type, b.offset.is_some(), b.scale.is_some())
        }
        (ArrayCodec::FixedScaleOffset(a), ArrayCodec::FixedScaleOffset(b)) => {
            (a.dtype, a.astype) == (b.dtype, b.astype)
        }
        (ArrayCodec::Transpose(_), ArrayCodec::Transpose(_))
        | (ArrayCodec::Reshape, ArrayCodec::Reshape) => true,
        _ => false,
    }
}

/// Returns whether two chains have the same data types and codecs with the same settings. For codecs that
/// only move elements, the data types may differ, but the dimensions may not.
pub(super) fn is_like(a: &Chain, b: &Chain) -> bool {
    let codecs = |chain: &Chain| -> Vec<ArrayCodec> {
        let steps = chain.pipeline.all_array_to_array();
        steps.map(|step| step.codec.clone()).collect()
    };
    let (these, those) = (codecs(a), codecs(b));
    let moves =
        |codec: &ArrayCodec| matches!(codec, ArrayCodec::Transpose(_) | ArrayCodec::Reshape);
    if !these.is_empty() && these.iter().all(moves) && these.len() == those.len() {
        return a.chunk_shape.len() == b.chunk_shape.len()
            && these.iter().zip(&those).all(|(a, b)| is_alike(a, b));
    }
    a.data_type == b.data_type
        && these.len() == those.len()
        && these.iter().zip(&those).all(|(a, b)| is_alike(a, b))
        && last(a) == last(b)
}
