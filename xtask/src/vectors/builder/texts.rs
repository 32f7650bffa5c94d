//! Groups about documents and about fill values, in which each case is a text.

use exactum_metadata::{Document, DocumentKind};
use exactum_model::{DataType, Scalar};
use exactum_vectors::{Expect, Group, Level, Request};
use serde_json::json;

use super::{Case, Faults, Head, Topic, Verdict, hex, refused, request, try_each_case};
use crate::oracle::data_type::{Description, Layout, description};
use crate::oracle::decimal::Decimal;
use crate::vectors::opinions;
use crate::vectors::shorthand::{document, members};

/// Returns the document of a case. Its text replaces `$` in the line of the group, unless the text begins with `=` or
/// the line has no `$`.
pub(super) fn document_of(topic: &Topic, head: &Head, text: &str) -> Result<String, String> {
    let template = head.rest.join(" ");
    match text.strip_prefix("= ") {
        Some(own) => document(&topic.texts, own),
        None if template.is_empty() => document(&topic.texts, text),
        None => Ok(document(&topic.texts, &template)?.replace('$', text)),
    }
}

/// Builds the groups of `metadata.validate`: documents to accept and to reject.
pub(super) fn validate(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let shared = request([("op", "metadata.validate".into()), ("kind", "array".into())]);
    topic.one_group(head, shared, cases, |case| {
        let document = document_of(topic, head, &case.text)?;
        let answer = opinions::validated(&document)?.map(drop);
        let expect = match (&head.open, &case.verdict) {
            // An open case has an answer, but any answer passes.
            (Some(open), Verdict::Accept) => Expect::Open(open.clone()),
            _ => head.judged(case, answer, |()| Ok(Expect::ok(json!({}))))?,
        };
        let own = request([("document", document.into())]);
        Ok((own, expect))
    })
}

/// The members of a small group document.
const GROUP: [(&str, &str); 2] = [("zarr_format", "3"), ("node_type", "\"group\"")];

/// Builds the groups of `metadata.validate` about group documents: a small document, changed as the case states.
pub(super) fn groups(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let shared = request([("op", "metadata.validate".into()), ("kind", "group".into())]);
    topic.one_group(head, shared, cases, |case| {
        let template = head.rest.join(" ").replace('$', &case.text);
        let document = match (case.text.strip_prefix("= "), template.is_empty()) {
            (Some(own), _) => members(&GROUP, own)?,
            (None, true) => members(&GROUP, &case.text)?,
            (None, false) => members(&GROUP, &template)?,
        };
        let answer = Document::scan_as(document.as_bytes(), DocumentKind::Group)
            .and_then(|document| document.group());
        let answer = answer.map(drop).map_err(|report| refused(report.into()));
        let expect = head.judged(case, answer, |()| Ok(Expect::ok(json!({}))))?;
        let own = request([("document", document.into())]);
        Ok((own, expect))
    })
}

/// The clauses about decimals that the text leaves partly open, and the groups for these parts.
const NUMBER: &str = "fill_value.float.number";
const DIGITS: &str = "fill_value.float.digits";
const NEGATIVE_ZERO: &str = "fill_value.float.negative-zero";

/// The groups into which a group is split: results that the text defines, cases for which it allows several results,
/// and the rulings of Exactum on these.
struct Split {
    said: Group,
    left: Group,
    ours: Vec<Group>,
}

impl Split {
    fn new(topic: &Topic, head: &Head, shared: &Request) -> Self {
        let named = |suffix: &str| {
            let name = format!("{}{suffix}", head.name);
            topic.group(&name, head, shared.clone())
        };
        let ours = [("-digits", DIGITS), ("-negative-zero", NEGATIVE_ZERO)];
        let ours = ours.map(|(suffix, clause)| Group {
            level: Level::Ruling,
            clauses: vec![clause.to_owned()],
            ..named(suffix)
        });
        Self {
            said: named(""),
            left: named("-left-open"),
            ours: ours.into(),
        }
    }

    /// Adds a case to the groups where it belongs; several results may be correct.
    fn add(&mut self, case: &Case, scalar: &Scalar) -> Result<(), String> {
        let own = || request([("json", case.text.as_str().into())]);
        let ok = |scalar: &Scalar| Expect::ok(json!({"bits": hex(&scalar.to_bytes())}));
        let plain = without_signs_of_zeros(&case.text);
        let detour = through_binary64(&case.text);
        let mut right = vec![*scalar];
        for (text, group) in [(detour, 0), (plain, 1)] {
            let other = opinions::parsed(scalar.data_type(), &text);
            if let Ok(Ok(other)) = other
                && other != *scalar
            {
                right.push(other);
                self.ours[group].case(&case.id, &[], own(), ok(scalar));
            }
        }
        let (group, expect) = match &right[..] {
            [only] => (&mut self.said, ok(only)),
            several => (
                &mut self.left,
                Expect::OneOf(several.iter().map(ok).collect()),
            ),
        };
        group.case(&case.id, &[], own(), expect);
        Ok(())
    }
}

/// Replaces every number in a text, which may contain lists.
fn each_number(text: &str, replace: impl Fn(&str) -> Option<String>) -> String {
    let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            // Text in quotes is not a number.
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(end);
        let number = is_part(first).then(|| replace(part)).flatten();
        replaced.push_str(number.as_deref().unwrap_or(part));
        rest = after;
    }
    replaced
}

/// Replaces the numbers of a text by the exact decimals of the nearest binary64 values.
fn through_binary64(text: &str) -> String {
    each_number(text, |number| {
        let bits = number
            .parse::<f64>()
            .ok()
            .filter(|it| it.is_finite())?
            .to_bits();
        let (sign, exponent) = (bits >> 63, bits >> 52 & 0x7ff);
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = match i32::try_from(exponent).ok()? {
            0 => (fraction, -1074),
            exponent => (fraction | 1 << 52, exponent - 1075),
        };
        let decimal = Decimal::binary(mantissa, exponent).plain();
        Some(format!("{}{decimal}", if sign == 1 { "-" } else { "" }))
    })
}

/// Removes the signs of the zeros in a text.
fn without_signs_of_zeros(text: &str) -> String {
    each_number(text, |number| {
        let digits = number.split(['e', 'E']).next()?;
        let zero = digits.strip_prefix('-')?.chars().all(|c| "0.".contains(c));
        zero.then(|| "0".to_owned())
    })
}

/// Builds the groups of `fill_value.parse`: texts, and the elements that they denote.
pub(super) fn parse(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let data_type = topic.own_type()?;
    let shared = request([
        ("op", "fill_value.parse".into()),
        ("data_type", data_type.name().into()),
    ]);
    let mut split = Split::new(topic, head, &shared);
    let layout = match description(data_type) {
        Description::Float(layout) if head.held => Some(layout),
        _ => None,
    };
    try_each_case(cases, |case| {
        if layout.is_some_and(|layout| !is_held(layout, &case.text)) {
            return Ok(());
        }
        let answer = opinions::parsed(data_type, &case.text)?.map_err(refused);
        if let Ok(scalar) = &answer {
            // An accepted scalar must be parsed again from its canonical text.
            opinions::written(scalar)?;
            let splits = head.level == Level::Must && head.clauses.iter().any(|it| it == NUMBER);
            if splits && case.verdict == Verdict::Accept {
                return split.add(case, scalar);
            }
        }
        let expect = head.judged(case, answer, |scalar| {
            Ok(Expect::ok(json!({"bits": hex(&scalar.to_bytes())})))
        })?;
        let own = request([("json", case.text.as_str().into())]);
        split.said.case(&case.id, &[], own, expect);
        Ok(())
    })?;
    Ok([vec![split.said, split.left], split.ours].concat())
}

/// Returns whether a text is rounded to a number of the type: it lies neither beyond the largest number nor in the gap
/// around a zero that the type lacks, and it is not a tie where no value is even.
fn is_held(layout: &Layout, text: &str) -> bool {
    Decimal::read(text)
        .is_some_and(|(negative, decimal)| layout.nearest(negative, &decimal).is_some())
        && !layout.is_open_tie(text)
}

/// Builds the groups of `fill_value.format`: elements, as a number in hex or as a decimal, and their canonical texts.
pub(super) fn format(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let data_type = topic.own_type()?;
    let shared = request([
        ("op", "fill_value.format".into()),
        ("data_type", data_type.name().into()),
    ]);
    topic.one_group(head, shared, cases, |case| {
        let scalar = scalar(data_type, &case.text)?;
        let text = opinions::written(&scalar)?;
        let own = request([("bits", hex(&scalar.to_bytes()).into())]);
        Ok((own, Expect::ok(json!({"json": text}))))
    })
}

fn scalar(data_type: DataType, text: &str) -> Result<Scalar, String> {
    let text = text.trim_matches('"');
    let bits = match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let bits = bits.map_err(|_| format!("{text} is not a bit pattern"))?;
    Ok(Scalar::new(data_type, bits))
}
