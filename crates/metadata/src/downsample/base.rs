//! What a view is of, and the members that every driver's document shares.

use exactum_model::{Array, DataType, Domain, Placed, Reason, Source, Transform};

use super::DownsampleDocument;
use super::bounds::{Bounds, rank};
use super::number::index;
use super::transform::{self, Unplaced};
use crate::diagnostic::Read;
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::members::{array, choice, closed, object};

/// A data type of TensorStore that the Zarr registry lacks.
pub(super) const FLOAT8_E4M3FN: &str = "float8_e4m3fn";

/// Data types of TensorStore that are not those of arrays here.
pub(super) const OTHERS: [&str; 6] = ["char", "byte", "string", "ustring", "json", FLOAT8_E4M3FN];

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

/// What a view is of.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// An array that stands in the document, and the transform of it.
    Array(Placed, Option<Transform>),
    /// Another view.
    View(Box<DownsampleDocument>),
    /// Something that is kept elsewhere. The document is not looked into any further.
    Elsewhere {
        /// The driver; `None` where the document is a URL.
        driver: Option<&'static str>,
        /// The data type, where it is said.
        data_type: Option<&'static str>,
        /// The number of dimensions, where it is said.
        rank: Option<usize>,
        /// How much one step along each dimension is, where it is said.
        dimension_units: Option<Vec<Option<(f64, String)>>>,
        /// The shape of its chunks, where it is said.
        chunk_shape: Option<Vec<u64>>,
    },
}

impl Base {
    /// Reads a base. `outer` is the data type that a view of it has.
    pub(super) fn read<'d>(node: Node<'d>, outer: Option<Named<'d>>) -> Read<Self> {
        const CLAUSE: &str = "downsample.document.base";
        // A URL says where and how in one.
        if node.kind() == Kind::String && !node.text()?.is_empty() {
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
            "downsample" => Ok(Base::View(Box::new(super::read(node, outer)?))),
            "array" => literal(node, outer),
            driver => {
                let mut shared = Shared::read(
                    node.get("dtype"),
                    node.get("rank"),
                    node.get("transform"),
                    node.get("schema"),
                )?;
                shared.agree(outer)?;
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
            Base::Elsewhere { rank, .. } => *rank,
        }
    }

    /// The name of the data type, where it is known.
    #[must_use]
    pub fn data_type(&self) -> Option<&'static str> {
        match self {
            Base::Array(array, _) => Some(array.data_type().name()),
            Base::View(view) => view.data_type,
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
            Base::Elsewhere { .. } => None,
        }
    }

    /// The shape of the chunks, where it is known.
    pub(super) fn chunk_shape(&self) -> Option<&[u64]> {
        match self {
            Base::Array(..) => None,
            Base::View(view) => view.chunk_shape.as_deref(),
            Base::Elsewhere { chunk_shape, .. } => chunk_shape.as_deref(),
        }
    }

    pub(super) fn dimension_units(&self) -> Option<Vec<Option<(f64, String)>>> {
        match self {
            Base::Array(..) => None,
            Base::View(view) => view.dimension_units.clone(),
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
#[derive(Default)]
pub(super) struct Shared<'d> {
    pub(super) data_type: Option<Named<'d>>,
    /// The number of dimensions of what the document describes.
    pub(super) rank: Option<usize>,
    unplaced: Option<Unplaced<'d>>,
    /// The transform, once its place is known.
    pub(super) transform: Option<Transform>,
    /// The positions that the schema demands.
    demanded: Option<(Node<'d>, super::bounds::Partial)>,
    pub(super) units: Option<Vec<Option<(f64, String)>>>,
    /// The shape of the chunks that are read, before the transform.
    chunk_shape: Option<Vec<u64>>,
}

impl<'d> Shared<'d> {
    pub(super) fn read(
        dtype: Option<Node<'d>>,
        said: Option<Node<'d>>,
        transform: Option<Node<'d>>,
        schema: Option<Node<'d>>,
    ) -> Read<Self> {
        let mut shared = Self::default();
        let Some(node) = dtype.or(said).or(transform).or(schema) else {
            return Ok(shared);
        };
        let mut parts = Parts::of(node);
        let named = dtype.map(|node| named(node, "downsample.document.dtype"));
        shared.data_type = parts.take(named.transpose())?.flatten();
        let rank = said.map(|node| rank(node, "downsample.document.rank"));
        shared.rank = parts.take(rank.transpose())?.flatten();
        let unplaced = transform.map(transform::read).transpose();
        shared.unplaced = parts.take(unplaced)?.flatten();
        let input = shared.unplaced.as_ref().and_then(Unplaced::input_rank);
        if let (Some(node), Some(input)) = (transform, input) {
            parts.take(shared.same_rank(input, "downsample.document.rank", node))?;
        }
        if let Some(schema) = schema {
            parts.take(shared.read_schema(schema, transform.is_none()))?;
        }
        parts.end().map(|()| shared)
    }

    /// Reads what a schema demands. `is_whole` says that no transform selects elements.
    fn read_schema(&mut self, schema: Node<'d>, is_whole: bool) -> Read<()> {
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
        object(schema, SCHEMA, "a schema")?;
        let [dtype, own_rank, domain, layout, codec, _, units] =
            closed(schema, &KEYS, SCHEMA, "a schema")?;
        let mut parts = Parts::of(schema);
        if let Some(node) = dtype {
            let named = named(node, SCHEMA).and_then(|named| match self.data_type {
                None => {
                    self.data_type = Some(named);
                    Ok(())
                }
                Some(_) => self.agree(Some(named)),
            });
            parts.take(named)?;
        }
        if let Some(node) = own_rank {
            let rank = rank(node, SCHEMA).and_then(|rank| self.same_rank(rank, SCHEMA, node));
            parts.take(rank)?;
        }
        for (node, what) in [(layout, "chunk_layout"), (codec, "codec")] {
            if let Some(node) = node {
                parts.take(object(node, SCHEMA, what))?;
            }
        }
        if let Some(shape) = layout.and_then(chunk_shape).filter(|_| is_whole) {
            parts.take(self.same_rank(shape.len(), SCHEMA, schema))?;
            self.chunk_shape = Some(shape);
        }
        if let Some(node) = domain {
            parts.take(self.read_domain(node))?;
        }
        if let Some(node) = units {
            let units = dimension_units(node).and_then(|units| {
                self.same_rank(units.len(), SCHEMA, node)?;
                self.units = Some(units);
                Ok(())
            });
            parts.take(units)?;
        }
        parts.end()
    }

    /// Reads the positions that a schema demands.
    fn read_domain(&mut self, node: Node<'d>) -> Read<()> {
        const SCHEMA: &str = "downsample.document.schema";
        const KEYS: [&str; 6] = [
            "rank",
            "inclusive_min",
            "exclusive_max",
            "inclusive_max",
            "shape",
            "labels",
        ];
        object(node, SCHEMA, "a domain")?;
        let [rank, minimum, exclusive, inclusive, shape, labels] =
            closed(node, &KEYS, SCHEMA, "a domain")?;
        let bounds = Bounds {
            clause: SCHEMA,
            rank,
            minimum,
            ends: [exclusive, inclusive, shape],
            labels,
        };
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

/// Units as `[multiplier, unit]`, as a number or a string, or null.
fn dimension_units(node: Node<'_>) -> Read<Vec<Option<(f64, String)>>> {
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
    let units = node.elements().map(|element| match element.kind() {
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
    });
    node.all(units)
}

/// An array that stands in the document (downsample.document.base.array).
fn literal<'d>(node: Node<'d>, outer: Option<Named<'d>>) -> Read<Base> {
    const CLAUSE: &str = "downsample.document.base.array";
    const KEYS: [&str; 7] = [
        "driver",
        "array",
        "context",
        "dtype",
        "rank",
        "transform",
        "schema",
    ];
    let [_, elements, _, dtype, rank, transform, schema] =
        closed(node, &KEYS, CLAUSE, "an array base")?;
    let mut shared = Shared::read(dtype, rank, transform, schema)?;
    shared.agree(outer)?;
    let missing = |what: &str, help: &str| {
        node.reject(CLAUSE, format!("an array base needs {what}"))
            .help(help)
    };
    let elements = elements.ok_or_else(|| missing("array", "add its elements"))?;
    let named = shared
        .data_type
        .ok_or_else(|| missing("dtype", "add the data type of its elements"))?;
    let mut found = Elements {
        data_type: named.name.parse().ok(),
        shape: Vec::new(),
        count: 0,
        data: Vec::new(),
    };
    found.read(elements, 0)?;
    let rank = found.shape.len();
    shared.require_rank(rank, CLAUSE, elements)?;
    let Some(data_type) = found.data_type else {
        // Arrays here have numbers only.
        return Ok(Base::Elsewhere {
            driver: Some("array"),
            data_type: Some(named.name),
            rank: shared.rank,
            dimension_units: shared.units.take(),
            chunk_shape: None,
        });
    };
    let placed = Array::new(data_type, found.shape, found.data)
        .and_then(|array| Placed::new(array, vec![0; rank]))
        .map_err(|rejection| elements.place_rejection(rejection))?;
    shared.place(Some(placed.domain()))?;
    Ok(Base::Array(placed, shared.transform.take()))
}

/// Elements in brackets within brackets, of equal lengths at each depth.
struct Elements {
    /// `None` for texts, which are counted only.
    data_type: Option<DataType>,
    shape: Vec<u64>,
    count: usize,
    data: Vec<u8>,
}

impl Elements {
    fn read(&mut self, node: Node<'_>, depth: usize) -> Read<()> {
        const CLAUSE: &str = "downsample.document.base.array";
        let ragged = || {
            node.reject(CLAUSE, "the lists of an array are not of one length")
                .help("an array is a box: lists of equal length at each depth")
        };
        if self.is_list(node) {
            let length = node.elements().count() as u64;
            if self.count == 0 && self.shape.len() == depth {
                self.shape.push(length);
            } else if self.shape.get(depth) != Some(&length) {
                return Err(ragged());
            }
            let elements = node.elements();
            let read = elements.map(|element| self.read(element, depth + 1));
            return node.all(read).map(|_| ());
        }
        if self.shape.len() != depth {
            return Err(ragged());
        }
        self.count += 1;
        if let Some(data_type) = self.data_type {
            let scalar = crate::scalar::parameter(data_type, node, CLAUSE)?;
            self.data.extend(scalar.to_bytes());
        }
        Ok(())
    }

    /// Whether a value is a list of elements; a complex number is one of two numbers.
    fn is_list(&self, node: Node<'_>) -> bool {
        let complex = self
            .data_type
            .is_some_and(|data_type| data_type.format().components() == 2);
        node.kind() == Kind::Array
            && !(complex
                && node
                    .elements()
                    .next()
                    .is_some_and(|first| first.kind() != Kind::Array))
    }
}
