use exactum_model::{DataType, Direction, ScaleOffset};

use super::numbers::{MAIN, Random, all, edges, real};
use super::{check, check_lengths, inputs};
use crate::arch::SimdLevel;
use crate::scale_offset::run_at;

fn check_both(codec: &ScaleOffset, elements: &[u64]) {
    let types = (codec.data_type, codec.data_type);
    check(
        &format!("encode {codec:?}"),
        types,
        elements,
        |bits| exactum_reference::scale_offset::encode_element(codec, bits),
        |level, input, output| run_at(level, codec, Direction::Encode, input, output),
    );
    check(
        &format!("decode {codec:?}"),
        types,
        elements,
        |bits| exactum_reference::scale_offset::decode_element(codec, bits),
        |level, input, output| run_at(level, codec, Direction::Decode, input, output),
    );
}

/// Returns parameters of a data type: edges or small numbers, sometimes none, and never a scale of zero.
fn parameters(random: &mut Random, data_type: DataType, edges: &[u64]) -> ScaleOffset {
    let format = data_type.format();
    let is_zero = |bits: u64| {
        format
            .float()
            .map_or(bits == 0, |float| float.is_zero(bits))
    };
    let mut one = || match random.next() % 6 {
        0 => None,
        1 | 2 => Some((random.next() % 20) & format.component_mask()),
        3 => Some((random.next() % 20).wrapping_neg() & format.component_mask()),
        _ => Some(random.pick(edges)),
    };
    ScaleOffset {
        data_type,
        offset: one(),
        scale: one().filter(|&bits| !is_zero(bits)),
    }
}

#[test]
fn every_data_type_with_edges_as_parameters() {
    let mut random = Random(5);
    for data_type in real() {
        let edges = edges(data_type);
        let mask = data_type.format().component_mask();
        let (rounds, count) = if MAIN.contains(&data_type) {
            (inputs(200, 3), inputs(120, 12))
        } else {
            (inputs(60, 2), inputs(60, 6))
        };
        for _ in 0..rounds {
            let codec = parameters(&mut random, data_type, &edges);
            let mut elements: Vec<u64> = (0..count)
                .map(|_| match random.next() % 4 {
                    0 => random.next() & mask,
                    1 => (random.next() % 100) & mask,
                    _ => random.pick(&edges),
                })
                .collect();
            // Includes multiples of the scale, which can be decoded, and their neighbours.
            if let Some(scale) = codec.scale {
                for factor in (0..20).step_by(inputs(1, 9)) {
                    let multiple = scale.wrapping_mul(factor);
                    elements.extend([multiple & mask, multiple.wrapping_add(1) & mask]);
                }
            }
            check_both(&codec, &elements);
        }
    }
}

#[test]
fn float16_exhaustively() {
    let mut random = Random(6);
    let edges = edges(DataType::Float16);
    let elements = all(DataType::Float16);
    for _ in 0..inputs(12, 3) {
        check_both(
            &parameters(&mut random, DataType::Float16, &edges),
            &elements,
        );
    }
}

#[test]
fn integers_of_eight_bits_exhaustively() {
    for data_type in [
        DataType::Int8,
        DataType::Uint8,
        DataType::Int4,
        DataType::Uint2,
    ] {
        let elements = all(data_type);
        let parameters: Vec<u64> = elements.iter().copied().step_by(3).collect();
        for &scale in parameters.iter().filter(|&&scale| scale != 0) {
            for &offset in parameters.iter().step_by(7) {
                let codec = ScaleOffset::new(data_type).offset(offset).scale(scale);
                check_both(&codec, &elements);
            }
        }
    }
}

/// Parameters that are not finite, or that metadata would reject, have the same effect as in the reference.
#[test]
fn unusual_parameters() {
    for data_type in [
        DataType::Float32,
        DataType::Float64,
        DataType::Float16,
        DataType::Int32,
    ] {
        let elements = edges(data_type);
        let elements: Vec<u64> = elements.iter().copied().step_by(inputs(97, 397)).collect();
        let mut special = vec![Some(0), None];
        if let Some(format) = data_type.format().float() {
            special.extend([
                format.infinity_bits(),
                format.nan_bits(),
                Some(format.sign_mask()),
            ]);
        }
        for &offset in &special {
            for &scale in &special {
                let codec = ScaleOffset {
                    data_type,
                    offset,
                    scale,
                };
                check_both(&codec, &elements);
            }
        }
    }
}

#[test]
fn every_length() {
    for data_type in MAIN {
        let Some(one) = (match data_type.format().float() {
            Some(format) => {
                Some(u64::try_from(format.bias).expect("a bias") << format.mantissa_bits)
            }
            None => Some(1),
        }) else {
            continue;
        };
        let codec = ScaleOffset::new(data_type).offset(one).scale(one);
        let lowest = match data_type {
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                Some(1 << (data_type.format().component_bits() - 1))
            }
            DataType::Float16 | DataType::Float32 | DataType::Float64 => None,
            _ => Some(0),
        };
        check_lengths(
            data_type.name(),
            (data_type, data_type),
            &[5, 6, 7, 100, 1, 33],
            lowest,
            |level, input, output| run_at(level, &codec, Direction::Encode, input, output),
        );
    }
}

/// Uses enough elements to repay a table, with and without a rejected one.
#[test]
fn small_data_types_by_table() {
    for data_type in real().filter(|data_type| !MAIN.contains(data_type)) {
        let codec = ScaleOffset {
            data_type,
            offset: (data_type != DataType::Float8E8m0fnu).then_some(1),
            scale: Some(3),
        };
        let expected = |bits: u64| exactum_reference::scale_offset::encode_element(&codec, bits);
        let (accepted, rejected): (Vec<u64>, Vec<u64>) = all(data_type)
            .into_iter()
            .partition(|&bits| expected(bits).is_ok());
        let count = 2 << data_type.format().component_bits();
        let mut elements: Vec<u64> = accepted.iter().copied().cycle().take(count).collect();
        let outputs: Vec<u64> = accepted
            .iter()
            .filter_map(|&bits| expected(bits).ok())
            .collect();
        let outputs: Vec<u64> = outputs.into_iter().cycle().take(count).collect();
        let run = |elements: &[u64]| {
            let input = super::bytes_of(data_type, elements, 0);
            let mut output = vec![0xa5; input.len()];
            run_at(
                SimdLevel::best(),
                &codec,
                Direction::Encode,
                &input,
                &mut output,
            )
            .map(|()| output)
            .map_err(|fault| fault.element)
        };
        let right = super::bytes_of(data_type, &outputs, 0);
        assert_eq!(run(&elements), Ok(right), "{data_type}");
        if let Some(&rejected) = rejected.first() {
            elements[count / 2] = rejected;
            elements[count - 1] = rejected;
            let at = (count / 2) as u64;
            assert_eq!(run(&elements), Err(Some(at)), "{data_type}");
        }
    }
}

#[test]
fn slices_of_numbers() {
    let codec = ScaleOffset::new(DataType::Float64)
        .offset(5f64.to_bits())
        .scale(0.1f64.to_bits());
    let input: Vec<f64> = (0..if cfg!(miri) { 503 } else { 11_003u32 })
        .map(f64::from)
        .collect();
    let mut encoded = vec![0f64; input.len() + 1];
    crate::scale_offset::encode_slice_into(&codec, &input, &mut encoded[1..]).expect("accepted");
    let mut decoded = vec![0f64; input.len()];
    crate::scale_offset::decode_slice_into(&codec, &encoded[1..], &mut decoded).expect("accepted");
    for index in 0..input.len() {
        let expected = (input[index] - 5.0) * 0.1;
        assert_eq!(encoded[index + 1].to_bits(), expected.to_bits(), "{index}");
        let expected = expected / 0.1 + 5.0;
        assert_eq!(decoded[index].to_bits(), expected.to_bits(), "{index}");
    }
}
