//! Scalars in the notation of documents, which is the fill-value encoding of their data types.

use exactum_model::{
    DataType, FloatFormat, Format, IntegerFormat, Reason, Rejection, Rounding, Scalar,
};

use crate::canonical::canonical;
use crate::decimal;
use crate::round::{Rounded, round};

/// A scalar in the notation of a document, before it is interpreted in a data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A JSON number, as its unchanged text.
    Number(String),
    /// A JSON string with its escape sequences decoded.
    Text(String),
    /// A JSON boolean.
    Bool(bool),
    /// A JSON array.
    List(Vec<Literal>),
    /// The JSON value null.
    Null,
    /// A JSON object, which is not a scalar of any data type here.
    Object,
}

impl Literal {
    fn kind(&self) -> String {
        match self {
            Literal::Number(text) => format!("the number {}", abbreviate(text)),
            Literal::Text(text) => format!("the string {:?}", abbreviate(text)),
            Literal::Bool(value) => format!("{value}"),
            Literal::List(_) => "an array".into(),
            Literal::Null => "null".into(),
            Literal::Object => "an object".into(),
        }
    }
}

/// Reads a scalar in the fill-value encoding of a data type, as `spec/fill_value.md` specifies it.
///
/// # Errors
/// [`Reason::FillValue`] with the clause of `fill_value.*` that the literal violates.
pub fn parse(data_type: DataType, literal: &Literal) -> Result<Scalar, Rejection> {
    match data_type.format() {
        Format::Bool => match literal {
            Literal::Bool(value) => Ok(Scalar::new(data_type, u128::from(*value))),
            other => Err(reject(
                "fill_value.bool",
                format!("bool takes true or false, not {}", other.kind()),
            )),
        },
        Format::Integer(format) => {
            integer(data_type, &format, literal).map(|bits| Scalar::new(data_type, bits.into()))
        }
        Format::Float(format) => {
            float(data_type, &format, literal).map(|bits| Scalar::new(data_type, bits.into()))
        }
        Format::Complex(format) => match literal {
            Literal::List(parts) if parts.len() == 2 => {
                let component = data_type.component();
                let real = float(component, &format, &parts[0])?;
                let imaginary = float(component, &format, &parts[1])?;
                Ok(Scalar::complex(data_type, real, imaginary))
            }
            other => {
                let found = match other {
                    Literal::List(parts) => match parts.len() {
                        0 => "an empty array".into(),
                        1 => "an array of one element".into(),
                        _ => "a longer array".into(),
                    },
                    _ => other.kind(),
                };
                Err(reject(
                    "fill_value.complex",
                    format!("{data_type} takes an array of two floats, not {found}"),
                ))
            }
        },
    }
}

fn integer(
    data_type: DataType,
    format: &IntegerFormat,
    literal: &Literal,
) -> Result<u64, Rejection> {
    let Literal::Number(text) = literal else {
        return Err(reject(
            "fill_value.integer.lexical",
            format!("{data_type} takes an integer, not {}", literal.kind()),
        )
        .help(format!(
            "write a plain JSON integer from {} to {}",
            format.min(),
            format.max()
        )));
    };
    if text.contains(['.', 'e', 'E']) {
        return Err(reject(
            "fill_value.integer.lexical",
            format!(
                "{data_type} takes an integer without fraction or exponent, not {}",
                abbreviate(text)
            ),
        )
        .help(format!(
            "write a plain JSON integer from {} to {}",
            format.min(),
            format.max()
        )));
    }
    // A number that does not fit into i128 is out of range for every data type.
    match text.parse::<i128>() {
        Ok(value) if (format.min()..=format.max()).contains(&value) => {
            let residue = value & i128::from(format.mask());
            Ok(u64::try_from(residue).unwrap_or_default())
        }
        _ => Err(reject(
            "fill_value.integer.range",
            format!("{} is not a value of {data_type}", abbreviate(text)),
        )
        .help(format!(
            "the range of {data_type} is {} to {}",
            format.min(),
            format.max()
        ))),
    }
}

fn float(data_type: DataType, format: &FloatFormat, literal: &Literal) -> Result<u64, Rejection> {
    match literal {
        Literal::Number(text) => float_number(data_type, format, text),
        Literal::Text(text) => float_text(data_type, format, text),
        other => Err(reject(
            "fill_value.float.kind",
            format!(
                "{data_type} takes a number or a string, not {}",
                other.kind()
            ),
        )),
    }
}

fn float_number(data_type: DataType, format: &FloatFormat, text: &str) -> Result<u64, Rejection> {
    let value = decimal::parse(text);
    match round(&value, &Format::Float(*format), Rounding::NearestEven) {
        Rounded::Bits(bits) => Ok(bits),
        Rounded::OutOfRange { above, .. } => match format.infinity_bits() {
            Some(infinity) if above => Ok(infinity),
            Some(infinity) => Ok(infinity | format.sign_mask()),
            None => Err(reject(
                "fill_value.float.range",
                format!("{} is out of the range of {data_type}", abbreviate(text)),
            )
            .help(range_of(data_type, format))),
        },
        // Rounding a decimal number never gives one of these results.
        Rounded::NotANumber | Rounded::NotFinite => Err(reject(
            "fill_value.float.range",
            format!("{} is not a value of {data_type}", abbreviate(text)),
        )),
    }
}

/// Describes the range of a float type without infinities, for a help text.
fn range_of(data_type: DataType, format: &FloatFormat) -> String {
    let of = |bits: u64| canonical(&Scalar::new(data_type.component(), bits.into()));
    let largest = format.max_finite_bits();
    if format.zero {
        format!(
            "the range of {data_type} is {} to {}, without infinities",
            of(largest | format.sign_mask()),
            of(largest)
        )
    } else {
        format!(
            "the range of {data_type} is about {} to about {}: it has no zero, no negative \
             numbers and no infinity",
            of(0),
            of(largest)
        )
    }
}

fn float_text(data_type: DataType, format: &FloatFormat, text: &str) -> Result<u64, Rejection> {
    let named = match text {
        "NaN" => Some(format.nan_bits()),
        "Infinity" => Some(format.infinity_bits()),
        "-Infinity" => Some(format.infinity_bits().map(|bits| bits | format.sign_mask())),
        _ => None,
    };
    if let Some(bits) = named {
        return bits.ok_or_else(|| {
            reject(
                "fill_value.float.names",
                format!("{data_type} has no {text}"),
            )
        });
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return hex(data_type, format, digits);
    }
    let number = text.bytes().all(|byte| b"+-.0123456789eE".contains(&byte));
    let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (clause, help) = match text {
        "+Infinity" | "Inf" | "inf" | "+inf" | "infinity" => (
            "fill_value.float.names",
            "positive infinity is spelled \"Infinity\"; the \"+Infinity\" of the published example is an erratum",
        ),
        "-Inf" | "-inf" | "-infinity" => (
            "fill_value.float.names",
            "negative infinity is spelled \"-Infinity\"",
        ),
        "nan" | "NAN" | "-NaN" | "+NaN" => (
            "fill_value.float.names",
            "the default NaN is spelled \"NaN\"; write any other NaN in hex, most significant digit first",
        ),
        "" => ("fill_value.float.names", "an empty string is not a float"),
        _ if digits && !number
            || text.contains("0x")
            || text.contains("0X")
            || text.starts_with('#') =>
        {
            (
                "fill_value.float.hex",
                "write hex as a lowercase \"0x\" followed by the bits, without sign or spaces",
            )
        }
        _ if number => (
            "fill_value.float.kind",
            "write the number without quotation marks",
        ),
        _ => (
            "fill_value.float.names",
            "a float is a JSON number, \"NaN\", \"Infinity\", \"-Infinity\" or \"0x\" followed by the bits in hex",
        ),
    };
    Err(reject(
        clause,
        format!("{:?} is not a value of {data_type}", abbreviate(text)),
    )
    .help(help))
}

fn hex(data_type: DataType, format: &FloatFormat, digits: &str) -> Result<u64, Rejection> {
    let width = 2 * Format::Float(*format).component_bytes();
    let bits = (digits.len() == width && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .then(|| u64::from_str_radix(digits, 16).ok())
        .flatten();
    bits.filter(|bits| bits & !format.mask() == 0)
        .ok_or_else(|| {
            reject(
                "fill_value.float.hex",
                format!(
                    "\"0x{}\" is not a bit pattern of {data_type}",
                    abbreviate(digits)
                ),
            )
            .help(match (format.bits(), 4 * width) {
                (bits, whole) if usize::try_from(bits) == Ok(whole) => {
                    format!("{data_type} takes \"0x\" and exactly {width} hex digits")
                }
                (bits, _) => format!(
                    "{data_type} takes \"0x\" and exactly {width} hex digits, with only the lowest {bits} bits set"
                ),
            })
        })
}

fn reject(clause: &'static str, message: impl Into<String>) -> Rejection {
    Rejection::new(Reason::FillValue, clause, message)
}

/// Abbreviates a literal for a message, because a literal may be as long as its document.
fn abbreviate(text: &str) -> String {
    const KEPT: usize = 40;
    if text.chars().count() <= KEPT {
        return text.to_owned();
    }
    let head: String = text.chars().take(KEPT - 10).collect();
    format!("{head}... ({} characters)", text.chars().count())
}
