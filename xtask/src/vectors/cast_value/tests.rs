use exactum_model::{Cast, DataType, OutOfRange, Rounding};

use super::elements::elements;
use super::proof::proof;
use super::{answer, real, resolve};
use crate::vectors::builder::is_core;

/// Checks a row `from to rounding rule bits case clause,clause,...`, in which clauses are written without the name of
/// the row.
fn check(row: &str) {
    let words: Vec<&str> = row.split_whitespace().collect();
    let [from, to, rounding, rule, bits, case, clauses] = words[..] else {
        panic!("{row}: seven words");
    };
    let data_type = |name: &str| name.parse::<DataType>().expect("a registered name");
    let rounding = Rounding::ALL.iter().find(|mode| mode.name() == rounding);
    let cast = Cast::new(
        data_type(from),
        data_type(to),
        *rounding.expect("a rounding"),
        OutOfRange::ALL
            .iter()
            .copied()
            .find(|known| known.name() == rule),
    );
    let bits = u64::from_str_radix(bits, 16).expect("hex");
    let outcome = answer(row, &cast, bits).expect("both oracles agree");
    let found = proof(&cast, bits, outcome);
    let expected: Vec<String> = clauses
        .split(',')
        .map(|clause| format!("cast_value.{clause}"))
        .collect();
    assert_eq!(
        (found.case.as_str(), found.clauses),
        (case, expected.iter().map(String::as_str).collect()),
        "{row}"
    );
}

#[test]
fn what_elements_prove() {
    let rows = "
        float32 uint8 nearest-even absent 40200000 ties rounding.nearest-even
        float32 uint8 nearest-away absent 40200000 ties rounding.nearest-away
        float32 uint8 nearest-even absent 437f6666 inexact-before-range rounding.nearest-even,rounding.before-range
        float32 uint8 nearest-even clamp 437f6666 inexact rounding.nearest-even
        float32 uint8 nearest-even absent 437f8000 out-of-range-rounded range.error,rounding.before-range,rounding.nearest-even
        float32 uint8 nearest-even wrap 437f8000 wrapped-rounded-before-range range.wrap,rounding.nearest-even,rounding.before-range
        float32 uint8 nearest-even wrap 43960000 wrapped range.wrap
        float32 uint8 towards-zero clamp 43960000 clamped range.clamp
        float32 uint8 towards-zero absent 80000000 zero-sign-lost special.zero-sign-lost
        float32 uint8 towards-zero clamp 7f800000 infinity-rejected special.infinity-error
        float32 float64 towards-zero absent 7f800000 infinity special.infinity
        float64 float16 nearest-even absent 3ff0020000400000 inexact-once rounding.nearest-even,rounding.every-inexact,rounding.once
        float64 float16 nearest-even absent 8000000000000001 inexact-to-zero rounding.nearest-even,rounding.every-inexact,special.signed-zero
        float64 float16 nearest-even clamp 40effdffffffffff inexact-before-range-once rounding.nearest-even,rounding.every-inexact,rounding.before-range,rounding.once
        float64 float16 towards-zero absent 40f0000000000000 past-the-largest rounding.unbounded
        float64 float16 towards-positive absent 40f0000000000000 overflow range.overflow
        uint32 float16 nearest-even wrap 10000 out-of-range range.wrap-into-float
        int64 float64 towards-negative absent 20000000000001 ties rounding.towards-negative,rounding.every-inexact
        int64 uint64 nearest-even absent 20000000000001 exact-once exact,rounding.once
        float64 float8_e8m0fnu nearest-even absent 3ff8000000000000 no-zero rounding.no-zero
        float64 float8_e8m0fnu nearest-even absent 3ff4000000000000 inexact rounding.nearest-even,rounding.every-inexact
        float64 float8_e8m0fnu towards-zero absent 0 no-zero-rejected rounding.no-zero
        float64 float8_e4m3fnuz nearest-even absent 8000000000000001 zero-sign-lost-rounded special.zero-sign-lost,rounding.nearest-even
    ";
    rows.lines()
        .filter(|row| !row.trim().is_empty())
        .for_each(check);
}

/// Traps from real faults: implementations that took a detour through float32 have failed on these elements.
#[test]
fn known_traps_are_among_the_elements() {
    for (from, to, bits) in [
        (DataType::Float64, DataType::Float16, 0x3ff0_0200_0040_0000),
        (DataType::Float64, DataType::Float16, 0x3e60_0000_0002_0000),
        (DataType::Float64, DataType::Int8, 0x3fdf_ffff_ffff_ffff),
        (DataType::Float64, DataType::Uint64, 0x43f0_0000_0000_0000),
        (DataType::Uint16, DataType::Float16, 65519),
        (
            DataType::Int64,
            DataType::Float32,
            (1 << 62) + (1 << 38) + 1,
        ),
        (DataType::Int64, DataType::Int8, (1 << 53) + 1),
    ] {
        assert!(elements(from, to).contains(&bits), "{from} {to} {bits:x}");
    }
}

/// For every pair that rounds at all, some element distinguishes the default mode from each of the four others.
#[test]
fn defaults_are_told_from_every_other_mode() {
    for from in real().filter(|&of| is_core(of)) {
        for to in real().filter(|&of| is_core(of)) {
            let file = super::pairs::topic(from, to).expect("both oracles agree");
            let group = file
                .groups
                .iter()
                .find(|group| group.id.ends_with("/encode-default-absent"));
            let Some(group) = group else {
                continue;
            };
            let mut telling = Vec::new();
            for case in &group.cases {
                let input = exactum_vectors::array_from_json(&case.request["input"]);
                for bits in input.expect("an array").components() {
                    let result = |rounding: Rounding| {
                        let text = super::configuration(to, Some(rounding), None);
                        let codec = resolve(&text, from).expect("a valid configuration");
                        answer("", &codec.encoding(), bits).expect("both oracles agree")
                    };
                    let even = result(Rounding::NearestEven);
                    telling.extend(Rounding::ALL.iter().filter(|&&mode| result(mode) != even));
                }
            }
            for mode in &Rounding::ALL[1..] {
                assert!(telling.contains(&mode), "{from} {to} {}", mode.name());
            }
        }
    }
}
