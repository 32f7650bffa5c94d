//! Anchors: the worked examples in the tables of `spec/<row>.md`, computed by the reference and by the second oracle.
//! Their expected values come from the texts, so an error that both programs share would show here.

mod engine;
mod packed;
mod sds;
mod table;
mod views;

use std::fs;
use std::path::Path;

use exactum_metadata as metadata;
use exactum_model::{Array, ArrayToBytes, Chain, DataType, Endian, Scalar, Texts};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use engine::{ENGINES, Engine, EngineFault};
use table::{Anchor, Expected};

use crate::vectors::builder::hex;
use crate::vectors::opinions::{Direction, Elementwise};

/// Checks the anchors of every row and returns the number of values that were compared.
pub(crate) fn check() -> Result<usize, Vec<String>> {
    let folder = crate::root().join("spec");
    let mut checked = 0;
    let mut findings = Vec::new();
    for row in rows(&folder).map_err(|error| vec![error])? {
        let path = folder.join(format!("{row}.md"));
        match fs::read_to_string(&path) {
            Ok(text) => match check_text(&row, &text) {
                Ok(count) => checked += count,
                Err(found) => findings.extend(found),
            },
            Err(error) => findings.push(format!("{}: {error}", path.display())),
        }
    }
    if findings.is_empty() {
        Ok(checked)
    } else {
        Err(findings)
    }
}

/// Returns the rows that have clauses.
fn rows(folder: &Path) -> Result<Vec<String>, String> {
    let root = folder.parent().unwrap_or(folder);
    let mut rows: Vec<String> = exactum_vectors::spec::clauses(root)?
        .into_iter()
        .map(|clause| clause.row)
        .collect();
    rows.dedup();
    Ok(rows)
}

/// Checks the anchors of one file.
fn check_text(row: &str, text: &str) -> Result<usize, Vec<String>> {
    let anchors = table::read(row, text).map_err(|error| vec![error])?;
    let mut checked = 0;
    let mut findings = Vec::new();
    for anchor in &anchors {
        for engine in ENGINES {
            match compare(anchor, engine) {
                Ok(count) => checked += count,
                Err(difference) => findings.push(format!(
                    "spec/{row}.md:{}: {} ({}): {difference}",
                    anchor.line,
                    anchor.operation,
                    engine.name()
                )),
            }
        }
    }
    if findings.is_empty() {
        Ok(checked)
    } else {
        Err(findings)
    }
}

/// The result of an operation: an answer for each input, or one answer for all inputs.
enum Answer {
    Each(Vec<Result<Scalar, EngineFault>>),
    All(Result<Accepted, EngineFault>),
}

/// An answer that is not a rejection.
enum Accepted {
    Document,
    Scalars(Vec<Scalar>),
    Shapes(Vec<Vec<u64>>),
    Bytes(Vec<u8>),
    /// Non-numeric elements.
    Texts(Texts),
}

fn compare(anchor: &Anchor, engine: Engine) -> Result<usize, String> {
    if anchor.operation.starts_with("sds.") {
        return sds::compare(anchor, engine);
    }
    match (run(anchor, engine)?, &anchor.expected) {
        (Answer::Each(answers), Expected::Reject(clause)) => {
            let count = answers.len();
            for answer in answers {
                rejected(answer.map(|scalar| show(&scalar)), clause.as_deref())?;
            }
            Ok(count)
        }
        (Answer::Each(answers), Expected::Values(texts)) => {
            let scalars: Vec<Scalar> = answers
                .into_iter()
                .collect::<Result<_, _>>()
                .map_err(|fault| fault.to_string())?;
            scalars_are(&scalars, texts, anchor)
        }
        (Answer::All(answer), Expected::Reject(clause)) => {
            rejected(answer.map(|_| "an answer".to_owned()), clause.as_deref()).map(|()| 1)
        }
        (Answer::All(Err(fault)), _) => Err(fault.to_string()),
        (Answer::All(Ok(Accepted::Document)), Expected::Accept) => Ok(1),
        (Answer::All(Ok(Accepted::Scalars(scalars))), Expected::Values(texts)) => {
            scalars_are(&scalars, texts, anchor)
        }
        (Answer::All(Ok(Accepted::Shapes(shapes))), Expected::Values(texts)) => {
            are(&json!(shapes), texts)
        }
        (Answer::All(Ok(Accepted::Texts(found))), Expected::Values(texts)) => {
            views::texts_are(&found, texts)
        }
        (Answer::All(Ok(Accepted::Bytes(bytes))), Expected::Values(texts)) => {
            are(&json!([hex(&bytes)]), texts)
        }
        (_, Expected::Accept | Expected::Values(_)) => {
            Err("the operation returns answers of a different kind".into())
        }
    }
}

/// Compares a list with the JSON texts of a table.
fn are(found: &Value, texts: &[Box<RawValue>]) -> Result<usize, String> {
    let expected = texts.iter().map(|text| text.get().parse());
    let expected: Result<Vec<Value>, serde_json::Error> = expected.collect();
    let expected = Value::from(expected.map_err(|error| error.to_string())?);
    match *found == expected {
        true => Ok(texts.len()),
        false => Err(format!("got {found}, expected {expected}")),
    }
}

fn rejected(answer: Result<String, EngineFault>, clause: Option<&str>) -> Result<(), String> {
    match (answer, clause) {
        (Ok(value), _) => Err(format!("got {value}, expected a rejection")),
        (
            Err(EngineFault {
                clause: Some(found),
                message,
            }),
            Some(expected),
        ) if found != expected => Err(format!("rejected by {found}, not {expected}: {message}")),
        _ => Ok(()),
    }
}

fn scalars_are(
    scalars: &[Scalar],
    texts: &[Box<RawValue>],
    anchor: &Anchor,
) -> Result<usize, String> {
    if scalars.len() != texts.len() {
        return Err(format!("{} values, not {}", scalars.len(), texts.len()));
    }
    for (found, text) in scalars.iter().zip(texts) {
        if anchor.operation == "fill_value.parse" {
            let expected: String =
                serde_json::from_str(text.get()).map_err(|error| error.to_string())?;
            if bits(found) != expected {
                return Err(format!("got {}, expected {expected}", bits(found)));
            }
            continue;
        }
        let expected = scalar(found.data_type(), text)?;
        // Every bit counts, except that any NaN equals any other NaN.
        let nan = found
            .data_type()
            .format()
            .float()
            .is_some_and(|format| format.is_nan(found.component(0)));
        if *found != expected && !(nan && found.same_value(&expected)) {
            return Err(format!("got {}, expected {}", show(found), show(&expected)));
        }
    }
    Ok(texts.len())
}

fn show(scalar: &Scalar) -> String {
    format!(
        "{} {} (0x{})",
        scalar.data_type(),
        exactum_exact::canonical(scalar),
        bits(scalar)
    )
}

/// Returns the bits of each component in hex, with the most significant digit first.
fn bits(scalar: &Scalar) -> String {
    let format = scalar.data_type().format();
    let width = 2 * format.component_bytes();
    let parts: Vec<String> = (0..format.components())
        .map(|index| format!("{:0width$x}", scalar.component(index)))
        .collect();
    parts.join(" ")
}

/// Reads a scalar of the table. An error means that the table is wrong.
fn scalar(data_type: DataType, text: &RawValue) -> Result<Scalar, String> {
    metadata::parse_fill_value(data_type, text.get())
        .map_err(|rejection| format!("the table contains {}: {rejection}", text.get()))
}

fn run(anchor: &Anchor, engine: Engine) -> Result<Answer, String> {
    let resolve = || engine.resolve(&chain(&anchor.document)?);
    Ok(match anchor.operation.as_str() {
        "fill_value.parse" => {
            let data_type = data_type(anchor)?;
            let parse = |text: &str| engine.parse(data_type, text);
            Answer::Each(anchor.input.iter().map(|text| parse(text.get())).collect())
        }
        "metadata.validate" => Answer::All(resolve().map(|_| Accepted::Document)),
        "chain.fill" => Answer::All(resolve().map(|resolution| {
            let stages = resolution.stages.into_iter();
            Accepted::Scalars(stages.map(|stage| stage.fill_value).collect())
        })),
        "chain.shape" => Answer::All(resolve().map(|resolution| {
            let stages = resolution.stages.into_iter();
            Accepted::Shapes(stages.map(|stage| stage.shape).collect())
        })),
        "chain.encode" => coded(anchor, engine, Direction::Encode)?,
        "chain.decode" => coded(anchor, engine, Direction::Decode)?,
        "bytes.encode" | "packbits.encode" | "zfp.encode" => {
            packed::coded(anchor, engine, Direction::Encode)?
        }
        "bytes.decode" | "packbits.decode" | "zfp.decode" => {
            packed::coded(anchor, engine, Direction::Decode)?
        }
        "downsample.read" => views::read(anchor, engine)?,
        "downsample.resolve" => Answer::All(
            metadata::downsample::parse_downsample(&anchor.document)
                .map(|_| Accepted::Document)
                .map_err(EngineFault::from),
        ),
        other => match other.split_once('.') {
            Some((row, "encode")) => elements(row, anchor, engine, Direction::Encode)?,
            Some((row, "decode")) => elements(row, anchor, engine, Direction::Decode)?,
            _ => return Err(format!("{other:?} is not an operation of an anchor")),
        },
    })
}

fn data_type(anchor: &Anchor) -> Result<DataType, String> {
    metadata::parse_data_type(&anchor.data_type).map_err(|rejection| rejection.to_string())
}

fn chain(document: &str) -> Result<Chain, EngineFault> {
    metadata::parse_array(document)
        .map(|array| array.chain)
        .map_err(EngineFault::from)
}

/// Sends each element through an elementwise codec.
fn elements(
    row: &str,
    anchor: &Anchor,
    engine: Engine,
    direction: Direction,
) -> Result<Answer, String> {
    let codec = match Elementwise::read(row, &anchor.document, data_type(anchor)?)? {
        Ok(codec) if codec.is_known_twice() => codec,
        Ok(_) => {
            return Err(format!(
                "{row:?} is not a row whose elements an anchor can test"
            ));
        }
        Err(rejection) => return Ok(Answer::All(Err(rejection.into()))),
    };
    let (from, to) = codec.types(direction);
    let mut answers = Vec::with_capacity(anchor.input.len());
    for text in &anchor.input {
        let input = scalar(from, text)?;
        let answer = engine.element(&codec, direction, input.component(0));
        answers.push(answer.map(|bits| Scalar::new(to, bits.into())));
    }
    Ok(Answer::Each(answers))
}

/// Sends a chunk through all codecs. The anchor states the elements before the first and after the last array -> array
/// codec. The bytes of that last stage are those of an array, so they must not be big-endian.
fn coded(anchor: &Anchor, engine: Engine, direction: Direction) -> Result<Answer, String> {
    let chain = match chain(&anchor.document) {
        Ok(chain) => chain,
        Err(fault) => return Ok(Answer::All(Err(fault))),
    };
    if let ArrayToBytes::Bytes(codec) = &chain.pipeline.array_to_bytes
        && codec.endian == Some(Endian::Big)
    {
        return Err("the chunks of an anchor are little-endian".into());
    }
    let decoded = (chain.data_type, chain.chunk_shape.as_slice());
    let last = chain.pipeline.array_to_array.last();
    let encoded = last.map_or(decoded, |step| (step.data_type, step.shape.as_slice()));
    let input = |(data_type, shape): (DataType, &[u64])| -> Result<Array, String> {
        let bits: Vec<u64> = anchor
            .input
            .iter()
            .map(|text| scalar(data_type, text).map(|scalar| scalar.component(0)))
            .collect::<Result<_, _>>()?;
        Array::from_components(data_type, shape.to_vec(), bits).map_err(|r| r.to_string())
    };
    let output = match direction {
        Direction::Encode => {
            let chunk = input(decoded)?;
            engine.encode(&chain, &chunk).and_then(|bytes| {
                let (data_type, shape) = encoded;
                Ok(Array::new(data_type, shape.to_vec(), bytes)?)
            })
        }
        Direction::Decode => {
            let bytes = input(encoded)?.into_data();
            engine.decode(&chain, &bytes)
        }
    };
    let scalars = |array: Array| (0..array.len()).map(|index| array.element(index)).collect();
    Ok(Answer::All(
        output.map(|array| Accepted::Scalars(scalars(array))),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_anchors_hold() {
        match check() {
            Ok(checked) => assert!(checked > 100, "{checked} values"),
            Err(findings) => panic!("{}", findings.join("\n")),
        }
    }

    /// Checks a table with one row, and compares the number of values or the findings, of which there is one for each
    /// engine.
    fn check_row(row: &str, expected: Result<usize, &str>) {
        let head = "## Anchors\n\n\
            | source | operation | type | configuration or document | input | expected |\n\
            |---|---|---|---|---|---|\n";
        let document = "```json a\n\
            {\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": [2], \"data_type\": \"uint16\",\n\
             \"fill_value\": 1, \"chunk_key_encoding\": {\"name\": \"default\"},\n\
             \"chunk_grid\": {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [2]}},\n\
             \"codecs\": [{\"name\": \"scale_offset\", \"configuration\": {\"offset\": 1}},\n\
                        {\"name\": \"cast_value\", \"configuration\": {\"data_type\": \"uint8\"}},\n\
                        \"bytes\"]}\n```\n";
        let text = format!("# row\n\n{head}{row}\n\n{document}");
        match (check_text("row", &text), expected) {
            (Ok(count), Ok(wanted)) => assert_eq!(count, wanted, "{row}"),
            (Err(findings), Err(part)) => {
                assert_eq!(findings.len(), ENGINES.len(), "{row}: {findings:?}");
                for finding in findings {
                    assert!(finding.contains(part), "{row}: {finding}");
                }
            }
            (found, _) => panic!("{row}: {found:?}"),
        }
    }

    #[test]
    fn a_wrong_anchor_is_caught() {
        check_row(
            "| a | cast_value.encode | float32 | `{\"data_type\": \"int8\"}` | `[1.5, -0.0]` | `[2, 0]` |",
            Ok(4),
        );
        check_row(
            "| a | cast_value.encode | float32 | `{\"data_type\": \"int8\"}` | `[1.5]` | `[1]` |",
            Err("got int8 2 (0x02), expected int8 1"),
        );
        check_row(
            "| a | cast_value.encode | float32 | `{\"data_type\": \"float64\"}` | `[-0.0]` | `[0.0]` |",
            Err("expected float64 0.0"),
        );
        check_row(
            "| a | cast_value.encode | float32 | `{\"data_type\": \"int8\"}` | `[1.5, 2.5]` | `[2]` |",
            Err("2 values, not 1"),
        );
        check_row(
            "| a | cast_value.encode | float32 | `{\"data_type\": \"int8\"}` | `[200.0, 1.0]` | reject |",
            Err("got int8 1 (0x01), expected a rejection"),
        );
        check_row(
            "| a | cast_value.encode | float32 | `{\"data_type\": \"int8\"}` | `[200.0]` | `[127]` |",
            Err(""),
        );
        check_row(
            "| a | scale_offset.encode | int8 | `{\"offset\": 1}` | `[3]` | `[4]` |",
            Err("got int8 2 (0x02), expected int8 4"),
        );
        check_row(
            "| a | fill_value.parse | float32 | | `[\"NaN\"]` | `[\"7f800001\"]` |",
            Err("got 7fc00000, expected 7f800001"),
        );
        check_row(
            "| a | chain.encode | | a | `[1, 256]` | `[0, 255]` |",
            Ok(4),
        );
        check_row(
            "| a | chain.encode | | a | `[1, 257]` | `[0, 255]` |",
            Err(""),
        );
        check_row("| a | chain.fill | | a | | `[1, 0, 1]` |", Err("uint8 0"));
        check_row(
            "| a | chain.shape | | a | | `[[2], [2], [3]]` |",
            Err("[2]"),
        );
        check_row(
            "| a | metadata.validate | | a | | reject |",
            Err("expected a rejection"),
        );
        check_row(
            "| a | cast_value.encode | float32 | `{\"data_type\": \"int8\"}` | `[1.0]` | accept |",
            Err("a different kind"),
        );
        check_row(
            "| a | bytes.encode | uint16 | `{\"endian\": \"big\"}` | `[1, 2]` | `[\"00010003\"]` |",
            Err(r#"got ["00010002"], expected ["00010003"]"#),
        );
        check_row(
            "| a | packbits.decode | int4 | `{}` | `[\"3d08\"]` | `[-3, 3, 8]` |",
            Err("the table contains 8"),
        );
        check_row(
            "| a | packbits.decode | int4 | `{}` | `[\"3d08\", 3]` | reject |",
            Err("expected a rejection"),
        );
        check_row(
            "| a | no.such | float32 | `{\"data_type\": \"int8\"}` | `[1.0]` | `[1]` |",
            Err("not an operation"),
        );
    }
}
