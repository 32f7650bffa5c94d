use exactum_model::{DataType, Direction, FixedScaleOffset, FixedScaleOffsetNumber};

use super::numbers::{MAIN, Random, all, edges};
use super::{check, check_lengths, inputs};
use crate::scale_offset::fixed_scale_offset;

fn check_both(codec: &FixedScaleOffset, encoded: &[u64], decoded: &[u64]) {
    check(
        &format!("encode {codec:?}"),
        (codec.dtype, codec.astype),
        decoded,
        |bits| exactum_reference::scale_offset::fixed_scale_offset::encode_element(codec, bits),
        |_, input, output| fixed_scale_offset::run(codec, Direction::Encode, input, output),
    );
    check(
        &format!("decode {codec:?}"),
        (codec.astype, codec.dtype),
        encoded,
        |bits| exactum_reference::scale_offset::fixed_scale_offset::decode_element(codec, bits),
        |_, input, output| fixed_scale_offset::run(codec, Direction::Decode, input, output),
    );
}

/// Returns a parameter: often an integer of the data type, if it has integers, and otherwise a binary64
/// number.
fn parameter(random: &mut Random, data_type: DataType) -> FixedScaleOffsetNumber {
    if let exactum_model::Format::Integer(format) = data_type.format()
        && !random.next().is_multiple_of(3)
    {
        let small = i128::from(random.next() % 30);
        return FixedScaleOffsetNumber::Integer(match random.next() % 4 {
            0 => format.max() - small,
            1 => format.min() + small,
            2 if format.signed => -1 - small,
            _ => 1 + small,
        });
    }
    let tenths = f64::from(u32::try_from(random.next() % 2000).expect("small")) - 1000.5;
    FixedScaleOffsetNumber::Binary64(match random.next() % 6 {
        0 => (tenths * 1e300).to_bits(),
        1 => (tenths / 1e40).to_bits(),
        2 => (tenths.trunc() + 0.25).to_bits(),
        _ => (tenths / 10.0).to_bits(),
    })
}

#[test]
fn every_pair_of_data_types() {
    let mut random = Random(7);
    for dtype in MAIN {
        for astype in MAIN {
            let (wide, narrow) = (edges(dtype), edges(astype));
            for _ in 0..inputs(12, 1) {
                let codec = FixedScaleOffset {
                    dtype,
                    astype,
                    offset: parameter(&mut random, dtype),
                    scale: parameter(&mut random, dtype),
                };
                let mut some = |edges: &[u64], data_type: DataType| -> Vec<u64> {
                    let mask = data_type.format().component_mask();
                    (0..inputs(200, 4))
                        .map(|_| match random.next() % 3 {
                            0 => random.next() & mask,
                            1 => (random.next() % 100) & mask,
                            _ => random.pick(edges),
                        })
                        .collect()
                };
                let (decoded, encoded) = (some(&wide, dtype), some(&narrow, astype));
                check_both(&codec, &encoded, &decoded);
            }
        }
    }
}

#[test]
fn sixteen_bits_exhaustively() {
    for (dtype, astype) in [
        (DataType::Float16, DataType::Int8),
        (DataType::Float16, DataType::Float16),
        (DataType::Int16, DataType::Float16),
        (DataType::Uint16, DataType::Int16),
    ] {
        for (offset, scale) in [(0.0, 1.0), (10.3, 0.1), (-3.5, 700.0), (0.5, 2.0)] {
            let codec = FixedScaleOffset {
                dtype,
                astype,
                offset: FixedScaleOffsetNumber::Binary64(f64::to_bits(offset)),
                scale: FixedScaleOffsetNumber::Binary64(f64::to_bits(scale)),
            };
            check_both(&codec, &all(astype), &all(dtype));
        }
    }
}

#[test]
fn every_length() {
    for (dtype, astype) in [
        (DataType::Float32, DataType::Uint8),
        (DataType::Float64, DataType::Int16),
        (DataType::Float16, DataType::Uint64),
    ] {
        let codec = FixedScaleOffset {
            dtype,
            astype,
            offset: FixedScaleOffsetNumber::Binary64(1f64.to_bits()),
            scale: FixedScaleOffsetNumber::Binary64(2f64.to_bits()),
        };
        let nan = dtype.format().float().and_then(|format| format.nan_bits());
        check_lengths(
            dtype.name(),
            (dtype, astype),
            &[5, 6, 7, 100, 1, 33],
            nan,
            |_, input, output| fixed_scale_offset::run(&codec, Direction::Encode, input, output),
        );
    }
}
