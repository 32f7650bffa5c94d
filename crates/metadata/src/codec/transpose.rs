//! The configuration of `transpose` (spec/chain.md).

use exactum_model::Reason;

use crate::diagnostic::Read;
use crate::members::{Extension, array, closed, natural};

const CLAUSE: &str = "chain.transpose";

/// Reads the permutation; where the shape is known, the new one comes with it.
pub(crate) fn read(codec: &Extension<'_>, shape: Option<&[u64]>) -> Read<(Vec<usize>, Vec<u64>)> {
    let mut order = None;
    if let Some(configuration) = codec.configuration {
        [order] = closed(
            configuration,
            &["order"],
            CLAUSE,
            "the configuration of transpose",
        )?;
    }
    let Some(node) = order else {
        return Err(codec
            .node
            .reject(CLAUSE, "transpose needs an order")
            .help("write {\"name\": \"transpose\", \"configuration\": {\"order\": [1, 0]}}"));
    };
    array(node, CLAUSE, "the order")?;
    let rank = node.elements().count();
    if let Some(shape) = shape
        && shape.len() != rank
    {
        return Err(node
            .reject_as(
                Reason::Shape,
                CLAUSE,
                format!("the order has {rank} dimensions, the array {}", shape.len()),
            )
            .help(format!(
                "permute the numbers 0 to {}",
                shape.len().saturating_sub(1)
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
                    CLAUSE,
                    format!(
                        "{} has no place in a permutation of {rank} dimensions",
                        element.describe()
                    ),
                )
                .help(format!(
                    "each of the numbers 0 to {} stands once",
                    rank.saturating_sub(1)
                )));
        };
        order.push(dimension);
    }
    let shape = shape
        .map(|shape| order.iter().map(|&dimension| shape[dimension]).collect())
        .unwrap_or_default();
    Ok((order, shape))
}
