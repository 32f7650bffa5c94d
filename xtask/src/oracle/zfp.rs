//! The second oracle of `zfp`. A block is first encoded without any limit, as the complete string of its bits, which is
//! then truncated or padded. Differences and prefix sums are taken one after another, and digits are computed by
//! dividing by -2. Floats are software floats, which perform zfp's operations and check whether the result is
//! reversible. The order of coefficients is read from `spec/zfp.md`.

mod block;
mod number;

use std::sync::LazyLock;

use exactum_model::{Array, Reason, Zfp};

use block::Limits;
use number::{demote, own, promote};

const SPECIFICATION: &str = include_str!("../../../spec/zfp.md");

/// The order of the coefficients for 1 to 4 dimensions.
static ORDERS: LazyLock<[Vec<usize>; 4]> = LazyLock::new(|| [1, 2, 3, 4].map(order));

/// The largest chunk in bytes.
const LARGEST: u128 = 64 << 20;

/// Reads the block of the specification that is named `order-<dimensions>`.
fn order(dimensions: usize) -> Vec<usize> {
    let fence = format!("```text order-{dimensions}\n");
    let block = SPECIFICATION
        .split_once(&fence)
        .and_then(|(_, rest)| rest.split_once("```"));
    let (numbers, _) = block.expect("an order of coefficients");
    numbers
        .split_whitespace()
        .map(|number| number.parse().expect("a number"))
        .collect()
}

/// Encodes an array to bytes.
///
/// # Errors
/// If the array cannot be encoded, with the reason.
pub(crate) fn encode(codec: &Zfp, input: &Array) -> Result<Vec<u8>, Reason> {
    if input.data_type() != codec.data_type {
        return Err(Reason::UnsupportedDataType);
    }
    let limits = limits(codec)?;
    let extents = extents(codec, input.shape())?;
    let elements = input
        .components()
        .map(|bits| promote(codec.data_type, limits.reversible, bits))
        .collect::<Result<Vec<u64>, Reason>>()?;
    let mut stream = Vec::new();
    for places in blocks(&extents) {
        let elements: Vec<u64> = places.iter().map(|&(place, _)| elements[place]).collect();
        let mut text = limits.text(&elements);
        text.truncate(codec.max_bits as usize);
        while text.len() < codec.min_bits as usize {
            text.push(false);
        }
        stream.extend(text);
    }
    while !stream.len().is_multiple_of(64) {
        stream.push(false);
    }
    let byte = |bits: &[bool]| {
        let rest = bits.iter().rev();
        rest.fold(0, |byte, &bit| byte << 1 | u8::from(bit))
    };
    Ok(stream.chunks(8).map(byte).collect())
}

/// Decodes bytes to an array.
///
/// # Errors
/// If the bytes cannot be decoded, with the reason.
pub(crate) fn decode(codec: &Zfp, shape: &[u64], bytes: &[u8]) -> Result<Array, Reason> {
    let limits = limits(codec)?;
    let extents = extents(codec, shape)?;
    let stream: Vec<bool> = bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |place| byte >> place & 1 == 1))
        .collect();
    let mut elements = vec![0; extents.iter().product()];
    let mut start = 0;
    for places in blocks(&extents) {
        let text = stream.get(start..).unwrap_or_default();
        let (block, used) = limits.read(text, codec.max_bits as usize);
        start += used.max(codec.min_bits as usize);
        for ((place, padding), bits) in places.into_iter().zip(block) {
            if !padding {
                elements[place] = bits;
            }
        }
    }
    let elements = elements
        .into_iter()
        .map(|bits| demote(codec.data_type, bits));
    Array::from_components(codec.data_type, shape.to_vec(), elements).map_err(|_| Reason::Shape)
}

/// Returns the number of bytes in a chunk whose blocks all have the same size.
pub(crate) fn encoded_bytes(codec: &Zfp, shape: &[u64]) -> Option<u64> {
    let mut bits = u128::from(codec.max_bits);
    for &extent in shape {
        bits = bits.checked_mul(u128::from(extent / 4 + u64::from(extent % 4 > 0)))?;
    }
    let words = bits / 64 + u128::from(bits % 64 > 0);
    (codec.min_bits == codec.max_bits)
        .then(|| u64::try_from(8 * words).ok())
        .flatten()
}

fn limits(codec: &Zfp) -> Result<Limits<'static>, Reason> {
    Ok(Limits {
        own: own(codec.data_type).ok_or(Reason::UnsupportedDataType)?,
        order: &ORDERS[codec.rank.clamp(1, 4) - 1],
        dimensions: i64::try_from(codec.rank.clamp(1, 4)).map_err(|_| Reason::Shape)?,
        reversible: codec.min_exponent < -1074,
        planes: codec.max_precision,
        lowest: i64::from(codec.min_exponent),
    })
}

/// Returns the extents, beginning with the first dimension. A chunk without dimensions has a single extent of 1.
fn extents(codec: &Zfp, shape: &[u64]) -> Result<Vec<usize>, Reason> {
    let width = codec.data_type.element_bytes() as u128;
    let size = shape
        .iter()
        .try_fold(width, |size, &it| size.checked_mul(it.into()));
    let fits = size.is_some_and(|size| 0 < size && size <= LARGEST);
    if shape.len() != codec.rank || codec.rank > 4 || !fits {
        return Err(Reason::Shape);
    }
    let extents: Result<Vec<usize>, _> = shape.iter().map(|&it| usize::try_from(it)).collect();
    let mut extents = extents.map_err(|_| Reason::Shape)?;
    if extents.is_empty() {
        extents.push(1);
    }
    Ok(extents)
}

/// Returns, for every block, the positions of its elements in the chunk, and whether each element is only padding. The
/// lists are built dimension by dimension, with the first one outermost.
fn blocks(extents: &[usize]) -> Vec<Vec<(usize, bool)>> {
    let Some((&first, rest)) = extents.split_first() else {
        return vec![vec![(0, false)]];
    };
    let stride: usize = rest.iter().product();
    let inner = blocks(rest);
    let mut all = Vec::new();
    for start in (0..first).step_by(4) {
        // The elements at the four positions of a line, by the number of elements that exist.
        let line = match first - start {
            1 => [0, 0, 0, 0],
            2 => [0, 1, 1, 0],
            3 => [0, 1, 2, 0],
            _ => [0, 1, 2, 3],
        };
        for block in &inner {
            let mut places = Vec::new();
            for (step, from) in line.into_iter().enumerate() {
                let missing = start + step >= first;
                let moved = block
                    .iter()
                    .map(|&(place, padding)| ((start + from) * stride + place, padding || missing));
                places.extend(moved);
            }
            all.push(places);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use exactum_model::zfp_order;

    use super::{ORDERS, blocks};

    #[test]
    fn orders_are_those_of_the_model() {
        for (dimensions, order) in (1..).zip(ORDERS.iter()) {
            let own = zfp_order(dimensions).iter().map(|&it| usize::from(it));
            assert!(own.eq(order.iter().copied()), "{dimensions}");
        }
    }

    #[test]
    fn blocks_take_each_element_once() {
        for extents in [&[1][..], &[9], &[3, 6], &[2, 5, 7], &[5, 1, 2, 9]] {
            let mut seen = vec![0; extents.iter().product()];
            for (place, padding) in blocks(extents).into_iter().flatten() {
                seen[place] += usize::from(!padding);
            }
            assert!(seen.iter().all(|&times| times == 1), "{extents:?}");
        }
    }
}
