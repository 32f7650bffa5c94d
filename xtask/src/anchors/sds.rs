//! Anchors of data sets, which state the members of an answer that the note describes.

use serde_json::{Value, json};

use super::engine::{Engine, EngineFault};
use super::rejected;
use super::table::{Anchor, Expected};
use crate::vectors::builder::sds::contains;

/// Computes an anchor and compares the result.
pub(super) fn compare(anchor: &Anchor, engine: Engine) -> Result<usize, String> {
    let members: Value =
        serde_json::from_str(&anchor.document).map_err(|error| error.to_string())?;
    let mut request = json!({"op": anchor.operation});
    let mut input = json!({"type": anchor.data_type, "values": anchor.input});
    let mut about = 0.0;
    for (key, value) in members.as_object().into_iter().flatten() {
        match key.as_str() {
            "about" => about = value.as_f64().unwrap_or_default(),
            "scaling" | "fill" | "infinite" => input[key] = value.clone(),
            _ => request[key] = value.clone(),
        }
    }
    request["input"] = input;
    let request = request.as_object().cloned().unwrap_or_default();
    let answer = engine.data_set(&request);
    let typed = match &anchor.expected {
        Expected::Reject(clause) => {
            let answer = answer.map(|answer| answer.to_string());
            return rejected(answer, clause.as_deref()).map(|()| 1);
        }
        Expected::Values(typed) => typed,
        Expected::Accept => return Err("the expected cell must contain a data set".into()),
    };
    let answer = answer.map_err(|fault| fault.to_string())?;
    let [typed] = &typed[..] else {
        return Err("the expected cell must contain exactly one object".into());
    };
    let typed: Value = serde_json::from_str(typed.get()).map_err(|error| error.to_string())?;
    let mut compared = 0;
    for (key, typed) in typed.as_object().into_iter().flatten() {
        let found = match key.as_str() {
            "warnings" => &answer["warnings"],
            key => &answer["output"][key],
        };
        if !near(found, typed, about) {
            return Err(format!("{key}: got {found}, expected {typed}"));
        }
        compared += 1;
    }
    Ok(compared)
}

/// Returns whether an answer has the typed members, and numbers whose relative difference from the typed ones is at
/// most `about`.
fn near(found: &Value, typed: &Value, about: f64) -> bool {
    match (found.as_f64(), typed.as_f64(), typed.as_object()) {
        (Some(found), Some(typed), _) => (found - typed).abs() <= about * typed.abs(),
        (None, None, Some(members)) => members
            .iter()
            .all(|(key, typed)| near(&found[key], typed, about)),
        _ => contains(found, typed),
    }
}

impl From<crate::oracle::sds::Refused> for EngineFault {
    fn from(_: crate::oracle::sds::Refused) -> Self {
        Self {
            clause: None,
            message: "refused".into(),
        }
    }
}
