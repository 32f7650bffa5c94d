use exactum_model::{DataType, Scalar};

use super::{format, parse};

fn data_type(name: &str) -> DataType {
    name.parse().expect("a registered name")
}

/// Checks a row `type | text | bits`. The bits are a hex number, with the imaginary part first, or "reject".
fn check(row: &str) {
    let words: Vec<&str> = row.split('|').map(str::trim).collect();
    let [name, text, expected] = words[..] else {
        panic!("{row}: three parts");
    };
    let found = match parse(data_type(name), text) {
        Ok(scalar) => {
            let bytes: Vec<String> = scalar
                .to_bytes()
                .iter()
                .rev()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            bytes.concat()
        }
        Err(_) => "reject".into(),
    };
    assert_eq!(found, expected, "{row}");
}

/// Checks results that were worked out by hand, or are printed in the specification.
#[test]
fn by_hand() {
    let rows = r#"
        bool | true | 01
        bool | 1 | reject
        int8 | -128 | 80
        int8 | -129 | reject
        int8 | 127 | 7f
        int8 | 128 | reject
        int4 | -8 | 08
        int4 | 8 | reject
        uint2 | 3 | 03
        uint2 | 4 | reject
        uint8 | -0 | 00
        uint8 | -1 | reject
        int16 | 1.0 | reject
        int16 | 1e2 | reject
        int16 | "1" | reject
        int64 | 9007199254740993 | 0020000000000001
        uint64 | 18446744073709551615 | ffffffffffffffff
        uint64 | 18446744073709551616 | reject
        float32 | 1.00000017881393432617187499 | 3f800001
        float32 | 1.000000178813934326171875 | 3f800002
        float32 | 16777217 | 4b800000
        float32 | 1e39 | 7f800000
        float32 | "NaN" | 7fc00000
        float32 | "0x7FC00001" | 7fc00001
        float32 | "0X7fc00000" | reject
        float32 | "0x3fc0" | reject
        float32 | "+Infinity" | reject
        float32 | "1.5" | reject
        float32 | null | reject
        float16 | 65519.99 | 7bff
        float16 | 65520 | 7c00
        float16 | 2049 | 6800
        float16 | 2049.0000000000000000000000000000000000000000001 | 6801
        float16 | 2.98023223876953125e-8 | 0000
        float16 | 2.98023223876953126e-8 | 0001
        float16 | -1e-400 | 8000
        float64 | 1e400 | 7ff0000000000000
        float64 | 5e-324 | 0000000000000001
        bfloat16 | 1.0039062500000001 | 3f81
        bfloat16 | 1.00390625 | 3f80
        float8_e4m3fnuz | 240 | 7f
        float8_e4m3fnuz | 247.999 | 7f
        float8_e4m3fnuz | 248 | reject
        float8_e4m3fnuz | "Infinity" | reject
        float8_e4m3fnuz | "NaN" | 80
        float4_e2m1fn | "NaN" | reject
        float4_e2m1fn | 0.25000000000000000000000000000000000000000000001 | 01
        float4_e2m1fn | 0.25 | 00
        float4_e2m1fn | "0x17" | reject
        float8_e8m0fnu | 0 | reject
        complex64 | [1, 2] | 400000003f800000
        complex64 | ["-Infinity", "NaN"] | 7fc00000ff800000
        complex64 | [1] | reject
        complex64 | 1 | reject
    "#;
    for row in rows.lines().filter(|row| !row.trim().is_empty()) {
        check(row);
    }
}

/// Checks a row `type | bits as a hex number | canonical text`.
fn check_format(row: &str) {
    let words: Vec<&str> = row.split('|').map(str::trim).collect();
    let [name, bits, expected] = words[..] else {
        panic!("{row}: three parts");
    };
    let bits = u128::from_str_radix(bits, 16).expect("hex");
    let found = format(&Scalar::new(data_type(name), bits));
    assert_eq!(found, expected, "{row}");
}

#[test]
fn canonical_by_hand() {
    let rows = r#"
        bool | 1 | true
        int8 | 80 | -128
        uint64 | ffffffffffffffff | 18446744073709551615
        float16 | 3c00 | 1.0
        float16 | 2e66 | 0.1
        float16 | 7bff | 65500.0
        float16 | 0001 | 6e-8
        float16 | 8000 | -0.0
        float16 | 7e00 | "NaN"
        float16 | 7e01 | "0x7e01"
        float32 | 3dcccccd | 0.1
        float32 | 5a0e1bca | 1e16
        float64 | 4341c37937e08000 | 1e16
        float64 | 430c6bf526340000 | 1000000000000000.0
        float64 | 3ee4f8b588e368f1 | 0.00001
        float64 | 3eb0c6f7a0b5ed8d | 1e-6
        float64 | fff0000000000000 | "-Infinity"
        bfloat16 | 0001 | 9e-41
        bfloat16 | 7f7f | 3.39e38
        float8_e5m2 | 56 | 100.0
        float8_e8m0fnu | 00 | 6e-39
        float8_e8m0fnu | 7f | 1.0
        float8_e8m0fnu | fe | 2e38
        float6_e3m2fn | 3f | -28.0
        complex64 | bf8000007fc00000 | ["NaN",-1.0]
    "#;
    for row in rows.lines().filter(|row| !row.trim().is_empty()) {
        check_format(row);
    }
}

fn agree_on_text(scalar: &Scalar) {
    let text = exactum_exact::canonical(scalar);
    assert_eq!(format(scalar), text, "{scalar:x?}");
    assert_eq!(parse(scalar.data_type(), &text), Ok(*scalar), "{text}");
}

#[test]
fn agrees_with_the_reference_on_every_element_of_16_bits() {
    for &data_type in DataType::ALL {
        if data_type.is_real() && data_type.format().component_bits() <= 16 {
            for bits in 0..=data_type.format().component_mask() {
                agree_on_text(&Scalar::new(data_type, bits.into()));
            }
        }
    }
}

/// Compares decimals with random digits and with difficult ones, around the middle between two neighbours.
#[test]
fn agrees_with_the_reference_on_random_texts() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    for name in [
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "float8_e4m3fnuz",
        "float8_e8m0fnu",
    ] {
        let data_type = data_type(name);
        for _ in 0..3_000 {
            let bits = next() & data_type.format().component_mask();
            agree_on_text(&Scalar::new(data_type, bits.into()));
            let middle = f64::from_bits(next());
            let exponent = i64::try_from(next() % 60).unwrap_or(0) - 30;
            let texts = [
                format!("{}.{}e{exponent}", next() % 1000, next()),
                format!("-{}{}", next(), next()),
                format!("{:.60}", middle.rem_euclid(70_000.0)),
            ];
            for text in texts.iter().filter(|text| !text.contains("NaN")) {
                let reference = exactum_metadata::parse_fill_value(data_type, text);
                assert_eq!(
                    reference.map_err(|_| ()),
                    parse(data_type, text).map_err(|_| ()),
                    "{name} {text}"
                );
            }
        }
    }
}
