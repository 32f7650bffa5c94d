//! The document of a `downsample` view (spec/downsample.md), which is defined and read as by TensorStore. Its
//! base is a document too, of any of TensorStore's drivers. The known parts of it are checked, and the others
//! are ignored.

mod base;
mod bounds;
mod extents;
mod members;
mod number;
mod propagate;
mod transform;
mod units;

use exactum_model::{At, DataType, Domain, Level, Method, Reason, Rejection, Transform};

use crate::description::Found;
use crate::diagnostic::Read;
use crate::faults::Parts;
use crate::json::{Attributes, Node, Tree};
use crate::members::{array, object};
use crate::words::counted;

pub use base::{Base, Bases, Documents, Location, Store, Stored};
use base::{Outer, Shared};
use extents::Extents;
pub use units::Units;

/// The maximum number of dimensions in TensorStore (downsample.document.rank).
const MAX_RANK: usize = 32;

/// A view as its document describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct DownsampleDocument {
    /// The level: the factors and the method.
    pub level: Level,
    /// The array that the view reads.
    pub base: Base,
    /// The name of the data type, if the document or its base states it.
    pub data_type: Option<&'static str>,
    /// The number of dimensions of the view, after its transform.
    pub rank: usize,
    /// The positions of the view after its transform, if those of its base are known.
    pub domain: Option<Domain>,
    /// The selection of the elements that are read, if the document restricts them.
    pub transform: Option<Transform>,
    /// The size of one step along each dimension with its unit, if it is known.
    pub dimension_units: Option<Units>,
    /// The shape of the chunks, if that of the base is known.
    pub chunk_shape: Option<Vec<u64>>,
}

/// Reads the document of a view.
///
/// # Errors
/// The clauses of `downsample.*` about documents, and `chain.json*` if the text is not JSON.
pub fn parse_downsample(text: &str) -> Result<DownsampleDocument, Rejection> {
    let tree = Tree::scan(text, Attributes::Entered)?;
    Ok(view(tree.root(), None)?)
}

/// Reads a view that is not the base of another. If its bases are required, its elements can be read.
pub(crate) fn view(root: Node<'_>, bases: Option<Bases<'_>>) -> Read<DownsampleDocument> {
    let (view, extents) = read(root, Outer::default(), bases)?;
    let open = extents.as_ref().and_then(Extents::open);
    let Some(dimension) = open.filter(|_| bases.is_some_and(|bases| bases.required)) else {
        return Ok(view);
    };
    // Without a transform of its own, the view takes its missing bounds from the base.
    let place = root.get("transform").or_else(|| root.get("base"));
    let message = format!("dimension {dimension} has no bounds, so it cannot be read");
    let fault = place.unwrap_or(root);
    Err(fault.reject("downsample.document.transform", message).help(
        "no output map depends on it: give its positions in input_inclusive_min and \
         input_exclusive_max",
    ))
}

/// Reads a transform of a view that has these positions. Bounds that the transform leaves open follow from
/// its output maps and the positions of the view.
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
        let over = transform::read(tree.root())?.over(&Extents::fixed(view))?;
        match over.extents.open() {
            None => Ok(over.transform),
            Some(dimension) => Err(tree
                .root()
                .reject(
                    "downsample.transform.form",
                    format!("dimension {dimension} has no bounds, so it cannot be read"),
                )
                .help("add input_inclusive_min and input_exclusive_max")),
        }
    };
    read(text).map_err(|diagnostic| below(diagnostic.rejection))
}

/// Reads a view, and its positions if they are known. `outer` holds the constraints of a view of this one.
fn read<'d>(
    root: Node<'d>,
    outer: Outer<'d>,
    bases: Option<Bases<'_>>,
) -> Read<(DownsampleDocument, Option<Extents>)> {
    // Each part is judged by itself; then the rules about several parts are checked for those that are valid.
    let mut parts = Parts::of(root);
    let found = parts.take(members::VIEW.open(root))?;
    let found = found.unwrap_or_else(|| Found::of(root));
    reported(root, found.required(&members::DRIVER))?;
    let factors_node = found.node(&members::FACTORS);
    let method_node = found.node(&members::METHOD).unwrap_or(root);
    if let Some(context) = found.node(&members::CONTEXT) {
        parts.take(object(context, "downsample.document.context", "context"))?;
    }
    let shared = Shared::read(
        found.node(&members::DTYPE),
        found.node(&members::RANK),
        found.node(&members::TRANSFORM),
        found.node(&members::SCHEMA),
    );
    let mut shared = parts.take(shared)?;
    if let Some(shared) = &mut shared {
        parts.take(shared.inherit(outer))?;
    }
    let factors = parts.take(factors_node.map(read_factors).transpose())?;
    let factors = factors.flatten().zip(factors_node);
    let method = reported(root, found.required(&members::METHOD))?;
    if let Some(((factors, node), shared)) = factors.as_ref().zip(shared.as_mut()) {
        constrain(&mut parts, shared, factors, *node)?;
    }
    let own = shared.as_ref().and_then(|shared| shared.data_type);
    let reaches = |factor: &u64| *factor == 1 || method == Some(Method::Stride);
    let reaches = factors.iter().flat_map(|(factors, _)| factors).map(reaches);
    let reaches = reaches.collect();
    let demands = shared.as_ref().map(|shared| shared.outer(reaches));
    let demands = demands.unwrap_or_default();
    let base = found.node(&members::BASE);
    let base = base
        .map(|base| Base::read(base, demands, bases))
        .transpose();
    let (base, positions) = parts.take(base)?.flatten().unzip();
    let rank = base.as_ref().and_then(Base::rank);
    if let Some(((factors, node), rank)) = factors.as_ref().zip(rank) {
        parts.take(fits_base(*node, factors.len(), rank))?;
    }
    let data_type = own.map(|named| named.name);
    let data_type = data_type.or_else(|| base.as_ref()?.data_type());
    if let Some((method, name)) = method.zip(data_type) {
        let defined = defined(method, name);
        parts.take(defined.map_err(|rejection| method_node.place_rejection(rejection)))?;
    }
    parts.end()?;
    let known = factors.zip(method).zip(shared).zip(base);
    let Some(((((factors, factors_node), method), mut shared), base)) = known else {
        unreachable!("a part without a fault is present");
    };
    let level = Level::new(factors, method).map_err(|fault| factors_node.place_rejection(fault))?;
    let extents = positions
        .flatten()
        .map(|positions| positions.level(&level))
        .transpose()
        .map_err(|rejection| factors_node.place_rejection(rejection))?;
    let extents = shared.place(extents, true)?;
    let units = base
        .dimension_units()
        .map(|units| units::multiplied(units, level.factors()));
    let chunks = chunks_of_level(base.chunk_shape(), &level);
    if bases.is_some_and(|bases| bases.required) {
        shared.require_judged(chunks.as_deref())?;
        shared.require_units(units.as_deref())?;
    }
    let view = DownsampleDocument {
        chunk_shape: chunks.filter(|_| shared.is_whole()),
        rank: shared.rank.unwrap_or(level.factors().len()),
        dimension_units: shared.units(units),
        transform: shared.transform.take(),
        level,
        base,
        data_type,
        domain: extents.as_ref().and_then(Extents::whole),
    };
    Ok((view, extents))
}

/// Applies the factors to the constraints of a view: their count is its rank, and the base cannot be required
/// to have a property that a factor changes.
fn constrain(
    parts: &mut Parts<'_>,
    shared: &mut Shared<'_>,
    factors: &[u64],
    node: Node<'_>,
) -> Read<()> {
    let fits = shared.require_rank(factors.len(), "downsample.document.rank", node);
    parts.take(fits)?;
    if factors.iter().any(|&factor| factor != 1) {
        parts.take(shared.require_no_fill_value())?;
        shared.forget_fill_value();
    }
    Ok(())
}

/// Returns the shape of the chunks of a view, if that of its base is known.
fn chunks_of_level(chunks: Option<&[u64]>, level: &Level) -> Option<Vec<u64>> {
    let chunks = chunks?.iter().zip(level.factors());
    let of_level = chunks.map(|(&chunk, &factor)| chunk / gcd(chunk, factor));
    Some(of_level.collect())
}

/// Returns the greatest common divisor. For a chunk and a factor, it is the number of positions of the view
/// by which a chunk is shorter (downsample.document.chunks).
fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a.max(1),
        _ => gcd(b, a % b),
    }
}

/// Returns the JSON Schema of the document.
pub(crate) fn schema() -> serde_json::Value {
    members::VIEW.root_schema()
}

/// Returns the value of a member. If all faults are requested,
/// [`Description::open`](crate::description::Description::open) has already reported its fault.
fn reported<T>(root: Node<'_>, read: Read<T>) -> Read<Option<T>> {
    match read {
        Err(fault) if !root.keeps_faults() => Err(fault),
        read => Ok(read.ok()),
    }
}

/// Checks that there is a factor for each dimension of the base (downsample.factors.rank).
fn fits_base(factors: Node<'_>, count: usize, rank: usize) -> Read<()> {
    if count == rank {
        return Ok(());
    }
    let message = format!(
        "{} not fit a base of {}",
        match count {
            1 => "1 factor does".to_owned(),
            _ => format!("{count} factors do"),
        },
        counted(rank, "dimension")
    );
    Err(factors
        .reject_as(Reason::Shape, "downsample.factors.rank", message)
        .help("write one factor for each dimension, which is 1 if nothing is to be downsampled"))
}

/// Reads the factors: integers of at least 1 in any notation (downsample.document.factors).
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
                    format!("{} is not a downsampling factor", element.describe()),
                )
                .help("a factor is an integer of at least 1 and below 2^63")
        })
    });
    let factors = node.all(factors)?;
    if factors.len() > MAX_RANK {
        return Err(node
            .reject(
                "downsample.document.rank",
                format!(
                    "{} factors exceed the maximum of 32 dimensions",
                    factors.len()
                ),
            )
            .help("a view has at most 32 dimensions"));
    }
    Ok(factors)
}

/// Refuses a method that is not defined for a data type: only stride and mode are defined for texts and single bytes
/// (downsample.data_types).
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
        format!("{method} is not defined for {name}"),
    )
    .help("use \"stride\" or \"mode\""))
}

#[cfg(test)]
mod tests;
