//! The computed vectors of `cast_value`: pairs of data types, sweeps, and maps and fill values for each pair. The other
//! groups are recipes in the folder beside this file.

mod cells;
mod elements;
mod every_element;
mod fills;
mod maps;
mod pairs;
mod proof;
mod shapes;
mod sweeps;

use exactum_model::{Cast, CastValue, DataType, Format, OutOfRange, Reason, Rejection, Rounding};
use exactum_vectors::{File, Request};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::Topics;
use super::builder::{self, collected, request, row};
use super::opinions::{Direction, Way, agreed};
use crate::oracle;

/// Returns all topics of the row.
pub(crate) fn topics() -> Topics {
    let mut makers: Vec<Box<dyn Fn() -> Result<File, String> + Send + Sync>> = Vec::new();
    for from in real() {
        for to in real() {
            if is_core(from, to) {
                makers.push(Box::new(move || pairs::topic(from, to)));
            } else if pairs::LONG.contains(&(from, to)) {
                makers.push(Box::new(move || pairs::encoded_topic(from, to)));
            } else if bits(from) > 8 {
                makers.push(Box::new(move || pairs::short_topic(from, to)));
            }
        }
        if bits(from) <= 8 {
            makers.push(Box::new(move || every_element::topic(from)));
        }
        if bits(from) <= 16 {
            makers.push(Box::new(move || sweeps::topic(from)));
        }
        makers.push(Box::new(move || cells::topic(from)));
        makers.push(Box::new(move || cells::encoded_topic(from)));
        makers.push(Box::new(move || maps::topic(from)));
        makers.push(Box::new(move || fills::topic(from)));
    }
    makers.push(Box::new(shapes::topic));
    makers.push(Box::new(|| {
        cells::topic_of_practice(DataType::Float8E4m3fn)
    }));
    collected(
        makers
            .into_par_iter()
            .map(|maker| maker().map_err(|fault| vec![fault]))
            .collect::<Vec<_>>(),
    )
}

/// Returns the 26 real data types of the core and the registry.
fn real() -> impl Iterator<Item = DataType> {
    let all = DataType::ALL.iter().copied();
    all.filter(|of| of.is_real() && of.is_registered())
}

/// Returns whether both types belong to the core. Such a pair has the long topics, with every element in every mode and
/// in both directions; any other pair has short topics.
fn is_core(from: DataType, to: DataType) -> bool {
    builder::is_core(from) && builder::is_core(to)
}

/// Returns the width of a real data type in bits.
fn bits(data_type: DataType) -> u32 {
    data_type.format().component_bits()
}

/// The outcome of an element.
type Outcome = Result<u64, Reason>;

/// A configuration without a map, and a direction from one type to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Setting {
    direction: Direction,
    from: DataType,
    to: DataType,
    rounding: Rounding,
    rule: Option<OutOfRange>,
}

impl Setting {
    /// Returns the setting with the default mode and without a range rule.
    fn new(direction: Direction, from: DataType, to: DataType) -> Self {
        Self {
            direction,
            from,
            to,
            rounding: Rounding::NearestEven,
            rule: None,
        }
    }

    fn in_mode(self, rounding: Rounding) -> Self {
        Self { rounding, ..self }
    }

    fn under(self, rule: Option<OutOfRange>) -> Self {
        Self { rule, ..self }
    }

    /// Returns the array's data type and the configured one.
    fn types(&self) -> (DataType, DataType) {
        match self.direction {
            Direction::Encode => (self.from, self.to),
            Direction::Decode => (self.to, self.from),
        }
    }

    fn configuration(&self) -> String {
        configuration(self.types().1, Some(self.rounding), self.rule)
    }

    fn cast(&self) -> Cast<'static> {
        Cast::new(self.from, self.to, self.rounding, self.rule)
    }

    /// Returns the outcome of each element, computed with the codec that the configuration describes.
    fn outcomes(&self, what: &str, elements: &[u64]) -> Result<Vec<Outcome>, String> {
        let codec = resolve(&self.configuration(), self.types().0)
            .map_err(|rejection| rejection.to_string())?;
        let cast = cast(self.direction, &codec);
        let outcomes = elements.iter().map(|&bits| answer(what, &cast, bits));
        outcomes.collect()
    }
}

/// Returns the range rules that an encoded type allows, including the absence of a rule.
fn rules(encoded: DataType) -> &'static [Option<OutOfRange>] {
    const RULES: [Option<OutOfRange>; 3] = [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)];
    match encoded.format() {
        Format::Integer(_) => &RULES,
        _ => &RULES[..2],
    }
}

/// Returns the cast that a codec performs in a direction.
fn cast(direction: Direction, codec: &CastValue) -> Cast<'_> {
    match direction {
        Direction::Encode => codec.encoding(),
        Direction::Decode => codec.decoding(),
    }
}

/// Returns the request without its input. `decoded` is the array's data type.
fn requested(direction: Direction, configuration: &str, decoded: DataType) -> Request {
    let mut request = request([
        ("op", format!("cast_value.{}", direction.name()).into()),
        ("configuration", configuration.into()),
    ]);
    if direction == Direction::Decode {
        request.insert("data_type".into(), decoded.name().into());
    }
    request
}

/// Resolves the text of a configuration for arrays of a data type.
fn resolve(configuration: &str, decoded: DataType) -> Result<CastValue, Rejection> {
    exactum_metadata::parse_cast_value(configuration, decoded)
}

/// Returns the text of a configuration without a map.
fn configuration(
    data_type: DataType,
    rounding: Option<Rounding>,
    out_of_range: Option<OutOfRange>,
) -> String {
    let mut members = json!({"data_type": data_type.name()});
    if let Some(rounding) = rounding {
        members["rounding"] = rounding.name().into();
    }
    if let Some(rule) = out_of_range {
        members["out_of_range"] = rule.name().into();
    }
    members.to_string()
}

/// Returns the outcome on which both oracles agree, or an error if they differ.
fn answer(what: &str, cast: &Cast<'_>, bits: u64) -> Result<Outcome, String> {
    agreed(
        || format!("{what}: element {bits:x} of {}", cast.from),
        exactum_reference::cast_value::cast_element(cast, bits)
            .map_err(|rejection| rejection.reason),
        oracle::cast_value::cast(cast, bits),
    )
}

/// Returns the name of a range rule in ids.
fn rule_name(rule: Option<OutOfRange>) -> &'static str {
    rule.map_or("absent", OutOfRange::name)
}

/// Returns the member `input` of a request.
fn input(data_type: DataType, elements: &[u64]) -> Result<Request, String> {
    let array = exactum_vectors::array_to_json(&row(data_type, elements)?);
    Ok(request([("input", array)]))
}

/// Returns a few elements as values in a note, or `None` if there are too many for one line.
fn note(data_type: DataType, elements: &[u64]) -> Option<String> {
    if elements.len() > 8 {
        return None;
    }
    let values: Vec<String> = elements
        .iter()
        .map(|&bits| {
            let text =
                exactum_exact::canonical(&exactum_model::Scalar::new(data_type, bits.into()));
            match serde_json::from_str(&text) {
                Ok(Value::String(name)) => name,
                _ => text,
            }
        })
        .collect();
    let text = values.join(" ");
    (text.len() <= 100).then_some(text)
}

#[cfg(test)]
mod tests;
