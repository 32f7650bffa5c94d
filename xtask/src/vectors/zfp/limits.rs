//! Limits of a block: budgets that end at every bit, least numbers of bits, planes and exponents.

use exactum_model::Array;
use exactum_vectors::Level;

use super::Topic;
use super::values::{float, integer, smooth};
use crate::vectors::bytes_codecs::array;

/// The text of `expert`.
fn expert(min_bits: u32, max_bits: u32, precision: u32, exponent: i64) -> String {
    format!(
        r#"{{"mode":"expert","minbits":{min_bits},"maxbits":{max_bits},"maxprec":{precision},"minexp":{exponent}}}"#
    )
}

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    budgets(topic)?;
    if !topic.own {
        return Ok(());
    }
    least(topic)?;
    planes(topic)?;
    rates(topic)
}

/// The bits of a block's longest header.
fn header(topic: &Topic, reversible: bool) -> u32 {
    let wide = topic.data_type.name().ends_with("64");
    match (topic.is_float(), reversible, wide) {
        (true, false, _) => 9 + 3 * u32::from(wide),
        (true, true, _) => 15 + 4 * u32::from(wide),
        (false, true, _) => 5 + u32::from(wide),
        (false, false, _) => 1,
    }
}

/// Two blocks: one whose coefficients come one after another, one with a single high element.
fn two_blocks(topic: &Topic) -> Array {
    let data_type = topic.data_type;
    let mut elements: Vec<u64> = smooth(data_type, &[4]).components().collect();
    let one = match topic.is_float() {
        true => float(data_type, 1, 0),
        false => integer(data_type, 1),
    };
    elements.extend([0, 0, 0, one]);
    array(data_type, &[8], &elements)
}

/// A block that ends at every bit from its header on.
fn budgets(topic: &mut Topic) -> Result<(), String> {
    let input = two_blocks(topic);
    let steps = if topic.own { 16 } else { 9 };
    for (name, exponent) in [("budget", -1074), ("budget-reversible", -1075)] {
        let reversible = exponent < -1074;
        let least = header(topic, reversible);
        let codecs: Vec<_> = (least..least + steps)
            .map(|bits| {
                let text = expert(0, bits, 64, exponent);
                topic.codec(&text, 1).map(|codec| (bits, text, codec))
            })
            .collect::<Result<_, _>>()?;
        let mut clauses = topic.content(reversible);
        clauses.extend(["zfp.expert.limits", "zfp.planes.implied", "zfp.block"]);
        let mut pair = topic.pair(name, Level::Must, &clauses);
        for (bits, text, codec) in &codecs {
            pair.both(&format!("of-{bits}"), &[], (text, codec), &input)?;
        }
        pair.finish();
    }
    if !topic.own {
        return Ok(());
    }
    // More coefficients than a word has bits.
    let clauses = ["zfp.expert.limits", "zfp.planes.implied", "zfp.block"];
    let shape = [2, 1, 2, 3];
    let input = smooth(topic.data_type, &shape);
    let codecs: Vec<_> = [19, 30, 64, 65, 77, 129, 320]
        .into_iter()
        .flat_map(|bits| [(bits, -1074), (bits, -1075)])
        .map(|(bits, exponent)| {
            let text = expert(0, bits, 64, exponent);
            topic
                .codec(&text, 4)
                .map(|codec| (bits, exponent, text, codec))
        })
        .collect::<Result<_, _>>()?;
    let mut pair = topic.pair("budget-of-256", Level::Must, &clauses);
    for (bits, exponent, text, codec) in &codecs {
        let name = if *exponent < -1074 {
            "reversible"
        } else {
            "lossy"
        };
        pair.both(&format!("{name}-{bits}"), &[], (text, codec), &input)?;
    }
    pair.finish();
    Ok(())
}

/// Blocks that are filled up.
fn least(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let zeros = array(data_type, &[9], &[0; 9]);
    let some = smooth(data_type, &[9]);
    let float = topic.is_float();
    let mut texts = Vec::new();
    for (min_bits, max_bits) in [
        (0, 16658),
        (1, 16658),
        (63, 90),
        (64, 64),
        (65, 65),
        (77, 300),
        (129, 129),
        (900, 1000),
    ] {
        texts.push((
            format!("{min_bits}-to-{max_bits}"),
            expert(min_bits, max_bits, 64, -1074),
        ));
        if !float || min_bits < 2 {
            let text = expert(min_bits, max_bits, 64, -1075);
            texts.push((format!("{min_bits}-to-{max_bits}-reversible"), text));
        }
    }
    let codecs: Vec<_> = texts
        .into_iter()
        .map(|(id, text)| topic.codec(&text, 1).map(|codec| (id, text, codec)))
        .collect::<Result<_, _>>()?;
    let mut pair = topic.pair(
        "least",
        Level::Must,
        &["zfp.expert.limits", "zfp.block", "zfp.stream"],
    );
    for (id, text, codec) in &codecs {
        pair.both(&format!("{id}-zeros"), &[], (text, codec), &zeros)?;
        pair.both(&format!("{id}-smooth"), &[], (text, codec), &some)?;
    }
    pair.finish();
    Ok(())
}

/// Planes and lowest exponents.
fn planes(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let input = smooth(data_type, &[3, 4]);
    let mut texts = Vec::new();
    for precision in [1, 2, 3, 8, 21, 32, 33, 64] {
        let text = format!(r#"{{"mode":"fixed_precision","precision":{precision}}}"#);
        texts.push((
            format!("precision-{precision}"),
            text,
            "zfp.precision.planes",
        ));
        let text = expert(1, 16658, precision, -1075);
        texts.push((format!("reversible-{precision}"), text, "zfp.expert.limits"));
    }
    let exponents = [
        i64::from(i32::MIN),
        -1076,
        -1073,
        -200,
        -30,
        -10,
        -3,
        -1,
        0,
        1,
        5,
        9,
        12,
        16,
        20,
        40,
        i64::from(i32::MAX),
    ];
    for exponent in exponents {
        let text = expert(1, 16658, 64, exponent);
        texts.push((format!("exponent-{exponent}"), text, "zfp.expert.limits"));
    }
    if topic.is_float() {
        for tolerance in [
            "5e-324",
            "2e-323",
            "2.2250738585072014e-308",
            "0.01",
            "0.5",
            "1",
            "1.9999999999999998",
            "2",
            "3.999",
            "1e4",
            "1e30",
            "1.7976931348623157e308",
        ] {
            let text = format!(r#"{{"mode":"fixed_accuracy","tolerance":{tolerance}}}"#);
            texts.push((
                format!("tolerance-{tolerance}"),
                text,
                "zfp.accuracy.exponent",
            ));
        }
    }
    let codecs: Vec<_> = texts
        .into_iter()
        .map(|(id, text, clause)| topic.codec(&text, 2).map(|codec| (id, text, clause, codec)))
        .collect::<Result<_, _>>()?;
    let mut clauses = vec!["zfp.planes"];
    if topic.is_float() {
        clauses.push("zfp.float.precision");
    }
    let mut pair = topic.pair("planes", Level::Must, &clauses);
    for (id, text, clause, codec) in &codecs {
        pair.both(id, &[clause], (text, codec), &input)?;
    }
    pair.finish();
    Ok(())
}

/// Rates in every rank: the least, the largest, and those whose bits round up and down.
fn rates(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let shapes: [&[u64]; 5] = [&[], &[6], &[4, 5], &[3, 4, 5], &[2, 1, 5, 3]];
    for (rank, shape) in shapes.into_iter().enumerate() {
        let values = [4.0, 4.0, 16.0, 64.0, 256.0][rank];
        let mut rates: Vec<String> = [1.0, 2.49, 2.5, 13.0, 64.0, 65.0]
            .into_iter()
            .map(|bits| format!("{}", bits / values))
            .collect();
        rates.extend(["1", "8"].map(str::to_owned));
        if rank == 1 {
            rates.push(format!("{}", 16658.0 / values));
        }
        rates.dedup();
        let input = smooth(data_type, shape);
        let zeros = array(data_type, shape, &vec![0; input.len()]);
        let codecs: Vec<_> = rates
            .into_iter()
            .map(|rate| {
                let text = format!(r#"{{"mode":"fixed_rate","rate":{rate}}}"#);
                topic.codec(&text, rank).map(|codec| (rate, text, codec))
            })
            .collect::<Result<_, _>>()?;
        let clauses = ["zfp.rate.bits", "zfp.rate.rank"];
        let mut pair = topic.pair(&format!("rates-{rank}d"), Level::Must, &clauses);
        let mut seen = Vec::new();
        for (rate, text, codec) in &codecs {
            if seen.contains(&rate) {
                continue;
            }
            seen.push(rate);
            pair.both(rate, &[], (text, codec), &input)?;
        }
        let (_, text, codec) = &codecs[0];
        pair.both("zeros", &[], (text, codec), &zeros)?;
        pair.finish();
    }
    Ok(())
}
