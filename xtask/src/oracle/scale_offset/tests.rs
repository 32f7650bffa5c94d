use exactum_model::{DataType, Format, Reason, ScaleOffset};

use super::{decode, encode};

fn data_type(name: &str) -> DataType {
    name.parse().expect("a registered name")
}

/// Checks a row `direction type offset scale input expected`. Bits are hex numbers, `-` is an absent parameter, and a
/// rejection is given by its reason.
fn check(row: &str) {
    let words: Vec<&str> = row.split_whitespace().collect();
    let [direction, name, offset, scale, input, expected] = words[..] else {
        panic!("{row}: six words");
    };
    let hex = |text: &str| u64::from_str_radix(text, 16).expect("hex");
    let parameter = |text: &str| (text != "-").then(|| hex(text));
    let codec = ScaleOffset {
        data_type: data_type(name),
        offset: parameter(offset),
        scale: parameter(scale),
    };
    let found = match direction {
        "encode" => encode(&codec, hex(input)),
        "decode" => decode(&codec, hex(input)),
        _ => panic!("{row}: no direction"),
    };
    let found = match found {
        Ok(bits) => format!("{bits:x}"),
        Err(reason) => reason.name().to_owned(),
    };
    assert_eq!(found, expected, "{row}");
}

/// Checks results that were worked out by hand, or are printed in the text of the codec.
#[test]
fn by_hand() {
    // float32 0.1 is 0x3dcccccd; float64 0.1 is 0x3fb999999999999a; float16 0.1 is 0x2e66.
    let rows = "
        encode float32 40a00000 3dcccccd 40a00000 0
        encode float32 40a00000 3dcccccd 41700000 3f800000
        encode float32 40a00000 3dcccccd 41000000 3e99999a
        decode float32 40a00000 3dcccccd 3f800000 41700000
        decode float32 c121999a 3dcccccd 3f800000 bdcccd00
        encode uint16 3e8 - 3e8 0
        encode uint16 3e8 - 4e7 ff
        encode uint16 3e8 - 3e7 out_of_range
        encode float64 c024000000000000 3fb999999999999a 0 3ff0000000000000
        encode float64 c024000000000000 3fb999999999999a 40a3d80000000000 406fe00000000000
        encode float64 c024000000000000 3fb999999999999a 7ff8000000000000 7ff8000000000000
        encode int8 80 ff 0 out_of_range
        encode int8 ff ff 7f out_of_range
        encode int8 ff ff 7e 81
        encode int8 - 2 40 out_of_range
        encode int8 - 2 c0 80
        encode int64 - 2 4000000000000000 out_of_range
        encode int64 - 2 c000000000000000 8000000000000000
        encode uint64 - ffffffffffffffff ffffffffffffffff out_of_range
        encode uint64 - ffffffffffffffff 1 ffffffffffffffff
        encode int64 20000000000001 - 20000000000003 2
        decode int8 - ff 80 out_of_range
        decode int8 - ff 81 7f
        decode int8 - 2 7 inexact
        decode int8 - fe 6 fd
        decode int8 - 2 f9 inexact
        decode uint8 64 - c8 out_of_range
        decode uint8 64 2 c8 c8
        encode float32 - 41200000 7f61b1e6 out_of_range
        encode float16 7bff - fbff out_of_range
        decode float32 - 1 7f7fffff out_of_range
        encode float32 - 3f000000 1 0
        encode float32 - bf000000 1 80000000
        encode float32 - bf800000 0 80000000
        encode float32 3f800000 - 3f800000 0
        decode float32 0 - 80000000 0
        decode float32 - - 80000000 80000000
        decode float32 - 40000000 80000000 80000000
        encode float32 7f800000 - 7f800000 not_a_number
        encode float32 - 7f800000 0 not_a_number
        encode float32 3f800000 c0000000 7f800000 ff800000
        decode float16 e933 2e66 3c00 e92e
        encode float8_e4m3fnuz - 48 7f out_of_range
        encode float8_e4m3fnuz - 48 80 80
        decode float8_e8m0fnu - 80 80 7f
        encode float4_e2m1fn 1 4 5 6
    ";
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        check(row);
    }
}

/// Compares the reference and the oracle on an element. Any two NaNs are equal, and a scale of zero is invalid.
fn agree(data_type: DataType, [offset, scale]: [u64; 2], bits: u64) {
    let zero = match data_type.format() {
        Format::Float(format) => format.is_zero(scale),
        _ => scale == 0,
    };
    if zero {
        return;
    }
    let codec = &ScaleOffset::new(data_type).offset(offset).scale(scale);
    let same =
        |reference: Result<u64, Reason>, oracle: Result<u64, Reason>| match (reference, oracle) {
            (Ok(a), Ok(b)) => {
                let nan = |bits| {
                    let float = codec.data_type.format().float();
                    float.is_some_and(|format| format.is_nan(bits))
                };
                a == b || (nan(a) && nan(b))
            }
            (Err(a), Err(b)) => a == b || codec.data_type.format().float().is_some(),
            _ => false,
        };
    let reason = |rejection: exactum_model::Rejection| rejection.reason;
    let encoded = exactum_reference::scale_offset::encode_element(codec, bits).map_err(reason);
    let oracle = encode(codec, bits);
    assert!(
        same(encoded, oracle),
        "encode {codec:x?} {bits:x}: {encoded:x?} {oracle:x?}"
    );
    let decoded = exactum_reference::scale_offset::decode_element(codec, bits).map_err(reason);
    let oracle = decode(codec, bits);
    assert!(
        same(decoded, oracle),
        "decode {codec:x?} {bits:x}: {decoded:x?} {oracle:x?}"
    );
}

#[test]
fn agrees_with_the_reference_on_all_of_8_bits() {
    for &name in &[
        "int4",
        "uint4",
        "int8",
        "uint8",
        "float8_e4m3",
        "float8_e5m2fnuz",
        "float8_e8m0fnu",
        "float6_e3m2fn",
    ] {
        let data_type = data_type(name);
        let mask = data_type.format().component_mask();
        let parameters = [1, 3, 0x17, 0x38, 0x7f, 0x80, 0xc4, 0xff];
        for offset in parameters.map(|bits| bits & mask) {
            for scale in parameters.map(|bits| bits & mask) {
                for bits in 0..=mask {
                    agree(data_type, [offset, scale], bits);
                }
            }
        }
    }
}

#[test]
fn agrees_with_the_reference_on_random_elements() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    // xorshift64*: any sequence is suitable if it is the same on every machine.
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    for name in [
        "int16", "int32", "int64", "uint16", "uint32", "uint64", "bfloat16", "float16", "float32",
        "float64",
    ] {
        let data_type = data_type(name);
        let mask = data_type.format().component_mask();
        for _ in 0..20_000 {
            // Half of the numbers have few bits, so that some divisions leave no remainder.
            let mut draw = || {
                let (bits, shape) = (next(), next());
                let bits = if shape & 1 == 1 { bits & 0xff } else { bits };
                if shape & 6 == 6 {
                    bits.wrapping_neg() & mask
                } else {
                    bits & mask
                }
            };
            let (offset, scale, bits) = (draw(), draw(), draw());
            agree(data_type, [offset, scale], bits);
        }
    }
}
