//! Random lists of codecs.

use exactum_conformance::model::DataType;
use exactum_conformance::vectors::array_to_json;

use super::choice::{Random, array, border};
use super::draft::{Draft, members};
use super::{bitround, cast_value, scale_offset};

/// Generates a random array document, either to resolve or to encode a chunk with.
pub(super) fn draft(random: &mut Random) -> Draft {
    let data_type = random.real_type();
    let shape: Vec<u64> = (0..random.below(4)).map(|_| random.between(1, 3)).collect();
    let document = document(random, data_type, &shape);
    let (op, input) = if random.percent(50) {
        ("chain.resolve", None)
    } else {
        let count: u64 = shape.iter().product();
        let scalars: Vec<_> = (0..count)
            .map(|_| {
                if random.percent(60) {
                    border(random, data_type)
                } else {
                    random.scalar(data_type)
                }
            })
            .collect();
        let chunk = array(data_type, &scalars)
            .with_shape(shape)
            .unwrap_or_else(|rejection| panic!("as many scalars as the shape has: {rejection}"));
        ("chain.encode", Some(chunk))
    };
    let mut request = members([("op", op.into()), ("metadata", document.into())]);
    if let Some(chunk) = input {
        request.insert("input".into(), array_to_json(&chunk));
    }
    Draft {
        row: "chain",
        topic: op.trim_start_matches("chain.").to_owned(),
        members: request,
        // Several codecs together, including their rulings.
        clauses: vec!["chain.order", "chain.survives"],
        elementwise: false,
    }
}

/// Generates the text of a document with up to three array -> array codecs.
fn document(random: &mut Random, data_type: DataType, shape: &[u64]) -> String {
    let mut codecs = Vec::new();
    let mut current = data_type;
    let mut rank = shape.len();
    for _ in 0..random.below(4) {
        codecs.push(match random.below(6) {
            5 => bitround::codec(random, current),
            0 | 1 => scale_offset::codec(random, current),
            2 | 3 => {
                let next = random.real_type();
                let codec = cast_value::codec(random, current, next);
                current = next;
                codec
            }
            _ => {
                let codec = transpose(random, rank);
                rank = shape.len();
                codec
            }
        });
    }
    codecs.push(
        if current.format().component_bytes() == 1 && random.percent(50) {
            r#""bytes""#.to_owned()
        } else {
            let endian = *random.pick(&["little", "big"]);
            format!(r#"{{"name": "bytes", "configuration": {{"endian": "{endian}"}}}}"#)
        },
    );
    let fill_value = if random.percent(50) {
        // A small number survives most casts.
        exactum_conformance::parse_fill_value(data_type, "1")
            .unwrap_or_else(|_| border(random, data_type))
    } else {
        border(random, data_type)
    };
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape:?}, "data_type": "{data_type}", "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape:?}}}}}, "chunk_key_encoding": {{"name": "default"}}, "fill_value": {}, "codecs": [{}]}}"#,
        exactum_exact::canonical(&fill_value),
        codecs.join(", ")
    )
}

fn transpose(random: &mut Random, rank: usize) -> String {
    let mut order: Vec<usize> = (0..rank).collect();
    for place in (1..rank).rev() {
        order.swap(place, random.below(place + 1));
    }
    format!(r#"{{"name": "transpose", "configuration": {{"order": {order:?}}}}}"#)
}
