//! Mutants of `chain`.

use std::cmp::Ordering;

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToBytes, Chain, DataType, Endian, Pipeline, Resolution, Rounding,
    Scalar, ScaleOffset, Step,
};
use exactum_exact::{Exact, Rounded, round};

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
            ArrayCodec::ScaleOffset(_) | ArrayCodec::CastValue(_) => step.shape = shape,
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

const ORDER: &[&str] = &["chain.order"];
const DATA_TYPE: &[&str] = &["chain.data_type"];
const SHAPE: &[&str] = &["chain.shape"];
const TRANSPOSE: &[&str] = &["chain.transpose"];
const RESHAPE: &[&str] = &["chain.reshape"];
const SHARD: &[&str] = &["chain.shard"];
const FILL: &[&str] = &["chain.fill"];
const SURVIVES: &[&str] = &["chain.survives"];
const ENCODED_BYTES: &[&str] = &["chain.encoded-bytes"];
const LENGTH: &[&str] = &["chain.bytes.length"];
const ENDIAN: &[&str] = &["chain.bytes.endian"];

/// int16, less 1, times 2 in a second codec.
const TWO_SCALES: &str = r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"scale_offset","configuration":{"scale":2}},{"name":"bytes","configuration":{"endian":"little"}}]"#;
const SCALE_AND_CAST: &str = r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#;
const ROTATED: &str = r#"[{"name":"transpose","configuration":{"order":[2,0,1]}},"bytes"]"#;
const FLAT: &str = r#"[{"name":"reshape","configuration":{"shape":[4]}},"bytes"]"#;
const SHARDED: &str = r#"[{"name":"sharding_indexed","configuration":{"chunk_shape":[2],"codecs":[{"name":"scale_offset","configuration":{"offset":1}},"bytes"],"index_codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}}]"#;
const BIG: &str = r#"[{"name":"bytes","configuration":{"endian":"big"}}]"#;
/// float32, whose fill value 1e-8 is lost in a difference with 1.
const ABSORBED: &str = r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"bytes","configuration":{"endian":"little"}}]"#;

/// The mutants of this file.
pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "codecs-in-reverse-order",
        ORDER,
        chain(|chain| {
            let mut codecs: Vec<ArrayCodec> = chain
                .pipeline
                .steps
                .iter()
                .map(|step| step.codec.clone())
                .collect();
            codecs.reverse();
            let scales = codecs
                .iter()
                .all(|codec| matches!(codec, ArrayCodec::ScaleOffset(_)));
            let mut steps = chain.pipeline.steps.clone();
            for (step, codec) in steps.iter_mut().zip(codecs) {
                if scales {
                    step.codec = codec;
                }
            }
            with_steps(chain, steps)
        }),
        "Encoding runs through the list from its end: the order of decoding.",
        Witness::Chunk("int16", "[2]", TWO_SCALES, "[2]", "[5, 7]"),
    ),
    mutant(
        "casts-before-scales",
        ORDER,
        chain(|chain| {
            // A cast between equal types changes nothing; where both codecs work in the same
            // types as before, they can be exchanged.
            let mut steps = chain.pipeline.steps.clone();
            let integers = |step: &Step| match &step.codec {
                ArrayCodec::ScaleOffset(codec) => Some(*codec),
                _ => None,
            };
            if let [first, second] = &mut steps[..]
                && let Some(scale) = integers(first)
                && let ArrayCodec::CastValue(cast) = second.codec.clone()
                && let Some(scale) = rescaled(&scale, cast.encoded)
            {
                std::mem::swap(&mut first.name, &mut second.name);
                first.codec = ArrayCodec::CastValue(cast.clone());
                first.data_type = cast.encoded;
                second.codec = ArrayCodec::ScaleOffset(scale);
            }
            with_steps(chain, steps)
        }),
        "The cast is taken out of the list and done first: a loader that converts the type while it reads.",
        Witness::Chunk("int16", "[2]", SCALE_AND_CAST, "[2]", "[256, 7]"),
    ),
    mutant(
        "data-type-unchanged",
        DATA_TYPE,
        resolution(|chain, mut resolution| {
            for stage in &mut resolution.stages {
                let bits = stage.fill_value.component(0);
                if stage.data_type != chain.data_type {
                    stage.data_type = chain.data_type;
                    stage.fill_value = Scalar::new(chain.data_type, bits.into());
                }
            }
            resolution
        }),
        "Every stage is said to have the array's data type: cast_value tells nobody.",
        Witness::Resolve("float32", "0", "[4]", r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#),
    ),
    mutant(
        "data-type-changes-too-early",
        DATA_TYPE,
        resolution(|_, mut resolution| {
            for index in 1..resolution.stages.len() {
                let (before, after) = resolution.stages.split_at_mut(index);
                if let ([.., stage], [next, ..]) = (before, after)
                    && stage.data_type != next.data_type
                {
                    stage.data_type = next.data_type;
                    stage.fill_value = next.fill_value;
                }
            }
            resolution
        }),
        "A stage shows the data type after its successor: the list is off by one.",
        Witness::Resolve("float32", "0", "[4]", SCALE_AND_CAST_FLOAT),
    ),
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
            chain: Some(|chain| with_orders_as_reshapes(chain)),
            ..RIGHT
        },
        "The shape is permuted and the elements stay where they are: a view without its strides.",
        Witness::Chunk("uint8", "[2, 3]", r#"[{"name":"transpose","configuration":{"order":[1,0]}},"bytes"]"#, "[2, 3]", "[0, 1, 2, 3, 4, 5]"),
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
                        array_to_bytes: ArrayToBytes::Bytes(Some(Endian::Little)),
                        bytes_to_bytes: Vec::new(),
                    },
                };
                walk::encode(&RIGHT, &reversed, chunk)
                    .and_then(|data| {
                        Array::new(chunk.data_type(), chain.chunk_shape.clone(), data)
                    })
                    .unwrap_or_else(|_| chunk.clone())
            }),
            ..RIGHT
        },
        "Elements are taken with the first dimension fastest, as a column-major language counts.",
        Witness::Chunk("uint8", "[2, 2]", FLAT, "[2, 2]", "[1, 2, 3, 4]"),
    ),
    mutant(
        "inner-codecs-see-the-shard",
        SHARD,
        resolution(|chain, mut resolution| {
            let outer = outer_stages(chain);
            let (_, shape) = last(chain);
            for stage in &mut resolution.stages[outer..] {
                stage.shape = shape.to_vec();
            }
            resolution
        }),
        "The inner codecs are set up with the shape of the shard.",
        Witness::Resolve("uint8", "1", "[4]", SHARDED),
    ),
    mutant(
        "shards-not-entered",
        SHARD,
        resolution(|chain, mut resolution| {
            resolution.stages.truncate(outer_stages(chain));
            resolution
        }),
        "A shard is an opaque codec: what its inner codecs do to data type and fill value is not seen.",
        Witness::Resolve("uint8", "1", "[4]", SHARDED),
    ),
    mutant(
        "shard-resets-the-fill-value",
        SHARD,
        fill(|chain, step, before| {
            let inner = !chain.pipeline.steps.contains(step);
            let own = chain.fill_value;
            if inner && own.data_type() == before.data_type() {
                walk::fill(&RIGHT, step, own)
            } else {
                walk::fill(&RIGHT, step, before)
            }
        }),
        "The inner codecs are given the array's fill value, not the one that the shard is given.",
        Witness::Resolve(
            "uint8",
            "5",
            "[4]",
            r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"sharding_indexed","configuration":{"chunk_shape":[2],"codecs":[{"name":"scale_offset","configuration":{"offset":1}},"bytes"],"index_codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}}]"#,
        ),
    ),
    mutant(
        "every-codec-gets-the-array-fill-value",
        FILL,
        fill(|chain, step, before| {
            let own = chain.fill_value;
            if own.data_type() == before.data_type() {
                walk::fill(&RIGHT, step, own)
            } else {
                walk::fill(&RIGHT, step, before)
            }
        }),
        "Each codec transforms the fill value of the document instead of the one before it.",
        Witness::Resolve("int16", "5", "[4]", TWO_SCALES),
    ),
    mutant(
        "fill-value-not-carried",
        FILL,
        fill(|chain, step, before| {
            walk::fill(&RIGHT, step, before)?;
            let own = chain.fill_value;
            if step.data_type == own.data_type() {
                return Ok(own);
            }
            let value = Exact::from_bits(&own.data_type().format(), own.component(0));
            let bits = super::arithmetic::saturated(&value, &step.data_type.format());
            Ok(Scalar::new(step.data_type, bits.into()))
        }),
        "The fill value stays what the document says and only changes its type: codecs are thought to be about chunks.",
        Witness::Resolve("int16", "5", "[4]", TWO_SCALES),
    ),
    mutant(
        "survives-always",
        SURVIVES,
        resolution(|_, resolution| Resolution {
            survives: true,
            ..resolution
        }),
        "Nobody looks: what the casts accept is believed to survive.",
        Witness::Resolve("float32", "1e-8", "[4]", ABSORBED),
    ),
    mutant(
        "survives-by-bits",
        SURVIVES,
        resolution(|chain, resolution| Resolution {
            survives: returned(chain, |_| true) == Some(chain.fill_value),
            ..resolution
        }),
        "The bytes are compared: -0 through an integer is said to be lost.",
        Witness::Resolve("float32", "-0.0", "[4]", r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#),
    ),
    mutant(
        "survives-unless-nan",
        SURVIVES,
        resolution(|chain, resolution| {
            let nan = chain
                .data_type
                .format()
                .float()
                .is_some_and(|format| format.is_nan(chain.fill_value.component(0)));
            Resolution {
                survives: resolution.survives && !nan,
                ..resolution
            }
        }),
        "The comparison is `==`, which no NaN passes.",
        Witness::Resolve("float32", "\"NaN\"", "[4]", r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#),
    ),
    mutant(
        "survives-decodes-casts-only",
        SURVIVES,
        resolution(|chain, resolution| {
            let cast = |step: &Step| matches!(step.codec, ArrayCodec::CastValue(_));
            let back = returned(chain, cast);
            let survives = match back {
                Some(back) if back.data_type() == chain.fill_value.data_type() => {
                    back.same_value(&chain.fill_value)
                }
                _ => resolution.survives,
            };
            Resolution {
                survives,
                ..resolution
            }
        }),
        "Only casts are undone: scale_offset is forgotten on the way back.",
        Witness::Resolve("int16", "5", "[4]", TWO_SCALES),
    ),
    mutant(
        "encoded-bytes-of-the-array-type",
        ENCODED_BYTES,
        resolution(|chain, resolution| {
            let (data_type, shape) = last(chain);
            let own = bytes_of(chain.data_type, &chain.chunk_shape);
            let checksums = match (resolution.encoded_bytes, bytes_of(data_type, shape)) {
                (Some(all), Some(plain)) => all - plain,
                _ => 0,
            };
            Resolution {
                encoded_bytes: resolution
                    .encoded_bytes
                    .and(own)
                    .map(|own| own + checksums),
                ..resolution
            }
        }),
        "The size is computed of the array's data type: the cast is overlooked.",
        Witness::Resolve("float32", "0", "[4]", r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#),
    ),
    mutant(
        "encoded-bytes-without-checksum",
        ENCODED_BYTES,
        resolution(|chain, resolution| {
            let (data_type, shape) = last(chain);
            Resolution {
                encoded_bytes: resolution.encoded_bytes.and(bytes_of(data_type, shape)),
                ..resolution
            }
        }),
        "The four bytes of crc32c are not counted.",
        Witness::Resolve("uint8", "0", "[4]", r#"["bytes","crc32c"]"#),
    ),
    mutant(
        "encoded-bytes-of-compressed-chunks",
        ENCODED_BYTES,
        resolution(|chain, resolution| {
            let (data_type, shape) = last(chain);
            Resolution {
                encoded_bytes: resolution.encoded_bytes.or(bytes_of(data_type, shape)),
                ..resolution
            }
        }),
        "A size is told behind a compressor or a shard too: the one before it.",
        Witness::Resolve("uint8", "0", "[4]", r#"["bytes",{"name":"gzip","configuration":{"level":1}}]"#),
    ),
    mutant(
        "short-chunk-padded",
        LENGTH,
        Parts {
            encoded: Some(|chain, bytes| resized(chain, bytes, |wanted, got| got < wanted)),
            ..RIGHT
        },
        "A truncated chunk is filled up with zeros: the buffer was allocated whole.",
        Witness::Bytes("uint8", "[4]", "[\"bytes\"]", "010203"),
    ),
    mutant(
        "long-chunk-truncated",
        LENGTH,
        Parts {
            encoded: Some(|chain, bytes| resized(chain, bytes, |wanted, got| got > wanted)),
            ..RIGHT
        },
        "Bytes beyond the chunk are ignored: as many are read as are needed.",
        Witness::Bytes("uint8", "[4]", "[\"bytes\"]", "0102030405"),
    ),
    mutant(
        "endian-ignored",
        ENDIAN,
        chain(|chain| {
            let mut chain = chain.clone();
            if let ArrayToBytes::Bytes(Some(endian)) = &mut chain.pipeline.array_to_bytes {
                *endian = Endian::Little;
            }
            chain
        }),
        "Chunks are written in the machine's order whatever `endian` says (zarr-python once did so behind cast_value, #3937).",
        Witness::Chunk("int16", "[1]", BIG, "[1]", "[1]"),
    ),
];

/// float32, less 1, to uint8.
const SCALE_AND_CAST_FLOAT: &str = r#"[{"name":"scale_offset","configuration":{"offset":-1}},{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#;

/// A `scale_offset` in another integer type; nothing where a parameter is no value of it.
fn rescaled(
    codec: &ScaleOffset,
    data_type: DataType,
) -> Option<ScaleOffset> {
    let (from, to) = (codec.data_type.format(), data_type.format());
    let parameter = |bits: Option<u64>| match bits {
        None => Some(None),
        Some(bits) => {
            let value = Exact::from_bits(&from, bits);
            match round(&value, &to, Rounding::NearestEven) {
                Rounded::Bits(bits)
                    if Exact::from_bits(&to, bits).compare(&value)
                        == Some(Ordering::Equal) =>
                {
                    Some(Some(bits))
                }
                _ => None,
            }
        }
    };
    Some(ScaleOffset {
        data_type,
        offset: parameter(codec.offset)?,
        scale: parameter(codec.scale)?,
    })
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
