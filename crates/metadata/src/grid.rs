//! Chunk grids in documents (spec/chain.md).

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

/// Where a chunk shape stands, and what it is.
pub(crate) type ChunkShape<'d> = (Node<'d>, Vec<u64>);

/// Another grid than the regular one: whether its text is known here, and what is to be said of it.
pub(crate) type OtherGrid = (bool, Box<Diagnostic>);

/// The regular grid (chain.grid), or another one.
/// The shape of the array is `None` where it is not known.
pub(crate) fn chunk_grid<'d>(
    node: Node<'d>,
    array: Option<&[u64]>,
) -> Read<Result<ChunkShape<'d>, OtherGrid>> {
    let grid =
        Extension::read(node, CLAUSE, "the chunk grid")?.must_be_understood("the chunk grid")?;
    match grid.name.as_ref() {
        "regular" => regular(&grid, array.map(<[u64]>::len)).map(Ok),
        "rectilinear" => {
            rectilinear(&grid, array)?;
            let help = "its chunks have many shapes, so that nothing of them is judged";
            Ok(Err((true, other(&grid, help))))
        }
        name => {
            let help = match did_you_mean(name, NAMES) {
                Some(meant) => format!("is \"{meant}\" meant?"),
                None => "only the regular chunk grid is judged".into(),
            };
            let grid = grid.with_proper_name()?;
            Ok(Err((false, other(&grid, &help))))
        }
    }
}

pub(crate) const NAMES: [&str; 2] = ["regular", "rectilinear"];

fn other(grid: &Extension<'_>, help: &str) -> Box<Diagnostic> {
    let message = format!(
        "the chunk grid {} is not the regular one",
        quoted(&grid.name)
    );
    grid.node.reject("chain.grid.other", message).help(help)
}

fn regular<'d>(grid: &Extension<'d>, rank: Option<usize>) -> Read<ChunkShape<'d>> {
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
    let extents = extents(chunk_shape, clause, "the chunk_shape", 1)?;
    if let Some(rank) = rank.filter(|rank| extents.len() != *rank) {
        return Err(chunk_shape
            .reject_as(
                Reason::Shape,
                clause,
                format!(
                    "the chunks have {}, the array {rank}",
                    counted(extents.len(), "dimension")
                ),
            )
            .help("chunk_shape has one extent for each of shape"));
    }
    Ok((chunk_shape, extents))
}

const KIND: Member<Choice<()>> = Member {
    name: "kind",
    clause: RECTILINEAR,
    about: "Where the lengths stand.",
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
    about: "For each dimension one length for all chunks, or the lengths of all, [length, times] standing for several.",
    required: Some(Required {
        clause: RECTILINEAR,
        what: "chunk_shapes",
        help: AXES_HELP,
    }),
    form: Axes,
};

const AXES_HELP: &str = "write a positive integer for chunks of one length, or a list of integers and of pairs [length, times]";

/// The configuration of the grid whose chunks have lengths of their own.
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

/// What the chunks along each dimension are long together; nothing where all are of one length.
struct Axes;

impl Form for Axes {
    type Value<'d> = (Node<'d>, Vec<Option<u64>>);

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Self::Value<'d>> {
        array(node, clause, name)?;
        let axes = node.elements().map(|axis| match axis.kind() {
            Kind::Array => {
                let lengths = axis.elements().map(lengths);
                let sum = lengths.reduce(|sum, length| Ok(sum?.saturating_add(length?)));
                sum.unwrap_or(Ok(0)).map(Some)
            }
            _ => positive(axis).map(|_| None),
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

/// A length, or one that is repeated: what they are together.
fn lengths(node: Node<'_>) -> Read<u64> {
    if node.kind() != Kind::Array {
        return positive(node);
    }
    let mut parts = node.elements();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(length), Some(times), None) => Ok(positive(length)?.saturating_mul(positive(times)?)),
        _ => Err(node
            .reject(RECTILINEAR, "repeated lengths are a pair [length, times]")
            .help(AXES_HELP)),
    }
}

fn positive(node: Node<'_>) -> Read<u64> {
    natural(node).filter(|number| *number > 0).ok_or_else(|| {
        let message = format!("{} is no length of chunks", node.describe());
        node.reject(asks_natural(node, RECTILINEAR), message)
            .help(AXES_HELP)
    })
}

/// The grid of the registry whose chunks have lengths of their own (chain.grid.rectilinear).
fn rectilinear(grid: &Extension<'_>, array: Option<&[u64]>) -> Read<()> {
    let found = CONFIGURATION.of_codec(grid)?;
    found.required(&KIND)?;
    let (node, axes) = found.required(&CHUNK_SHAPES)?;
    let Some(array) = array else { return Ok(()) };
    if axes.len() != array.len() {
        let message = format!(
            "there are lengths for {}, and the array has {}",
            counted(axes.len(), "dimension"),
            array.len()
        );
        return Err(node
            .reject_as(Reason::Shape, RECTILINEAR, message)
            .help("chunk_shapes has one entry for each extent of shape"));
    }
    let dimensions = node.elements().zip(axes).zip(array);
    let covered = dimensions.map(|((axis, sum), &extent)| {
        let Some(sum) = sum.filter(|sum| *sum < extent) else {
            return Ok(());
        };
        let message = format!("these chunks are {sum} long together, and the array {extent}");
        Err(axis
            .reject_as(Reason::Shape, RECTILINEAR, message)
            .help("the chunks cover the whole dimension; they may reach beyond it"))
    });
    node.all(covered).map(|_| ())
}
