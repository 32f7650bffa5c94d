//! Conversion of JSON values of zarrs back to text.
//!
//! zarrs parses documents into `serde_json` values before a plugin gets them. 64-bit integers and strings, including
//! hexadecimal ones, are preserved; any other number becomes a binary64. The shortest decimal of that binary64 is
//! written here, and `exactum-metadata` reads it exactly. Digits beyond the 17th are lost, and so is the difference
//! between `-0` and `-0.0`.

use serde_json::{Map, Value};
use zarrs::array::FillValueMetadata;

/// Returns the text of an object.
pub(crate) fn text_of_object(object: &Map<String, Value>) -> String {
    let mut text = String::new();
    write_object(&mut text, object);
    text
}

/// Returns the text of a value.
pub(crate) fn text_of(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value);
    text
}

/// Returns the text of a fill value.
pub(crate) fn text_of_fill_value(fill_value: &FillValueMetadata) -> String {
    serde_json::to_value(fill_value).map_or_else(|_| String::new(), |value| text_of(&value))
}

fn write_object(text: &mut String, object: &Map<String, Value>) {
    text.push('{');
    for (index, (key, value)) in object.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&Value::from(key.as_str()).to_string());
        text.push(':');
        write(text, value);
    }
    text.push('}');
}

fn write(text: &mut String, value: &Value) {
    match value {
        Value::Object(object) => write_object(text, object),
        Value::Array(list) => {
            text.push('[');
            for (index, value) in list.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(text, value);
            }
            text.push(']');
        }
        // serde_json turns `-0` into a float. Written as `-0`, it is zero for integers, and the negative zero
        // for floats; `-0.0` would be refused by integers.
        Value::Number(number)
            if number.is_f64() && number.as_f64() == Some(0.0) && number.to_string() != "0.0" =>
        {
            text.push_str("-0");
        }
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_what_serde_json_left_of_them() {
        let rows = [
            ("9007199254740993", "9007199254740993"),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("0.1", "0.1"),
            ("1e400", ""),
            ("0.10000000000000000555", "0.1"),
            ("1.0", "1.0"),
            ("100000000000000000000", "1e+20"),
            ("-0", "-0"),
            ("-0.0", "-0"),
            ("0.0", "0.0"),
            ("\"0x7fc00001\"", "\"0x7fc00001\""),
            (
                r#"{"b":[[1,"a\n\""],{}],"a":null}"#,
                r#"{"b":[[1,"a\n\""],{}],"a":null}"#,
            ),
        ];
        for (given, expected) in rows {
            let text = serde_json::from_str(given).map_or_else(|_| String::new(), |v| text_of(&v));
            assert_eq!(text, expected, "{given}");
        }
    }
}
