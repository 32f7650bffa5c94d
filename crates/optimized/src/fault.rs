//! Faults whose messages are formatted lazily. A rejected element costs no more than an accepted one, even
//! while a table of all elements is built.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use exactum_model::{At, DataType, Reason, Rejection, Rounding};

use crate::text::Value;

/// The internal error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    pub(crate) clause: &'static str,
    /// The first element at fault.
    pub(crate) element: Option<u64>,
    message: Message,
}

/// The description of the fault, with the numbers that the message contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// A message without numbers.
    Fixed(&'static str),
    OtherType {
        actual: DataType,
        expected: DataType,
    },
    NotReal(DataType),
    /// Buffers of two data types with different numbers of elements.
    Lengths([(DataType, usize); 2]),
    TooLarge(Vec<u64>),
    OtherShape {
        actual: Vec<u64>,
        expected: Vec<u64>,
    },
    /// A chunk, in memory or stored, whose size does not match its shape.
    OtherSize {
        shape: Vec<u64>,
        data_type: DataType,
        /// The number of bits of an element, if the chunk is packed.
        bits: Option<u32>,
        expected: u64,
        actual: usize,
    },
    Foreign(Box<str>),
    NoNan(DataType),
    NoInfinity(DataType),
    OutOfRange {
        from: DataType,
        bits: u64,
        rounding: Rounding,
        to: DataType,
    },
    WrapsFloat(DataType),
    /// `bits operation parameter`.
    Step {
        data_type: DataType,
        bits: u64,
        operation: char,
        parameter: u64,
        what: &'static str,
    },
    NotStored {
        what: &'static str,
        to: DataType,
    },
    /// A value without a code.
    NoCode {
        from: DataType,
        bits: u64,
        to: DataType,
    },
    TooMany(u64),
    Packed(PackedMessage),
    Zfp(ZfpMessage),
    /// A rejection from another crate.
    Rejection(Box<Rejection>),
}

/// The message about invalid packed bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PackedMessage {
    /// Buffers of different numbers of elements.
    Lengths {
        elements: usize,
        data_type: DataType,
        packed: usize,
    },
    Padding {
        count: u8,
        padding: u8,
    },
    /// A range of bits that exceeds the component.
    Range {
        first: u32,
        last: u32,
        data_type: DataType,
    },
}

/// The message about a request that zfp cannot fulfil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ZfpMessage {
    Undefined(DataType),
    Rank {
        rank: usize,
        shape: Vec<u64>,
    },
    Range {
        bits: u64,
        data_type: DataType,
        places: u32,
        lossy: bool,
    },
    Lossy(&'static str),
    /// A block limit out of bounds.
    Limit {
        what: &'static str,
        most: u32,
    },
}

const MAP: &str = "map it with a scalar_map entry";

impl Fault {
    pub(crate) const fn new(reason: Reason, clause: &'static str, message: Message) -> Self {
        Self {
            reason,
            clause,
            element: None,
            message,
        }
    }

    /// Returns the fault of an array that is too large for memory, or for the part of it that may be used.
    pub(crate) fn too_large(shape: &[u64]) -> Self {
        Self::new(
            Reason::Shape,
            "chain.shape",
            Message::TooLarge(shape.to_vec()),
        )
    }

    /// Sets the element of the fault, unless one is already set.
    pub(crate) fn at_element(mut self, index: usize) -> Self {
        self.element.get_or_insert(index as u64);
        self
    }

    /// Returns a hint on how to fix it, if there is one.
    pub(crate) fn help(&self) -> Option<&str> {
        match &self.message {
            Message::NoNan(_) | Message::NoInfinity(_) => Some(MAP),
            Message::WrapsFloat(_) => Some("clamp or map values out of range"),
            Message::Zfp(ZfpMessage::Range { lossy: true, .. }) => Some(
                "the lossy modes of zfp need smaller magnitudes: use the reversible mode, or scale the \
                 values down first",
            ),
            Message::Zfp(ZfpMessage::Lossy(_)) => Some("use the reversible mode"),
            Message::Rejection(rejection) => rejection.help.as_deref(),
            _ => None,
        }
    }
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        Self {
            reason: rejection.reason,
            clause: rejection.clause,
            element: match rejection.at {
                Some(At::Element(index)) => Some(index),
                _ => None,
            },
            message: Message::Rejection(Box::new(rejection)),
        }
    }
}

impl From<Fault> for Rejection {
    fn from(fault: Fault) -> Self {
        let message = fault.message.to_string();
        let help = fault.help().map(ToString::to_string);
        let at = match fault.message {
            Message::Rejection(rejection) => rejection.at,
            _ => None,
        };
        Self {
            reason: fault.reason,
            clause: fault.clause,
            message,
            help,
            at: fault.element.map(At::Element).or(at),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.clause)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Fixed(message) => f.write_str(message),
            Message::OtherType { actual, expected } => {
                write!(f, "the input is {actual}, not {expected}")
            }
            Message::NotReal(data_type) => write!(f, "{data_type} values are not real numbers"),
            Message::Lengths([(from, input), (to, output)]) => {
                write!(
                    f,
                    "{input} bytes of {from} do not match {output} bytes of {to}"
                )
            }
            Message::TooLarge(shape) => {
                write!(f, "an array of shape {shape:?} is too large")
            }
            Message::OtherShape { actual, expected } => {
                write!(f, "the chunk has shape {actual:?}, not {expected:?}")
            }
            Message::OtherSize {
                shape,
                data_type,
                bits,
                expected,
                actual,
            } => {
                write!(f, "a chunk of shape {shape:?} and data type {data_type}")?;
                if let Some(bits) = bits {
                    write!(f, " at {bits} bits per element")?;
                }
                write!(f, " takes {expected} bytes, not {actual}")
            }
            Message::Foreign(name) => write!(
                f,
                "{name} is recognised only by name; its bytes cannot be computed"
            ),
            Message::NoNan(to) => write!(f, "{to} has no NaN"),
            Message::NoInfinity(to) => {
                write!(f, "{to} has no infinity, and clamping does not replace it")
            }
            Message::OutOfRange {
                from,
                bits,
                rounding,
                to,
            } => write!(
                f,
                "{}, rounded {}, is out of the range of {to}",
                Value(*from, *bits),
                rounding.name(),
            ),
            Message::WrapsFloat(to) => {
                write!(f, "{to} is not an integer type, and only integers wrap")
            }
            Message::Step {
                data_type,
                bits,
                operation,
                parameter,
                what,
            } => write!(
                f,
                "{} {operation} {} {what} {data_type}",
                Value(*data_type, *bits),
                Value(*data_type, *parameter),
            ),
            Message::NotStored { what, to } => write!(f, "{what} cannot be stored as {to}"),
            Message::NoCode { from, bits, to } => {
                write!(f, "{} has no code in {to}", Value(*from, *bits))
            }
            Message::TooMany(elements) => write!(f, "{elements} elements do not fit in memory"),
            Message::Packed(packed) => packed.fmt(f),
            Message::Zfp(zfp) => zfp.fmt(f),
            Message::Rejection(rejection) => f.write_str(&rejection.message),
        }
    }
}

impl fmt::Display for PackedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lengths {
                elements,
                data_type,
                packed,
            } => write!(
                f,
                "{elements} bytes of {data_type} do not match {packed} packed bytes"
            ),
            Self::Padding { count, padding } => write!(
                f,
                "the padding byte is {count}, but there are {padding} padding bits"
            ),
            Self::Range {
                first,
                last,
                data_type,
            } => write!(
                f,
                "bits {first} to {last} are not a valid range of {data_type}"
            ),
        }
    }
}

impl fmt::Display for ZfpMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undefined(data_type) => write!(f, "zfp is not defined for {data_type}"),
            Self::Rank { rank, shape } => {
                write!(
                    f,
                    "zfp of rank {rank} does not support a chunk of shape {shape:?}"
                )
            }
            Self::Range {
                bits,
                data_type,
                places,
                ..
            } => write!(
                f,
                "{} of {data_type} is not below {} in magnitude",
                Value(*data_type, *bits),
                1i128 << places
            ),
            Self::Lossy(what) => write!(f, "the lossy modes of zfp cannot encode {what}"),
            Self::Limit { what, most } => write!(f, "{what} must be from 1 to {most}"),
        }
    }
}
