//! `numcodecs.fixedscaleoffset`: every pair of data types.

use crate::vectors::builder::{Topic, accept};

/// The types of the codec with their names in configurations, each with eight small numbers and with eight that reach
/// its limits. The large numbers are separate, because NumPy's results for them depend on the machine, while the small
/// ones show whether everything else is right. The small unsigned numbers are not below the offsets, so no difference
/// wraps.
const TYPES: &str = "\
int8     |i1  0 1 -2 7 100 -99 21 -1            | 0 2 -128 127 -127 126 64 -64
int16    <i2  0 1 -2 7 100 -99 21 -1            | 300 -129 -32768 32767 255 128 -32767 2051
int32    <i4  0 1 -2 7 100 -99 21 -1            | 70000 -2 2147483647 -2147483648 16777219 65536 -32769 3
int64    <i8  0 1 -2 7 100 -99 21 -1            | 5000000000 -2 9223372036854775807 -9223372036854775808 9007199254740995 1 4294967296 3
uint8    |u1  5 6 9 7 100 99 21 13              | 0 1 2 3 255 254 128 127
uint16   <u2  5 6 9 7 100 99 21 13              | 0 1 2 300 65535 32768 2051 65534
uint32   <u4  5 6 9 7 100 99 21 13              | 0 1 2 70000 4294967295 2147483648 16777219 65536
uint64   <u8  5 6 9 7 100 99 21 13              | 0 1 2 5000000000 18446744073709551615 9223372036854775808 9007199254740995 4294967296
float16  <f2  0 1 -2.5 7.75 100 -99.9 20.5 0.1  | 300 65504 -65504 1000.5 -2049 -0.0 6e-8 4095
float32  <f4  0 1 -2.5 7.75 100 -99.9 20.5 0.1  | 70000.7 3e38 -9e18 1e-40 16777217 -0.0 4294967296 -129
float64  <f8  0 1 -2.5 7.75 100 -99.9 20.5 0.1  | 5000000000.7 1e300 -9e18 1e-310 9007199254740995 -0.0 18446744073709551616 -129
";

/// Returns the name of a type, its name in a configuration, and its numbers.
fn read(line: &str) -> Option<[&str; 4]> {
    let (name, rest) = line.split_once(' ')?;
    let (spelled, numbers) = rest.trim_start().split_once(' ')?;
    let (small, large) = numbers.split_once('|')?;
    Some([name, spelled, small.trim(), large.trim()])
}

/// The parameters under which integers and floats are tested.
const OF_INTEGERS: &[(&str, &str, &str)] = &[
    ("integers", "3", "2"),
    ("mixed", "5", "1.5"),
    ("fractions", "0.5", "7"),
];
const OF_FLOATS: &[(&str, &str, &str)] = &[("fractions", "0.1", "0.3")];

pub(super) fn types(topic: &mut Topic) -> Result<(), String> {
    for from in TYPES.lines().filter_map(read) {
        let [from_name, from_spelled, ..] = from;
        let integer = !from_name.starts_with("float");
        for to in TYPES.lines().filter_map(read) {
            let [to_name, to_spelled, ..] = to;
            for (kind, offset, scale) in if integer { OF_INTEGERS } else { OF_FLOATS } {
                let name = format!("{from_name}-{to_name}-{kind}");
                let document = format!(
                    r#"{from_name} 0 [8] fixed:{{"offset":{offset},"scale":{scale},"dtype":"{from_spelled}","astype":"{to_spelled}"}} little"#
                );
                let steps = if integer { "integers" } else { "arithmetic" };
                let into_float = to_name.starts_with("float");
                let cast = if into_float { "float" } else { "wrap" };
                let cut = if integer { "decode.cut" } else { "float" };
                for (way, clauses, [.., small, large]) in [
                    ("encode", ["encode", steps, cast], from),
                    ("decode", ["decode", "decode.type", cut], to),
                ] {
                    let clauses = clauses.map(|clause| format!("scale_offset.legacy.{clause}"));
                    let clauses = clauses.join(",");
                    let head = format!("{name}-{way} ruling {clauses} chain.{way} {document}");
                    let cases = [accept("small", small), accept("large", large)];
                    topic.computed(&head, &cases)?;
                }
            }
        }
    }
    Ok(())
}
