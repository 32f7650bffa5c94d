//! Access to the members of a request by their forms.

use exactum_metadata::parse_data_type;
use exactum_model::{Array, DataType, Texts};
use exactum_vectors::{ArrayError, hex, input_from_json, text_type_of, texts_from_json};
use serde_json::{Map, Value};

use crate::operations::{Form, Member};
use crate::protocol::{Fault, Outcome};

/// The members of a request.
pub(crate) struct Asked<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Asked<'a> {
    /// Checks that a required member is present and has its form.
    pub(crate) fn check(&self, member: &Member) -> Outcome<()> {
        let fits = match (self.0.get(member.name), member.form) {
            (None, _) => member.optional,
            (Some(value), Form::Text | Form::Name | Form::DataType | Form::Hex) => {
                value.is_string()
            }
            (Some(value), Form::Shape) => value.is_array(),
            (Some(value), Form::DataSet) => value.is_object(),
            (Some(_), Form::Array | Form::Json) => true,
        };
        if fits {
            return Ok(());
        }
        let (name, form) = (member.name, member.form.words());
        Err(Fault::Error(format!("the request needs {name}, {form}")))
    }

    /// Returns a member as it is.
    pub(crate) fn json(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key)
    }

    pub(crate) fn text(&self, key: &str) -> Outcome<&'a str> {
        let text = self.0.get(key).and_then(Value::as_str);
        text.ok_or_else(|| Fault::Error(format!("the request needs {key}, a string")))
    }

    pub(crate) fn data_type(&self) -> Outcome<DataType> {
        Ok(parse_data_type(self.text("data_type")?)?)
    }

    pub(crate) fn hex(&self, key: &str) -> Outcome<Vec<u8>> {
        hex::decode(self.text(key)?).map_err(|error| Fault::Error(format!("{key}: {error}")))
    }

    pub(crate) fn shape(&self, key: &str) -> Outcome<Vec<u64>> {
        let shape = self.0.get(key).and_then(Value::as_array);
        shape
            .and_then(|shape| shape.iter().map(Value::as_u64).collect())
            .ok_or_else(|| Fault::Error(format!("the request needs {key}, a list of extents")))
    }

    pub(crate) fn array(&self, key: &str) -> Outcome<Array> {
        let array = self.0.get(key);
        let array =
            array.ok_or_else(|| Fault::Error(format!("the request needs {key}, an array")))?;
        input_from_json(array).map_err(|error| fault(key, error))
    }

    /// Returns an array whose elements are not numbers, or `None` if they are.
    pub(crate) fn texts(&self, key: &str, origin: &[i64]) -> Outcome<Option<Texts>> {
        let array = self.0.get(key);
        let texts = array.filter(|array| text_type_of(array).is_some());
        texts
            .map(|texts| texts_from_json(texts, origin).map_err(|error| fault(key, error)))
            .transpose()
    }
}

fn fault(key: &str, error: ArrayError) -> Fault {
    match error {
        ArrayError::Rejected(rejection) => Fault::Reject(rejection),
        error => Fault::Error(format!("{key}: {error}")),
    }
}
