//! The base of a view, and the members that documents of all drivers share.

mod codecs;
mod fill_value;
mod literal;
mod location;
mod named;
mod schema;
mod shared;
mod stored;

use exactum_model::{Placed, Rejection, Source, Transform};

use super::DownsampleDocument;
use super::extents::Extents;
use super::units::Units;
use crate::diagnostic::Read;
use crate::json::{Kind, Node};
use crate::members::{choice, object};

pub use location::{Location, Store};
pub(super) use shared::{Outer, Shared};
pub use stored::Stored;

/// The drivers that TensorStore registers for documents (downsample.document.base).
pub(super) const DRIVERS: [&str; 17] = [
    "array",
    "auto",
    "avif",
    "bmp",
    "cast",
    "downsample",
    "jpeg",
    "json",
    "n5",
    "neuroglancer_precomputed",
    "png",
    "stack",
    "tiff",
    "webp",
    "zarr",
    "zarr2",
    "zarr3",
];

/// A function that returns the text of the `zarr.json` of an array in another place, or nothing if the array
/// must not be opened.
pub type Documents<'a> = dyn Fn(&Location) -> Result<Option<Vec<u8>>, Rejection> + 'a;

/// The arrays in other places on which views are based.
#[derive(Clone, Copy)]
pub struct Bases<'a> {
    /// Returns the texts of the arrays.
    pub documents: &'a Documents<'a>,
    /// Whether the elements are to be read. The innermost base must then be an `array`, or a `zarr3` array of
    /// the store `file` or `memory` whose text `documents` has, and all constraints must be met. Otherwise,
    /// bases that cannot be opened are passed over.
    pub required: bool,
}

/// The base of a view.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// An array whose elements are in the document, and its transform.
    Array(Placed, Option<Transform>),
    /// Another view.
    View(Box<DownsampleDocument>),
    /// An array in another place that was examined.
    Stored(Box<Stored>),
    /// A base in another place. Its document is not examined further.
    Elsewhere {
        /// The driver, or `None` if the document is a URL.
        driver: Option<&'static str>,
        /// The data type, if it is stated.
        data_type: Option<&'static str>,
        /// The number of dimensions, if it is stated.
        rank: Option<usize>,
        /// The size of one step along each dimension, if it is stated.
        dimension_units: Option<Units>,
        /// The shape of its chunks, if it is stated.
        chunk_shape: Option<Vec<u64>>,
    },
}

impl Base {
    /// Reads a base, and its positions if they are known. `outer` holds the constraints of a view of it.
    pub(super) fn read<'d>(
        node: Node<'d>,
        outer: Outer<'d>,
        bases: Option<Bases<'_>>,
    ) -> Read<(Self, Option<Extents>)> {
        const CLAUSE: &str = "downsample.document.base";
        let reaches = outer.reaches.clone();
        // A URL states both the location and the format.
        if node.kind() == Kind::String && !node.text()?.is_empty() {
            let mut shared = Shared::read(None, None, None, None)?;
            shared.inherit(outer)?;
            if let Some(bases) = bases
                && let Some((stored, extents)) = stored::open(node, &mut shared, bases, &reaches)?
            {
                return Ok((Base::Stored(Box::new(stored)), extents));
            }
            let elsewhere = Base::Elsewhere {
                driver: None,
                data_type: None,
                rank: None,
                dimension_units: None,
                chunk_shape: None,
            };
            return Ok((elsewhere, None));
        }
        object(node, CLAUSE, "a base")?;
        let Some(driver) = node.get("driver") else {
            return Err(node
                .reject(CLAUSE, "a base needs a driver")
                .help("add \"driver\", such as \"zarr3\""));
        };
        let drivers = DRIVERS.map(|driver| (driver, driver));
        match choice(driver, CLAUSE, "driver", &drivers)? {
            "downsample" => {
                let (mut view, extents) = super::read(node, outer, bases)?;
                view.transform = reaching(view.transform, extents.as_ref(), &reaches);
                Ok((Base::View(Box::new(view)), extents))
            }
            "array" => literal::literal(node, outer, bases),
            driver => {
                let mut shared = Shared::read(
                    node.get("dtype"),
                    node.get("rank"),
                    node.get("transform"),
                    node.get("schema"),
                )?;
                shared.inherit(outer)?;
                if let Some(bases) = bases
                    && let Some((stored, extents)) =
                        stored::open(node, &mut shared, bases, &reaches)?
                {
                    return Ok((Base::Stored(Box::new(stored)), extents));
                }
                let elsewhere = Base::Elsewhere {
                    driver: Some(driver),
                    data_type: shared.data_type.map(|named| named.name),
                    rank: shared.rank,
                    dimension_units: shared.units(None),
                    chunk_shape: shared.chunk_shape(),
                };
                Ok((elsewhere, None))
            }
        }
    }

    /// Returns the number of dimensions, if it is known.
    #[must_use]
    pub fn rank(&self) -> Option<usize> {
        match self {
            Base::Array(array, None) => Some(array.domain().rank()),
            Base::Array(_, Some(transform)) => Some(transform.domain().rank()),
            Base::View(view) => Some(view.rank),
            Base::Stored(stored) => Some(stored.rank),
            Base::Elsewhere { rank, .. } => *rank,
        }
    }

    /// Returns the name of the data type, if it is known.
    #[must_use]
    pub fn data_type(&self) -> Option<&'static str> {
        match self {
            Base::Array(array, _) => Some(array.data_type().name()),
            Base::View(view) => view.data_type,
            Base::Stored(stored) => Some(stored.data_type.name()),
            Base::Elsewhere { data_type, .. } => *data_type,
        }
    }

    /// Returns the shape of the chunks, if it is known.
    pub(super) fn chunk_shape(&self) -> Option<&[u64]> {
        match self {
            Base::Array(..) => None,
            Base::View(view) => view.chunk_shape.as_deref(),
            Base::Stored(stored) => stored.chunk_shape.as_deref(),
            Base::Elsewhere { chunk_shape, .. } => chunk_shape.as_deref(),
        }
    }

    pub(super) fn dimension_units(&self) -> Option<Units> {
        match self {
            Base::Array(..) => None,
            Base::View(view) => view.dimension_units.clone(),
            Base::Stored(stored) => stored.dimension_units.clone(),
            Base::Elsewhere {
                dimension_units, ..
            } => dimension_units.clone(),
        }
    }
}

/// Returns a transform of all positions that may be requested, which along some dimensions extend beyond its
/// implied bounds.
fn reaching(
    transform: Option<Transform>,
    extents: Option<&Extents>,
    reaches: &[bool],
) -> Option<Transform> {
    let transform = transform?;
    let wider = extents.map(|extents| {
        let maps = transform.output().to_vec();
        Transform::new(extents.reach(reaches), maps)
    });
    // Its index arrays have the extents of the stated bounds, which are kept.
    Some(wider.and_then(Result::ok).unwrap_or(transform))
}
