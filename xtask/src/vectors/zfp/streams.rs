//! Streams that are not an encoded chunk, because they are truncated, have more bytes behind them, or contain other
//! bits; and shapes that a chunk cannot have.

use exactum_model::DataType;
use exactum_vectors::Level;

use super::values::smooth;
use super::{REVERSIBLE, is_float, is_own, named};
use crate::vectors::bytes_codecs::{Topic, noise};

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    ends(topic)?;
    any_bits(topic)?;
    no_exponent(topic)?;
    shapes(topic)
}

const MODES: [(&str, &str); 3] = [
    ("reversible", REVERSIBLE),
    ("precision", r#"{"mode":"fixed_precision","precision":17}"#),
    ("rate", r#"{"mode":"fixed_rate","rate":9.25}"#),
];

/// Adds streams that end too early or too late.
fn ends(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let shape = [5, 3];
    let input = smooth(data_type, &shape);
    let streams = MODES.map(|(_, text)| topic.encode(text, &input));
    let own = is_own(topic);
    let mut pair = topic.pair("ends", Level::Ruling, &["zfp.stream.end"]);
    for ((name, text), whole) in MODES.into_iter().zip(streams) {
        let whole = whole?;
        let mut lengths = vec![0, 1, whole.len() / 2, whole.len() - 8, whole.len() - 1];
        if own {
            lengths.extend(2..whole.len().min(9));
        }
        lengths.sort_unstable();
        lengths.dedup();
        for length in lengths {
            let id = format!("{name}-first-{length}");
            pair.decode(&id, &[], text, &shape, &whole[..length])?;
        }
        for (id, more) in [
            ("zeros", &[0; 8][..]),
            ("ones", &[0xff; 9]),
            ("itself", &whole),
        ] {
            let longer = [&whole, more].concat();
            let id = format!("{name}-and-{id}");
            pair.decode(&id, &[], text, &shape, &longer)?;
        }
    }
    pair.finish();
    Ok(())
}

/// Adds bytes that were not written by an encoder; any bytes are decoded to some chunk.
fn any_bits(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let shapes: [&[u64]; 4] = [&[6], &[3, 5], &[2, 3, 5], &[1, 2, 3, 3]];
    let shapes = if is_own(topic) {
        &shapes[..]
    } else {
        &shapes[..2]
    };
    let mut rough = noise(DataType::Uint8).map(|bits| bits.to_le_bytes()[0]);
    let mut made = Vec::new();
    for shape in shapes {
        for (name, text) in MODES {
            let length = topic.encode(text, &smooth(data_type, shape))?.len();
            let mut bytes: Vec<u8> = rough.by_ref().take(length).collect();
            // In floats, a first bit of 0 means a block of zeros.
            bytes[0] |= 1;
            let mut streams = vec![("noise", bytes), ("ones", vec![0xff; length])];
            let mut sparse: Vec<u8> = rough.by_ref().take(length).collect();
            for byte in &mut sparse {
                *byte = 1 << (*byte & 7);
            }
            sparse[0] |= 1;
            streams.push(("sparse", sparse));
            if is_float(topic.data_type) {
                // A block that is not zero, and whose exponent bits are all zero.
                let mut no_exponent = vec![0xff; length.max(8)];
                no_exponent[..2].copy_from_slice(&[0x01, 0xe0]);
                streams.push(("no-exponent", no_exponent));
            }
            for (id, bytes) in streams {
                let id = format!("{}-{name}-{id}", named(shape));
                made.push((id, text, shape, bytes));
            }
        }
    }
    // Some of these streams continue behind their end.
    let clauses = ["zfp.stream.end", "zfp.planes"];
    let mut pair = topic.pair("any-bits", Level::Ruling, &clauses);
    for (id, text, shape, bytes) in &made {
        pair.decode(id, &[], text, shape, bytes)?;
    }
    pair.finish();
    Ok(())
}

/// Adds reversible blocks of floats with an exponent that no encoder writes, with all bits that they may have. Their
/// elements are zeros without a sign, whatever their integers are.
fn no_exponent(topic: &mut Topic) -> Result<(), String> {
    if !(is_own(topic) && is_float(topic.data_type)) {
        return Ok(());
    }
    let rough = noise(DataType::Uint8).map(|bits| bits.to_le_bytes()[0]);
    let mut bytes: Vec<u8> = rough.take(48).collect();
    let mut pair = topic.pair("no-exponent", Level::Must, &["zfp.reversible.float"]);
    for (id, second) in [("few-planes", 0x20), ("many-planes", 0xe0)] {
        bytes[..2].copy_from_slice(&[0x01, second]);
        pair.decode(id, &[], REVERSIBLE, &[4], &bytes)?;
    }
    pair.finish();
    Ok(())
}

/// Adds chunks that the codec does not support, and chunks too large for any memory.
fn shapes(topic: &mut Topic) -> Result<(), String> {
    let mut pair = topic.pair("no-extent", Level::Ruling, &["zfp.rank"]);
    let empty: [&[u64]; 3] = [&[0], &[0, 4], &[4, 3, 0]];
    for shape in empty {
        pair.reject(&named(shape), REVERSIBLE, shape, &[1; 8])?;
    }
    pair.finish();
    if !is_own(topic) {
        return Ok(());
    }
    let mut pair = topic.pair("beyond-64-mib", Level::May, &["zfp.stream.size"]);
    let large: [&[u64]; 2] = [&[1 << 20, 1 << 20], &[1 << 40, 1 << 40, 2, 3]];
    for shape in large {
        pair.reject(&named(shape), REVERSIBLE, shape, &[1; 8])?;
    }
    pair.finish();
    Ok(())
}
