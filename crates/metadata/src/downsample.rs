//! The document of a `downsample` view (spec/downsample.md): TensorStore's, and read as TensorStore
//! reads it. Its base is a document too, of any of TensorStore's drivers; what is known of it is
//! checked, and what is not is left alone.

mod base;
mod bounds;
mod members;
mod number;
mod transform;

use exactum_model::{At, DataType, Domain, Level, Method, Reason, Rejection, Transform};

use crate::diagnostic::{Diagnostic, Read, Warnings};
use crate::faults::Faults;
use crate::json::{Attributes, Kind, Node, Tree};
use crate::members::{array, object};
use crate::words::counted;

pub use base::Base;
use base::{Named, Shared};

/// The most dimensions that TensorStore has (downsample.document.rank).
const MAX_RANK: usize = 32;

/// A view as its document describes it.
#[derive(Clone, Debug, PartialEq)]
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
    /// The shape of the chunks, where that of the base is known.
    pub chunk_shape: Option<Vec<u64>>,
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

/// As [`diagnose_downsample`], of the bytes of a file.
///
/// # Errors
/// The first fault.
pub fn diagnose_downsample_bytes(bytes: &[u8]) -> Result<DownsampleDocument, Box<Diagnostic>> {
    diagnose_downsample(Tree::text_of(bytes)?)
}

/// Reads the bytes of a file as [`diagnose_downsample_bytes`] does, for the faults of all members.
///
/// # Errors
/// All that were found.
pub fn judge_downsample(bytes: &[u8]) -> Result<DownsampleDocument, Box<Faults>> {
    let text = Tree::text_of(bytes)?;
    let tree = Tree::scan(text, Attributes::Entered)?.keeping_faults();
    tree.end(read(tree.root(), None), |_| Warnings::default())
}

/// Whether a text is the document of a view. What is no JSON is none.
#[must_use]
pub fn is_downsample(bytes: &[u8]) -> bool {
    let is_view = |text: &str| {
        let tree = Tree::scan(text, Attributes::Entered).ok()?;
        let driver = tree.root().get("driver")?;
        let is_text = driver.kind() == Kind::String;
        Some(is_text && driver.text().ok()? == "downsample")
    };
    let text = std::str::from_utf8(bytes);
    text.ok().and_then(is_view).unwrap_or(false)
}

/// Reads a transform of a view that has these positions: bounds that it leaves open are the view's
/// where it has no output maps.
///
/// # Errors
/// `downsample.document.transform` and `downsample.transform.*`; pointers begin with `/transform`.
pub fn parse_transform(text: &str, view: &Domain) -> Result<Transform, Rejection> {
    let below = |mut rejection: Rejection| {
        if let Some(At::Pointer(pointer)) = &mut rejection.at
            && !pointer.starts_with("/transform")
        {
            pointer.insert_str(0, "/transform");
        }
        rejection
    };
    let read = |text: &str| -> Read<Transform> {
        let tree = Tree::scan(text, Attributes::Entered)?;
        let placed = transform::read(tree.root())?.over(Some(view))?;
        placed.ok_or_else(|| {
            tree.root()
                .reject(
                    "downsample.transform.form",
                    "the positions of the result are not said",
                )
                .help("add input_inclusive_min and input_exclusive_max")
        })
    };
    read(text).map_err(|diagnostic| below(diagnostic.rejection))
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
                format!(
                    "{} not go with a base of {}",
                    match count {
                        1 => "1 factor does".to_owned(),
                        _ => format!("{count} factors do"),
                    },
                    counted(base_rank, "dimension")
                ),
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
    let chunks = base.chunk_shape().map(|chunks| {
        let chunks = chunks.iter().zip(level.factors());
        chunks
            .map(|(&chunk, &factor)| chunk / gcd(chunk, factor))
            .collect()
    });
    Ok(DownsampleDocument {
        chunk_shape: chunks.filter(|_| shared.transform.is_none()),
        rank: shared.rank.unwrap_or(count),
        dimension_units: shared.units.take().or(units),
        transform: shared.transform.take(),
        level,
        base,
        data_type,
        domain,
    })
}

/// The greatest common divisor: of a chunk and a factor, how many positions of the view a chunk is
/// shorter by (downsample.document.chunks).
fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a.max(1),
        _ => gcd(b, a % b),
    }
}

/// The JSON Schema of the document.
pub(crate) fn schema() -> serde_json::Value {
    members::VIEW.root_schema()
}

/// The factors: integers from 1 on, however they are written (downsample.document.factors).
fn read_factors(node: Node<'_>) -> Read<Vec<u64>> {
    const CLAUSE: &str = "downsample.document.factors";
    array(node, CLAUSE, "downsample_factors")?;
    let factors = node.elements().map(|element| {
        let factor = number::integer(element)
            .and_then(|factor| u64::try_from(factor).ok())
            .filter(|&factor| factor >= 1 && i64::try_from(factor).is_ok());
        factor.ok_or_else(|| {
            element
                .reject(
                    CLAUSE,
                    format!("{} is no downsampling factor", element.describe()),
                )
                .help("a factor is an integer of at least 1 and below 2^63")
        })
    });
    let factors = node.all(factors)?;
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
    if matches!(method, Method::Stride | Method::Mode) {
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
