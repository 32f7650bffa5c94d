//! Rejections with their place in the text.

use std::ops::Range;

use exactum_model::{At, Reason, Rejection};

/// A rejection and where in the text to look.
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

/// Takes a rejection of what is legal, but not known here, for a warning (chain.foreign).
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

/// Something that is not an error of the document, but that its author wants to know.
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
    /// Whether it merely informs: there is nothing to mend.
    pub is_note: bool,
}

/// The warnings about a document. The first ones are listed and the others only counted, since a document may
/// have millions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    /// The first of them, in the order of the text.
    pub listed: Vec<Warning>,
    /// The number of further warnings.
    pub more: u64,
    /// Whether one of them is about something that is legal and that Exactum does not know, so that
    /// the document cannot be judged as a whole.
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

    /// Adds a warning about something that is legal and not known here.
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

    /// Adds a warning, which is made where it is listed.
    pub(crate) fn add(&mut self, warning: impl FnOnce() -> Warning) {
        if self.listed.len() < Self::MAX_LISTED {
            self.listed.push(warning());
        } else {
            self.more += 1;
        }
    }
}

/// Results of reading; boxed, because the way of the error is the rare one.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

impl Diagnostic {
    /// A fault of the text itself: reason [`Reason::Metadata`].
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

    /// Underlines another place than that of the value which the pointer names.
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
