//! The computed vectors of `scale_offset`. The other groups are recipes in the folder beside this file.

mod every;
mod fills;
mod fixed_scale_offset;
mod last_bit;
mod steps;

use exactum_model::{DataType, ScaleOffset};

use super::builder::Topic;
use super::opinions;
use super::recipes::Computed;

pub(super) const COMPUTED: [Computed; 4] = [
    ("scale_offset", "fill-types", fills::add),
    ("scale_offset", "last-bit", last_bit::add),
    ("scale_offset", "every", every::add),
    (
        "scale_offset",
        "fixed-scale-offset-types",
        fixed_scale_offset::types,
    ),
];

/// Returns the codec of a configuration for arrays of the topic's data type.
fn codec(topic: &Topic, configuration: &str) -> Result<ScaleOffset, String> {
    codec_for(configuration, topic.own_type()?)
}

/// Returns the codec of a configuration for arrays of a data type.
fn codec_for(configuration: &str, data_type: DataType) -> Result<ScaleOffset, String> {
    opinions::scale_offset(configuration, data_type)?
        .map_err(|rejection| format!("{configuration}: {rejection}"))
}
