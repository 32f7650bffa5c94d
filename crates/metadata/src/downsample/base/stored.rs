//! A base that is a Zarr 3 array, compared with the document that is stored beside its elements
//! (downsample.document.base.stored).

use std::borrow::Cow;

use exactum_model::{ArrayToBytes, DataType, Domain, Reason, Transform};
use serde_json::Value;

use super::location::{Location, OPENED, closed};
use super::schema::dimension_units;
use super::{Bases, Shared, codecs, fill_value, reaching};
use crate::array::{ArrayDocument, parse_array};
use crate::diagnostic::Read;
use crate::downsample::extents::Extents;
use crate::downsample::units::Units;
use crate::json::{Attributes, Kind, Node, Tree};
use crate::scalar::parse_fill_value;

/// A Zarr 3 array that was examined.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The location of the array.
    pub location: Location,
    /// Its data type.
    pub data_type: DataType,
    /// The selection of the elements that are read, if the base restricts them.
    pub transform: Option<Transform>,
    /// The shape of the parts of the array that can be read separately: its chunks, or the inner chunks of
    /// its shards.
    pub readable: Vec<u64>,
    /// The number of dimensions of the read array.
    pub(super) rank: usize,
    pub(super) dimension_units: Option<Units>,
    /// The shape of the parts that can be read separately, if the positions are those of the array.
    pub(super) chunk_shape: Option<Vec<u64>>,
}

/// Examines the array of a base, and the positions that are read. Returns nothing if the array must not be
/// opened.
pub(super) fn open<'d>(
    node: Node<'d>,
    shared: &mut Shared<'d>,
    bases: Bases<'_>,
    reaches: &[bool],
) -> Read<Option<(Stored, Option<Extents>)>> {
    let location = match Location::of(node) {
        Ok(location) => location,
        Err(fault) if bases.required => return Err(fault),
        Err(_) => return Ok(None),
    };
    let place = node.get("kvstore").unwrap_or(node);
    let bytes = (bases.documents)(&location).map_err(|fault| place.place_rejection(fault))?;
    let Some(bytes) = bytes else {
        return match bases.required {
            true => Err(
                closed(place, format!("the array at {location} must not be opened")).help(OPENED),
            ),
            false => Ok(None),
        };
    };
    let fault = |fault: &dyn std::fmt::Display| {
        closed(
            place,
            format!("the array at {location} cannot be read: {fault}"),
        )
        .help("`exactum validate` shows what is wrong with its zarr.json")
    };
    let text = std::str::from_utf8(&bytes).map_err(|it| fault(&it))?;
    let document = match parse_array(text) {
        Ok(document) => document,
        // The document may be valid, but nothing is known about its numbers.
        Err(rejection)
            if !bases.required
                && matches!(
                    rejection.reason,
                    Reason::UnsupportedDataType | Reason::UnsupportedCodec
                ) =>
        {
            return Ok(None);
        }
        Err(rejection) => return Err(fault(&rejection)),
    };
    let tree = Tree::scan(text, Attributes::Entered).map_err(|it| fault(&it.rejection))?;
    read_only(node)?;
    if let Some(constraints) = node.get("metadata") {
        agree(constraints, tree.root(), &document)?;
    }
    let data_type = document.chain.data_type;
    require_data_type(shared, data_type, &location)?;
    let rank = document.shape.len();
    shared.require_rank(rank, "downsample.document.rank", node)?;
    let whole = Domain::of_shape(&document.shape).map_err(|it| place.place_rejection(it))?;
    let whole = Extents::stored(&whole, labels(tree.root()));
    let extents = shared.place(Some(whole), false)?;
    for demanded in &shared.codecs {
        if let Some(own) = tree.root().get("codecs") {
            codecs::require(*demanded, own, rank)?;
        }
    }
    for demanded in &shared.fill_values {
        fill_value::require(*demanded, &document.chain.fill_value)?;
    }
    let readable = match &document.chain.pipeline.array_to_bytes {
        ArrayToBytes::Sharding { chunk_shape, .. } => chunk_shape,
        _ => &document.chain.chunk_shape,
    };
    let units = units(tree.root()).filter(|units| units.len() == rank);
    if bases.required {
        shared.require_judged(Some(&readable[..]))?;
        shared.require_units(units.as_deref())?;
    }
    let is_whole = shared.unplaced.is_none();
    let stored = Stored {
        location,
        data_type,
        transform: reaching(shared.transform.take(), extents.as_ref(), reaches),
        readable: readable.clone(),
        rank: extents.as_ref().map_or(rank, Extents::rank),
        dimension_units: shared.units(units),
        chunk_shape: is_whole.then(|| readable.clone()),
    };
    Ok(Some((stored, extents)))
}

/// Requires that a base is only read.
fn read_only(base: Node<'_>) -> Read<()> {
    for (member, asked) in [
        ("create", Kind::True),
        ("delete_existing", Kind::True),
        ("assume_metadata", Kind::True),
        ("open", Kind::False),
    ] {
        if let Some(node) = base.get(member).filter(|node| node.kind() == asked) {
            let fault =
                format!("a base is opened only for reading, which \"{member}\" contradicts");
            return Err(closed(node, fault).help(format!("leave \"{member}\" out")));
        }
    }
    Ok(())
}

/// Requires the data type of the array to be the stated one. Complex types have two names.
fn require_data_type(shared: &Shared<'_>, own: DataType, location: &Location) -> Read<()> {
    let Some(named) = shared.data_type else {
        return Ok(());
    };
    let stated = named.name.parse::<DataType>().ok();
    if stated.is_some_and(|stated| stated.format() == own.format()) {
        return Ok(());
    }
    Err(named
        .node
        .reject(
            "downsample.document.dtype",
            format!(
                "the data type is {} here, but {own} at {location}",
                named.name
            ),
        )
        .help("a view must have the data type of its base"))
}

/// Returns the units in the array's attributes, as TensorStore writes them.
fn units(array: Node<'_>) -> Option<Units> {
    dimension_units(array.get("attributes")?.get("dimension_units")?).ok()
}

/// Returns the names of the array's dimensions.
fn labels(array: Node<'_>) -> Vec<String> {
    let names = array.get("dimension_names").into_iter();
    let names = names.flat_map(Node::elements);
    names
        .map(|name| match name.kind() {
            Kind::String => name.text().map_or_else(|_| String::new(), Cow::into_owned),
            _ => String::new(),
        })
        .collect()
}

/// Requires the statements of a base about its array to agree with the document of the array.
fn agree(constraints: Node<'_>, array: Node<'_>, document: &ArrayDocument) -> Read<()> {
    const CLAUSE: &str = "downsample.document.base.stored";
    if constraints.kind() != Kind::Object {
        return Err(constraints
            .reject(
                CLAUSE,
                format!("metadata must be an object, not {}", constraints.describe()),
            )
            .help("write it as an object, in braces"));
    }
    for (key, demanded) in constraints.members() {
        let key = key.key();
        let agrees = match &*key {
            "codecs" | "storage_transformers" => {
                return Err(demanded
                    .reject(
                        CLAUSE,
                        format!("\"{key}\" cannot be compared with those of the array"),
                    )
                    .help("leave it out"));
            }
            "fill_value" => parse_fill_value(document.chain.data_type, demanded.raw())
                .is_ok_and(|value| value == document.chain.fill_value),
            key => match array.get(key) {
                Some(own) => within(&value(demanded), &value(own)),
                None => demanded.kind() == Kind::Null,
            },
        };
        if !agrees {
            return Err(demanded
                .reject(
                    CLAUSE,
                    format!("\"{key}\" of the array differs from what the base demands"),
                )
                .help("leave it out, or demand what the zarr.json of the array says"));
        }
    }
    Ok(())
}

fn value(node: Node<'_>) -> Value {
    serde_json::from_str(node.raw()).unwrap_or_default()
}

/// Returns whether everything that is demanded exists: each member of an object, and any other value
/// unchanged.
fn within(demanded: &Value, own: &Value) -> bool {
    match (demanded, own) {
        (Value::Object(demanded), Value::Object(own)) => demanded
            .iter()
            .all(|(key, value)| own.get(key).is_some_and(|own| within(value, own))),
        _ => demanded == own,
    }
}
