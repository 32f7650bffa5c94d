//! The kind of the elements of an array: numbers, or one of the non-numeric data types of the core and the
//! registry (spec/data_type.md, "Non-numeric types").

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use exactum_model::{DataType, Reason, Scalar};

use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};
use crate::scalar;
use crate::words::{did_you_mean, quoted};

/// The elements of an array.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    /// Numbers of a fixed format, or pairs of them.
    Number(DataType),
    /// Elements of another kind.
    Other(Arc<Other>),
}

/// A data type that is not a number.
#[derive(Debug)]
pub(crate) struct Other {
    pub(crate) name: String,
    pub(crate) layout: Layout,
}

/// The parts of an element.
#[derive(Debug)]
pub(crate) enum Layout {
    /// A variable number of characters.
    Text,
    /// A variable number of bytes.
    Octets,
    /// Characters of four bytes each, in this number of bytes.
    Utf32(u64),
    /// This number of bytes.
    Raw(u64),
    /// A moment or a span of time: an integer of 64 bits, of which the smallest stands for no time.
    Time,
    /// Values in sequence. In the legacy form, they may also be written in other ways.
    Struct { fields: Vec<Field>, legacy: bool },
    /// A layout about which nothing is known.
    Unknown,
}

/// A field of a struct.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) element: Element,
}

impl Element {
    /// Returns the data type of numbers; times are represented by their codes.
    pub(crate) fn number(&self) -> Option<DataType> {
        match self {
            Element::Number(data_type) => Some(*data_type),
            Element::Other(other) => match other.layout {
                Layout::Time => Some(DataType::Int64),
                _ => None,
            },
        }
    }

    /// Returns whether the elements are moments or spans of time.
    pub(crate) fn is_time(&self) -> bool {
        matches!(self.layout(), Some(Layout::Time))
    }

    /// Returns elements of which only the name of the data type is known.
    pub(crate) fn unknown(name: String) -> Self {
        Element::Other(Arc::new(Other {
            name,
            layout: Layout::Unknown,
        }))
    }

    /// Returns whether nothing is known about the elements.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.layout(), Some(Layout::Unknown))
    }

    /// Returns whether nothing is known about the elements or about a part of them.
    pub(crate) fn has_unknown(&self) -> bool {
        match self.layout() {
            Some(Layout::Unknown) => true,
            Some(Layout::Struct { fields, .. }) => {
                fields.iter().any(|field| field.element.has_unknown())
            }
            _ => false,
        }
    }

    /// Returns the layout of elements that are not numbers.
    pub(crate) fn layout(&self) -> Option<&Layout> {
        match self {
            Element::Number(_) => None,
            Element::Other(other) => Some(&other.layout),
        }
    }

    /// Returns the number of bytes in an element, if it is the same for all.
    pub(crate) fn bytes(&self) -> Option<u64> {
        if let Some(number) = self.number() {
            return u64::try_from(number.element_bytes()).ok();
        }
        match self.layout()? {
            Layout::Utf32(bytes) | Layout::Raw(bytes) => Some(*bytes),
            Layout::Struct { fields, .. } => fields.iter().try_fold(0u64, |sum, field| {
                Some(sum.saturating_add(field.element.bytes()?))
            }),
            _ => None,
        }
    }

    /// Returns whether the elements differ in their number of bytes, so that they are not allowed in a
    /// struct.
    pub(crate) fn varies(&self) -> bool {
        matches!(self.layout(), Some(Layout::Text | Layout::Octets))
    }

    /// Returns whether an element has numbers of several bytes, so that their order matters. It always
    /// matters in the legacy form.
    pub(crate) fn needs_endian(&self) -> bool {
        if let Some(number) = self.number() {
            return number.format().component_bytes() > 1;
        }
        match self.layout() {
            Some(Layout::Utf32(_)) => true,
            Some(Layout::Struct { fields, legacy }) => {
                !legacy && fields.iter().any(|field| field.element.needs_endian())
            }
            _ => false,
        }
    }

    /// Reads a fill value. Returns its scalar if the elements are numbers.
    pub(crate) fn fill_value(&self, node: Node<'_>) -> Read<Option<Scalar>> {
        let other = match self {
            Element::Number(data_type) => return scalar::fill_value(*data_type, node).map(Some),
            Element::Other(other) => other,
        };
        match &other.layout {
            Layout::Text => text(node, "fill_value.string", &other.name)?,
            Layout::Octets => octets(node)?,
            Layout::Utf32(bytes) => utf32(node, bytes / 4)?,
            Layout::Raw(bytes) => raw(node, &other.name, *bytes)?,
            Layout::Time => return time(node, &other.name).map(Some),
            Layout::Struct { fields, legacy } => match (legacy, node.kind()) {
                (true, Kind::String) => self.packed(node)?,
                _ => record(node, fields)?,
            },
            Layout::Unknown => {}
        }
        Ok(None)
    }

    /// Reads a struct in base64, as some programs have written it (fill_value.structured).
    fn packed(&self, node: Node<'_>) -> Read<()> {
        let clause = "fill_value.structured";
        let Some(found) = base64_bytes(&node.text()?) else {
            return Err(refused(node, clause, "this is not base64".into())
                .help("write an object with a fill value for each field"));
        };
        match self.bytes() {
            Some(bytes) if bytes != found => Err(refused(
                node,
                clause,
                format!("this is base64 of {found} bytes, but an element has {bytes}"),
            )
            .help("write an object with a fill value for each field")),
            _ => Ok(()),
        }
    }
}

/// Writes the name.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Number(data_type) => data_type.fmt(f),
            Element::Other(other) => f.write_str(&other.name),
        }
    }
}

fn refused(node: Node<'_>, clause: &'static str, message: String) -> Box<Diagnostic> {
    node.reject_as(Reason::FillValue, clause, message)
}

fn text(node: Node<'_>, clause: &'static str, name: &str) -> Read<()> {
    if node.kind() == Kind::String {
        return node.text().map(|_| ());
    }
    let message = format!(
        "the fill value of {name} must be a string, not {}",
        node.describe()
    );
    Err(refused(node, clause, message).help("write \"\" for the empty string"))
}

/// Reads bytes as a list of numbers or in base64.
fn octets(node: Node<'_>) -> Read<()> {
    let clause = "fill_value.bytes";
    let help =
        "write a list of integers from 0 to 255, or the bytes in base64; \"\" stands for no bytes";
    match node.kind() {
        Kind::Array => each_octet(node, clause),
        Kind::String if base64_bytes(&node.text()?).is_some() => Ok(()),
        Kind::String => {
            let message = format!("{} is not base64", node.describe());
            Err(refused(node, clause, message).help(help))
        }
        _ => {
            let message = format!("{} are not bytes", node.describe());
            Err(refused(node, clause, message).help(help))
        }
    }
}

fn each_octet(node: Node<'_>, clause: &'static str) -> Read<()> {
    let octets = node.elements().map(|element| {
        let number = element.raw();
        if element.kind() == Kind::Number && number.parse::<u8>().is_ok() {
            return Ok(());
        }
        let message = format!("{} is not a byte", element.describe());
        Err(refused(element, clause, message)
            .help("a byte is an integer from 0 to 255 without fraction or exponent"))
    });
    node.all(octets).map(|_| ())
}

fn utf32(node: Node<'_>, most: u64) -> Read<()> {
    let clause = "fill_value.utf32";
    text(node, clause, "fixed_length_utf32")?;
    let found = node.text()?.chars().count() as u64;
    if found <= most {
        return Ok(());
    }
    let message =
        format!("this string has {found} characters, but an element holds at most {most}");
    Err(refused(node, clause, message).help("length_bytes is four times the number of characters"))
}

/// Reads as many bytes as an element has.
fn raw(node: Node<'_>, name: &str, bytes: u64) -> Read<()> {
    let help = format!("write {bytes} integers from 0 to 255");
    if node.kind() != Kind::Array {
        let message = format!(
            "the fill value of {name} must be a list of bytes, not {}",
            node.describe()
        );
        return Err(refused(node, "fill_value.raw", message).help(help));
    }
    each_octet(node, "fill_value.raw")?;
    let found = node.elements().count() as u64;
    if found == bytes {
        return Ok(());
    }
    let message = format!("{name} has {bytes} bytes, but the fill value has {found}");
    Err(refused(node, "fill_value.raw.length", message).help(help))
}

/// The number that stands for no time.
const NOT_A_TIME: i64 = i64::MIN;

fn time(node: Node<'_>, name: &str) -> Read<Scalar> {
    let code = match node.kind() {
        Kind::Number => node.raw().parse().ok(),
        Kind::String => (node.text()? == "NaT").then_some(NOT_A_TIME),
        _ => None,
    };
    code.map(|code: i64| {
        let bits = u128::from(code.cast_unsigned());
        Scalar::new(DataType::Int64, bits)
    })
    .ok_or_else(|| {
        let message = format!(
            "the fill value of {name} must be a 64-bit integer or \"NaT\", not {}",
            node.describe()
        );
        refused(node, "fill_value.time", message).help(match name {
            "numpy.datetime64" => {
                "count the units since 1970, without fraction or exponent, or write \"NaT\""
            }
            _ => "count the units, without fraction or exponent, or write \"NaT\"",
        })
    })
}

/// Reads a fill value for each field.
fn record(node: Node<'_>, fields: &[Field]) -> Read<()> {
    let clause = "fill_value.struct";
    if node.kind() != Kind::Object {
        let message = format!(
            "the fill value of a struct must be an object, not {}",
            node.describe()
        );
        return Err(refused(node, clause, message).help("give every field a fill value"));
    }
    let values: HashMap<String, Node<'_>> = node
        .members()
        .map(|(key, value)| (key.key().into_owned(), value))
        .collect();
    let read = fields.iter().map(|field| {
        let Some(value) = values.get(&field.name) else {
            let known: HashSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let unknown = values.keys().map(String::as_str);
            let unknown = unknown.filter(|key| !known.contains(key));
            let message = format!("the field {} has no fill value", quoted(&field.name));
            let help = match did_you_mean(&field.name, unknown) {
                Some(other) => format!("did you mean this field by {}?", quoted(other)),
                None => "give every field a fill value".into(),
            };
            return Err(refused(node, clause, message).help(help));
        };
        field.element.fill_value(*value).map(|_| ())
    });
    node.all(read).map(|_| ())
}

/// Returns the number of bytes that a text in base64 represents.
fn base64_bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let whole = text.len().is_multiple_of(4) && padding <= 2;
    (whole && digits.bytes().all(is_digit)).then(|| (text.len() / 4 * 3 - padding) as u64)
}
