//! Mutants of `chain`.

mod bytes;
mod fill;
mod order;
mod shape;

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Chain, DataType, Endian, Resolution, Scalar,
    ScaleOffset,
};
use exactum_exact::Exact;

use super::arithmetic::saturated;
use super::{Fill, Mutant, NONE, Overrides, Wrong, fill, give, mutant};

pub(super) fn mutants() -> Vec<Mutant> {
    [
        order::mutants(),
        shape::mutants(),
        fill::mutants(),
        bytes::mutants(),
    ]
    .concat()
}

/// Interprets a chain as another one.
const fn chain(part: fn(&mut Chain)) -> Overrides {
    Overrides {
        chain: Some(part),
        ..NONE
    }
}

const fn resolution(part: fn(&Chain, &mut Resolution)) -> Overrides {
    Overrides {
        resolution: Some(part),
        ..NONE
    }
}

const fn chunk(part: fn(&Chain, &Array) -> Option<Array>) -> Overrides {
    Overrides {
        chunk: Some(part),
        ..NONE
    }
}

const fn encoded(part: fn(&Chain, &[u8]) -> Vec<u8>) -> Overrides {
    Overrides {
        encoded: Some(part),
        ..NONE
    }
}

/// Returns the data type and the shape before the array -> bytes codec of a chain.
fn last(chain: &Chain) -> (DataType, &[u64]) {
    match chain.pipeline.array_to_array.last() {
        Some(step) => (step.data_type, &step.shape),
        None => (chain.data_type, &chain.chunk_shape),
    }
}

/// Returns the number of bytes of an array, or `None` if it exceeds 64 bits.
fn bytes_of(data_type: DataType, shape: &[u64]) -> Option<u64> {
    let width = u64::try_from(data_type.element_bytes()).ok()?;
    shape
        .iter()
        .try_fold(width, |product, &extent| product.checked_mul(extent))
}

/// Returns the number of bytes of an array, unless it is too large.
fn needed(data_type: DataType, shape: &[u64]) -> Option<usize> {
    let bytes = usize::try_from(bytes_of(data_type, shape)?).ok()?;
    (bytes <= 1 << 20).then_some(bytes)
}

/// Returns the number of stages that come from the array's own codecs; the stages of shards follow.
fn outer_stages(chain: &Chain) -> usize {
    1 + chain.pipeline.array_to_array.len()
}
