//! Chains of arrays that are packed by attributes of CF: the first codec unpacks, so that the elements are
//! values.

use exactum_model::{ArrayToArray, ArrayToBytes, Bytes, Cf, Chain, CodecPipeline, Endian, Scalar};

/// Returns the codecs of a variable that is only packed. Unwritten elements are missing.
#[must_use]
pub fn of_variable(codec: Cf) -> Chain {
    let (unpacked, packed) = (codec.unpacked, codec.packed);
    let nan = unpacked.format().float().and_then(|float| float.nan_bits());
    let missing = codec.missing.first().copied().unwrap_or_default();
    let plain = Chain {
        data_type: packed,
        chunk_shape: Vec::new(),
        fill_value: Scalar::new(packed, missing.into()),
        pipeline: CodecPipeline::new(
            Vec::new(),
            ArrayToBytes::Bytes(Bytes::new(packed, Some(Endian::Little))),
        ),
    };
    let chain = unpacked_chain(codec, plain);
    Chain {
        fill_value: nan.map_or(chain.fill_value, |nan| Scalar::new(unpacked, nan.into())),
        ..chain
    }
}

/// Converts a chain whose elements are codes into one whose elements are values.
#[must_use]
pub fn unpacked_chain(codec: Cf, chain: Chain) -> Chain {
    let Chain {
        data_type,
        chunk_shape,
        fill_value,
        mut pipeline,
    } = chain;
    let unpacked = codec.unpacked;
    // Every code has a value.
    let bits = exactum_reference::cf::decode_element(&codec, fill_value.component(0));
    let step = ArrayToArray {
        name: "cf".into(),
        pointer: "/attributes".into(),
        codec: codec.into(),
        data_type,
        shape: chunk_shape.clone(),
    };
    pipeline.array_to_array.insert(0, step);
    Chain {
        data_type: unpacked,
        chunk_shape,
        fill_value: bits.map_or(fill_value, |bits| Scalar::new(unpacked, bits.into())),
        pipeline,
    }
}
