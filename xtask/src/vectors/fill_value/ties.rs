//! Decimals around the midpoints between neighbouring values.

use exactum_model::DataType;

use crate::oracle::data_type::{Kind, Layout};
use crate::oracle::decimal::Decimal;
use crate::vectors::builder::{Case, Topic, accept};

/// Returns a plain decimal, and one minimally below and one minimally above it, by so little that no float type can
/// distinguish them.
pub(super) fn hairs(tie: &str) -> [String; 3] {
    let zeros = "0".repeat(60);
    let above = if tie.contains('.') {
        format!("{tie}{zeros}1")
    } else {
        format!("{tie}.{zeros}1")
    };
    // One less in the last place, followed by nines.
    let mut places: Vec<u8> = tie.bytes().collect();
    let mut index = places.len() - 1;
    while places[index] == b'0' || places[index] == b'.' {
        if places[index] == b'0' {
            places[index] = b'9';
        }
        index -= 1;
    }
    places[index] -= 1;
    let below: String = places.into_iter().map(char::from).collect();
    let nines = "9".repeat(60);
    let below = if below.contains('.') {
        format!("{below}{nines}")
    } else {
        format!("{below}.{nines}")
    };
    [below, tie.to_owned(), above]
}

/// Returns the magnitudes above which the midpoints are tested, with their ids.
fn places(layout: &Layout) -> Vec<(&'static str, u64)> {
    let one = layout.one();
    let normal = layout.first_normal();
    let largest = layout.largest();
    let mut places = vec![
        ("zero", 0),
        ("smallest", 1),
        ("second", 2),
        ("below-normal", normal.saturating_sub(1)),
        ("normal", normal),
        ("below-one", one - 1),
        ("one", one),
        ("after-one", one + 1),
    ];
    // Here the last digit is worth one, and the midpoint has few digits.
    let whole = one + layout.digits() * normal;
    if whole < largest {
        places.extend([("whole", whole), ("after-whole", whole + 1)]);
    }
    places.push(("below-largest", largest - 1));
    let mut known = Vec::new();
    places.retain(|(_, magnitude)| {
        let new = *magnitude < largest && !known.contains(magnitude);
        known.push(*magnitude);
        new
    });
    places
}

/// Adds a group of texts that the type can hold. Where no value is even, ties have a group of their own.
fn held(topic: &mut Topic, name: &str, cases: &[Case]) -> Result<(), String> {
    let head = format!("{name} must fill_value.float.number fill_value.parse held");
    topic.computed(&head, cases)
}

/// Adds the midpoints at the places above, and all midpoints of a small type.
pub(super) fn ties(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let signed = layout.sign_bit() != 0;
    let mut cases = Vec::new();
    for (id, magnitude) in places(layout) {
        let texts = hairs(&layout.middle(magnitude).plain());
        for (side, text) in ["below", "tie", "above"].into_iter().zip(texts) {
            let negative = signed && id != "whole" && side != "tie";
            cases.push(accept(format!("{id}-{side}"), text.clone()));
            if negative {
                cases.push(accept(format!("{id}-{side}-negative"), format!("-{text}")));
            }
        }
    }
    let [below, _, _] = hairs(&layout.middle(layout.largest()).plain());
    if signed {
        cases.push(accept("largest-below-negative", format!("-{below}")));
    }
    cases.push(accept("largest-below", below));
    held(topic, "parse-ties", &cases)?;
    if layout.bits() > 8 {
        return Ok(());
    }
    // Every midpoint of a small type, with alternating signs.
    let all: Vec<Case> = (0..layout.largest())
        .map(|magnitude| {
            let sign = if signed && magnitude % 2 == 1 {
                "-"
            } else {
                ""
            };
            let tie = layout.middle(magnitude).plain();
            accept(format!("{magnitude:02x}"), format!("{sign}{tie}"))
        })
        .collect();
    if layout.kind == Kind::Fnu {
        let head = "parse-every-tie ruling fill_value.float.no-even fill_value.parse";
        return topic.computed(head, &all);
    }
    held(topic, "parse-every-tie", &all)
}

/// Adds decimals so near to a tie that one float type can distinguish them from it and a narrower one cannot. Rounding
/// to the narrower type first leads to a wrong second rounding if the tie goes the other way.
pub(super) fn twice(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    // Numbers of binary digits behind the tie: too many for binary32, then too many for binary64. Decimals that no type
    // can distinguish from the tie are among the ties themselves.
    let lengths: &[(&str, u32)] = match layout.bits() {
        64 => return Ok(()),
        32 => &[("double", 58)],
        _ => &[("single", 26), ("double", 58)],
    };
    let mut cases = Vec::new();
    for (id, magnitude) in places(layout) {
        let (number, exponent) = layout.middle_parts(magnitude);
        for (width, length) in lengths {
            // All digits must fit into the integer.
            let room = (number.leading_zeros() - 1).min(*length);
            let scaled = number << room;
            for (side, near) in [("above", scaled + 1), ("below", scaled - 1)] {
                let text = Decimal::binary(near, exponent - room.cast_signed()).plain();
                cases.push(accept(format!("{id}-{side}-{width}"), text));
            }
        }
    }
    held(topic, "parse-twice", &cases)
}

/// Adds a decimal with ten thousand significant digits.
pub(super) fn long(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    // A few types of different widths are enough for this test.
    if !matches!(
        topic.data_type,
        Some(DataType::Float4E2m1fn | DataType::Float16 | DataType::Float64)
    ) {
        return Ok(());
    }
    let one = layout.one();
    let up = layout.middle(one).plain();
    let zeros = "0".repeat(9_980);
    let [below, _, _] = hairs(&layout.middle(one + 1).plain());
    topic.computed(
        "parse-long must fill_value.float.number fill_value.parse",
        &[
            accept("up", format!("{up}{zeros}1")),
            accept("down", format!("{below}{}", "9".repeat(9_980))),
            accept("one", format!("1{zeros}e-9980")),
            accept("leading-zeros", format!("0.{zeros}15e9981")),
        ],
    )
}
