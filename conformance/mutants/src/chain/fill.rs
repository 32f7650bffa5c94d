//! Mutants of `chain`: shards and fill values.

use super::*;
use exactum_conformance::model::Direction::{Decode, Encode};
use exactum_reference::chain::{Reference, scalar};

/// Passes the fill value through every step and back, without the checks on the way.
fn returned(chain: &Chain, back: impl Fn(&ArrayToArray) -> bool) -> Option<Scalar> {
    let steps: Vec<&ArrayToArray> = chain.pipeline.all_array_to_array().collect();
    let through =
        |step: &ArrayToArray, direction, value| scalar(&Reference, &step.codec, direction, value);
    let encoded = steps
        .iter()
        .try_fold(chain.fill_value, |value, step| through(step, Encode, value));
    let mut undone = steps.iter().rev().filter(|step| back(step));
    undone
        .try_fold(encoded.ok()?, |value, step| through(step, Decode, value))
        .ok()
}

impl Fill<'_> {
    /// Returns the result for the array's fill value instead of the one before the codec, if the data types allow it.
    fn of_the_array(&self) -> Wrong<Scalar> {
        let own = self.chain.fill_value;
        (own.data_type() == self.before.data_type()).then(|| self.of(own))
    }
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("inner-codecs-see-the-shard", "chain.shard",
            "The inner codecs are set up with the shape of the shard.",
            resolution(|chain, it| {
                for stage in &mut it.stages[outer_stages(chain)..] {
                    stage.shape = last(chain).1.to_vec();
                }
            })),
        mutant("shards-not-entered", "chain.shard",
            "A shard is an opaque codec: the effect of its inner codecs on data type and fill value is ignored.",
            resolution(|chain, it| it.stages.truncate(outer_stages(chain)))),
        fill("shard-resets-the-fill-value", "chain.shard",
            "The inner codecs get the array's fill value, not that of the shard.",
            |it| match it.chain.pipeline.array_to_array.contains(it.step) {
                true => None,
                false => it.of_the_array(),
            }),
        fill("every-codec-gets-the-array-fill-value", "chain.fill",
            "Each codec transforms the fill value of the document instead of the one before it.",
            |it| it.of_the_array()),
        fill("fill-value-not-carried", "chain.fill",
            "The fill value keeps the value in the document and changes only its type, as if \
             codecs applied to chunks only.",
            |it| {
                it.of(it.before).ok()?;
                let own = it.chain.fill_value;
                if it.step.data_type == own.data_type() {
                    return give(own);
                }
                let value = Exact::from_bits(&own.data_type().format(), own.component(0));
                it.give(saturated(&value, &it.step.data_type.format()))
            }),
        mutant("survives-always", "chain.survives",
            "Survival is not checked: a value that the casts accept is assumed to survive.",
            resolution(|_, it| it.round_trips = true)),
        mutant("survives-by-bits", "chain.survives",
            "The bytes are compared: -0 through an integer counts as lost.",
            resolution(|chain, it| {
                it.round_trips = returned(chain, |_| true) == Some(chain.fill_value);
            })),
        mutant("survives-unless-nan", "chain.survives",
            "The comparison is `==`, for which no NaN equals itself.",
            resolution(|chain, it| {
                let float = chain.data_type.format().float();
                it.round_trips &=
                    !float.is_some_and(|float| float.is_nan(chain.fill_value.component(0)));
            })),
        mutant("survives-decodes-casts-only", "chain.survives",
            "Only casts are undone: scale_offset is forgotten on the way back.",
            resolution(|chain, it| {
                let cast = |step: &ArrayToArray| matches!(step.codec, ArrayCodec::CastValue(_));
                if let Some(back) = returned(chain, cast)
                    && back.data_type() == chain.fill_value.data_type()
                {
                    it.round_trips = back.same_value(&chain.fill_value);
                }
            })),
    ]
}
