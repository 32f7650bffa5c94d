//! Mutants of `chain`.

pub(super) mod bytes;
pub(super) mod fill;
pub(super) mod order;
pub(super) mod shape;

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToBytes, Chain, DataType, Endian, Pipeline, Resolution, Scalar,
    ScaleOffset, Step,
};
use exactum_exact::Exact;

use super::arithmetic::saturated;
use super::{FillPart, Mutant, Parts, RIGHT, Witness, walk};

const fn mutant(
    name: &'static str,
    breaks: &'static [&'static str],
    parts: Parts,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts,
        witness,
    }
}

const fn chain(part: fn(&Chain) -> Chain) -> Parts {
    Parts {
        chain: Some(part),
        ..RIGHT
    }
}

const fn resolution(part: fn(&Chain, Resolution) -> Resolution) -> Parts {
    Parts {
        resolution: Some(part),
        ..RIGHT
    }
}

const fn fill(part: FillPart) -> Parts {
    Parts {
        fill: Some(part),
        ..RIGHT
    }
}

/// The chain with other steps.
fn with_steps(chain: &Chain, steps: Vec<Step>) -> Chain {
    Chain {
        pipeline: Pipeline {
            steps,
            ..chain.pipeline.clone()
        },
        ..chain.clone()
    }
}

/// The chain with every transposition changed. Shapes follow.
fn with_orders(chain: &Chain, change: impl Fn(&[usize]) -> ArrayCodec) -> Chain {
    let mut shape = chain.chunk_shape.clone();
    let mut steps = chain.pipeline.steps.clone();
    for step in &mut steps {
        match &step.codec {
            ArrayCodec::Transpose(order) => {
                step.codec = change(order);
                if let ArrayCodec::Transpose(order) = &step.codec {
                    step.shape = order.iter().map(|&dimension| shape[dimension]).collect();
                }
            }
            ArrayCodec::Reshape => {}
            ArrayCodec::ScaleOffset(_)
            | ArrayCodec::CastValue(_)
            | ArrayCodec::FixedScaleOffset(_) => step.shape = shape,
        }
        shape = step.shape.clone();
    }
    with_steps(chain, steps)
}

/// What the chain leaves: the data type and the shape in front of its array -> bytes codec.
fn last(chain: &Chain) -> (DataType, &[u64]) {
    match chain.pipeline.steps.last() {
        Some(step) => (step.data_type, &step.shape),
        None => (chain.data_type, &chain.chunk_shape),
    }
}

/// The bytes of a shape; nothing where they pass 64 bits.
fn bytes_of(data_type: DataType, shape: &[u64]) -> Option<u64> {
    let width = u64::try_from(data_type.element_bytes()).ok()?;
    shape
        .iter()
        .try_fold(width, |product, &extent| product.checked_mul(extent))
}

/// The number of stages that come from the array's own codecs; those of shards follow.
fn outer_stages(chain: &Chain) -> usize {
    1 + chain.pipeline.steps.len()
}

/// The fill value through every step and back, without the checks of the way.
fn returned(chain: &Chain, back: impl Fn(&Step) -> bool) -> Option<Scalar> {
    let steps: Vec<&Step> = chain.pipeline.all_steps().collect();
    let mut fill_value = chain.fill_value;
    for step in &steps {
        fill_value = walk::encoded_fill(&RIGHT, step, fill_value).ok()?;
    }
    for step in steps.iter().rev() {
        if back(step) {
            fill_value = walk::decoded_fill(&RIGHT, step, fill_value).ok()?;
        }
    }
    Some(fill_value)
}

/// int16, less 1, times 2 in a second codec.
const TWO_SCALES: &str = r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"scale_offset","configuration":{"scale":2}},{"name":"bytes","configuration":{"endian":"little"}}]"#;

/// A `scale_offset` in another data type; parameters that it does not have are saturated.
fn rescaled(codec: &ScaleOffset, data_type: DataType) -> ScaleOffset {
    let (from, to) = (codec.data_type.format(), data_type.format());
    let parameter = |bits: u64| saturated(&Exact::from_bits(&from, bits), &to);
    ScaleOffset {
        data_type,
        offset: codec.offset.map(parameter),
        scale: codec.scale.map(parameter),
    }
}

/// Transpositions that only change the shape.
fn with_orders_as_reshapes(chain: &Chain) -> Chain {
    let mut steps = chain.pipeline.steps.clone();
    for step in &mut steps {
        if matches!(step.codec, ArrayCodec::Transpose(_)) {
            step.codec = ArrayCodec::Reshape;
        }
    }
    with_steps(chain, steps)
}

/// The bytes made as many as the chunk needs, where the fault says so.
fn resized(chain: &Chain, bytes: &[u8], fault: impl FnOnce(usize, usize) -> bool) -> Vec<u8> {
    let (data_type, shape) = last(chain);
    let wanted = bytes_of(data_type, shape)
        .and_then(|wanted| usize::try_from(wanted).ok())
        .filter(|&wanted| wanted <= 1 << 20);
    let mut bytes = bytes.to_vec();
    if let Some(wanted) = wanted
        && fault(wanted, bytes.len())
    {
        bytes.resize(wanted, 0);
    }
    bytes
}
