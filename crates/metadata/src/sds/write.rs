//! Data sets as JSON.

use exactum_exact::canonical;
use exactum_model::sds::{DataSet, Fill, Infinite, Lowered, Scaling, Values};
use exactum_model::{DataType, Scalar};
use serde_json::{Map, Value, json};

use super::DataSets;

/// Returns a data set as JSON, with all its members.
#[must_use]
pub fn data_set_to_json(set: &DataSet) -> Value {
    let of = set.data_type();
    let values: Vec<Value> = match set.values() {
        Values::Integers(values) => values.iter().map(|&value| value.into()).collect(),
        Values::Singles(values) => values.iter().map(|&bits| single_to_json(bits)).collect(),
        Values::Doubles(values) => values.iter().map(|&bits| number_to_json(bits)).collect(),
        Values::Complex(values) => values
            .iter()
            .map(|&[re, im]| json!([single_to_json(re), single_to_json(im)]))
            .collect(),
    };
    let attribute = |bits: Option<u64>| bits.map_or(Value::Null, number_to_json);
    json!({
        "type": of.name(),
        "values": values,
        "scaling": scaling_to_json(&set.scaling, attribute),
        "fill": match set.fill() {
            Fill::Undefined => Value::Null,
            Fill::Code(code) => code.into(),
            Fill::Nan => "NaN".into(),
            Fill::Real(bits) => number_to_json(bits),
        },
        "infinite": infinite_to_json(set.infinite()),
    })
}

pub(super) fn infinite_to_json(infinite: Option<Infinite>) -> Value {
    match infinite {
        None => Value::Null,
        Some(Infinite { positive, negative }) => json!({"pos": positive, "neg": negative}),
    }
}

fn scaling_to_json(scaling: &Scaling, attribute: impl Fn(Option<u64>) -> Value) -> Value {
    json!({"scale": attribute(scaling.scale()), "offset": attribute(scaling.offset())})
}

/// Returns data sets as JSON.
#[must_use]
pub fn data_sets_to_json(sets: &DataSets) -> Value {
    match sets {
        DataSets::One(set) => data_set_to_json(set),
        DataSets::Variables(sets) => {
            let variables: Map<String, Value> = sets
                .iter()
                .map(|(name, set)| (name.clone(), data_set_to_json(set)))
                .collect();
            json!({"variables": variables})
        }
    }
}

fn single_to_json(bits: u32) -> Value {
    text_of(DataType::Float32, bits.into())
}

/// Returns a scaling in the other conventions as JSON: their attributes, and which of them are exact
/// (sds.lower).
#[must_use]
pub fn lowered_to_json(lowered: &Lowered) -> Value {
    let (factor, zero) = (number_to_json(lowered.factor), number_to_json(lowered.zero));
    let both = lowered.factor_is_exact && lowered.zero_is_exact;
    json!({
        "fits": {"BSCALE": factor, "BZERO": zero},
        "cf": {"scale_factor": factor, "add_offset": zero},
        "zarr": {"scale": number_to_json(lowered.scale), "offset": zero},
        "exact": {"fits": both, "cf": both, "zarr": lowered.zero_is_exact},
    })
}

/// Returns a binary64 number as JSON: the shortest decimal, or the name of NaN or an infinity.
#[must_use]
pub fn number_to_json(bits: u64) -> Value {
    text_of(DataType::Float64, bits)
}

/// Returns the shortest decimal for the number's own width; every NaN is `"NaN"`.
fn text_of(data_type: DataType, bits: u64) -> Value {
    let is_nan = |format: exactum_model::FloatFormat| format.is_nan(bits);
    if data_type.format().float().is_some_and(is_nan) {
        return "NaN".into();
    }
    let text = canonical(&Scalar::new(data_type, bits.into()));
    serde_json::from_str(&text).unwrap_or_default()
}
