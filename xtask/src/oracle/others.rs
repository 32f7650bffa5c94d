//! A second reader of non-numeric data types, based only on the values of serde_json: it decides whether the data type
//! and the fill value of a document are valid.

use serde_json::{Map, Value};

/// Returns whether a data type and its fill value are valid, or `None` if it is not one of these data types.
pub(crate) fn are_right(data_type: &Value, fill_value: &Value) -> Option<bool> {
    let name = data_type.as_str().or(data_type["name"].as_str())?;
    let configuration = &data_type["configuration"];
    let plain = configuration.as_object().is_none_or(Map::is_empty);
    let unit = || fill_value.as_str() == Some("NaT") || fill_value.is_i64();
    Some(match name {
        "string" => plain && fill_value.is_string(),
        "bytes" => plain && (bytes(fill_value).is_some() || base64(fill_value).is_some()),
        "numpy.datetime64" | "numpy.timedelta64" => time(configuration) && unit(),
        "fixed_length_utf32" => {
            let length = length(configuration);
            let letters = fill_value.as_str().map(|text| text.chars().count() as u64);
            length.is_some_and(|length| letters.is_some_and(|letters| letters <= length / 4))
        }
        "struct" => fields(configuration, false)
            .is_some_and(|fields| fields.iter().all(|field| has(field, fill_value))),
        "structured" => fields(configuration, true).is_some_and(|fields| {
            let size: Option<u64> = fields.iter().map(|(_, data_type)| size(data_type)).sum();
            let packed = base64(fill_value).is_some_and(|length| Some(length) == size);
            packed || fields.iter().all(|field| has(field, fill_value))
        }),
        _ => {
            let bits: u64 = name.strip_prefix('r')?.parse().ok()?;
            plain
                && bits.is_multiple_of(8)
                && bytes(fill_value).is_some_and(|count| count == bits / 8)
        }
    })
}

/// Returns the number of bytes in a list of numbers.
fn bytes(value: &Value) -> Option<u64> {
    let list = value.as_array()?;
    let bytes = list.iter().all(|it| it.as_u64().is_some_and(|it| it < 256));
    bytes.then_some(list.len() as u64)
}

/// Returns the number of bytes in a base64 text: every four characters are three bytes, less one for each `=`.
fn base64(value: &Value) -> Option<u64> {
    let text = value.as_str()?;
    let groups: Vec<&[u8]> = text.as_bytes().chunks(4).collect();
    let mut count = 0;
    for (index, group) in groups.iter().enumerate() {
        let padding = group.iter().rev().take_while(|it| **it == b'=').count();
        let digits = &group[..group.len() - padding];
        let is_digit = |it: &u8| it.is_ascii_alphanumeric() || *it == b'+' || *it == b'/';
        let inner = padding > 0 && index + 1 < groups.len();
        if group.len() < 4 || padding > 2 || inner || !digits.iter().all(is_digit) {
            return None;
        }
        count += 3 - padding as u64;
    }
    Some(count)
}

fn time(configuration: &Value) -> bool {
    const UNITS: &str = " Y M W D h m s ms us μs ns ps fs as generic ";
    let keys = configuration.as_object().map(Map::len);
    let unit = configuration["unit"].as_str().unwrap_or("?");
    let factor = configuration["scale_factor"].as_u64().unwrap_or(0);
    keys == Some(2) && UNITS.contains(&format!(" {unit} ")) && (1..=0x7fff_ffff).contains(&factor)
}

fn length(configuration: &Value) -> Option<u64> {
    let length = configuration["length_bytes"].as_u64()?;
    (length > 0 && length.is_multiple_of(4)).then_some(length)
}

/// Returns the names and data types of the fields, if there is at least one and their names are distinct.
fn fields(configuration: &Value, legacy: bool) -> Option<Vec<(&str, &Value)>> {
    let list = configuration["fields"].as_array()?;
    let mut fields: Vec<(&str, &Value)> = Vec::new();
    for field in list {
        let [name, data_type] = match field.as_array() {
            Some(pair) if legacy && pair.len() == 2 => [&pair[0], &pair[1]],
            _ => [field.get("name")?, field.get("data_type")?],
        };
        let name = name.as_str().filter(|name| !name.is_empty())?;
        let twice = fields.iter().any(|(other, _)| *other == name);
        if twice || size(data_type).is_none() {
            return None;
        }
        fields.push((name, data_type));
    }
    (!fields.is_empty()).then_some(fields)
}

/// Returns the size of an element in bytes, if it is fixed.
fn size(data_type: &Value) -> Option<u64> {
    let name = data_type.as_str().or(data_type["name"].as_str())?;
    if let Ok(number) = name.parse::<exactum_model::DataType>() {
        return Some(number.element_bytes() as u64);
    }
    let configuration = &data_type["configuration"];
    match name {
        "numpy.datetime64" | "numpy.timedelta64" => time(configuration).then_some(8),
        "fixed_length_utf32" => length(configuration),
        "struct" | "structured" => fields(configuration, name == "structured")?
            .iter()
            .map(|(_, data_type)| size(data_type))
            .sum(),
        _ => {
            let bits: u64 = name.strip_prefix('r')?.parse().ok()?;
            bits.is_multiple_of(8).then_some(bits / 8)
        }
    }
}

/// Returns whether a fill value has a valid fill value for a field.
fn has((name, data_type): &(&str, &Value), fill_value: &Value) -> bool {
    let Some(own) = fill_value.get(name) else {
        return false;
    };
    let number = data_type.as_str().or(data_type["name"].as_str());
    match number.and_then(|name| name.parse::<exactum_model::DataType>().ok()) {
        Some(number) => super::fill_value::parse(number, &own.to_string()).is_ok(),
        None => are_right(data_type, own) == Some(true),
    }
}
