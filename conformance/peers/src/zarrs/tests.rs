//! Conversion of elements to and from zarrs. The results of zarrs are tested by the vectors.

use exactum_conformance::model::DataType;
use exactum_conformance::{Answer, Implementation as _, Request};
use serde_json::{Value, json};

use super::{Zarrs, elements};

/// Returns the answer to a request, as JSON.
pub(crate) fn ask(zarrs: &mut Zarrs, request: Value) -> Value {
    let Value::Object(members) = request else {
        panic!("a request is an object");
    };
    let answer: Answer = zarrs.call(&Request::new(members)).expect("an answer");
    let (key, value) = answer.to_json();
    json!({ key: value })
}

#[test]
fn small_signed_integers_are_whole_bytes_in_memory() {
    let rows: [(DataType, &[u8], &[u8]); 4] = [
        (DataType::Int4, &[0x0d, 0x07, 0x08], &[0xfd, 0x07, 0xf8]),
        (DataType::Int2, &[0x02, 0x01, 0x03], &[0xfe, 0x01, 0xff]),
        (DataType::Uint4, &[0x0d, 0x1d, 0xff], &[0x0d, 0x1d, 0xff]),
        (DataType::Int8, &[0x0d, 0x8d, 0xff], &[0x0d, 0x8d, 0xff]),
    ];
    for (data_type, protocol, memory) in rows {
        assert_eq!(
            elements::to_memory(data_type, protocol),
            memory,
            "{data_type}"
        );
        assert_eq!(
            elements::of_memory(data_type, memory),
            protocol,
            "{data_type}"
        );
    }
    // A byte that is not a value is left unchanged in both directions.
    assert_eq!(elements::to_memory(DataType::Int4, &[0x3d]), [0x3d]);
    assert_eq!(
        elements::of_memory(DataType::Int4, &[0x3d, 0x0d]),
        [0x3d, 0x0d]
    );
}

/// An element that is not a value of the data type is answered as zarrs holds it.
#[test]
fn an_element_that_is_no_value_is_shown() {
    let request = json!({"op": "bytes.decode", "data_type": "int4", "shape": [2], "bytes": "fd38"});
    assert_eq!(
        ask(&mut Zarrs::plain(), request),
        json!({"ok": {"output": {"data_type": "int8", "shape": [2], "data": "fd38"}}})
    );
}
