//! Ranges of bits: every range in small types; in the others, those around the borders of bytes, words and the type,
//! and every width.

use exactum_model::{Array, DataType, Format, PaddingEncoding};
use exactum_vectors::Level;

use super::{extension, range_text};
use crate::vectors::bytes_codecs::{Topic, array, components, elements, filled};

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    pairs(topic)?;
    widths(topic)?;
    padded(topic)?;
    signs(topic)
}

/// Returns the id and the configuration of a range.
fn range(first: u32, last: u32, padding: PaddingEncoding) -> (String, String) {
    let id = match padding {
        PaddingEncoding::None => format!("{first}-to-{last}"),
        _ => format!("{first}-to-{last}-{}", padding.name().replace('_', "-")),
    };
    (id, range_text(first, last, padding))
}

/// Adds ranges without padding, each with the same elements.
fn add_ranges(
    topic: &mut Topic,
    name: &str,
    ranges: impl IntoIterator<Item = (u32, u32)>,
    input: &Array,
) -> Result<(), String> {
    let clauses = clauses(topic.data_type);
    let mut pair = topic.pair(name, Level::Must, &clauses);
    for (first, last) in ranges {
        let (id, text) = range(first, last, PaddingEncoding::None);
        pair.both(&id, &[], &text, input)?;
    }
    pair.finish();
    Ok(())
}

/// Returns the first and last bits of the ranges to test.
fn borders(format: Format) -> Vec<(u32, u32)> {
    let bits = format.component_bits();
    let all = 0..bits;
    let (firsts, lasts): (Vec<u32>, Vec<u32>) = if bits == 8 && format.float().is_some() {
        // The integers of 8 bits already have all ranges.
        (vec![0, 1, 4, 7], vec![0, 3, 6, 7])
    } else if bits <= 8 {
        (all.clone().collect(), all.collect())
    } else {
        let near = |places: &[u32]| {
            let mut places: Vec<u32> = places
                .iter()
                .copied()
                .chain([bits / 2, bits - 2, bits - 1])
                .filter(|&place| place < bits)
                .collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        (
            near(&[0, 1, 7, 8, 9, 31, 32]),
            near(&[0, 6, 7, 8, 11, 15, 16, 31, 32]),
        )
    };
    firsts
        .into_iter()
        .flat_map(|first| lasts.iter().map(move |&last| (first, last)))
        .filter(|(first, last)| first <= last)
        .collect()
}

/// Returns the clauses that a range tests.
fn clauses(data_type: DataType) -> Vec<&'static str> {
    let mut clauses = vec!["packbits.extract", "packbits.shift", extension(data_type)];
    if data_type.format().components() == 2 {
        clauses.push("packbits.complex");
    }
    clauses
}

/// Adds each range with all elements of a small type, or with some of a larger one.
fn pairs(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let format = data_type.format();
    let input = match (format, format.component_bits()) {
        (Format::Bool | Format::Integer(_), 1..=8) | (_, 1..=6) => {
            elements(data_type, &components(format))
        }
        (_, 8) => filled(data_type, &[9]),
        (Format::Complex(_), _) => filled(data_type, &[3]),
        _ => filled(data_type, &[5]),
    };
    add_ranges(topic, "range", borders(format), &input)
}

/// Adds every width from either end of a component.
fn widths(topic: &mut Topic) -> Result<(), String> {
    let bits = topic.data_type.format().component_bits();
    if bits < 16 {
        // For such types, the pairs already include every width.
        return Ok(());
    }
    // A complex type has the widths of its components; two widths are enough to show that both components are packed.
    let step = match topic.data_type.format() {
        Format::Complex(_) => 11,
        _ => 1,
    };
    let ends = (1..bits).step_by(step).map(|width| match width % 2 {
        0 => (0, width - 1),
        _ => (bits - width, bits - 1),
    });
    let input = match topic.data_type.format() {
        Format::Complex(_) => filled(topic.data_type, &[3]),
        _ => filled(topic.data_type, &[7]),
    };
    add_ranges(topic, "width", ends, &input)
}

/// Adds padding bytes for ranges whose last byte is not full.
fn padded(topic: &mut Topic) -> Result<(), String> {
    let bits = topic.data_type.format().component_bits();
    if bits == 1 {
        return Ok(());
    }
    let data_type = topic.data_type;
    let clauses = ["packbits.extract", "packbits.padding.zeros"];
    let mut pair = topic.pair("range-padded", Level::Must, &clauses);
    let mut bounds = vec![(0, bits - 2), (1, bits - 1), (bits / 2, bits / 2)];
    // In a type of two bits, the last two ranges are the same.
    bounds.dedup();
    for (padding, own) in [
        (PaddingEncoding::FirstByte, "packbits.padding.first-byte"),
        (PaddingEncoding::LastByte, "packbits.padding.last-byte"),
    ] {
        for &(first, last) in &bounds {
            let (id, text) = range(first, last, padding);
            for count in [1, 3, 8] {
                let input = filled(data_type, &[count]);
                pair.both(&format!("{id}-of-{count}"), &[own], &text, &input)?;
            }
        }
    }
    pair.finish();
    Ok(())
}

/// Adds small numbers of either sign, truncated to the number of bits that they need.
fn signs(topic: &mut Topic) -> Result<(), String> {
    let Format::Integer(integer) = topic.data_type.format() else {
        return Ok(());
    };
    if integer.bits < 8 {
        return Ok(());
    }
    let lasts = [3, 6, 7, 8, 11, 14, 15, 16, 20, 23, 30, 31, 32, 40, 62];
    let data_type = topic.data_type;
    let mut pair = topic.pair("sign", Level::Must, &[extension(data_type)]);
    for last in lasts.into_iter().filter(|&last| last < integer.bits) {
        let (id, text) = range(0, last, PaddingEncoding::None);
        let half = 1u64 << last;
        // The ends of the range that this number of bits can hold, and -5 and similar numbers.
        let numbers = [1, 5, half - 1, half].map(u64::wrapping_neg);
        let numbers: Vec<u64> = numbers
            .into_iter()
            .chain([0, 1, 5, half - 1])
            .map(|bits| bits & integer.mask())
            .collect();
        pair.both(&id, &[], &text, &array(data_type, &[8], &numbers))?;
    }
    pair.finish();
    Ok(())
}
