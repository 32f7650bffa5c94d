//! Compares the data type, shape and fill value of an array document after each stage.

use exactum_model::{Format, Resolution, Scalar};

use super::array::type_and_shape;
use super::{Difference, Shown};

/// Returns whether a real scalar is NaN.
fn is_nan(scalar: &Scalar) -> bool {
    match scalar.data_type().format() {
        Format::Float(format) => format.is_nan(scalar.component(0)),
        _ => false,
    }
}

/// Compares resolutions member by member. Fill values are compared by their bits, except for NaNs that a codec
/// produced.
pub(super) fn compare_resolutions(expected: &Resolution, got: &Resolution) -> Option<Difference> {
    if expected.stages.len() != got.stages.len() {
        let [want, have] = [expected, got].map(|it| format!("{} stages", it.stages.len()));
        return Some(Difference::whole(want, have));
    }
    for (index, (want, have)) in expected.stages.iter().zip(&got.stages).enumerate() {
        if want.codec != have.codec || want.data_type != have.data_type || want.shape != have.shape
        {
            let show = |stage: &exactum_model::Stage| {
                format!(
                    "stage {index}: {} gives {}",
                    stage.codec.as_deref().unwrap_or("the array"),
                    type_and_shape(stage.data_type.name(), &stage.shape)
                )
            };
            return Some(Difference::whole(show(want), show(have)));
        }
        // After a codec, the fill value is a result of arithmetic, whose NaN bits are free.
        let same_nan =
            || want.codec.is_some() && is_nan(&want.fill_value) && is_nan(&have.fill_value);
        if want.fill_value != have.fill_value && !same_nan() {
            let show = |stage: &exactum_model::Stage| {
                format!(
                    "stage {index}: fill value {}",
                    Shown::from(stage.fill_value)
                )
            };
            return Some(Difference::whole(show(want), show(have)));
        }
    }
    if expected.encoded_bytes != got.encoded_bytes {
        let show = |bytes: Option<u64>| match bytes {
            Some(bytes) => format!("{bytes} encoded bytes"),
            None => "an unknown number of encoded bytes".to_owned(),
        };
        let [want, have] = [expected, got].map(|it| show(it.encoded_bytes));
        return Some(Difference::whole(want, have));
    }
    if expected.round_trips != got.round_trips {
        let [want, have] = [expected, got].map(|it| format!("survives: {}", it.round_trips));
        return Some(Difference::whole(want, have));
    }
    None
}
