//! Anchors of downsampled views.

use exactum_model::{Array, Method, Placed};
use exactum_vectors::array_to_json;
use serde_json::Value;

use super::engine::Engine;
use super::table::Anchor;
use super::{Accepted, Answer, data_type, scalar};
use crate::vectors::builder::{Asking, Elements, numbers};

/// `downsample.read`: the document holds `factors`, `method`, `origin` and `shape`.
pub(super) fn read(anchor: &Anchor, engine: &dyn Engine) -> Result<Answer, String> {
    let document: Value =
        serde_json::from_str(&anchor.document).map_err(|error| error.to_string())?;
    let data_type = data_type(anchor)?;
    let mut data = Vec::new();
    for text in &anchor.input {
        data.extend(scalar(data_type, text)?.to_bytes());
    }
    let shape = match document.get("shape") {
        Some(shape) => numbers(shape, Value::as_u64)?,
        None => vec![u64::try_from(anchor.input.len()).unwrap_or_default()],
    };
    let array = Array::new(data_type, shape, data).map_err(|why| why.to_string())?;
    let name = document["method"].as_str().unwrap_or_default();
    let method = name
        .parse::<Method>()
        .map_err(|()| format!("{name:?} is no method"))?;
    let members = document.as_object().into_iter().flatten();
    let members: Vec<(String, Value)> = members
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let asking = Asking::new(array_to_json(&array), method, &members)?;
    let (view, source) = match &asking.view {
        Ok((view, Elements::Numbers(source))) => (view, source),
        Ok((_, Elements::Texts(_))) => return Err("elements are numbers here".into()),
        Err(rejection) => return Ok(Answer::All(Err(rejection.clone().into()))),
    };
    let elements = |placed: Placed| {
        let array = placed.array();
        let elements = (0..array.len()).map(|index| array.element(index));
        Accepted::Scalars(elements.collect())
    };
    Ok(Answer::All(engine.view(view, source).map(elements)))
}
