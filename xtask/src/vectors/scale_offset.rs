//! What is computed of the vectors of `scale_offset`: the other groups are recipes beside this file.

mod every;
mod fixed_scale_offset;
mod last_bit;
mod steps;

use exactum_model::ScaleOffset;

use super::builder::Topic;
use super::opinions::Elementwise;
use super::recipes::Computed;

pub(super) const COMPUTED: [Computed; 3] = [
    ("scale_offset", "last-bit", last_bit::add),
    ("scale_offset", "every", every::add),
    (
        "scale_offset",
        "fixed-scale-offset-types",
        fixed_scale_offset::types,
    ),
];

/// The codec of a configuration for arrays of the topic's data type.
fn codec(topic: &Topic, configuration: &str) -> Result<ScaleOffset, String> {
    match Elementwise::read("scale_offset", configuration, topic.own_type()?)? {
        Ok(Elementwise::Scale(codec)) => Ok(codec),
        other => Err(format!("{configuration}: {other:?}")),
    }
}
