//! Groups of documents and of fill values: each case is a text.

use exactum_model::{DataType, Scalar};
use exactum_vectors::{Expect, Group};
use serde_json::json;

use super::{Case, Faults, Head, Topic, Verdict, each, hex, request};
use crate::oracle::data_type::{Description, Layout, description};
use crate::oracle::decimal::Decimal;
use crate::vectors::opinions;
use crate::vectors::shorthand::document;

/// The document of a case: what it says replaces `$` in the line of the group, unless `=` stands in
/// front of it or the line has none.
pub(super) fn document_of(topic: &Topic, head: &Head, text: &str) -> Result<String, String> {
    let template = head.rest.join(" ");
    match text.strip_prefix("= ") {
        Some(own) => document(&topic.texts, own),
        None if template.is_empty() => document(&topic.texts, text),
        None => Ok(document(&topic.texts, &template)?.replace('$', text)),
    }
}

/// `metadata.validate`: documents to accept and to reject.
pub(super) fn validate(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let shared = request([("op", "metadata.validate".into()), ("kind", "array".into())]);
    let mut group = topic.group(&head.name, head, shared);
    each(cases, |case| {
        let document = document_of(topic, head, &case.text)?;
        let expect = match (opinions::resolved(&document)?, &case.verdict) {
            (Ok(_), Verdict::Accept) => Expect::ok(json!({})),
            (Err((reason, found)), Verdict::Reject(by)) if found == head.rejecting(by.as_ref()) => {
                Expect::reject(reason)
            }
            (answer, verdict) => return Err(format!("{verdict:?}, but: {answer:?}: {document}")),
        };
        group.case(
            &case.id,
            &[],
            request([("document", document.into())]),
            expect,
        );
        Ok(())
    })?;
    Ok(vec![group])
}

/// `fill_value.parse`: texts and the elements that they name.
pub(super) fn parse(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let data_type = topic.own_type()?;
    let shared = request([
        ("op", "fill_value.parse".into()),
        ("data_type", data_type.name().into()),
    ]);
    let mut group = topic.group(&head.name, head, shared);
    let layout = match description(data_type) {
        Description::Float(layout) if head.held => Some(layout),
        _ => None,
    };
    each(cases, |case| {
        if layout.is_some_and(|layout| !is_held(layout, &case.text)) {
            return Ok(());
        }
        let expect = match (opinions::parsed(data_type, &case.text)?, &case.verdict) {
            (Ok(scalar), Verdict::Accept) => {
                // What is accepted has to come back from its canonical form.
                opinions::written(&scalar)?;
                Expect::ok(json!({"bits": hex(&scalar.to_bytes())}))
            }
            (Err(rejection), Verdict::Reject(by))
                if rejection.clause == head.rejecting(by.as_ref()) =>
            {
                Expect::reject(rejection.reason)
            }
            (answer, verdict) => {
                return Err(format!("{}: {verdict:?}, but: {answer:x?}", case.text));
            }
        };
        let own = request([("json", case.text.as_str().into())]);
        group.case(&case.id, &[], own, expect);
        Ok(())
    })?;
    Ok(vec![group])
}

/// Whether a text rounds to a number of the type, neither beyond the largest one nor into the gap
/// around a zero that the type does not have, and is no tie where no value is even.
fn is_held(layout: &Layout, text: &str) -> bool {
    Decimal::read(text)
        .is_some_and(|(negative, decimal)| layout.nearest(negative, &decimal).is_some())
        && !layout.is_open_tie(text)
}

/// `fill_value.format`: elements, as a number in hex or as a decimal, and their canonical texts.
pub(super) fn format(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let data_type = topic.own_type()?;
    let shared = request([
        ("op", "fill_value.format".into()),
        ("data_type", data_type.name().into()),
    ]);
    let mut group = topic.group(&head.name, head, shared);
    each(cases, |case| {
        let scalar = scalar(data_type, &case.text)?;
        let text = opinions::written(&scalar)?;
        let own = request([("bits", hex(&scalar.to_bytes()).into())]);
        group.case(&case.id, &[], own, Expect::ok(json!({"json": text})));
        Ok(())
    })?;
    Ok(vec![group])
}

fn scalar(data_type: DataType, text: &str) -> Result<Scalar, String> {
    let text = text.trim_matches('"');
    let bits = match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let bits = bits.map_err(|_| format!("{text} are no bits"))?;
    Ok(Scalar::new(data_type, bits))
}
