//! Compares `bytes` with the reference: every data type in both byte orders, at every level.

use exactum_model::{Bytes, DataType, Endian};

use super::numbers::Random;
use super::packbits::{LENGTHS, array, bare, random};
use super::{everywhere, taken};
use crate::bytes;

#[test]
fn bytes_in_both_orders() {
    let mut numbers = Random(13);
    for &data_type in DataType::ALL {
        for endian in [None, Some(Endian::Little), Some(Endian::Big)] {
            let codec = Bytes::new(data_type, endian);
            for length in taken(5, LENGTHS.len()).map(|index| LENGTHS[index]) {
                let data = random(&mut numbers, length * data_type.element_bytes());
                let input = array(data_type, data);
                let encoded = exactum_reference::bytes::encode(&codec, &input);
                assert_eq!(bytes::encode(&codec, &input), encoded, "{codec:?} {length}");
                let encoded = input.data();
                let decoded = exactum_reference::bytes::decode(&codec, input.shape(), encoded);
                let output = bytes::decode(&codec, input.shape(), encoded);
                assert_eq!(output, decoded, "{codec:?} {length}");
                let decoded = decoded.expect("as many bytes as needed");
                for (level, skip) in everywhere() {
                    let source = [&vec![0xa5; skip], encoded].concat();
                    let mut target = vec![0xa5; skip + encoded.len()];
                    bytes::run_at(level, &codec, &source[skip..], &mut target[skip..])
                        .expect("the right length");
                    assert_eq!(
                        target[skip..],
                        *decoded.data(),
                        "{codec:?} {length} {level:?}"
                    );
                }
            }
        }
    }
    let codec = Bytes::new(DataType::Int16, Some(Endian::Big));
    for length in 0..8 {
        let encoded = vec![1; length];
        assert_eq!(
            bare(bytes::decode(&codec, &[2], &encoded)),
            bare(exactum_reference::bytes::decode(&codec, &[2], &encoded))
        );
    }
    let _ = bytes::decode_into(&codec, &[0; 3], &mut [0; 3]).expect_err("not whole elements");
    let _ = bytes::encode_into(&codec, &[0; 4], &mut [0; 2]).expect_err("another length");
}
