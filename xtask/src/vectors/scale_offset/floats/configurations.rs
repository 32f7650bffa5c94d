//! Configurations of floats to accept and to reject.

use exactum_model::DataType;

use super::Bits;
use crate::vectors::scale_offset::{Topic, keys, must, ruling};

/// Parameters in every form, keys, zero scales.
pub(super) fn add(topic: &mut Topic, bits: &Bits) -> Result<(), String> {
    let hex = |value: u64| bits.hex(value);
    let five = match topic.data_type {
        DataType::Float16 => hex(0x4500),
        DataType::Bfloat16 => hex(0x40a0),
        DataType::Float32 => hex(0x40a0_0000),
        _ => hex(0x4014_0000_0000_0000),
    };
    let digits = &five[2..];
    let wrong = [
        ("number-in-a-string", "\"5\"".to_owned()),
        ("decimal-in-a-string", "\"0.1\"".into()),
        ("plus-infinity", "\"+Infinity\"".into()),
        ("inf", "\"inf\"".into()),
        ("nan-lower-case", "\"nan\"".into()),
        ("empty-string", "\"\"".into()),
        ("hex-short", format!("\"0x{}\"", &digits[2..])),
        ("hex-long", format!("\"0x00{digits}\"")),
        ("hex-upper-case-x", format!("\"0X{digits}\"")),
        ("hex-without-0x", format!("\"{digits}\"")),
        ("hex-odd-digit", format!("\"0x{}g\"", &digits[1..])),
        ("true", "true".into()),
        ("null", "null".into()),
        ("list", "[5]".into()),
        ("object", "{}".into()),
    ];
    let mut rejected = Vec::new();
    for (id, value) in &wrong {
        rejected.push((format!("offset-{id}"), format!(r#"{{"offset":{value}}}"#)));
        rejected.push((format!("scale-{id}"), format!(r#"{{"scale":{value}}}"#)));
    }
    let accepted = [
        ("integer", r#"{"offset":5,"scale":2}"#.to_owned()),
        ("fraction", r#"{"offset":5.0,"scale":2.5e-1}"#.into()),
        ("exponent", r#"{"offset":5E0,"scale":2e+0}"#.into()),
        ("hex", format!(r#"{{"offset":"{five}"}}"#)),
        (
            "hex-upper-case",
            format!(r#"{{"offset":"0x{}"}}"#, digits.to_uppercase()),
        ),
        ("negative-zero-offset", r#"{"offset":-0.0}"#.into()),
        ("any-order", r#"{"scale":1,"offset":5}"#.into()),
    ];
    topic.configurations(
        "parameters",
        must(&["scale_offset.parameters"]),
        "7",
        &pairs(&accepted),
        &pairs(&rejected),
    )?;
    keys(topic)?;
    let zeros = [
        ("zero", r#"{"scale":0}"#.to_owned()),
        ("zero-fraction", r#"{"scale":0.0}"#.into()),
        ("negative-zero", r#"{"scale":-0.0}"#.into()),
        ("zero-exponent", r#"{"scale":0e5}"#.into()),
        ("becomes-zero", r#"{"scale":1e-400}"#.into()),
        ("hex-zero", format!(r#"{{"scale":"{}"}}"#, hex(0))),
        (
            "hex-negative-zero",
            format!(r#"{{"scale":"{}"}}"#, hex(bits.sign())),
        ),
        ("beside-offset", r#"{"offset":5,"scale":0}"#.into()),
    ];
    let others = [
        ("one", r#"{"scale":1}"#.to_owned()),
        ("smallest", format!(r#"{{"scale":"{}"}}"#, hex(1))),
        ("zero-offset", r#"{"offset":0}"#.into()),
    ];
    topic.configurations(
        "scale-zero",
        ruling(&["scale_offset.scale.zero"]),
        "7",
        &pairs(&others),
        &pairs(&zeros),
    )
}

fn pairs<A: AsRef<str>>(list: &[(A, String)]) -> Vec<(&str, &str)> {
    list.iter()
        .map(|(id, text)| (id.as_ref(), text.as_str()))
        .collect()
}
