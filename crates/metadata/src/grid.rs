//! Chunk grids in documents (spec/chain.md).

use std::collections::BTreeSet;

use exactum_model::Reason;
use schemars::{Schema, SchemaGenerator, json_schema};

use crate::description::{Choice, Description, Form, Member, Of, Required};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};
use crate::members::{Extension, array, asks_natural, closed, extents, natural};
use crate::words::{counted, did_you_mean, quoted};

const CLAUSE: &str = "chain.grid";
const RECTILINEAR: &str = "chain.grid.rectilinear";
const KEYS: &str = "chain.extension.keys";

/// A chunk grid whose specification is known.
pub(crate) enum Grid<'d> {
    /// All chunks have the same shape, which is given at this node.
    Regular(Node<'d>, Vec<u64>),
    /// The chunks have separate lengths along each dimension.
    Rectilinear(Node<'d>, Vec<Axis>),
}

/// The chunks along a dimension.
pub(crate) struct Axis {
    /// The length of the first chunk.
    pub(crate) first: u64,
    /// The lengths of the chunks, each listed once.
    pub(crate) lengths: BTreeSet<u64>,
    /// The total length of the chunks, or none if they continue up to the end of the array.
    sum: Option<u64>,
}

impl Grid<'_> {
    /// Returns the node of the chunk shapes.
    pub(crate) fn node(&self) -> Node<'_> {
        match self {
            Grid::Regular(node, _) | Grid::Rectilinear(node, _) => *node,
        }
    }

    /// Returns the lengths of the chunks along each dimension, each listed once, if they differ.
    pub(crate) fn lengths(&self) -> Option<Vec<Vec<u64>>> {
        let Grid::Rectilinear(_, axes) = self else {
            return None;
        };
        let lengths = axes.iter().map(|axis| axis.lengths.iter().copied());
        Some(lengths.map(Iterator::collect).collect())
    }

    /// Returns the shape of the first chunk.
    pub(crate) fn first(&self) -> Vec<u64> {
        match self {
            Grid::Regular(_, shape) => shape.clone(),
            Grid::Rectilinear(_, axes) => axes.iter().map(|axis| axis.first).collect(),
        }
    }

    /// Returns the shape with the greatest length along each dimension.
    pub(crate) fn greatest(&self) -> Vec<u64> {
        match self {
            Grid::Regular(_, shape) => shape.clone(),
            Grid::Rectilinear(_, axes) => {
                let greatest = axes.iter().map(|axis| axis.lengths.last().copied());
                greatest.map(Option::unwrap_or_default).collect()
            }
        }
    }

    /// Returns the number of chunk shapes.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Grid::Regular(..) => 1,
            Grid::Rectilinear(_, axes) => axes
                .iter()
                .map(|axis| axis.lengths.len() as u64)
                .fold(1, u64::saturating_mul),
        }
    }

    /// Returns the chunk shapes.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = Vec<u64>> {
        let axes = self.lengths().unwrap_or_else(|| {
            let lengths = self.first().into_iter();
            lengths.map(|length| vec![length]).collect()
        });
        let mut next = Some(vec![0; axes.len()]);
        std::iter::from_fn(move || {
            let indices = next.take()?;
            let shape = axes.iter().zip(&indices);
            let shape = shape.filter_map(|(lengths, &index)| lengths.get(index).copied());
            let shape = shape.collect();
            next = following(&axes, indices);
            Some(shape)
        })
    }
}

/// Returns the next indices, or none after the last.
fn following(axes: &[Vec<u64>], mut indices: Vec<usize>) -> Option<Vec<usize>> {
    for (index, lengths) in indices.iter_mut().zip(axes).rev() {
        *index += 1;
        if *index < lengths.len() {
            return Some(indices);
        }
        *index = 0;
    }
    None
}

/// Reads a chunk grid whose specification is known (chain.grid, chain.grid.rectilinear). For any other grid, returns
/// the message about it. The shape of the array is `None` if it is not known.
pub(crate) fn chunk_grid<'d>(
    node: Node<'d>,
    array: Option<&[u64]>,
) -> Read<Result<Grid<'d>, Box<Diagnostic>>> {
    let grid =
        Extension::read(node, CLAUSE, "the chunk grid")?.must_be_understood("the chunk grid")?;
    match grid.name.as_ref() {
        "regular" => regular(&grid, array.map(<[u64]>::len)).map(Ok),
        "rectilinear" => rectilinear(&grid, array).map(Ok),
        name => {
            let help = match did_you_mean(name, NAMES) {
                Some(meant) => format!("did you mean \"{meant}\"?"),
                // zarrs and a draft of the specification use this name.
                None if name == "rectangular" => {
                    "the registry calls this grid \"rectilinear\", whose configuration has a \"kind\" and \"chunk_shapes\"".into()
                }
                None => "everything that does not depend on the shape of the chunks is checked".into(),
            };
            let grid = grid.with_proper_name()?;
            let message = format!("the chunk grid {} is unknown", quoted(&grid.name));
            Ok(Err(grid
                .node
                .reject("chain.grid.other", message)
                .help(help)))
        }
    }
}

pub(crate) const NAMES: [&str; 2] = ["regular", "rectilinear"];

/// Returns the rejection for a reader that needs all chunks to have the same shape.
pub(crate) fn not_regular(node: Node<'_>) -> Box<Diagnostic> {
    let message = "the chunk grid is rectilinear, but only regular chunk grids can be read here";
    node.reject("chain.grid.other", message)
        .help("rewrite the array with chunks of a single shape to make it readable")
}

fn regular<'d>(grid: &Extension<'d>, rank: Option<usize>) -> Read<Grid<'d>> {
    let form = "write {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [...]}}";
    let (node, clause) = (grid.node, CLAUSE);
    let Some(configuration) = grid.configuration else {
        return Err(node
            .reject(clause, "the regular chunk grid needs a chunk_shape")
            .help(form));
    };
    let owner = "the configuration of the regular chunk grid";
    let [chunk_shape] = closed(configuration, &["chunk_shape"], KEYS, owner)?;
    let Some(chunk_shape) = chunk_shape else {
        return Err(configuration
            .reject(clause, "the regular chunk grid needs a chunk_shape")
            .help(form));
    };
    let is_list = |extent: Node<'_>| extent.kind() == Kind::Array;
    let extents = extents(chunk_shape, clause, "the chunk_shape", 1).map_err(|fault| {
        match chunk_shape.elements().any(is_list) {
            true => fault.help(LISTS_HELP),
            false => fault,
        }
    })?;
    if let Some(rank) = rank.filter(|rank| extents.len() != *rank) {
        return Err(chunk_shape
            .reject_as(
                Reason::Shape,
                clause,
                format!(
                    "the chunks have {}, but the array has {rank}",
                    counted(extents.len(), "dimension")
                ),
            )
            .help("chunk_shape must have one extent for each extent of shape"));
    }
    Ok(Grid::Regular(chunk_shape, extents))
}

const LISTS_HELP: &str = "chunks of several lengths need {\"name\": \"rectilinear\", \"configuration\": {\"kind\": \"inline\", \"chunk_shapes\": [...]}}";

const KIND: Member<Choice<()>> = Member {
    name: "kind",
    clause: RECTILINEAR,
    about: "Where the lengths are stored.",
    required: Some(Required {
        clause: RECTILINEAR,
        what: "a kind",
        help: "write \"kind\": \"inline\"",
    }),
    form: Choice {
        all: &[()],
        name: |()| "inline",
    },
};

const CHUNK_SHAPES: Member<Axes> = Member {
    name: "chunk_shapes",
    clause: RECTILINEAR,
    about: "For each dimension, one length for all chunks, or a list of all lengths, in which \
            [length, times] stands for several.",
    required: Some(Required {
        clause: RECTILINEAR,
        what: "chunk_shapes",
        help: AXES_HELP,
    }),
    form: Axes,
};

const AXES_HELP: &str = "write a positive integer for chunks of one length, or a list of integers \
                         and pairs [length, times]";

/// The configuration of the grid whose chunks have separate lengths.
pub(crate) static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "rectilinear",
        file: false,
        example: "{\"kind\": \"inline\", \"chunk_shapes\": [...]}",
    },
    definition: "RectilinearConfiguration",
    form: RECTILINEAR,
    keys: KEYS,
    members: &[&KIND, &CHUNK_SHAPES],
    rule: |_| {},
};

/// The lengths of the chunks along each dimension.
struct Axes;

impl Form for Axes {
    type Value<'d> = (Node<'d>, Vec<Axis>);

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Self::Value<'d>> {
        array(node, clause, name)?;
        let axes = node.elements().map(|axis| match axis.kind() {
            Kind::Array => listed(axis),
            _ => positive(axis).map(|length| Axis {
                first: length,
                lengths: BTreeSet::from([length]),
                sum: None,
            }),
        });
        Ok((node, node.all(axes)?))
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        let length = serde_json::json!({"type": "integer", "minimum": 1});
        json_schema!({"type": "array", "items": {"anyOf": [
            length,
            {"type": "array", "items": {"anyOf": [
                length,
                {"type": "array", "items": length, "minItems": 2, "maxItems": 2},
            ]}},
        ]}})
    }
}

/// Reads the chunks along a dimension, all of which are listed.
fn listed(node: Node<'_>) -> Read<Axis> {
    let mut axis = Axis {
        first: 0,
        lengths: BTreeSet::new(),
        sum: Some(0),
    };
    let mut sum = 0u64;
    for run in node.elements() {
        let (length, times) = lengths(run)?;
        if axis.lengths.is_empty() {
            axis.first = length;
        }
        axis.lengths.insert(length);
        sum = sum.saturating_add(length.saturating_mul(times));
    }
    axis.sum = Some(sum);
    if axis.lengths.is_empty() {
        // A dimension of length 0 needs no chunks; the codecs get one element of it.
        axis.first = 1;
        axis.lengths.insert(1);
    }
    Ok(axis)
}

/// Reads a length and the number of consecutive chunks that have it.
fn lengths(node: Node<'_>) -> Read<(u64, u64)> {
    if node.kind() != Kind::Array {
        return positive(node).map(|length| (length, 1));
    }
    let mut parts = node.elements();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(length), Some(times), None) => Ok((positive(length)?, positive(times)?)),
        _ => Err(node
            .reject(
                RECTILINEAR,
                "repeated lengths must be a pair [length, times]",
            )
            .help(AXES_HELP)),
    }
}

fn positive(node: Node<'_>) -> Read<u64> {
    natural(node).filter(|number| *number > 0).ok_or_else(|| {
        let message = format!("{} is not the length of a chunk", node.describe());
        node.reject(asks_natural(node, RECTILINEAR), message)
            .help(AXES_HELP)
    })
}

/// Reads the grid of the registry whose chunks have separate lengths (chain.grid.rectilinear).
fn rectilinear<'d>(grid: &Extension<'d>, array: Option<&[u64]>) -> Read<Grid<'d>> {
    let found = CONFIGURATION.of_codec(grid)?;
    found.required(&KIND)?;
    let (node, axes) = found.required(&CHUNK_SHAPES)?;
    let Some(array) = array else {
        return Ok(Grid::Rectilinear(node, axes));
    };
    if axes.len() != array.len() {
        let message = format!(
            "there are lengths for {}, but the array has {}",
            counted(axes.len(), "dimension"),
            array.len()
        );
        return Err(node
            .reject_as(Reason::Shape, RECTILINEAR, message)
            .help("chunk_shapes must have one entry for each extent of shape"));
    }
    let dimensions = node.elements().zip(&axes).zip(array);
    let covered = dimensions.map(|((axis, Axis { sum, .. }), &extent)| {
        let Some(sum) = sum.filter(|sum| *sum < extent) else {
            return Ok(());
        };
        let message =
            format!("the total length of these chunks is {sum}, but that of the array is {extent}");
        Err(axis
            .reject_as(Reason::Shape, RECTILINEAR, message)
            .help("the chunks must cover the whole dimension; they may extend beyond it"))
    });
    node.all(covered)?;
    Ok(Grid::Rectilinear(node, axes))
}
