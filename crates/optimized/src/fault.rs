//! Why there is no result, without a word of it: the words are made when somebody reads them. An element
//! that is rejected costs no more than one that is not, also where a table asks after all that there are.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use exactum_model::{At, DataType, Reason, Rejection, Rounding};

use crate::text::Value;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    pub(crate) clause: &'static str,
    /// The first element of the input to which it happened.
    pub(crate) element: Option<u64>,
    words: Words,
}

/// What is wrong, and the numbers that the words name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// What needs no number.
    Fixed(&'static str),
    OtherType {
        actual: DataType,
        expected: DataType,
    },
    NotReal(DataType),
    /// Bytes of one data type that do not go into bytes of another.
    Lengths([(DataType, usize); 2]),
    TooLarge(Vec<u64>),
    OtherShape {
        actual: Vec<u64>,
        expected: Vec<u64>,
    },
    /// A chunk in memory, or as it is stored, that has not as many bytes as its shape takes.
    OtherSize {
        shape: Vec<u64>,
        data_type: DataType,
        /// The bits of an element, where they are packed.
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
    /// A value of a data type that is packed as no code.
    NoCode {
        from: DataType,
        bits: u64,
        to: DataType,
    },
    TooMany(u64),
    Packed {
        elements: usize,
        data_type: DataType,
        packed: usize,
    },
    Padding {
        count: u8,
        padding: u8,
    },
    /// A range of bits that a component has not.
    Range {
        first: u32,
        last: u32,
        data_type: DataType,
    },
    NoZfp(DataType),
    Rank {
        rank: usize,
        shape: Vec<u64>,
    },
    ZfpRange {
        bits: u64,
        data_type: DataType,
        places: u32,
        lossy: bool,
    },
    ZfpLossy(&'static str),
    /// A limit of zfp's blocks that there is not.
    ZfpLimit {
        what: &'static str,
        most: u32,
    },
    /// What somebody else rejected.
    Rejection(Box<Rejection>),
}

const MAP: &str = "map it with a scalar_map entry";

impl Fault {
    pub(crate) const fn new(reason: Reason, clause: &'static str, words: Words) -> Self {
        Self {
            reason,
            clause,
            element: None,
            words,
        }
    }

    /// An array of this shape is more than memory, or what may be taken of it, can hold.
    pub(crate) fn too_large(shape: &[u64]) -> Self {
        Self::new(
            Reason::Shape,
            "chain.shape",
            Words::TooLarge(shape.to_vec()),
        )
    }

    /// Places it at an element, unless it has a place already.
    pub(crate) fn at_element(mut self, index: usize) -> Self {
        self.element.get_or_insert(index as u64);
        self
    }

    /// How to mend it, where there is something to say.
    pub(crate) fn help(&self) -> Option<&str> {
        match &self.words {
            Words::NoNan(_) | Words::NoInfinity(_) => Some(MAP),
            Words::WrapsFloat(_) => Some("clamp, or map what is out of range"),
            Words::ZfpRange { lossy: true, .. } => Some(
                "the lossy modes of zfp have no room for it: use reversible, or scale the values down first",
            ),
            Words::ZfpLossy(_) => Some("use the mode reversible"),
            Words::Rejection(rejection) => rejection.help.as_deref(),
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
            words: Words::Rejection(Box::new(rejection)),
        }
    }
}

impl From<Fault> for Rejection {
    fn from(fault: Fault) -> Self {
        let message = fault.words.to_string();
        let help = fault.help().map(ToString::to_string);
        let at = match fault.words {
            Words::Rejection(rejection) => rejection.at,
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
        write!(f, "{} ({})", self.words, self.clause)
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Words::Fixed(words) => f.write_str(words),
            Words::OtherType { actual, expected } => {
                write!(f, "the input is {actual}, not {expected}")
            }
            Words::NotReal(data_type) => write!(f, "{data_type} is not a real number"),
            Words::Lengths([(from, input), (to, output)]) => {
                write!(
                    f,
                    "{input} bytes of {from} do not go into {output} bytes of {to}"
                )
            }
            Words::TooLarge(shape) => {
                write!(f, "an array of shape {shape:?} is too large to hold")
            }
            Words::OtherShape { actual, expected } => {
                write!(f, "the chunk has shape {actual:?}, not {expected:?}")
            }
            Words::OtherSize {
                shape,
                data_type,
                bits,
                expected,
                actual,
            } => {
                write!(f, "a chunk of {shape:?} {data_type}")?;
                if let Some(bits) = bits {
                    write!(f, ", {bits} bits an element,")?;
                }
                write!(f, " takes {expected} bytes, not {actual}")
            }
            Words::Foreign(name) => write!(
                f,
                "{name} is recognised by name only; its bytes cannot be computed"
            ),
            Words::NoNan(to) => write!(f, "{to} has no NaN"),
            Words::NoInfinity(to) => write!(f, "{to} has no infinity, and clamping makes none"),
            Words::OutOfRange {
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
            Words::WrapsFloat(to) => {
                write!(f, "{to} is no integer type, and only integers wrap")
            }
            Words::Step {
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
            Words::NotStored { what, to } => write!(f, "{what} cannot be stored as {to}"),
            Words::NoCode { from, bits, to } => {
                write!(f, "{} is packed as no {to}", Value(*from, *bits))
            }
            Words::TooMany(elements) => write!(f, "{elements} elements are too many to hold"),
            Words::Packed {
                elements,
                data_type,
                packed,
            } => write!(
                f,
                "{elements} bytes of {data_type} and {packed} packed bytes do not fit each other"
            ),
            Words::Padding { count, padding } => write!(
                f,
                "the padding byte says {count}, but {padding} bits are padding"
            ),
            Words::Range {
                first,
                last,
                data_type,
            } => write!(f, "{data_type} has no bits {first} to {last}"),
            Words::NoZfp(data_type) => write!(f, "zfp is not defined for {data_type}"),
            Words::Rank { rank, shape } => {
                write!(f, "zfp of rank {rank} has no chunk of shape {shape:?}")
            }
            Words::ZfpRange {
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
            Words::ZfpLossy(what) => write!(f, "a lossy mode of zfp has no way to hold {what}"),
            Words::ZfpLimit { what, most } => write!(f, "{what} lies between 1 and {most}"),
            Words::Rejection(rejection) => f.write_str(&rejection.message),
        }
    }
}
