//! The implementations that can read an array: the committed results and expectations for documents like the
//! one at hand.

mod alike;
mod features;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use alike::{has_codec, is_like};
use exactum_conformance::expectations::Kind;
use exactum_conformance::findings::Known;
use exactum_conformance::run::{Selection, request_of};
use exactum_conformance::{Call, Codec, Domain};
use exactum_metadata::ArrayDocument;
use exactum_model::{ArrayCodec, ArrayToBytes, Chain, DataType};
use features::{Features, Form, is_hex};
use serde_json::{Value, json};

use crate::source::Source;

/// The implementations that open documents, and the cases that show their faults.
pub(super) struct Readers {
    known: Vec<Known>,
    /// The failing cases about reading, by id.
    cases: HashMap<String, Case>,
}

/// A case that some implementation fails.
struct Case {
    call: Call,
    /// The features of the document, if the case is about a whole document.
    features: Option<Features>,
}

/// The way in which an implementation fails a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// A correct document or chunk was refused.
    Refused,
    /// The answer has different values.
    Different,
}

/// The answer of an implementation to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer {
    Reads,
    ReadsOtherValues,
    NotKnown,
    Refuses,
    Lacks,
}

impl Answer {
    /// Returns the name in JSON.
    fn name(self) -> &'static str {
        match self {
            Answer::Reads => "reads",
            Answer::ReadsOtherValues => "reads_other_values",
            Answer::NotKnown => "not_known",
            Answer::Refuses => "refuses",
            Answer::Lacks => "lacks",
        }
    }
}

/// The known facts about an implementation that may read an array.
pub(super) struct Reader {
    name: String,
    version: String,
    /// The codecs and data types that it lacks.
    lacks: Vec<String>,
    /// The codecs, data types and grids with which it was never tested.
    unasked: Vec<String>,
    /// Its known faults that can affect this document, each with the kind of failure and the number of cases
    /// that show it.
    faults: BTreeMap<(String, Kind), (Failure, usize)>,
}

/// A document from the point of view of its readers.
pub(super) struct Subject<'d> {
    features: Features,
    /// The document with its chain, if its elements are numbers.
    document: Option<&'d ArrayDocument>,
}

impl<'d> Subject<'d> {
    /// Describes a document for its readers. Returns nothing if none of them can parse its text.
    pub(super) fn of(bytes: &[u8], document: Option<&'d ArrayDocument>) -> Option<Self> {
        let mut features = Features::of(std::str::from_utf8(bytes).ok()?)?;
        // `UnusualJson` covers many notations, so that a case with one of them is not evidence about another.
        features.forms.remove(&Form::UnusualJson);
        Some(Self { features, document })
    }

    fn chain(&self) -> Option<&'d Chain> {
        self.document.map(|document| &document.chain)
    }

    /// Returns whether a case shows a fault that can affect this document.
    fn can_meet(&self, case: &Case) -> bool {
        match (&case.features, &case.call) {
            (Some(features), call) => self.is_like(features, call),
            (None, Call::Parse(data_type, text)) => {
                data_type.name() == self.features.data_type && self.has_fill_value(text)
            }
            (None, Call::Encode(codec, _) | Call::Decode(codec, _)) => {
                self.chain().is_some_and(|chain| has_codec(chain, codec))
            }
            _ => false,
        }
    }

    /// Returns whether the document of a case has no form and no codec that this document lacks. If its forms alone are
    /// not enough to explain a refusal, the data types, codecs and fill value must also be the same.
    fn is_like(&self, case: &Features, call: &Call) -> bool {
        let own = &self.features;
        let codecs = |name: &String| name == "bytes" || own.codecs.contains(name);
        if !case.forms.is_subset(&own.forms) || !case.codecs.iter().all(codecs) {
            return false;
        }
        if case.forms.iter().any(Form::is_enough) {
            return case.data_type == own.data_type
                || (is_registered(&case.data_type) && is_registered(&own.data_type));
        }
        let chain = match call {
            Call::Decode(Codec::Chain(chain), _) | Call::Resolve(chain) => Some(chain),
            Call::Validate(document) => match &document.chain {
                Ok(chain) => chain.as_ref(),
                Err(_) => return false,
            },
            _ => return false,
        };
        match chain.zip(self.chain()) {
            Some((theirs, chain)) => {
                let is_read = matches!(call, Call::Decode(..));
                is_like(theirs, chain) && (is_read || case.fill_value == own.fill_value)
            }
            None => chain.is_none() && case.data_type == own.data_type && case.codecs == own.codecs,
        }
    }

    /// Returns whether a text is the fill value, or one of the same kind.
    fn has_fill_value(&self, text: &str) -> bool {
        let is_hex = |text: &str| serde_json::from_str(text).is_ok_and(|value| is_hex(&value));
        let own = self.features.fill_value.as_str();
        match is_hex(text) {
            true => is_hex(own) && is_nan(text) == is_nan(own),
            false => text == own,
        }
    }
}

/// Returns whether a data type is one of the numeric types that any implementation can have.
fn is_registered(data_type: &str) -> bool {
    let number = data_type.parse::<DataType>();
    number.is_ok_and(DataType::is_registered)
}

/// Returns whether the hex digits of a float begin with an exponent of which all bits are set.
fn is_nan(text: &str) -> bool {
    let digits = text.trim_matches('"').to_ascii_lowercase();
    ["0x7f", "0xff", "0x7e", "0x7c", "0xfe", "0xfc"]
        .iter()
        .any(|start| digits.starts_with(start))
}

impl Readers {
    /// Reads the known results.
    ///
    /// # Errors
    /// If vectors, expectations or results cannot be read.
    pub(super) fn find() -> Result<Self, String> {
        let source = Source::find(None);
        let mut known = source.known()?;
        // An implementation that only casts, or only checks documents, does not read arrays.
        known.retain(|known| arrays(known).is_some());
        let entries = known.iter().flat_map(|known| &known.expectations.entries);
        let failing: BTreeSet<&String> = entries.flat_map(|entry| entry.answers.keys()).collect();
        let suite = source.suite()?;
        let mut cases = HashMap::new();
        for (group, case, id) in Selection::default().cases(&suite) {
            if !failing.contains(&id) {
                continue;
            }
            let request = request_of(group, case)?;
            // A request that is rejected from the start does not concern an array.
            if let Ok(call) = request.call() {
                let text = request
                    .text("document")
                    .or_else(|| request.text("metadata"));
                let features = text.and_then(Features::of);
                // A document that cannot be described is not like any other.
                if text.is_none() || features.is_some() {
                    let call = call.clone();
                    cases.insert(id, Case { call, features });
                }
            }
        }
        Ok(Self { known, cases })
    }

    /// Returns the names of the implementations that may read arrays.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|known| known.name.as_str())
    }

    /// Returns the known facts about the implementations that may read a document.
    pub(super) fn of(&self, subject: &Subject<'_>) -> Vec<Reader> {
        self.known
            .iter()
            .filter_map(|known| self.reader(known, subject))
            .collect()
    }

    fn reader(&self, known: &Known, subject: &Subject<'_>) -> Option<Reader> {
        let results = known.results.as_ref()?;
        let taken = arrays(known)?;
        let is_in = |names: &[Value], name: &str| names.iter().any(|taken| taken == name);
        let features = &subject.features;
        // If an implementation is tested only on arrays with certain codecs, its answers for arrays with other codecs
        // are not known.
        if let Some(some) = taken.get("some_codec")
            && !features.codecs.iter().any(|name| is_in(some, name))
        {
            return None;
        }
        let verdicts: HashMap<&str, &str> = results
            .failures
            .iter()
            .map(|failed| (failed.case.as_str(), failed.verdict.as_str()))
            .collect();
        let mut faults: BTreeMap<(String, Kind), (Failure, usize)> = BTreeMap::new();
        for entry in &known.expectations.entries {
            for id in entry.answers.keys() {
                let Some(case) = self.cases.get(id) else {
                    continue;
                };
                let verdict = verdicts.get(id.as_str()).copied().unwrap_or_default();
                let Some(failure) = failure(case, verdict, entry.kind) else {
                    continue;
                };
                if subject.can_meet(case) {
                    let key = (entry.fault.clone(), entry.kind);
                    let (worst, count) = faults.entry(key).or_insert((failure, 0));
                    *count += 1;
                    if failure == Failure::Refused {
                        *worst = failure;
                    }
                }
            }
        }
        let (mut lacks, mut unasked) = (Vec::new(), Vec::new());
        let rows = rows(&features.codecs);
        for name in &features.codecs {
            let row = rows.iter().find(|(row, _)| row == name);
            let is_asked = taken.get("codecs").is_none_or(|all| is_in(all, name));
            match row {
                Some((_, clauses)) if !is_asked || !offers(known, clauses) => {
                    lacks.push(name.clone());
                }
                None if !is_asked => unasked.push(name.clone()),
                _ => {}
            }
        }
        for name in data_types(features, subject.chain()) {
            let is_number = name.parse::<DataType>().is_ok();
            match taken.get("data_types") {
                Some(taken) if is_number && !is_in(taken, &name) => lacks.push(name),
                _ if !is_number && !offers(known, &[clause_of(&name)]) => unasked.push(name),
                _ => {}
            }
        }
        let is_rectilinear = features.forms.contains(&Form::Grid("rectilinear".into()));
        if is_rectilinear && !offers(known, &["chain.grid.rectilinear"]) {
            unasked.push("rectilinear grids".into());
        }
        Some(Reader {
            name: known.name.clone(),
            version: results.implementation.version.clone(),
            lacks,
            unasked,
            faults,
        })
    }
}

/// Returns how a case about reading fails, or nothing if the case is about writing, or if it accepts invalid
/// input.
fn failure(case: &Case, verdict: &str, kind: Kind) -> Option<Failure> {
    let failure = match verdict {
        "wrong value" => Failure::Different,
        "accepted but must reject" => return None,
        _ => Failure::Refused,
    };
    match (&case.call, failure) {
        // If writing is refused as unsupported, the feature may be missing altogether.
        (Call::Encode(..), Failure::Refused) if kind == Kind::Unsupported => Some(failure),
        (Call::Encode(..) | Call::Format(_), _) => None,
        // The case reads a single chunk, or some of its elements.
        (Call::Decode(codec, _), Failure::Refused)
            if kind != Kind::Unsupported && !matches!(codec, Codec::Chain(_)) =>
        {
            Some(Failure::Different)
        }
        // The fill value after the first codec is that of absent chunks in shards.
        (Call::Resolve(chain), Failure::Different) => {
            let is_shard = matches!(chain.pipeline.array_to_bytes, ArrayToBytes::Sharding { .. });
            is_shard.then_some(failure)
        }
        _ => Some(failure),
    }
}

/// Returns the arrays that an implementation reads.
fn arrays(known: &Known) -> Option<&Domain> {
    known.results.as_ref()?.arrays.as_ref()
}

/// Returns whether an implementation was tested on clauses whose ids begin with one of these texts.
fn offers(known: &Known, beginnings: &[&str]) -> bool {
    known.results.as_ref().is_some_and(|results| {
        let mut clauses = results.clauses.keys();
        clauses.any(|clause| beginnings.iter().any(|it| clause.starts_with(it)))
    })
}

/// Returns the clause about a data type whose elements are not numbers.
fn clause_of(data_type: &str) -> &'static str {
    match data_type {
        "numpy.datetime64" | "numpy.timedelta64" => "data_type.time",
        "fixed_length_utf32" => "data_type.utf32",
        "struct" | "structured" => "data_type.struct",
        "string" => "fill_value.string",
        "bytes" => "fill_value.bytes",
        _ => "data_type.raw",
    }
}

/// The name of a codec, and the beginnings of the ids of the clauses on which every implementation that has the codec
/// is tested.
type Row = (&'static str, &'static [&'static str]);

/// The codecs with rows of their own.
const ROWS: [Row; 8] = [
    ("bitround", &["bitround."]),
    ("bytes", &["bytes."]),
    ("cast_value", &["cast_value."]),
    (
        "numcodecs.fixedscaleoffset",
        &["scale_offset.legacy.encode", "scale_offset.legacy.decode"],
    ),
    ("numcodecs.bitround", &["bitround."]),
    ("packbits", &["packbits."]),
    (
        "scale_offset",
        &["scale_offset.encode", "scale_offset.decode"],
    ),
    ("zfp", &["zfp."]),
];

/// Returns the entries of [`ROWS`] for some codecs.
fn rows(codecs: &BTreeSet<String>) -> Vec<Row> {
    let rows = ROWS.into_iter();
    rows.filter(|(name, _)| codecs.contains(*name)).collect()
}

/// Returns the data types that a document names: that of the array, and those of casts.
fn data_types(features: &Features, chain: Option<&Chain>) -> Vec<String> {
    let mut named = vec![features.data_type.clone()];
    let steps = chain.map(|chain| chain.pipeline.all_array_to_array());
    for step in steps.into_iter().flatten() {
        if let ArrayCodec::CastValue(cast) = &step.codec {
            named.push(cast.encoded.name().to_owned());
        }
    }
    named.dedup();
    named
}

impl Reader {
    fn answer(&self) -> Answer {
        let faults = || self.faults.values();
        let refuses = faults().any(|(failure, _)| *failure == Failure::Refused);
        match (self.lacks.is_empty(), self.unasked.is_empty()) {
            (false, _) => Answer::Lacks,
            _ if refuses => Answer::Refuses,
            (_, false) => Answer::NotKnown,
            _ if self.faults.is_empty() => Answer::Reads,
            _ => Answer::ReadsOtherValues,
        }
    }

    /// Returns why the implementation does not read the document correctly, or nothing if it does.
    pub(super) fn objection(&self) -> Option<String> {
        (self.answer() != Answer::Reads).then(|| self.words())
    }

    /// Returns the name by which commands refer to the implementation.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn document(&self) -> Value {
        let faults = self.faults.iter().map(
            |((fault, kind), (_, cases))| json!({"fault": fault, "kind": kind.name(), "cases": cases}),
        );
        json!({
            "name": self.name,
            "version": self.version,
            "answer": self.answer().name(),
            "lacks": self.lacks,
            "not_asked": self.unasked,
            "faults": faults.collect::<Value>(),
        })
    }

    /// Returns the answer as text.
    fn words(&self) -> String {
        let faults = |wanted: Failure| {
            let faults = self.faults.iter();
            let of_kind = faults.filter(|(_, (failure, _))| *failure == wanted);
            let faults = of_kind.map(|((fault, kind), _)| match kind {
                Kind::SpecDispute => format!("{fault} (a different reading of the text)"),
                _ => fault.clone(),
            });
            faults.collect::<Vec<_>>().join("; ")
        };
        match self.answer() {
            Answer::Reads => "reads it".into(),
            Answer::ReadsOtherValues => {
                format!(
                    "reads other values in some cases: {}",
                    faults(Failure::Different)
                )
            }
            Answer::NotKnown => format!(
                "not known: no case was run for {}",
                self.unasked.join(" and ")
            ),
            Answer::Refuses => format!("refuses it: {}", faults(Failure::Refused)),
            Answer::Lacks => format!("lacks {}", self.lacks.join(" and ")),
        }
    }
}

/// Returns the readers as JSON.
pub(super) fn document(readers: &[Reader]) -> Value {
    readers.iter().map(Reader::document).collect()
}

/// Returns the readers as text.
pub(super) fn words(readers: &[Reader]) -> String {
    let mut text = String::from("  readers, according to the committed results:\n");
    for reader in readers {
        let _ = writeln!(
            text,
            "    {} {}: {}",
            reader.name,
            reader.version,
            reader.words()
        );
    }
    text
}

#[cfg(test)]
mod tests;
