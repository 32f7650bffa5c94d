//! Sends values through the codecs of an array one by one and reports the result of each step.

use exactum_metadata::parse_array;
use exactum_model::{
    Array, ArrayToBytes, Bytes, Chain, DataType, Endian, Rejection, little_endian,
};
use exactum_reference::analysis;
use serde_json::{Value, json};

use crate::number;

/// Returns the codecs of the array document in a request, once for a chunk and once for a single element.
///
/// # Errors
/// If the document is rejected, or if its codecs do not work element by element.
pub(crate) fn chain_of(request: &Value) -> Result<(Chain, Chain), String> {
    let document = request["document"].as_str().unwrap_or_default();
    let document = parse_array(document)
        .map_err(|rejection| format!("the document is rejected: {rejection}"))?;
    let one = analysis::single(&document.chain).map_err(|rejection| rejection.to_string())?;
    if !document.chain.data_type.is_real() {
        return Err(format!(
            "the values of {} are not real numbers",
            document.chain.data_type
        ));
    }
    Ok((document.chain, one))
}

/// Sends the `values` of a request through the codecs of its `document`.
///
/// # Errors
/// As for [`chain_of`]. A value that cannot be parsed is not an error but is reported in the answer.
pub(crate) fn trials(request: &Value) -> Result<Value, String> {
    let (_, one) = chain_of(request)?;
    let values = request["values"].as_array().cloned().unwrap_or_default();
    let trials: Vec<Value> = values
        .iter()
        .map(|value| {
            let text = value.as_str().unwrap_or_default();
            match number::read(one.data_type, text) {
                Ok(bits) => trial(&one, text, bits),
                Err(words) => json!({ "written": text, "error": words }),
            }
        })
        .collect();
    Ok(json!({ "data_type": one.data_type.name(), "values": trials }))
}

fn trial(one: &Chain, written: &str, bits: u64) -> Value {
    let mut steps = vec![step("array", one.data_type, bits)];
    let mut failed = None;
    for count in 1..=one.pipeline.array_to_array.len() {
        match after(one, count, bits) {
            Ok((name, data_type, bits)) => steps.push(step(&name, data_type, bits)),
            Err(rejection) => {
                failed = Some(rejection);
                break;
            }
        }
    }
    let mut trial = json!({ "written": written, "steps": steps });
    let outcome = match failed {
        Some(rejection) => Err(rejection),
        None => analysis::put(one, bits),
    };
    match outcome {
        Err(rejection) => trial["rejected"] = refusal(&rejection),
        Ok(stored) => match stored.back {
            Err(rejection) => trial["not_read"] = refusal(&rejection),
            Ok(back) => trial["back"] = step("read back", one.data_type, back),
        },
    }
    trial
}

/// Returns the name of the last of the first `count` codecs, the data type after it, and the resulting value.
fn after(one: &Chain, count: usize, bits: u64) -> Result<(String, DataType, u64), Rejection> {
    let mut chain = one.clone();
    chain.pipeline.array_to_array.truncate(count);
    let last = chain.pipeline.array_to_array.last();
    let (name, data_type) = last.map_or_else(
        || (String::new(), one.data_type),
        |step| (step.name.clone(), step.data_type),
    );
    chain.pipeline.array_to_bytes =
        ArrayToBytes::Bytes(Bytes::new(data_type, Some(Endian::Little)));
    let array = Array::from_components(one.data_type, Vec::new(), [bits])?;
    let bytes = exactum_reference::chain::encode(&chain, &array)?;
    let bits = little_endian(&bytes) & data_type.format().component_mask();
    Ok((name, data_type, bits))
}

fn step(name: &str, data_type: DataType, bits: u64) -> Value {
    json!({
        "codec": name,
        "data_type": data_type.name(),
        "value": number::shown(data_type, bits),
        "exact": number::exact(data_type, bits),
        "bits": number::hex(data_type, bits),
    })
}

fn refusal(rejection: &Rejection) -> Value {
    json!({
        "reason": rejection.reason.name(),
        "clause": rejection.clause,
        "message": rejection.message,
    })
}
