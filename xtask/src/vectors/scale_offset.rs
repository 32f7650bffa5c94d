//! The vectors of `scale_offset`: one topic for each data type, and one for the data types that
//! the codec does not have.

mod floats;
mod integers;
mod small;

use exactum_model::{Array, DataType, Format, Reason, ScaleOffset};
use exactum_vectors::{Expect, File, Level, Request};
use rayon::prelude::*;

use super::Topics;
use super::builder::{ZARR_EXTENSIONS, agreed, request};
use crate::oracle;

/// The data types whose topics are made of chosen elements. Those of 8 bits and less have topics of
/// every element, too.
const TYPES: [DataType; 12] = [
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::Uint8,
    DataType::Uint16,
    DataType::Uint32,
    DataType::Uint64,
    DataType::Bfloat16,
    DataType::Float16,
    DataType::Float32,
    DataType::Float64,
];

/// The ruling that leaves open what parameters that are not finite do to elements.
const NON_FINITE_PARAMETERS: &str = "R5";

/// All topics of the row.
pub(crate) fn topics() -> Topics {
    let mut made: Vec<Result<File, String>> = TYPES
        .par_iter()
        .map(|&data_type| {
            let mut topic = Topic::new(data_type.name(), data_type);
            match data_type.format() {
                Format::Integer(format) => integers::fill(&mut topic, &format)?,
                _ => floats::fill(&mut topic)?,
            }
            Ok(topic.file)
        })
        .collect();
    let small: Vec<DataType> = DataType::ALL
        .iter()
        .copied()
        .filter(|of| of.is_real() && of.format().component_bits() <= 8)
        .collect();
    made.par_extend(small.into_par_iter().map(small::topic));
    made.push(shapes());
    made.push(data_types());
    let (files, disagreements): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
    if disagreements.is_empty() {
        Ok(files.into_iter().flatten().collect())
    } else {
        Err(disagreements.into_iter().filter_map(Result::err).collect())
    }
}

/// Arrays of more dimensions than one, of none, and of no element.
fn shapes() -> Result<File, String> {
    let mut topic = Topic::new("shapes", DataType::Float32);
    let configuration = r#"{"offset":0.5,"scale":0.1}"#;
    let codec = topic.codec(&topic.what("shapes", ""), configuration)?;
    for (direction, clause) in [
        (Encode, "scale_offset.encode"),
        (Decode, "scale_offset.decode"),
    ] {
        let mut made = Vec::new();
        for (id, shape, texts) in [
            ("plane", &[2, 3][..], "1 2.2 -3 0.5 0.1 1000"),
            ("column", &[3, 1], "1 2.2 -3"),
            ("cube", &[2, 1, 2], "1 2.2 -3 0.5"),
            ("no-dimension", &[], "2.2"),
            ("empty", &[0], ""),
            ("empty-plane", &[2, 0], ""),
        ] {
            let what = topic.what("shapes", id);
            let elements = topic.elements(&what, texts)?;
            let outputs: Result<Vec<u64>, Reason> = topic
                .answers(&what, direction, &codec, &elements)?
                .into_iter()
                .collect();
            let outputs = outputs.map_err(|reason| format!("{what}: {}", reason.name()))?;
            let shaped = |elements: Vec<u64>| {
                Array::from_components(topic.data_type, shape.to_vec(), elements)
                    .map_err(|rejection| rejection.message)
            };
            let input = exactum_vectors::array_to_json(&shaped(elements)?);
            let expect = Expect::output(&shaped(outputs)?);
            made.push((id, request([("input", input)]), expect, texts));
        }
        let name = match direction {
            Encode => "encode",
            Decode => "decode",
        };
        let shared = request([
            ("op", direction.operation().into()),
            ("configuration", configuration.into()),
        ]);
        let group = topic.file.group(name, Level::Must, &[clause], shared);
        for (id, input, expect, texts) in made {
            let case = group.case(id, &[], input, expect);
            if !texts.is_empty() {
                case.note(texts);
            }
        }
    }
    Ok(topic.file)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Encode,
    Decode,
}

use Direction::{Decode, Encode};

impl Direction {
    fn operation(self) -> &'static str {
        match self {
            Encode => "scale_offset.encode",
            Decode => "scale_offset.decode",
        }
    }
}

/// How much of a group is bound by the text, and what it is about.
#[derive(Clone, Copy, Debug)]
struct About<'a> {
    level: Level,
    clauses: &'a [&'a str],
}

/// What the text says.
fn must<'a>(clauses: &'a [&'a str]) -> About<'a> {
    About {
        level: Level::Must,
        clauses,
    }
}

/// What we say.
fn ruling<'a>(clauses: &'a [&'a str]) -> About<'a> {
    About {
        level: Level::Ruling,
        clauses,
    }
}

/// A topic in the making.
struct Topic {
    file: File,
    data_type: DataType,
}

impl Topic {
    fn new(name: &str, data_type: DataType) -> Self {
        Self {
            file: File::new("scale_offset", name, ZARR_EXTENSIONS),
            data_type,
        }
    }

    fn what(&self, group: &str, case: &str) -> String {
        format!("scale_offset/{}/{group}/{case}", self.file.topic)
    }

    /// The codec of a configuration, read twice.
    fn codec(&self, what: &str, configuration: &str) -> Result<ScaleOffset, String> {
        let codec = exactum_metadata::parse_scale_offset(configuration, self.data_type)
            .map_err(|rejection| format!("{what}: {configuration}: {rejection}"))?;
        let second = oracle::documents::scale_offset(configuration, self.data_type);
        if second == Some(codec) {
            Ok(codec)
        } else {
            Err(format!(
                "{what}: {configuration}: read as {codec:?} and as {second:?}"
            ))
        }
    }

    /// Elements written as fill values, with spaces between them.
    fn elements(&self, what: &str, texts: &str) -> Result<Vec<u64>, String> {
        texts
            .split_whitespace()
            .map(|text| {
                let first = exactum_metadata::parse_fill_value(self.data_type, text);
                agreed(
                    || format!("{what}: the element {text}"),
                    first.map_err(|rejection| rejection.reason),
                    oracle::fill_value::parse(self.data_type, text),
                )?
                .map(|scalar| scalar.component(0))
                .map_err(|_| format!("{what}: {text} is no {}", self.data_type))
            })
            .collect()
    }

    fn array(&self, elements: &[u64]) -> Result<Array, String> {
        let extent = u64::try_from(elements.len()).unwrap_or_default();
        Array::from_components(self.data_type, vec![extent], elements.iter().copied())
            .map_err(|rejection| rejection.message)
    }

    fn input(&self, elements: &[u64]) -> Result<Request, String> {
        let input = exactum_vectors::array_to_json(&self.array(elements)?);
        Ok(request([("input", input)]))
    }

    /// What both oracles say of elements.
    fn answers(
        &self,
        what: &str,
        direction: Direction,
        codec: &ScaleOffset,
        elements: &[u64],
    ) -> Result<Vec<Result<u64, Reason>>, String> {
        use exactum_reference::scale_offset as reference;
        let nan = self.data_type.format().float();
        elements
            .iter()
            .map(|&bits| {
                let (first, second) = match direction {
                    Encode => (
                        reference::encode_element(codec, bits),
                        oracle::scale_offset::encode(codec, bits),
                    ),
                    Decode => (
                        reference::decode_element(codec, bits),
                        oracle::scale_offset::decode(codec, bits),
                    ),
                };
                // Which NaN comes out is free.
                let plain =
                    |bits: u64| match nan.and_then(|format| Some((format, format.nan_bits()?))) {
                        Some((format, default)) if format.is_nan(bits) => default,
                        _ => bits,
                    };
                agreed(
                    || format!("{what}: element {bits:x}"),
                    first.map(plain).map_err(|rejection| rejection.reason),
                    second.map(plain),
                )
            })
            .collect()
    }

    /// A group of one configuration: each case is its id and its elements, which all have results
    /// or are all rejected.
    fn group(
        &mut self,
        name: &str,
        about: About<'_>,
        direction: Direction,
        configuration: &str,
        cases: &[(&str, &str)],
    ) -> Result<(), String> {
        let codec = self.codec(&self.what(name, ""), configuration)?;
        let mut made = Vec::new();
        for (id, texts) in cases {
            let what = self.what(name, id);
            let elements = self.elements(&what, texts)?;
            let answers = self.answers(&what, direction, &codec, &elements)?;
            let outputs: Result<Vec<u64>, Reason> = answers.iter().copied().collect();
            let expect = match outputs {
                Ok(outputs) => Expect::output(&self.array(&outputs)?),
                Err(reason) if answers.iter().all(Result::is_err) => Expect::reject(reason),
                Err(_) => return Err(format!("{what}: some are accepted, some are not")),
            };
            made.push((*id, *texts, self.input(&elements)?, expect));
        }
        let group = self.file.group(
            name,
            about.level,
            about.clauses,
            request([
                ("op", direction.operation().into()),
                ("configuration", configuration.into()),
            ]),
        );
        for (id, texts, input, expect) in made {
            let rejected = matches!(expect, Expect::Reject(_));
            let case = group.case(id, &[], input, expect);
            if rejected {
                case.each();
            }
            if texts.len() <= 100 {
                case.note(texts.replace('"', ""));
            }
        }
        Ok(())
    }

    /// A group whose elements may have one of two results: those of both configurations.
    fn either(
        &mut self,
        name: &str,
        about: About<'_>,
        direction: Direction,
        configurations: [&str; 2],
        texts: &str,
    ) -> Result<(), String> {
        let what = self.what(name, "either");
        let elements = self.elements(&what, texts)?;
        let mut alternatives = Vec::new();
        for configuration in configurations {
            let codec = self.codec(&what, configuration)?;
            let outputs: Result<Vec<u64>, Reason> = self
                .answers(&what, direction, &codec, &elements)?
                .into_iter()
                .collect();
            let outputs = outputs.map_err(|reason| format!("{what}: {}", reason.name()))?;
            alternatives.push(Expect::output(&self.array(&outputs)?));
        }
        if alternatives[0] == alternatives[1] {
            return Err(format!("{what}: the alternatives are the same"));
        }
        let input = self.input(&elements)?;
        let request = request([
            ("op", direction.operation().into()),
            ("configuration", configurations[0].into()),
        ]);
        self.file
            .group(name, about.level, about.clauses, request)
            .case("either", &[], input, Expect::OneOf(alternatives))
            .note(texts);
        Ok(())
    }

    /// A group of elements for which the text says nothing.
    fn open(
        &mut self,
        name: &str,
        about: About<'_>,
        direction: Direction,
        cases: &[(&str, &str, &str)],
    ) -> Result<(), String> {
        let mut made = Vec::new();
        for (id, configuration, texts) in cases {
            let what = self.what(name, id);
            let codec = self.codec(&what, configuration)?;
            let elements = self.elements(&what, texts)?;
            self.answers(&what, direction, &codec, &elements)?;
            let mut own = self.input(&elements)?;
            own.insert("configuration".into(), (*configuration).into());
            made.push((*id, own, format!("{configuration} on {texts}")));
        }
        let op = request([("op", direction.operation().into())]);
        let group = self.file.group(name, about.level, about.clauses, op);
        for (id, own, note) in made {
            let expect = Expect::Open(NON_FINITE_PARAMETERS.into());
            group.case(id, &[], own, expect).note(note.replace('"', ""));
        }
        Ok(())
    }

    /// Configurations to accept, with the elements that show it, and to reject: some
    /// implementations only decode.
    fn configurations(
        &mut self,
        name: &str,
        about: About<'_>,
        element: &str,
        accepted: &[(&str, &str)],
        rejected: &[(&str, &str)],
    ) -> Result<(), String> {
        self.configurations_of(Encode, name, about, element, accepted, rejected)?;
        // Every scale divides zero; by the smallest one anything else would overflow. A type without
        // zero is asked with modest scales only.
        let without_zero = matches!(self.data_type.format(), Format::Float(format) if !format.zero);
        let element = if without_zero { "1" } else { "0" };
        let name = format!("decode-{name}");
        self.configurations_of(Decode, &name, about, element, accepted, rejected)
    }

    fn configurations_of(
        &mut self,
        direction: Direction,
        name: &str,
        about: About<'_>,
        element: &str,
        accepted: &[(&str, &str)],
        rejected: &[(&str, &str)],
    ) -> Result<(), String> {
        let mut made = Vec::new();
        for (id, configuration) in accepted {
            let what = self.what(name, id);
            let codec = self.codec(&what, configuration)?;
            let elements = self.elements(&what, element)?;
            let outputs: Result<Vec<u64>, Reason> = self
                .answers(&what, direction, &codec, &elements)?
                .into_iter()
                .collect();
            let outputs = outputs.map_err(|reason| format!("{what}: {}", reason.name()))?;
            let output = self.array(&outputs)?;
            made.push((*id, *configuration, Expect::output(&output)));
        }
        for (id, configuration) in rejected {
            let what = self.what(name, id);
            match exactum_metadata::parse_scale_offset(configuration, self.data_type) {
                Err(rejection) if rejection.clause == about.clauses[0] => {
                    made.push((*id, *configuration, Expect::reject(rejection.reason)));
                }
                other => {
                    return Err(format!(
                        "{what}: {configuration}: {} says no, but: {other:?}",
                        about.clauses[0]
                    ));
                }
            }
        }
        let mut shared = self.input(&self.elements(name, element)?)?;
        shared.insert("op".into(), direction.operation().into());
        let group = self.file.group(name, about.level, about.clauses, shared);
        for (id, configuration, expect) in made {
            let own = request([("configuration", configuration.into())]);
            group.case(id, &[], own, expect);
        }
        Ok(())
    }
}

/// Data types that are not on the codec's list.
fn data_types() -> Result<File, String> {
    let mut file = File::new("scale_offset", "data-types", ZARR_EXTENSIONS);
    for (direction, name) in [(Encode, "encode"), (Decode, "decode")] {
        let op = request([("op", direction.operation().into())]);
        let group = file.group(name, Level::Must, &["scale_offset.data_types"], op);
        for data_type in [DataType::Bool, DataType::Complex64, DataType::Complex128] {
            for (kind, configuration) in [("no-parameters", "{}"), ("scale", r#"{"scale":1}"#)] {
                let element = exactum_model::Scalar::new(data_type, 0);
                let input = Array::new(data_type, vec![1], element.to_bytes())
                    .map_err(|rejection| rejection.message)?;
                let id = format!("{data_type}-{kind}");
                match exactum_metadata::parse_scale_offset(configuration, data_type) {
                    Err(rejection) if rejection.clause == "scale_offset.data_types" => {
                        let own = request([
                            ("configuration", configuration.into()),
                            ("input", exactum_vectors::array_to_json(&input)),
                        ]);
                        group.case(&id, &[], own, Expect::reject(rejection.reason));
                    }
                    other => return Err(format!("scale_offset/data-types/{id}: {other:?}")),
                }
            }
        }
        // The other side of the list: the narrowest and the widest of both kinds.
        for data_type in [
            DataType::Int8,
            DataType::Uint64,
            DataType::Float16,
            DataType::Float64,
        ] {
            let topic = Topic::new("data-types", data_type);
            let codec = topic.codec(name, r#"{"scale":1}"#)?;
            let elements = topic.elements(name, "0 1 2")?;
            let outputs: Result<Vec<u64>, Reason> = topic
                .answers(name, direction, &codec, &elements)?
                .into_iter()
                .collect();
            let outputs = outputs.map_err(|reason| format!("{data_type}: {}", reason.name()))?;
            let mut own = topic.input(&elements)?;
            own.insert("configuration".into(), r#"{"scale":1}"#.into());
            let expect = Expect::output(&topic.array(&outputs)?);
            group.case(data_type.name(), &[], own, expect);
        }
    }
    Ok(file)
}

/// The form of a configuration and its keys; the same for every data type.
fn keys(topic: &mut Topic) -> Result<(), String> {
    topic.configurations(
        "object",
        must(&["scale_offset.configuration"]),
        "7",
        &[("empty", "{}"), ("scale", r#"{"scale":1}"#)],
        &[
            ("null", "null"),
            ("list", "[5,1]"),
            ("number", "5"),
            ("string", r#""scale_offset""#),
            ("boolean", "true"),
        ],
    )?;
    topic.configurations(
        "keys",
        must(&["scale_offset.configuration.keys"]),
        "7",
        &[("both", r#"{"offset":5,"scale":1}"#), ("none", "{}")],
        &[
            ("dtype", r#"{"offset":5,"scale":1,"dtype":"<f4"}"#),
            ("astype", r#"{"offset":5,"scale":1,"astype":"|u1"}"#),
            ("data-type", r#"{"offset":5,"scale":1,"data_type":"uint8"}"#),
            ("other-case", r#"{"Offset":5}"#),
            ("misspelled", r#"{"ofset":5}"#),
            ("null-value", r#"{"offset":5,"x":null}"#),
            ("empty-key", r#"{"":0}"#),
            ("name", r#"{"name":"scale_offset","offset":5}"#),
        ],
    )
}
