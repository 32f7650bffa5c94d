//! Answers to the requests of the protocol, as `exactum adapter` gives them.

use std::sync::Arc;

use exactum_conformance::{Codecs, InProcess, serve};
use serde_json::{Value, json};

use crate::ours::{Optimized, Reference};

/// Answers one line of the protocol.
///
/// # Errors
/// If no implementation has this name, or if the implementation fails.
pub(crate) fn answer(implementation: &str, line: &str) -> Result<Value, String> {
    match implementation {
        "reference" => one(Reference, line),
        "optimized" => one(Optimized, line),
        other => Err(format!(
            "unknown implementation {other:?}; choose reference or optimized"
        )),
    }
}

fn one<T: Codecs>(codecs: T, line: &str) -> Result<Value, String> {
    let mut output = Vec::new();
    serve(
        &mut InProcess::new(Arc::new(codecs)),
        line.as_bytes(),
        &mut output,
    )
    .map_err(|error| error.to_string())?;
    let line = String::from_utf8_lossy(&output);
    Ok(json!({ "line": line.trim_end() }))
}
