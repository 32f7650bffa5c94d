//! Arrays of non-numeric elements, in JSON.
//!
//! Arrays of `byte` and `char` have `data` in hex, like arrays of numbers. Strings are in `values`, as are JSON values,
//! which are written as texts because a JSON parser would change their numbers.

use std::collections::BTreeMap;
use std::fmt;

use exactum_model::{Decimal, Domain, Json, JsonText, Reason, Rejection, Text, TextType, Texts};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::hex;
use crate::wire::{ArrayError, form, shape_of};

/// The largest nesting depth of lists and objects in an element of `json`.
const MAX_DEPTH: usize = 128;

/// The largest absolute value of the exponent of a number in an element of `json`.
const MAX_EXPONENT: i64 = 1_000_000_000_000_000_000;

/// Returns the data type of an array with non-numeric elements, or `None` if it has another data type.
#[must_use]
pub fn text_type_of(array: &Value) -> Option<TextType> {
    array.get("data_type")?.as_str()?.parse().ok()
}

/// Writes an array of non-numeric elements in the form of the protocol and the vectors.
#[must_use]
pub fn texts_to_json(texts: &Texts) -> Value {
    let name = texts.data_type().name();
    let shape = texts.domain().shape();
    let bytes: Vec<u8> = texts.elements().iter().filter_map(byte).collect();
    match texts.data_type() {
        TextType::Byte | TextType::Char => {
            json!({"data_type": name, "shape": shape, "data": hex::encode(bytes)})
        }
        TextType::String | TextType::Ustring | TextType::Json => {
            let values: Vec<&str> = texts.elements().iter().filter_map(written).collect();
            json!({"data_type": name, "shape": shape, "values": values})
        }
    }
}

fn byte(element: &Text) -> Option<u8> {
    match element {
        Text::Byte(byte) => Some(*byte),
        Text::String(_) | Text::Json(_) => None,
    }
}

fn written(element: &Text) -> Option<&str> {
    match element {
        Text::Byte(_) => None,
        Text::String(text) => Some(text),
        Text::Json(json) => Some(&json.text),
    }
}

/// Reads an array of non-numeric elements whose first element is at `origin`.
///
/// # Errors
/// [`ArrayError::Rejected`] for an element of `json` that is not JSON, with its place, and for positions that do
/// not exist; [`ArrayError::Form`] for anything else.
pub fn texts_from_json(array: &Value, origin: &[i64]) -> Result<Texts, ArrayError> {
    let members = array
        .as_object()
        .ok_or_else(|| form("an array must be a JSON object"))?;
    let data_type = text_type_of(array)
        .ok_or_else(|| form("an array needs a data_type with non-numeric elements"))?;
    let elements = match data_type {
        TextType::Byte | TextType::Char => bytes(members)?,
        TextType::String | TextType::Ustring => {
            let texts = values(members)?.into_iter();
            texts.map(|text| Text::String(text.into())).collect()
        }
        TextType::Json => {
            let texts = values(members)?.into_iter().enumerate();
            let read = |(index, text)| {
                let element = read_json(text).map_err(|why| not_json(index, &why));
                element.map(Text::Json)
            };
            texts.map(read).collect::<Result<_, _>>()?
        }
    };
    let shape = shape_of(members)?;
    let fits = shape
        .iter()
        .try_fold(1_u64, |product, &extent| product.checked_mul(extent))
        .is_some_and(|count| count == elements.len() as u64);
    if !fits {
        let count = elements.len();
        return Err(form(format!("{count} elements do not fill the shape")));
    }
    let domain = Domain::new(origin.to_vec(), shape);
    let domain =
        domain.map_err(|rejection| ArrayError::Rejected(rejection.at_pointer("/origin")))?;
    Texts::new(data_type, domain, elements).map_err(ArrayError::Rejected)
}

fn bytes(members: &Map<String, Value>) -> Result<Vec<Text>, ArrayError> {
    let data = members.get("data").and_then(Value::as_str);
    let data = data.ok_or_else(|| form("an array needs data in hex"))?;
    let data = hex::decode(data).map_err(|error| form(format!("data: {error}")))?;
    Ok(data.into_iter().map(Text::Byte).collect())
}

fn values(members: &Map<String, Value>) -> Result<Vec<&str>, ArrayError> {
    let values = members.get("values").and_then(Value::as_array);
    values
        .and_then(|values| values.iter().map(Value::as_str).collect())
        .ok_or_else(|| form("an array of texts needs values, a list of strings"))
}

fn not_json(index: usize, why: &str) -> ArrayError {
    let rejection = Rejection::new(
        Reason::Metadata,
        "downsample.json",
        format!("the element is not JSON: {why}"),
    );
    let rejection = rejection.help(r#"write it as text: the string "a" is "\"a\"""#);
    ArrayError::Rejected(rejection.at_pointer(format!("/input/values/{index}")))
}

/// Reads an element of `json`. Numbers keep every digit.
///
/// # Errors
/// If the text is not JSON, repeats a key, or is nested too deeply. The error states the reason.
pub fn read_json(text: &str) -> Result<JsonText, String> {
    let whole: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let value = value(whole.get(), 0)?;
    let text = text.to_owned();
    Ok(JsonText { text, value })
}

/// Returns the value of a text that is known to be valid JSON.
fn value(text: &str, depth: usize) -> Result<Json, String> {
    if depth > MAX_DEPTH {
        return Err(format!("it is nested more than {MAX_DEPTH} levels deep"));
    }
    let fault = |error: serde_json::Error| error.to_string();
    Ok(match text.as_bytes().first() {
        Some(b'n') => Json::Null,
        Some(b't') => Json::Bool(true),
        Some(b'f') => Json::Bool(false),
        Some(b'"') => Json::String(serde_json::from_str(text).map_err(fault)?),
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(fault)?;
            let elements = elements.iter().map(|raw| value(raw.get(), depth + 1));
            Json::Array(elements.collect::<Result<_, _>>()?)
        }
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text).map_err(fault)?;
            let mut object = BTreeMap::new();
            for (name, raw) in members {
                let repeated = format!("it repeats the key {name:?}");
                if object.insert(name, value(raw.get(), depth + 1)?).is_some() {
                    return Err(repeated);
                }
            }
            Json::Object(object)
        }
        _ => Json::Number(number(text)?),
    })
}

/// Reads a number: `-`, digits, a fraction, an exponent.
fn number(text: &str) -> Result<Decimal, String> {
    let too_large = || format!("{text} has an exponent beyond 10^18");
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (is_negative, digits) = match mantissa.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, mantissa),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i64>().ok();
    let exponent = exponent.filter(|it| it.unsigned_abs() <= MAX_EXPONENT.unsigned_abs());
    let places = i64::try_from(fraction.len()).map_err(|_| too_large())?;
    let exponent = exponent.and_then(|exponent| exponent.checked_sub(places));
    let digits = format!("{whole}{fraction}");
    exponent
        .and_then(|exponent| Decimal::new(is_negative, &digits, exponent))
        .ok_or_else(too_large)
}

/// The members of an object in their order, including those with equal keys.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Deserialize<'a> for Members<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'a> Visitor<'a> for Reader {
            type Value = Members<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use exactum_model::Reason;
    use serde_json::{Value, json};

    use super::{ArrayError, read_json, texts_from_json, texts_to_json};

    #[test]
    fn texts_come_back_as_they_were() {
        for array in [
            json!({"data_type": "byte", "shape": [3], "data": "00ff80"}),
            json!({"data_type": "char", "shape": [], "data": "61"}),
            json!({"data_type": "string", "shape": [1, 2], "values": ["", "\u{10000}"]}),
            json!({"data_type": "ustring", "shape": [2, 0], "values": []}),
            json!({"data_type": "json", "shape": [2], "values": ["1.0", " {\"a\": [null]} "]}),
        ] {
            let rank = array["shape"].as_array().map_or(0, Vec::len);
            let texts = texts_from_json(&array, &vec![-1; rank]).expect("texts");
            assert_eq!(texts_to_json(&texts), array);
        }
    }

    #[test]
    fn what_is_no_array_is_told_apart_from_what_is_rejected() {
        let check = |array: Value, rejected: Option<&str>| match (
            texts_from_json(&array, &[0]),
            rejected,
        ) {
            (Err(ArrayError::Form(_)), None) => {}
            (Err(ArrayError::Rejected(rejection)), Some(place)) => {
                assert_eq!(rejection.reason, Reason::Metadata, "{array}");
                assert!(format!("{rejection:?}").contains(place), "{rejection:?}");
            }
            (other, _) => panic!("{array}: {other:?}"),
        };
        let of = |data_type: &str, values: Value| json!({"data_type": data_type, "shape": [2], "values": values});
        check(of("string", json!(["a"])), None);
        check(of("string", json!(["a", 1])), None);
        check(of("json", json!([1, 2])), None);
        check(of("byte", json!(["a", "b"])), None);
        check(of("uint8", json!(["a", "b"])), None);
        let huge = json!({"data_type": "string", "shape": [u64::MAX, 2], "values": []});
        check(huge, None);
        check(of("json", json!(["1", "a"])), Some("/input/values/1"));
        check(of("json", json!(["", "1"])), Some("/input/values/0"));
    }

    #[test]
    fn json_is_read_to_the_last_digit() {
        let same = |a: &str, b: &str, expected: bool| {
            let [one, other] = [a, b].map(|text| read_json(text).expect("JSON"));
            assert_eq!(one == other, expected, "{a} {b}");
        };
        same("3", "3.0", true);
        same("3", "30e-1", true);
        same("-0", "0.0e5", true);
        same("9007199254740993", "9007199254740992.0", false);
        same("-1", "18446744073709551615", false);
        same("1e400", "1e401", false);
        same("0.1", "0.1000000000000000055511151231257827", false);
        same(r#"{"a":1,"b":2}"#, r#"{ "b": 2.0, "a": 1 }"#, true);
        same(r#""\u0061""#, r#""a""#, true);
        same("[1,2]", "[2,1]", false);
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read_json(&deep(128)).is_ok());
        for text in [
            "",
            "01",
            "NaN",
            "1 2",
            r#""\ud800""#,
            r#"{"a":1,"a":1}"#,
            "1e1000000000000000001",
            &deep(200_000),
        ] {
            assert!(read_json(text).is_err(), "{}", text.len());
        }
    }
}
