use exactum_model::{BitRound, DataType, Direction, Format};

use super::numbers::{Random, all, edges};
use super::{check, check_lengths, inputs};
use crate::bitround::{run, run_at};

/// Checks both directions on some components. A complex number has two.
fn check_both(codec: &BitRound, components: &[u64]) {
    let types = (codec.data_type, codec.data_type);
    check(
        &format!("encode {codec:?}"),
        types,
        components,
        |bits| exactum_reference::bitround::encode_element(codec, bits),
        |level, input, output| run_at(level, codec, Direction::Encode, input, output),
    );
    check(
        &format!("decode {codec:?}"),
        types,
        components,
        |bits| exactum_reference::bitround::decode_element(codec, bits),
        |level, input, output| run_at(level, codec, Direction::Decode, input, output),
    );
}

/// Returns every number of bits to keep up to the precision of the type, and two numbers that exceed it.
fn numbers_of_bits(data_type: DataType) -> impl Iterator<Item = u64> {
    let most = match data_type.format() {
        Format::Float(format) => format.mantissa_bits,
        format => format.component_bits(),
    };
    (1..=u64::from(most)).chain([u64::from(most) + 1, u64::MAX])
}

#[test]
fn every_real_data_type() {
    let mut random = Random(11);
    for &data_type in DataType::ALL.iter().filter(|it| it.is_real()) {
        let mask = data_type.format().component_mask();
        let ends = edges(data_type);
        for keep_bits in numbers_of_bits(data_type).step_by(inputs(1, 5)) {
            let some: Vec<u64> = (0..inputs(400, 4))
                .map(|_| match random.next() % 3 {
                    // Numbers of every length, and numbers with a long run of ones, through which a carry
                    // travels far.
                    0 => (random.next() & mask) >> (random.next() % 64),
                    1 => (mask << (random.next() % 64)) & mask,
                    _ => random.pick(&ends),
                })
                .collect();
            check_both(&BitRound::new(data_type, keep_bits), &some);
        }
    }
}

#[test]
fn sixteen_bits_exhaustively() {
    for data_type in [
        DataType::Float16,
        DataType::Bfloat16,
        DataType::Int16,
        DataType::Uint16,
    ] {
        for keep_bits in numbers_of_bits(data_type).step_by(inputs(3, 20)) {
            let elements = all(data_type);
            check_both(&BitRound::new(data_type, keep_bits), &elements);
        }
    }
}

#[test]
fn both_parts_of_complex_numbers() {
    let codec = BitRound::new(DataType::Complex64, 2);
    let bytes = |parts: [f32; 2]| parts.map(f32::to_le_bytes).concat();
    let mut output = [0; 8];
    run(&codec, Direction::Encode, &bytes([1.1, -1.9]), &mut output).expect("both are numbers");
    assert_eq!(output.as_slice(), bytes([1.0, -2.0]));
}

#[test]
fn all_lengths() {
    for data_type in [
        DataType::Float32,
        DataType::Float64,
        DataType::Int8,
        DataType::Int32,
    ] {
        let elements: Vec<u64> = (0..97u64)
            .map(|index| {
                index.wrapping_mul(0x9e37_79b9_7f4a_7c15) & data_type.format().component_mask()
            })
            .collect();
        let codec = BitRound::new(data_type, 5);
        check_lengths(
            "bitround",
            (data_type, data_type),
            &elements,
            None,
            |level, input, output| run_at(level, &codec, Direction::Encode, input, output),
        );
    }
}

#[test]
fn codecs_that_no_document_has_are_rejected() {
    let check = |data_type, keep_bits, clause: &str| {
        let codec = BitRound::new(data_type, keep_bits);
        let fault = run(&codec, Direction::Encode, &[1], &mut [0]).expect_err(clause);
        assert_eq!(fault.clause, clause);
        for convert in [
            crate::bitround::encode_element,
            crate::bitround::decode_element,
            exactum_reference::bitround::encode_element,
            exactum_reference::bitround::decode_element,
        ] {
            assert_eq!(convert(&codec, 1).expect_err(clause).clause, clause);
        }
    };
    check(DataType::Bool, 1, "bitround.data_types");
    check(DataType::Uint8, 0, "bitround.keepbits");
    // A shift by the whole width of the word would panic.
    check(DataType::Uint64, 0, "bitround.keepbits");
}
