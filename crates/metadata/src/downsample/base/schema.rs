//! The constraints of a document's schema (downsample.document.schema), which apply to the array before the document's
//! transform.

use super::super::bounds::{Bounds, rank};
use super::super::extents::Demanded;
use super::super::number::index;
use super::super::units::Units;
use super::codecs;
use super::named::{Named, named};
use crate::diagnostic::Read;
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::members::{array, closed, object};

const CLAUSE: &str = "downsample.document.schema";

/// A schema that was read. It is compared by the code that knows the array.
#[derive(Default)]
pub(super) struct Schema<'d> {
    /// The whole schema.
    pub(super) node: Option<Node<'d>>,
    pub(super) data_type: Option<Named<'d>>,
    /// The number of dimensions that the schema states, with its place. If it is stated several times, all
    /// are the same.
    pub(super) rank: Option<(usize, Node<'d>)>,
    /// The positions.
    pub(super) demanded: Option<Demanded<'d>>,
    pub(super) units: Option<Units>,
    /// The shape of the chunks for reading.
    pub(super) chunk_shape: Option<Vec<u64>>,
    pub(super) codec: Option<Node<'d>>,
    pub(super) fill_value: Option<Node<'d>>,
    /// A constraint that is not compared with anything.
    pub(super) unjudged: Option<Node<'d>>,
}

impl<'d> Schema<'d> {
    pub(super) fn read(node: Node<'d>) -> Read<Self> {
        const KEYS: [&str; 7] = [
            "dtype",
            "rank",
            "domain",
            "chunk_layout",
            "codec",
            "fill_value",
            "dimension_units",
        ];
        object(node, CLAUSE, "a schema")?;
        let [
            data_type,
            own_rank,
            domain,
            layout,
            codec,
            fill_value,
            units,
        ] = closed(node, &KEYS, CLAUSE, "a schema")?;
        let mut schema = Self {
            node: Some(node),
            codec,
            fill_value,
            ..Self::default()
        };
        let mut parts = Parts::of(node);
        let read = data_type.map(|node| named(node, CLAUSE));
        schema.data_type = parts.take(read.transpose())?.flatten();
        if let Some(node) = own_rank {
            let same = rank(node, CLAUSE).and_then(|rank| schema.same_rank(rank, node));
            parts.take(same)?;
        }
        if let Some(layout) = layout {
            parts.take(object(layout, CLAUSE, "chunk_layout"))?;
        }
        if let Some(codec) = codec {
            parts.take(codecs::check(codec))?;
        }
        if let Some(shape) = layout.and_then(chunk_shape) {
            parts.take(schema.same_rank(shape.len(), node))?;
            schema.chunk_shape = Some(shape);
        }
        let judged = schema.chunk_shape.is_some();
        schema.unjudged = layout.and_then(|layout| unjudged(layout, judged));
        if let Some(domain) = domain {
            parts.take(schema.demand(domain))?;
        }
        if let Some(node) = units {
            let same = dimension_units(node).and_then(|units| {
                schema.same_rank(units.len(), node)?;
                schema.units = Some(units);
                Ok(())
            });
            parts.take(same)?;
        }
        parts.end().map(|()| schema)
    }

    /// Reads the demanded positions.
    fn demand(&mut self, node: Node<'d>) -> Read<()> {
        object(node, CLAUSE, "a domain")?;
        const KEYS: [&str; 6] = [
            "rank",
            "inclusive_min",
            "exclusive_max",
            "inclusive_max",
            "shape",
            "labels",
        ];
        let members = closed(node, &KEYS, CLAUSE, "a domain")?;
        let [.., labels] = members;
        if let Some(extents) = Bounds::new(CLAUSE, members).read()? {
            self.same_rank(extents.rank(), node)?;
            self.demanded = Some(Demanded {
                node,
                labels,
                extents,
            });
        }
        Ok(())
    }

    fn same_rank(&mut self, rank: usize, node: Node<'d>) -> Read<()> {
        match self.rank {
            Some((own, _)) if own != rank => Err(two_ranks(node, CLAUSE, rank, own)),
            _ => {
                self.rank.get_or_insert((rank, node));
                Ok(())
            }
        }
    }
}

/// Returns the fault of a number of dimensions that differs from another statement.
pub(super) fn two_ranks(
    node: Node<'_>,
    clause: &'static str,
    rank: usize,
    own: usize,
) -> Box<crate::Diagnostic> {
    let message = format!("{rank} dimensions are given here, but {own} elsewhere");
    node.reject(clause, message).help(
        "all ranks in a document must be the same, except that a transform may change the rank",
    )
}

/// Returns the chunk shape that a layout demands, if it states all extents. Preferences of the layout do not
/// count (downsample.document.schema).
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

/// Returns a constraint of a layout that is more than a preference. The shape of the read chunks is not
/// returned if it is known.
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

/// Reads units as `[multiplier, unit]`, as a number or a string, or as null.
pub(super) fn dimension_units(node: Node<'_>) -> Read<Units> {
    array(node, CLAUSE, "dimension_units")?;
    let fault = |node: Node<'_>| {
        node.reject(CLAUSE, format!("{} is not a unit", node.describe()))
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
