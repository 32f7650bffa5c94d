//! Random packings of the CF conventions.

use std::sync::Arc;

use exactum_conformance::model::{Cf, DataType, Format, Scalar};
use exactum_conformance::vectors::array_to_json;
use exactum_conformance::{Answer, Implementation, InProcess, Request};
use serde_json::{Map, Value, json};

use super::choice::{Random, array, border};
use super::draft::{Draft, members};
use crate::ours::Reference;

/// Generates random attributes, with random codes or with values near those of codes.
pub(super) fn draft(random: &mut Random) -> Draft {
    let packed = *random.pick(&Cf::PACKED);
    let configuration = configuration(random, packed);
    let text = Value::Object(configuration).to_string();
    let unpacked = unpacked(&text, packed);
    let codes: Vec<Scalar> = (0..=random.below(12))
        .map(|_| code(random, packed))
        .collect();
    let decode = random.percent(50);
    let mut asked = members([("configuration", text.into())]);
    if decode {
        asked.insert("op".into(), "cf.decode".into());
        asked.insert("data_type".into(), unpacked.name().into());
        asked.insert("input".into(), array_to_json(&array(packed, &codes)));
    } else {
        let values = values(random, &asked, unpacked, packed, &codes);
        asked.insert("op".into(), "cf.encode".into());
        asked.insert("input".into(), array_to_json(&array(unpacked, &values)));
    }
    Draft {
        row: "cf",
        topic: if decode { "unpack" } else { "pack" }.into(),
        members: asked,
        clauses: vec![if decode {
            "cf.decode.steps"
        } else {
            "cf.encode.steps"
        }],
        elementwise: true,
    }
}

/// Returns the type into which the reference unpacks.
fn unpacked(configuration: &str, packed: DataType) -> DataType {
    let counted = match packed {
        DataType::Int8 => DataType::Uint8,
        DataType::Int16 => DataType::Uint16,
        DataType::Int32 => DataType::Uint32,
        unsigned => unsigned,
    };
    let mut reference = InProcess::new(Arc::new(Reference));
    let mut takes = |data_type: DataType| {
        let request = Request::new(members([
            ("op", "cf.encode".into()),
            ("configuration", configuration.into()),
            ("input", array_to_json(&array(data_type, &[]))),
        ]));
        matches!(reference.call(&request), Ok(Answer::Ok(_)))
    };
    let candidates = [DataType::Float64, DataType::Float32, packed, counted];
    let found = candidates.into_iter().find(|it| takes(*it));
    // Attributes that are never accepted are rejected for any type.
    found.unwrap_or(DataType::Float64)
}

/// Generates the values of some codes and values close to them, occasionally arbitrary values.
fn values(
    random: &mut Random,
    asked: &Map<String, Value>,
    unpacked: DataType,
    packed: DataType,
    codes: &[Scalar],
) -> Vec<Scalar> {
    let mut request = asked.clone();
    request.insert("op".into(), "cf.decode".into());
    request.insert("data_type".into(), unpacked.name().into());
    request.insert("input".into(), array_to_json(&array(packed, codes)));
    let mut reference = InProcess::new(Arc::new(Reference));
    let decoded = match reference.call(&Request::new(request)) {
        Ok(Answer::Ok(success)) => {
            let output = success.to_json();
            exactum_conformance::vectors::array_from_json(&output["output"]).ok()
        }
        _ => None,
    };
    (0..codes.len())
        .map(|index| match (&decoded, random.below(4)) {
            (_, 0) | (None, _) => match random.percent(50) {
                true => border(random, unpacked),
                false => random.scalar(unpacked),
            },
            (Some(values), choice) => {
                let bits = values.element(index).component(0);
                let moved = match choice {
                    1 => bits,
                    2 => bits.wrapping_add(random.between(0, 8)).wrapping_sub(4),
                    _ => bits ^ (1 << random.between(0, 30)),
                };
                Scalar::new(unpacked, u128::from(moved & mask(unpacked)))
            }
        })
        .collect()
}

fn mask(data_type: DataType) -> u64 {
    data_type.format().component_mask()
}

fn code(random: &mut Random, packed: DataType) -> Scalar {
    match random.percent(40) {
        true => border(random, packed),
        false => random.scalar(packed),
    }
}

/// Generates an integer of the type in the form used in attributes.
fn written(random: &mut Random, packed: DataType) -> Value {
    let bits = code(random, packed).component(0);
    let value = i64::try_from(bits).unwrap_or_default();
    match packed.format() {
        Format::Integer(it) if it.signed && value >> (it.bits - 1) == 1 => {
            json!(value - (1 << it.bits))
        }
        _ => json!(value),
    }
}

fn configuration(random: &mut Random, packed: DataType) -> Map<String, Value> {
    let mut attributes = members([("data_type", packed.name().into())]);
    let mut more = |key: &str, value: Value| attributes.insert(key.into(), value);
    if random.percent(50) {
        more(
            "attribute_type",
            json!(random.pick(&["float32", "float64"])),
        );
    }
    if random.percent(70) {
        more("reader", json!(random.pick(&["cf", "xarray", "netcdf4"])));
    }
    if random.percent(75) {
        more("scale_factor", number(random));
    }
    if random.percent(60) {
        more("add_offset", number(random));
    }
    if random.percent(40) {
        more("_FillValue", written(random, packed));
    }
    if random.percent(30) {
        let one = written(random, packed);
        let value = match random.percent(50) {
            true => one,
            false => json!([one, written(random, packed)]),
        };
        more("missing_value", value);
    }
    match random.below(8) {
        0 => {
            more(
                "valid_range",
                json!([written(random, packed), written(random, packed)]),
            );
        }
        1 => {
            more("valid_min", written(random, packed));
        }
        2 => {
            more("valid_max", written(random, packed));
        }
        _ => {}
    }
    if random.percent(30) {
        more("_Unsigned", json!(random.pick(&["true", "false"])));
    }
    attributes
}

/// Generates a factor or an offset, either with few digits or arbitrary.
fn number(random: &mut Random) -> Value {
    let digits = f64::from(u32::try_from(random.between(1, 9999)).unwrap_or(1));
    let value = match random.below(5) {
        0 => f64::from(f32::from_bits(
            u32::try_from(random.bits() >> 32).unwrap_or(1),
        )),
        1 => f64::from_bits(random.bits()),
        2 => digits * *random.pick(&[1.0, -1.0, 1024.0]),
        _ => digits / *random.pick(&[100.0, -1000.0, 256.0, 1e7]),
    };
    match value.is_finite() {
        true => value.into(),
        false => 1.into(),
    }
}
