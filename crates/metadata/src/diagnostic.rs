//! Rejections with their place in the text.

use std::ops::Range;

use exactum_model::{At, Reason, Rejection};

/// A rejection, and the places in the text that it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rejection; its place is a JSON pointer.
    pub rejection: Rejection,
    /// The bytes of the text to underline.
    pub place: Range<usize>,
    /// Other places that belong to the fault.
    pub related: Vec<Related>,
}

/// Another place that belongs to a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The bytes of the text to underline.
    pub place: Range<usize>,
    /// The description of the value at the place.
    pub message: String,
}

/// Converts the rejection of something that is legal but not known here into a warning (chain.foreign).
impl From<Box<Diagnostic>> for Warning {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        let Rejection {
            message, help, at, ..
        } = diagnostic.rejection;
        Self {
            clause: "chain.foreign",
            message,
            help: help.unwrap_or_default(),
            pointer: match at {
                Some(At::Pointer(pointer)) => pointer,
                _ => String::new(),
            },
            place: diagnostic.place,
            is_note: false,
        }
    }
}

/// A finding that is not an error of the document, but that its author should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The clause that it concerns.
    pub clause: &'static str,
    /// The message.
    pub message: String,
    /// The advice.
    pub help: String,
    /// The place: a JSON pointer.
    pub pointer: String,
    /// The bytes of the text to underline.
    pub place: Range<usize>,
    /// Whether the warning is merely informative, so that nothing needs to be fixed.
    pub is_note: bool,
}

/// The warnings about a document. The first ones are listed and the others are only counted, since a document
/// may have millions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    /// The first warnings, in the order of the text.
    pub listed: Vec<Warning>,
    /// The number of further warnings.
    pub more: u64,
    /// Whether one of the warnings concerns something that is legal but unknown to Exactum, so that the
    /// document cannot be judged as a whole.
    pub foreign: bool,
}

impl Warnings {
    /// The maximum number of listed warnings.
    pub const MAX_LISTED: usize = 100;

    /// Returns the number of warnings.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.more + self.listed.len() as u64
    }

    /// Adds a warning about something that is legal but not known here.
    pub(crate) fn add_foreign(&mut self, warning: impl FnOnce() -> Warning) {
        self.foreign = true;
        self.add(warning);
    }

    /// Adds a note.
    pub(crate) fn add_note(&mut self, note: impl FnOnce() -> Warning) {
        self.add(|| Warning {
            is_note: true,
            ..note()
        });
    }

    /// Adds a warning. Its text is made only if it is listed.
    pub(crate) fn add(&mut self, warning: impl FnOnce() -> Warning) {
        if self.listed.len() < Self::MAX_LISTED {
            self.listed.push(warning());
        } else {
            self.more += 1;
        }
    }
}

/// The result of reading. The error is boxed because it is rare.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

impl Diagnostic {
    /// Returns a fault of the text itself, with the reason [`Reason::Metadata`].
    pub(crate) fn of_text(
        clause: &'static str,
        place: Range<usize>,
        message: impl Into<String>,
    ) -> Box<Self> {
        Box::new(Self {
            rejection: Rejection::new(Reason::Metadata, clause, message),
            place,
            related: Vec::new(),
        })
    }

    pub(crate) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.rejection = self.rejection.help(help);
        self
    }

    /// Underlines a place other than that of the value to which the pointer leads.
    pub(crate) fn placed(mut self: Box<Self>, place: Range<usize>) -> Box<Self> {
        self.place = place;
        self
    }

    pub(crate) fn related(
        mut self: Box<Self>,
        place: Range<usize>,
        message: impl Into<String>,
    ) -> Box<Self> {
        self.related.push(Related {
            place,
            message: message.into(),
        });
        self
    }
}

impl From<Box<Diagnostic>> for Rejection {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        diagnostic.rejection
    }
}
