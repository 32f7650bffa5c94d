//! The two programs that compute anchors.

use std::fmt;

use exactum_model::{
    Array, ArrayCodec, Cast, Chain, DataType, Endian, Reason, Rejection, Scalar, ScaleOffset, Step,
};
use exactum_reference as reference;

use crate::oracle;

/// Why there is no result.
#[derive(Debug)]
pub(super) struct Fault {
    /// The clause, where the engine names one.
    pub(super) clause: Option<&'static str>,
    pub(super) message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rejected: {}", self.message)
    }
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Self {
            clause: None,
            message: reason.name().into(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Encode,
    Decode,
}

/// A program that computes elements, chunks and fill values.
pub(super) trait Engine {
    fn name(&self) -> &'static str;

    /// One element of a cast.
    fn cast(&self, cast: &Cast<'_>, bits: u64) -> Result<u64, Fault>;

    /// One element of a `scale_offset`.
    fn scale(&self, codec: &ScaleOffset, direction: Direction, bits: u64) -> Result<u64, Fault>;

    /// The elements of a chunk before the first and after the last array -> array codec.
    fn chain(&self, chain: &Chain, direction: Direction, input: &[u64]) -> Result<Vec<u64>, Fault>;

    /// The fill value at every stage.
    fn fill_values(&self, chain: &Chain) -> Result<Vec<Scalar>, Fault>;
}

/// Both programs.
pub(super) const ENGINES: &[&dyn Engine] = &[&Reference, &Oracle];

struct Reference;

impl Engine for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn cast(&self, cast: &Cast<'_>, bits: u64) -> Result<u64, Fault> {
        Ok(reference::cast_value::cast_element(cast, bits)?)
    }

    fn scale(&self, codec: &ScaleOffset, direction: Direction, bits: u64) -> Result<u64, Fault> {
        Ok(match direction {
            Direction::Encode => reference::scale_offset::encode_element(codec, bits)?,
            Direction::Decode => reference::scale_offset::decode_element(codec, bits)?,
        })
    }

    fn chain(&self, chain: &Chain, direction: Direction, input: &[u64]) -> Result<Vec<u64>, Fault> {
        let (data_type, shape) = last_stage(chain);
        let array = |data_type: DataType, shape: &[u64]| -> Result<Array, Rejection> {
            Array::from_components(data_type, shape.to_vec(), input.iter().copied())
        };
        let output = match direction {
            Direction::Encode => {
                let chunk = array(chain.data_type, &chain.chunk_shape)?;
                let bytes = reference::chain::encode(chain, &chunk)?;
                reference::bytes::decode(Some(Endian::Little), data_type, shape, &bytes)?
            }
            Direction::Decode => {
                let encoded = array(data_type, shape)?;
                let bytes = reference::bytes::encode(Some(Endian::Little), &encoded);
                reference::chain::decode(chain, &bytes)?
            }
        };
        Ok(output.components().collect())
    }

    fn fill_values(&self, chain: &Chain) -> Result<Vec<Scalar>, Fault> {
        let resolution = reference::chain::resolve(chain)?;
        Ok(resolution
            .stages
            .into_iter()
            .map(|stage| stage.fill_value)
            .collect())
    }
}

/// Data type and shape after the last array -> array codec.
fn last_stage(chain: &Chain) -> (DataType, &[u64]) {
    match chain.pipeline.steps.last() {
        Some(step) => (step.data_type, &step.shape),
        None => (chain.data_type, &chain.chunk_shape),
    }
}

struct Oracle;

impl Engine for Oracle {
    fn name(&self) -> &'static str {
        "second oracle"
    }

    fn cast(&self, cast: &Cast<'_>, bits: u64) -> Result<u64, Fault> {
        Ok(oracle::cast_value::cast(cast, bits)?)
    }

    fn scale(&self, codec: &ScaleOffset, direction: Direction, bits: u64) -> Result<u64, Fault> {
        Ok(match direction {
            Direction::Encode => oracle::scale_offset::encode(codec, bits)?,
            Direction::Decode => oracle::scale_offset::decode(codec, bits)?,
        })
    }

    fn chain(&self, chain: &Chain, direction: Direction, input: &[u64]) -> Result<Vec<u64>, Fault> {
        let steps = &chain.pipeline.steps;
        let mut elements = input.to_vec();
        for position in 0..steps.len() {
            let index = match direction {
                Direction::Encode => position,
                Direction::Decode => steps.len() - 1 - position,
            };
            let before = match index.checked_sub(1) {
                Some(previous) => &steps[previous].shape,
                None => &chain.chunk_shape,
            };
            elements = self.step(&steps[index], before, direction, &elements)?;
        }
        Ok(elements)
    }

    fn fill_values(&self, chain: &Chain) -> Result<Vec<Scalar>, Fault> {
        let mut values = vec![chain.fill_value];
        let mut current = chain.fill_value;
        for step in chain.pipeline.all_steps() {
            let bits = current.component(0);
            current = match &step.codec {
                ArrayCodec::ScaleOffset(codec) => {
                    let bits = self.scale(codec, Direction::Encode, bits)?;
                    Scalar::new(step.data_type, bits.into())
                }
                ArrayCodec::CastValue(codec) => {
                    let encoded = self.cast(&codec.encoding(), bits)?;
                    let back = self.cast(&codec.decoding(), encoded)?;
                    if !codec.decoded.format().same_value(back, bits) {
                        return Err(Reason::FillValue.into());
                    }
                    Scalar::new(step.data_type, encoded.into())
                }
                ArrayCodec::Transpose(_) | ArrayCodec::Reshape => current,
            };
            values.push(current);
        }
        Ok(values)
    }
}

impl Oracle {
    /// One codec on the elements of a chunk; `before` is the shape that encoding starts from.
    fn step(
        &self,
        step: &Step,
        before: &[u64],
        direction: Direction,
        input: &[u64],
    ) -> Result<Vec<u64>, Fault> {
        match &step.codec {
            ArrayCodec::ScaleOffset(codec) => input
                .iter()
                .map(|&bits| self.scale(codec, direction, bits))
                .collect(),
            ArrayCodec::CastValue(codec) => {
                let cast = match direction {
                    Direction::Encode => codec.encoding(),
                    Direction::Decode => codec.decoding(),
                };
                input.iter().map(|&bits| self.cast(&cast, bits)).collect()
            }
            ArrayCodec::Transpose(order) => Ok(transpose(order, before, direction, input)),
            ArrayCodec::Reshape => Ok(input.to_vec()),
        }
    }
}

/// Transposes by coordinates: each element of the input is put where its coordinates, permuted,
/// point to.
fn transpose(order: &[usize], shape: &[u64], direction: Direction, input: &[u64]) -> Vec<u64> {
    let permuted: Vec<u64> = order.iter().map(|&dimension| shape[dimension]).collect();
    let mut output = vec![0; input.len()];
    for flat in 0..input.len() {
        let mut rest = flat;
        let mut coordinates = vec![0; shape.len()];
        for dimension in (0..shape.len()).rev() {
            let extent = usize::try_from(shape[dimension]).unwrap_or(usize::MAX);
            coordinates[dimension] = rest % extent;
            rest /= extent;
        }
        let target = order
            .iter()
            .zip(&permuted)
            .fold(0, |sum, (&from, &extent)| {
                sum * usize::try_from(extent).unwrap_or(usize::MAX) + coordinates[from]
            });
        match direction {
            Direction::Encode => output[target] = input[flat],
            Direction::Decode => output[flat] = input[target],
        }
    }
    output
}
