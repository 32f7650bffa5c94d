use exactum_model::{Cast, DataType, Format, MapEntry, OutOfRange, Reason, Rounding};
use rayon::prelude::*;

use super::{cast, to_small};
use crate::oracle::tables::Number;

const RULES: [Option<OutOfRange>; 3] = [Some(OutOfRange::Clamp), Some(OutOfRange::Wrap), None];

fn data_type(name: &str) -> DataType {
    name.parse().expect("a registered name")
}

/// Checks a row `from to rounding rule input expected`. Bits are hex numbers, and a rejection is given by its reason.
fn check(row: &str) {
    let words: Vec<&str> = row.split_whitespace().collect();
    let [from, to, rounding, rule, input, expected] = words[..] else {
        panic!("{row}: six words");
    };
    let rounding = Rounding::ALL.iter().find(|mode| mode.name() == rounding);
    let cast_of = Cast::new(
        data_type(from),
        data_type(to),
        *rounding.expect("a rounding"),
        OutOfRange::ALL
            .iter()
            .copied()
            .find(|known| known.name() == rule),
    );
    let input = u64::from_str_radix(input, 16).expect("hex");
    let found = match cast(&cast_of, input) {
        Ok(bits) => format!("{bits:x}"),
        Err(reason) => reason.name().to_owned(),
    };
    assert_eq!(found, expected, "{row}");
}

/// Casts worked out by hand: the types, the rounding mode, the range rule, the bits of the input, and the bits of the
/// output or the reason of the rejection.
const BY_HAND: &str = "
        float64 int8 nearest-even absent 4060000000000000 out_of_range
        float64 int8 nearest-even clamp 4060000000000000 7f
        float64 int8 nearest-even wrap 4060000000000000 80
        float64 int16 nearest-even wrap 40e0000000000000 8000
        float64 int16 nearest-even wrap 40e0002000000000 8001
        float64 int16 nearest-even wrap c0e0002000000000 7fff
        float64 int8 nearest-even wrap 433fffffffffffff ff
        float64 int8 nearest-even wrap 43b0000000000000 0
        float64 uint64 nearest-even wrap 7fefffffffffffff 0
        float64 int64 towards-zero clamp ffefffffffffffff 8000000000000000
        int64 int32 nearest-even wrap 20000000000001 1
        int64 uint16 nearest-even wrap 20000000000003 3
        float32 int8 nearest-even absent 3f000000 0
        float32 int8 nearest-even absent 3fc00000 2
        float32 int8 nearest-even absent 40200000 2
        float32 int8 nearest-away absent 40200000 3
        float32 int8 nearest-away absent c0200000 fd
        float32 int8 towards-positive absent c0200000 fe
        float32 int8 towards-negative absent c0200000 fd
        float64 uint8 nearest-even absent 406feccccccccccd ff
        float64 uint8 nearest-even absent 406ff00000000000 out_of_range
        float64 uint8 nearest-even absent bfe0000000000000 0
        float64 uint8 towards-negative absent bfd999999999999a out_of_range
        float64 int32 nearest-away absent 3fdfffffffffffff 0
        float32 uint8 nearest-even clamp 7fc00000 not_a_number
        float32 uint8 nearest-even wrap ff800000 not_finite
        float32 int8 nearest-even absent 80000000 0
        float64 float16 nearest-even absent 3ff0020000400000 3c01
        float64 float16 nearest-even absent 3e60000000020000 1
        float64 bfloat16 nearest-even absent 3ff0100000001000 3f81
        float64 float8_e5m2 nearest-even absent 3ff2000000001000 3d
        float64 float8_e4m3 nearest-even absent 3ff1000000001000 39
        float64 float16 nearest-even absent 40effdffffffffff 7bff
        float64 float16 nearest-even absent 40effe0000000000 out_of_range
        float64 float16 nearest-even clamp 40effe0000000000 7c00
        float64 float16 towards-zero absent 40efffffffffffff 7bff
        float64 float16 towards-zero absent 40f0000000000000 out_of_range
        float64 float16 towards-zero clamp c0f0000000000000 fc00
        float64 float32 towards-positive clamp 47efffffe0000001 7f800000
        float64 float32 towards-negative clamp 47efffffe0000001 7f7fffff
        float64 float32 nearest-even absent bff0000010000001 bf800001
        float64 float32 nearest-even absent 8000000000000001 80000000
        float64 float32 towards-negative absent 8000000000000001 80000001
        float32 float64 nearest-even absent ff801234 7ff8000000000000
        float64 float32 nearest-even absent fff0000000000000 ff800000
        uint16 float16 nearest-even absent ffef 7bff
        uint16 float16 nearest-even absent fff0 out_of_range
        uint16 float16 towards-zero wrap ffff 7bff
        int64 float64 nearest-even absent 20000000000001 4340000000000000
        int64 float64 nearest-even absent 20000000000003 4340000000000002
        int64 float64 nearest-away absent 20000000000001 4340000000000001
        uint64 float64 nearest-even absent ffffffffffffffff 43f0000000000000
        int64 float32 nearest-even absent 4000004000000001 5e800001
        float64 float4_e2m1fn nearest-even absent 401a000000000000 7
        float64 float4_e2m1fn nearest-even absent 401c000000000000 out_of_range
        float64 float4_e2m1fn nearest-even clamp c05c000000000000 f
        float64 float4_e2m1fn nearest-even clamp 7ff0000000000000 not_finite
        float64 float4_e2m1fn nearest-even clamp 7ff8000000000000 not_a_number
        float64 float8_e4m3fnuz nearest-even absent 8000000000000000 0
        float64 float8_e4m3fnuz nearest-even absent 8010000000000000 0
        float64 float8_e4m3fnuz nearest-even absent fff8000000000000 80
        float64 float8_e4m3fnuz nearest-even clamp fff0000000000000 not_finite
        float64 float8_e4m3fnuz nearest-even clamp c070000000000000 ff
        float64 float8_e8m0fnu nearest-even absent 3ff8000000000000 80
        float64 float8_e8m0fnu nearest-even absent 4008000000000000 81
        float64 float8_e8m0fnu nearest-even absent 4018000000000000 82
        float64 float8_e8m0fnu towards-zero absent 4018000000000000 81
        float64 float8_e8m0fnu nearest-even absent 37f0000000000000 0
        float64 float8_e8m0fnu nearest-even absent 37efffffffffffff out_of_range
        float64 float8_e8m0fnu towards-positive absent 0000000000000001 0
        float64 float8_e8m0fnu towards-zero absent 37ffffffffffffff out_of_range
        float64 float8_e8m0fnu nearest-even absent 0 out_of_range
        float64 float8_e8m0fnu nearest-even clamp 0 0
        float64 float8_e8m0fnu nearest-even clamp bff0000000000000 0
        float64 float8_e8m0fnu nearest-even clamp 47f0000000000000 fe
        float64 float8_e8m0fnu nearest-even absent 7ff8000000000000 ff
        float8_e8m0fnu float32 nearest-even absent 0 400000
        float8_e5m2fnuz float16 nearest-even absent 80 7e00
        int4 int8 nearest-even absent 8 f8
        uint4 int4 nearest-even wrap f f
    ";

/// Checks results that were worked out by hand, or are printed in the text of the codec.
#[test]
fn by_hand() {
    BY_HAND
        .lines()
        .filter(|row| !row.trim().is_empty())
        .for_each(check);
}

#[test]
fn scalar_maps() {
    let map = |pairs: &[(u64, u64)]| -> Vec<MapEntry> {
        let entry = |&(input, output): &(u64, u64)| MapEntry::new(input, output);
        pairs.iter().map(entry).collect()
    };
    let through = |map: &[MapEntry], bits| {
        let cast_of = Cast::new(
            DataType::Float32,
            DataType::Uint8,
            Rounding::NearestEven,
            None,
        )
        .map(map);
        cast(&cast_of, bits)
    };
    let nan = map(&[(0x7fc0_0001, 7), (0x7fc0_0000, 8)]);
    assert_eq!(through(&nan, 0xffc0_1234), Ok(7));
    assert_eq!(through(&map(&[(0x8000_0000, 9), (0, 1)]), 0), Ok(9));
    let chain = map(&[(0x3f80_0000, 2), (0x4000_0000, 3)]);
    assert_eq!(through(&chain, 0x3f80_0000), Ok(2));
    assert_eq!(through(&chain, 0x7f80_0000), Err(Reason::NotFinite));
}

/// Returns the elements of a type on which both oracles are compared: all elements of a type of 16 bits or fewer; of
/// other types every exponent or power of two, with digits around the edges.
fn elements(of: DataType) -> Vec<u64> {
    let bits = of.format().component_bits();
    let mask = of.format().component_mask();
    if bits <= 16 {
        return (0..=mask).collect();
    }
    let mut found = Vec::new();
    let mut state = 0x0123_4567_89ab_cdef_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    match of.format() {
        Format::Float(format) => {
            let digits = format.mantissa_bits;
            for field in 0..1u64 << format.exponent_bits {
                for mantissa in [0, 1, 1 << (digits - 1), random(), (1 << digits) - 1] {
                    let magnitude = field << digits | mantissa & ((1 << digits) - 1);
                    found.extend([magnitude, magnitude | 1 << (bits - 1)]);
                }
            }
            // Elements around every place where a narrower format ends.
            for digit in 0..digits {
                for field in [
                    format.max_exponent_field() / 2,
                    format.max_exponent_field() / 2 + 15,
                ] {
                    let tie = field << digits | 1 << digit;
                    found.extend([tie - 1, tie, tie + 1, tie | 2 << digit]);
                }
            }
        }
        _ => {
            for power in 0..bits {
                for offset in 0..5 {
                    let near = (1u64 << power).wrapping_add(offset).wrapping_sub(2);
                    found.extend([
                        near,
                        near.wrapping_neg(),
                        near << (bits / 2),
                        near | random() >> (64 - power.max(1)),
                    ]);
                }
            }
        }
    }
    found.extend((0..500).map(|_| random()));
    found.iter_mut().for_each(|bits| *bits &= mask);
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn agrees_with_the_reference() {
    let real: Vec<DataType> = DataType::ALL
        .iter()
        .copied()
        .filter(|of| of.is_real())
        .collect();
    assert_eq!(real.len(), 27);
    let pairs: Vec<(DataType, DataType)> = real
        .iter()
        .flat_map(|&from| real.iter().map(move |&to| (from, to)))
        .collect();
    pairs.into_par_iter().for_each(|(from, to)| {
        for (index, bits) in elements(from).into_iter().enumerate() {
            // Formatting a rejection takes the reference longer than its arithmetic, so the rules that reject are only
            // compared on a part of the longest lists.
            let rules = if index < 4096 || index % 37 == 0 {
                &RULES[..]
            } else {
                &RULES[..1]
            };
            for (&rounding, &out_of_range) in Rounding::ALL
                .iter()
                .flat_map(|mode| rules.iter().map(move |rule| (mode, rule)))
            {
                let cast_of = Cast::new(from, to, rounding, out_of_range);
                let expected = exactum_reference::cast_value::cast_element(&cast_of, bits)
                    .map_err(|rejection| rejection.reason);
                assert_eq!(cast(&cast_of, bits), expected, "{cast_of:?} {bits:x}");
            }
        }
    });
}

/// float16 has both a table and a software float, which are two different algorithms.
#[test]
fn the_table_of_float16_agrees_with_its_software_float() {
    for from in [DataType::Float32, DataType::Float64, DataType::Int64] {
        for bits in elements(from) {
            for &rounding in Rounding::ALL {
                let out_of_range = Some(OutOfRange::Clamp);
                let cast_of = Cast::new(from, DataType::Float16, rounding, out_of_range);
                let by_table = to_small(&cast_of, Number::of(from, bits));
                assert_eq!(cast(&cast_of, bits), by_table, "{cast_of:?} {bits:x}");
            }
        }
    }
}
