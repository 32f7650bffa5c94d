//! Findings in a text, and the report about a document.

use std::collections::BTreeMap;
use std::ops::Range;

use exactum_model::{At, Reason, Rejection};
use serde::{Serialize, Serializer};
use serde_json::json;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The document is rejected.
    Error,
    /// The document passes.
    Warning,
    /// The document passes, and nothing needs to be fixed.
    Note,
}

impl Severity {
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A finding, and the places in the text that it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The clause, the message and the advice; the place is a JSON pointer.
    pub rejection: Rejection,
    /// The bytes of the text to underline.
    pub place: Range<usize>,
    /// Other places that belong to the finding.
    pub related: Vec<Related>,
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The bytes of the text to underline.
    pub place: Range<usize>,
    /// The description of the value at the place.
    pub message: String,
}

/// The result of reading. The error is boxed because it is rare.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

impl Diagnostic {
    /// Creates an error at a place of the text.
    #[must_use]
    pub fn new(rejection: Rejection, place: Range<usize>) -> Self {
        Self {
            severity: Severity::Error,
            rejection,
            place,
            related: Vec::new(),
        }
    }

    /// Creates a warning at a place of the text.
    #[must_use]
    pub fn warning(rejection: Rejection, place: Range<usize>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::new(rejection, place)
        }
    }

    /// Returns the JSON pointer of the place.
    #[must_use]
    pub fn pointer(&self) -> &str {
        match &self.rejection.at {
            Some(At::Pointer(pointer)) => pointer,
            _ => "",
        }
    }

    /// Returns a fault of the text itself, with the reason [`Reason::Metadata`].
    pub(crate) fn of_text(
        clause: &'static str,
        place: Range<usize>,
        message: impl Into<String>,
    ) -> Box<Self> {
        let rejection = Rejection::new(Reason::Metadata, clause, message);
        Box::new(Self::new(rejection, place))
    }

    pub(crate) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.rejection = self.rejection.help(help);
        self
    }

    /// Sets a pointer that differs from that of the value at the place.
    pub(crate) fn at(mut self: Box<Self>, pointer: impl Into<String>) -> Box<Self> {
        self.rejection.at = Some(At::Pointer(pointer.into()));
        self
    }

    /// Sets a place to underline that differs from that of the value at the pointer.
    pub(crate) fn placed(mut self: Box<Self>, place: Range<usize>) -> Box<Self> {
        self.place = place;
        self
    }

    /// Adds another place that belongs to the finding.
    pub(crate) fn related(
        mut self: Box<Self>,
        place: Range<usize>,
        message: impl Into<String>,
    ) -> Box<Self> {
        let message = message.into();
        self.related.push(Related { place, message });
        self
    }
}

impl From<Box<Diagnostic>> for Rejection {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        diagnostic.rejection
    }
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let related = self
            .related
            .iter()
            .map(|it| json!({"start": it.place.start, "end": it.place.end, "message": it.message}));
        let diagnostic = json!({
            "severity": self.severity.name(),
            "reason": self.rejection.reason.name(),
            "clause": self.rejection.clause,
            "message": self.rejection.message,
            "help": self.rejection.help,
            "pointer": self.pointer(),
            "start": self.place.start,
            "end": self.place.end,
            "related": related.collect::<Vec<_>>(),
        });
        diagnostic.serialize(serializer)
    }
}

/// The findings in a document. The first ones are listed and the others are only counted, since a document may
/// have millions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The first errors, and the first warnings and notes, in the order of the text.
    pub listed: Vec<Diagnostic>,
    /// The number of further errors for each clause that they break.
    pub more_errors: BTreeMap<&'static str, u64>,
    /// The number of further warnings and notes.
    pub more_warnings: u64,
    /// Whether a warning concerns something that is legal but unknown to Exactum, so that the document cannot
    /// be judged as a whole.
    pub foreign: bool,
}

impl Report {
    /// The maximum number of listed errors, and of listed warnings.
    pub const MAX_LISTED: usize = 100;

    /// Returns the number of findings that are not listed.
    #[must_use]
    pub fn more(&self) -> u64 {
        self.more_errors.values().sum::<u64>() + self.more_warnings
    }

    /// Returns the number of findings.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.more() + self.listed.len() as u64
    }

    /// Returns whether the list is full, so that further findings are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.listed.len() == Self::MAX_LISTED
    }

    /// Adds an error to a report about errors.
    pub(crate) fn add_error(&mut self, error: Diagnostic) {
        match self.is_full() {
            true => *self.more_errors.entry(error.rejection.clause).or_default() += 1,
            false => self.listed.push(error),
        }
    }

    /// Adds a warning to a report about warnings. The warning is created only if it is listed.
    pub(crate) fn add_warning(&mut self, warning: impl FnOnce() -> Box<Diagnostic>) {
        self.add(Severity::Warning, warning);
    }

    /// Adds a warning about something that is legal but not known here (chain.foreign).
    pub(crate) fn add_foreign(&mut self, warning: impl FnOnce() -> Box<Diagnostic>) {
        self.foreign = true;
        self.add_warning(warning);
    }

    /// Adds a note.
    pub(crate) fn add_note(&mut self, note: impl FnOnce() -> Box<Diagnostic>) {
        self.add(Severity::Note, note);
    }

    fn add(&mut self, severity: Severity, finding: impl FnOnce() -> Box<Diagnostic>) {
        if self.is_full() {
            self.more_warnings += 1;
        } else {
            self.listed.push(Diagnostic {
                severity,
                ..*finding()
            });
        }
    }

    /// Sorts the findings by their places in the text.
    pub(crate) fn sorted(mut self) -> Self {
        self.listed.sort_by_key(|finding| finding.place.start);
        self
    }
}

impl From<Box<Diagnostic>> for Report {
    fn from(error: Box<Diagnostic>) -> Self {
        let mut report = Self::default();
        report.add_error(*error);
        report
    }
}

/// Keeps the first error.
impl From<Report> for Rejection {
    fn from(report: Report) -> Self {
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        let first = report.listed.into_iter().find(is_error);
        first.map_or_else(
            || Rejection::new(Reason::Metadata, "chain.members", "there are no errors"),
            |it| it.rejection,
        )
    }
}
