use exactum_model::{Array, DataType, Scalar};

use super::{decode, encode, resolve, targets};
use crate::oracle::documents;

fn document(data_type: &str, fill_value: &str, shape: &str, codecs: &str) -> String {
    format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":{shape},"data_type":"{data_type}","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":{shape}}}}},"chunk_key_encoding":{{"name":"default"}},"fill_value":{fill_value},"codecs":{codecs}}}"#
    )
}

/// The shape [2, 3, 4] with the order [2, 0, 1], as in the core specification.
#[test]
fn elements_move_to_their_coordinates() {
    assert_eq!(targets(&[1, 0], &[2, 3]), [0, 2, 4, 1, 3, 5]);
    let moved = targets(&[2, 0, 1], &[2, 3, 4]);
    // Element (1, 2, 3) moves to (3, 1, 2) of [4, 2, 3].
    assert_eq!(moved[12 + 2 * 4 + 3], 3 * 6 + 3 + 2);
    assert_eq!(targets(&[], &[]), [0]);
}

/// The published example with NaN: 0, 10, 2540 and NaN.
#[test]
fn the_published_example() {
    let text = document(
        "float64",
        "\"NaN\"",
        "[4]",
        r#"[{"name":"scale_offset","configuration":{"offset":-10,"scale":0.1}},{"name":"cast_value","configuration":{"data_type":"uint8","rounding":"nearest-even","scalar_map":{"encode":[["NaN",0]],"decode":[[0,"NaN"]]}}},"bytes"]"#,
    );
    let chain = documents::chain(&text).expect("a chain");
    let elements = [0.0, 10.0, 2540.0, f64::NAN].map(f64::to_bits);
    let chunk = Array::from_components(DataType::Float64, vec![4], elements).expect("four");
    assert_eq!(encode(&chain, &chunk), Ok(vec![1, 2, 255, 0]));
    assert_eq!(decode(&chain, &[1, 2, 255, 0]), Ok(chunk));
    let resolution = resolve(&chain).expect("a fill value that survives");
    assert!(resolution.round_trips);
    assert_eq!(resolution.encoded_bytes, Some(4));
    assert_eq!(
        resolution.stages[2].fill_value,
        Scalar::new(DataType::Uint8, 0)
    );
}

/// Compares both readers of documents, and both programs, on chains of every kind.
#[test]
fn agrees_with_the_reference() {
    let lists = [
        r#"["bytes"]"#,
        r#"[{"name":"bytes","configuration":{"endian":"big"}}]"#,
        r#"[{"name":"transpose","configuration":{"order":[2,0,1]}},{"name":"cast_value","configuration":{"data_type":"float32"}},{"name":"scale_offset","configuration":{"scale":2}},{"name":"transpose","configuration":{"order":[1,0,2]}},{"name":"bytes","configuration":{"endian":"big"}}]"#,
        r#"[{"name":"reshape","configuration":{"shape":[[0,1],-1]}},{"name":"transpose","configuration":{"order":[1,0]}},"bytes"]"#,
    ];
    let input: Vec<u8> = (0..24).collect();
    let chunk = Array::new(DataType::Uint8, vec![2, 3, 4], input).expect("24 elements");
    for codecs in lists {
        let text = document("uint8", "7", "[2,3,4]", codecs);
        let read = exactum_metadata::parse_array(&text).expect("a valid document");
        let chain = documents::chain(&text).expect("a chain");
        assert_eq!(chain, read.chain, "{codecs}");
        assert_eq!(
            resolve(&chain).map_err(|_| ()),
            exactum_reference::chain::resolve(&chain).map_err(|_| ()),
            "{codecs}"
        );
        let bytes = encode(&chain, &chunk).expect("bytes");
        let reference = exactum_reference::chain::encode(&chain, &chunk);
        assert_eq!(Ok(&bytes), reference.as_ref(), "{codecs}");
        assert_eq!(decode(&chain, &bytes).as_ref(), Ok(&chunk), "{codecs}");
    }
}
