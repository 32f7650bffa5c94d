//! Compares packing in one kernel with the two codecs of the reference, one after the other.

use exactum_model::{
    CastSpec, CastValue, Cf, DataType, Direction, MapEntry, OutOfRange, Rejection, Rounding,
    ScaleOffset,
};
use exactum_reference::{cast_value, scale_offset};

use super::numbers::{Random, all, edges};
use super::{check, inputs};
use crate::arch::SimdLevel;
use crate::cast_value::scaled::Scaled;
use crate::cast_value::{cast_into_at, cast_scaled};
use crate::fault::Fault;
use crate::scale_offset::{run_at, scaling};
use crate::{element_bits, set_element_bits};

const FLOATS: [DataType; 2] = [DataType::Float32, DataType::Float64];

/// Compares one direction of two codecs, which must have a common kernel.
fn check_scaled(codec: &ScaleOffset, spec: &CastSpec<'_>, direction: Direction, elements: &[u64]) {
    let is_encoding = direction == Direction::Encode;
    let reference = |bits: u64| -> Result<u64, Rejection> {
        if is_encoding {
            cast_value::cast_element(spec, scale_offset::encode_element(codec, bits)?)
        } else {
            scale_offset::decode_element(codec, cast_value::cast_element(spec, bits)?)
        }
    };
    let level = SimdLevel::PORTABLE;
    let scaled_one = |bits: u64| {
        crate::element((codec.data_type, codec.data_type), bits, |input, output| {
            run_at(level, codec, direction, input, output)
        })
    };
    let cast_one = |bits: u64| {
        crate::element((spec.from, spec.to), bits, |input, output| {
            cast_into_at(level, spec, input, output)
        })
    };
    let one = |bits: u64| -> Result<u64, Fault> {
        if is_encoding {
            cast_one(scaled_one(bits)?)
        } else {
            scaled_one(cast_one(bits)?)
        }
    };
    let scaled = Scaled::of(
        spec,
        Some(scaling(codec, direction).expect("usable parameters")),
    );
    let scaled = scaled.expect("a kernel");
    let name = format!("{direction:?} {codec:?} {spec:?}");
    check(
        &name,
        (spec.from, spec.to),
        elements,
        reference,
        |level, input, output| {
            let closely = |first: usize, source: &[u8], target: &mut [u8]| {
                for index in 0..source.len() / spec.from.element_bytes() {
                    let bits = one(element_bits(spec.from, source, index))
                        .map_err(|fault| fault.at_element(first + index))?;
                    set_element_bits(spec.to, target, index, bits);
                }
                Ok(())
            };
            cast_scaled(level, (spec, &scaled), input, output, closely)
        },
    );
}

fn bits_of(data_type: DataType, value: f32) -> u64 {
    match data_type {
        DataType::Float32 => value.to_bits().into(),
        _ => f64::from(value).to_bits(),
    }
}

/// Returns parameters from the smallest to the largest, so that steps overflow, vanish and round.
fn parameters(random: &mut Random, data_type: DataType) -> ScaleOffset {
    let number = |random: &mut Random, choices: &[f32]| {
        let value = random.pick(choices);
        (value != 0.0 || random.next().is_multiple_of(2)).then(|| bits_of(data_type, value))
    };
    let scales = [
        1.0,
        0.1,
        -10.0,
        100.0,
        0.5,
        3.0,
        1e-30,
        f32::MAX,
        f32::from_bits(1),
    ];
    ScaleOffset {
        data_type,
        offset: number(random, &[0.0, -0.0, -10.0, 273.15, 0.5, 1e30, f32::MAX]),
        scale: number(random, &scales),
    }
}

/// Returns edges, and numbers that are in the range of the codes after scaling.
fn sample(random: &mut Random, codec: &ScaleOffset, count: usize) -> Vec<u64> {
    let data_type = codec.data_type;
    let (edges, mask) = (edges(data_type), data_type.format().component_mask());
    let one = |random: &mut Random| match random.next() % 4 {
        0 => random.next() & mask,
        1 => random.pick(&edges),
        _ => {
            // Decodes a multiple of one half, so that scaling yields a code or a tie.
            let halves = i16::try_from(random.next() % 1000).expect("small") - 500;
            let value = bits_of(data_type, f32::from(halves) / 2.0);
            scale_offset::decode_element(codec, value).unwrap_or(value)
        }
    };
    (0..count).map(|_| one(random)).collect()
}

#[test]
fn floats_become_codes() {
    let mut random = Random(11);
    for from in FLOATS {
        let nan = from
            .format()
            .float()
            .and_then(|float| float.nan_bits())
            .expect("NaN");
        for to in Cf::PACKED {
            // The smallest code, which every float type can represent.
            let output = match to.format().component_bits() {
                bits if to.name().starts_with("int") => 1 << (bits - 1),
                _ => 0,
            };
            let map = [MapEntry::new(nan, output)];
            for rounding in Rounding::ALL {
                for out_of_range in [None, Some(OutOfRange::Clamp)] {
                    for map in [&map[..], &[]] {
                        let codec = parameters(&mut random, from);
                        let cast = CastSpec::new(from, to, *rounding, out_of_range).map(map);
                        let elements = sample(&mut random, &codec, inputs(700, 8));
                        check_scaled(&codec, &cast, Direction::Encode, &elements);
                    }
                }
            }
        }
    }
}

#[test]
fn codes_become_floats() {
    let mut random = Random(12);
    for to in FLOATS {
        for from in Cf::PACKED {
            let mask = from.format().component_mask();
            let elements = match from.format().component_bits() {
                8 => all(from),
                _ => (0..inputs(2000, 8)).map(|_| random.next() & mask).collect(),
            };
            let float = to.format().float().expect("a float");
            let infinity = float.infinity_bits().expect("infinity");
            for output in [
                float.nan_bits().expect("NaN"),
                infinity,
                bits_of(to, -9999.0),
            ] {
                let entry = MapEntry::new(elements[elements.len() / 3], output);
                for map in [&[entry][..], &[]] {
                    let codec = parameters(&mut random, to);
                    let cast = CastSpec::new(from, to, Rounding::NearestEven, None).map(map);
                    check_scaled(&codec, &cast, Direction::Decode, &elements);
                }
            }
        }
    }
}

/// Casts that the kernels do not support take another path: maps of two entries, of a number, or to a code
/// that the float type cannot represent; wrapping; and integers of 64 bits.
#[test]
fn other_casts_have_no_such_kernel() {
    let scaling = scaling(&ScaleOffset::new(DataType::Float32), Direction::Encode);
    let nan = MapEntry::new(0x7fc0_0000, 0);
    let one = MapEntry::new(0x3f80_0000, 0);
    let largest = MapEntry {
        output: u64::from(u32::MAX),
        ..nan
    };
    let has_kernel = |to, out_of_range, map: &[MapEntry]| {
        let codec = CastValue::new(DataType::Float32, to)
            .out_of_range(out_of_range)
            .encode_map(map.to_vec());
        Scaled::of(&codec.encoding(), scaling).is_some()
    };
    let clamp = Some(OutOfRange::Clamp);
    assert!(has_kernel(DataType::Uint32, clamp, &[nan]));
    assert!(!has_kernel(DataType::Uint32, clamp, &[largest]));
    assert!(!has_kernel(DataType::Uint32, clamp, &[one]));
    assert!(!has_kernel(DataType::Uint32, clamp, &[nan, one]));
    assert!(!has_kernel(
        DataType::Uint32,
        Some(OutOfRange::Wrap),
        &[nan]
    ));
    assert!(!has_kernel(DataType::Uint64, clamp, &[]));
}
