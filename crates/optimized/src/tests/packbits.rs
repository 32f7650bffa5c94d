//! Compares `packbits` with the reference, which proceeds bit by bit: every range of every type, at every
//! level, for lengths around words, vectors and blocks.

use exactum_model::{Array, DataType, PackBits, PaddingEncoding, Rejection};

use super::numbers::Random;
use super::{everywhere, inputs, taken};
use crate::packbits;

/// Numbers of elements around whole bytes and around the vector sizes of machines.
pub(super) const LENGTHS: [usize; 14] = [0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 130, 257];

/// Returns `count` random bytes, including junk bits above small types.
pub(super) fn random(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.next().to_le_bytes()[3]).collect()
}

pub(super) fn array(data_type: DataType, data: Vec<u8>) -> Array {
    let count = data.len() / data_type.element_bytes();
    Array::new(data_type, vec![count as u64], data).expect("whole elements")
}

/// Returns an answer without the message of its rejection.
pub(super) fn bare<T>(answer: Result<T, Rejection>) -> Result<T, super::WithoutMessage> {
    answer.map_err(super::without_message)
}

fn check_packing(random_bytes: &mut Random, codec: &PackBits, length: usize) {
    let data = random(random_bytes, length * codec.data_type.element_bytes());
    check_data(codec, data);
}

fn check_data(codec: &PackBits, data: Vec<u8>) {
    let input = array(codec.data_type, data);
    let length = input.len();
    let packed = exactum_reference::packbits::encode(codec, &input).expect("the codec's type");
    let output = exactum_reference::packbits::decode(codec, input.shape(), &packed);
    let output = output.expect("bytes that were encoded");
    let encoded = packbits::encode(codec, &input).expect("the codec's type");
    assert!(encoded == packed, "{codec:?} {length}");
    let decoded = packbits::decode(codec, input.shape(), &packed).expect("as many bytes as needed");
    assert!(decoded == output, "{codec:?} {length}");
    for (level, skip) in everywhere() {
        // Both buffers may be unaligned, and the target holds other bytes beforehand.
        let source = [&vec![0xa5; skip], input.data()].concat();
        let mut target = vec![0xa5; skip + packed.len()];
        packbits::encode_into_at(level, codec, &source[skip..], &mut target[skip..])
            .expect("the right length");
        assert!(target[skip..] == packed, "{codec:?} {length} {level:?}");

        let source = [&vec![0xa5; skip], packed.as_slice()].concat();
        let mut target = vec![0xa5; skip + input.data().len()];
        packbits::decode_into_at(level, codec, &source[skip..], &mut target[skip..])
            .expect("the right length");
        assert!(
            target[skip..] == *output.data(),
            "{codec:?} {length} {level:?}"
        );
    }
}

/// Tests ranges of every width at every position.
#[test]
fn every_range_of_every_width() {
    let mut numbers = Random(11);
    for data_type in [
        DataType::Bool,
        DataType::Int2,
        DataType::Uint4,
        DataType::Float6E2m3fn,
        DataType::Int8,
        DataType::Uint8,
        DataType::Int16,
        DataType::Uint16,
        DataType::Int32,
        DataType::Uint32,
        DataType::Int64,
        DataType::Uint64,
    ] {
        let bits = data_type.format().component_bits();
        for first_bit in (0..bits).step_by(inputs(1, 11)) {
            for last_bit in (first_bit..bits).step_by(inputs(1, 7)) {
                let codec = PackBits::whole(data_type).bits(first_bit, last_bit);
                // The last length is long enough for vectors.
                for length in [1, 8, 19, inputs(2100, 150) / data_type.element_bytes() + 3] {
                    check_packing(&mut numbers, &codec, length);
                }
            }
        }
    }
}

/// Tests every value of one byte or two, including junk bits above small types, in every range.
#[test]
fn every_element() {
    let bytes: Vec<u8> = (0..=u8::MAX).step_by(inputs(1, 23)).collect();
    let pairs: Vec<u8> = (0..=u16::MAX)
        .step_by(inputs(1, 4999))
        .flat_map(u16::to_le_bytes)
        .collect();
    for &data_type in DataType::ALL {
        let (format, elements) = match data_type.format().component_bytes() {
            1 => (data_type.format(), &bytes),
            2 => (data_type.format(), &pairs),
            _ => continue,
        };
        for first_bit in (0..format.component_bits()).step_by(inputs(1, 5)) {
            // For two bytes, some of the ranges are enough.
            let step = if format.component_bits() > 8 {
                5
            } else {
                inputs(1, 3)
            };
            for last_bit in (first_bit..format.component_bits()).step_by(step) {
                let codec = PackBits::whole(data_type).bits(first_bit, last_bit);
                check_data(&codec, elements.clone());
            }
        }
    }
}

/// Tests every data type, padding and length.
#[test]
fn every_type_and_length() {
    let mut numbers = Random(12);
    for &data_type in DataType::ALL {
        let bits = data_type.format().component_bits();
        for (first_bit, last_bit) in [(0, bits - 1), (0, bits / 2), (bits / 2, bits - 1)] {
            for padding in PaddingEncoding::ALL {
                let codec = PackBits::whole(data_type)
                    .bits(first_bit, last_bit)
                    .padding(padding);
                for length in taken(5, LENGTHS.len()).map(|index| LENGTHS[index]) {
                    check_packing(&mut numbers, &codec, length);
                }
            }
        }
    }
}

/// Tests every length around groups, words and vectors, and some lengths around blocks and beyond the caches.
#[test]
fn every_length() {
    let mut numbers = Random(14);
    for (data_type, first_bit, last_bit) in [
        (DataType::Bool, 0, 0),
        (DataType::Int2, 0, 1),
        (DataType::Int4, 0, 3),
        (DataType::Float6E3m2fn, 0, 5),
        (DataType::Int8, 2, 2),
        (DataType::Int8, 1, 5),
        (DataType::Int16, 0, 11),
        (DataType::Int16, 1, 15),
        (DataType::Uint32, 0, 11),
        (DataType::Int32, 3, 31),
        (DataType::Int64, 5, 44),
        (DataType::Int64, 0, 62),
        (DataType::Complex64, 0, 30),
    ] {
        let codec = PackBits::whole(data_type)
            .bits(first_bit, last_bit)
            .padding(PaddingEncoding::LastByte);
        let lengths = (0..=300).step_by(inputs(1, 71)).chain(
            [511, 513, 4095, 4096, 4097, 12_289]
                .into_iter()
                .take(inputs(6, 1)),
        );
        for length in lengths.chain([inputs(1 << 20, 1 << 11) / data_type.element_bytes() + 3]) {
            check_packing(&mut numbers, &codec, length);
        }
    }
}

/// Tests that the rejections agree, for every number of bytes and every padding byte.
#[test]
fn wrong_bytes() {
    for data_type in [DataType::Bool, DataType::Int4, DataType::Complex64] {
        for padding in PaddingEncoding::ALL {
            let codec = PackBits::whole(data_type).padding(padding);
            for shape in [
                &[][..],
                &[0],
                &[3],
                &[2, 5],
                &[1 << 40, 1 << 40],
                &[1 << 33],
            ] {
                for length in (0..30).step_by(inputs(1, 4)) {
                    for byte in [0, 1, 2, 3, 4, 5, 6, 7, 8, 0xff]
                        .into_iter()
                        .step_by(inputs(1, 3))
                    {
                        let bytes = vec![byte; length];
                        assert_eq!(
                            bare(packbits::decode(&codec, shape, &bytes)),
                            bare(exactum_reference::packbits::decode(&codec, shape, &bytes)),
                            "{codec:?} {shape:?} {bytes:x?}"
                        );
                    }
                }
            }
        }
    }
    let codec = PackBits::whole(DataType::Int4);
    let _ =
        packbits::decode_into(&codec, &[0; 2], &mut [0; 5]).expect_err("three bytes are needed");
    let _ =
        packbits::encode_into(&codec, &[0; 5], &mut [0; 2]).expect_err("three bytes are needed");
    let codec = PackBits::whole(DataType::Int16);
    let _ = packbits::encode_into(&codec, &[0; 5], &mut [0; 5]).expect_err("half an element");
    let bools = array(DataType::Bool, vec![1]);
    let _ = packbits::encode(&codec, &bools).expect_err("another type");
}
