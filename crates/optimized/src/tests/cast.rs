use exactum_model::{CastSpec, DataType, MapEntry, OutOfRange, Rounding};

use super::numbers::{MAIN, Random, all, edges, real};
use super::{check, check_lengths, inputs, taken};
use crate::cast_value::cast_into_at;

/// Small types, one of each kind.
pub(super) const SMALL: [DataType; 7] = [
    DataType::Int2,
    DataType::Uint4,
    DataType::Bfloat16,
    DataType::Float4E2m1fn,
    DataType::Float8E4m3fn,
    DataType::Float8E4m3fnuz,
    DataType::Float8E5m2,
];

pub(super) const RULES: [Option<OutOfRange>; 3] =
    [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)];

pub(super) fn check_cast(cast: &CastSpec<'_>, elements: &[u64]) {
    check(
        &format!("{cast:?}"),
        (cast.from, cast.to),
        elements,
        |bits| exactum_reference::cast_value::cast_element(cast, bits),
        |level, input, output| cast_into_at(level, cast, input, output),
    );
}

/// Checks all rounding modes and range rules of a pair of data types. The elements may differ from case to
/// case.
fn check_pair(from: DataType, to: DataType, mut elements: impl FnMut() -> Vec<u64>) {
    let turn = 7 * from as usize + to as usize;
    for setting in taken(turn, Rounding::ALL.len() * RULES.len()) {
        let cast = CastSpec::new(
            from,
            to,
            Rounding::ALL[setting / RULES.len()],
            RULES[setting % RULES.len()],
        );
        check_cast(&cast, &elements());
    }
}

/// Returns a sample of the edges, mixed with random elements.
fn sample(random: &mut Random, data_type: DataType, edges: &[u64], count: usize) -> Vec<u64> {
    let mask = data_type.format().component_mask();
    (0..count)
        .map(|_| match random.next() % 8 {
            0 => random.next() & mask,
            // Includes small integers.
            1 => random.next() & mask & 0xfff,
            _ => random.pick(edges),
        })
        .collect()
}

#[test]
fn sources_of_eight_bits_and_less_exhaustively() {
    for from in real().filter(|from| from.format().component_bits() <= 8) {
        let elements = all(from);
        for to in real()
            .skip(from as usize % inputs(1, 5))
            .step_by(inputs(1, 5))
        {
            check_pair(from, to, || elements.clone());
        }
    }
}

#[test]
fn float16_exhaustively() {
    let elements = all(DataType::Float16);
    for to in MAIN {
        for setting in taken(to as usize, Rounding::ALL.len() * RULES.len()) {
            let cast = CastSpec::new(
                DataType::Float16,
                to,
                Rounding::ALL[setting / RULES.len()],
                RULES[setting % RULES.len()],
            );
            check_cast(&cast, &elements);
        }
    }
}

#[test]
fn integers_of_sixteen_bits_exhaustively() {
    for from in [DataType::Int16, DataType::Uint16] {
        let elements = all(from);
        for to in [
            DataType::Int8,
            DataType::Uint8,
            DataType::Float16,
            DataType::Float32,
        ] {
            let modes = match to {
                DataType::Float16 => Rounding::ALL,
                _ => &[Rounding::NearestEven],
            };
            for &rounding in modes {
                for out_of_range in RULES {
                    let cast = CastSpec::new(from, to, rounding, out_of_range);
                    check_cast(&cast, &elements);
                }
            }
        }
    }
}

#[test]
fn wide_sources_on_edges() {
    let mut random = Random(1);
    for from in MAIN {
        let edges = edges(from);
        for to in MAIN {
            check_pair(from, to, || {
                sample(&mut random, from, &edges, inputs(1500, 12))
            });
        }
    }
}

#[test]
fn small_data_types_on_edges() {
    let mut random = Random(2);
    for from in real() {
        let edges = edges(from);
        for to in real()
            .skip(from as usize % inputs(1, 5))
            .step_by(inputs(1, 5))
        {
            if !MAIN.contains(&from) || !MAIN.contains(&to) {
                check_pair(from, to, || {
                    sample(&mut random, from, &edges, inputs(60, 2))
                });
            }
        }
    }
}

#[test]
fn bfloat16_exhaustively() {
    let elements = all(DataType::Bfloat16);
    for to in real() {
        for index in taken(to as usize, Rounding::ALL.len()) {
            let cast = CastSpec::new(
                DataType::Bfloat16,
                to,
                Rounding::ALL[index],
                RULES[(to as usize + index) % 3],
            );
            check_cast(&cast, &elements);
        }
    }
}

/// Tests the edges in ascending order, in short runs: most of them stay with the kernels for common elements.
#[test]
fn float64_to_float32_and_float16_at_every_edge() {
    let elements = edges(DataType::Float64);
    let mut elements: Vec<u64> = elements.into_iter().step_by(inputs(1, 101)).collect();
    // A sum with the largest bits of a NaN overflows.
    elements.push(u64::MAX);
    for to in [DataType::Float32, DataType::Float16] {
        for &rounding in Rounding::ALL {
            for out_of_range in [None, Some(OutOfRange::Clamp)] {
                let cast = CastSpec::new(DataType::Float64, to, rounding, out_of_range);
                for run in elements.chunks(inputs(1024, elements.len())) {
                    check_cast(&cast, run);
                }
            }
        }
    }
}

/// Tests the integers of 64 bits that float16 has in its range, and some beyond, in every mode.
#[test]
fn integers_of_64_bits_to_float16_exhaustively() {
    let end = (1i64 << 16) + 4;
    for (from, begin) in [(DataType::Int64, -end), (DataType::Uint64, 0)] {
        let elements: Vec<u64> = (begin..end)
            .step_by(inputs(1, 997))
            .map(i64::cast_unsigned)
            .collect();
        for &rounding in Rounding::ALL {
            let cast = CastSpec::new(from, DataType::Float16, rounding, None);
            for run in elements.chunks(4096) {
                check_cast(&cast, run);
            }
        }
    }
}

#[test]
fn scalar_maps() {
    let mut random = Random(3);
    for from in real() {
        let edges = edges(from);
        let format = from.format();
        for to in real()
            .skip(from as usize % inputs(1, 6))
            .step_by(inputs(1, 6))
        {
            let outputs = super::numbers::edges(to);
            for entries in [1, 2, 4, 5, 8, 9, 40]
                .into_iter()
                .skip(to as usize % inputs(1, 3))
                .step_by(inputs(1, 3))
            {
                let mut map: Vec<MapEntry> = (0..entries)
                    .map(|_| MapEntry::new(random.pick(&edges), random.pick(&outputs)))
                    .collect();
                if let Some(float) = format.float() {
                    // Includes NaNs with other bits than the key, and zeros of both signs.
                    if let Some(nan) = float.nan_bits() {
                        map[0].input = nan;
                    }
                    if entries > 1 && float.zero {
                        map[1].input = random.pick(&[0, float.sign_mask()]);
                    }
                }
                if entries > 2 {
                    // Tests that the first of equal keys wins.
                    map[entries - 1].input = map[entries / 2].input;
                }
                let rounding = random.pick(Rounding::ALL);
                let cast = CastSpec::new(from, to, rounding, random.pick(&RULES)).map(&map);
                let mut elements = sample(&mut random, from, &edges, inputs(40, 5));
                elements.extend(map.iter().map(|entry| entry.input));
                elements.extend(map.iter().map(|entry| entry.input ^ 1));
                if let Some(float) = format.float() {
                    elements.extend([float.mask(), 0, float.sign_mask()]);
                }
                check_cast(&cast, &elements);
            }
        }
    }
}

/// Tests every kind of output of a single entry, and keys in and out of the range of the target.
#[test]
fn maps_of_one_entry_into_floats() {
    let mut random = Random(5);
    for to in [DataType::Float16, DataType::Float32, DataType::Float64] {
        let float = to.format().float().expect("a float type");
        let (infinity, sign) = (
            float.infinity_bits().expect("an infinity"),
            float.sign_mask(),
        );
        let nans = [float.nan_bits().expect("a NaN"), infinity | 1, float.mask()];
        let numbers = [
            0,
            sign,
            1,
            sign | 1,
            float.max_finite_bits(),
            infinity,
            infinity | sign,
        ];
        let outputs = [&numbers[..], &nans].concat();
        for from in MAIN {
            let edges = edges(from);
            let nan = from.format().float().and_then(|format| format.nan_bits());
            for setting in taken(from as usize, outputs.len() * Rounding::ALL.len()) {
                let key = nan.unwrap_or_else(|| random.pick(&edges));
                let map = [MapEntry::new(key, outputs[setting / Rounding::ALL.len()])];
                let rounding = Rounding::ALL[setting % Rounding::ALL.len()];
                let cast = CastSpec::new(from, to, rounding, random.pick(&RULES)).map(&map);
                let mut elements = sample(&mut random, from, &edges, inputs(40, 5));
                elements.extend([key, 0, key, key ^ 1, key]);
                check_cast(&cast, &elements);
                check_cast(&cast, &[key; 70]);
            }
        }
    }
}

/// Tests elements in ascending order, in short runs: most of them stay with the kernels for common elements.
#[test]
fn float16_beside_wider_floats_in_short_runs() {
    let (halves, floats) = (all(DataType::Float16), edges(DataType::Float32));
    for &rounding in Rounding::ALL {
        for (from, to, elements) in [
            (DataType::Float16, DataType::Float32, &halves),
            (DataType::Float16, DataType::Float64, &halves),
            (DataType::Float32, DataType::Float16, &floats),
        ] {
            let cast = CastSpec::new(from, to, rounding, None);
            for run in elements.chunks(256).step_by(inputs(1, 29)) {
                check_cast(&cast, run);
            }
        }
    }
}

#[test]
fn every_length_of_every_pair() {
    let mut random = Random(4);
    let nan = |from: DataType| from.format().float().and_then(|format| format.nan_bits());
    let small = [
        DataType::Bfloat16,
        DataType::Float8E4m3fnuz,
        DataType::Float8E8m0fnu,
        DataType::Int4,
    ];
    for from in MAIN.into_iter().chain(small) {
        let edges = edges(from);
        for to in MAIN
            .into_iter()
            .chain(SMALL)
            .skip(from as usize % inputs(1, 4))
            .step_by(inputs(1, 4))
        {
            for rule in taken(from as usize + to as usize, RULES.len()) {
                let out_of_range = RULES[rule];
                let key = MapEntry::new(7, 1);
                for map in [&[][..], &[key][..]] {
                    let cast =
                        CastSpec::new(from, to, random.pick(Rounding::ALL), out_of_range).map(map);
                    let accepts = |bits: u64| {
                        exactum_reference::cast_value::cast_element(&cast, bits).is_ok()
                    };
                    let (accepted, rejected): (Vec<u64>, Vec<u64>) =
                        sample(&mut random, from, &edges, inputs(300, 6))
                            .into_iter()
                            .chain([7, 0])
                            .partition(|&bits| accepts(bits));
                    let rejected = rejected
                        .first()
                        .copied()
                        .or_else(|| nan(from).filter(|&bits| !accepts(bits)));
                    check_lengths(
                        &format!("{cast:?}"),
                        (from, to),
                        &accepted,
                        rejected,
                        |level, input, output| cast_into_at(level, &cast, input, output),
                    );
                }
            }
        }
    }
}

#[test]
fn slices_of_numbers() {
    let count = inputs(30_001, 1003);
    let cast = CastSpec::new(
        DataType::Float32,
        DataType::Int32,
        Rounding::NearestEven,
        None,
    );
    let numbers: Vec<f32> = (0..1000u16).map(|i| f32::from(i) - 0.5).collect();
    let input: Vec<f32> = numbers.iter().copied().cycle().take(count).collect();
    let mut output = vec![0i32; count + 1];
    crate::cast_value::cast_slice_into(&cast, &input, &mut output[1..]).expect("accepted");
    for (index, (&value, &integer)) in input.iter().zip(&output[1..]).enumerate() {
        assert_eq!(
            f64::from(integer),
            f64::from(value).round_ties_even(),
            "{index}"
        );
    }
}

#[test]
fn slices_of_other_types_and_lengths_are_rejected() {
    let cast = CastSpec::new(
        DataType::Float32,
        DataType::Int32,
        Rounding::NearestEven,
        None,
    );
    let mut output = [0i32; 2];
    assert!(crate::cast_value::cast_slice_into(&cast, &[1f64; 2], &mut output).is_err());
    assert!(crate::cast_value::cast_slice_into(&cast, &[1f32; 3], &mut output).is_err());
    assert!(crate::cast_value::cast_slice_into(&cast, &[1f32; 2], &mut output).is_ok());
    assert!(crate::cast_value::cast_into(&cast, &[0; 7], &mut [0; 8]).is_err());
    assert!(crate::cast_value::cast_into(&cast, &[0; 8], &mut [0; 7]).is_err());
    let complex = CastSpec {
        from: DataType::Complex64,
        ..cast
    };
    assert!(crate::cast_value::cast_into(&complex, &[0; 8], &mut [0; 4]).is_err());
}
