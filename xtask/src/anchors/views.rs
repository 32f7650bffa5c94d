//! Anchors of downsampled views.

use exactum_model::{Array, Method, TextType, Texts};
use exactum_vectors::{array_to_json, texts_from_json, texts_to_json};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::engine::Engine;
use super::table::Anchor;
use super::{Accepted, Answer, data_type, scalar};
use crate::vectors::builder::{Asking, Elements, numbers};

/// Computes an anchor of `downsample.read`; its document has the members `factors`, `method`, `origin` and `shape`.
pub(super) fn read(anchor: &Anchor, engine: Engine) -> Result<Answer, String> {
    let document: Value =
        serde_json::from_str(&anchor.document).map_err(|error| error.to_string())?;
    let shape = match document.get("shape") {
        Some(shape) => numbers(shape, Value::as_u64)?,
        None => vec![u64::try_from(anchor.input.len()).unwrap_or_default()],
    };
    let input = match anchor.data_type.parse::<TextType>() {
        Ok(text_type) => texts(text_type, &shape, &anchor.input)?,
        Err(_) => {
            let data_type = data_type(anchor)?;
            let mut data = Vec::new();
            for text in &anchor.input {
                data.extend(scalar(data_type, text)?.to_bytes());
            }
            let array = Array::new(data_type, shape, data).map_err(|why| why.to_string())?;
            array_to_json(&array)
        }
    };
    let name = document["method"].as_str().unwrap_or_default();
    let method = name
        .parse::<Method>()
        .map_err(|_| format!("{name:?} is not a method"))?;
    let members = document.as_object().into_iter().flatten();
    let members: Vec<(String, Value)> = members
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let asking = Asking::new(input, method, &members)?;
    let answer = match &asking.view {
        Ok((view, Elements::Numbers(source))) => engine.view(view, source).map(|placed| {
            let array = placed.array();
            let elements = (0..array.len()).map(|index| array.element(index));
            Accepted::Scalars(elements.collect())
        }),
        Ok((view, Elements::Texts(source))) => engine.texts(view, source).map(Accepted::Texts),
        Err(rejection) => Err(rejection.clone().into()),
    };
    Ok(Answer::All(answer))
}

/// Returns an array of non-numeric elements as JSON: strings as JSON strings, and JSON values unchanged.
fn texts(text_type: TextType, shape: &[u64], elements: &[Box<RawValue>]) -> Result<Value, String> {
    let elements = elements.iter().map(|text| text.get());
    let values: Vec<String> = match text_type {
        TextType::Json => elements.map(str::to_owned).collect(),
        _ => {
            let read =
                elements.map(|text| serde_json::from_str(text).map_err(|why| why.to_string()));
            read.collect::<Result<_, _>>()?
        }
    };
    Ok(json!({"data_type": text_type.name(), "shape": shape, "values": values}))
}

/// Compares non-numeric elements with those of the table, and returns their number.
pub(super) fn texts_are(found: &Texts, expected: &[Box<RawValue>]) -> Result<usize, String> {
    let expected = texts(found.data_type(), found.domain().shape(), expected)?;
    let wanted =
        texts_from_json(&expected, found.domain().origin()).map_err(|why| why.to_string())?;
    match wanted == *found {
        true => Ok(found.elements().len()),
        false => Err(format!("got {}, expected {expected}", texts_to_json(found))),
    }
}
