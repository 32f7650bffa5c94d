//! The vectors of `zfp`: a topic for each data type.

mod configurations;
mod limits;
mod small;
mod special;
mod streams;
mod values;

use exactum_model::{Array, DataType, Format, Nan, Reason, Zfp, ZfpScalar};
use exactum_vectors::{File, Level};

use super::Topics;
use super::builder::{ZARR_EXTENSIONS, collected};
use super::bytes_codecs::{Coder, Pair};
use crate::oracle;
use values::{dense, smooth};

impl Coder for Zfp {
    const ROW: &'static str = "zfp";

    fn encode(&self, input: &Array) -> [Result<Vec<u8>, Reason>; 2] {
        let first = exactum_reference::zfp::encode(self, input);
        [
            first.map_err(|rejection| rejection.reason),
            oracle::zfp::encode(self, input),
        ]
    }

    fn decode(&self, shape: &[u64], bytes: &[u8]) -> [Result<Array, Reason>; 2] {
        let first = exactum_reference::zfp::decode(self, shape, bytes);
        [
            first.map_err(|rejection| rejection.reason),
            oracle::zfp::decode(self, shape, bytes),
        ]
    }
}

/// All topics of the row.
pub(crate) fn topics() -> Topics {
    let make = |data_type| {
        let mut topic = Topic::new(data_type);
        if topic.is_float() && data_type.format().component_bits() < 16 {
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

/// A topic in the making.
struct Topic {
    file: File,
    data_type: DataType,
    /// Whether zfp itself has the type: then there is more of everything.
    own: bool,
    /// What every group cites of the type.
    base: Vec<&'static str>,
}

impl Topic {
    fn new(data_type: DataType) -> Self {
        let base = match data_type.format() {
            _ if ZfpScalar::is_own(data_type) => vec![],
            Format::Integer(format) if format.bits >= 32 => vec!["zfp.promotion", "zfp.unsigned"],
            Format::Integer(_) => vec![
                "zfp.data_type.promoted",
                "zfp.promotion",
                "zfp.promotion.integers",
                "zfp.demotion",
            ],
            Format::Float(format) if format.nan != Nan::Ieee => vec![
                "zfp.data_type.promoted",
                "zfp.promotion",
                "zfp.promotion.floats",
                "zfp.demotion.floats",
                "zfp.demotion.floats.small",
            ],
            _ => vec![
                "zfp.data_type.promoted",
                "zfp.promotion",
                "zfp.promotion.floats",
                "zfp.demotion.floats",
            ],
        };
        Self {
            file: File::new("zfp", data_type.name(), ZARR_EXTENSIONS),
            data_type,
            own: base.is_empty(),
            base,
        }
    }

    fn is_float(&self) -> bool {
        self.data_type.format().float().is_some()
    }

    /// Groups of this name, of a type that may be missing at that level.
    fn pair(&mut self, name: &str, level: Level, clauses: &[&'static str]) -> Pair<'_> {
        let level = match self.base.first() {
            Some(&"zfp.data_type.promoted") => Level::May,
            Some(_) => Level::Ruling,
            None => level,
        };
        let clauses = [&self.base, clauses].concat();
        Pair::new(&mut self.file, name, level, &clauses)
    }

    /// A configuration, read twice.
    fn codec(&self, configuration: &str, rank: usize) -> Result<Zfp, String> {
        let first = exactum_metadata::parse_zfp(configuration, self.data_type, rank)
            .map_err(|rejection| format!("{} {configuration}: {rejection}", self.data_type))?;
        let second = oracle::documents::zfp(configuration, self.data_type, rank);
        if second == Some(first) {
            Ok(first)
        } else {
            let what = format!("{} {configuration}", self.data_type);
            Err(format!("{what}: {first:?}, {second:?}"))
        }
    }

    /// The clauses of a block's content.
    fn content(&self, reversible: bool) -> Vec<&'static str> {
        let mut clauses = vec!["zfp.planes", "zfp.block.negabinary", "zfp.stream"];
        if !self.own {
            // What the last word is filled with is ruled on.
            clauses.push("zfp.stream.words");
        }
        clauses.extend(match (self.is_float(), reversible) {
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
}

/// Shapes by rank: whole blocks, partial ones in each dimension, several blocks in each.
const SHAPES: [&[&[u64]]; 5] = [
    &[&[]],
    &[&[4], &[1], &[2], &[3], &[7], &[10]],
    &[&[4, 4], &[1, 1], &[2, 3], &[3, 5], &[5, 6]],
    &[&[4, 4, 4], &[1, 2, 3], &[3, 4, 5], &[2, 5, 1]],
    &[&[3, 4, 2, 2], &[2, 3, 1, 2], &[1, 3, 5, 2], &[5, 1, 2, 3]],
];

/// The clauses that a shape is about.
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

/// The name of a case of a shape.
fn named(shape: &[u64]) -> String {
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    match extents.is_empty() {
        true => "single".into(),
        false => extents.join("x"),
    }
}

/// Every mode in every rank.
fn modes(topic: &mut Topic) -> Result<(), String> {
    let float = topic.is_float();
    let mut modes: Vec<(String, String, &[&'static str])> = vec![(
        "reversible".into(),
        r#"{"mode":"reversible"}"#.into(),
        &["zfp.reversible"],
    )];
    let precisions: &[u32] = if topic.own { &[1, 20] } else { &[11] };
    for precision in precisions {
        modes.push((
            format!("precision-{precision}"),
            format!(r#"{{"mode":"fixed_precision","precision":{precision}}}"#),
            &["zfp.precision.planes"],
        ));
    }
    let rates: &[&str] = if topic.own { &["3", "10.5"] } else { &["6.25"] };
    for rate in rates {
        modes.push((
            format!("rate-{rate}"),
            format!(r#"{{"mode":"fixed_rate","rate":{rate}}}"#),
            &["zfp.rate.bits", "zfp.rate.rank"],
        ));
    }
    if float {
        let tolerances: &[&str] = if topic.own { &["1e-4"] } else { &["0.3"] };
        for tolerance in tolerances {
            modes.push((
                format!("tolerance-{tolerance}"),
                format!(r#"{{"mode":"fixed_accuracy","tolerance":{tolerance}}}"#),
                &["zfp.accuracy.exponent"],
            ));
        }
    }
    modes.push((
        "expert".into(),
        r#"{"mode":"expert","minbits":40,"maxbits":300,"maxprec":24,"minexp":-9}"#.into(),
        &["zfp.expert.limits", "zfp.block"],
    ));
    for (name, configuration, clauses) in modes {
        let clauses = [&topic.content(name == "reversible"), clauses].concat();
        let codecs = (0..=4)
            .map(|rank| topic.codec(&configuration, rank))
            .collect::<Result<Vec<_>, _>>()?;
        let (data_type, own) = (topic.data_type, topic.own);
        let mut pair = topic.pair(&name, Level::Must, &clauses);
        for (shapes, codec) in SHAPES.iter().zip(&codecs) {
            // Types that become one of zfp's own meet its blocks as that one does.
            let fewer = if own { 1 } else { (shapes.len() - 1).max(1) };
            for shape in shapes.iter().step_by(fewer) {
                let input = smooth(data_type, shape);
                let with = (configuration.as_str(), codec);
                pair.both(&named(shape), &of_shape(shape), with, &input)?;
            }
        }
        let single = (configuration.as_str(), &codecs[0]);
        pair.both("single-dense", &of_shape(&[]), single, &dense(data_type))?;
        pair.finish();
    }
    Ok(())
}
