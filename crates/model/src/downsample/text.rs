//! Arrays of non-numeric elements: bytes, strings and JSON values. Their views are defined only for stride and
//! mode (spec/downsample.md).

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::require_answer;
use crate::data_type::UnknownDataType;
use crate::domain::Domain;
use crate::rejection::{Reason, Rejection};

/// The number of bytes that each element adds to the size of an answer besides its text (downsample.limit).
const BYTES_BESIDE_TEXT: u64 = 16;

macro_rules! text_types {
    ($($variant:ident $name:literal $meaning:literal;)*) => {
        /// A non-numeric data type of TensorStore.
        ///
        /// ```
        /// use exactum_model::TextType;
        ///
        /// assert_eq!("ustring".parse(), Ok(TextType::Ustring));
        /// assert_eq!(TextType::ALL[0].name(), "byte");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum TextType { $(#[doc = $meaning] $variant,)* }

        impl TextType {
            /// Every non-numeric data type.
            pub const ALL: &[TextType] = &[$(TextType::$variant),*];

            /// Returns the name in documents.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(TextType::$variant => $name,)* }
            }
        }
    };
}

text_types! {
    Byte "byte" "An opaque byte.";
    Char "char" "A byte of text.";
    String "string" "A text, which TensorStore stores as bytes.";
    Ustring "ustring" "A Unicode text.";
    Json "json" "A JSON value.";
}

impl fmt::Display for TextType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TextType {
    type Err = UnknownDataType;

    /// Finds a data type by its name.
    fn from_str(name: &str) -> Result<Self, UnknownDataType> {
        let mut all = TextType::ALL.iter().copied();
        all.find(|data_type| data_type.name() == name)
            .ok_or_else(|| UnknownDataType::new(name))
    }
}

/// A non-numeric element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// An element of `byte` or `char`.
    Byte(u8),
    /// An element of `string` or `ustring`.
    String(String),
    /// An element of `json`.
    Json(JsonText),
}

impl Text {
    /// Returns the length of the element's text in bytes.
    fn bytes(&self) -> u64 {
        match self {
            Text::Byte(_) => 1,
            Text::String(text) => text.len() as u64,
            Text::Json(json) => json.text.len() as u64,
        }
    }

    fn is_of(&self, data_type: TextType) -> bool {
        match self {
            Text::Byte(_) => matches!(data_type, TextType::Byte | TextType::Char),
            Text::String(_) => matches!(data_type, TextType::String | TextType::Ustring),
            Text::Json(_) => data_type == TextType::Json,
        }
    }
}

impl fmt::Display for Text {
    /// Formats a string or JSON value as it was written, and a byte in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Text::Byte(byte) => write!(f, "{byte:#04x}"),
            Text::String(text) => f.write_str(text),
            Text::Json(json) => f.write_str(&json.text),
        }
    }
}

/// A JSON value together with its text. Two of them are equal if their values are equal, even if their texts
/// differ (downsample.mode.json).
///
/// ```
/// use exactum_model::{Decimal, Json, JsonText};
///
/// let number = |text: &str, digits, exponent| JsonText {
///     text: text.into(),
///     value: Decimal::new(false, digits, exponent).map_or(Json::Null, Json::Number),
/// };
/// assert_eq!(number("3", "3", 0), number("3.0", "30", -1));
/// ```
#[derive(Clone, Debug)]
pub struct JsonText {
    /// The text as it was written.
    pub text: String,
    /// The parsed value.
    pub value: Json,
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for JsonText {}

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// The value `null`.
    Null,
    /// The value `true` or `false`.
    Bool(bool),
    /// An exact number.
    Number(Decimal),
    /// An object: its members by name.
    Object(BTreeMap<String, Json>),
    /// An array: its elements in order.
    Array(Vec<Json>),
    /// A string with its escape sequences decoded.
    String(String),
}

/// An exact decimal number `0.digits * 10^exponent`. Each number has exactly one form: the digits neither begin
/// nor end with a zero, and the number zero has no digits, no sign and the exponent 0.
///
/// ```
/// use exactum_model::Decimal;
///
/// let number = Decimal::new(true, "0250", -2).expect("a small exponent");
/// assert_eq!((number.is_negative(), number.digits(), number.exponent()), (true, "25", 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    is_negative: bool,
    exponent: i64,
    digits: String,
}

impl Decimal {
    /// Creates the number `digits * 10^exponent` from ASCII digits. Returns `None` if the exponent of the
    /// number's unique form does not fit into 64 bits.
    #[must_use]
    pub fn new(is_negative: bool, digits: &str, exponent: i64) -> Option<Self> {
        let cut = digits.trim_start_matches('0');
        let point = exponent.checked_add(i64::try_from(cut.len()).ok()?)?;
        let cut = cut.trim_end_matches('0');
        let is_zero = cut.is_empty();
        Some(Self {
            is_negative: is_negative && !is_zero,
            exponent: if is_zero { 0 } else { point },
            digits: cut.into(),
        })
    }

    /// Returns whether the number is below zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// Returns the digits. The decimal point precedes the first digit.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.digits
    }

    /// Returns the exponent of the power of ten by which `0.digits` is multiplied.
    #[must_use]
    pub const fn exponent(&self) -> i64 {
        self.exponent
    }
}

/// Non-numeric elements at the positions of a box, in C order.
///
/// ```
/// use exactum_model::{Domain, Text, TextType, Texts};
///
/// let domain = Domain::of_shape(&[2])?;
/// let elements = ["b", "a"].map(|text| Text::String(text.into())).to_vec();
/// let texts = Texts::new(TextType::String, domain, elements)?;
/// let picked = texts.pick(Domain::of_shape(&[3])?, &[1, 1, 0])?;
/// assert_eq!(picked.elements()[0], Text::String("a".into()));
/// assert_eq!((picked.data_type(), picked.domain().shape()), (TextType::String, &[3][..]));
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    data_type: TextType,
    domain: Domain,
    elements: Vec<Text>,
}

impl Texts {
    /// Places elements at the positions of a box, in C order.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the numbers of elements and positions differ, or if an element has another data type.
    pub fn new(
        data_type: TextType,
        domain: Domain,
        elements: Vec<Text>,
    ) -> Result<Self, Rejection> {
        let count = domain.len() == Some(elements.len() as u64);
        if count && elements.iter().all(|element| element.is_of(data_type)) {
            return Ok(Self {
                data_type,
                domain,
                elements,
            });
        }
        Err(Rejection::new(
            Reason::Shape,
            "downsample.domain",
            format!(
                "{} elements do not match {domain} of {data_type}",
                elements.len()
            ),
        ))
    }

    /// Returns the data type.
    #[must_use]
    pub const fn data_type(&self) -> TextType {
        self.data_type
    }

    /// Returns the positions.
    #[must_use]
    pub const fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the elements, in C order.
    #[must_use]
    pub fn elements(&self) -> &[Text] {
        &self.elements
    }

    /// Copies the elements with the indices `places` to the positions of the box `domain`, which has as many
    /// positions as there are indices.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new); [`Reason::Shape`] if the elements do not fit into an answer
    /// (downsample.limit).
    ///
    /// # Panics
    /// Panics if an index is out of bounds.
    pub fn pick(&self, domain: Domain, places: &[usize]) -> Result<Self, Rejection> {
        let elements = places.iter().map(|&place| &self.elements[place]);
        let sizes = elements
            .clone()
            .map(|element| element.bytes() + BYTES_BESIDE_TEXT);
        require_answer(&domain, &self.data_type, Some(sizes.sum()))?;
        Self::new(self.data_type, domain, elements.cloned().collect())
    }

    /// Requires that the elements at the positions of a box could fit into an answer if their texts were empty.
    pub(super) fn require_answer(&self, domain: &Domain) -> Result<(), Rejection> {
        let bytes = domain
            .len()
            .and_then(|count| count.checked_mul(BYTES_BESIDE_TEXT));
        require_answer(domain, &self.data_type, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_one_form() {
        let check = |digits, exponent, expected: (&str, i64)| {
            for is_negative in [false, true] {
                let number = Decimal::new(is_negative, digits, exponent).expect("it fits");
                assert_eq!((number.digits(), number.exponent()), expected, "{digits}");
                assert_eq!(number.is_negative(), is_negative && !expected.0.is_empty());
            }
        };
        check("3", 0, ("3", 1));
        check("30", -1, ("3", 1));
        check("003000", -3, ("3", 1));
        check("15", -1, ("15", 1));
        check("", 7, ("", 0));
        check("000", 7, ("", 0));
        assert_eq!(Decimal::new(false, "12", i64::MAX), None);
    }

    #[test]
    fn what_is_too_much_is_not_copied() {
        let check = |length: usize, times: usize, fits: bool| {
            let domain = Domain::of_shape(&[1]).expect("one element");
            let elements = vec![Text::String("a".repeat(length))];
            let texts = Texts::new(TextType::String, domain, elements).expect("one element");
            let domain = Domain::of_shape(&[times as u64]).expect("one dimension");
            let picked = texts.pick(domain, &vec![0; times]);
            match picked {
                Ok(_) => assert!(fits, "{length} x {times}"),
                Err(rejection) => {
                    assert_eq!((rejection.clause, fits), ("downsample.limit", false));
                }
            }
        };
        check(0, 4 << 20, true);
        check(0, (4 << 20) + 1, false);
        check((1 << 20) - 16, 64, true);
        check((1 << 20) - 15, 64, false);
    }
}
