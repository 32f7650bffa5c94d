//! Ranges of bits: every one that there is in small types, those around the borders of bytes, words
//! and the type in the others, and every width.

use exactum_model::{Format, PackBits, PaddingEncoding};
use exactum_vectors::Level;

use super::{Topic, range_text};
use crate::vectors::bytes_codecs::{array, components, elements, filled};

/// A range with its codec.
struct Range {
    id: String,
    text: String,
    codec: PackBits,
}

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    pairs(topic)?;
    widths(topic)?;
    padded(topic)?;
    signs(topic)
}

fn range(topic: &Topic, first: u32, last: u32, padding: PaddingEncoding) -> Result<Range, String> {
    let text = range_text(first, last, padding);
    let id = match padding {
        PaddingEncoding::None => format!("{first}-to-{last}"),
        _ => format!("{first}-to-{last}-{}", padding.name().replace('_', "-")),
    };
    let codec = topic.codec(&text)?;
    Ok(Range { id, text, codec })
}

/// The first and last bits of a range.
fn borders(format: Format) -> Vec<(u32, u32)> {
    let bits = format.component_bits();
    let all = 0..bits;
    let (firsts, lasts): (Vec<u32>, Vec<u32>) = if bits == 8 && format.float().is_some() {
        // As the integers of 8 bits, which have them all.
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

/// What a range is about.
fn clauses(topic: &Topic) -> Vec<&'static str> {
    let mut clauses = vec!["packbits.extract", "packbits.shift", topic.extension()];
    if topic.data_type.format().components() == 2 {
        clauses.push("packbits.complex");
    }
    clauses
}

/// Each range with all elements that a small type has, or some of a larger one.
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
    let ranges: Vec<Range> = borders(format)
        .into_iter()
        .map(|(first, last)| range(topic, first, last, PaddingEncoding::None))
        .collect::<Result<_, _>>()?;
    let clauses = clauses(topic);
    let mut pair = topic.pair("range", Level::Must, &clauses);
    for range in &ranges {
        pair.both(&range.id, &[], (&range.text, &range.codec), &input)?;
    }
    pair.finish();
    Ok(())
}

/// Every width from either end of a component.
fn widths(topic: &mut Topic) -> Result<(), String> {
    let bits = topic.bits();
    if bits < 16 {
        // The pairs have them all.
        return Ok(());
    }
    // A complex type has the widths of its parts; two are enough to see that it has both parts.
    let step = match topic.data_type.format() {
        Format::Complex(_) => 11,
        _ => 1,
    };
    let ends: Vec<(u32, u32)> = (1..bits)
        .step_by(step)
        .map(|width| {
            if width % 2 == 0 {
                (0, width - 1)
            } else {
                (bits - width, bits - 1)
            }
        })
        .collect();
    let ranges: Vec<Range> = ends
        .into_iter()
        .map(|(first, last)| range(topic, first, last, PaddingEncoding::None))
        .collect::<Result<_, _>>()?;
    let input = match topic.data_type.format() {
        Format::Complex(_) => filled(topic.data_type, &[3]),
        _ => filled(topic.data_type, &[7]),
    };
    let clauses = clauses(topic);
    let mut pair = topic.pair("width", Level::Must, &clauses);
    for range in &ranges {
        pair.both(&range.id, &[], (&range.text, &range.codec), &input)?;
    }
    pair.finish();
    Ok(())
}

/// Padding bytes behind ranges whose last byte is not full.
fn padded(topic: &mut Topic) -> Result<(), String> {
    let bits = topic.bits();
    if bits == 1 {
        return Ok(());
    }
    let mut ranges = Vec::new();
    for padding in [PaddingEncoding::FirstByte, PaddingEncoding::LastByte] {
        let mut bounds = vec![(0, bits - 2), (1, bits - 1), (bits / 2, bits / 2)];
        // Of two bits, the upper one is both of the last.
        bounds.dedup();
        for (first, last) in bounds {
            ranges.push(range(topic, first, last, padding)?);
        }
    }
    let data_type = topic.data_type;
    let clauses = ["packbits.extract", "packbits.padding.zeros"];
    let mut pair = topic.pair("range-padded", Level::Must, &clauses);
    for range in &ranges {
        let own = match range.codec.padding {
            PaddingEncoding::FirstByte => "packbits.padding.first-byte",
            _ => "packbits.padding.last-byte",
        };
        for count in [1, 3, 8] {
            let id = format!("{}-of-{count}", range.id);
            let input = filled(data_type, &[count]);
            pair.both(&id, &[own], (&range.text, &range.codec), &input)?;
        }
    }
    pair.finish();
    Ok(())
}

/// Small numbers of either sign, cut to as many bits as they need.
fn signs(topic: &mut Topic) -> Result<(), String> {
    let Format::Integer(integer) = topic.data_type.format() else {
        return Ok(());
    };
    if integer.bits < 8 {
        return Ok(());
    }
    let lasts = [3, 6, 7, 8, 11, 14, 15, 16, 20, 23, 30, 31, 32, 40, 62];
    let mut made = Vec::new();
    for last in lasts.into_iter().filter(|&last| last < integer.bits) {
        let range = range(topic, 0, last, PaddingEncoding::None)?;
        let half = 1u64 << last;
        // The ends of what that number of bits holds, and -5 and its like.
        let numbers = [1, 5, half - 1, half].map(u64::wrapping_neg);
        let numbers: Vec<u64> = numbers
            .into_iter()
            .chain([0, 1, 5, half - 1])
            .map(|bits| bits & integer.mask())
            .collect();
        made.push((range, numbers));
    }
    let clauses = [topic.extension()];
    let data_type = topic.data_type;
    let mut pair = topic.pair("sign", Level::Must, &clauses);
    for (range, numbers) in &made {
        let input = array(data_type, &[8], numbers);
        pair.both(&range.id, &[], (&range.text, &range.codec), &input)?;
    }
    pair.finish();
    Ok(())
}
