//! Faulty comparison keys of elements.

use exactum_conformance::model::{Decimal, Json, JsonText, Text};

/// A substitution of elements of one kind for comparisons; all other elements stay as they are.
#[derive(Clone, Copy)]
pub(super) enum Taken {
    /// Bytes.
    Byte(fn(u8) -> u8),
    /// Strings.
    String(fn(&str) -> String),
    /// Whole JSON values.
    Whole(fn(&JsonText) -> Json),
    /// JSON values and the values within them, starting from the innermost.
    Json(fn(Json) -> Json),
    /// The numbers of JSON values.
    Number(fn(&Decimal) -> Json),
    /// JSON values by the rank of their kind.
    Kind(fn(&Json) -> usize),
}

impl Taken {
    pub(super) fn of(self, element: &Text) -> Text {
        let json = match (self, element) {
            (Self::Byte(taken), Text::Byte(byte)) => return Text::Byte(taken(*byte)),
            (Self::String(taken), Text::String(text)) => return Text::String(taken(text)),
            (_, Text::Json(json)) => json,
            (_, other) => return other.clone(),
        };
        let value = &json.value;
        let value = match self {
            Self::Byte(_) | Self::String(_) => value.clone(),
            Self::Whole(taken) => taken(json),
            Self::Json(taken) => inside(value, &taken),
            Self::Number(taken) => inside(value, &|value| match value {
                Json::Number(number) => taken(&number),
                other => other,
            }),
            Self::Kind(rank) => Json::Array(vec![integer(rank(value)), value.clone()]),
        };
        Text::Json(JsonText {
            text: json.text.clone(),
            value,
        })
    }
}

fn inside(value: &Json, taken: &dyn Fn(Json) -> Json) -> Json {
    taken(match value {
        Json::Array(elements) => Json::Array(elements.iter().map(|it| inside(it, taken)).collect()),
        Json::Object(members) => {
            let members = members.iter();
            let members = members.map(|(key, value)| (key.clone(), inside(value, taken)));
            Json::Object(members.collect())
        }
        other => other.clone(),
    })
}

fn integer(number: usize) -> Json {
    Decimal::new(false, &number.to_string(), 0).map_or(Json::Null, Json::Number)
}

/// Compares strings by units of UTF-16, so that characters outside the first plane come before the last characters of
/// that plane.
pub(super) fn units(text: &str) -> String {
    let above = |unit: u16| match u32::from(unit) {
        unit @ 0xd800.. => unit + 0x2000,
        unit => unit,
    };
    let units = text.encode_utf16().map(above);
    units.filter_map(char::from_u32).collect()
}

pub(super) fn by_length(text: &str) -> String {
    let length = u32::try_from(text.len()).ok().and_then(char::from_u32);
    format!("{}{text}", length.unwrap_or_default())
}

pub(super) fn trimmed(text: &str) -> String {
    text.trim_end().into()
}

pub(super) fn to_the_first_nul(text: &str) -> String {
    text.split('\0').next().unwrap_or_default().into()
}

/// Composes characters, but only in the case that matters here.
pub(super) fn composed(text: &str) -> String {
    text.replace("e\u{301}", "\u{e9}")
}

pub(super) fn as_numbers(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) => number.to_string(),
        Err(_) => text.into(),
    }
}

/// Keeps the first 32 characters, as in a field of fixed width.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(32).collect()
}

pub(super) fn signed_bytes(byte: u8) -> u8 {
    byte ^ 0x80
}

/// Compares values by their spelling.
pub(super) fn spelling(json: &JsonText) -> Json {
    Json::String(json.text.clone())
}

/// Compares members in the order in which they were written.
pub(super) fn written_order(json: &JsonText) -> Json {
    fn flat(value: &serde_json::Value) -> Json {
        match value {
            serde_json::Value::Null => Json::Null,
            serde_json::Value::Bool(truth) => Json::Bool(*truth),
            serde_json::Value::Number(number) => Json::String(number.to_string()),
            serde_json::Value::String(text) => Json::String(text.clone()),
            serde_json::Value::Array(list) => Json::Array(list.iter().map(flat).collect()),
            serde_json::Value::Object(members) => {
                let members = members.iter();
                let pairs = members.map(|(key, value)| [Json::String(key.clone()), flat(value)]);
                Json::Array(pairs.flatten().collect())
            }
        }
    }
    match &json.value {
        Json::Object(_) => serde_json::from_str(&json.text).map_or(Json::Null, |it| flat(&it)),
        other => other.clone(),
    }
}

/// Returns the number without its exponent's sign: `-0.15e3`.
fn plain(number: &Decimal) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    let digits = if number.digits().is_empty() {
        "0"
    } else {
        number.digits()
    };
    format!("{sign}0.{digits}e{}", number.exponent())
}

/// Returns the nearest binary64.
fn double(number: &Decimal) -> f64 {
    plain(number).parse().unwrap_or(f64::NAN)
}

fn decimal(text: &str) -> Json {
    exactum_conformance::vectors::read_json(text).map_or(Json::Null, |json| json.value)
}

pub(super) fn binary64(number: &Decimal) -> Json {
    let double = double(number);
    decimal(&format!("{double:e}"))
}

/// Represents whole numbers as signed integers of 64 bits, so that large ones wrap.
pub(super) fn of_64_bits(number: &Decimal) -> Json {
    let digits = number.digits();
    let zeros = usize::try_from(number.exponent()).ok();
    let zeros = zeros.and_then(|point| point.checked_sub(digits.len()));
    let whole = zeros.filter(|zeros| *zeros < 20 && !number.is_negative());
    let whole = whole.and_then(|zeros| format!("{digits}{}", "0".repeat(zeros)).parse().ok());
    match whole {
        Some(whole) => decimal(&u64::cast_signed(whole).to_string()),
        None => Json::Number(number.clone()),
    }
}

pub(super) fn number_as_string(number: &Decimal) -> Json {
    let double = double(number);
    Json::String(double.to_string())
}

/// Drops the fractions of numbers.
pub(super) fn without_fraction(number: &Decimal) -> Json {
    let double = double(number);
    decimal(&format!("{:e}", double.trunc()))
}

/// Drops the signs of numbers.
pub(super) fn magnitude(number: &Decimal) -> Json {
    decimal(plain(number).trim_start_matches('-'))
}

/// Represents truth values as the numbers 0 and 1 (Python).
pub(super) fn truth_as_number(value: Json) -> Json {
    match value {
        Json::Bool(truth) => integer(usize::from(truth)),
        other => other,
    }
}

/// Treats null and all empty values as one value.
pub(super) fn empty_as_null(value: Json) -> Json {
    match value {
        Json::Array(list) if list.is_empty() => Json::Null,
        Json::Object(members) if members.is_empty() => Json::Null,
        Json::String(text) if text.is_empty() => Json::Null,
        other => other,
    }
}

/// Sorts lists.
pub(super) fn sorted_lists(value: Json) -> Json {
    match value {
        Json::Array(mut list) => {
            list.sort_by_key(|value| format!("{value:?}"));
            Json::Array(list)
        }
        other => other,
    }
}

/// Compares lists and objects by their number of elements.
pub(super) fn by_count(value: Json) -> Json {
    match value {
        Json::Array(mut list) => {
            list.insert(0, integer(list.len()));
            Json::Array(list)
        }
        Json::Object(mut members) => {
            members.insert(String::new(), integer(members.len()));
            Json::Object(members)
        }
        other => other,
    }
}

/// Compares objects by their keys alone.
pub(super) fn keys_only(value: Json) -> Json {
    match value {
        Json::Object(members) => {
            let members = members.into_keys().map(|key| (key, Json::Null));
            Json::Object(members.collect())
        }
        other => other,
    }
}

/// Compares objects by their values first.
pub(super) fn values_first(value: Json) -> Json {
    match value {
        Json::Object(members) => {
            let pairs = members
                .into_iter()
                .map(|(key, value)| [value, Json::String(key)]);
            // Still an object, so that its kind stays the same.
            let list = Json::Array(pairs.flatten().collect());
            Json::Object([(String::new(), list)].into())
        }
        other => other,
    }
}

/// Ignores the case of keys.
pub(super) fn keys_in_lower_case(value: Json) -> Json {
    match value {
        Json::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(key, value)| (key.to_lowercase(), value));
            Json::Object(members.collect())
        }
        other => other,
    }
}

/// Orders kinds as many languages do: strings before lists, and lists before objects.
pub(super) fn kinds_by_size(value: &Json) -> usize {
    match value {
        Json::Null => 0,
        Json::Bool(_) => 1,
        Json::Number(_) => 2,
        Json::String(_) => 3,
        Json::Array(_) => 4,
        Json::Object(_) => 5,
    }
}

/// Orders lists before objects.
pub(super) fn lists_before_objects(value: &Json) -> usize {
    match value {
        Json::String(_) => 3,
        Json::Object(_) => 2,
        Json::Array(_) => 1,
        _ => 0,
    }
}

/// Orders numbers before truth values.
pub(super) fn numbers_before_truths(value: &Json) -> usize {
    match value {
        Json::Null => 0,
        Json::Number(_) => 1,
        Json::Bool(_) => 2,
        _ => 3,
    }
}

/// Orders null after everything else (SQL).
pub(super) fn null_last(value: &Json) -> usize {
    usize::from(*value == Json::Null)
}

/// Orders true before false.
pub(super) fn true_first(value: Json) -> Json {
    match value {
        Json::Bool(truth) => Json::Bool(!truth),
        other => other,
    }
}
