//! The configuration of `sharding_indexed` (spec/chain.md).

use exactum_model::{ArrayToBytes, DataType, Reason};

use super::names::varies_in_size;
use super::pipeline::{Reader, State};
use crate::array::extents;
use crate::diagnostic::Read;
use crate::json::{Kind, Node};
use crate::members::{Extension, array, choice, closed};

const CLAUSE: &str = "chain.shard";
const KEYS: [&str; 4] = ["chunk_shape", "codecs", "index_codecs", "index_location"];

/// Reads a shard: its inner codecs see the inner shape (chain.shard). Without a state only what
/// does not need one is checked.
pub(crate) fn read(
    codec: &Extension<'_>,
    state: Option<&State>,
    reader: &mut Reader,
) -> Read<ArrayToBytes> {
    let needs = |what: &str| {
        codec
            .node
            .reject(CLAUSE, format!("sharding_indexed needs {what}"))
            .help("its configuration has chunk_shape, codecs and index_codecs")
    };
    let Some(configuration) = codec.configuration else {
        return Err(needs("a configuration"));
    };
    let owner = "the configuration of sharding_indexed";
    let [chunk_shape, codecs, index_codecs, location] =
        closed(configuration, &KEYS, CLAUSE, owner)?;
    let chunk_shape = chunk_shape.ok_or_else(|| needs("a chunk_shape"))?;
    let codecs = codecs.ok_or_else(|| needs("codecs"))?;
    let index_codecs = index_codecs.ok_or_else(|| needs("index_codecs"))?;
    if let Some(location) = location {
        choice(
            location,
            CLAUSE,
            "index_location",
            &[("start", ()), ("end", ())],
        )?;
    }

    let inner = extents(chunk_shape, CLAUSE, "the chunk_shape of a shard", 1)?;
    let counts = match state {
        Some(state) => Some(divide(chunk_shape, &state.shape, &inner)?),
        None => None,
    };
    let inner_state = state.map(|state| State {
        data_type: state.data_type,
        shape: inner.clone(),
    });
    let pipeline = reader.pipeline(codecs, inner_state)?;

    check_index_size(index_codecs)?;
    let index_state = counts.map(|mut counts| {
        counts.push(2);
        State {
            data_type: DataType::Uint64,
            shape: counts,
        }
    });
    reader.pipeline(index_codecs, index_state)?;
    Ok(ArrayToBytes::Sharding {
        chunk_shape: inner,
        pipeline: Box::new(pipeline),
    })
}

/// The inner chunks of a shard along every dimension.
fn divide(node: Node<'_>, shape: &[u64], inner: &[u64]) -> Read<Vec<u64>> {
    if shape.len() != inner.len() {
        return Err(node
            .reject_as(
                Reason::Shape,
                CLAUSE,
                format!(
                    "the inner chunks have {} dimensions, the shard {}",
                    inner.len(),
                    shape.len()
                ),
            )
            .help(format!("the shape of the shard is {shape:?}")));
    }
    let mut counts = Vec::with_capacity(shape.len());
    for ((element, &outer), &inner) in node.elements().zip(shape).zip(inner) {
        if !outer.is_multiple_of(inner) {
            return Err(element
                .reject_as(
                    Reason::Shape,
                    CLAUSE,
                    format!("{inner} does not divide the {outer} of the shard"),
                )
                .help(format!("the shape of the shard is {shape:?}")));
        }
        counts.push(outer / inner);
    }
    Ok(counts)
}

/// The index has a size that readers know beforehand.
fn check_index_size(codecs: Node<'_>) -> Read<()> {
    array(codecs, "chain.codecs", "index_codecs")?;
    for node in codecs.elements() {
        if !matches!(node.kind(), Kind::String | Kind::Object) {
            // The pipeline says what is wrong with it.
            continue;
        }
        let codec = Extension::read(node, "chain.codec.form", "a codec")?;
        if varies_in_size(&codec.name) {
            return Err(node
                .reject(
                    CLAUSE,
                    format!(
                        "{} cannot encode the index: its output varies in size",
                        codec.name
                    ),
                )
                .help("encode the index with bytes and crc32c"));
        }
    }
    Ok(())
}
