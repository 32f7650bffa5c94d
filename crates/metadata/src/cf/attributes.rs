//! The packing attributes among the `attributes` of a Zarr v3 array (spec/cf.md, "Attributes of arrays").
//!
//! Readers of CF ignore most faults in these attributes, and so does this reader: an attribute that cannot be read is
//! left out, with a warning.

mod base64;
mod values;

use std::ops::Range;

use exactum_model::{ArrayCodec, Cf, DataType, Format, Scalar};

use super::members::{
    ADD_OFFSET, FILL_VALUE, MISSING_VALUE, Reader, SCALE_FACTOR, UNSIGNED, VALID_MAX, VALID_MIN,
    VALID_RANGE,
};
use super::{Packed, as_unsigned, signed};
use crate::array::ArrayDocument;
use crate::diagnostic::{Diagnostic, Read, Report};
use crate::json::{Attributes, Kind, Node, Tree};

pub(super) use values::signed_spelling;

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
    /// Report about attributes that contradict each other or cannot be read, in the order of the text.
    pub warnings: Report,
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
        warnings: Report::default(),
    };
    Ok(Some(reader.packing(nodes, document)?))
}

/// Reads the attributes of an array of one data type.
struct Elements {
    data_type: DataType,
    /// Whether `_Unsigned` makes elements of a signed type unsigned.
    unsigned: bool,
    attributes: Vec<Attribute>,
    warnings: Report,
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
        Ok(Packing {
            codec,
            unknown,
            attributes: self.attributes,
            missing: missing.collect(),
            warnings: self.warnings.sorted(),
        })
    }

    fn warn(
        &mut self,
        node: Node<'_>,
        clause: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.warnings
            .add_warning(|| node.reject(clause, message).help(help));
    }

    /// Returns the data type in which elements are interpreted.
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
                format!("_Unsigned has no effect here: {data_type} is already unsigned"),
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

    /// Warns if a `scale_factor` is written as an integer and is given alone (cf.attributes.type).
    fn integer_factor(&mut self, node: Node<'_>) {
        let is_integer = node.kind() == Kind::Number && !node.raw().contains(['.', 'e', 'E']);
        if is_integer {
            self.warn(
                node,
                "cf.attributes.type",
                "xarray treats a scale_factor without a fraction as an int64 and reads integers, which \
                 have no NaN, so it fails on missing elements",
                format!("write {}.0", node.raw()),
            );
        }
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
                "no element is valid: the least valid value is above the greatest",
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
        let help = "readers still apply scale_factor and add_offset; packed elements are integers of 8, 16 or 32 bits";
        self.warn(node, "cf.document.data_type", message, help);
    }
}

/// Returns whether the row `cf` covers elements of this type (cf.document.data_type).
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

#[cfg(test)]
mod tests;
