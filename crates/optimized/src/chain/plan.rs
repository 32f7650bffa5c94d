//! The plan of a chain in one direction, made before the first chunk.

use alloc::vec::Vec;
use core::mem::swap;

use exactum_model::{ArrayCodec, Chain, DataType, Direction, Reason};

use super::blocks;
use super::fused::Fused;
use super::last::Last;
use super::shape_before;
use super::transpose::{Transpose, inverse, is_order};
use crate::fault::{Fault, Message};

/// Memory for the intermediate results of chunks. It grows with the first chunk and is reused for later
/// chunks, even of another chain.
///
/// ```
/// let scratch = exactum_optimized::chain::Scratch::default();
/// // Each thread has its own.
/// std::thread::spawn(move || drop(scratch)).join().expect("no panic");
/// ```
#[derive(Debug, Default)]
pub struct Scratch {
    front: Vec<u8>,
    back: Vec<u8>,
    wide: Vec<u8>,
    position: Vec<usize>,
}

/// The passes over all elements, and the codec at the end.
pub(super) struct Plan {
    last: Last,
    passes: Vec<Pass>,
}

/// One pass over all elements.
struct Pass {
    work: Work,
    data_type: DataType,
    /// The output has the shape of the chain before this step.
    before: usize,
}

enum Work {
    Elements(Fused),
    Transpose(Transpose),
}

impl Plan {
    pub(super) fn of(chain: &Chain, direction: Direction) -> Result<Self, Fault> {
        let last = Last::of(&chain.pipeline)?;
        let steps = &chain.pipeline.array_to_array;
        let mut passes: Vec<Pass> = Vec::new();
        let mut data_type = match direction {
            Direction::Encode => chain.data_type,
            Direction::Decode => last.data_type(),
        };
        for place in 0..steps.len() {
            let (index, before) = match direction {
                Direction::Encode => (place, place + 1),
                Direction::Decode => (steps.len() - 1 - place, steps.len() - 1 - place),
            };
            let (step, shape) = (&steps[index], shape_before(chain, index));
            let fits = match &step.codec {
                ArrayCodec::Transpose(order) => {
                    is_order(order, shape.len())
                        && order
                            .iter()
                            .map(|&from| shape[from])
                            .eq(step.shape.iter().copied())
                }
                ArrayCodec::Reshape => count(shape) == count(&step.shape),
                _ => *shape == *step.shape,
            };
            if !fits {
                let words = Message::OtherShape {
                    actual: step.shape.clone(),
                    expected: shape.to_vec(),
                };
                return Err(Fault::new(Reason::Shape, "chain.shape", words));
            }
            let work = match (&step.codec, direction) {
                (ArrayCodec::Transpose(order), Direction::Encode) => {
                    Transpose::of(order, shape, data_type.element_bytes()).map(Work::Transpose)
                }
                (ArrayCodec::Transpose(order), Direction::Decode) => {
                    let width = data_type.element_bytes();
                    Transpose::of(&inverse(order), &step.shape, width).map(Work::Transpose)
                }
                (codec, _) => match codec.types(direction) {
                    None => None,
                    Some((from, to)) => {
                        crate::require_data_type(data_type, from, "chain.data_type")?;
                        data_type = to;
                        match passes.last_mut() {
                            Some(Pass {
                                work: Work::Elements(fused),
                                data_type,
                                ..
                            }) => {
                                fused.push(index, step, to);
                                *data_type = to;
                                None
                            }
                            _ => {
                                let mut fused = Fused::new(from, direction);
                                fused.push(index, step, to);
                                Some(Work::Elements(fused))
                            }
                        }
                    }
                },
            };
            passes.extend(work.map(|work| Pass {
                work,
                data_type,
                before,
            }));
        }
        let end = match direction {
            Direction::Encode => last.data_type(),
            Direction::Decode => chain.data_type,
        };
        crate::require_data_type(data_type, end, "chain.data_type")?;
        Ok(Self { last, passes })
    }

    /// Returns the codecs before the last one, if all of them are elementwise.
    fn only_elements(&self) -> Option<&Fused> {
        match &self.passes[..] {
            [
                Pass {
                    work: Work::Elements(fused),
                    ..
                },
            ] => Some(fused),
            _ => None,
        }
    }

    /// Returns the shape of the input of the last codec.
    fn last_shape(chain: &Chain) -> &[u64] {
        shape_before(chain, chain.pipeline.array_to_array.len())
    }

    /// Encodes a chunk, which must have the right size.
    pub(super) fn encode(
        &self,
        chain: &Chain,
        chunk: &[u8],
        output: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let Scratch {
            front,
            back,
            wide,
            position,
        } = scratch;
        if let Some(fused) = self.only_elements() {
            let codecs = (fused, &self.last);
            if blocks::encode(codecs, &chain.pipeline.array_to_array, chunk, output).is_some() {
                return Ok(());
            }
        }
        let mut elements = chunk;
        let (direct, passes) = match self.passes.split_last() {
            Some((end, before)) if self.last.is_copy() => (Some(end), before),
            _ => (None, &self.passes[..]),
        };
        for pass in passes {
            let target = room(back, pass.bytes(chain)?);
            pass.run(chain, elements, target, position)?;
            let bytes = target.len();
            swap(front, back);
            elements = &front[..bytes];
        }
        if let Some(end) = direct {
            output.resize(end.bytes(chain)?, 0);
            return end.run(chain, elements, output, position);
        }
        self.last
            .encode(Self::last_shape(chain), elements, output, wide)
    }

    /// Requires that a chunk can have `encoded` bytes.
    pub(super) fn require_length(&self, chain: &Chain, encoded: usize) -> Result<(), Fault> {
        self.last
            .decoded_bytes(Self::last_shape(chain), encoded)
            .map(drop)
    }

    /// Decodes a chunk of the right length into memory of the right size.
    pub(super) fn decode(
        &self,
        chain: &Chain,
        encoded: &[u8],
        output: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let Scratch {
            front,
            back,
            wide,
            position,
        } = scratch;
        let shape = Self::last_shape(chain);
        let Some((end, before)) = self.passes.split_last() else {
            return self.last.decode(shape, encoded, output, wide);
        };
        let bytes = self.last.decoded_bytes(shape, encoded.len())?;
        if let Some(fused) = self.only_elements() {
            let codecs = (fused, &self.last);
            if blocks::decode(codecs, &chain.pipeline.array_to_array, encoded, output).is_some() {
                return Ok(());
            }
        }
        let mut elements = encoded;
        if !self.last.is_copy() {
            self.last.decode(shape, encoded, room(front, bytes), wide)?;
            elements = &front[..bytes];
        }
        for pass in before {
            let target = room(back, pass.bytes(chain)?);
            pass.run(chain, elements, target, position)?;
            let bytes = target.len();
            swap(front, back);
            elements = &front[..bytes];
        }
        end.run(chain, elements, output, position)
    }
}

impl Pass {
    /// Returns the number of bytes of the pass's output.
    fn bytes(&self, chain: &Chain) -> Result<usize, Fault> {
        crate::bytes_of(self.data_type, shape_before(chain, self.before))
    }

    fn run(
        &self,
        chain: &Chain,
        input: &[u8],
        output: &mut [u8],
        position: &mut Vec<usize>,
    ) -> Result<(), Fault> {
        match &self.work {
            Work::Elements(fused) => fused.run(&chain.pipeline.array_to_array, input, output),
            Work::Transpose(transpose) => {
                transpose.run(input, output, position);
                Ok(())
            }
        }
    }
}

/// Returns `bytes` bytes of the memory, which never shrinks.
fn room(memory: &mut Vec<u8>, bytes: usize) -> &mut [u8] {
    if memory.len() < bytes {
        memory.resize(bytes, 0);
    }
    &mut memory[..bytes]
}

/// Returns the elements of a shape, if they can be counted.
fn count(shape: &[u64]) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape
        .iter()
        .try_fold(1u64, |product, &extent| product.checked_mul(extent))
}
