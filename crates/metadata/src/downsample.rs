//! The document of a `downsample` view (spec/downsample.md): TensorStore's, and read as TensorStore
//! reads it. Its base is a document too, of any of TensorStore's drivers; what is known of it is
//! checked, and what is not is left alone.

mod base;
mod bounds;
mod members;
mod number;
mod transform;

use exactum_model::{At, DataType, Domain, Level, Method, Reason, Rejection, Transform};

use crate::description::Form as _;
use crate::diagnostic::{Diagnostic, Read, Warnings};
use crate::faults::{Faults, Parts};
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
    // Faults in the form of a member are told here; the members that have none are read all the same.
    let mut parts = Parts::of(root);
    if let Some(found) = parts.take(members::VIEW.open(root))? {
        found.required(&members::DRIVER)?;
    }
    let factors_node = root.get(members::FACTORS.name).unwrap_or(root);
    let method_node = root.get(members::METHOD.name).unwrap_or(root);
    if let Some(context) = root.get(members::CONTEXT.name) {
        parts.take(object(context, "downsample.document.context", "context"))?;
    }
    let shared = Shared::read(
        root.get(members::DTYPE.name),
        root.get(members::RANK.name),
        root.get(members::TRANSFORM.name),
        root.get(members::SCHEMA.name),
    );
    let mut shared = parts.take(shared)?;
    if let Some(shared) = &mut shared {
        parts.take(shared.agree(outer))?;
    }
    let factors = root.get(members::FACTORS.name).map(read_factors);
    let factors = parts.take(factors.transpose())?.flatten();
    let method = match root.get(members::METHOD.name).map(read_method) {
        // It was told already.
        Some(Err(_)) if root.keeps_faults() => None,
        method => method.transpose()?,
    };
    let level = factors.zip(method).map(|(factors, method)| {
        Level::new(factors, method).map_err(|fault| factors_node.place_rejection(fault))
    });
    let level = parts.take(level.transpose())?.flatten();
    let count = level.as_ref().map(|level| level.factors().len());
    if let Some((shared, count)) = shared.as_mut().zip(count) {
        let clause = "downsample.document.rank";
        parts.take(shared.require_rank(count, clause, factors_node))?;
    }

    let own = shared.as_ref().and_then(|shared| shared.data_type);
    let base = root.get(members::BASE.name);
    let base = base.map(|base| Base::read(base, own)).transpose();
    let base = parts.take(base)?.flatten();
    if let Some((base_rank, count)) = base.as_ref().and_then(Base::rank).zip(count)
        && base_rank != count
    {
        parts.take::<()>(Err(other_rank(factors_node, count, base_rank)))?;
    }
    let data_type = own.map(|named| named.name);
    let data_type = data_type.or(base.as_ref().and_then(Base::data_type));
    if let Some((method, name)) = method.zip(data_type) {
        let defined = defined(method, name);
        parts.take(defined.map_err(|fault| method_node.place_rejection(fault)))?;
    }
    parts.end()?;
    let whole = shared.zip(level).zip(base).zip(count);
    let Some((((mut shared, level), base), count)) = whole else {
        // Without a fault all are there.
        return Err(root.reject("downsample.document", "a part of it cannot be read"));
    };
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

/// The method, whose faults are told with the form of the members.
fn read_method(node: Node<'_>) -> Read<Method> {
    let member = &members::METHOD;
    node.again(|| member.form.read(node, member.name, member.clause))
}

/// What is said of a base that has not as many dimensions as there are factors.
fn other_rank(factors: Node<'_>, count: usize, base_rank: usize) -> Box<Diagnostic> {
    let factors_do = match count {
        1 => "1 factor does".to_owned(),
        _ => format!("{count} factors do"),
    };
    let dimensions = counted(base_rank, "dimension");
    let message = format!("{factors_do} not go with a base of {dimensions}");
    factors
        .reject_as(Reason::Shape, "downsample.factors.rank", message)
        .help("write one factor a dimension, 1 where nothing is to be downsampled")
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
