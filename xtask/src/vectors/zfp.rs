//! The vectors of `zfp`: a topic for each data type.

mod configurations;
mod limits;
mod small;
mod special;
mod streams;
mod values;

use exactum_model::{DataType, Format, Nan, Zfp, ZfpScalar};
use exactum_vectors::{File, Level};

use super::Topics;
use super::builder::{ZARR_EXTENSIONS, collected};
use super::bytes_codecs::Topic;
use values::{dense, smooth};

/// Returns all topics of the row.
pub(crate) fn topics() -> Topics {
    let make = |data_type| {
        let mut topic = topic(data_type);
        if is_float(data_type) && data_type.format().component_bits() < 16 {
            small::add(&mut topic)?;
            return Ok(topic.file);
        }
        modes(&mut topic)?;
        special::add(&mut topic)?;
        limits::add(&mut topic)?;
        streams::add(&mut topic)?;
        configurations::add(&mut topic)?;
        Ok(topic.file)
    };
    let made =
        Zfp::DATA_TYPES.map(|data_type| make(data_type).map_err(|fault: String| vec![fault]));
    collected(made)
}

/// Returns the topic of a type. All groups cite the clause that converts the type to one of zfp's own, and, if the type
/// is optional, the clause that says so.
fn topic(data_type: DataType) -> Topic {
    let (most, base) = match data_type.format() {
        _ if ZfpScalar::is_own(data_type) => (Level::Must, vec![]),
        Format::Integer(format) if format.bits >= 32 => {
            (Level::Ruling, vec!["zfp.promotion", "zfp.unsigned"])
        }
        Format::Integer(_) => (
            Level::May,
            vec![
                "zfp.data_type.promoted",
                "zfp.promotion",
                "zfp.promotion.integers",
                "zfp.demotion",
            ],
        ),
        format => {
            let mut base = vec![
                "zfp.data_type.promoted",
                "zfp.promotion",
                "zfp.promotion.floats",
                "zfp.demotion.floats",
            ];
            if format.float().is_some_and(|format| format.nan != Nan::Ieee) {
                base.push("zfp.demotion.floats.small");
            }
            (Level::May, base)
        }
    };
    Topic {
        file: File::new("zfp", data_type.name(), ZARR_EXTENSIONS),
        data_type,
        base,
        most,
    }
}

/// Returns whether zfp itself has the type. Such types have more cases.
fn is_own(topic: &Topic) -> bool {
    topic.base.is_empty()
}

fn is_float(data_type: DataType) -> bool {
    data_type.format().float().is_some()
}

/// Returns the clauses about the contents of a block.
fn content(topic: &Topic, reversible: bool) -> Vec<&'static str> {
    let mut clauses = vec!["zfp.planes", "zfp.block.negabinary", "zfp.stream"];
    if !is_own(topic) {
        // The padding of the last word is a ruling.
        clauses.push("zfp.stream.words");
    }
    clauses.extend(match (is_float(topic.data_type), reversible) {
        (true, true) => &[
            "zfp.reversible.float",
            "zfp.lift.reversible",
            "zfp.float.exponent",
        ][..],
        (true, false) => &[
            "zfp.float",
            "zfp.float.exponent",
            "zfp.float.truncation",
            "zfp.float.precision",
            "zfp.float.decode",
            "zfp.lift.lossy",
        ],
        (false, true) => &["zfp.reversible.integer", "zfp.lift.reversible"],
        (false, false) => &["zfp.integer", "zfp.lift.lossy"],
    });
    clauses
}

const REVERSIBLE: &str = r#"{"mode":"reversible"}"#;

/// The shapes for each rank: whole blocks, blocks that are partial in each dimension, and several blocks in each
/// dimension.
const SHAPES: [&[&[u64]]; 5] = [
    &[&[]],
    &[&[4], &[1], &[2], &[3], &[7], &[10]],
    &[&[4, 4], &[1, 1], &[2, 3], &[3, 5], &[5, 6]],
    &[&[4, 4, 4], &[1, 2, 3], &[3, 4, 5], &[2, 5, 1]],
    &[&[3, 4, 2, 2], &[2, 3, 1, 2], &[1, 3, 5, 2], &[5, 1, 2, 3]],
];

/// Returns the clauses that a shape tests.
fn of_shape(shape: &[u64]) -> Vec<&'static str> {
    let mut clauses = Vec::new();
    if shape.is_empty() {
        clauses.push("zfp.blocks.single");
    }
    if shape.iter().any(|extent| !extent.is_multiple_of(4)) {
        clauses.push("zfp.blocks.partial");
    }
    let several = shape.iter().filter(|&&extent| extent > 4).count();
    if shape.len() > 1 {
        clauses.extend(["zfp.blocks", "zfp.block.order"]);
    }
    if several > 0 {
        clauses.push("zfp.blocks.order");
    }
    clauses
}

/// Returns the name of a case with this shape.
fn named(shape: &[u64]) -> String {
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    match extents.is_empty() {
        true => "single".into(),
        false => extents.join("x"),
    }
}

/// Adds every mode in every rank.
fn modes(topic: &mut Topic) -> Result<(), String> {
    let (data_type, own) = (topic.data_type, is_own(topic));
    let mut modes: Vec<(String, String, &[&'static str])> =
        vec![("reversible".into(), REVERSIBLE.into(), &["zfp.reversible"])];
    let precisions: &[u32] = if own { &[1, 20] } else { &[11] };
    for precision in precisions {
        modes.push((
            format!("precision-{precision}"),
            format!(r#"{{"mode":"fixed_precision","precision":{precision}}}"#),
            &["zfp.precision.planes"],
        ));
    }
    let rates: &[&str] = if own { &["3", "10.5"] } else { &["6.25"] };
    for rate in rates {
        modes.push((
            format!("rate-{rate}"),
            format!(r#"{{"mode":"fixed_rate","rate":{rate}}}"#),
            &["zfp.rate.bits", "zfp.rate.rank"],
        ));
    }
    if is_float(data_type) {
        let tolerance = if own { "1e-4" } else { "0.3" };
        modes.push((
            format!("tolerance-{tolerance}"),
            format!(r#"{{"mode":"fixed_accuracy","tolerance":{tolerance}}}"#),
            &["zfp.accuracy.exponent"],
        ));
    }
    modes.push((
        "expert".into(),
        r#"{"mode":"expert","minbits":40,"maxbits":300,"maxprec":24,"minexp":-9}"#.into(),
        &["zfp.expert.limits", "zfp.block"],
    ));
    for (name, configuration, clauses) in modes {
        let clauses = [&content(topic, name == "reversible"), clauses].concat();
        let mut pair = topic.pair(&name, Level::Must, &clauses);
        for shapes in SHAPES {
            // Types that are converted to one of zfp's own are compressed in the same blocks, so they need fewer
            // shapes.
            let fewer = if own { 1 } else { (shapes.len() - 1).max(1) };
            for shape in shapes.iter().step_by(fewer) {
                let input = smooth(data_type, shape);
                pair.both(&named(shape), &of_shape(shape), &configuration, &input)?;
            }
        }
        let single = dense(data_type);
        pair.both("single-dense", &of_shape(&[]), &configuration, &single)?;
        pair.finish();
    }
    Ok(())
}
