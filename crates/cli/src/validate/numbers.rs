//! The numbers that an array can hold, and how it stores NaN and infinities.

use exactum_exact::Exact;
use exactum_metadata::sds::number_to_json;
use exactum_model::{ArrayToBytes, Chain, DataType};
use exactum_plan::fault_name;
use exactum_plan::number::{self, brief, shown};
use exactum_reference::analysis::{FaultKind, Holding, Special, holding};
use serde_json::{Value, json};

/// Returns the numbers that a chain can hold, if the chain changes numbers and is known to process every element by
/// itself.
fn held(chain: &Chain) -> Option<Holding> {
    let mut pipeline = &chain.pipeline;
    while let ArrayToBytes::Sharding {
        pipeline: inner, ..
    } = &pipeline.array_to_bytes
    {
        pipeline = inner;
    }
    let packs = matches!(pipeline.array_to_bytes, ArrayToBytes::PackBits(_));
    let mut steps = chain.pipeline.all_array_to_array();
    let changes = packs || steps.any(|step| step.codec.data_types().is_some());
    changes.then(|| holding(chain).ok()).flatten()
}

/// Returns the result as a sentence: `int16 holds -54.5 to 600.8 in steps of 0.01; NaN is -32768`.
pub(super) fn sentence(chain: &Chain) -> Option<String> {
    let holding = held(chain)?;
    let data_type = chain.data_type;
    let mut parts = vec![match holding.values {
        Some([(least, _), (greatest, _)]) => {
            let step = holding.step.as_ref();
            let step =
                step.map_or_else(String::new, |step| format!(" in steps of {}", brief(step)));
            let value = |bits| plain(data_type, bits);
            format!(
                "{} holds {} to {}{step}",
                holding.stored,
                value(least),
                value(greatest)
            )
        }
        None => format!("{} holds no value", holding.stored),
    }];
    if let Some(beyond) = &holding.beyond {
        parts.push(format!("any value beyond this range {}", happens(beyond)));
    }
    let specials = &holding.specials;
    let infinities = specials.get(1..).unwrap_or_default();
    let is_kept = |special: &Special| {
        let format = holding.stored.format();
        let stored = special.outcome.as_ref();
        format.float().is_some()
            && stored.is_ok_and(|it| it.back.as_ref().is_ok_and(|back| *back == special.value))
    };
    if infinities.len() > 1 && specials.iter().all(is_kept) {
        parts.push("NaN and infinities are kept".into());
        return Some(parts.join("; "));
    }
    let all_rejected = infinities.len() > 1 && infinities.iter().all(|it| it.outcome.is_err());
    let named = specials.len() - if all_rejected { infinities.len() } else { 0 };
    for special in &specials[..named] {
        parts.push(special_words(data_type, holding.stored, special));
    }
    if all_rejected {
        parts.push("infinities are rejected".into());
    }
    Some(parts.join("; "))
}

/// Returns the text of a scalar as JSON.
pub(super) fn scalar(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// Returns the result as a member of the last stage in JSON.
pub(super) fn document(chain: &Chain) -> Option<Value> {
    let holding = held(chain)?;
    let data_type = chain.data_type;
    let scalar = |data_type, bits| scalar(&shown(data_type, bits));
    let end = |(value, code): (u64, u64)| json!({"value": scalar(data_type, value), "code": scalar(holding.stored, code)});
    let special = |special: &Special| {
        let mut document = json!({"value": scalar(data_type, special.value)});
        match &special.outcome {
            Ok(stored) => {
                document["code"] = scalar(holding.stored, stored.code);
                let back = stored.back.as_ref().ok();
                document["read_back"] = back.map(|bits| scalar(data_type, *bits)).into();
            }
            Err(rejection) => document["rejected"] = rejection.clause.into(),
        }
        document
    };
    let (least, greatest) = holding
        .values
        .map(|[least, greatest]| (least, greatest))
        .unzip();
    Some(json!({
        "data_type": holding.stored.name(),
        "least": least.map(end),
        "greatest": greatest.map(end),
        "step": holding.step.as_ref().map(|step| number_to_json(number::nearest(step))),
        "beyond": holding.beyond.as_ref().map(fault_name),
        "specials": holding.specials.iter().map(special).collect::<Value>(),
    }))
}

fn happens(fault: &FaultKind) -> &'static str {
    match fault {
        FaultKind::Rejected => "is rejected",
        FaultKind::Clamped => "is clamped",
        FaultKind::Wrapped => "wraps around",
        FaultKind::Reserved { .. } => "has a reserved code",
        FaultKind::KeyLost { .. } => "is not read back as its key",
        FaultKind::ReadWrapped => "wraps around when it is read",
        FaultKind::Unreadable => "is rejected when it is read",
        FaultKind::NotFinite => "is not read back as a number",
    }
}

fn special_words(data_type: DataType, stored_type: DataType, special: &Special) -> String {
    let name = shown(data_type, special.value);
    let Ok(stored) = &special.outcome else {
        return format!("{name} is rejected");
    };
    let code = shown(stored_type, stored.code);
    match &stored.back {
        Ok(back) if data_type.format().same_value(*back, special.value) => match code == name {
            true => format!("{name} is kept"),
            false => format!("{name} is {code}"),
        },
        Ok(back) => format!(
            "{name} is {code} and read back as {}",
            plain(data_type, *back)
        ),
        Err(_) => format!("{name} is {code} and cannot be read back"),
    }
}

/// Returns a float in few digits, or an integer in all its digits.
fn plain(data_type: DataType, bits: u64) -> String {
    let format = data_type.format();
    match Exact::from_bits(&format, bits) {
        value @ (Exact::Finite(_) | Exact::Zero { .. }) if format.float().is_some() => {
            brief(&value)
        }
        _ => shown(data_type, bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(data_type: &str, codecs: &str, says: &str) {
        let fill = if data_type.starts_with("float") {
            "\"NaN\""
        } else {
            "0"
        };
        let text = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "{data_type}",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill}, "codecs": [{codecs}]}}"#
        );
        let document = exactum_metadata::parse_array(&text).expect(codecs);
        assert_eq!(
            sentence(&document.chain).unwrap_or_default(),
            says,
            "{codecs}"
        );
    }

    /// The sentence makes a swapped scale visible, and shows how NaN is stored.
    #[test]
    fn numbers_are_reported_in_a_sentence() {
        let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
        let packed = |scale: &str, rule: &str| {
            format!(
                r#"{{"name": "scale_offset", "configuration": {{"offset": 273.15, "scale": {scale}}}}},
                {{"name": "cast_value", "configuration": {{"data_type": "int16"{rule}, "scalar_map": {{
                "encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}}}}}}, {little}"#
            )
        };
        let good = "int16 holds -54.52 to 600.82 in steps of 0.01; any value beyond this range is \
                    rejected; NaN is -32768; infinities are rejected";
        check("float64", &packed("100", ""), good);
        check(
            "float64",
            &packed("0.01", ""),
            "int16 holds -3276426.8 to 3276973.2 in steps of 100; any value beyond this range is \
             rejected; NaN is -32768; infinities are rejected",
        );
        let wraps = packed("100", r#", "out_of_range": "wrap""#);
        check(
            "float64",
            &wraps,
            &good.replace("is rejected;", "wraps around;"),
        );
        let legacy = format!(
            r#"{{"name": "numcodecs.fixedscaleoffset", "configuration": {{"offset": 0, "scale": 4, "dtype": "<i2", "astype": "|u1"}}}}, {little}"#
        );
        check(
            "int16",
            &legacy,
            "uint8 holds 0 to 63 in steps of 1; any value beyond this range wraps around",
        );
        check(
            "uint16",
            r#"{"name": "packbits", "configuration": {"first_bit": 2, "last_bit": 11}}"#,
            "uint16 holds 0 to 4092 in steps of 4; any value beyond this range wraps around",
        );
        check(
            "float64",
            &format!(
                r#"{{"name": "cast_value", "configuration": {{"data_type": "float32", "out_of_range": "clamp"}}}}, {little}"#
            ),
            "float32 holds -3.4028235e38 to 3.4028235e38; any value beyond this range is clamped; \
             NaN and infinities are kept",
        );
        check("float64", little, "");
    }
}
