//! Groups about downsampled views: the elements of a base, and the result of a level, of further levels and of a
//! transform.

use exactum_metadata::downsample::{parse_downsample, parse_transform};
use exactum_model::{
    Array, DataType, Domain, Downsample, Level, Method, Placed, Rejection, Source, Text, TextType,
    Texts,
};
use exactum_vectors::{
    ArrayError, Expect, Group, Request, array_to_json, input_from_json, text_type_of,
    texts_from_json, texts_to_json,
};
use serde_json::{Value, json};

use super::{Case, Faults, Head, Topic, refused, request, try_each_case};
use crate::oracle;
use crate::vectors::opinions::{self, agreed};
use crate::vectors::shorthand::{self, words};

/// The parsed text of a case of `downsample.read`: `@CLAUSE.. KEY=JSON.. ELEMENT..`, with the keys `type`, `shape`,
/// `origin`, `factors`, `then` and `transform`, or `seed` instead of the elements.
struct Asked {
    clauses: Vec<String>,
    data_type: Option<DataType>,
    /// The type of non-numeric elements, which replaces the data type.
    text_type: Option<TextType>,
    members: Vec<(String, Value)>,
    elements: Vec<String>,
}

impl Asked {
    fn read(topic: &Topic, text: &str) -> Result<Self, String> {
        let mut asked = Self {
            clauses: Vec::new(),
            data_type: topic.data_type,
            text_type: None,
            members: Vec::new(),
            elements: Vec::new(),
        };
        for word in words(text)? {
            if let Some(clause) = word.strip_prefix('@') {
                asked.clauses.push(clause.to_owned());
                continue;
            }
            let key = word.split_once('=').filter(|(key, _)| {
                !key.is_empty() && key.bytes().all(|letter| letter.is_ascii_lowercase())
            });
            match key {
                Some(("type", name)) if name.parse::<TextType>().is_ok() => {
                    asked.text_type = name.parse().ok();
                }
                Some(("type", name)) => {
                    let data_type = name.parse::<DataType>();
                    asked.data_type = Some(data_type.map_err(|_| format!("{name} is not a type"))?);
                }
                Some((key, text)) => {
                    let value = serde_json::from_str(text);
                    let value = value.map_err(|fault| format!("{key}={text}: {fault}"))?;
                    asked.members.push((key.to_owned(), value));
                }
                None => asked.elements.push(word),
            }
        }
        Ok(asked)
    }

    fn member(&self, key: &str) -> Option<&Value> {
        let found = self.members.iter().rev().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    /// Returns the member `input` of the request.
    fn input(&self) -> Result<Value, String> {
        let shape: Option<Vec<u64>> = self
            .member("shape")
            .map(|shape| numbers(shape, Value::as_u64))
            .transpose()?;
        if let Some(text_type) = self.text_type {
            return self.texts(text_type, shape.as_deref());
        }
        let data_type = self.data_type.ok_or("the elements have no data type")?;
        if let Some(seed) = self.member("seed") {
            let shape = shape.ok_or("a seed needs a shape")?;
            let seed = seed.as_u64().ok_or("the seed is not a number")?;
            return Ok(exactum_vectors::splitmix_input(data_type, &shape, seed));
        }
        let count = u64::try_from(self.elements.len()).unwrap_or_default();
        let shape = shape.unwrap_or_else(|| vec![count]);
        Ok(array_to_json(&opinions::array(
            data_type,
            &shape,
            &self.elements,
        )?))
    }
}

impl Asked {
    /// Returns an input with non-numeric elements: bytes as numbers, strings as JSON strings, and JSON values
    /// unchanged, even if some are not valid JSON.
    fn texts(&self, text_type: TextType, shape: Option<&[u64]>) -> Result<Value, String> {
        let count = [u64::try_from(self.elements.len()).unwrap_or_default()];
        let shape = shape.unwrap_or(&count);
        let fault = |word: &String| format!("{word} is not a value of {text_type}");
        let words = self.elements.iter();
        let elements: Result<Vec<Text>, String> = match text_type {
            TextType::Byte | TextType::Char => {
                let byte = |word: &String| word.parse().map(Text::Byte).map_err(|_| fault(word));
                words.map(byte).collect()
            }
            TextType::String | TextType::Ustring => {
                let text = |word: &String| serde_json::from_str(word).map_err(|_| fault(word));
                words.map(|word| text(word).map(Text::String)).collect()
            }
            TextType::Json => {
                return Ok(json!({
                    "data_type": text_type.name(),
                    "shape": shape,
                    "values": self.elements,
                }));
            }
        };
        let domain = Domain::of_shape(shape).map_err(|why| why.to_string())?;
        let texts = Texts::new(text_type, domain, elements?).map_err(|why| why.to_string())?;
        Ok(texts_to_json(&texts))
    }
}

/// Reads a list of extents, factors or positions.
pub(crate) fn numbers<T>(value: &Value, read: fn(&Value) -> Option<T>) -> Result<Vec<T>, String> {
    let list = value.as_array();
    list.and_then(|list| list.iter().map(read).collect())
        .ok_or_else(|| format!("{value} is not a list of numbers"))
}

/// A request to read a view.
pub(crate) struct Asking {
    /// The members of the request.
    pub(crate) request: Request,
    /// The view and its base, or the rejection of the request.
    pub(crate) view: Result<(Downsample, Elements), Rejection>,
}

/// The elements of a base or of a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Elements {
    /// Numbers.
    Numbers(Placed),
    /// Non-numeric elements.
    Texts(Texts),
}

impl Elements {
    fn read(input: &Value, origin: Vec<i64>) -> Result<Result<Self, Rejection>, String> {
        if text_type_of(input).is_some() {
            return match texts_from_json(input, &origin) {
                Ok(texts) => Ok(Ok(Elements::Texts(texts))),
                Err(ArrayError::Rejected(rejection)) => Ok(Err(rejection)),
                Err(fault) => Err(fault.to_string()),
            };
        }
        let array = input_from_json(input).map_err(|fault| fault.to_string())?;
        let placed = Placed::new(array, origin).map_err(|why| why.to_string())?;
        Ok(Ok(Elements::Numbers(placed)))
    }

    fn domains(&self, view: &Downsample) -> Result<(Vec<Domain>, Domain), Rejection> {
        match self {
            Elements::Numbers(source) => view.domains(source),
            Elements::Texts(source) => view.domains_of_texts(source),
        }
    }
}

impl Asking {
    /// Returns a request to read. `members` are `origin`, `factors`, `then` and `transform`; an absent `origin` is 0.
    pub(crate) fn new(
        input: Value,
        method: Method,
        members: &[(String, Value)],
    ) -> Result<Self, String> {
        let member = |key: &str| {
            let found = members.iter().rev().find(|(name, _)| name == key);
            found.map(|(_, value)| value)
        };
        let rank = input.get("shape").and_then(Value::as_array).map(Vec::len);
        let zeros = vec![0_i64; rank.ok_or("the input has no shape")?];
        let origin = member("origin").map_or(Ok(zeros), |origin| numbers(origin, Value::as_i64))?;
        let source = Elements::read(&input, origin.clone())?;
        let mut request = request([("input", input), ("origin", json!(origin))]);
        for key in ["factors", "then", "transform"] {
            if let Some(value) = member(key) {
                request.insert(key.into(), value.clone());
            }
        }
        let factors = member("factors").ok_or("no factors")?;
        let then = member("then").cloned().unwrap_or_else(|| json!([]));
        let transform = member("transform");
        let view = match source {
            Ok(source) => view(&source, factors, method, &then, transform)?.map(|it| (it, source)),
            Err(rejection) => Err(rejection),
        };
        Ok(Self { request, view })
    }

    /// Returns the answer of both oracles.
    pub(crate) fn answer(&self) -> Result<Result<Elements, Rejection>, String> {
        let (view, source) = match &self.view {
            Ok(view) => view,
            Err(rejection) => return Ok(Err(rejection.clone())),
        };
        let (first, second) = match source {
            Elements::Numbers(source) => (
                exactum_reference::downsample::read(view, source).map(Elements::Numbers),
                oracle::downsample::read(view, source).map(Elements::Numbers),
            ),
            Elements::Texts(source) => (
                exactum_reference::downsample::read_texts(view, source).map(Elements::Texts),
                oracle::texts::read(view, source).map(Elements::Texts),
            ),
        };
        agreed(
            || format!("{:?}", self.request),
            first.clone().map_err(|rejection| rejection.reason),
            second,
        )?
        .ok();
        Ok(first)
    }

    /// Returns the expectation of an answer. If the methods copy elements without computing, NaNs keep their bits
    /// (downsample.stride, downsample.identity).
    pub(crate) fn expect(&self, answer: &Elements) -> Expect {
        let computes = |level: &Level| level.method() != Method::Stride && !level.is_identity();
        let carried = match &self.view {
            Ok((view, _)) => !view.levels.iter().any(computes),
            Err(_) => false,
        };
        let (mut expect, origin) = match answer {
            Elements::Numbers(placed) => {
                let array = placed.array();
                let expect = match carried && has_nan(array) {
                    true => Expect::output_bits(array),
                    false => Expect::output(array),
                };
                (expect, placed.domain().origin().to_vec())
            }
            Elements::Texts(texts) => {
                let output = json!({"output": texts_to_json(texts)});
                (Expect::ok(output), texts.domain().origin().to_vec())
            }
        };
        if let Expect::Ok(members) = &mut expect {
            members.insert("origin".into(), json!(origin));
        }
        expect
    }
}

fn has_nan(array: &Array) -> bool {
    let float = array.data_type().format().float();
    float.is_some_and(|float| array.components().any(|bits| float.is_nan(bits)))
}

fn view(
    source: &Elements,
    factors: &Value,
    method: Method,
    then: &Value,
    transform: Option<&Value>,
) -> Result<Result<Downsample, Rejection>, String> {
    let mut levels = vec![(numbers(factors, Value::as_u64)?, method)];
    for level in then.as_array().ok_or("then is not a list")? {
        let name = level["method"].as_str().unwrap_or_default();
        let method = name
            .parse::<Method>()
            .map_err(|_| format!("{name:?} is not a method"))?;
        levels.push((numbers(&level["factors"], Value::as_u64)?, method));
    }
    let made = || {
        let levels = levels
            .into_iter()
            .map(|(factors, method)| Level::new(factors, method));
        let mut view = Downsample {
            levels: levels.collect::<Result<_, _>>()?,
            transform: None,
        };
        if let Some(transform) = transform {
            let (_, domain) = source.domains(&view)?;
            view.transform = Some(parse_transform(&transform.to_string(), &domain)?);
        }
        Ok(view)
    };
    Ok(made())
}

/// Builds the groups of `downsample.read`, from `METHOD,..` and the members that all cases share. Each method has a
/// group of its own.
pub(super) fn read(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let (methods, shared) = head.rest.split_first().ok_or("no method".to_owned())?;
    let several = methods.contains(',');
    let mut groups = Vec::new();
    for name in methods.split(',') {
        let method: Method = name
            .parse()
            .map_err(|_| format!("{name:?} is not a method"))?;
        let group = match several {
            true => format!("{}-{name}", head.name),
            false => head.name.clone(),
        };
        let op = request([("op", "downsample.read".into()), ("method", name.into())]);
        let mut group = topic.group(&group, head, op);
        try_each_case(cases, |case| {
            let asked = Asked::read(topic, &format!("{} {}", shared.join(" "), case.text))?;
            let asking = Asking::new(asked.input()?, method, &asked.members)?;
            let answer = asking.answer()?;
            let expect = head.judged(case, answer.map_err(refused), |answer| {
                Ok(match &head.open {
                    Some(ruling) => Expect::Open(ruling.clone()),
                    None => asking.expect(&answer),
                })
            })?;
            let clauses: Vec<&str> = asked.clauses.iter().map(String::as_str).collect();
            let added = group.case(&case.id, &clauses, asking.request, expect);
            if !asked.elements.is_empty() && !head.quiet && asked.elements.len() <= 16 {
                added.note(super::note(&asked.elements.join(" ")));
            }
            Ok(())
        })?;
        groups.push(group);
    }
    Ok(groups)
}

/// The members of a small document of a view.
const MEMBERS: [(&str, &str); 4] = [
    ("driver", "\"downsample\""),
    (
        "base",
        r#"{"driver":"array","dtype":"uint8","array":[1,2,3,4]}"#,
    ),
    ("downsample_factors", "[2]"),
    ("downsample_method", "\"mean\""),
];

/// Returns the document of a case, which is `raw TEXT`, or `MEMBER=TEXT..` replacing members of the small document.
fn document(text: &str) -> Result<String, String> {
    match text.strip_prefix("raw ") {
        Some(raw) => Ok(raw.into()),
        None => shorthand::members(&MEMBERS, text),
    }
}

/// Builds the groups of `metadata.validate` of kind `downsample`: documents to accept and to reject.
pub(super) fn validate(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let op = [
        ("op", "metadata.validate".into()),
        ("kind", "downsample".into()),
    ];
    documents(topic, head, cases, request(op), |_, _| Ok(json!({})))
}

/// Builds the groups of `downsample.resolve`: documents, followed by `->` and their meaning. There is no second oracle
/// for these documents, so the typed meaning is the second opinion.
pub(super) fn resolve(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let op = request([("op", "downsample.resolve".into())]);
    documents(topic, head, cases, op, |document, typed| {
        let domain = document.domain.as_ref();
        let units = document.dimension_units.as_ref().map(|units| {
            let unit = |unit: &Option<(f64, String)>| {
                unit.as_ref().map(|(multiplier, name)| {
                    let multiplier: Value =
                        serde_json::from_str(&multiplier.to_string()).unwrap_or_default();
                    json!([multiplier, name])
                })
            };
            units.iter().map(unit).collect::<Vec<_>>()
        });
        let found = json!({
            "data_type": document.data_type,
            "rank": document.rank,
            "origin": domain.map(|domain| domain.origin()),
            "shape": domain.map(|domain| domain.shape()),
            "chunk_shape": document.chunk_shape,
            "dimension_units": units,
        });
        let typed: Value = serde_json::from_str(typed.unwrap_or("{}"))
            .map_err(|fault| format!("after `->`: {fault}"))?;
        let mut whole = json!({
            "data_type": null, "rank": null, "origin": null, "shape": null,
            "chunk_shape": null, "dimension_units": null,
        });
        if let (Some(whole), Some(typed)) = (whole.as_object_mut(), typed.as_object()) {
            whole.extend(typed.clone());
        }
        match found == whole {
            true => Ok(found),
            false => Err(format!("got {found}, expected {whole}")),
        }
    })
}

fn documents(
    topic: &Topic,
    head: &Head,
    cases: &[Case],
    op: Request,
    ok: impl Fn(
        &exactum_metadata::downsample::DownsampleDocument,
        Option<&str>,
    ) -> Result<Value, String>,
) -> Result<Vec<Group>, Faults> {
    topic.one_group(head, op, cases, |case| {
        let (text, typed) = match case.text.split_once("-> ") {
            Some((text, typed)) => (text.trim_end(), Some(typed)),
            None => (case.text.as_str(), None),
        };
        let text = document(text)?;
        let answer = parse_downsample(&text).map_err(refused);
        let expect = head.judged(case, answer, |document| {
            Ok(Expect::ok(ok(&document, typed)?))
        })?;
        Ok((request([("document", text.into())]), expect))
    })
}
