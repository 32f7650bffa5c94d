//! The vectors of `packbits`: a topic for each data type.

mod ranges;
mod rejected;

use exactum_model::{DataType, Format, PaddingEncoding};
use exactum_vectors::{File, Level};

use super::Topics;
use super::builder::{ZARR_EXTENSIONS, each_type};
use super::bytes_codecs::{Topic, components, elements, filled, nans, with_junk};

/// Returns all topics of the row.
pub(crate) fn topics() -> Topics {
    each_type(|data_type| {
        let mut topic = topic(data_type);
        whole(&mut topic)?;
        kept(&mut topic)?;
        // For a type that is only used in practice, whole elements are enough: the operations on bits do not depend on
        // the format.
        if !data_type.is_registered() {
            return Ok(topic.file);
        }
        ranges::add(&mut topic)?;
        rejected::add(&mut topic)?;
        Ok(topic.file)
    })
}

/// Returns the topic of a type. If the type is optional, or if the text contradicts itself about it, all groups cite
/// the clause that says so.
fn topic(data_type: DataType) -> Topic {
    let (base, most) = if data_type == DataType::Bool {
        (vec!["packbits.order.bool"], Level::Ruling)
    } else if is_listed(data_type) {
        (Vec::new(), Level::Must)
    } else {
        (vec!["packbits.data_types"], Level::May)
    };
    // The cases about bool have become rulings and got other ids, so that they are not mistaken for the earlier ones.
    let name = match data_type {
        DataType::Bool => "bools",
        _ => data_type.name(),
    };
    Topic {
        file: File::new("packbits", name, ZARR_EXTENSIONS),
        data_type,
        base,
        most,
    }
}

/// Returns whether upstream's list of supported types contains the type, under this name or another.
fn is_listed(data_type: DataType) -> bool {
    let name = data_type.name();
    let name = name.strip_prefix("complex_").unwrap_or(name);
    name != "float16" && !name.starts_with("float8")
}

/// A padding encoding: the name in groups, the configuration, and the clause.
const PADDINGS: [(&str, &str, &str); 3] = [
    (
        "none",
        r#"{"padding_encoding":"none"}"#,
        "packbits.padding.none",
    ),
    (
        "first-byte",
        r#"{"padding_encoding":"first_byte"}"#,
        "packbits.padding.first-byte",
    ),
    (
        "last-byte",
        r#"{"padding_encoding":"last_byte"}"#,
        "packbits.padding.last-byte",
    ),
];

/// Adds whole elements under the three padding encodings, in many shapes and numbers.
fn whole(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let complex = data_type.format().components() == 2;
    for (name, configuration, clause) in PADDINGS {
        let mut clauses = vec![clause, "packbits.width"];
        if complex {
            clauses.push("packbits.complex");
        }
        let mut pair = topic.pair(name, Level::Must, &clauses);
        for (id, shape) in [
            ("single", &[][..]),
            ("empty", &[0]),
            ("empty-plane", &[0, 3]),
            ("one", &[1]),
            ("plane", &[3, 5]),
            ("four-dimensions", &[2, 1, 3, 2]),
        ] {
            let order = ["packbits.order.elements"];
            pair.both(id, &order, configuration, &filled(data_type, shape))?;
        }
        for count in counts(data_type.format()) {
            let clauses = ["packbits.order.lsb", "packbits.padding.zeros"];
            let input = filled(data_type, &[count]);
            let id = format!("count-{count}");
            pair.both(&id, &clauses, configuration, &input)?;
        }
        pair.finish();
    }
    Ok(())
}

/// Returns numbers of elements around those that fill bytes and words.
fn counts(format: Format) -> Vec<u64> {
    let components = u64::try_from(format.components()).unwrap_or(1);
    let element = components * u64::from(format.component_bits());
    let mut counts: Vec<u64> = (2..=9).collect();
    for filled in [64, 128] {
        let full: u64 = filled / element;
        counts.extend([full.saturating_sub(1), full, full + 1]);
    }
    counts.retain(|&count| count > 1);
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// Adds elements of which all bits are kept, with junk above them, and configurations that leave members out.
fn kept(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let format = data_type.format();
    let all = elements(data_type, &components(format));
    let mut pair = topic.pair("bits", Level::Must, &["packbits.bits-kept"]);
    pair.both("all", &["packbits.order.lsb"], "{}", &all)?;
    if let Some(float) = format.float()
        && !nans(float).is_empty()
    {
        pair.both("nan", &[], "{}", &elements(data_type, &nans(float)))?;
    }
    pair.finish();

    if let Some(input) = with_junk(&all) {
        let mut pair = topic.pair("junk-in-memory", Level::Must, &["packbits.own-bits"]);
        pair.encode("whole", &[], "{}", &input)?;
        for (name, configuration, _) in PADDINGS {
            pair.encode(name, &[], configuration, &input)?;
        }
        pair.finish();
    }

    let last = format.component_bits() - 1;
    let mut configurations = vec![
        ("absent", String::new()),
        ("empty", "{}".to_owned()),
        ("nulls", r#"{"first_bit":null,"last_bit":null}"#.to_owned()),
        ("written", format!(r#"{{"first_bit":0,"last_bit":{last}}}"#)),
    ];
    if last > 0 {
        configurations.extend([
            ("first-alone", r#"{"first_bit":1}"#.to_owned()),
            (
                "first-and-null",
                r#"{"first_bit":1,"last_bit":null}"#.to_owned(),
            ),
            ("last-alone", format!(r#"{{"last_bit":{}}}"#, last - 1)),
            (
                "null-and-last",
                format!(r#"{{"last_bit":{},"first_bit":null}}"#, last - 1),
            ),
        ]);
    }
    let mut pair = topic.pair("defaults", Level::Must, &["packbits.bits.default"]);
    for (id, configuration) in &configurations {
        pair.both(id, &[], configuration, &filled(data_type, &[3]))?;
    }
    pair.finish();
    Ok(())
}

/// Returns the configuration of a range of bits.
fn range_text(first: u32, last: u32, padding: PaddingEncoding) -> String {
    match padding {
        PaddingEncoding::None => format!(r#"{{"first_bit":{first},"last_bit":{last}}}"#),
        _ => format!(
            r#"{{"padding_encoding":"{}","first_bit":{first},"last_bit":{last}}}"#,
            padding.name()
        ),
    }
}

/// Returns the clause about the bits above a range.
fn extension(data_type: DataType) -> &'static str {
    match data_type.format() {
        Format::Integer(integer) if integer.signed => "packbits.sign-extension",
        _ => "packbits.zero-extension",
    }
}
