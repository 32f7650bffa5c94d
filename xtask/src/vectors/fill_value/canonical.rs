//! Elements and their canonical texts.

use exactum_model::DataType;

use crate::oracle::data_type::{Description, Layout, description};
use crate::vectors::builder::{Case, Topic, accept};

/// Decimals with few digits, and decimals at which the format of the text changes.
const DECIMALS: &str = "0.1 0.3 100 65504 0.0001 0.00001 0.000001 1e-7 123.456 1000000 16777216 999999986991104 1e15 \
    9999999198822400 1e16 1e17 1.5e20 1e22 1e23 1e-10 9007199254740993 5e-324 \
    2.2250738585072014e-308 1.7976931348623157e308 1e-45 6e-8 0.333251953125 8.5e37 9.5e-5";

pub(super) fn canonical(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.own_type()?;
    let bits = data_type.format().component_bits();
    let elements = match description(data_type) {
        Description::Float(layout) if bits > 8 => chosen(data_type, layout)?,
        // All elements are included.
        _ => (0..1u64 << bits)
            .map(|bits| (format!("{bits:02x}"), bits))
            .collect(),
    };
    let cases: Vec<Case> = elements
        .into_iter()
        .map(|(id, bits)| accept(id, bits.to_string()))
        .collect();
    topic.computed(
        "format ruling fill_value.canonical fill_value.format",
        &cases,
    )
}

fn chosen(data_type: DataType, layout: &Layout) -> Result<Vec<(String, u64)>, String> {
    let one = layout.one();
    let normal = layout.first_normal();
    let infinity = layout.infinity().unwrap_or_default();
    let quiet = layout.nan.unwrap_or_default();
    let sign = layout.sign_bit();
    let mut elements = vec![
        ("zero".to_owned(), 0),
        ("negative-zero".into(), sign),
        ("one".into(), one),
        ("minus-two".into(), (one + normal) | sign),
        ("after-one".into(), one + 1),
        ("below-one".into(), one - 1),
        ("smallest".into(), 1),
        ("second".into(), 2),
        ("below-normal".into(), normal - 1),
        ("normal".into(), normal),
        ("after-normal".into(), normal + 1),
        ("largest".into(), infinity - 1),
        ("smallest-number".into(), (infinity - 1) | sign),
        ("infinity".into(), infinity),
        ("negative-infinity".into(), infinity | sign),
        ("nan".into(), quiet),
        ("negative-nan".into(), quiet | sign),
        ("payload".into(), quiet | 0xab),
        ("signalling".into(), infinity | 1),
    ];
    for text in DECIMALS.split(' ') {
        let scalar = exactum_metadata::parse_fill_value(data_type, text)
            .map_err(|rejection| rejection.message)?;
        let bits = scalar.component(0);
        if bits != 0 && bits != infinity && !elements.iter().any(|(_, known)| *known == bits) {
            elements.push((format!("from-{text}"), bits));
        }
    }
    // Further elements are pseudo-random.
    let ones = u64::MAX >> (64 - layout.bits());
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for index in 0..24 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let bits = (state >> 3) & ones;
        if bits & !sign <= infinity {
            elements.push((format!("any-{index}"), bits));
        }
    }
    Ok(elements)
}
