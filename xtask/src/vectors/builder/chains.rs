//! Groups about whole chains: the fate of the fill value, and chunks with their bytes.

use exactum_model::{Array, ArrayCodec, Chain, FixedScaleOffset, Resolution};
use exactum_vectors::{Expect, Group, Level, Request, array_to_json};
use serde_json::{Value, json};

use super::texts::document_of;
use super::{Case, Faults, Head, Topic, Verdict, hex, note, request, try_each_case};
use crate::oracle;
use crate::vectors::opinions::{self, Direction, Way, agreed};
use crate::vectors::shorthand::{document, words};

/// Builds the groups of `chain.resolve`: documents with the stages of their fill value.
pub(super) fn resolve(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let shared = request([("op", "chain.resolve".into())]);
    topic.one_group(head, shared, cases, |case| {
        let document = document_of(topic, head, &case.text)?;
        let answer = opinions::resolved(&document)?;
        let as_said = match (&answer, &case.verdict) {
            (Ok(resolution), Verdict::Accept) => resolution.round_trips,
            (Ok(resolution), Verdict::Lost) => !resolution.round_trips,
            (Err((_, found)), Verdict::Reject(by)) => *found == head.rejecting(by.as_ref()),
            _ => false,
        };
        if !as_said {
            return Err(format!("expected {:?}, got {answer:?}", case.verdict));
        }
        let expect = match answer {
            Ok(resolution) => Expect::ok(resolution_to_json(&resolution)),
            Err((reason, _)) => Expect::reject(reason),
        };
        let own = request([("metadata", document.into())]);
        Ok((own, expect))
    })
}

/// Returns the members of `ok` for `chain.resolve`.
fn resolution_to_json(resolution: &Resolution) -> Value {
    let stages = resolution.stages.iter().map(|stage| {
        json!({
            "codec": stage.codec,
            "data_type": stage.data_type.name(),
            "shape": stage.shape,
            "fill_value": hex(&stage.fill_value.to_bytes()),
        })
    });
    json!({
        "stages": stages.collect::<Vec<Value>>(),
        "encoded_bytes": resolution.encoded_bytes,
        "survives": resolution.round_trips,
    })
}

/// Builds the groups of chunks. `chain.encode` takes elements; `chain.decode` takes elements in their stored form, or
/// bytes as `bytes:HEX`; `both` encodes chunks and decodes the result.
pub(super) fn chunks(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    if !head.on.is_empty() {
        return open(topic, head, cases);
    }
    let document = document(&topic.texts, &head.rest.join(" "))?;
    let chain = opinions::chain(&document)?.map_err(|rejection| rejection.to_string())?;
    let shared = |way: &str| {
        let metadata = document.as_str().into();
        request([
            ("op", format!("chain.{way}").into()),
            ("metadata", metadata),
        ])
    };
    let both = head.way == "both";
    let name = |way: &str| {
        if both {
            format!("{}-{way}", head.name)
        } else {
            head.name.clone()
        }
    };
    let (encode, decode) = (shared("encode"), shared("decode"));
    let mut encoding = topic.group(&name("encode"), head, encode);
    let mut decoding = topic.group(&name("decode"), head, decode);
    try_each_case(cases, |case| {
        if head.way == "decode" {
            return decoded(&chain, head, case, &mut decoding);
        }
        let bytes = encoded(&chain, head, case, &mut encoding)?;
        if let Some(bytes) = bytes.filter(|_| both) {
            let back = opinions::decoded(&chain, &bytes)?.map_err(|it| it.name())?;
            let own = request([("bytes", hex(&bytes).into())]);
            decoding.case(&case.id, &[], own, Expect::output(&back));
        }
        Ok(())
    })?;
    Ok(match head.way.as_str() {
        "encode" => vec![encoding],
        "decode" => vec![decoding],
        "both" => vec![encoding, decoding],
        way => return Err(format!("chain.{way} is not an operation").into()),
    })
}

/// Adds a chunk to encode, and returns its bytes.
fn encoded(
    chain: &Chain,
    head: &Head,
    case: &Case,
    group: &mut Group,
) -> Result<Option<Vec<u8>>, String> {
    let (shape, texts) = shaped(&case.text)?;
    let chunk = opinions::array(
        chain.data_type,
        shape.as_ref().unwrap_or(&chain.chunk_shape),
        &words(texts)?,
    )?;
    let answer = opinions::encoded(chain, &chunk)?;
    let expect = match (&answer, &case.verdict) {
        (Ok(bytes), Verdict::Accept) => Expect::ok(json!({"bytes": hex(bytes)})),
        (Err(reason), Verdict::Reject(None)) => Expect::reject(*reason),
        _ => return Err(format!("expected {:?}, got {answer:x?}", case.verdict)),
    };
    let own = request([("input", array_to_json(&chunk))]);
    let added = group.case(&case.id, &[], own, expect);
    if !head.quiet && (texts.len() <= 100 || answer.is_err()) {
        added.note(note(texts));
    }
    Ok(answer.ok())
}

/// Splits a text into the shape before the elements, such as `shape=[2,3]`, and the elements.
pub(super) fn shaped(text: &str) -> Result<(Option<Vec<u64>>, &str), String> {
    let Some(rest) = text.strip_prefix("shape=") else {
        return Ok((None, text));
    };
    let (shape, texts) = rest.split_once(' ').unwrap_or((rest, ""));
    let shape = serde_json::from_str(shape).map_err(|fault| format!("{shape}: {fault}"))?;
    Ok((Some(shape), texts.trim_start()))
}

/// Adds a chunk to decode.
fn decoded(chain: &Chain, head: &Head, case: &Case, group: &mut Group) -> Result<(), String> {
    let plain = case.text.strip_prefix("bytes:");
    let stored = match plain {
        Some(digits) => unhex(digits)?,
        None => {
            let (data_type, shape) = match chain.pipeline.array_to_array.last() {
                Some(step) => (step.data_type, &step.shape),
                None => (chain.data_type, &chain.chunk_shape),
            };
            let stored = opinions::array(data_type, shape, &words(&case.text)?)?;
            stored.data().to_vec()
        }
    };
    let answer = opinions::decoded(chain, &stored)?;
    let expect = match (answer, &case.verdict) {
        (Ok(back), Verdict::Accept) => {
            let right = Expect::output(&back);
            match cast_first(chain, &stored)?.filter(|_| head.level == Level::Must) {
                Some(text) if text != right => Expect::OneOf(vec![right, text]),
                _ => right,
            }
        }
        (Err(reason), Verdict::Reject(None)) => Expect::reject(reason),
        (answer, verdict) => return Err(format!("expected {verdict:?}, got {answer:?}")),
    };
    let own = request([("bytes", hex(&stored).into())]);
    let added = group.case(&case.id, &[], own, expect);
    if plain.is_none() {
        added.note(note(&case.text));
    }
    Ok(())
}

fn unhex(digits: &str) -> Result<Vec<u8>, String> {
    let starts = (0..digits.len()).step_by(2);
    let pairs = starts.map(|at| digits.get(at..at + 2).unwrap_or_default());
    pairs
        .map(|pair| u8::from_str_radix(pair, 16).map_err(|_| format!("{digits} is not hex")))
        .collect()
}

/// Returns the second correct answer for `numcodecs.fixedscaleoffset`. At level `must` it has two, one for each place
/// of the cast (scale_offset.legacy.decode.type); this is the answer of the upstream text.
fn cast_first(chain: &Chain, stored: &[u8]) -> Result<Option<Expect>, String> {
    let [step] = &chain.pipeline.array_to_array[..] else {
        return Ok(None);
    };
    let ArrayCodec::FixedScaleOffset(codec) = &step.codec else {
        return Ok(None);
    };
    let stored = Array::new(step.data_type, step.shape.clone(), stored.to_vec())
        .map_err(|rejection| rejection.message)?;
    let decode_with = |element: &dyn Fn(&FixedScaleOffset, u64) -> Result<u64, _>| {
        let elements = stored.components().map(|bits| element(codec, bits));
        elements.collect::<Result<Vec<u64>, _>>()
    };
    let answer = agreed(
        || "cast first".to_owned(),
        decode_with(&|codec, bits| {
            exactum_reference::scale_offset::fixed_scale_offset::decode_element_cast_first(
                codec, bits,
            )
            .map_err(|rejection| rejection.reason)
        }),
        decode_with(&oracle::scale_offset::fixed_scale_offset::decode_cast_first),
    )?;
    Ok(Some(match answer {
        Err(reason) => Expect::reject(reason),
        Ok(bits) => Array::from_components(codec.dtype, stored.shape().to_vec(), bits)
            .map(|array| Expect::output(&array))
            .map_err(|rejection| rejection.message)?,
    }))
}

/// Builds a group with the same chunk for chains that Exactum does not compute but other implementations may.
fn open(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let ruling = head.open.as_ref().ok_or("on: needs open:".to_owned())?;
    let shared = request([("op", format!("chain.{}", Direction::Encode.name()).into())]);
    topic.one_group(head, shared, cases, |case| {
        let document = document_of(topic, head, &case.text)?;
        let chain = opinions::chain(&document)?.map_err(|rejection| rejection.to_string())?;
        let chunk = opinions::array(chain.data_type, &chain.chunk_shape, &head.on)?;
        if let Ok(bytes) = opinions::encoded(&chain, &chunk)? {
            return Err(format!("encoded as {}", hex(&bytes)));
        }
        let own: Request = request([
            ("metadata", document.into()),
            ("input", array_to_json(&chunk)),
        ]);
        Ok((own, Expect::Open(ruling.clone())))
    })
}
