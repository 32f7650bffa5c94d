//! The vectors of `fill_value`: one topic for each data type, texts to bits and bits to texts.

mod floats;
mod integers;
mod others;

use exactum_model::{DataType, Reason, Scalar};
use exactum_vectors::{Expect, File, Level};
use rayon::prelude::*;
use serde_json::json;

use super::Topics;
use super::builder::{agreed, request};
use super::data_type::upstream;
use crate::oracle;
use crate::oracle::data_type::{Description, description};

/// All topics of the row.
pub(crate) fn topics() -> Topics {
    let (files, disagreements): (Vec<_>, Vec<_>) = DataType::ALL
        .par_iter()
        .map(|&data_type| {
            let mut topic = Topic::new(data_type);
            match description(data_type) {
                Description::Bool => others::bool(&mut topic)?,
                Description::Integer(bits, signed) => integers::fill(&mut topic, *bits, *signed)?,
                Description::Float(layout) => floats::fill(&mut topic, layout)?,
                Description::Complex(layout) => others::complex(&mut topic, layout)?,
            }
            Ok(topic.file)
        })
        .collect::<Vec<Result<File, String>>>()
        .into_iter()
        .partition(Result::is_ok);
    if disagreements.is_empty() {
        Ok(files.into_iter().flatten().collect())
    } else {
        Err(disagreements.into_iter().filter_map(Result::err).collect())
    }
}

/// A topic in the making.
struct Topic {
    file: File,
    data_type: DataType,
}

/// A text and the id of its case.
type Text<'a> = (&'a str, &'a str);

impl Topic {
    fn new(data_type: DataType) -> Self {
        Self {
            file: File::new("fill_value", data_type.name(), upstream(data_type)),
            data_type,
        }
    }

    fn what(&self, group: &str, case: &str) -> String {
        format!("fill_value/{}/{group}/{case}", self.data_type)
    }

    /// What both oracles read; an accepted text also has to come back from its canonical form.
    fn read(&self, what: &str, text: &str) -> Result<Result<Scalar, Reason>, String> {
        let first = exactum_metadata::parse_fill_value(self.data_type, text);
        let answer = agreed(
            || format!("{what}: {text}"),
            first.map_err(|rejection| rejection.reason),
            oracle::fill_value::parse(self.data_type, text),
        )?;
        if let Ok(scalar) = &answer {
            self.written(what, scalar)?;
        }
        Ok(answer)
    }

    /// The canonical text, on which both oracles agree and which reads as the same bits.
    fn written(&self, what: &str, scalar: &Scalar) -> Result<String, String> {
        let text = exactum_exact::canonical(scalar);
        let second = oracle::fill_value::format(scalar);
        if second != text {
            return Err(format!("{what}: written as {text} and as {second}"));
        }
        for back in [
            exactum_metadata::parse_fill_value(self.data_type, &text).ok(),
            oracle::fill_value::parse(self.data_type, &text).ok(),
        ] {
            if back != Some(*scalar) {
                return Err(format!("{what}: {text} reads as {back:x?}"));
            }
        }
        Ok(text)
    }

    /// A group of texts: those to accept and those to reject, for the first clause.
    fn parse(
        &mut self,
        name: &str,
        level: Level,
        clauses: &[&str],
        accepted: &[Text<'_>],
        rejected: &[Text<'_>],
    ) -> Result<(), String> {
        let mut made = Vec::new();
        for &(id, text) in accepted {
            let what = self.what(name, id);
            match self.read(&what, text)? {
                Ok(scalar) => made.push((id, text, Expect::ok(json!({"bits": hex(&scalar)})))),
                Err(reason) => return Err(format!("{what}: {text}: {}", reason.name())),
            }
        }
        for &(id, text) in rejected {
            let what = self.what(name, id);
            if let Ok(scalar) = self.read(&what, text)? {
                return Err(format!("{what}: {text} is read as {scalar:x?}"));
            }
            match exactum_metadata::parse_fill_value(self.data_type, text) {
                Err(rejection) if rejection.clause == clauses[0] => {
                    made.push((id, text, Expect::reject(rejection.reason)));
                }
                other => return Err(format!("{what}: {} says no, but: {other:?}", clauses[0])),
            }
        }
        let request_of_group = request([
            ("op", "fill_value.parse".into()),
            ("data_type", self.data_type.name().into()),
        ]);
        let group = self.file.group(name, level, clauses, request_of_group);
        for (id, text, expect) in made {
            group.case(id, &[], request([("json", text.into())]), expect);
        }
        Ok(())
    }

    /// A group of elements and their canonical texts.
    fn format(&mut self, name: &str, elements: &[(&str, u128)]) -> Result<(), String> {
        let mut made = Vec::new();
        for &(id, bits) in elements {
            let scalar = Scalar::new(self.data_type, bits);
            let text = self.written(&self.what(name, id), &scalar)?;
            made.push((id, scalar, text));
        }
        let shared = request([
            ("op", "fill_value.format".into()),
            ("data_type", self.data_type.name().into()),
        ]);
        let group = self
            .file
            .group(name, Level::Ruling, &["fill_value.canonical"], shared);
        for (id, scalar, text) in made {
            let own = request([("bits", hex(&scalar).into())]);
            group.case(id, &[], own, Expect::ok(json!({"json": text})));
        }
        Ok(())
    }
}

fn hex(scalar: &Scalar) -> String {
    scalar
        .to_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Texts that are no JSON, whatever the data type; `number` is a text that the type accepts.
fn json(topic: &mut Topic, number: &str) -> Result<(), String> {
    let spaces = format!(" \t\r\n{number} \n");
    let rejected = [
        ("empty", String::new()),
        ("spaces", "  ".into()),
        ("two", format!("{number} {number}")),
        ("comma", format!("{number},")),
        ("byte-order-mark", format!("\u{feff}{number}")),
        ("comment", format!("{number} // fill")),
        ("nan", "NaN".into()),
        ("infinity", "-Infinity".into()),
        ("plus", "+1".into()),
        ("point-first", ".5".into()),
        ("point-last", "1.".into()),
        ("leading-zero", "01".into()),
        ("leading-zeros", "00".into()),
        ("negative-leading-zero", "-01".into()),
        ("minus-alone", "-".into()),
        ("underscore", "1_0".into()),
        ("wide-digit", "\u{ff11}".into()),
        ("exponent-empty", "1e".into()),
        ("hex", "0x10".into()),
        ("two-signs", "--1".into()),
        ("single-quotes", "'1'".into()),
        ("open-string", "\"NaN".into()),
        ("capital", "True".into()),
    ];
    let rejected: Vec<Text<'_>> = rejected
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    topic.parse(
        "parse-json",
        Level::Must,
        &["chain.json"],
        &[("plain", number), ("white-space", &spaces)],
        &rejected,
    )
}
