//! Mutants of `chain`: the order of codecs and their data types.

use super::*;

/// Returns a `scale_offset` in another data type; parameters that the type cannot represent are saturated.
fn rescaled(codec: &ScaleOffset, data_type: DataType) -> ScaleOffset {
    let (from, to) = (codec.data_type.format(), data_type.format());
    let parameter = |bits: u64| saturated(&Exact::from_bits(&from, bits), &to);
    ScaleOffset {
        data_type,
        offset: codec.offset.map(parameter),
        scale: codec.scale.map(parameter),
    }
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("codecs-in-reverse-order", "chain.order",
            "Encoding goes through the list from the end, which is the order of decoding.",
            chain(|chain| {
                let steps = &mut chain.pipeline.array_to_array;
                let codecs: Vec<ArrayCodec> =
                    steps.iter().rev().map(|step| step.codec.clone()).collect();
                if codecs
                    .iter()
                    .all(|codec| matches!(codec, ArrayCodec::ScaleOffset(_)))
                {
                    for (step, codec) in steps.iter_mut().zip(codecs) {
                        step.codec = codec;
                    }
                }
            })),
        mutant("casts-before-scales", "chain.order",
            "The cast is taken out of the list and applied first, as by a loader that converts the type while it reads.",
            chain(|chain| {
                let steps = &mut chain.pipeline.array_to_array;
                for index in 1..steps.len() {
                    if let [first, second] = &mut steps[index - 1..=index]
                        && let ArrayCodec::ScaleOffset(scale) = first.codec
                        && let ArrayCodec::CastValue(cast) = second.codec.clone()
                    {
                        first.data_type = cast.encoded;
                        second.codec = ArrayCodec::ScaleOffset(rescaled(&scale, cast.encoded));
                        first.codec = ArrayCodec::CastValue(cast);
                    }
                }
            })),
        mutant("data-type-unchanged", "chain.data_type",
            "Every stage is reported with the array's data type, as if cast_value did not change it.",
            resolution(|chain, it| {
                for stage in &mut it.stages {
                    if stage.data_type != chain.data_type {
                        let bits = stage.fill_value.component(0);
                        stage.data_type = chain.data_type;
                        stage.fill_value = Scalar::new(chain.data_type, bits.into());
                    }
                }
            })),
        mutant("data-type-changes-too-early", "chain.data_type",
            "A stage shows the data type after its successor: the list is off by one.",
            resolution(|_, it| {
                for index in 1..it.stages.len() {
                    if let [stage, next] = &mut it.stages[index - 1..=index]
                        && stage.data_type != next.data_type
                    {
                        stage.data_type = next.data_type;
                        stage.fill_value = next.fill_value;
                    }
                }
            })),
    ]
}
