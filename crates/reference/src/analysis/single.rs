//! The conversion of a single element by the codecs of a chain.

use exactum_model::{Array, ArrayToArray, ArrayToBytes, Chain, CodecPipeline, DataType, Rejection};

use crate::chain::{self, Reference, Steps};

use super::lower::last_codec;

/// The stored bits of an element and the value that is read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The bits of the stored number, which is the result of the last array -> array codec, or the part of it that
    /// `packbits` keeps.
    pub code: u64,
    /// The bits of the value that is read back, or the rejection if it cannot be read.
    pub back: Result<u64, Rejection>,
}

/// Returns the same chain for an array of one element, without the codecs that only move elements and without the
/// bytes -> bytes codecs.
///
/// # Errors
/// If the array -> bytes codec does not store elements one by one.
pub fn single(chain: &Chain) -> Result<Chain, Rejection> {
    let steps = chain.pipeline.all_array_to_array();
    Ok(Chain {
        data_type: chain.data_type,
        chunk_shape: Vec::new(),
        fill_value: chain.fill_value,
        pipeline: CodecPipeline::new(
            steps
                .filter(|step| step.codec.data_types().is_some())
                .map(|step| ArrayToArray {
                    shape: Vec::new(),
                    ..step.clone()
                })
                .collect(),
            last_codec(chain)?.clone(),
        ),
    })
}

/// Returns the data type of the stored number.
///
/// # Errors
/// The same as for [`single`].
pub fn stored_type(chain: &Chain) -> Result<DataType, Rejection> {
    Ok(match last_codec(chain)? {
        ArrayToBytes::PackBits(codec) => codec.data_type,
        _ => chain
            .pipeline
            .all_array_to_array()
            .last()
            .map_or(chain.data_type, |step| step.data_type),
    })
}

/// Stores an element with a [`single`] chain and reads it back.
///
/// # Errors
/// If a codec rejects the element.
pub fn put(single: &Chain, bits: u64) -> Result<Stored, Rejection> {
    let array = Array::from_components(single.data_type, Vec::new(), [bits])?;
    let bytes = chain::encode(single, &array)?;
    let pipeline = &single.pipeline;
    let stored = Reference.to_array(&pipeline.array_to_bytes, &[], &bytes)?;
    Ok(Stored {
        code: component(&stored),
        back: chain::decode(single, &bytes).map(|array| component(&array)),
    })
}

/// Returns the bits of the only element.
fn component(array: &Array) -> u64 {
    array.components().next().unwrap_or_default()
}
