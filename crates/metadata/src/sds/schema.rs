//! The JSON Schema of data sets, made from the table of their types. It cannot check whether one code stands
//! for two things, nor how an integer is written.

use exactum_model::sds::{Profile, SdsType};
use serde_json::{Map, Value, json};

/// Returns the schema of a document.
pub(crate) fn schema() -> Value {
    let mut definitions = Map::new();
    for profile in [Profile::Tn115, Profile::Soi97] {
        for of in SdsType::ALL {
            definitions.insert(named(of, profile), data_set(of, profile));
        }
    }
    definitions.insert(
        "real".into(),
        real(f64::MAX, &["NaN", "Infinity", "-Infinity"]),
    );
    // A number beyond this does not round to a number of r4.
    let single = f64::from(f32::MAX) * (1.0 + f64::EPSILON * 268_435_455.0 / 4.0);
    definitions.insert("single".into(), real(single, &["NaN"]));
    definitions.insert(
        "part".into(),
        real(single, &["NaN", "Infinity", "-Infinity"]),
    );
    definitions.insert("scaling".into(), scaling());
    let is_later = json!({"properties": {"profile": {"const": "soi97"}}, "required": ["profile"]});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Data sets",
        "description": "A data set of SOI TN 94-115, or several variables.",
        "type": "object",
        "properties": {"profile": {
            "description": "The edition of the types; tn115 by default.",
            "enum": ["tn115", "soi97"],
        }},
        "if": is_later,
        "then": of_profile(Profile::Soi97),
        "else": of_profile(Profile::Tn115),
        "$defs": definitions,
    })
}

fn named(of: SdsType, profile: Profile) -> String {
    format!("{of}_{}", profile.name())
}

/// Returns the schema of one data set, or of variables without separate profiles.
fn of_profile(profile: Profile) -> Value {
    let of_types = || -> Vec<Value> {
        let one = |of: SdsType| {
            let is_it = json!({"properties": {"type": {"const": of.name()}}, "required": ["type"]});
            let it = json!({"$ref": format!("#/$defs/{}", named(of, profile))});
            json!({"if": is_it, "then": it})
        };
        SdsType::ALL.into_iter().map(one).collect()
    };
    let names = SdsType::ALL.map(SdsType::name);
    let variable = json!({
        "type": "object",
        "properties": {"type": {"enum": names}, "profile": false},
        "required": ["type", "values"],
        "allOf": of_types(),
    });
    json!({
        "if": {"required": ["variables"]},
        "then": {
            "properties": {
                "profile": true,
                "variables": {"type": "object", "additionalProperties": variable},
            },
            "additionalProperties": false,
        },
        "else": {
            "properties": {"type": {"enum": names}},
            "required": ["type", "values"],
            "allOf": of_types(),
        },
    })
}

fn data_set(of: SdsType, profile: Profile) -> Value {
    let (least, greatest) = of.range(profile);
    let code = json!({"type": "integer", "minimum": least, "maximum": greatest});
    let unset = json!({"type": "null"});
    let refer = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
    let value = match of {
        SdsType::R4 => refer("single"),
        SdsType::R8 => refer("real"),
        SdsType::C8 => {
            json!({"type": "array", "minItems": 2, "maxItems": 2, "items": refer("part")})
        }
        _ => code.clone(),
    };
    let fill = match of.is_integer() {
        true => code.clone(),
        false => refer("real"),
    };
    let negative = match of.is_signed() {
        true => json!({"anyOf": [code, unset]}),
        false => unset.clone(),
    };
    let infinite = match of.is_integer() {
        true => json!({"anyOf": [unset, {
            "type": "object",
            "properties": {"pos": code, "neg": negative},
            "required": ["pos"],
            "additionalProperties": false,
        }]}),
        false => unset.clone(),
    };
    json!({
        "properties": {
            "type": true,
            "profile": true,
            "values": {"description": "The stored values.", "type": "array", "items": value},
            "scaling": refer("scaling"),
            "fill": {"description": "The code or number that represents a missing value.", "anyOf": [unset, fill]},
            "infinite": {"description": "The codes of infinities."},
        },
        "allOf": [{"properties": {"infinite": infinite}}],
        "additionalProperties": false,
    })
}

fn real(greatest: f64, names: &[&str]) -> Value {
    json!({"anyOf": [
        {"type": "number", "minimum": -greatest, "maximum": greatest},
        {"enum": names},
    ]})
}

fn scaling() -> Value {
    let number = json!({"type": ["number", "null"]});
    json!({
        "description": "SCALE, which is not 0, and OFFSET; null means unset.",
        "anyOf": [{"type": "null"}, {
            "type": "object",
            "properties": {"scale": {"allOf": [number, {"not": {"const": 0}}]}, "offset": number},
            "additionalProperties": false,
        }],
    })
}
