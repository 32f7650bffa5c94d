//! Mutants of `chain`: the order of codecs and their data types.

use super::*;

const ORDER: &[&str] = &["chain.order"];
const DATA_TYPE: &[&str] = &["chain.data_type"];
const SCALE_AND_CAST: &str = r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#;
/// float32, less 1, to uint8.
const SCALE_AND_CAST_FLOAT: &str = r#"[{"name":"scale_offset","configuration":{"offset":-1}},{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#;

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
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
            let mut steps = chain.pipeline.steps.clone();
            for index in 1..steps.len() {
                let (before, after) = steps.split_at_mut(index);
                if let ([.., first], [second, ..]) = (before, after)
                    && let ArrayCodec::ScaleOffset(scale) = first.codec
                    && let ArrayCodec::CastValue(cast) = second.codec.clone()
                {
                    first.data_type = cast.encoded;
                    second.codec = ArrayCodec::ScaleOffset(rescaled(&scale, cast.encoded));
                    first.codec = ArrayCodec::CastValue(cast);
                }
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
        Witness::Resolve(
            "float32",
            "0",
            "[4]",
            r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#,
        ),
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
];
