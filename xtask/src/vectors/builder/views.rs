//! Groups of downsampled views: the elements of a base, and what a level, those behind it and a
//! transform make of them.

use exactum_metadata::downsample::{parse_downsample, parse_transform};
use exactum_model::{Array, DataType, Downsample, Level, Method, Placed, Rejection, Source};
use exactum_vectors::{Expect, Group, Request, array_to_json, input_from_json};
use serde_json::{Value, json};

use super::{Case, Faults, Head, Topic, Verdict, request, try_each_case};
use crate::oracle;
use crate::vectors::opinions::{self, agreed};
use crate::vectors::shorthand::{self, words};

/// What a case of `downsample.read` asks: `@CLAUSE.. KEY=JSON.. ELEMENT..`, the keys `type`, `shape`,
/// `origin`, `factors`, `then`, `transform`, or `seed` in the place of the elements.
struct Asked {
    clauses: Vec<String>,
    data_type: Option<DataType>,
    members: Vec<(String, Value)>,
    elements: Vec<String>,
}

impl Asked {
    fn read(topic: &Topic, text: &str) -> Result<Self, String> {
        let mut asked = Self {
            clauses: Vec::new(),
            data_type: topic.data_type,
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
                Some(("type", name)) => {
                    let data_type = name.parse::<DataType>();
                    asked.data_type = Some(data_type.map_err(|()| format!("{name} is no type"))?);
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

    /// The member `input` of the request.
    fn input(&self) -> Result<Value, String> {
        let data_type = self.data_type.ok_or("elements of no data type")?;
        let shape: Option<Vec<u64>> = self
            .member("shape")
            .map(|shape| numbers(shape, Value::as_u64))
            .transpose()?;
        if let Some(seed) = self.member("seed") {
            let shape = shape.ok_or("a seed goes with a shape")?;
            let seed = seed.as_u64().ok_or("a seed is a number")?;
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

/// A list of extents, factors or positions.
pub(crate) fn numbers<T>(value: &Value, read: fn(&Value) -> Option<T>) -> Result<Vec<T>, String> {
    let list = value.as_array();
    list.and_then(|list| list.iter().map(read).collect())
        .ok_or_else(|| format!("{value} is no list of numbers"))
}

/// A view as it is asked for.
pub(crate) struct Asking {
    /// The request's members.
    pub(crate) request: Request,
    /// What they come to, or why not.
    pub(crate) view: Result<Downsample, Rejection>,
    pub(crate) source: Placed,
}

impl Asking {
    /// A request to read; `members` are `origin`, `factors`, `then` and `transform`, of which the
    /// first is 0 where it is absent.
    pub(crate) fn new(
        input: Value,
        method: Method,
        members: &[(String, Value)],
    ) -> Result<Self, String> {
        let array = input_from_json(&input).map_err(|fault| fault.to_string())?;
        let member = |key: &str| {
            let found = members.iter().rev().find(|(name, _)| name == key);
            found.map(|(_, value)| value)
        };
        let zeros = vec![0_i64; array.shape().len()];
        let origin = member("origin").map_or(Ok(zeros), |origin| numbers(origin, Value::as_i64))?;
        let mut request = request([("input", input), ("origin", json!(origin))]);
        for key in ["factors", "then", "transform"] {
            if let Some(value) = member(key) {
                request.insert(key.into(), value.clone());
            }
        }
        let source = Placed::new(array, origin).map_err(|why| why.to_string())?;
        let factors = member("factors").ok_or("no factors")?;
        let then = member("then").cloned().unwrap_or_else(|| json!([]));
        let transform = member("transform");
        Ok(Self {
            view: view(&source, factors, method, &then, transform)?,
            request,
            source,
        })
    }

    /// What both oracles answer.
    pub(crate) fn answer(&self) -> Result<Result<Placed, Rejection>, String> {
        let view = match &self.view {
            Ok(view) => view,
            Err(rejection) => return Ok(Err(rejection.clone())),
        };
        let first = exactum_reference::downsample::read(view, &self.source);
        agreed(
            || format!("{:?}", self.request),
            first.clone().map_err(|rejection| rejection.reason),
            oracle::downsample::read(view, &self.source),
        )?
        .ok();
        Ok(first)
    }

    /// The expectation of an answer. Where elements are carried and not computed, NaNs keep their bits
    /// (downsample.stride, downsample.identity).
    pub(crate) fn expect(&self, answer: &Placed) -> Expect {
        let computes = |level: &Level| level.method() != Method::Stride && !level.is_identity();
        let carried = match &self.view {
            Ok(view) => !view.levels.iter().any(computes),
            Err(_) => false,
        };
        let array = answer.array();
        let mut expect = match carried && has_nan(array) {
            true => Expect::output_bits(array),
            false => Expect::output(array),
        };
        if let Expect::Ok(members) = &mut expect {
            members.insert("origin".into(), json!(answer.domain().origin()));
        }
        expect
    }
}

fn has_nan(array: &Array) -> bool {
    let float = array.data_type().format().float();
    float.is_some_and(|float| array.components().any(|bits| float.is_nan(bits)))
}

fn view(
    source: &Placed,
    factors: &Value,
    method: Method,
    then: &Value,
    transform: Option<&Value>,
) -> Result<Result<Downsample, Rejection>, String> {
    let mut levels = vec![(numbers(factors, Value::as_u64)?, method)];
    for level in then.as_array().ok_or("then is a list")? {
        let name = level["method"].as_str().unwrap_or_default();
        let method = name
            .parse::<Method>()
            .map_err(|()| format!("{name:?} is no method"))?;
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
            let (_, domain) = view.domains(source)?;
            view.transform = Some(parse_transform(&transform.to_string(), &domain)?);
        }
        Ok(view)
    };
    Ok(made())
}

/// `downsample.read`: `METHOD,..`, and what all cases ask. Each method has a group of its own.
pub(super) fn read(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let (methods, shared) = head.rest.split_first().ok_or("no method".to_owned())?;
    let several = methods.contains(',');
    let mut groups = Vec::new();
    for name in methods.split(',') {
        let method: Method = name
            .parse()
            .map_err(|()| format!("{name:?} is no method"))?;
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
            let expect = match (&answer, &case.verdict, &head.open) {
                (Ok(_), Verdict::Accept, Some(ruling)) => Expect::Open(ruling.clone()),
                (Ok(answer), Verdict::Accept, None) => asking.expect(answer),
                (Err(rejection), Verdict::Reject(by), _)
                    if rejection.clause == head.rejecting(by.as_ref()) =>
                {
                    Expect::reject(rejection.reason)
                }
                (answer, verdict, _) => return Err(format!("{verdict:?}, but: {answer:?}")),
            };
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

/// The document of a case, `raw TEXT` or `MEMBER=TEXT..` in the place of the small one's.
fn document(text: &str) -> Result<String, String> {
    match text.strip_prefix("raw ") {
        Some(raw) => Ok(raw.into()),
        None => shorthand::members(&MEMBERS, text),
    }
}

/// `metadata.validate` of kind `downsample`: documents to accept and to reject.
pub(super) fn validate(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let op = [
        ("op", "metadata.validate".into()),
        ("kind", "downsample".into()),
    ];
    documents(topic, head, cases, request(op), |_, _| Ok(json!({})))
}

/// `downsample.resolve`: documents, and behind `->` what they come to. There is no second oracle of
/// documents: what is typed is the second opinion.
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
            .map_err(|fault| format!("behind -> : {fault}"))?;
        let mut whole = json!({
            "data_type": null, "rank": null, "origin": null, "shape": null,
            "chunk_shape": null, "dimension_units": null,
        });
        if let (Some(whole), Some(typed)) = (whole.as_object_mut(), typed.as_object()) {
            whole.extend(typed.clone());
        }
        match found == whole {
            true => Ok(found),
            false => Err(format!("{found}, not {whole}")),
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
    let mut group = topic.group(&head.name, head, op);
    try_each_case(cases, |case| {
        let (text, typed) = match case.text.split_once("-> ") {
            Some((text, typed)) => (text.trim_end(), Some(typed)),
            None => (case.text.as_str(), None),
        };
        let text = document(text)?;
        let expect = match (parse_downsample(&text), &case.verdict) {
            (Ok(document), Verdict::Accept) => Expect::ok(ok(&document, typed)?),
            (Err(Rejection { reason, clause, .. }), Verdict::Reject(by))
                if clause == head.rejecting(by.as_ref()) =>
            {
                Expect::reject(reason)
            }
            (answer, verdict) => {
                let answer = answer.map(|_| "accepted");
                return Err(format!("{verdict:?}, but: {answer:?}: {text}"));
            }
        };
        group.case(&case.id, &[], request([("document", text.into())]), expect);
        Ok(())
    })?;
    Ok(vec![group])
}
