//! The numbers in attributes: factors, offsets, and elements of the array's data type.

use std::cmp::Ordering;

use exactum_exact::{Exact, Rounded, round};
use exactum_model::{DataType, Format, IntegerFormat, Rounding, Scalar};

use super::{Elements, base64};
use crate::cf::as_unsigned;
use crate::cf::members::{FILL_VALUE, MISSING_VALUE, SCALE_FACTOR};
use crate::diagnostic::Read;
use crate::json::{Kind, Node};

impl Elements {
    /// Reads a factor or an offset as a `float64` (cf.array). Returns `None` if it is present but unreadable.
    pub(super) fn number(
        &mut self,
        node: Option<Node<'_>>,
        name: &'static str,
    ) -> Read<Option<Option<u64>>> {
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

    /// Reads the elements that `_FillValue` or `missing_value` names (cf.missing.fill, cf.missing.value).
    pub(super) fn elements(
        &mut self,
        node: Option<Node<'_>>,
        name: &'static str,
    ) -> Read<Vec<Scalar>> {
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
    pub(super) fn element(&mut self, node: Node<'_>, name: &str) -> Read<Option<Scalar>> {
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
            false => format!("{help}; these attributes have no _Unsigned"),
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
            (Some(text), true) => {
                base64::decode(text).map(|bits| Exact::from_bits(&binary64, bits))
            }
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
                base64::encode(bits(&binary64))
            );
            self.warn(node, CLAUSE, message, help);
        }
        Ok(Some(bits(&self.data_type.format())))
    }
}

/// Returns the signed spelling of a number that only the unsigned type contains (cf.unsigned.codes).
pub(crate) fn signed_spelling(data_type: DataType, value: &Exact) -> Option<String> {
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
