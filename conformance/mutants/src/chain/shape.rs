//! Mutants of `chain`: shapes.

use super::*;
use crate::order::column_major;

/// Changes every transposition; shapes follow.
fn with_orders(chain: &mut Chain, change: impl Fn(&[usize]) -> Vec<usize>) {
    let mut shape = chain.chunk_shape.clone();
    for step in &mut chain.pipeline.array_to_array {
        match &mut step.codec {
            ArrayCodec::Transpose(order) => {
                *order = change(order);
                step.shape = order.iter().map(|&dimension| shape[dimension]).collect();
            }
            ArrayCodec::Reshape => {}
            _ => step.shape = shape,
        }
        shape = step.shape.clone();
    }
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("chunk-shape-unchecked", "chain.shape.other",
            "A chunk of another shape with the same number of elements is accepted.",
            chunk(|chain, chunk| chunk.clone().with_shape(chain.chunk_shape.clone()).ok())),
        mutant("chunk-padded", "chain.shape.other",
            "A smaller chunk is padded with zeros, as if chunks at the edge were smaller.",
            chunk(|chain, chunk| {
                let wanted = needed(chain.data_type, &chain.chunk_shape)?;
                if chunk.data().len() >= wanted || chunk.data_type() != chain.data_type {
                    return None;
                }
                let mut data = chunk.data().to_vec();
                data.resize(wanted, 0);
                Array::new(chain.data_type, chain.chunk_shape.clone(), data).ok()
            })),
        mutant("shape-flattened", "chain.shape",
            "Codecs get a flat buffer, without the shape of the chunk.",
            resolution(|_, it| {
                for stage in &mut it.stages {
                    let mut extents = stage.shape.iter();
                    if let Some(elements) =
                        extents.try_fold(1u64, |product, &extent| product.checked_mul(extent))
                    {
                        stage.shape = vec![elements];
                    }
                }
            })),
        mutant("transpose-inverted", "chain.transpose",
            "The inverse permutation is applied, which orders of two dimensions do not show.",
            chain(|chain| {
                with_orders(chain, |order| {
                    let mut inverse = vec![0; order.len()];
                    for (position, &dimension) in order.iter().enumerate() {
                        inverse[dimension] = position;
                    }
                    inverse
                });
            })),
        mutant("transpose-reverses", "chain.transpose",
            r#"Every transposition reverses the dimensions, numpy's `.T`: the old "F" order."#,
            chain(|chain| with_orders(chain, |order| (0..order.len()).rev().collect()))),
        mutant("transpose-leaves-elements", "chain.transpose",
            "The shape is permuted but the elements keep their places: a view without its strides.",
            chain(|chain| {
                for step in &mut chain.pipeline.array_to_array {
                    if matches!(step.codec, ArrayCodec::Transpose(_)) {
                        step.codec = ArrayCodec::Reshape;
                    }
                }
            })),
        mutant("reshape-loses-shape", "chain.reshape",
            "The shape after `reshape` is the shape before it.",
            resolution(|chain, it| {
                let mut before = chain.chunk_shape.clone();
                for (stage, step) in it.stages[1..].iter_mut().zip(&chain.pipeline.array_to_array) {
                    match step.codec {
                        ArrayCodec::Transpose(_) => before = stage.shape.clone(),
                        _ => stage.shape = before.clone(),
                    }
                }
            })),
        mutant("reshape-in-fortran-order", "chain.reshape",
            "Elements are read with the first dimension varying fastest, as in a column-major language.",
            chunk(|chain, chunk| {
                let is_reshape = |step: &ArrayToArray| matches!(step.codec, ArrayCodec::Reshape);
                let reshapes = chain.pipeline.array_to_array.iter().any(is_reshape);
                if !reshapes || chunk.shape() != chain.chunk_shape {
                    return None;
                }
                column_major(chunk).ok()
            })),
    ]
}
