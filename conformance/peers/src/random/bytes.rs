//! Random arrays as bytes.

use exactum_conformance::model::{DataType, Format};
use exactum_conformance::vectors::array_to_json;

use super::choice::{Random, array};
use super::draft::{Draft, members};

/// Generates a random array to encode or random bytes to decode, occasionally with a byte too few or too many.
pub(super) fn draft(random: &mut Random) -> Draft {
    let data_type = data_type(random);
    let format = data_type.format();
    let big = random.percent(50);
    let configuration = match (format.component_bytes(), random.below(3)) {
        (1, 0) => "{}",
        _ if big => r#"{"endian": "big"}"#,
        _ => r#"{"endian": "little"}"#,
    };
    let order = match (format.component_bytes(), big) {
        (1, _) => "bytes.one-byte",
        (_, true) => "bytes.big",
        (_, false) => "bytes.little",
    };
    let mut clauses = vec![order, "bytes.bits"];
    if format.components() == 2 {
        clauses.push("bytes.complex");
    }
    let count = random.below(20);
    // The bits above those of a small type are free in the output.
    let members = if random.percent(50) && format.component_bits() >= 8 {
        let scalars: Vec<_> = (0..count).map(|_| random.scalar(data_type)).collect();
        members([
            ("op", "bytes.encode".into()),
            ("configuration", configuration.into()),
            ("input", array_to_json(&array(data_type, &scalars))),
        ])
    } else {
        if format.component_bits() < 8 {
            clauses.push("bytes.sub-byte.ignored");
        }
        let bytes = bytes(random, count * data_type.element_bytes());
        members([
            ("op", "bytes.decode".into()),
            ("configuration", configuration.into()),
            ("data_type", data_type.name().into()),
            ("shape", vec![count].into()),
            ("bytes", bytes.into()),
        ])
    };
    Draft {
        row: "bytes",
        topic: data_type.to_string(),
        members,
        clauses,
        elementwise: false,
    }
}

/// Generates a type whose elements have one form in memory. Signed integers of less than a byte, and a bool that is
/// neither 0 nor 1, have several.
fn data_type(random: &mut Random) -> DataType {
    loop {
        let data_type = *random.pick(DataType::ALL);
        match data_type.format() {
            Format::Bool => {}
            Format::Integer(integer) if integer.signed && integer.bits < 8 => {}
            _ => return data_type,
        }
    }
}

/// Returns `count` random bytes in hex, occasionally one more or one less.
pub(super) fn bytes(random: &mut Random, count: usize) -> String {
    let count = match random.below(20) {
        0 => count + 1,
        1 => count.saturating_sub(1),
        _ => count,
    };
    (0..count)
        .map(|_| format!("{:02x}", random.bits() & 0xff))
        .collect()
}
