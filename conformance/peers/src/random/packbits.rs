//! Random ranges of bits.

use exactum_conformance::model::{DataType, Format, PackBits, PaddingEncoding, Scalar};
use exactum_conformance::vectors::array_to_json;

use super::bytes::bytes;
use super::choice::{Random, array};
use super::draft::{Draft, members};

/// Generates a random array to pack or random bytes to unpack.
pub(super) fn draft(random: &mut Random) -> Draft {
    let data_type = *random.pick(DataType::ALL);
    let codec = codec(random, data_type);
    let configuration = configuration(&codec);
    let format = data_type.format();
    let mut clauses = vec!["packbits.extract", "packbits.order.elements"];
    let name = data_type.name();
    let name = name.strip_prefix("complex_").unwrap_or(name);
    if name == "float16" || name.starts_with("float8") {
        clauses.push("packbits.data_types");
    }
    let count = random.below(30);
    // A signed integer of less than a byte may be held with or without its sign in the upper bits.
    let two_forms =
        matches!(format, Format::Integer(integer) if integer.signed && integer.bits < 8);
    let members = if random.percent(50) || two_forms {
        let scalars: Vec<Scalar> = (0..count).map(|_| random.scalar(data_type)).collect();
        members([
            ("op", "packbits.encode".into()),
            ("configuration", configuration.into()),
            ("input", array_to_json(&array(data_type, &scalars))),
        ])
    } else {
        clauses.push(match format {
            Format::Integer(integer) if integer.signed => "packbits.sign-extension",
            _ => "packbits.zero-extension",
        });
        let bits = (codec.last_bit - codec.first_bit + 1) as usize * format.components() * count;
        members([
            ("op", "packbits.decode".into()),
            ("configuration", configuration.into()),
            ("data_type", data_type.name().into()),
            ("shape", vec![count].into()),
            ("bytes", encoded(random, codec.padding, bits).into()),
        ])
    };
    Draft {
        row: "packbits",
        topic: data_type.to_string(),
        members,
        clauses,
        elementwise: false,
    }
}

/// Generates a range with any position and width, often one that ends where the type does.
fn codec(random: &mut Random, data_type: DataType) -> PackBits {
    let last = data_type.format().component_bits() - 1;
    let bit = |random: &mut Random, first: u32| {
        let bit = random.between(first.into(), last.into());
        u32::try_from(bit).unwrap_or(last)
    };
    let first_bit = if random.percent(50) {
        0
    } else {
        bit(random, 0)
    };
    let last_bit = if random.percent(30) {
        last
    } else {
        bit(random, first_bit)
    };
    PackBits::whole(data_type)
        .bits(first_bit, last_bit)
        .padding(*random.pick(&PaddingEncoding::ALL))
}

fn configuration(codec: &PackBits) -> String {
    format!(
        r#"{{"padding_encoding": "{}", "first_bit": {}, "last_bit": {}}}"#,
        codec.padding.name(),
        codec.first_bit,
        codec.last_bit
    )
}

/// Generates random bytes in hex for the given number of bits, followed by zero padding and usually with the right
/// padding byte.
fn encoded(random: &mut Random, padding: PaddingEncoding, bits: usize) -> String {
    let count = bits.div_ceil(8);
    let padded = 8 * count - bits;
    let said = if random.percent(90) {
        padded
    } else {
        random.below(9)
    };
    let mut text = bytes(random, count);
    if padded > 0 && text.len() == 2 * count {
        let last = random.bits() & (0xff >> padded);
        text.replace_range(2 * count - 2.., &format!("{last:02x}"));
    }
    match padding {
        PaddingEncoding::None => text,
        PaddingEncoding::FirstByte => format!("{said:02x}{text}"),
        PaddingEncoding::LastByte => format!("{text}{said:02x}"),
    }
}
