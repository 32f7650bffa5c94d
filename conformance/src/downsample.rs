//! Requests of the row `downsample`: questions about views, and an implementation's answers.

use std::collections::BTreeSet;

use exactum_metadata::downsample::{DownsampleDocument, parse_downsample, parse_transform};
use exactum_model::{Domain, Downsample, Level, Method, Placed, Reason, Rejection, Source, Texts};
use exactum_vectors::{array_to_json, texts_to_json};
use serde_json::{Map, Value, json};

use crate::asked::Asked;
use crate::operations::Verb;
use crate::protocol::{Fault, Outcome, Success};

/// A parsed request of the row `downsample`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DownsampleCall {
    /// `downsample.read`: the elements of a view.
    Read(Downsample, Placed),
    /// `downsample.read` of elements that are not numbers.
    ReadTexts(Downsample, Texts),
    /// `downsample.resolve`: the members that a document resolves to. Nothing is computed.
    Resolve(Box<DownsampleDocument>),
}

impl DownsampleCall {
    /// Reads the members of a request.
    pub(crate) fn read(verb: Verb, asked: &Asked<'_>) -> Outcome<Self> {
        if verb == Verb::Resolve {
            let document = parse_downsample(asked.text("document")?)?;
            return Ok(DownsampleCall::Resolve(Box::new(document)));
        }
        let origin = asked.json("origin").and_then(Value::as_array);
        let origin: Vec<i64> = origin
            .and_then(|origin| origin.iter().map(Value::as_i64).collect())
            .ok_or_else(|| Fault::Error("the request needs origin, a list of positions".into()))?;
        if let Some(texts) = asked.texts("input", &origin)? {
            let view = view(asked, |view| view.domains_of_texts(&texts))?;
            return Ok(DownsampleCall::ReadTexts(view, texts));
        }
        let source = Placed::new(asked.array("input")?, origin)
            .map_err(|rejection| rejection.at_pointer("/origin"))?;
        let view = view(asked, |view| view.domains(&source))?;
        Ok(DownsampleCall::Read(view, source))
    }

    /// Returns the verb that is part of the operation's name.
    pub(crate) const fn verb(&self) -> &'static str {
        match self {
            DownsampleCall::Read(..) | DownsampleCall::ReadTexts(..) => "read",
            DownsampleCall::Resolve(_) => "resolve",
        }
    }

    /// Answers the request with the given functions, which read views.
    ///
    /// # Errors
    /// The rejection by the functions.
    pub fn answer(
        &self,
        read: impl FnOnce(&Downsample, &Placed) -> Result<Placed, Rejection>,
        read_texts: impl FnOnce(&Downsample, &Texts) -> Result<Texts, Rejection>,
    ) -> Outcome {
        Ok(Success::Document(match self {
            DownsampleCall::Read(view, source) => {
                let placed = read(view, source)?;
                members_of(array_to_json(placed.array()), &placed.domain())
            }
            DownsampleCall::ReadTexts(view, source) => {
                let texts = read_texts(view, source)?;
                members_of(texts_to_json(&texts), texts.domain())
            }
            DownsampleCall::Resolve(document) => resolved(document),
        }))
    }
}

/// Returns the features that a request to read uses beyond an array and one level.
pub(crate) fn features(members: &Map<String, Value>) -> BTreeSet<String> {
    let origin = members.get("origin").and_then(Value::as_array);
    let is_moved = origin.is_some_and(|origin| origin.iter().any(|it| it.as_i64() != Some(0)));
    let has = |key: &str| members.get(key).is_some();
    let used = [
        ("origin", is_moved),
        ("then", has("then")),
        ("transform", has("transform")),
    ];
    let used = used.into_iter().filter(|(_, used)| *used);
    used.map(|(name, _)| name.to_owned()).collect()
}

/// Returns the methods of all levels of a request to read that are given by name.
pub(crate) fn methods(members: &Map<String, Value>) -> BTreeSet<String> {
    let then = members.get("then").and_then(Value::as_array);
    let then = then.into_iter().flatten().map(|level| level.get("method"));
    let all = then.chain([members.get("method")]).flatten();
    all.filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}

/// Reads the levels and the transform of a request. `domains` receives the positions of the last level.
fn view(
    asked: &Asked<'_>,
    domains: impl Fn(&Downsample) -> Result<(Vec<Domain>, Domain), Rejection>,
) -> Outcome<Downsample> {
    let mut levels = vec![level(asked.json("factors"), asked.json("method"), "")?];
    match asked.json("then") {
        None => {}
        Some(Value::Array(more)) => {
            for (index, it) in more.iter().enumerate() {
                let at = format!("/then/{index}");
                levels.push(level(it.get("factors"), it.get("method"), &at)?);
            }
        }
        Some(_) => return Err(Fault::Error("then is a list of factors and methods".into())),
    }
    let mut view = Downsample {
        levels,
        transform: None,
    };
    if let Some(transform) = asked.json("transform") {
        let (_, domain) = domains(&view)?;
        view.transform = Some(parse_transform(&transform.to_string(), &domain)?);
    }
    Ok(view)
}

/// Returns whether the factors of every level of a request to read are in the accepted lists, which have one factor for
/// each dimension of the input.
pub(crate) fn takes_factors(
    members: &Map<String, Value>,
    rank: Option<usize>,
    taken: &[Value],
) -> bool {
    let then = members.get("then").and_then(Value::as_array);
    let then = then.into_iter().flatten().map(|level| level.get("factors"));
    then.chain([members.get("factors")]).flatten().all(|level| {
        let count = level.as_array().map(Vec::len);
        taken.contains(level) && count == rank
    })
}

/// Reads one level; `at` is the place of the object that contains it.
fn level(factors: Option<&Value>, method: Option<&Value>, at: &str) -> Outcome<Level> {
    let factors = factors.and_then(Value::as_array).ok_or_else(|| {
        Fault::Error(format!("{at}/factors: the request needs a list of factors"))
    })?;
    let name = method.and_then(Value::as_str).ok_or_else(|| {
        Fault::Error(format!(
            "{at}/method: the request needs the name of a method"
        ))
    })?;
    let method: Method = name.parse().map_err(|_| {
        Rejection::new(
            Reason::Metadata,
            "downsample.document.method",
            format!("there is no method {name:?}"),
        )
        .at_pointer(format!("{at}/method"))
    })?;
    let factors: Vec<u64> = factors
        .iter()
        .enumerate()
        .map(|(index, factor)| {
            factor.as_u64().ok_or_else(|| {
                Rejection::new(
                    Reason::Metadata,
                    "downsample.factors.range",
                    format!("{factor} is not a downsampling factor"),
                )
                .at_pointer(format!("{at}/factors/{index}"))
            })
        })
        .collect::<Result<_, _>>()?;
    let level = Level::new(factors, method);
    Ok(level.map_err(|rejection| rejection.at_pointer(format!("{at}/factors")))?)
}

fn members_of(output: Value, domain: &Domain) -> Map<String, Value> {
    members([("output", output), ("origin", json!(domain.origin()))])
}

/// Returns what is known of a document without opening its base.
fn resolved(document: &DownsampleDocument) -> Map<String, Value> {
    let domain = document.domain.as_ref();
    let units = document.dimension_units.as_ref().map(|units| {
        let unit = |unit: &Option<(f64, String)>| match unit {
            Some((multiplier, name)) => json!([decimal(*multiplier), name]),
            None => Value::Null,
        };
        Value::Array(units.iter().map(unit).collect())
    });
    members([
        ("data_type", json!(document.data_type)),
        ("rank", json!(document.rank)),
        ("origin", json!(domain.map(|domain| domain.origin()))),
        ("shape", json!(domain.map(|domain| domain.shape()))),
        ("chunk_shape", json!(document.chunk_shape)),
        ("dimension_units", json!(units)),
    ])
}

/// Returns a number with the fewest decimals, and an integer without a fraction.
fn decimal(number: f64) -> Value {
    serde_json::from_str(&number.to_string()).unwrap_or_default()
}

fn members<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    let members = members.into_iter();
    members
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
