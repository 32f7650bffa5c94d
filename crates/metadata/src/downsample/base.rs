//! What a view is of, and the members that every driver's document shares.

mod literal;
mod location;
mod stored;

use exactum_model::{DataType, Domain, Placed, Reason, Rejection, Source, Transform};

use super::DownsampleDocument;
use super::bounds::{Bounds, rank};
use super::number::index;
use super::transform::{self, Unplaced};
use super::units::Units;
use crate::diagnostic::Read;
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::members::{array, choice, closed, object};

pub use location::{Location, Store};
pub use stored::Stored;

/// Data types of TensorStore that are not those of arrays here.
pub(super) const OTHERS: [&str; 5] = ["char", "byte", "string", "ustring", "json"];

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

/// The text of the `zarr.json` of an array that is kept elsewhere; nothing where the array stays
/// closed.
pub type Documents<'a> = dyn Fn(&Location) -> Result<Option<Vec<u8>>, Rejection> + 'a;

/// How bases that are kept elsewhere are opened.
#[derive(Clone, Copy)]
pub(super) struct Bases<'a> {
    pub(super) documents: &'a Documents<'a>,
    /// Whether a base that cannot be opened is a fault, and so is a constraint that nothing is
    /// compared with.
    pub(super) all: bool,
}

/// What a view is of.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// An array that stands in the document, and the transform of it.
    Array(Placed, Option<Transform>),
    /// Another view.
    View(Box<DownsampleDocument>),
    /// An array that is kept elsewhere, and was looked at.
    Stored(Box<Stored>),
    /// Something that is kept elsewhere. The document is not looked into any further.
    Elsewhere {
        /// The driver; `None` where the document is a URL.
        driver: Option<&'static str>,
        /// The data type, where it is said.
        data_type: Option<&'static str>,
        /// The number of dimensions, where it is said.
        rank: Option<usize>,
        /// How much one step along each dimension is, where it is said.
        dimension_units: Option<Units>,
        /// The shape of its chunks, where it is said.
        chunk_shape: Option<Vec<u64>>,
    },
}

impl Base {
    /// Reads a base. `outer` is the data type that a view of it has.
    pub(super) fn read<'d>(
        node: Node<'d>,
        outer: Option<Named<'d>>,
        bases: Option<Bases<'_>>,
    ) -> Read<Self> {
        const CLAUSE: &str = "downsample.document.base";
        // A URL says where and how in one.
        if node.kind() == Kind::String && !node.text()?.is_empty() {
            let mut shared = Shared::read(None, None, None, None)?;
            shared.agree(outer)?;
            if let Some(bases) = bases
                && let Some(stored) = stored::open(node, &mut shared, bases)?
            {
                return Ok(Base::Stored(Box::new(stored)));
            }
            return Ok(Base::Elsewhere {
                driver: None,
                data_type: None,
                rank: None,
                dimension_units: None,
                chunk_shape: None,
            });
        }
        object(node, CLAUSE, "a base")?;
        let Some(driver) = node.get("driver") else {
            return Err(node
                .reject(CLAUSE, "a base needs a driver")
                .help("add \"driver\", such as \"zarr3\""));
        };
        let drivers = DRIVERS.map(|driver| (driver, driver));
        match choice(driver, CLAUSE, "driver", &drivers)? {
            "downsample" => Ok(Base::View(Box::new(super::read(node, outer, bases)?))),
            "array" => literal::literal(node, outer, bases),
            driver => {
                let mut shared = Shared::read(
                    node.get("dtype"),
                    node.get("rank"),
                    node.get("transform"),
                    node.get("schema"),
                )?;
                shared.agree(outer)?;
                if let Some(bases) = bases
                    && let Some(stored) = stored::open(node, &mut shared, bases)?
                {
                    return Ok(Base::Stored(Box::new(stored)));
                }
                Ok(Base::Elsewhere {
                    driver: Some(driver),
                    data_type: shared.data_type.map(|named| named.name),
                    rank: shared.rank,
                    dimension_units: shared.units.take(),
                    chunk_shape: shared.chunk_shape,
                })
            }
        }
    }

    /// The number of dimensions, where it is known.
    #[must_use]
    pub fn rank(&self) -> Option<usize> {
        match self {
            Base::Array(array, None) => Some(array.domain().rank()),
            Base::Array(_, Some(transform)) => Some(transform.domain().rank()),
            Base::View(view) => Some(view.rank),
            Base::Stored(stored) => Some(stored.domain.rank()),
            Base::Elsewhere { rank, .. } => *rank,
        }
    }

    /// The name of the data type, where it is known.
    #[must_use]
    pub fn data_type(&self) -> Option<&'static str> {
        match self {
            Base::Array(array, _) => Some(array.data_type().name()),
            Base::View(view) => view.data_type,
            Base::Stored(stored) => Some(stored.data_type.name()),
            Base::Elsewhere { data_type, .. } => *data_type,
        }
    }

    /// The positions, where they are known.
    #[must_use]
    pub fn domain(&self) -> Option<Domain> {
        match self {
            Base::Array(array, None) => Some(array.domain()),
            Base::Array(_, Some(transform)) => Some(transform.domain().clone()),
            Base::View(view) => view.domain.clone(),
            Base::Stored(stored) => Some(stored.domain.clone()),
            Base::Elsewhere { .. } => None,
        }
    }

    /// The shape of the chunks, where it is known.
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

/// A data type by its name, and where it is said.
#[derive(Clone, Copy)]
pub(super) struct Named<'d> {
    pub(super) name: &'static str,
    node: Node<'d>,
}

/// The members that documents of all drivers have: data type, rank, transform and schema.
pub(super) struct Shared<'d> {
    pub(super) data_type: Option<Named<'d>>,
    /// The number of dimensions of what the document describes.
    pub(super) rank: Option<usize>,
    pub(in crate::downsample) unplaced: Option<Unplaced<'d>>,
    /// The transform, once its place is known.
    pub(super) transform: Option<Transform>,
    /// The positions that the schema demands.
    demanded: Option<(Node<'d>, super::bounds::Partial)>,
    pub(super) units: Option<Units>,
    /// The shape of the chunks that are read, before the transform.
    chunk_shape: Option<Vec<u64>>,
    schema: Option<Node<'d>>,
    /// A constraint of the schema that nothing is compared with.
    unjudged: Option<Node<'d>>,
}

impl<'d> Shared<'d> {
    pub(super) fn read(
        dtype: Option<Node<'d>>,
        said: Option<Node<'d>>,
        transform: Option<Node<'d>>,
        schema: Option<Node<'d>>,
    ) -> Read<Self> {
        const SCHEMA: &str = "downsample.document.schema";
        const KEYS: [&str; 7] = [
            "dtype",
            "rank",
            "domain",
            "chunk_layout",
            "codec",
            "fill_value",
            "dimension_units",
        ];
        let mut shared = Self {
            data_type: None,
            rank: None,
            unplaced: None,
            transform: None,
            demanded: None,
            units: None,
            chunk_shape: None,
            schema,
            unjudged: None,
        };
        let Some(any) = [dtype, said, transform, schema]
            .into_iter()
            .flatten()
            .next()
        else {
            return Ok(shared);
        };
        let mut parts = Parts::of(any);
        let read = dtype.map(|node| named(node, "downsample.document.dtype"));
        shared.data_type = parts.take(read.transpose())?.flatten();
        let read = said.map(|node| rank(node, "downsample.document.rank"));
        shared.rank = parts.take(read.transpose())?.flatten();
        shared.unplaced = parts
            .take(transform.map(transform::read).transpose())?
            .flatten();
        let input = shared.unplaced.as_ref().and_then(Unplaced::input_rank);
        if let (Some(node), Some(input)) = (transform, input) {
            parts.take(shared.same_rank(input, "downsample.document.rank", node))?;
        }
        let members = schema.map(|schema| {
            object(schema, SCHEMA, "a schema")?;
            closed(schema, &KEYS, SCHEMA, "a schema")
        });
        let members = parts.take(members.transpose())?.flatten();
        let Some([dtype, own_rank, domain, layout, codec, fill_value, units]) = members else {
            return parts.end().map(|()| shared);
        };
        if let Some(node) = dtype {
            let same = named(node, SCHEMA).and_then(|named| match shared.data_type {
                None => {
                    shared.data_type = Some(named);
                    Ok(())
                }
                Some(_) => shared.agree(Some(named)),
            });
            parts.take(same)?;
        }
        if let Some(node) = own_rank {
            let same = rank(node, SCHEMA).and_then(|rank| shared.same_rank(rank, SCHEMA, node));
            parts.take(same)?;
        }
        for (node, what) in [(layout, "chunk_layout"), (codec, "codec")] {
            if let Some(node) = node {
                parts.take(object(node, SCHEMA, what))?;
            }
        }
        let shape = layout.and_then(chunk_shape).filter(|_| transform.is_none());
        if let Some((shape, schema)) = shape.zip(schema) {
            parts.take(shared.same_rank(shape.len(), SCHEMA, schema))?;
            shared.chunk_shape = Some(shape);
        }
        let judged = shared.chunk_shape.is_some();
        let layout = layout.and_then(|layout| unjudged(layout, judged));
        shared.unjudged = layout.or(codec).or(fill_value);
        if let Some(node) = domain {
            parts.take(shared.demand(node))?;
        }
        if let Some(node) = units {
            let same = dimension_units(node).and_then(|units| {
                shared.same_rank(units.len(), SCHEMA, node)?;
                shared.units = Some(units);
                Ok(())
            });
            parts.take(same)?;
        }
        parts.end().map(|()| shared)
    }

    /// Reads the positions that a schema demands.
    fn demand(&mut self, node: Node<'d>) -> Read<()> {
        const SCHEMA: &str = "downsample.document.schema";
        object(node, SCHEMA, "a domain")?;
        const KEYS: [&str; 6] = [
            "rank",
            "inclusive_min",
            "exclusive_max",
            "inclusive_max",
            "shape",
            "labels",
        ];
        let [rank, minimum, exclusive, inclusive, shape, labels] =
            closed(node, &KEYS, SCHEMA, "a domain")?;
        let bounds = Bounds {
            clause: SCHEMA,
            rank,
            minimum,
            ends: [exclusive, inclusive, shape],
            labels,
        };
        self.unjudged = self.unjudged.or(labels);
        if let Some(partial) = bounds.read()? {
            self.same_rank(partial.rank, SCHEMA, node)?;
            self.demanded = Some((node, partial));
        }
        Ok(())
    }

    fn same_rank(&mut self, rank: usize, clause: &'static str, node: Node<'_>) -> Read<()> {
        match self.rank {
            Some(own) if own != rank => Err(node
                .reject(
                    clause,
                    format!("{rank} dimensions are said here, and {own} elsewhere"),
                )
                .help("the ranks of a document are all the same")),
            _ => {
                self.rank = Some(rank);
                Ok(())
            }
        }
    }

    /// Requires what is said of the dimensions to go with the number of those that there are, before
    /// the transform.
    pub(super) fn require_rank(
        &mut self,
        count: usize,
        clause: &'static str,
        node: Node<'_>,
    ) -> Read<()> {
        match self.unplaced.as_ref().map(Unplaced::output_rank) {
            None => self.same_rank(count, clause, node),
            Some(Some(rank)) if rank != count => Err(node
                .reject(
                    clause,
                    format!("the transform is of {rank} dimensions, not of {count}"),
                )
                .help("a transform has one output map for each dimension")),
            Some(_) => {
                self.rank.get_or_insert(count);
                Ok(())
            }
        }
    }

    /// Requires the data type to be another's.
    pub(super) fn agree(&mut self, outer: Option<Named<'d>>) -> Read<()> {
        match (self.data_type, outer) {
            (Some(own), Some(outer)) if own.name != outer.name => Err(own
                .node
                .reject(
                    "downsample.document.dtype",
                    format!(
                        "the data type is {} here, and {} elsewhere",
                        own.name, outer.name
                    ),
                )
                .help("a view has the data type of its base")),
            (None, Some(outer)) => {
                self.data_type = Some(outer);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Puts the transform on the positions that there are, and requires the result to be what the
    /// schema demands.
    pub(super) fn place(&mut self, view: Option<Domain>) -> Read<Option<Domain>> {
        let mut domain = view;
        if let Some(unplaced) = &self.unplaced {
            self.transform = unplaced.over(domain.as_ref())?;
            let known = domain.is_some();
            domain = self
                .transform
                .as_ref()
                .map(|transform| transform.domain().clone());
            domain = domain.filter(|_| known);
        }
        if let (Some((node, demanded)), Some(domain)) = (&self.demanded, &domain)
            && !demanded.agrees(domain)
        {
            return Err(node
                .reject(
                    "downsample.document.schema",
                    format!("the domain is {domain}, and not the one that the schema demands"),
                )
                .help("the domain of a schema is that of the view, not of its base"));
        }
        Ok(domain)
    }
}

impl Shared<'_> {
    /// Requires the units that the schema demands to be those that are known; null demands none.
    pub(super) fn require_units(&self, own: Option<&[Option<(f64, String)>]>) -> Read<()> {
        let (Some(node), Some(demanded)) = (self.schema, &self.units) else {
            return Ok(());
        };
        for (dimension, unit) in demanded.iter().enumerate() {
            let there = own.and_then(|own| own.get(dimension)?.as_ref());
            if there.is_some() && unit.is_some() && unit.as_ref() != there {
                return Err(node
                    .reject(
                        "downsample.document.schema",
                        format!("the unit of dimension {dimension} is not the one that the schema demands"),
                    )
                    .help("the units of a schema are those behind the factors and the transform"));
            }
        }
        Ok(())
    }

    /// Requires that everything the document demands was compared with what there is, and that it
    /// is known which elements its transform selects. `chunks` is the shape of the chunks that
    /// there are.
    pub(super) fn require_judged(&self, chunks: Option<&[u64]>) -> Read<()> {
        const SCHEMA: &str = "downsample.document.schema";
        if let Some(node) = self.unjudged {
            return Err(node
                .reject(SCHEMA, "this constraint cannot be compared with what there is")
                .help("leave it out; domain, data type, rank, units and the shape of read chunks are compared"));
        }
        if let (Some(node), Some(demanded)) = (self.schema, &self.chunk_shape)
            && Some(&demanded[..]) != chunks
        {
            return Err(node
                .reject(
                    SCHEMA,
                    match chunks {
                        Some(chunks) => format!(
                            "chunks of {chunks:?} are read, and the schema demands {demanded:?}"
                        ),
                        None => format!("there are no chunks, and the schema demands {demanded:?}"),
                    },
                )
                .help("leave it out, or demand what there is"));
        }
        match (&self.unplaced, &self.transform) {
            (Some(unplaced), None) => Err(unplaced.open_bounds()),
            _ => Ok(()),
        }
    }
}

/// The name of a data type of TensorStore.
fn named<'d>(node: Node<'d>, clause: &'static str) -> Read<Named<'d>> {
    let text = match node.kind() {
        Kind::String => node.text()?,
        _ => "".into(),
    };
    let own = text.parse::<DataType>().map(DataType::name).ok();
    let other = OTHERS.into_iter().find(|other| *other == text);
    match own.or(other) {
        Some(name) => Ok(Named { name, node }),
        None => Err(node
            .reject_as(
                Reason::UnsupportedDataType,
                clause,
                format!("{} is no data type", node.describe()),
            )
            .help("write a name such as \"uint8\" or \"float32\"")),
    }
}

/// The chunks that a layout demands, where it says all their extents. What it merely prefers says
/// nothing (downsample.document.schema).
fn chunk_shape(layout: Node<'_>) -> Option<Vec<u64>> {
    let grids = ["read_chunk", "chunk"].into_iter();
    let mut shapes = grids.filter_map(|grid| layout.get(grid)?.get("shape"));
    let shape = shapes.find(|shape| shape.kind() == Kind::Array)?;
    let extents = shape.elements().map(|extent| {
        let extent = u64::try_from(index(extent)?).ok()?;
        (extent > 0).then_some(extent)
    });
    extents.collect()
}

/// A constraint of a layout that is more than a wish, and not the shape of the chunks that are read
/// where that is known.
fn unjudged<'d>(layout: Node<'d>, read_chunk: bool) -> Option<Node<'d>> {
    let is_soft = |key: &str| key.ends_with("_soft_constraint");
    layout.members().find_map(|(key, value)| {
        let grid = key.key();
        if is_soft(&grid) || grid == "rank" {
            return None;
        }
        if value.kind() != Kind::Object {
            return Some(value);
        }
        let mut hard = value.members().filter(|(key, _)| !is_soft(&key.key()));
        let judged = |key: Node<'_>| read_chunk && grid == "read_chunk" && key.key() == "shape";
        hard.find(|(key, _)| !judged(*key)).map(|(_, value)| value)
    })
}

/// Units as `[multiplier, unit]`, as a number or a string, or null.
fn dimension_units(node: Node<'_>) -> Read<Units> {
    const CLAUSE: &str = "downsample.document.schema";
    array(node, CLAUSE, "dimension_units")?;
    let fault = |node: Node<'_>| {
        node.reject(CLAUSE, format!("{} is no unit", node.describe()))
            .help("write [4, \"nm\"], or null")
    };
    let multiplier = |node: Node<'_>| {
        (node.kind() == Kind::Number)
            .then(|| node.raw().parse::<f64>().ok())
            .flatten()
            .filter(|multiplier| multiplier.is_finite())
    };
    node.all(node.elements().map(|element| match element.kind() {
        Kind::Null => Ok(None),
        Kind::Number => Ok(Some((
            multiplier(element).ok_or_else(|| fault(element))?,
            String::new(),
        ))),
        Kind::Array => {
            let mut parts = element.elements();
            match (parts.next(), parts.next(), parts.next()) {
                (Some(first), Some(unit), None) if unit.kind() == Kind::String => {
                    let multiplier = multiplier(first).ok_or_else(|| fault(first))?;
                    Ok(Some((multiplier, unit.text()?.trim().to_owned())))
                }
                _ => Err(fault(element)),
            }
        }
        Kind::String => {
            let text = element.text()?;
            let end = text
                .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-')))
                .unwrap_or(text.len());
            let number = if end == 0 {
                Some(1.0)
            } else {
                text[..end].parse().ok()
            };
            let number = number.ok_or_else(|| fault(element))?;
            Ok(Some((number, text[end..].trim().to_owned())))
        }
        _ => Err(fault(element)),
    }))
}
