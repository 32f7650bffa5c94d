//! Rejections with their place in the text.

use std::ops::Range;

use exactum_model::{At, Reason, Rejection};

use crate::json::{self, Tree};

/// A rejection and where in the text to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong; its place is a JSON pointer.
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
    /// What stands there, in words.
    pub message: String,
}

/// Something that is not an error of the document, but that its author wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The clause that it concerns.
    pub clause: &'static str,
    /// What is remarkable, in words.
    pub message: String,
    /// What to do about it, in words.
    pub help: String,
    /// Where: a JSON pointer.
    pub pointer: String,
    /// The bytes of the text to underline.
    pub place: Range<usize>,
}

/// Results of reading; boxed, because the way of the error is the rare one.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

impl Diagnostic {
    /// Finds the place of a rejection whose JSON pointer was made elsewhere. A pointer that leads
    /// nowhere is placed at the last of its values that is there.
    #[must_use]
    pub fn locate(text: &str, rejection: Rejection) -> Self {
        let pointer = match &rejection.at {
            Some(At::Pointer(pointer)) => pointer.as_str(),
            _ => "",
        };
        let place = match Tree::scan(text, json::Attributes::Skipped) {
            Ok(tree) => tree.root().nearest(pointer).narrow_place(),
            Err(_) => 0..text.len(),
        };
        Self {
            rejection,
            place,
            related: Vec::new(),
        }
    }

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

/// A string of the document in a message: quoted, without control characters, and not as long as
/// documents may be.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

/// The first characters of a text.
pub(crate) fn shortened(text: &str) -> String {
    const KEPT: usize = 40;
    match text.char_indices().nth(KEPT) {
        None => text.to_owned(),
        Some(_) => {
            let head: String = text.chars().take(KEPT - 3).collect();
            format!("{head}...")
        }
    }
}

/// A list of names for a help text: `a, b and c`.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("\"{one}\""),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(|name| format!("\"{name}\"")).collect();
            format!("{} and \"{last}\"", head.join(", "))
        }
    }
}
