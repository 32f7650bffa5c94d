//! Reports about a proof: text for people, and JSON for programs.

use std::fmt::Write as _;

use exactum_exact::Exact;
use exactum_metadata::sds::number_to_json;
use exactum_reference::analysis::{self, Fault, FaultKind, Owner, Special, WorstError};
use serde_json::{Value, json};

use super::{Kept, Proof, Verdict, comes_back};
use crate::number::{self, shown};

/// The number of faults that are reported as text; further ones are only counted.
const SHOWN: usize = 20;

impl Proof<'_> {
    /// Returns a value of the array as text.
    pub(super) fn value(&self, bits: u64) -> String {
        shown(self.chain.data_type, bits)
    }

    /// Returns an end of the range as text; the sign of a zero does not matter.
    fn end(&self, bits: u64) -> String {
        let float = self.chain.data_type.format().float();
        self.value(match float {
            Some(format) if format.is_zero(bits) => 0,
            _ => bits,
        })
    }

    fn code(&self, bits: u64) -> String {
        shown(self.analysis.stored, bits)
    }

    /// Returns the name of a codec and its place.
    fn codec(&self, index: usize) -> (String, Option<String>) {
        match self.chain.pipeline.all_array_to_array().nth(index) {
            Some(step) => (step.name.clone(), Some(step.pointer.clone())),
            None => ("packbits".into(), None),
        }
    }

    /// Returns the error and its place as JSON.
    fn error_document(&self, error: &WorstError) -> Value {
        let number = |value: &Exact| match value {
            Exact::Infinite { .. } => Value::from("Infinity"),
            value => number_to_json(number::above(value)),
        };
        json!({
            "bound": number(&error.bound),
            "exact": error.is_exact(),
            "value": error.shown.as_ref().map(|(bits, _)| self.value(*bits)),
            "error": error.shown.as_ref().map(|(_, error)| number(error)),
        })
    }

    /// Returns the proof as JSON.
    #[must_use]
    pub fn document(&self) -> Value {
        let analysis = &self.analysis;
        let limit = |limit: &Option<Exact>| {
            let limit = limit.as_ref();
            limit.map(|limit| number_to_json(number::nearest(limit)))
        };
        json!({
            "verdict": self.verdict().name(),
            "proved": self.verdict() == Verdict::Proved,
            "max_error": limit(&self.tolerance.absolute),
            "max_relative_error": limit(&self.tolerance.relative),
            "largest_relative_error": self.relative.as_ref().map(|error| self.error_document(error)),
            "complete": analysis.complete,
            "data_type": self.chain.data_type.name(),
            "range": self.range.map(|bits| self.end(bits)),
            "stored": {
                "data_type": analysis.stored.name(),
                "codes": analysis.codes.map(|codes| codes.map(|bits| self.code(bits))),
            },
            "largest_error": analysis.error.as_ref().map(|error| self.error_document(error)),
            "faults": analysis.faults.iter().map(|fault| self.fault_document(fault)).collect::<Value>(),
            "specials": analysis.specials.iter().map(|it| self.special_document(it)).collect::<Value>(),
            "unmet": self.unmet.iter().map(|it| self.value(it.value)).collect::<Value>(),
            "missing": self.missing.iter().map(|it| self.value(it.value)).collect::<Value>(),
            "lost": analysis.lost.map(|lost| json!({
                "codes": lost.codes.map(|bits| self.code(bits)),
                "value": self.value(lost.value),
            })),
        })
    }

    fn fault_document(&self, fault: &Fault) -> Value {
        let (codec, pointer) = self.codec(fault.codec);
        let put = analysis::put(&self.one, fault.first);
        let stored = put.as_ref().ok();
        let back = stored.and_then(|stored| stored.back.as_ref().ok());
        json!({
            "kind": fault_name(&fault.kind),
            "codec": codec,
            "pointer": pointer,
            "first": self.value(fault.first),
            "last": self.value(fault.last),
            "code": stored.map(|stored| self.code(stored.code)),
            "read_back": back.map(|bits| self.value(*bits)),
            "reserved_for": match fault.kind {
                FaultKind::Reserved { owner, .. } => Some(self.owner(owner)),
                _ => None,
            },
        })
    }

    fn special_document(&self, special: &Special) -> Value {
        match &special.outcome {
            Ok(stored) => json!({
                "value": self.value(special.value),
                "code": self.code(stored.code),
                "read_back": stored.back.as_ref().ok().map(|bits| self.value(*bits)),
            }),
            Err(rejection) => json!({
                "value": self.value(special.value),
                "rejected": rejection.message,
                "clause": rejection.clause,
            }),
        }
    }

    /// Returns the sentence with the result.
    fn headline(&self) -> String {
        let analysis = &self.analysis;
        let [least, greatest] = self.range.map(|bits| self.end(bits));
        match self.verdict() {
            Verdict::Proved => format!(
                "proved: every value from {least} to {greatest} stays within the range of {} \
                 and avoids all reserved codes",
                analysis.stored
            ),
            Verdict::Undecided if analysis.is_proof() => format!(
                "not decided: every value from {least} to {greatest} survives, but it is not known \
                 whether the error stays within the allowed limit"
            ),
            Verdict::Undecided => {
                format!("not decided: there are too many cases between {least} and {greatest}")
            }
            Verdict::Refuted if analysis.is_proof() && !self.missing.is_empty() => {
                format!("refuted: readers of CF do not get every value from {least} to {greatest}")
            }
            Verdict::Refuted if analysis.is_proof() && self.unmet.is_empty() => format!(
                "refuted: not every value from {least} to {greatest} is read back within the allowed error"
            ),
            Verdict::Refuted => {
                format!("refuted: not every value from {least} to {greatest} survives")
            }
        }
    }

    /// Describes what is known about an error.
    fn error_words(&self, error: &WorstError) -> String {
        let bound = error_figure(&error.bound);
        let shown = error.shown.as_ref();
        match shown.map(|(bits, error)| (self.value(*bits), error_figure(error))) {
            Some((value, _)) if error.is_exact() => format!("{bound}, at {value}"),
            Some((value, error)) => format!("at most {bound}; at {value}, it is {error}"),
            None => format!("at most {bound}"),
        }
    }

    /// Describes a value whose error is too large.
    fn excess(&self, what: &str, kept: &Kept, limit: Option<&Exact>) -> Option<String> {
        let Kept::Exceeded(value, error) = kept else {
            return None;
        };
        let stored = analysis::put(&self.one, *value).ok()?;
        let back = stored.back.ok()?;
        Some(format!(
            "  {} is stored as {} and read back as {}: {what} of {}, but {} is allowed\n",
            self.value(*value),
            self.code(stored.code),
            self.value(back),
            error_figure(error),
            limit.map(number::figure).unwrap_or_default(),
        ))
    }

    /// Returns the report as text.
    pub fn words(&self) -> String {
        let analysis = &self.analysis;
        let mut text = self.headline();
        text.push('\n');
        for fault in analysis.faults.iter().take(SHOWN) {
            text.push_str(&self.fault(fault));
        }
        if let Some(more) = analysis.faults.len().checked_sub(SHOWN + 1) {
            let _ = writeln!(text, "  ... and {} more", more + 1);
        }
        for special in &self.unmet {
            let _ = writeln!(
                text,
                "  {} is not read back as itself",
                self.value(special.value)
            );
        }
        for missing in &self.missing {
            let _ = writeln!(
                text,
                "  readers of CF treat {} as missing, because of {}",
                self.value(missing.value),
                missing.attribute
            );
        }
        let tolerance = &self.tolerance;
        let excesses = [
            self.excess(
                "an error",
                &self.absolute_kept(),
                tolerance.absolute.as_ref(),
            ),
            self.excess(
                "a relative error",
                &self.relative_kept(),
                tolerance.relative.as_ref(),
            ),
        ];
        text.extend(excesses.into_iter().flatten());
        let mut line = |name: &str, what: String| {
            let _ = writeln!(text, "  {name:<15}{what}");
        };
        if let Some([least, greatest]) = analysis.codes {
            let (least, greatest) = (self.code(least), self.code(greatest));
            line(
                "codes",
                format!("{least} to {greatest} of {}", analysis.stored),
            );
        }
        if let Some(error) = &analysis.error {
            line("largest error", self.error_words(error));
        }
        if let Some(error) = &self.relative {
            line("relative error", self.error_words(error));
        }
        for special in &analysis.specials {
            line(&self.value(special.value), self.special(special));
        }
        if let Some(lost) = analysis.lost {
            let [a, b] = lost.codes.map(|bits| self.code(bits));
            let why = format!(
                "{} has too few digits: {a} and {b} are both read back as {}",
                self.chain.data_type,
                self.value(lost.value)
            );
            line("lost codes", why);
        }
        text
    }

    /// Returns the values of a fault.
    fn values(&self, fault: &Fault) -> String {
        let first = self.value(fault.first);
        match fault.first == fault.last {
            true => first,
            false => format!("{first} to {}", self.value(fault.last)),
        }
    }

    /// Returns the values of a fault, and what happens to them.
    pub(super) fn short_fault(&self, fault: &Fault) -> String {
        let (name, pointer) = self.codec(fault.codec);
        let codec = match pointer {
            Some(pointer) => format!("{name} ({pointer})"),
            None => name,
        };
        let what = match fault.kind {
            FaultKind::Rejected => format!("rejected by {codec}"),
            FaultKind::Clamped => format!("out of range and clamped by {codec}"),
            FaultKind::Wrapped => format!("out of range and wrapped around by {codec}"),
            FaultKind::Reserved { code, owner } => format!(
                "stored as {}, the code of {}{}",
                self.code(code),
                self.owner(owner),
                match self.leads_there(fault) {
                    Some(how) => format!(", since they are {how}"),
                    None => String::new(),
                }
            ),
            FaultKind::KeyLost { code } => format!(
                "stored as {}, the code of a key in scalar_map.encode of {codec}, which is not read back as the key",
                self.code(code)
            ),
            FaultKind::ReadWrapped => format!("wrapped around by {codec} when they are read"),
            FaultKind::Unreadable => format!("stored, and rejected by {codec} when they are read"),
            FaultKind::NotFinite => "stored, and not read back as a number".into(),
        };
        format!("{}: {what}", self.values(fault))
    }

    /// Returns a fault with a value that shows it.
    fn fault(&self, fault: &Fault) -> String {
        let first = self.value(fault.first);
        let shows = match analysis::put(&self.one, fault.first) {
            Ok(stored) => {
                let back = match &stored.back {
                    Ok(bits) => format!("read back as {}", self.value(*bits)),
                    Err(rejection) => format!("not read back: {rejection}"),
                };
                format!("{first} is stored as {} and {back}", self.code(stored.code))
            }
            Err(rejection) => format!("{first}: {rejection}"),
        };
        format!("  {}\n    {shows}\n", self.short_fault(fault))
    }

    /// Returns how values out of range get a reserved code.
    fn leads_there(&self, fault: &Fault) -> Option<&'static str> {
        let order = |bits| exactum_exact::Exact::from_bits(&self.chain.data_type.format(), bits);
        let is_in = |other: &&Fault| {
            let at = order(fault.first);
            let after = order(other.first).compare(&at);
            let before = at.compare(&order(other.last));
            after.is_some_and(std::cmp::Ordering::is_le)
                && before.is_some_and(std::cmp::Ordering::is_le)
        };
        let mut others = self.analysis.faults.iter().filter(is_in);
        others.find_map(|other| match other.kind {
            FaultKind::Clamped => Some("clamped"),
            FaultKind::Wrapped => Some("wrapped around"),
            _ => None,
        })
    }

    fn owner(&self, owner: Owner) -> String {
        let input_of = |codec: usize, bits: u64, encodes: bool| {
            let step = self.chain.pipeline.all_array_to_array().nth(codec);
            let types = step.and_then(|step| step.codec.data_types());
            let decoded = types.map_or(self.chain.data_type, |(decoded, _)| decoded);
            let map = if encodes { "encode" } else { "decode" };
            format!("{} in scalar_map.{map}", shown(decoded, bits))
        };
        match owner {
            Owner::Special(bits) => self.value(bits),
            Owner::Fill => format!(
                "the fill value {}",
                self.value(self.chain.fill_value.component(0))
            ),
            Owner::EncodeKey { codec, input } => input_of(codec, input, true),
            Owner::DecodeKey { codec, output } => input_of(codec, output, false),
        }
    }

    fn special(&self, special: &Special) -> String {
        match &special.outcome {
            Ok(stored) => match &stored.back {
                Ok(_) if comes_back(self.chain.data_type, special) => self.code(stored.code),
                Ok(back) => format!(
                    "{}, read back as {}",
                    self.code(stored.code),
                    self.value(*back)
                ),
                Err(rejection) => {
                    format!("{}, not read back: {rejection}", self.code(stored.code))
                }
            },
            Err(rejection) => format!("rejected ({})", rejection.clause),
        }
    }
}

/// Returns an error as a binary64 number that is not below it.
pub fn error_figure(error: &Exact) -> String {
    match error {
        Exact::Infinite { .. } => "Infinity".into(),
        error => shown(exactum_model::DataType::Float64, number::above(error)),
    }
}

/// Returns the name of a fault in JSON.
#[must_use]
pub fn fault_name(fault: &FaultKind) -> &'static str {
    match fault {
        FaultKind::Rejected => "rejected",
        FaultKind::Clamped => "clamped",
        FaultKind::Wrapped => "wrapped",
        FaultKind::Reserved { .. } => "reserved",
        FaultKind::KeyLost { .. } => "key_lost",
        FaultKind::ReadWrapped => "read_wrapped",
        FaultKind::Unreadable => "unreadable",
        FaultKind::NotFinite => "not_finite",
    }
}
