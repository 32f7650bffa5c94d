//! `numcodecs.fixedscaleoffset`: every pair of data types.

use crate::vectors::builder::{Topic, accept};

/// A type of the codec, with eight small numbers and with eight that reach its limits. The large ones
/// stand apart: what NumPy makes of them depends on the machine, and the small ones say whether the
/// rest is right.
struct Type {
    name: &'static str,
    spelled: &'static str,
    small: &'static str,
    large: &'static str,
}

const fn signed(name: &'static str, spelled: &'static str, large: &'static str) -> Type {
    Type {
        name,
        spelled,
        small: "0 1 -2 7 100 -99 21 -1",
        large,
    }
}

/// Not below the offsets, so that no difference wraps.
const fn unsigned(name: &'static str, spelled: &'static str, large: &'static str) -> Type {
    Type {
        name,
        spelled,
        small: "5 6 9 7 100 99 21 13",
        large,
    }
}

const fn float(name: &'static str, spelled: &'static str, large: &'static str) -> Type {
    Type {
        name,
        spelled,
        small: "0 1 -2.5 7.75 100 -99.9 20.5 0.1",
        large,
    }
}

const TYPES: [Type; 11] = [
    signed("int8", "|i1", "0 2 -128 127 -127 126 64 -64"),
    signed("int16", "<i2", "300 -129 -32768 32767 255 128 -32767 2051"),
    signed(
        "int32",
        "<i4",
        "70000 -2 2147483647 -2147483648 16777219 65536 -32769 3",
    ),
    signed(
        "int64",
        "<i8",
        "5000000000 -2 9223372036854775807 -9223372036854775808 9007199254740995 1 4294967296 3",
    ),
    unsigned("uint8", "|u1", "0 1 2 3 255 254 128 127"),
    unsigned("uint16", "<u2", "0 1 2 300 65535 32768 2051 65534"),
    unsigned(
        "uint32",
        "<u4",
        "0 1 2 70000 4294967295 2147483648 16777219 65536",
    ),
    unsigned(
        "uint64",
        "<u8",
        "0 1 2 5000000000 18446744073709551615 9223372036854775808 9007199254740995 4294967296",
    ),
    float(
        "float16",
        "<f2",
        "300 65504 -65504 1000.5 -2049 -0.0 6e-8 4095",
    ),
    float(
        "float32",
        "<f4",
        "70000.7 3e38 -9e18 1e-40 16777217 -0.0 4294967296 -129",
    ),
    float(
        "float64",
        "<f8",
        "5000000000.7 1e300 -9e18 1e-310 9007199254740995 -0.0 18446744073709551616 -129",
    ),
];

/// The parameters that integers and floats are tried under.
const OF_INTEGERS: &[(&str, &str, &str)] = &[
    ("integers", "3", "2"),
    ("mixed", "5", "1.5"),
    ("fractions", "0.5", "7"),
];
const OF_FLOATS: &[(&str, &str, &str)] = &[("fractions", "0.1", "0.3")];

pub(super) fn types(topic: &mut Topic) -> Result<(), String> {
    for from in &TYPES {
        let integer = !from.name.starts_with("float");
        for to in &TYPES {
            for (kind, offset, scale) in if integer { OF_INTEGERS } else { OF_FLOATS } {
                let name = format!("{}-{}-{kind}", from.name, to.name);
                let document = format!(
                    r#"{} 0 [8] fixed:{{"offset":{offset},"scale":{scale},"dtype":"{}","astype":"{}"}} little"#,
                    from.name, from.spelled, to.spelled
                );
                let steps = if integer { "integers" } else { "arithmetic" };
                let into_float = to.name.starts_with("float");
                let cast = if into_float { "float" } else { "wrap" };
                let cut = if integer { "decode.cut" } else { "float" };
                for (way, clauses, elements) in [
                    ("encode", ["encode", steps, cast], from),
                    ("decode", ["decode", "decode.type", cut], to),
                ] {
                    let clauses = clauses.map(|clause| format!("scale_offset.legacy.{clause}"));
                    let clauses = clauses.join(",");
                    let head = format!("{name}-{way} ruling {clauses} chain.{way} {document}");
                    let cases = [
                        accept("small", elements.small),
                        accept("large", elements.large),
                    ];
                    topic.computed(&head, &cases)?;
                }
            }
        }
    }
    Ok(())
}
