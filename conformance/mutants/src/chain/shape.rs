//! Mutants of `chain`: shapes.

use super::*;

const SHAPE: &[&str] = &["chain.shape"];
const TRANSPOSE: &[&str] = &["chain.transpose"];
const RESHAPE: &[&str] = &["chain.reshape"];
const ROTATED: &str = r#"[{"name":"transpose","configuration":{"order":[2,0,1]}},"bytes"]"#;
const FLAT: &str = r#"[{"name":"reshape","configuration":{"shape":[4]}},"bytes"]"#;

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "chunk-shape-unchecked",
        SHAPE,
        Parts {
            chunk: Some(|chain, chunk| {
                let same = chunk.clone().with_shape(chain.chunk_shape.clone());
                same.unwrap_or_else(|_| chunk.clone())
            }),
            ..RIGHT
        },
        "A chunk of another shape with as many elements is taken.",
        Witness::Chunk("uint8", "[2, 2]", "[\"bytes\"]", "[4]", "[1, 2, 3, 4]"),
    ),
    mutant(
        "chunk-padded",
        SHAPE,
        Parts {
            chunk: Some(|chain, chunk| {
                let wanted = bytes_of(chain.data_type, &chain.chunk_shape)
                    .and_then(|bytes| usize::try_from(bytes).ok())
                    .filter(|&bytes| bytes <= 1 << 20);
                let Some(wanted) = wanted else {
                    return chunk.clone();
                };
                if chunk.data().len() >= wanted || chunk.data_type() != chain.data_type {
                    return chunk.clone();
                }
                let mut data = chunk.data().to_vec();
                data.resize(wanted, 0);
                Array::new(chain.data_type, chain.chunk_shape.clone(), data)
                    .unwrap_or_else(|_| chunk.clone())
            }),
            ..RIGHT
        },
        "A smaller chunk is filled up with zeros: chunks at the edge are thought to be smaller.",
        Witness::Chunk("uint8", "[4]", "[\"bytes\"]", "[3]", "[1, 2, 3]"),
    ),
    mutant(
        "shape-flattened",
        SHAPE,
        resolution(|_, mut resolution| {
            for stage in &mut resolution.stages {
                if let Some(elements) = stage
                    .shape
                    .iter()
                    .try_fold(1u64, |product, &extent| product.checked_mul(extent))
                {
                    stage.shape = vec![elements];
                }
            }
            resolution
        }),
        "Codecs meet a flat buffer: the shape of the chunk is gone.",
        Witness::Resolve("uint8", "0", "[2, 2]", "[\"bytes\"]"),
    ),
    mutant(
        "transpose-inverted",
        TRANSPOSE,
        chain(|chain| {
            with_orders(chain, |order| {
                let mut inverse = vec![0; order.len()];
                for (position, &dimension) in order.iter().enumerate() {
                    inverse[dimension] = position;
                }
                ArrayCodec::Transpose(inverse)
            })
        }),
        "The permutation is applied the other way about; orders of two dimensions do not show it.",
        Witness::Resolve("uint8", "0", "[2, 3, 4]", ROTATED),
    ),
    mutant(
        "transpose-reverses",
        TRANSPOSE,
        chain(|chain| {
            with_orders(chain, |order| {
                ArrayCodec::Transpose((0..order.len()).rev().collect())
            })
        }),
        "Every transposition reverses the dimensions, numpy's `.T`: the old \"F\" order.",
        Witness::Resolve("uint8", "0", "[2, 3, 4]", ROTATED),
    ),
    mutant(
        "transpose-leaves-elements",
        TRANSPOSE,
        Parts {
            chain: Some(with_orders_as_reshapes),
            ..RIGHT
        },
        "The shape is permuted and the elements stay where they are: a view without its strides.",
        Witness::Chunk(
            "uint8",
            "[2, 3]",
            r#"[{"name":"transpose","configuration":{"order":[1,0]}},"bytes"]"#,
            "[2, 3]",
            "[0, 1, 2, 3, 4, 5]",
        ),
    ),
    mutant(
        "reshape-loses-shape",
        RESHAPE,
        resolution(|chain, mut resolution| {
            let outer = outer_stages(chain);
            let mut before = chain.chunk_shape.clone();
            let steps = chain.pipeline.steps.iter();
            for (stage, step) in resolution.stages[1..outer].iter_mut().zip(steps) {
                match step.codec {
                    ArrayCodec::Transpose(_) => before = stage.shape.clone(),
                    _ => stage.shape = before.clone(),
                }
            }
            resolution
        }),
        "The shape behind `reshape` is the one before it.",
        Witness::Resolve("uint8", "0", "[2, 2]", FLAT),
    ),
    mutant(
        "reshape-in-fortran-order",
        RESHAPE,
        Parts {
            chunk: Some(|chain, chunk| {
                let reshapes = chain
                    .pipeline
                    .steps
                    .iter()
                    .any(|step| matches!(step.codec, ArrayCodec::Reshape));
                let rank = chunk.shape().len();
                if !reshapes || rank < 2 || chunk.shape() != chain.chunk_shape {
                    return chunk.clone();
                }
                let order: Vec<usize> = (0..rank).rev().collect();
                let shape: Vec<u64> = chunk.shape().iter().rev().copied().collect();
                let reversed = Chain {
                    data_type: chunk.data_type(),
                    chunk_shape: chunk.shape().to_vec(),
                    fill_value: Scalar::new(chunk.data_type(), 0),
                    pipeline: Pipeline {
                        steps: vec![Step {
                            name: "transpose".into(),
                            pointer: String::new(),
                            codec: ArrayCodec::Transpose(order),
                            data_type: chunk.data_type(),
                            shape,
                        }],
                        array_to_bytes: walk::little(chunk.data_type()),
                        bytes_to_bytes: Vec::new(),
                    },
                };
                walk::encode(&RIGHT, &reversed, chunk)
                    .and_then(|data| Array::new(chunk.data_type(), chain.chunk_shape.clone(), data))
                    .unwrap_or_else(|_| chunk.clone())
            }),
            ..RIGHT
        },
        "Elements are taken with the first dimension fastest, as a column-major language counts.",
        Witness::Chunk("uint8", "[2, 2]", FLAT, "[2, 2]", "[1, 2, 3, 4]"),
    ),
];
