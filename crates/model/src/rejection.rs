//! Rejections: the result of an operation on bad input.

use alloc::string::String;
use core::fmt;

macro_rules! reasons {
    ($($variant:ident $name:literal $meaning:literal;)*) => {
        /// The reason for a rejection. The list of reasons is closed, and is published in `vectors/reasons.json`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Reason { $(#[doc = $meaning] $variant,)* }

        impl Reason {
            /// Every reason.
            pub const ALL: &[Reason] = &[$(Reason::$variant),*];

            /// Returns the name of the reason in vectors and in the protocol.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Reason::$variant => $name,)* }
            }

            /// Returns the meaning of the reason, in one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Reason::$variant => $meaning,)* }
            }
        }
    };
}

reasons! {
    OutOfRange "out_of_range" "A value lies outside the range of its data type after rounding.";
    NotANumber "not_a_number" "The result is NaN, but the data type has no NaN, or an operation is invalid.";
    NotFinite "not_finite" "The result is an infinity, but the data type has none.";
    Inexact "inexact" "The data type cannot represent the exact result, and no rounding is defined.";
    FillValue "fill_value" "A fill value cannot be read, cannot be transformed, or does not survive its round trip.";
    Metadata "metadata" "A document or a configuration violates a rule.";
    UnsupportedDataType "unsupported_data_type" "The data type is unknown, or the operation is not defined for it.";
    UnsupportedCodec "unsupported_codec" "Only the name of the codec is known, so its bytes cannot be computed.";
    Shape "shape" "A shape, a rank, a permutation or a chunk does not match the array.";
    Truncated "truncated" "There are fewer or more bytes than the shape requires.";
    Padding "padding" "The padding count or the padding bits are wrong.";
    Scaling "scaling" "A scaling is missing, contradictory or unusable.";
}

/// A place in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// An element, by its index in C order.
    Element(u64),
    /// A JSON pointer into the document or configuration.
    Pointer(String),
}

/// The refusal of bad input, as a value instead of a panic.
///
/// ```
/// use exactum_model::{At, Reason, Rejection};
///
/// let rejection = Rejection::new(Reason::OutOfRange, "cast_value.range.error", "300 exceeds uint8")
///     .help("clamp it")
///     .at_element(7)
///     .at_pointer("/ignored/since/it/has/a/place");
/// assert_eq!(rejection.at, Some(At::Element(7)));
/// assert_eq!(rejection.reason.name(), "out_of_range");
/// assert!(rejection.reason.meaning().starts_with("A value"));
/// assert_eq!(rejection.to_string(), "300 exceeds uint8 (cast_value.range.error)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Rejection {
    /// The reason, from a closed list.
    pub reason: Reason,
    /// The clause that demands the rejection, such as `cast_value.special.nan-error`.
    pub clause: &'static str,
    /// The message, which says what is wrong.
    pub message: String,
    /// A hint on how to fix it.
    pub help: Option<String>,
    /// The place in the input, if it is known.
    pub at: Option<At>,
}

impl Rejection {
    /// Creates a rejection without a place.
    pub fn new(reason: Reason, clause: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason,
            clause,
            message: message.into(),
            help: None,
            at: None,
        }
    }

    /// Adds a hint on how to fix it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the place to an element, unless a place is already set.
    pub fn at_element(mut self, index: u64) -> Self {
        self.at.get_or_insert(At::Element(index));
        self
    }

    /// Sets the place to a JSON pointer, unless a place is already set.
    pub fn at_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.at.get_or_insert_with(|| At::Pointer(pointer.into()));
        self
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.clause)
    }
}

impl core::error::Error for Rejection {}
