//! The configuration of `sharding_indexed` (spec/chain.md).

use exactum_model::{ArrayToBytes, DataType, Reason};
use schemars::{Schema, SchemaGenerator, json_schema};

use crate::description::{Description, Form, Member, Of, Required};
use crate::diagnostic::Read;
use crate::element::Element;
use crate::json::{Kind, Node};
use crate::members::{Extension, array, choice, extents};
use crate::pipeline::{Codec, CodecKind, Reader};
use crate::state::{Shape, State};
use crate::words::counted;

const CLAUSE: &str = "chain.shard";

const MANDATORY: &str = "the configuration has chunk_shape, codecs and index_codecs";

const CHUNK_SHAPE: Member<InnerShape> = Member {
    name: "chunk_shape",
    clause: CLAUSE,
    about: "The shape of the inner chunks; it divides that of the shard.",
    required: Some(Required {
        clause: CLAUSE,
        what: "a chunk_shape",
        help: MANDATORY,
    }),
    form: InnerShape,
};

const CODECS: Member<Codecs> = Member {
    name: "codecs",
    clause: CLAUSE,
    about: "The codecs of the inner chunks.",
    required: Some(Required {
        clause: CLAUSE,
        what: "codecs",
        help: MANDATORY,
    }),
    form: Codecs { whole: true },
};

const INDEX_CODECS: Member<Codecs> = Member {
    name: "index_codecs",
    clause: CLAUSE,
    about: "The codecs of the index; the size of their output must be fixed.",
    required: Some(Required {
        clause: CLAUSE,
        what: "index_codecs",
        help: MANDATORY,
    }),
    form: Codecs { whole: true },
};

const INDEX_LOCATION: Member<Location> = Member {
    name: "index_location",
    clause: CLAUSE,
    about: "Where the index is stored; at the end by default.",
    required: None,
    form: Location,
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "sharding_indexed",
        file: false,
        example: "{\"chunk_shape\": [...], \"codecs\": [...], \"index_codecs\": [...]}",
    },
    definition: "ShardingConfiguration",
    form: CLAUSE,
    keys: "chain.extension.keys",
    members: &[&CHUNK_SHAPE, &CODECS, &INDEX_CODECS, &INDEX_LOCATION],
    rule: |_| {},
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "sharding_indexed",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(read)),
    varies: true,
};

/// Positive extents.
struct InnerShape;

impl Form for InnerShape {
    type Value<'d> = (Node<'d>, Vec<u64>);

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Self::Value<'d>> {
        let extents = extents(node, clause, &format!("the {name} of a shard"), 1)?;
        Ok((node, extents))
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": {"type": "integer", "format": "uint64", "minimum": 1},
        })
    }
}

/// A list of codecs that the pipeline reads: that of a whole chunk, or one inside a bytes -> bytes codec.
pub(super) struct Codecs {
    pub(super) whole: bool,
}

impl Form for Codecs {
    type Value<'d> = Node<'d>;

    fn read<'d>(&self, node: Node<'d>, _name: &str, _clause: &'static str) -> Read<Node<'d>> {
        Ok(node)
    }

    /// Refers to the schema of array documents, which defines a codec.
    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        match self.whole {
            true => json_schema!({"$ref": "#/$defs/CodecList"}),
            false => json_schema!({"type": "array", "items": {"$ref": "#/$defs/Codec"}}),
        }
    }
}

/// The place of the index.
struct Location;

const LOCATIONS: [&str; 2] = ["start", "end"];

impl Form for Location {
    type Value<'d> = ();

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<()> {
        choice(
            node,
            clause,
            name,
            &LOCATIONS.map(|location| (location, ())),
        )
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }

    fn limits(&self, schema: &mut Schema) {
        schema.insert("enum".into(), LOCATIONS.to_vec().into());
    }
}

/// Reads a shard: its inner codecs get the inner shape (chain.shard). Without an input, only the parts that
/// do not depend on it are checked.
fn read(
    codec: &Extension<'_>,
    input: Option<&State>,
    reader: &mut Reader,
) -> Read<Option<ArrayToBytes>> {
    let found = match CONFIGURATION.of_codec(codec) {
        Err(fault) if codec.node.keeps_faults() => {
            only_codecs(codec, reader)?;
            return Err(fault);
        }
        read => read?,
    };
    found.optional(&INDEX_LOCATION)?;
    let (node, inner) = found.required(&CHUNK_SHAPE)?;
    reader.depends_on_extents = true;
    let counts = match input {
        Some(input) => node.keep(divide(node, &input.shape, &inner))?,
        None => None,
    };
    let fits = |input: &&State| input.shape.rank().is_none_or(|rank| rank == inner.len());
    let inner_state = input
        .filter(fits)
        .map(|input| input.in_shape(Shape::Known(inner.clone())));
    let codecs = found.required(&CODECS)?;
    let pipeline = codecs.keep(reader.pipeline(codecs, inner_state.as_ref()))?;

    let index_codecs = found.required(&INDEX_CODECS)?;
    check_index_size(index_codecs, reader)?;
    let index_state = counts.map(|shape| State {
        element: Element::Number(DataType::Uint64),
        shape,
    });
    reader.pipeline(index_codecs, index_state.as_ref())?;
    Ok(pipeline.map(|pipeline| ArrayToBytes::Sharding {
        chunk_shape: inner,
        pipeline: Box::new(pipeline),
    }))
}

/// Reads the codecs inside a shard that itself has a fault.
fn only_codecs(codec: &Extension<'_>, reader: &mut Reader) -> Read<()> {
    for name in [CODECS.name, INDEX_CODECS.name] {
        let list = codec.configuration.and_then(|members| members.get(name));
        if let Some(list) = list {
            list.keep(reader.pipeline(list, None))?;
        }
    }
    Ok(())
}

/// Returns the shape of the index: the number of inner chunks of a shard along every dimension, and two
/// numbers for each chunk.
fn divide(node: Node<'_>, shape: &Shape, inner: &[u64]) -> Read<Shape> {
    let rank = shape.rank().unwrap_or(inner.len());
    if rank != inner.len() {
        let fault = node.reject_as(
            Reason::Shape,
            CLAUSE,
            format!(
                "the inner chunks have {}, but the shard has {rank}",
                counted(inner.len(), "dimension"),
            ),
        );
        return Err(match shape.known() {
            Some(shape) => fault.help(format!("the shape of the shard is {shape:?}")),
            None => fault.help("the shard has the same number of dimensions as the array"),
        });
    }
    let Some(shape) = shape.known() else {
        return Ok(Shape::Rank(rank + 1));
    };
    let mut counts = Vec::with_capacity(shape.len());
    for ((element, &outer), &inner) in node.elements().zip(shape).zip(inner) {
        if !outer.is_multiple_of(inner) {
            return Err(element
                .reject_as(
                    Reason::Shape,
                    CLAUSE,
                    format!("{inner} does not divide the extent {outer} of the shard"),
                )
                .help(format!("the shape of the shard is {shape:?}")));
        }
        counts.push(outer / inner);
    }
    counts.push(2);
    Ok(Shape::Known(counts))
}

/// Checks that the index has a size that readers know beforehand.
fn check_index_size(codecs: Node<'_>, reader: &Reader) -> Read<()> {
    array(codecs, "chain.codecs", "index_codecs")?;
    for node in codecs.elements() {
        if !matches!(node.kind(), Kind::String | Kind::Object) {
            // The pipeline reports the fault.
            continue;
        }
        let read = node.again(|| Extension::read(node, "chain.codec.form", "a codec"));
        let codec = match read {
            Err(_) if node.keeps_faults() => continue,
            read => read?,
        };
        if reader.varies_in_size(&codec.name) {
            let fault = node.reject(
                CLAUSE,
                format!(
                    "{} cannot encode the index: its output varies in size",
                    codec.name
                ),
            );
            node.keep::<()>(Err(fault.help("encode the index with bytes and crc32c")))?;
        }
    }
    Ok(())
}
