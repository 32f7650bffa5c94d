//! The document of a `downsample` view (spec/downsample.md): TensorStore's, and read as TensorStore
//! reads it. Its base is a document too, of any of TensorStore's drivers; what is known of it is
//! checked, and what is not is left alone.

mod base;
mod bounds;
mod members;
mod number;
mod transform;

use exactum_model::{DataType, Domain, Level, Method, Reason, Rejection, Transform};

use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Attributes, Node, Tree};
use crate::members::{array, object};

pub use base::Base;
use base::{Named, Shared};

/// The most dimensions that TensorStore has (downsample.document.rank).
const MAX_RANK: usize = 32;

/// A view as its document describes it.
#[derive(Clone, Debug)]
pub struct DownsampleDocument {
    /// What is made of which blocks.
    pub level: Level,
    /// What is read.
    pub base: Base,
    /// The name of the data type, where the document says it or its base does.
    pub data_type: Option<&'static str>,
    /// The number of dimensions of the view, with its transform.
    pub rank: usize,
    /// The positions of the view, with its transform, where those of its base are known.
    pub domain: Option<Domain>,
    /// Which elements are read, where the document says it.
    pub transform: Option<Transform>,
    /// How much one step along each dimension is, in a unit, where it is known.
    pub dimension_units: Option<Vec<Option<(f64, String)>>>,
}

/// Reads the document of a view.
///
/// # Errors
/// The clauses of `downsample.*` about documents, and `chain.json*` where the text is not JSON.
pub fn parse_downsample(text: &str) -> Result<DownsampleDocument, Rejection> {
    Ok(diagnose_downsample(text)?)
}

/// As [`parse_downsample`], with the place of what is wrong in the text.
///
/// # Errors
/// The first fault.
pub fn diagnose_downsample(text: &str) -> Result<DownsampleDocument, Box<Diagnostic>> {
    let tree = Tree::scan(text, Attributes::Entered)?;
    read(tree.root(), None)
}

/// Reads a view. `outer` is the data type that a view of this one has.
fn read(root: Node<'_>, outer: Option<Named<'_>>) -> Read<DownsampleDocument> {
    let found = members::VIEW.open(root)?;
    found.required(&members::DRIVER)?;
    let base = found.required(&members::BASE)?;
    let factors_node = found.required(&members::FACTORS)?;
    let method_node = found.node(&members::METHOD).unwrap_or(root);
    let context = found.optional(&members::CONTEXT)?;
    let dtype = found.optional(&members::DTYPE)?;
    let rank = found.optional(&members::RANK)?;
    let transform = found.optional(&members::TRANSFORM)?;
    let schema = found.optional(&members::SCHEMA)?;
    if let Some(context) = context {
        object(context, "downsample.document.context", "context")?;
    }

    let mut shared = Shared::read(dtype, rank, transform, schema)?;
    shared.agree(outer)?;
    let factors = read_factors(factors_node)?;
    let method = found.required(&members::METHOD)?;
    let level = Level::new(factors, method).map_err(|r| factors_node.place_rejection(r))?;
    let count = level.factors().len();
    shared.require_rank(count, "downsample.document.rank", factors_node)?;

    let base = Base::read(base, shared.data_type)?;
    if let Some(base_rank) = base.rank().filter(|&rank| rank != count) {
        return Err(factors_node
            .reject_as(
                Reason::Shape,
                "downsample.factors.rank",
                format!("{count} factors do not go with a base of {base_rank} dimensions"),
            )
            .help("write one factor a dimension, 1 where nothing is to be downsampled"));
    }
    let data_type = shared
        .data_type
        .map(|named| named.name)
        .or(base.data_type());
    if let Some(name) = data_type {
        defined(method, name).map_err(|rejection| method_node.place_rejection(rejection))?;
    }
    let domain = base
        .domain()
        .map(|domain| level.domain(&domain))
        .transpose()
        .map_err(|rejection| factors_node.place_rejection(rejection))?;
    let domain = shared.place(domain)?;
    let units = base.dimension_units().map(|units| {
        let units = units.into_iter().zip(level.factors());
        units
            .map(|(unit, &factor)| {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "a unit's multiplier is a binary64, and so is its product"
                )]
                unit.map(|(multiplier, name)| (multiplier * factor as f64, name))
            })
            .collect()
    });
    Ok(DownsampleDocument {
        rank: shared.rank.unwrap_or(count),
        dimension_units: shared.units.take().or(units),
        transform: shared.transform.take(),
        level,
        base,
        data_type,
        domain,
    })
}

/// The JSON Schema of the document.
pub(crate) fn schema() -> serde_json::Value {
    members::VIEW.root_schema()
}

/// The factors: integers from 1 on, however they are written (downsample.document.factors).
fn read_factors(node: Node<'_>) -> Read<Vec<u64>> {
    const CLAUSE: &str = "downsample.document.factors";
    array(node, CLAUSE, "downsample_factors")?;
    let factors: Vec<u64> = node
        .elements()
        .map(|element| {
            let factor = number::integer(element)
                .and_then(|factor| u64::try_from(factor).ok())
                .filter(|&factor| factor >= 1 && i64::try_from(factor).is_ok());
            factor.ok_or_else(|| {
                element
                    .reject(
                        CLAUSE,
                        format!("{} is no downsampling factor", element.describe()),
                    )
                    .help("a factor is an integer of 1 to 9223372036854775807")
            })
        })
        .collect::<Read<_>>()?;
    if factors.len() > MAX_RANK {
        return Err(node
            .reject(
                "downsample.document.rank",
                format!("{} factors are more than 32 dimensions", factors.len()),
            )
            .help("a view has 32 dimensions at most"));
    }
    Ok(factors)
}

/// Texts and single bytes are strided and counted only (downsample.data_types).
fn defined(method: Method, name: &str) -> Result<(), Rejection> {
    if let Ok(data_type) = name.parse::<DataType>() {
        return method.require(data_type);
    }
    let number = name == base::FLOAT8_E4M3FN;
    if number || matches!(method, Method::Stride | Method::Mode) {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::UnsupportedDataType,
        "downsample.data_types",
        format!("there is no {method} of {name}"),
    )
    .help("use \"stride\" or \"mode\""))
}

#[cfg(test)]
mod tests;
