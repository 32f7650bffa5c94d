//! Bytes that are not those of an array: too few, too many, with another padding byte; and padding
//! bits that are not zero.

use exactum_model::{DataType, PackBits};
use exactum_vectors::{Expect, Level};

use super::{PADDINGS, Topic};
use crate::vectors::builder::request;
use crate::vectors::bytes_codecs::{Coder, filled};

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    lengths(topic)?;
    counts(topic)?;
    padding_bits(topic)?;
    configurations(topic)
}

fn packed(codec: &PackBits, count: u64) -> Result<Vec<u8>, String> {
    let [first, _] = Coder::encode(codec, &filled(codec.data_type, &[count]));
    first.map_err(|reason| format!("packbits/{}: {}", codec.data_type, reason.name()))
}

fn lengths(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let codecs: Vec<(&str, &str, PackBits)> = PADDINGS
        .iter()
        .map(|(name, text, _)| topic.codec(text).map(|codec| (*name, *text, codec)))
        .collect::<Result<_, _>>()?;
    let mut pair = topic.pair("other-length", Level::Ruling, &["packbits.length"]);
    for (name, text, codec) in &codecs {
        let with = (*text, codec);
        let bytes = packed(codec, 5)?;
        let longer = [bytes.as_slice(), &[0]].concat();
        let id = |what: &str| format!("{name}-{what}");
        pair.decode(&id("right"), &[], with, data_type, &[5], &bytes)?;
        pair.reject(&id("none"), with, data_type, &[5], &[])?;
        pair.reject(
            &id("a-byte-less"),
            with,
            data_type,
            &[5],
            &bytes[..bytes.len() - 1],
        )?;
        pair.reject(&id("a-byte-more"), with, data_type, &[5], &longer)?;
        pair.reject(&id("of-a-single-element"), with, data_type, &[], &[])?;
        pair.reject(&id("of-no-element"), with, data_type, &[2, 0], &[0; 2])?;
        pair.reject(&id("of-a-plane"), with, data_type, &[5, 9], &bytes)?;
        // One is enough: whoever allocates first does so for all, and each time is taken for dead.
        if data_type == DataType::Bool && *name == "none" {
            pair.reject(
                &id("of-far-too-many"),
                with,
                data_type,
                &[1 << 20, 1 << 20],
                &bytes,
            )?;
        }
    }
    pair.finish();
    Ok(())
}

/// Every padding byte but the right one is wrong, one that is off by whole bytes too.
fn counts(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let codecs: Vec<(&str, &str, PackBits)> = PADDINGS[1..]
        .iter()
        .map(|(name, text, _)| topic.codec(text).map(|codec| (*name, *text, codec)))
        .collect::<Result<_, _>>()?;
    let mut pair = topic.pair("padding-count", Level::Ruling, &["packbits.padding.count"]);
    for (name, text, codec) in &codecs {
        for elements in [0, 1, 3] {
            let right = packed(codec, elements)?;
            let place = if *name == "first-byte" {
                0
            } else {
                right.len() - 1
            };
            let id = |what: &str| format!("{name}-of-{elements}-{what}");
            let shape = [elements];
            pair.decode(&id("right"), &[], (text, codec), data_type, &shape, &right)?;
            let count = right[place];
            for wrong in [0, 1, 4, 7, 8, count + 1, count + 8, 0x80 | count, 0xff] {
                let mut bytes = right.clone();
                if wrong == count || bytes[place] != count {
                    continue;
                }
                bytes[place] = wrong;
                let id = id(&format!("{wrong:02x}"));
                if !pair.has_rejected(&id) {
                    pair.reject(&id, (text, codec), data_type, &shape, &bytes)?;
                }
            }
        }
    }
    pair.finish();
    Ok(())
}

/// Padding bits that are not zero: whether a reader looks at them is open.
fn padding_bits(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let codecs: Vec<(&str, &str, PackBits)> = PADDINGS
        .iter()
        .map(|(name, text, _)| topic.codec(text).map(|codec| (*name, *text, codec)))
        .collect::<Result<_, _>>()?;
    let mut pair = topic.pair("padding-bits", Level::Ruling, &["packbits.padding.ignored"]);
    for (name, text, codec) in &codecs {
        for elements in [1, 3] {
            let mut bytes = packed(codec, elements)?;
            let (last, padding) = match *name {
                "first-byte" => (bytes.len() - 1, bytes[0]),
                "last-byte" => (bytes.len() - 2, bytes[bytes.len() - 1]),
                _ => {
                    // The number of padding bits is that of the other encodings.
                    let counted = packed(&codecs[1].2, elements)?;
                    (bytes.len() - 1, counted[0])
                }
            };
            if padding == 0 {
                continue;
            }
            bytes[last] |= 0x80;
            let id = format!("{name}-of-{elements}");
            pair.open(&id, "R8", (text, codec), data_type, &[elements], &bytes)?;
        }
    }
    pair.finish();
    Ok(())
}

/// Ranges that there are not, as requests to encode. Documents say the same of whole arrays.
fn configurations(topic: &mut Topic) -> Result<(), String> {
    let bits = topic.bits();
    let last = bits - 1;
    let order = [
        ("last-below-first", r#"{"first_bit":1,"last_bit":0}"#.into()),
        ("first-past-the-end", format!(r#"{{"first_bit":{bits}}}"#)),
        (
            "first-and-null",
            format!(r#"{{"first_bit":{bits},"last_bit":null}}"#),
        ),
        ("first-huge", r#"{"first_bit":18446744073709551615}"#.into()),
        (
            "last-below-the-end",
            format!(r#"{{"first_bit":{bits},"last_bit":{last}}}"#),
        ),
    ];
    let width = [
        ("last-past-the-end", format!(r#"{{"last_bit":{bits}}}"#)),
        (
            "both-past-the-end",
            format!(r#"{{"first_bit":{bits},"last_bit":{bits}}}"#),
        ),
        ("last-of-128-bits", r#"{"last_bit":127}"#.into()),
        ("last-beyond-32-bits", r#"{"last_bit":4294967296}"#.into()),
        (
            "last-beyond-64-bits",
            r#"{"last_bit":18446744073709551616}"#.into(),
        ),
    ];
    no_such(
        topic,
        "no-such-range",
        Level::Must,
        "packbits.bits.order",
        &order,
    )?;
    no_such(
        topic,
        "no-such-bit",
        Level::Ruling,
        "packbits.bits.width",
        &width,
    )
}

fn no_such(
    topic: &mut Topic,
    name: &str,
    level: Level,
    clause: &'static str,
    texts: &[(&str, String)],
) -> Result<(), String> {
    let data_type = topic.data_type;
    let level = topic.level(level);
    let clauses = [topic.base.as_slice(), &[clause]].concat();
    let shared = request([
        ("op", "packbits.encode".into()),
        (
            "input",
            exactum_vectors::array_to_json(&filled(data_type, &[2])),
        ),
    ]);
    let group = topic.file.group(name, level, &clauses, shared);
    for (id, text) in texts {
        match exactum_metadata::parse_packbits(text, data_type) {
            Err(rejection) if rejection.clause == clause => {
                let own = request([("configuration", text.as_str().into())]);
                group.case(id, &[], own, Expect::reject(rejection.reason));
            }
            other => return Err(format!("packbits/{data_type} {text}: {other:?}")),
        }
    }
    Ok(())
}
