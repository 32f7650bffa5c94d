//! The packing attributes among the `attributes` of a Zarr v3 array (spec/cf.md, "Attributes of arrays").
//!
//! Readers of CF ignore most faults in these attributes, and so does this one: an attribute that cannot be
//! read is left out, with a warning.

use std::cmp::Ordering;
use std::ops::Range;

use exactum_exact::{Exact, Rounded, round};
use exactum_model::{ArrayCodec, Cf, DataType, Format, IntegerFormat, Rounding, Scalar};

use super::{ADD_OFFSET, FILL_VALUE, MISSING_VALUE, SCALE_FACTOR, UNSIGNED};
use super::{Packed, Reader, VALID_MAX, VALID_MIN, VALID_RANGE, as_unsigned, signed};
use crate::array::ArrayDocument;
use crate::diagnostic::{Diagnostic, Read, Warning, Warnings};
use crate::json::{Attributes, Kind, Node, Tree};

/// The names of the attributes, in the order in which they are listed.
const NAMES: [&str; 8] = [
    SCALE_FACTOR.name,
    ADD_OFFSET.name,
    FILL_VALUE.name,
    MISSING_VALUE.name,
    VALID_MIN.name,
    VALID_MAX.name,
    VALID_RANGE.name,
    UNSIGNED.name,
];

/// The packing attributes of an array, as readers of CF see them (cf.array).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The codec that readers apply to the elements. `None` if the row `cf` does not cover them, for the reason in
    /// [`unknown`](Self::unknown).
    pub codec: Option<Cf>,
    /// The reason why there is no codec.
    pub unknown: Option<String>,
    /// The attributes that are present.
    pub attributes: Vec<Attribute>,
    /// The elements that `_FillValue` and `missing_value` name, in this order.
    pub missing: Vec<Missing>,
    /// Warnings about attributes that contradict each other or cannot be read, in the order of the text.
    pub warnings: Warnings,
}

/// An attribute of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: &'static str,
    /// The value as it is written.
    pub text: String,
    /// The JSON pointer.
    pub pointer: String,
    /// The bytes of the text that the value takes.
    pub place: Range<usize>,
}

/// An element that means missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The attribute that names it.
    pub name: &'static str,
    /// The element, of the array's data type.
    pub value: Scalar,
}

impl Packing {
    /// Returns whether a factor, an offset, or the sign of their bits gives readers other values than the elements.
    #[must_use]
    pub fn changes_values(&self) -> bool {
        let changes = |codec: &Cf| codec.unpacked != codec.packed;
        self.codec.as_ref().is_none_or(changes)
    }

    /// Returns the attribute of this name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }
}

/// Reads the packing attributes of an array document with this text, or returns `None` if it has none.
///
/// # Errors
/// If a key occurs twice in an object of `attributes`, or containers in them are nested too deeply, so that
/// readers would differ (chain.json.duplicates, chain.json.depth).
pub fn of_attributes(
    text: &str,
    document: &ArrayDocument,
) -> Result<Option<Packing>, Box<Diagnostic>> {
    let tree = Tree::scan(text, Attributes::Entered)?;
    let Some(attributes) = tree.root().get("attributes") else {
        return Ok(None);
    };
    let nodes = NAMES.map(|name| attributes.get(name));
    if nodes.iter().all(Option::is_none) {
        return Ok(None);
    }
    let found = NAMES.into_iter().zip(nodes);
    let attributes = found.filter_map(|(name, node)| {
        let node = node?;
        Some(Attribute {
            name,
            text: node.raw().to_owned(),
            pointer: node.pointer(),
            place: node.place(),
        })
    });
    let reader = Elements {
        data_type: document.chain.data_type,
        unsigned: false,
        attributes: attributes.collect(),
        warnings: Warnings::default(),
    };
    Ok(Some(reader.packing(nodes, document)?))
}

/// Reads the attributes of an array of one data type.
struct Elements {
    data_type: DataType,
    /// Whether `_Unsigned` makes elements of a signed type unsigned.
    unsigned: bool,
    attributes: Vec<Attribute>,
    warnings: Warnings,
}

impl Elements {
    fn packing(mut self, nodes: [Option<Node<'_>>; 8], document: &ArrayDocument) -> Read<Packing> {
        let [scale, offset, fill, named, least, greatest, range, unsigned] = nodes;
        self.unsigned = self.counts_as_unsigned(unsigned)?;
        let scale_factor = self.number(scale, SCALE_FACTOR.name)?;
        if let (Some(node), None, Some(_)) = (scale, offset, scale_factor) {
            self.integer_factor(node);
        }
        let add_offset = self.number(offset, ADD_OFFSET.name)?;
        let is_readable = scale_factor.is_some() && add_offset.is_some();
        let fill = self.elements(fill, FILL_VALUE.name)?;
        let named = self.elements(named, MISSING_VALUE.name)?;
        let valid = self.valid(least, greatest, range)?;
        self.decoded_twice([scale, offset], document);
        let codec = match (scale_factor, add_offset) {
            (Some(scale_factor), Some(add_offset)) if is_packed_type(self.data_type) => {
                let bits = |values: &[Scalar]| values.iter().map(|it| it.component(0)).collect();
                let packed = Packed {
                    packed: self.data_type,
                    counted: self.counted(),
                    attributes: DataType::Float64,
                    reader: Reader::Cf,
                    scale_factor,
                    add_offset,
                    fill: bits(&fill),
                    named: bits(&named),
                    valid,
                };
                Some(packed.resolved())
            }
            _ => None,
        };
        let unknown = match (&codec, scale.or(offset)) {
            (Some(_), _) => None,
            (None, Some(_)) if !is_readable => {
                Some("scale_factor or add_offset cannot be read".to_owned())
            }
            (None, Some(node)) => {
                self.not_packed(node);
                Some(format!(
                    "CF readers scale {} too, but the row cf has rules only for integers of 8 to 32 bits",
                    self.data_type
                ))
            }
            // Nothing is computed, and the elements are unchanged.
            (None, None) => None,
        };
        let missing = [(FILL_VALUE.name, fill), (MISSING_VALUE.name, named)];
        let missing = missing.into_iter().flat_map(|(name, values)| {
            values.into_iter().map(move |value| Missing { name, value })
        });
        let mut warnings = self.warnings;
        warnings.listed.sort_by_key(|warning| warning.place.start);
        Ok(Packing {
            codec,
            unknown,
            attributes: self.attributes,
            missing: missing.collect(),
            warnings,
        })
    }

    fn warn(
        &mut self,
        node: Node<'_>,
        clause: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.warnings.add(|| Warning {
            clause,
            message: message.into(),
            help: help.into(),
            pointer: node.pointer(),
            place: node.narrow_place(),
            is_note: false,
        });
    }

    /// Returns the type as which elements are interpreted.
    fn counted(&self) -> DataType {
        match self.unsigned {
            true => as_unsigned(self.data_type),
            false => self.data_type,
        }
    }

    /// Returns whether elements are interpreted as unsigned (cf.unsigned, cf.unsigned.codes).
    fn counts_as_unsigned(&mut self, node: Option<Node<'_>>) -> Read<bool> {
        let Some(node) = node else {
            return Ok(false);
        };
        let clause = UNSIGNED.clause;
        let flag = match node.kind() {
            Kind::String => match node.text()?.as_ref() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
            _ => None,
        };
        let signed = match self.data_type.format() {
            Format::Integer(format) => Some(format.signed),
            _ => None,
        };
        let data_type = self.data_type;
        match (signed, flag) {
            (_, None) => {
                let message = format!(
                    "_Unsigned must be \"true\" or \"false\", not {}, which readers ignore",
                    node.describe()
                );
                self.warn(
                    node,
                    clause,
                    message,
                    "write \"true\", in quotation marks, or leave it out",
                );
            }
            (None, Some(_)) => self.warn(
                node,
                "cf.unsigned.codes",
                format!("_Unsigned has no effect on {data_type}"),
                "leave it out; it says how to interpret the bits of integers",
            ),
            (Some(false), Some(true)) => self.warn(
                node,
                "cf.unsigned.codes",
                format!("_Unsigned has no effect here: {data_type} is unsigned itself"),
                "leave it out",
            ),
            (Some(false), Some(false)) => self.warn(
                node,
                "cf.unsigned.codes",
                format!(
                    "_Unsigned \"false\" on {data_type}: netCDF ignores it, and xarray reads the elements as signed"
                ),
                "leave it out, or store the elements in a signed data type",
            ),
            (Some(true), Some(flag)) => return Ok(flag),
        }
        Ok(false)
    }

    /// Reads a factor or an offset as a `float64` (cf.array). Returns `None` if it is present but unreadable.
    fn number(&mut self, node: Option<Node<'_>>, name: &'static str) -> Read<Option<Option<u64>>> {
        let Some(node) = node else {
            return Ok(Some(None));
        };
        let clause = SCALE_FACTOR.clause;
        // Some writers turn an attribute of netCDF into a list of one element.
        let mut elements = node.elements();
        let number = match (elements.next(), elements.next()) {
            (Some(only), None) => only,
            _ => node,
        };
        let value = match number.kind() {
            Kind::Number => Exact::decimal(number.raw()),
            _ => None,
        };
        let format = DataType::Float64.format();
        let bits = value.map(|value| round(&value, &format, Rounding::NearestEven));
        let Some(Rounded::Bits(bits)) = bits else {
            let message = format!("{name} must be a number, not {}", node.describe());
            let help = "write a plain JSON number; readers do not convert text to numbers";
            self.warn(node, clause, message, help);
            return Ok(None);
        };
        let is_zero = f64::from_bits(bits) == 0.0;
        if is_zero && name == SCALE_FACTOR.name {
            self.warn(
                node,
                clause,
                "a scale_factor of zero turns all elements into one value",
                "write the factor by which the elements were divided, or leave it out",
            );
            return Ok(None);
        }
        Ok(Some(Some(bits)))
    }

    /// Warns if a `scale_factor` is written as an integer and is given alone (cf.attributes.type).
    fn integer_factor(&mut self, node: Node<'_>) {
        let is_integer = node.kind() == Kind::Number && !node.raw().contains(['.', 'e', 'E']);
        if is_integer {
            self.warn(
                node,
                "cf.attributes.type",
                "xarray treats a scale_factor without a fraction as an int64 and reads integers, which have no NaN: it fails on missing elements",
                format!("write {}.0", node.raw()),
            );
        }
    }

    /// Reads the elements that `_FillValue` or `missing_value` names (cf.missing.fill, cf.missing.value).
    fn elements(&mut self, node: Option<Node<'_>>, name: &'static str) -> Read<Vec<Scalar>> {
        let mut values = Vec::new();
        let Some(node) = node else {
            return Ok(values);
        };
        let several = name == MISSING_VALUE.name && node.kind() == Kind::Array;
        let nodes: Vec<Node<'_>> = match several {
            true => node.elements().collect(),
            false => vec![node],
        };
        for node in nodes {
            values.extend(self.element(node, name)?);
        }
        Ok(values)
    }

    /// Reads an element. Anything else is left out with a warning (cf.missing.type).
    fn element(&mut self, node: Node<'_>, name: &str) -> Read<Option<Scalar>> {
        let bits = match self.data_type.format() {
            Format::Integer(format) => self.integer(node, name, &format),
            Format::Float(_) => self.float(node, name)?,
            _ => None,
        };
        Ok(bits.map(|bits| Scalar::new(self.data_type, bits.into())))
    }

    fn integer(&mut self, node: Node<'_>, name: &str, format: &IntegerFormat) -> Option<u64> {
        const CLAUSE: &str = "cf.missing.type";
        let data_type = self.data_type;
        let what = node.describe();
        let value = match node.kind() {
            Kind::Number => Exact::decimal(node.raw()),
            _ => None,
        };
        let Some(value) = value else {
            let message = format!("{name} is {what}, but the elements are {data_type}");
            let help = format!("write a plain JSON integer, as {data_type} requires");
            self.warn(node, CLAUSE, message, help);
            return None;
        };
        let to = Format::Integer(*format);
        let rounded = round(&value, &to, Rounding::NearestEven);
        let is_it = |bits: &u64| {
            let same = Exact::from_bits(&to, *bits).compare(&value);
            same == Some(Ordering::Equal)
        };
        let Some(bits) = Some(rounded).and_then(|rounded| match rounded {
            Rounded::Bits(bits) => Some(bits).filter(is_it),
            _ => None,
        }) else {
            let message = format!(
                "{name} is {what}, which is not a value of {data_type}: no element equals it"
            );
            let help = self.signed_spelling(&value).unwrap_or_else(|| {
                format!("write an integer from {} to {}", format.min(), format.max())
            });
            self.warn(node, CLAUSE, message, help);
            return None;
        };
        if node.raw().contains(['.', 'e', 'E']) {
            let scalar = Scalar::new(data_type, bits.into());
            let help = format!("write {}", exactum_exact::canonical(&scalar));
            let message = format!("{name} is written as a float, but the elements are {data_type}");
            self.warn(node, CLAUSE, message, help);
        }
        Some(bits)
    }

    /// Returns the spelling under `_Unsigned` of a number that only the unsigned type of the same width contains.
    fn signed_spelling(&self, value: &Exact) -> Option<String> {
        signed_spelling(self.data_type, value).map(|help| match self.unsigned {
            true => help,
            false => format!("{help}; there is no _Unsigned here"),
        })
    }

    fn float(&mut self, node: Node<'_>, name: &str) -> Read<Option<u64>> {
        const CLAUSE: &str = "cf.array";
        let text = match node.kind() {
            Kind::String => Some(node.text()?),
            _ => None,
        };
        let binary64 = DataType::Float64.format();
        let value = match (&text, name == FILL_VALUE.name) {
            (Some(text), true) => decode_base64(text).map(|bits| Exact::from_bits(&binary64, bits)),
            _ => match node.kind() {
                Kind::Number => Exact::decimal(node.raw()),
                _ => None,
            },
        };
        let Some(value) = value else {
            let message = format!("{name} must be a number, not {}", node.describe());
            let help = match name == FILL_VALUE.name {
                true => {
                    "write the bytes of a little-endian float64 in base64, as xarray does: NaN is \"AAAAAAAA+H8=\""
                }
                false => "write a plain JSON number",
            };
            self.warn(node, CLAUSE, message, help);
            return Ok(None);
        };
        let bits = |format: &Format| match round(&value, format, Rounding::NearestEven) {
            Rounded::Bits(bits) => bits,
            Rounded::OutOfRange { above, .. } => exactum_exact::clamp(format, above),
            Rounded::NotANumber | Rounded::NotFinite => 0,
        };
        if text.is_none() && name == FILL_VALUE.name {
            let message = format!(
                "xarray refuses to open an array of {} whose _FillValue is a JSON number",
                self.data_type
            );
            let help = format!(
                "write it as xarray does, the bytes of a little-endian float64 in base64: \"{}\"",
                encode_base64(bits(&binary64))
            );
            self.warn(node, CLAUSE, message, help);
        }
        Ok(Some(bits(&self.data_type.format())))
    }

    /// Reads the least and the greatest valid element (cf.missing.range).
    fn valid(
        &mut self,
        least: Option<Node<'_>>,
        greatest: Option<Node<'_>>,
        range: Option<Node<'_>>,
    ) -> Read<(i64, i64)> {
        if let (Some(range), true) = (range, least.is_some() || greatest.is_some()) {
            self.warn(
                range,
                "cf.missing.range.alone",
                "valid_range is given together with valid_min or valid_max",
                "keep one of the two forms",
            );
        }
        let mut ends = [least, greatest];
        if let Some(range) = range {
            let bounds: Vec<Node<'_>> = range.elements().collect();
            ends = match bounds[..] {
                [least, greatest] => [Some(least), Some(greatest)],
                _ => {
                    let message = format!("valid_range must be a pair, not {}", range.describe());
                    let help = "write the least and the greatest valid element: [0, 100]";
                    self.warn(range, "cf.missing.type", message, help);
                    [None, None]
                }
            };
        }
        let name = |bound| match range {
            Some(_) => VALID_RANGE.name,
            None => bound,
        };
        let mut bound = |node: Option<Node<'_>>, of: &'static str| -> Read<Option<i64>> {
            let element = match node {
                Some(node) => self.element(node, name(of))?,
                None => None,
            };
            let is_packed = is_packed_type(self.data_type);
            Ok(element
                .filter(|_| is_packed)
                .map(|it| signed(it.component(0), self.counted())))
        };
        let [first, last] = ends;
        let (least, greatest) = (bound(first, VALID_MIN.name)?, bound(last, VALID_MAX.name)?);
        let valid = (least.unwrap_or(i64::MIN), greatest.unwrap_or(i64::MAX));
        if let (Some(node), true) = (range.or(last).or(first), valid.0 > valid.1) {
            self.warn(
                node,
                "cf.missing.range",
                "no element is valid: the least valid one is above the greatest",
                "write the smaller number first",
            );
        }
        Ok(valid)
    }

    /// Warns if attributes scale in addition to a codec (cf.array.twice).
    fn decoded_twice(&mut self, scaling: [Option<Node<'_>>; 2], document: &ArrayDocument) {
        let Some(node) = scaling.into_iter().flatten().next() else {
            return;
        };
        let mut steps = document.chain.pipeline.all_array_to_array();
        let scales = |codec: &ArrayCodec| {
            matches!(
                codec,
                ArrayCodec::ScaleOffset(_) | ArrayCodec::FixedScaleOffset(_)
            )
        };
        let Some(step) = steps.find(|step| scales(&step.codec)) else {
            return;
        };
        let message = format!(
            "values are decoded twice: by the codec {} ({}), and then again by readers of CF",
            step.name, step.pointer
        );
        let help = "remove scale_factor and add_offset from attributes, if they describe what the codec already does";
        self.warn(node, "cf.array.twice", message, help);
    }

    /// Warns if the scaled elements are not packed (cf.document.data_type).
    fn not_packed(&mut self, node: Node<'_>) {
        let message = format!("CF does not pack values into {}", self.data_type);
        let help = "readers multiply and add nevertheless; packed elements are integers of 8, 16 or 32 bits";
        self.warn(node, "cf.document.data_type", message, help);
    }
}

/// Returns whether the row `cf` takes elements of this type (cf.document.data_type).
fn is_packed_type(data_type: DataType) -> bool {
    matches!(
        data_type,
        DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Uint8
            | DataType::Uint16
            | DataType::Uint32
    )
}

/// Returns the signed spelling of a number that only the unsigned type contains (cf.unsigned.codes).
pub(super) fn signed_spelling(data_type: DataType, value: &Exact) -> Option<String> {
    let unsigned = as_unsigned(data_type);
    let format = unsigned.format();
    let Rounded::Bits(bits) = round(value, &format, Rounding::NearestEven) else {
        return None;
    };
    let is_it = Exact::from_bits(&format, bits).compare(value) == Some(Ordering::Equal);
    (is_it && unsigned != data_type).then(|| {
        let written = exactum_exact::canonical(&Scalar::new(data_type, bits.into()));
        let meant = exactum_exact::canonical(&Scalar::new(unsigned, bits.into()));
        format!("with \"_Unsigned\": \"true\", {meant} of {unsigned} is written as {written}")
    })
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns the bits of a little-endian `float64` in base64: eleven characters and one `=`.
fn decode_base64(text: &str) -> Option<u64> {
    let digits = text.strip_suffix('=').filter(|it| it.len() == 11)?;
    let mut bytes = Vec::new();
    for group in digits.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for index in 0..4 {
            let digit = match group.get(index) {
                Some(digit) => BASE64.iter().position(|it| it == digit)?,
                None => 0,
            };
            bits = bits << 6 | u32::try_from(digit).ok()?;
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    // There are eight bytes, and one that the last character does not fill.
    let (number, rest) = bytes.split_first_chunk()?;
    (rest == [0]).then(|| u64::from_le_bytes(*number))
}

/// Returns the bits of a `float64`, little-endian, in base64.
fn encode_base64(bits: u64) -> String {
    let mut text = String::new();
    for group in bits.to_le_bytes().chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or_default());
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..=group.len() {
            let digit = all >> (18 - 6 * index) & 63;
            text.push(char::from(
                BASE64[usize::try_from(digit).unwrap_or_default()],
            ));
        }
    }
    text.push('=');
    text
}

#[cfg(test)]
mod tests;
