//! Bytes that are not an encoded array: too few, too many, or with a wrong padding byte; and padding bits that are not
//! zero.

use exactum_model::DataType;
use exactum_vectors::{Level, array_to_json};

use super::PADDINGS;
use crate::vectors::builder::request;
use crate::vectors::bytes_codecs::{Topic, filled};

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    lengths(topic)?;
    counts(topic)?;
    padding_bits(topic)?;
    configurations(topic)
}

fn packed(topic: &Topic, configuration: &str, count: u64) -> Result<Vec<u8>, String> {
    topic.encode(configuration, &filled(topic.data_type, &[count]))
}

fn lengths(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let mut packings = Vec::new();
    for (name, text, _) in PADDINGS {
        packings.push((name, text, packed(topic, text, 5)?));
    }
    let mut pair = topic.pair("other-length", Level::Ruling, &["packbits.length"]);
    for (name, text, bytes) in &packings {
        let longer = [bytes.as_slice(), &[0]].concat();
        let id = |what: &str| format!("{name}-{what}");
        pair.decode(&id("right"), &[], text, &[5], bytes)?;
        pair.reject(&id("none"), text, &[5], &[])?;
        pair.reject(&id("a-byte-less"), text, &[5], &bytes[..bytes.len() - 1])?;
        pair.reject(&id("a-byte-more"), text, &[5], &longer)?;
        pair.reject(&id("of-a-single-element"), text, &[], &[])?;
        pair.reject(&id("of-no-element"), text, &[2, 0], &[0; 2])?;
        pair.reject(&id("of-a-plane"), text, &[5, 9], bytes)?;
        // One type is enough: an implementation that allocates before it checks does so for all types, and each time it
        // is considered dead.
        if data_type == DataType::Bool && *name == "none" {
            let shape = [1 << 20, 1 << 20];
            pair.reject(&id("of-far-too-many"), text, &shape, bytes)?;
        }
    }
    pair.finish();
    Ok(())
}

/// Adds wrong padding bytes: every byte except the correct one is wrong, even one that differs by whole bytes.
fn counts(topic: &mut Topic) -> Result<(), String> {
    let mut packings = Vec::new();
    for (name, text, _) in &PADDINGS[1..] {
        for elements in [0, 1, 3] {
            packings.push((*name, *text, elements, packed(topic, text, elements)?));
        }
    }
    let mut pair = topic.pair("padding-count", Level::Ruling, &["packbits.padding.count"]);
    for (name, text, elements, right) in packings {
        let place = match name {
            "first-byte" => 0,
            _ => right.len() - 1,
        };
        let id = |what: &str| format!("{name}-of-{elements}-{what}");
        let shape = [elements];
        pair.decode(&id("right"), &[], text, &shape, &right)?;
        let count = right[place];
        for wrong in [0, 1, 4, 7, 8, count + 1, count + 8, 0x80 | count, 0xff] {
            let id = id(&format!("{wrong:02x}"));
            if wrong != count && !pair.has_rejected(&id) {
                let mut bytes = right.clone();
                bytes[place] = wrong;
                pair.reject(&id, text, &shape, &bytes)?;
            }
        }
    }
    pair.finish();
    Ok(())
}

/// Adds padding bits that are not zero. Whether readers check them is an open question.
fn padding_bits(topic: &mut Topic) -> Result<(), String> {
    let mut packings = Vec::new();
    for (name, text, _) in PADDINGS {
        for elements in [1, 3] {
            let mut bytes = packed(topic, text, elements)?;
            // The number of padding bits is the same as in the other encodings.
            let padding = packed(topic, PADDINGS[1].1, elements)?[0];
            if padding != 0 {
                let behind = usize::from(name == "last-byte");
                let last = bytes.len() - 1 - behind;
                bytes[last] |= 0x80;
                packings.push((format!("{name}-of-{elements}"), text, elements, bytes));
            }
        }
    }
    let mut pair = topic.pair("padding-bits", Level::Ruling, &["packbits.padding.ignored"]);
    for (id, text, elements, bytes) in &packings {
        pair.open(id, "R8", text, &[*elements], bytes)?;
    }
    pair.finish();
    Ok(())
}

/// Adds invalid ranges as requests to encode. The vectors of documents contain the same ranges in whole arrays. `BITS`
/// is the number of bits in the type, and `LAST` is its last bit.
fn configurations(topic: &mut Topic) -> Result<(), String> {
    for (group, texts) in [
        (
            ("no-such-range", Level::Must, "packbits.bits.order"),
            r#"
            last-below-first    {"first_bit":1,"last_bit":0}
            first-past-the-end  {"first_bit":BITS}
            first-and-null      {"first_bit":BITS,"last_bit":null}
            first-huge          {"first_bit":18446744073709551615}
            last-below-the-end  {"first_bit":BITS,"last_bit":LAST}
            "#,
        ),
        (
            ("no-such-bit", Level::Ruling, "packbits.bits.width"),
            r#"
            last-past-the-end    {"last_bit":BITS}
            both-past-the-end    {"first_bit":BITS,"last_bit":BITS}
            last-of-128-bits     {"last_bit":127}
            last-beyond-32-bits  {"last_bit":4294967296}
            last-beyond-64-bits  {"last_bit":18446744073709551616}
            "#,
        ),
    ] {
        let bits = topic.data_type.format().component_bits();
        let texts = texts.replace("BITS", &bits.to_string());
        let texts = texts.replace("LAST", &(bits - 1).to_string());
        let input = array_to_json(&filled(topic.data_type, &[2]));
        let asked = ("encode", request([("input", input)]));
        topic.no_such(group, asked, (topic.data_type, 1), &texts)?;
    }
    Ok(())
}
