//! A line of the protocol as a JSON object, parsed within bounds: its values take at most a small multiple of the
//! line's bytes.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The largest number of values in a line, which take about 100 MB. Elements are written as hex in one string, so a
/// valid answer never has more.
const MOST: usize = 1 << 20;

/// Reads an object.
///
/// # Errors
/// If the line is not a JSON object, has a duplicate member anywhere, or has too many values.
pub(crate) fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    let left = Cell::new(MOST);
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let value = Bounded(&left)
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| match error.classify() {
            serde_json::error::Category::Data => error.to_string(),
            _ => format!("not JSON ({error})"),
        })?;
    match value {
        Value::Object(members) => Ok(members),
        _ => Err("a line that is not a JSON object".into()),
    }
}

/// Builds a value and counts it.
#[derive(Clone, Copy)]
struct Bounded<'a>(&'a Cell<usize>);

impl Bounded<'_> {
    fn count<E: Error>(self) -> Result<(), E> {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                Ok(())
            }
            None => Err(E::custom(format_args!("more than {MOST} JSON values"))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element_seed(self)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if members.contains_key(&key) {
                let key = crate::text::brief(&key);
                return Err(A::Error::custom(format_args!(
                    "the member {key:?} occurs twice"
                )));
            }
            let value = access.next_value_seed(self)?;
            members.insert(key, value);
        }
        Ok(members.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_serde_json_makes_of_it() {
        let line = r#"{"id":"1","ok":{"a":[1,-2,0.5,null,true,{"b":"é"}],"c":{}}}"#;
        let plain: Map<String, Value> = serde_json::from_str(line).expect("JSON");
        assert_eq!(object(line.as_bytes()), Ok(plain));
    }

    #[test]
    fn what_is_no_answer_is_told() {
        let many = format!(r#"{{"x":[{}0]}}"#, "0,".repeat(MOST));
        for (line, words) in [
            ("", "not JSON"),
            ("{", "not JSON"),
            ("{} {}", "trailing characters"),
            ("77", "a line that is not a JSON object"),
            (r#"{"id":"1","id":"1"}"#, r#"the member "id" occurs twice"#),
            (r#"{"ok":{"a":1,"a":1}}"#, r#"the member "a" occurs twice"#),
            (&many, "more than 1048576 JSON values"),
        ] {
            let error = object(line.as_bytes()).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
    }
}
