//! The configuration of `transpose` (spec/chain.md).

use exactum_model::{ArrayCodec, Reason};
use schemars::{Schema, SchemaGenerator, json_schema};

use crate::description::{Description, Form, Member, Of, Required};
use crate::diagnostic::Read;
use crate::json::Node;
use crate::members::{Extension, array, asks_natural, natural};
use crate::pipeline::{Codec, CodecKind, Output, Reader};
use crate::state::State;
use crate::words::counted;

const CLAUSE: &str = "chain.transpose";

const ORDER: Member<Dimensions> = Member {
    name: "order",
    clause: CLAUSE,
    about: "A permutation: dimension `i` of the output is dimension `order[i]` of the input.",
    required: Some(Required {
        clause: CLAUSE,
        what: "an order",
        help: "write {\"name\": \"transpose\", \"configuration\": {\"order\": [1, 0]}}",
    }),
    form: Dimensions,
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "transpose",
        file: false,
        example: "{\"order\": [1, 0]}",
    },
    definition: "TransposeConfiguration",
    form: CLAUSE,
    keys: "chain.extension.keys",
    members: &[&ORDER],
    rule: |_| {},
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "transpose",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToArray(Some(read)),
    varies: false,
};

/// Dimensions, each listed once.
struct Dimensions;

impl Form for Dimensions {
    type Value<'d> = Node<'d>;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Node<'d>> {
        array(node, clause, &format!("the {name}"))
            .map_err(|fault| fault.help("list the dimensions in their new order, such as [1, 0]"))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "items": generator.subschema_for::<u64>()})
    }

    fn limits(&self, schema: &mut Schema) {
        schema.insert("uniqueItems".into(), true.into());
    }
}

fn read(
    codec: &Extension<'_>,
    input: Option<&State>,
    _reader: &mut Reader,
) -> Read<Option<Output>> {
    let node = CONFIGURATION.of_codec(codec)?.required(&ORDER)?;
    let order = permutation(node, input.and_then(|input| input.shape.rank()))?;
    Ok(input.map(|input| Output {
        state: input.in_shape(input.shape.permuted(&order)),
        codec: Some(ArrayCodec::Transpose(order)),
    }))
}

/// Reads the permutation, which must have as many dimensions as the input.
fn permutation(node: Node<'_>, of_input: Option<usize>) -> Read<Vec<usize>> {
    let rank = node.elements().count();
    if let Some(of_input) = of_input
        && of_input != rank
    {
        return Err(node
            .reject_as(
                Reason::Shape,
                CLAUSE,
                format!(
                    "the order has {}, but the array has {of_input}",
                    counted(rank, "dimension"),
                ),
            )
            .help(format!(
                "permute the numbers 0 to {}",
                of_input.saturating_sub(1)
            )));
    }
    let mut taken = vec![false; rank];
    let mut order = Vec::with_capacity(rank);
    for element in node.elements() {
        let dimension = natural(element)
            .and_then(|dimension| usize::try_from(dimension).ok())
            .filter(|&dimension| {
                dimension < rank && !std::mem::replace(&mut taken[dimension], true)
            });
        let Some(dimension) = dimension else {
            return Err(element
                .reject_as(
                    Reason::Shape,
                    asks_natural(element, CLAUSE),
                    format!(
                        "{} is not valid in a permutation of {}",
                        element.describe(),
                        counted(rank, "dimension")
                    ),
                )
                .help(format!(
                    "each of the numbers 0 to {} must occur once",
                    rank.saturating_sub(1)
                )));
        };
        order.push(dimension);
    }
    Ok(order)
}
