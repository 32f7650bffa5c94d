//! `exactum validate --modernize` for packed arrays: replaces attributes of CF by codecs, or codecs by
//! attributes.

use std::collections::BTreeMap;

use exactum_exact::canonical;
use exactum_metadata::sds::number_to_json;
use exactum_metadata::{Packing, of_attributes};
use exactum_model::{ArrayCodec, CastValue, Cf, Chain, DataType, Rounding, Scalar, ScaleOffset};
use exactum_plan::unpacked_chain;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::*;
use crate::codes::{self, Packed, Read};

/// The form into which the packing of an array is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// Use the codecs scale_offset and cast_value in place of attributes of CF and
    /// numcodecs.fixedscaleoffset.
    Codecs,
    /// Use attributes of CF in place of scale_offset and cast_value.
    Cf,
}

/// The new document and a report, or the reason why there is none.
type Repacked = Result<(String, String), String>;

/// Writes the packing of an array document in the other form, or returns `None` if the document has no such
/// packing.
pub(super) fn repack(bytes: &[u8], form: Form) -> Option<Repacked> {
    let text = Document::scan_as(bytes, DocumentKind::Array).ok()?;
    let document = text.numbers().ok()?;
    match form {
        Form::Codecs => {
            let packing = of_attributes(text.text(), &document).ok().flatten()?;
            let codec = packing.codec.clone()?;
            let is_scaled = codec.unpacked.format().float().is_some();
            is_scaled.then(|| into_codecs(&text, &document, &packing, codec))
        }
        Form::Cf => Some(into_attributes(&text, &document)),
    }
}

/// Returns the document with codecs in place of the attributes.
fn into_codecs(
    scanned: &Document<'_>,
    document: &ArrayDocument,
    packing: &Packing,
    codec: Cf,
) -> Repacked {
    let text = scanned.text();
    if let Some(warning) = packing
        .warnings
        .listed
        .iter()
        .find(|warning| warning.rejection.clause == "cf.array.twice")
    {
        return Err(warning.rejection.message.clone());
    }
    let unpacked = codec.unpacked;
    let codecs = codecs_of(&codec)?;
    let list = found(scanned, "/codecs")?;
    let attributes = found(scanned, "/attributes")?;
    let names: Vec<&str> = packing.attributes.iter().map(|it| it.name).collect();
    let kept = rewritten(&text[attributes.clone()], &names, &[])?;
    let with_fill = |fill: &str| -> Result<String, String> {
        Ok(edited(
            text,
            vec![
                (found(scanned, "/data_type")?, format!("\"{unpacked}\"")),
                (document.fill_value_place.clone(), fill.to_owned()),
                (list.start + 1..list.start + 1, codecs.clone()),
                (attributes.clone(), kept.clone()),
            ],
        ))
    };
    // The codecs themselves determine the new fill value.
    let words = |rejection: Rejection| rejection.to_string();
    let chain = exactum_metadata::parse_array(&with_fill("0")?)
        .map_err(words)?
        .chain;
    let new = Packed::of(&chain)?;
    let fill = match new.read(document.chain.fill_value.component(0)) {
        Read::Value(bits) => canonical(&Scalar::new(unpacked, bits.into())),
        Read::Rejected(rejection) => return Err(rejection.to_string()),
    };
    let written = with_fill(&fill)?;
    let chain = exactum_metadata::parse_array(&written)
        .map_err(words)?
        .chain;
    exactum_reference::chain::resolve(&chain).map_err(words)?;
    let old = Packed::of(&unpacked_chain(codec.clone(), document.chain.clone()))?;
    let mut report = vec![format!(
        "attributes of CF replaced by codecs: {}",
        names.join(", ")
    )];
    if packing
        .attributes
        .iter()
        .any(|it| it.name.starts_with("valid"))
    {
        report.push(
            "codecs cannot express a valid range, so codes outside of it become values".into(),
        );
    }
    report.push(differences(&old, &new));
    Ok((written, report.join("\n")))
}

/// Returns the codecs that have the same effect as attributes, as the beginning of a list.
fn codecs_of(codec: &Cf) -> Result<String, String> {
    let counted = codec.counted;
    let number = |bits: u64| number_to_json(bits);
    let mut scaling = serde_json::Map::new();
    if let Some(offset) = codec.add_offset {
        scaling.insert("offset".into(), number(offset));
    }
    if let Some(factor) = codec.scale_factor {
        let scale = 1.0 / f64::from_bits(factor);
        if !scale.is_finite() {
            return Err("the reciprocal of scale_factor is not a finite number".into());
        }
        scaling.insert("scale".into(), number(scale.to_bits()));
    }
    let mut cast = json!({"data_type": counted.name()});
    let code = |bits: &u64| -> Value {
        let text = canonical(&Scalar::new(counted, (*bits).into()));
        serde_json::from_str(&text).unwrap_or_default()
    };
    if let Some(first) = codec.missing.first() {
        let decode: Vec<Value> = codec
            .missing
            .iter()
            .map(|bits| json!([code(bits), "NaN"]))
            .collect();
        cast["scalar_map"] = json!({"encode": [["NaN", code(first)]], "decode": decode});
    }
    let mut codecs = Vec::new();
    if !scaling.is_empty() {
        codecs.push(json!({"name": "scale_offset", "configuration": scaling}));
    }
    codecs.push(json!({"name": "cast_value", "configuration": cast}));
    Ok(codecs.iter().map(|codec| format!("{codec}, ")).collect())
}

/// Returns the document with attributes in place of the codecs.
fn into_attributes(scanned: &Document<'_>, document: &ArrayDocument) -> Repacked {
    let text = scanned.text();
    let steps = &document.chain.pipeline.array_to_array;
    let (scaling, cast) = match steps.as_slice() {
        [first, rest @ ..] => match (&first.codec, rest.first().map(|step| &step.codec)) {
            (ArrayCodec::ScaleOffset(scaling), Some(ArrayCodec::CastValue(cast))) => {
                (Some(*scaling), Some(cast))
            }
            (ArrayCodec::CastValue(cast), _) => (None, Some(cast)),
            _ => (None, None),
        },
        [] => (None, None),
    };
    let Some(cast) = cast.filter(|cast| is_packed(cast)) else {
        return Err(format!(
            "the first codecs are not scale_offset and a cast_value of {} to an integer of 8, 16 \
             or 32 bits, which attributes of CF could express",
            document.chain.data_type
        ));
    };
    let count = 1 + usize::from(scaling.is_some());
    let attributes = attributes_of(scaling.as_ref(), cast);
    let words = |rejection: Rejection| rejection.to_string();
    let stages = exactum_reference::chain::resolve(&document.chain)
        .map_err(words)?
        .stages;
    let fill = stages
        .get(count)
        .map_or(document.chain.fill_value, |stage| stage.fill_value);
    let first = found(scanned, "/codecs/0")?.start;
    let rest = found(scanned, &format!("/codecs/{count}"))?.start;
    let mut edits = vec![
        (
            found(scanned, "/data_type")?,
            format!("\"{}\"", cast.encoded.name()),
        ),
        (document.fill_value_place.clone(), canonical(&fill)),
        (first..rest, String::new()),
    ];
    match scanned.place("/attributes") {
        Some(there) => {
            let new = rewritten(&text[there.clone()], &[], &attributes)?;
            edits.push((there, new));
        }
        None => {
            let end = found(scanned, "/codecs")?.end;
            let new = rewritten("{}", &[], &attributes)?;
            edits.push((end..end, format!(", \"attributes\": {new}")));
        }
    }
    let written = edited(text, edits);
    let new = exactum_metadata::parse_array(&written).map_err(words)?;
    let packing = of_attributes(&written, &new)
        .map_err(|fault| fault.rejection.to_string())?
        .and_then(|packing| packing.codec)
        .ok_or("attributes of CF cannot express these codecs")?;
    let old = Packed::of(&document.chain)?;
    let chain: Chain = unpacked_chain(packing, new.chain);
    let new = Packed::of(&chain)?;
    let names: Vec<&str> = attributes.iter().map(|(name, _)| *name).collect();
    let mut report = vec![format!(
        "codecs replaced by attributes of CF: {}",
        names.join(", ")
    )];
    if old.data_type() != new.data_type() {
        report.push(format!(
            "readers of CF read the values as {}; before, they were {}",
            new.data_type(),
            old.data_type()
        ));
    }
    if cast.rounding != Rounding::NearestEven {
        report.push(format!(
            "written values are rounded to the nearest code; before, the rounding was {}",
            cast.rounding.name()
        ));
    }
    report.push(differences(&old, &new));
    Ok((written, report.join("\n")))
}

/// Returns whether a cast packs as CF does.
fn is_packed(cast: &CastValue) -> bool {
    let is_float = matches!(cast.decoded, DataType::Float32 | DataType::Float64);
    is_float && Cf::PACKED.contains(&cast.encoded)
}

/// Returns the attributes that have the same effect as two codecs.
fn attributes_of(scaling: Option<&ScaleOffset>, cast: &CastValue) -> Vec<(&'static str, Value)> {
    let wide = |bits: u64| match cast.decoded {
        DataType::Float32 => f64::from(f32::from_bits(u32::try_from(bits).unwrap_or_default())),
        _ => f64::from_bits(bits),
    };
    let scale = scaling.and_then(|it| it.scale).map_or(1.0, wide);
    let number = |value: f64| number_to_json(value.to_bits());
    let mut attributes = vec![("scale_factor", number(1.0 / scale))];
    if let Some(offset) = scaling.and_then(|it| it.offset) {
        attributes.push(("add_offset", number(wide(offset))));
    }
    let code = |bits: u64| -> Value {
        let text = canonical(&Scalar::new(cast.encoded, bits.into()));
        serde_json::from_str(&text).unwrap_or_default()
    };
    let is_nan = |bits: u64| wide(bits).is_nan();
    let fill = cast.encode_map.iter().find(|entry| is_nan(entry.input));
    let fill = fill.map(|entry| entry.output);
    if let Some(fill) = fill {
        attributes.push(("_FillValue", code(fill)));
    }
    let others = cast.decode_map.iter().filter(|entry| is_nan(entry.output));
    let others = others.filter(|entry| Some(entry.input) != fill);
    let others: Vec<Value> = others.map(|entry| code(entry.input)).collect();
    if !others.is_empty() {
        attributes.push(("missing_value", others.into()));
    }
    attributes
}

/// Returns a sentence about the number of codes whose meaning changes.
fn differences(old: &Packed, new: &Packed) -> String {
    match codes::compare(old, new) {
        Some(difference) if difference.different == 0 => {
            format!("all {} codes are read as the same values", difference.codes)
        }
        Some(difference) => format!("codes before and after: {}", codes::words(&difference)),
        None => format!("{} has too many codes to be tried one by one", old.stored),
    }
}

/// Returns the place of a value that exists.
fn found(document: &Document<'_>, pointer: &str) -> Result<Range<usize>, String> {
    let place = document.place(pointer);
    place.ok_or_else(|| format!("there is nothing at {pointer}"))
}

/// Returns a text with some of its parts replaced.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| place.start);
    let mut output = String::with_capacity(text.len());
    let mut copied = 0;
    for (place, new) in edits {
        output.push_str(&text[copied..place.start]);
        output.push_str(&new);
        copied = place.end;
    }
    output.push_str(&text[copied..]);
    output
}

/// Returns the text of an object without some members and with new ones, which it must not have already.
fn rewritten(object: &str, without: &[&str], with: &[(&str, Value)]) -> Result<String, String> {
    let members: BTreeMap<String, &RawValue> =
        serde_json::from_str(object).map_err(|error| format!("attributes: {error}"))?;
    if let Some((name, _)) = with.iter().find(|(name, _)| members.contains_key(*name)) {
        return Err(format!("the attributes already have a {name}"));
    }
    let mut members: Vec<(String, &RawValue)> = members.into_iter().collect();
    // Members are sorted in the order of the text.
    members.sort_by_key(|(_, value)| value.get().as_ptr());
    let kept = members
        .into_iter()
        .filter(|(name, _)| !without.contains(&name.as_str()))
        .map(|(name, value)| format!("{}: {}", Value::from(name), value.get()));
    let added = with
        .iter()
        .map(|(name, value)| format!("\"{name}\": {value}"));
    let lines: Vec<String> = kept.chain(added).collect();
    // Members stay on separate lines if they were before.
    let space = |text: &str| -> String {
        let blank = text.chars().take_while(|it| it.is_ascii_whitespace());
        blank.collect()
    };
    let before = space(&object[1..]);
    let after: String = object[..object.len() - 1]
        .chars()
        .rev()
        .take_while(char::is_ascii_whitespace)
        .collect();
    let after: String = after.chars().rev().collect();
    match (lines.is_empty(), before.contains('\n')) {
        (true, _) => Ok("{}".into()),
        (false, true) => Ok(format!(
            "{{{before}{}{after}}}",
            lines.join(&format!(",{before}"))
        )),
        (false, false) => Ok(format!("{{{}}}", lines.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(data_type: &str, fill: &str, codecs: &str, attributes: &str) -> String {
        format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "{data_type}",
  "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
  "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill},
  "codecs": [{codecs}{{"name": "bytes", "configuration": {{"endian": "little"}}}}],
  "attributes": {attributes}}}"#
        )
    }

    /// Attributes become codecs, and these become the same attributes again.
    #[test]
    fn a_packing_is_written_in_either_form() {
        let attributes = "{\n    \"units\": \"K\",\n    \"scale_factor\": 0.0001,\n    \"_FillValue\": -32767\n  }";
        let old = document("int16", "-32767", "", attributes);
        let (codecs, report) = repack(old.as_bytes(), Form::Codecs)
            .expect("packed")
            .expect("codecs");
        insta::assert_snapshot!("into-codecs", format!("{codecs}\n---\n{report}"));
        let (back, report) = repack(codecs.as_bytes(), Form::Cf)
            .expect("an array")
            .expect("attributes");
        insta::assert_snapshot!("into-attributes", format!("{back}\n---\n{report}"));
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        let plain = document("float32", "0.0", "", "{}");
        assert!(repack(plain.as_bytes(), Form::Codecs).is_none());
        assert!(
            repack(plain.as_bytes(), Form::Cf)
                .expect("an array")
                .is_err()
        );
        let unscaled = document("int16", "0", "", r#"{"_FillValue": 1}"#);
        assert!(repack(unscaled.as_bytes(), Form::Codecs).is_none());
        let scale = r#"{"name": "scale_offset", "configuration": {"scale": 2}}, "#;
        let twice = document("int16", "0", scale, r#"{"scale_factor": 0.5}"#);
        let why = repack(twice.as_bytes(), Form::Codecs).expect("packed");
        assert!(why.expect_err("twice").contains("decoded twice"));
        let cast = r#"{"name": "cast_value", "configuration": {"data_type": "int16"}}, "#;
        let has = document("float64", "0.0", cast, r#"{"scale_factor": 0.5}"#);
        let why = repack(has.as_bytes(), Form::Cf).expect("an array");
        assert!(
            why.expect_err("it is there")
                .contains("already have a scale_factor")
        );
    }

    /// Division by two equals multiplication by a half, so that no code differs.
    #[test]
    fn a_power_of_two_changes_nothing() {
        for (data_type, attributes) in [
            ("int8", r#"{"scale_factor": 0.5, "add_offset": 3.0}"#),
            (
                "uint16",
                r#"{"scale_factor": 0.25, "missing_value": [0, 65535]}"#,
            ),
            (
                "int8",
                r#"{"scale_factor": 2.0, "_Unsigned": "true", "_FillValue": -1}"#,
            ),
        ] {
            let old = document(data_type, "0", "", attributes);
            let (_, report) = repack(old.as_bytes(), Form::Codecs)
                .expect("packed")
                .expect("codecs");
            assert!(report.contains("are read as the same values"), "{report}");
        }
        let ranged = document("int8", "0", "", r#"{"scale_factor": 0.5, "valid_min": 0}"#);
        let (_, report) = repack(ranged.as_bytes(), Form::Codecs)
            .expect("packed")
            .expect("codecs");
        assert!(
            report.contains("128 of 256 are read as different values, first -128: NaN and -64.0"),
            "{report}"
        );
    }
}
