//! The configuration of `reshape` (spec/chain.md).

use exactum_model::{ArrayCodec, Reason};
use schemars::{Schema, SchemaGenerator, json_schema};

use crate::description::{Description, Form, Member, Of, Required, define};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};
use crate::members::{Extension, array, asks_natural, natural};
use crate::pipeline::{Codec, CodecKind, Output, Reader};
use crate::state::{Shape, State};

const CLAUSE: &str = "chain.reshape";

const SHAPE: Member<Extents> = Member {
    name: "shape",
    clause: CLAUSE,
    about: "The extents of the output.",
    required: Some(Required {
        clause: CLAUSE,
        what: "a shape",
        help: "write {\"name\": \"reshape\", \"configuration\": {\"shape\": [[0, 1], -1]}}",
    }),
    form: Extents,
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "reshape",
        file: false,
        example: "{\"shape\": [[0, 1], -1]}",
    },
    definition: "ReshapeConfiguration",
    form: CLAUSE,
    keys: "chain.extension.keys",
    members: &[&SHAPE],
    rule: |_| {},
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "reshape",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToArray(Some(read)),
    varies: false,
};

/// One element of the configuration's `shape`.
enum Extent {
    /// A size.
    Size(u64),
    /// `-1`: the extent that follows from the others.
    Rest,
    /// The product of these dimensions of the input.
    Dimensions(Vec<u64>),
}

/// Extents, some of which depend on the input.
struct Extents;

impl Form for Extents {
    type Value<'d> = (Node<'d>, Vec<Extent>);

    fn read<'d>(&self, node: Node<'d>, _name: &str, clause: &'static str) -> Read<Self::Value<'d>> {
        array(node, clause, "the shape of reshape")?;
        Ok((node, form(node)?))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let extent = define(generator, "ReshapeExtent", |_| {
            json_schema!({"anyOf": [
                {"type": "integer", "minimum": 1},
                {"const": -1},
                {"type": "array", "items": {"type": "integer", "minimum": 0}},
            ]})
        });
        json_schema!({"type": "array", "items": extent})
    }
}

/// Reads the new shape. If the input shape is not known, only the form is checked.
fn read(codec: &Extension<'_>, input: Option<&State>, reader: &mut Reader) -> Read<Option<Output>> {
    reader.depends_on_extents = true;
    let (node, extents) = CONFIGURATION.of_codec(codec)?.required(&SHAPE)?;
    let Some(input) = input else { return Ok(None) };
    let shape = match input.shape.known() {
        Some(shape) => Shape::Known(resolve(node, &extents, shape)?),
        None => Shape::Rank(extents.len()),
    };
    Ok(Some(Output {
        codec: Some(ArrayCodec::Reshape),
        state: input.in_shape(shape),
    }))
}

/// Checks the rules that do not depend on the shape of the input.
fn form(node: Node<'_>) -> Read<Vec<Extent>> {
    let mut extents = Vec::new();
    let mut rest_is_taken = false;
    let mut previous = None;
    for element in node.elements() {
        extents.push(match element.kind() {
            Kind::Array => {
                let mut dimensions = Vec::new();
                for dimension in element.elements() {
                    let Some(number) = natural(dimension) else {
                        return Err(misfit(
                            dimension,
                            format!("{} is not a dimension", dimension.describe()),
                        )
                        .help("dimensions of the input are counted from 0"));
                    };
                    if previous.is_some_and(|previous| number <= previous) {
                        return Err(misfit(
                            dimension,
                            format!("dimension {number} comes after a dimension that is not smaller"),
                        )
                        .help("all dimensions listed in the shape must ascend; transpose reorders them"));
                    }
                    previous = Some(number);
                    dimensions.push(number);
                }
                Extent::Dimensions(dimensions)
            }
            Kind::Number if element.raw() == "-1" => {
                if std::mem::replace(&mut rest_is_taken, true) {
                    return Err(misfit(element, "-1 occurs twice")
                        .help("only one extent can be derived from the others"));
                }
                Extent::Rest
            }
            _ => match natural(element) {
                Some(size) if size > 0 => Extent::Size(size),
                _ => {
                    return Err(element
                        .reject_as(
                            Reason::Shape,
                            asks_natural(element, CLAUSE),
                            format!("{} is not an extent of reshape", element.describe()),
                        )
                    .help("an extent is a positive integer, -1, or a list of dimensions of the input"));
                }
            },
        });
    }
    Ok(extents)
}

fn misfit(node: Node<'_>, message: impl Into<String>) -> Box<Diagnostic> {
    node.reject_as(Reason::Shape, CLAUSE, message)
}

/// Returns the product of extents. Products above 2^128 only have to differ from those that fit.
fn product(extents: impl IntoIterator<Item = u64>) -> u128 {
    extents.into_iter().fold(1, |product: u128, extent| {
        product.saturating_mul(extent.into())
    })
}

fn resolve(node: Node<'_>, extents: &[Extent], input: &[u64]) -> Read<Vec<u64>> {
    let total = product(input.iter().copied());
    // A product of some dimensions is at most that of all, which is below 2^64.
    let mut output: Vec<Option<u64>> = Vec::with_capacity(extents.len());
    for (element, extent) in node.elements().zip(extents) {
        output.push(match extent {
            Extent::Size(size) => Some(*size),
            Extent::Rest => None,
            Extent::Dimensions(dimensions) => {
                let mut size = 1u64;
                for &dimension in dimensions {
                    let found = usize::try_from(dimension)
                        .ok()
                        .and_then(|dimension| input.get(dimension));
                    let Some(found) = found else {
                        return Err(misfit(
                            element,
                            format!("the input has no dimension {dimension}"),
                        )
                        .help(format!("the shape of the input is {input:?}")));
                    };
                    size = size.saturating_mul(*found);
                }
                Some(size)
            }
        });
    }
    let known = product(output.iter().flatten().copied());
    let output: Vec<u64> = if output.contains(&None) {
        let rest = (known > 0 && total.is_multiple_of(known))
            .then(|| u64::try_from(total / known).ok())
            .flatten();
        let Some(rest) = rest else {
            return Err(misfit(
                node,
                format!("the product of the other extents is {known}, which does not divide {total} elements"),
            )
            .help(format!("the input has the shape {input:?}")));
        };
        output.iter().map(|extent| extent.unwrap_or(rest)).collect()
    } else {
        output.into_iter().flatten().collect()
    };
    if product(output.iter().copied()) != total {
        return Err(misfit(
            node,
            format!("the shape {output:?} does not hold the {total} elements of {input:?}"),
        )
        .help("reshape must keep the number of elements"));
    }
    check_alignment(node, extents, &output, input)?;
    Ok(output)
}

/// Checks the extents that are made of dimensions. The extents before and after each of them must have the same
/// products as in the input, because only then are the coordinates the same (upstream, the second constraint).
fn check_alignment(node: Node<'_>, extents: &[Extent], output: &[u64], input: &[u64]) -> Read<()> {
    // Running products keep this linear in the rank.
    let before = |shape: &[u64]| {
        let mut products = vec![1u128];
        for &extent in shape {
            let last = products.last().copied().unwrap_or(1);
            products.push(last.saturating_mul(extent.into()));
        }
        products
    };
    let (output_before, input_before) = (before(output), before(input));
    for (index, (element, extent)) in node.elements().zip(extents).enumerate() {
        let Extent::Dimensions(dimensions) = extent else {
            continue;
        };
        let (Some(first), Some(last)) = (dimensions.first(), dimensions.last()) else {
            continue;
        };
        let index_of = |dimension: &u64| usize::try_from(*dimension).unwrap_or(usize::MAX);
        // All extents are positive and both totals are equal. Therefore the products of the following extents
        // are equal exactly if those up to the end of the extent are.
        let aligned = output_before[index] == input_before[index_of(first)]
            && output_before[index + 1] == input_before[index_of(last) + 1];
        if !aligned {
            return Err(misfit(
                element,
                format!(
                    "dimensions {dimensions:?} of the input are not at the position of this extent"
                ),
            )
            .help(format!(
                "the extents before and after it have to hold as many elements as the dimensions \
                 of the input before and after these; the input has the shape {input:?}"
            )));
        }
    }
    Ok(())
}
