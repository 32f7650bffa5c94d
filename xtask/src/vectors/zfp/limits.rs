//! The limits of a block: budgets that end at every bit, minimum numbers of bits, planes and exponents.

use std::fmt::Display;

use exactum_model::Array;
use exactum_vectors::Level;

use super::values::{float, integer, smooth};
use super::{content, is_float, is_own};
use crate::vectors::bytes_codecs::{Topic, array};

/// Returns the text of a configuration of the mode `expert`.
fn expert(min_bits: u32, max_bits: u32, precision: u32, exponent: impl Display) -> String {
    format!(
        r#"{{"mode":"expert","minbits":{min_bits},"maxbits":{max_bits},"maxprec":{precision},"minexp":{exponent}}}"#
    )
}

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    budgets(topic)?;
    if !is_own(topic) {
        return Ok(());
    }
    least(topic)?;
    planes(topic)?;
    rates(topic)
}

/// Returns the number of bits in the longest header of a block.
fn header(topic: &Topic, reversible: bool) -> u32 {
    let wide = topic.data_type.name().ends_with("64");
    match (is_float(topic.data_type), reversible, wide) {
        (true, false, _) => 9 + 3 * u32::from(wide),
        (true, true, _) => 15 + 4 * u32::from(wide),
        (false, true, _) => 5 + u32::from(wide),
        (false, false, _) => 1,
    }
}

/// Returns two blocks: in one the coefficients become significant one after another, and in the other a single element
/// is high.
fn two_blocks(topic: &Topic) -> Array {
    let data_type = topic.data_type;
    let mut elements: Vec<u64> = smooth(data_type, &[4]).components().collect();
    let one = match is_float(topic.data_type) {
        true => float(data_type, 1, 0),
        false => integer(data_type, 1),
    };
    elements.extend([0, 0, 0, one]);
    array(data_type, &[8], &elements)
}

/// Adds blocks that end at every bit from the header on.
fn budgets(topic: &mut Topic) -> Result<(), String> {
    let input = two_blocks(topic);
    let steps = if is_own(topic) { 16 } else { 9 };
    for (name, exponent) in [("budget", -1074), ("budget-reversible", -1075)] {
        let reversible = exponent < -1074;
        let least = header(topic, reversible);
        let mut clauses = content(topic, reversible);
        clauses.extend(["zfp.expert.limits", "zfp.planes.implied", "zfp.block"]);
        let mut pair = topic.pair(name, Level::Must, &clauses);
        for bits in least..least + steps {
            let text = expert(0, bits, 64, exponent);
            pair.both(&format!("of-{bits}"), &[], &text, &input)?;
        }
        pair.finish();
    }
    if !is_own(topic) {
        return Ok(());
    }
    // A block with more coefficients than a word has bits.
    let clauses = ["zfp.expert.limits", "zfp.planes.implied", "zfp.block"];
    let shape = [2, 1, 2, 3];
    let input = smooth(topic.data_type, &shape);
    let mut pair = topic.pair("budget-of-256", Level::Must, &clauses);
    for bits in [19, 30, 64, 65, 77, 129, 320] {
        for (name, exponent) in [("lossy", -1074), ("reversible", -1075)] {
            let text = expert(0, bits, 64, exponent);
            pair.both(&format!("{name}-{bits}"), &[], &text, &input)?;
        }
    }
    pair.finish();
    Ok(())
}

/// Adds blocks that are padded to the minimum number of bits.
fn least(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let zeros = array(data_type, &[9], &[0; 9]);
    let some = smooth(data_type, &[9]);
    let float = is_float(data_type);
    let clauses = ["zfp.expert.limits", "zfp.block", "zfp.stream"];
    let mut pair = topic.pair("least", Level::Must, &clauses);
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
        for (suffix, exponent) in [("", -1074), ("-reversible", -1075)] {
            if suffix.is_empty() || !float || min_bits < 2 {
                let id = format!("{min_bits}-to-{max_bits}{suffix}");
                let text = expert(min_bits, max_bits, 64, exponent);
                pair.both(&format!("{id}-zeros"), &[], &text, &zeros)?;
                pair.both(&format!("{id}-smooth"), &[], &text, &some)?;
            }
        }
    }
    pair.finish();
    Ok(())
}

/// Adds numbers of planes and lowest exponents.
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
    let exponents = "-2147483648 -1076 -1073 -200 -30 -10 -3 -1 0 1 5 9 12 16 20 40 2147483647";
    for exponent in exponents.split(' ') {
        let text = expert(1, 16658, 64, exponent);
        texts.push((format!("exponent-{exponent}"), text, "zfp.expert.limits"));
    }
    if is_float(topic.data_type) {
        let tolerances = "5e-324 2e-323 2.2250738585072014e-308 0.01 0.5 1 1.9999999999999998 2 3.999 1e4 1e30 \
            1.7976931348623157e308";
        for tolerance in tolerances.split(' ') {
            let text = format!(r#"{{"mode":"fixed_accuracy","tolerance":{tolerance}}}"#);
            texts.push((
                format!("tolerance-{tolerance}"),
                text,
                "zfp.accuracy.exponent",
            ));
        }
    }
    let mut clauses = vec!["zfp.planes"];
    if is_float(topic.data_type) {
        clauses.push("zfp.float.precision");
    }
    let mut pair = topic.pair("planes", Level::Must, &clauses);
    for (id, text, clause) in &texts {
        pair.both(id, &[clause], text, &input)?;
    }
    pair.finish();
    Ok(())
}

/// Adds rates in every rank: the lowest, the highest, and rates whose number of bits is rounded up and down.
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
        let clauses = ["zfp.rate.bits", "zfp.rate.rank"];
        let mut pair = topic.pair(&format!("rates-{rank}d"), Level::Must, &clauses);
        let text = |rate: &str| format!(r#"{{"mode":"fixed_rate","rate":{rate}}}"#);
        let mut seen = Vec::new();
        for rate in &rates {
            if !seen.contains(&rate) {
                seen.push(rate);
                pair.both(rate, &[], &text(rate), &input)?;
            }
        }
        pair.both("zeros", &[], &text(&rates[0]), &zeros)?;
        pair.finish();
    }
    Ok(())
}
