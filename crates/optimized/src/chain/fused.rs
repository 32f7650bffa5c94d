//! Codecs that work element by element, run together block by block: what lies between them stays
//! in the caches instead of passing through memory as a whole array.

use exactum_model::{Array, ArrayCodec, ArrayToArray, Chain, DataType, Rejection};

use crate::scale_offset::fixed_scale_offset;
use crate::{cast_value, scale_offset};

/// Elements of a block; its buffers take 16 KiB each at most.
const BLOCK: usize = 2048;
/// Bytes of a real element at most.
const WIDEST: usize = 8;

/// All steps at once; `None` where they are not all element by element, there are fewer than two,
/// or an element is rejected: which rejection comes first depends on all elements, so the steps
/// must then run one after another.
pub(super) fn encode(steps: &[ArrayToArray], chunk: &Array) -> Option<Array> {
    let last = steps.last()?;
    run(steps, false, chunk)
        .and_then(|data| Array::new(last.data_type, last.shape.clone(), data).ok())
}

/// As [`encode`], in the other direction.
pub(super) fn decode(chain: &Chain, encoded: &Array) -> Option<Array> {
    run(&chain.pipeline.array_to_array, true, encoded)
        .and_then(|data| Array::new(chain.data_type, chain.chunk_shape.clone(), data).ok())
}

fn run(steps: &[ArrayToArray], decode: bool, input: &Array) -> Option<Vec<u8>> {
    let computed = |step: &&ArrayToArray| {
        matches!(
            step.codec,
            ArrayCodec::ScaleOffset(_) | ArrayCodec::CastValue(_) | ArrayCodec::FixedScaleOffset(_)
        )
    };
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
        let step = at(steps, decode, index);
        if let Some((from, to)) = data_types(step, decode) {
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
            let step = at(steps, decode, index);
            let Some((_, to)) = data_types(step, decode) else {
                continue;
            };
            let target = &mut back[..elements * to.element_bytes()];
            apply(step, decode, &front[..bytes], target).ok()?;
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
fn at(steps: &[ArrayToArray], decode: bool, index: usize) -> &ArrayToArray {
    &steps[if decode {
        steps.len() - 1 - index
    } else {
        index
    }]
}

/// The data types before and after a step; `None` where the step leaves the elements alone.
fn data_types(step: &ArrayToArray, decode: bool) -> Option<(DataType, DataType)> {
    match &step.codec {
        ArrayCodec::ScaleOffset(codec) => Some((codec.data_type, codec.data_type)),
        ArrayCodec::CastValue(codec) if decode => Some((codec.encoded, codec.decoded)),
        ArrayCodec::CastValue(codec) => Some((codec.decoded, codec.encoded)),
        ArrayCodec::FixedScaleOffset(codec) if decode => Some((codec.astype, codec.dtype)),
        ArrayCodec::FixedScaleOffset(codec) => Some((codec.dtype, codec.astype)),
        ArrayCodec::Transpose(_) | ArrayCodec::Reshape => None,
    }
}

fn apply(
    step: &ArrayToArray,
    decode: bool,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Rejection> {
    match (&step.codec, decode) {
        (ArrayCodec::ScaleOffset(codec), false) => scale_offset::encode_into(codec, input, output),
        (ArrayCodec::ScaleOffset(codec), true) => scale_offset::decode_into(codec, input, output),
        (ArrayCodec::CastValue(codec), false) => cast_value::encode_into(codec, input, output),
        (ArrayCodec::CastValue(codec), true) => cast_value::decode_into(codec, input, output),
        (ArrayCodec::FixedScaleOffset(codec), false) => {
            fixed_scale_offset::encode_into(codec, input, output)
        }
        (ArrayCodec::FixedScaleOffset(codec), true) => {
            fixed_scale_offset::decode_into(codec, input, output)
        }
        (ArrayCodec::Transpose(_) | ArrayCodec::Reshape, _) => Ok(()),
    }
}
