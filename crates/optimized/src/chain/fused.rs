//! Codecs that work element by element, run together block by block: what lies between them stays
//! in the caches instead of passing through memory as a whole array.

use exactum_model::{Array, ArrayCodec, ArrayToArray, Chain, DataType, Direction};

use super::elementwise;

/// Elements of a block; its buffers take 16 KiB each at most.
const BLOCK: usize = 2048;
/// Bytes of a real element at most.
const WIDEST: usize = 8;

/// All steps at once; `None` where they are not all element by element, there are fewer than two,
/// or an element is rejected: which rejection comes first depends on all elements, so the steps
/// must then run one after another.
pub(super) fn encode(steps: &[ArrayToArray], chunk: &Array) -> Option<Array> {
    let last = steps.last()?;
    run(steps, Direction::Encode, chunk)
        .and_then(|data| Array::new(last.data_type, last.shape.clone(), data).ok())
}

/// As [`encode`], in the other direction.
pub(super) fn decode(chain: &Chain, encoded: &Array) -> Option<Array> {
    run(&chain.pipeline.array_to_array, Direction::Decode, encoded)
        .and_then(|data| Array::new(chain.data_type, chain.chunk_shape.clone(), data).ok())
}

fn run(steps: &[ArrayToArray], direction: Direction, input: &Array) -> Option<Vec<u8>> {
    let computed = |step: &&ArrayToArray| step.codec.data_types().is_some();
    if steps.iter().filter(computed).count() < 2
        || steps
            .iter()
            .any(|step| matches!(step.codec, ArrayCodec::Transpose(_)))
    {
        return None;
    }
    // A chain whose codecs do not fit each other is for the steps one by one to reject.
    let mut data_type = input.data_type();
    for index in 0..steps.len() {
        let step = at(steps, direction, index);
        if let Some((from, to)) = step.codec.types(direction) {
            if from != data_type {
                return None;
            }
            data_type = to;
        }
    }
    let mut output = Vec::with_capacity(capacity(data_type, input)?);
    let (mut front, mut back) = ([0; BLOCK * WIDEST], [0; BLOCK * WIDEST]);
    let width = input.data_type().element_bytes();
    for block in input.data().chunks(BLOCK * width) {
        let elements = block.len() / width;
        let mut bytes = block.len();
        front.get_mut(..bytes)?.copy_from_slice(block);
        for index in 0..steps.len() {
            let step = at(steps, direction, index);
            let Some((_, to)) = step.codec.types(direction) else {
                continue;
            };
            let target = &mut back[..elements * to.element_bytes()];
            elementwise::block(&step.codec, direction, &front[..bytes], target).ok()?;
            bytes = target.len();
            std::mem::swap(&mut front, &mut back);
        }
        output.extend_from_slice(&front[..bytes]);
    }
    Some(output)
}

/// The bytes of as many elements of another data type; `None` where memory cannot hold them, which is
/// for the steps one by one to reject.
fn capacity(data_type: DataType, input: &Array) -> Option<usize> {
    let bytes = Array::bytes_of(data_type, input.shape()).ok()?;
    usize::try_from(bytes).ok()
}

/// The steps in the order in which they run.
fn at(steps: &[ArrayToArray], direction: Direction, index: usize) -> &ArrayToArray {
    &steps[match direction {
        Direction::Encode => index,
        Direction::Decode => steps.len() - 1 - index,
    }]
}
