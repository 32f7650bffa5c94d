//! Compares exact numbers with the standard library in the areas where the standard library is known to be right:
//! conversions, decimal parsing and shortest printing of binary32 and binary64.
#![expect(
    clippy::disallowed_types,
    reason = "the tests compare with hardware floats"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "the tests compare with narrowing casts"
)]

use exactum_exact::{Exact, Literal, Rounded, canonical, parse, round};
use exactum_model::{DataType, Rounding, Scalar};

/// Returns bit patterns from a small generator that gives the same patterns on every machine.
fn bits(seed: u64, count: usize) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
    .take(count)
}

/// Rounds `value` into `to` with nearest-even. A value out of range becomes an infinity.
fn nearest(value: &Exact, to: DataType) -> u64 {
    let format = to.format();
    match round(value, &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => exactum_exact::clamp(&format, above),
        other => panic!("{other:?}"),
    }
}

#[test]
fn binary64_narrows_to_binary32_as_the_hardware_does() {
    for pattern in bits(1, 50_000) {
        // Most random patterns are out of the range of binary32, so the exponents are limited to that range and a
        // little beyond.
        let pattern = (pattern & 0x800f_ffff_ffff_ffff) | (((pattern >> 52) % 300 + 870) << 52);
        let narrowed = f64::from_bits(pattern) as f32;
        let exact = Exact::from_bits(&DataType::Float64.format(), pattern);
        assert_eq!(
            nearest(&exact, DataType::Float32),
            u64::from(narrowed.to_bits()),
            "{pattern:x}"
        );
    }
}

#[test]
fn integers_become_floats_as_the_hardware_does() {
    for pattern in bits(2, 20_000) {
        let pattern = pattern >> (pattern % 64);
        let exact = Exact::from_bits(&DataType::Uint64.format(), pattern);
        assert_eq!(
            nearest(&exact, DataType::Float32),
            u64::from((pattern as f32).to_bits())
        );
        assert_eq!(
            nearest(&exact, DataType::Float64),
            (pattern as f64).to_bits()
        );
        let exact = Exact::from_bits(&DataType::Int64.format(), pattern);
        assert_eq!(
            nearest(&exact, DataType::Float64),
            (pattern.cast_signed() as f64).to_bits()
        );
    }
}

#[test]
fn arithmetic_rounds_as_the_hardware_does() {
    let format = DataType::Float64.format();
    let patterns: Vec<u64> = bits(3, 20_000).collect();
    for pair in patterns.chunks_exact(2) {
        // The exponents are close to each other, so that a sum does not simply equal one operand.
        let near = |pattern: u64| (pattern & 0x800f_ffff_ffff_ffff) | ((pattern >> 57) + 990) << 52;
        let (a, b) = (near(pair[0]), near(pair[1]));
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        let (ea, eb) = (Exact::from_bits(&format, a), Exact::from_bits(&format, b));
        for (exact, hardware) in [
            (ea.add(&eb), x + y),
            (ea.subtract(&eb), x - y),
            (ea.multiply(&eb), x * y),
            (ea.divide(&eb), x / y),
        ] {
            assert_eq!(
                nearest(&exact, DataType::Float64),
                hardware.to_bits(),
                "{x:e} {y:e}"
            );
        }
    }
}

#[test]
fn decimals_parse_as_in_std() {
    let check = |text: &str| {
        let literal = Literal::Number(text.to_owned());
        let bits = |data_type| parse(data_type, &literal).unwrap().component(0);
        assert_eq!(
            bits(DataType::Float64),
            text.parse::<f64>().unwrap().to_bits(),
            "{text}"
        );
        assert_eq!(
            bits(DataType::Float32),
            u64::from(text.parse::<f32>().unwrap().to_bits()),
            "{text}"
        );
    };
    for text in [
        "0",
        "-0",
        "-0.0",
        "0e99999999999999999999",
        "1e-99999999999999999999",
        "1e400",
        "5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "0.000001e6",
        "1E+2",
        "9007199254740993",
        "1.00000017881393432617187499",
        "1.7976931348623158e308",
    ] {
        check(text);
    }
    check(&format!("1{}e-500", "0".repeat(500)));
    check(&format!("0.{}1", "0".repeat(5000)));
    // Halfway between 1 and the next binary64 number, plus one much later digit.
    check(&format!(
        "1.00000000000000011102230246251565404236316680908203125{}1",
        "0".repeat(2000)
    ));
    for pattern in bits(4, 5_000) {
        let digits = pattern % 10u64.pow((pattern >> 60) as u32 + 1);
        check(&format!("{digits}e{}", (pattern >> 32) as i64 % 340));
        check(&format!("-0.{pattern}e-{}", pattern % 330));
    }
}

/// Some versions of serde_json write a `+` in the exponent and others do not. The canonical text has none
/// (`1e16`, ruling 10).
#[test]
fn shortest_texts_are_those_of_serde_json() {
    for pattern in bits(5, 5_000).chain([1, 0x000f_ffff_ffff_ffff, 0x0010_0000_0000_0000]) {
        let value = f64::from_bits(pattern);
        if value.is_finite() {
            let scalar = Scalar::new(DataType::Float64, pattern.into());
            assert_eq!(
                canonical(&scalar),
                serde_json::to_string(&value).unwrap().replace("e+", "e")
            );
        }
        let value = f32::from_bits(pattern as u32);
        if value.is_finite() {
            // The shortest digits are those of binary32, and the layout is that of binary64.
            let digits: f64 = serde_json::to_string(&value).unwrap().parse().unwrap();
            let scalar = Scalar::new(DataType::Float32, u128::from(pattern as u32));
            assert_eq!(
                canonical(&scalar),
                serde_json::to_string(&digits).unwrap().replace("e+", "e")
            );
        }
    }
}

/// Every value of every format of at most 16 bits makes two round trips: from bits to text and back, and from
/// bits to the exact value and back in every rounding mode.
#[test]
fn small_formats_come_back_exhaustively() {
    for &data_type in DataType::ALL {
        let format = data_type.format();
        if !data_type.is_real() || format.component_bits() > 16 {
            continue;
        }
        for pattern in 0..=format.component_mask() {
            let exact = Exact::from_bits(&format, pattern);
            let nan = exact == Exact::Nan;
            for &mode in Rounding::ALL {
                match round(&exact, &format, mode) {
                    Rounded::Bits(back) if nan => {
                        assert_eq!(Some(back), format.float().unwrap().nan_bits())
                    }
                    rounded => {
                        assert_eq!(rounded, Rounded::Bits(pattern), "{data_type} {pattern:x}")
                    }
                }
            }
            let text = canonical(&Scalar::new(data_type, pattern.into()));
            let literal = match text.strip_prefix('"') {
                Some(rest) => Literal::Text(rest.trim_end_matches('"').to_owned()),
                None => Literal::Number(text.clone()),
            };
            assert_eq!(
                parse(data_type, &literal).unwrap().component(0),
                pattern,
                "{data_type} {text}"
            );
        }
    }
}
