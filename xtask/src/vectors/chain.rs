//! The vectors of `chain`, and those clauses about fill values and documents of the other rows that
//! show in whole array documents only.

mod chunks;
mod examples;
mod fills;
mod legacy;
mod resolutions;
mod shapes;
mod small;

use exactum_model::{Array, Chain, Reason, Resolution, Scalar};
use exactum_vectors::{Expect, File, Level};
use serde_json::{Value, json};

use super::Topics;
use super::builder::{agreed, request};
use crate::oracle;

/// The topics of these rows that go through whole documents.
pub(crate) fn topics() -> Topics {
    let mut files = Vec::new();
    let mut disagreements = Vec::new();
    let makers: [fn() -> Result<File, String>; 8] = [
        resolutions::chain,
        fills::cast_value,
        fills::scale_offset,
        legacy::topic,
        legacy::types,
        chunks::topic,
        examples::topic,
        small::topic,
    ];
    for made in makers.map(|maker| maker()) {
        match made {
            Ok(file) => files.push(file),
            Err(disagreement) => disagreements.push(disagreement),
        }
    }
    if disagreements.is_empty() {
        Ok(files)
    } else {
        Err(disagreements)
    }
}

/// The members of a small document in their order. Codecs stand as objects here and in all documents
/// but those about short forms: a reader that knows no bare names would else refuse every document,
/// those to be rejected for another reason among them, and nothing would be learned of it.
const MEMBERS: [(&str, &str); 8] = [
    ("zarr_format", "3"),
    ("node_type", "\"array\""),
    ("shape", "[4]"),
    ("data_type", "\"uint8\""),
    (
        "chunk_grid",
        r#"{"name":"regular","configuration":{"chunk_shape":[4]}}"#,
    ),
    ("chunk_key_encoding", r#"{"name":"default"}"#),
    ("fill_value", "0"),
    ("codecs", r#"[{"name":"bytes"}]"#),
];

/// The small document with other members: an empty text takes one away.
pub(super) fn document(changes: &[(&str, &str)]) -> String {
    let changed = |name: &str| changes.iter().find(|(it, _)| *it == name);
    let known = MEMBERS
        .iter()
        .map(|&(name, text)| (name, changed(name).map_or(text, |(_, text)| text)));
    let further = changes
        .iter()
        .copied()
        .filter(|(name, _)| !MEMBERS.iter().any(|(known, _)| known == name));
    let members: Vec<String> = known
        .chain(further)
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| format!("\"{name}\":{text}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// A document of one chunk of four elements.
pub(super) fn array(data_type: &str, fill_value: &str, codecs: &str) -> String {
    shaped(data_type, fill_value, "[4]", codecs)
}

/// A document of one chunk.
fn shaped(data_type: &str, fill_value: &str, shape: &str, codecs: &str) -> String {
    let grid = format!(r#"{{"name":"regular","configuration":{{"chunk_shape":{shape}}}}}"#);
    document(&[
        ("shape", shape),
        ("data_type", &format!("\"{data_type}\"")),
        ("chunk_grid", &grid),
        ("fill_value", fill_value),
        ("codecs", codecs),
    ])
}

/// `bytes` of elements with more than one byte.
pub(super) const LITTLE: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;

/// A document's chain, read twice.
fn read(what: &str, document: &str) -> Result<Chain, String> {
    let chain = exactum_metadata::parse_array(document)
        .map_err(|rejection| format!("{what}: {rejection}"))?
        .chain;
    let second = oracle::documents::chain(document);
    if second.as_ref() == Some(&chain) {
        Ok(chain)
    } else {
        Err(format!("{what}: read as {chain:?} and as {second:?}"))
    }
}

/// The stages of a document: both oracles, or the clause of the rejection that both agree on.
pub(super) fn resolve(
    what: &str,
    document: &str,
) -> Result<Result<Resolution, (Reason, &'static str)>, String> {
    if let Err(rejection) = exactum_metadata::parse_array(document) {
        return Ok(Err((rejection.reason, rejection.clause)));
    }
    let chain = read(what, document)?;
    let first = exactum_reference::chain::resolve(&chain);
    let clause = first.as_ref().err().map(|rejection| rejection.clause);
    let answer = agreed(
        || what.to_owned(),
        first.map_err(|rejection| rejection.reason),
        oracle::chain::resolve(&chain),
    )?;
    Ok(answer.map_err(|reason| (reason, clause.unwrap_or_default())))
}

/// What is known of a fill value beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    /// It comes back.
    Survives,
    /// It is legal and does not come back.
    Lost,
    /// This clause rejects the document.
    Rejected(&'static str),
}

use Fill::{Lost, Rejected, Survives};

/// A group of `chain.resolve`: id, document, what becomes of the fill value.
fn resolutions(
    file: &mut File,
    name: &str,
    level: Level,
    clauses: &[&str],
    cases: &[(&str, String, Fill)],
) -> Result<(), String> {
    let mut made = Vec::new();
    for (id, document, fill) in cases {
        let what = format!("{}/{}/{name}/{id}", file.row, file.topic);
        let answer = resolve(&what, document)?;
        let found = match &answer {
            Ok(resolution) if resolution.survives => Survives,
            Ok(_) => Lost,
            Err((_, clause)) => Rejected(clause),
        };
        if found != *fill {
            return Err(format!("{what}: {found:?}, by hand {fill:?}: {answer:?}"));
        }
        made.push((
            *id,
            document.as_str(),
            match answer {
                Ok(resolution) => Expect::ok(resolution_to_json(&resolution)),
                Err((reason, _)) => Expect::reject(reason),
            },
        ));
    }
    let shared = request([("op", "chain.resolve".into())]);
    let group = file.group(name, level, clauses, shared);
    for (id, document, expect) in made {
        group.case(id, &[], request([("metadata", document.into())]), expect);
    }
    Ok(())
}

/// The members of `ok` of `chain.resolve`.
fn resolution_to_json(resolution: &Resolution) -> Value {
    let stages: Vec<Value> = resolution
        .stages
        .iter()
        .map(|stage| {
            json!({
                "codec": stage.codec,
                "data_type": stage.data_type.name(),
                "shape": stage.shape,
                "fill_value": hex(&stage.fill_value.to_bytes()),
            })
        })
        .collect();
    json!({
        "stages": stages,
        "encoded_bytes": resolution.encoded_bytes,
        "survives": resolution.survives,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A chunk of a document from the texts of its elements, separated by spaces.
fn chunk(what: &str, chain: &Chain, texts: &str) -> Result<Array, String> {
    let elements = texts
        .split_whitespace()
        .map(|text| {
            agreed(
                || format!("{what}: the element {text}"),
                exactum_metadata::parse_fill_value(chain.data_type, text)
                    .map_err(|rejection| rejection.reason),
                oracle::fill_value::parse(chain.data_type, text),
            )?
            .map_err(|reason| format!("{what}: {text}: {}", reason.name()))
        })
        .collect::<Result<Vec<Scalar>, _>>()?;
    let data = elements.iter().flat_map(Scalar::to_bytes).collect();
    Array::new(chain.data_type, chain.chunk_shape.clone(), data)
        .map_err(|rejection| format!("{what}: {}", rejection.message))
}

/// The bytes of a chunk, on which both oracles agree.
fn encode(what: &str, chain: &Chain, chunk: &Array) -> Result<Result<Vec<u8>, Reason>, String> {
    agreed(
        || what.to_owned(),
        exactum_reference::chain::encode(chain, chunk).map_err(|rejection| rejection.reason),
        oracle::chain::encode(chain, chunk),
    )
}

/// The chunk of some bytes, on which both oracles agree.
fn decode(what: &str, chain: &Chain, bytes: &[u8]) -> Result<Result<Array, Reason>, String> {
    agreed(
        || what.to_owned(),
        exactum_reference::chain::decode(chain, bytes).map_err(|rejection| rejection.reason),
        oracle::chain::decode(chain, bytes),
    )
}

/// A group of chunks that are encoded. Gives back the bytes of each, with its id.
fn encoded<'c>(
    file: &mut File,
    name: &str,
    level: Level,
    clauses: &[&str],
    document: &str,
    cases: &[(&'c str, &str)],
) -> Result<Vec<(&'c str, Vec<u8>)>, String> {
    let what = format!("{}/{}/{name}", file.row, file.topic);
    let chain = read(&what, document)?;
    let mut made = Vec::new();
    for &(id, texts) in cases {
        let what = format!("{what}/{id}");
        let chunk = chunk(&what, &chain, texts)?;
        let bytes = encode(&what, &chain, &chunk)?
            .map_err(|reason| format!("{what}: {}", reason.name()))?;
        made.push((id, texts, chunk, bytes));
    }
    let shared = request([("op", "chain.encode".into()), ("metadata", document.into())]);
    let group = file.group(name, level, clauses, shared);
    for (id, texts, chunk, bytes) in &made {
        let own = request([("input", exactum_vectors::array_to_json(chunk))]);
        let case = group.case(id, &[], own, Expect::ok(json!({"bytes": hex(bytes)})));
        if texts.len() <= 100 {
            case.note(texts.replace('"', ""));
        }
    }
    let bytes = made.into_iter().map(|(id, _, _, bytes)| (id, bytes));
    Ok(bytes.collect())
}

/// Two groups of one document: chunks that are encoded, and their bytes decoded again.
fn both_ways(
    file: &mut File,
    name: &str,
    level: Level,
    clauses: &[&str],
    document: &str,
    cases: &[(&str, &str)],
) -> Result<(), String> {
    let made = encoded(
        file,
        &format!("{name}-encode"),
        level,
        clauses,
        document,
        cases,
    )?;
    let name = format!("{name}-decode");
    let what = format!("{}/{}/{name}", file.row, file.topic);
    let chain = read(&what, document)?;
    let shared = request([("op", "chain.decode".into()), ("metadata", document.into())]);
    let group = file.group(&name, level, clauses, shared);
    for (id, bytes) in made {
        let what = format!("{what}/{id}");
        let back = decode(&what, &chain, &bytes)?
            .map_err(|reason| format!("{what}: {}", reason.name()))?;
        let own = request([("bytes", hex(&bytes).into())]);
        group.case(id, &[], own, Expect::output(&back));
    }
    Ok(())
}

/// A group of chunks that a document's codecs reject.
fn rejected_chunks(
    file: &mut File,
    name: &str,
    level: Level,
    clauses: &[&str],
    document: &str,
    cases: &[(&str, &str)],
) -> Result<(), String> {
    let what = format!("{}/{}/{name}", file.row, file.topic);
    let chain = read(&what, document)?;
    let mut made = Vec::new();
    for (id, texts) in cases {
        let what = format!("{what}/{id}");
        let chunk = chunk(&what, &chain, texts)?;
        match encode(&what, &chain, &chunk)? {
            Err(reason) => made.push((*id, *texts, chunk, reason)),
            Ok(bytes) => return Err(format!("{what}: encoded as {}", hex(&bytes))),
        }
    }
    let shared = request([("op", "chain.encode".into()), ("metadata", document.into())]);
    let group = file.group(name, level, clauses, shared);
    for (id, texts, chunk, reason) in made {
        let own = request([("input", exactum_vectors::array_to_json(&chunk))]);
        group
            .case(id, &[], own, Expect::reject(reason))
            .note(texts.replace('"', ""));
    }
    Ok(())
}
