//! Groups about data sets: conversions, reading and writing of external data, and documents.

use std::collections::{BTreeMap, BTreeSet};

use exactum_metadata::sds::{
    DataSets, data_sets_to_json, lowered_to_json, parse_plan, parse_scaling, parse_sds,
    plan_to_json, sds_type,
};
use exactum_metadata::{Document, DocumentKind};
use exactum_model::sds::{DataSet, External, NAN, Output, Profile, SdsType, Warnings};
use exactum_model::{Reason, Rejection};
use exactum_reference::sds as reference;
use exactum_vectors::{Expect, Group, Level, Request, Within};
use serde_json::{Map, Value, json};

use super::{Case, Faults, Head, Topic, refused, request, try_each_case};
use crate::oracle;
use crate::vectors::shorthand::{self, words};

/// The parsed text of a case: `@CLAUSE.. TYPE:VALUES KEY=JSON..`. The keys `scale`, `offset`, `fill`, `pos` and `neg`
/// belong to the data set; `set_scale`, `set_offset` and `filled` are the `scale`, `offset` and `fill` of the request;
/// all others are members of the request. `range` is `A..B`, `in` is a whole data set, and `about=PATH:BOUND` gives a
/// bound for a number of the answer.
pub(crate) struct Asked {
    pub(crate) clauses: Vec<String>,
    pub(crate) request: Request,
    about: BTreeMap<String, String>,
}

/// The keys that have the same name in a request.
const REQUESTED: [&str; 10] = [
    "target", "cast", "external", "storage", "profile", "policy", "scaling", "minimum", "maximum",
    "needs",
];

impl Asked {
    pub(crate) fn read(op: &str, text: &str) -> Result<Self, String> {
        let mut asked = Self {
            clauses: Vec::new(),
            request: request([("op", op.into())]),
            about: BTreeMap::new(),
        };
        let (mut set, mut scaling, mut infinite) = (Map::new(), Map::new(), Map::new());
        for word in words(text)? {
            if let Some(clause) = word.strip_prefix('@') {
                asked.clauses.push(clause.to_owned());
                continue;
            }
            let read = |text: &str| -> Result<Value, String> {
                serde_json::from_str(text).map_err(|fault| format!("{word}: {fault}"))
            };
            let parted = word
                .split_once(":[")
                .filter(|(name, _)| !name.contains('='));
            if let Some((name, values)) = parted {
                set.insert("type".into(), name.into());
                set.insert("values".into(), read(&format!("[{values}"))?);
                continue;
            }
            let (key, text) = word.split_once('=').ok_or(format!("{word}: KEY=JSON"))?;
            match key {
                "range" => {
                    let (least, greatest) = text.split_once("..").ok_or("range=A..B")?;
                    asked.request.insert("minimum".into(), read(least)?);
                    asked.request.insert("maximum".into(), read(greatest)?);
                    continue;
                }
                "about" => {
                    let (path, bound) = text.split_once(':').ok_or("about=PATH:BOUND")?;
                    asked.about.insert(path.into(), bound.into());
                    continue;
                }
                _ => {}
            }
            let value = match key {
                "target" | "cast" | "external" | "storage" | "profile" => text.into(),
                "policy" if !text.starts_with(['{', '"', '[']) => text.into(),
                _ => read(text)?,
            };
            let (members, key) = match key {
                "set_scale" => (&mut asked.request, "scale"),
                "set_offset" => (&mut asked.request, "offset"),
                "filled" => (&mut asked.request, "fill"),
                "in" => (&mut asked.request, "input"),
                "scale" | "offset" => (&mut scaling, key),
                "pos" | "neg" => (&mut infinite, key),
                "fill" => (&mut set, key),
                _ if REQUESTED.contains(&key) => (&mut asked.request, key),
                _ => return Err(format!("{key} is not a key")),
            };
            members.insert(key.into(), value);
        }
        if op == "sds.lower" {
            asked.request.insert("scaling".into(), scaling.into());
        } else if !set.is_empty() {
            let input = with_attributes(set, &scaling, &infinite);
            asked.request.insert("input".into(), input);
        }
        Ok(asked)
    }
}

/// Adds the attributes to a data set; missing attributes are null.
fn with_attributes(
    mut set: Map<String, Value>,
    scaling: &Map<String, Value>,
    infinite: &Map<String, Value>,
) -> Value {
    let attribute = |key: &str| scaling.get(key).cloned().unwrap_or_default();
    let scaling = json!({"scale": attribute("scale"), "offset": attribute("offset")});
    set.insert("scaling".into(), scaling);
    set.entry("fill").or_insert(Value::Null);
    let codes = match infinite.is_empty() {
        true => Value::Null,
        false => json!({"pos": infinite.get("pos"), "neg": infinite.get("neg")}),
    };
    set.insert("infinite".into(), codes);
    set.into()
}

/// Returns the answer of the reference. The outer error is a rejection of the request itself, about which only the
/// reference is asked.
pub(crate) fn answer(request: &Request) -> Result<Result<Value, Rejection>, Rejection> {
    let op = request["op"].as_str().unwrap_or_default();
    let text = |key: &str| request.get(key).and_then(Value::as_str);
    if op == "sds.lower" {
        let scaling = parse_scaling(&request["scaling"].to_string())?;
        return Ok(reference::lower(scaling).map(|it| lowered_to_json(&it)));
    }
    if op == "sds.plan" {
        let mut members = request.clone();
        members.shift_remove("op");
        let asked = parse_plan(&Value::Object(members).to_string())?;
        return Ok(reference::plan(&asked).map(|plan| plan_to_json(&asked, &plan)));
    }
    let profile = text("profile").map(|name| named(name, Profile::by_name));
    let profile = profile.transpose()?;
    let document = parse_sds(&request["input"].to_string(), profile)?;
    let profile = profile.or(document.profile).unwrap_or_default();
    let sets = document.sets;
    let of = |key: &str| text(key).map(sds_type).transpose();
    let cast = match text("cast") {
        Some("ANY") => None,
        _ => of("cast")?,
    };
    let external = text("external").map(|name| named(name, External::by_name));
    let external = external.transpose()?;
    let attribute = |key: &str| request.get(key).map(number);
    Ok(match op {
        "sds.convert" => {
            let target = of("target")?.ok_or_else(|| no("target"))?;
            converted(&sets, |set| reference::convert(set, target, profile))
        }
        "sds.read" => converted(&sets, |set| reference::read(set, cast, external, profile)),
        "sds.write" => {
            let output = Output {
                storage: of("storage")?.unwrap_or(SdsType::I2),
                scaling: request.get("scaling") != Some(&json!(false)),
                fill: attribute("fill").flatten(),
                external,
            };
            converted(&sets, |set| reference::write(set, cast, &output, profile))
        }
        "sds.set" => {
            let set = sets.try_map(|_, set| {
                let mut set = set.clone();
                if let Some(scale) = attribute("scale") {
                    set.scaling.set_scale(scale);
                }
                if let Some(offset) = attribute("offset") {
                    set.scaling.set_offset(offset);
                }
                Ok::<_, Rejection>(set)
            });
            set.map(|sets| json!({"output": data_sets_to_json(&sets)}))
        }
        "sds.missing" => masks(&sets),
        _ => return Err(no("op")),
    })
}

fn named<T>(name: &str, by_name: fn(&str) -> Option<T>) -> Result<T, Rejection> {
    by_name(name).ok_or_else(|| no(name))
}

fn no(what: &str) -> Rejection {
    Rejection::new(Reason::Metadata, "sds.document", format!("no {what}"))
}

/// Returns the bits of a number in a request.
fn number(value: &Value) -> Option<u64> {
    match value.as_str() {
        Some("NaN") => Some(NAN),
        Some("Infinity") => Some(f64::INFINITY.to_bits()),
        Some("-Infinity") => Some(f64::NEG_INFINITY.to_bits()),
        _ => value.as_f64().map(f64::to_bits),
    }
}

fn converted(
    sets: &DataSets,
    convert: impl Fn(&DataSet) -> Result<(DataSet, Warnings), Rejection>,
) -> Result<Value, Rejection> {
    let mut warnings = Warnings::new();
    let output = sets.try_map(|_, set| {
        let (output, more) = convert(set)?;
        warnings.extend(more);
        Ok::<_, Rejection>(output)
    })?;
    let warnings: Vec<&str> = warnings.iter().map(|warning| warning.name()).collect();
    Ok(json!({"output": data_sets_to_json(&output), "warnings": warnings}))
}

fn masks(sets: &DataSets) -> Result<Value, Rejection> {
    Ok(match sets {
        DataSets::One(set) => json!({"mask": reference::missing(set)?}),
        DataSets::Variables(sets) => {
            let mut masks = Map::new();
            for (name, set) in sets {
                masks.insert(name.clone(), json!({"mask": reference::missing(set)?}));
            }
            json!({ "variables": masks })
        }
    })
}

/// Returns whether two answers are equal: numbers are compared by value, and warnings as a set.
pub(crate) fn same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Number(one), Value::Number(two)) => one.as_f64() == two.as_f64(),
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same(one, two))
        }
        (Value::Object(one), Value::Object(two)) => {
            one.len() == two.len()
                && one.iter().all(|(key, value)| match (two.get(key), &**key) {
                    (Some(other), "warnings") => names(value) == names(other),
                    (Some(other), _) => same(value, other),
                    (None, _) => false,
                })
        }
        _ => one == two,
    }
}

/// Returns the names in a list.
fn names(list: &Value) -> BTreeSet<String> {
    let names = list.as_array().into_iter().flatten();
    names.map(Value::to_string).collect()
}

/// Returns the answer to a request on which both oracles agree, or its rejection.
pub(crate) fn agreed(request: &Request) -> Result<Result<Value, Rejection>, String> {
    let first = match answer(request) {
        Ok(first) => first,
        Err(rejection) => return Ok(Err(rejection)),
    };
    let second = oracle::sds::answer(request);
    let agree = match (&first, &second) {
        (Ok(first), Ok(second)) => same(first, second),
        (Err(_), Err(_)) => true,
        _ => false,
    };
    match agree {
        true => Ok(first),
        false => {
            let asked = Value::Object(request.clone());
            Err(format!(
                "{asked}: reference {first:?}, second oracle {second:?}"
            ))
        }
    }
}

/// Returns the expectation of an answer. The upstream text does not define warnings.
fn expect(level: Level, answer: Value, about: &BTreeMap<String, String>) -> Expect {
    let mut expect = Expect::ok(answer);
    if let (Level::Must, Expect::Ok(members)) = (level, &mut expect) {
        members.remove("warnings");
    }
    match expect {
        Expect::Ok(ok) if !about.is_empty() => Expect::Within(Within {
            ok,
            bounds: about.clone(),
            ..Within::default()
        }),
        expect => expect,
    }
}

/// Adds a case that both oracles have answered.
pub(crate) fn add(
    group: &mut Group,
    id: &str,
    clauses: &[&str],
    mut asked: Request,
) -> Result<(), String> {
    let answer = agreed(&asked)?.map_err(|rejection| format!("{asked:?}: {rejection}"))?;
    let level = group.level;
    asked.retain(|key, _| !group.request.contains_key(key));
    group.case(id, clauses, asked, expect(level, answer, &BTreeMap::new()));
    Ok(())
}

/// Builds a group of `sds.*`: the members that all cases share, and those of each case.
pub(super) fn sets(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let op = format!("{}.{}", head.row, head.way);
    let mut shared = request([("op", op.clone().into())]);
    // A data set that is shared by all cases is shared in the vectors too.
    if let Some(input) = head.rest.iter().find(|word| word.starts_with("in=")) {
        shared.extend(Asked::read(&op, input)?.request);
    }
    let has_input = shared.contains_key("input");
    let mut group = topic.group(&head.name, head, shared);
    try_each_case(cases, |case| {
        let (text, typed) = match case.text.split_once("-> ") {
            Some((text, typed)) => (text, Some(typed)),
            None => (case.text.as_str(), None),
        };
        let mut asked = Asked::read(&op, &format!("{} {text}", head.rest.join(" ")))?;
        let answer = agreed(&asked.request)?;
        asked.request.remove("op");
        if has_input {
            asked.request.remove("input");
        }
        let expect = head.judged(case, answer.map_err(refused), |mut answer| {
            // Members that an expectation omits may have any value.
            if !head.clauses.iter().any(|it| it == "sds.plan.codecs") {
                answer.as_object_mut().map(|it| it.shift_remove("codecs"));
            }
            if let Some(typed) = typed {
                let typed: Value =
                    serde_json::from_str(typed).map_err(|fault| format!("after `->`: {fault}"))?;
                if !contains(&answer, &typed) {
                    return Err(format!("got {answer}, expected {typed}"));
                }
            }
            Ok(expect(head.level, answer, &asked.about))
        })?;
        let clauses: Vec<&str> = asked.clauses.iter().map(String::as_str).collect();
        group.case(&case.id, &clauses, asked.request, expect);
        Ok(())
    })?;
    Ok(vec![group])
}

/// Returns whether an answer contains the typed members.
pub(crate) fn contains(answer: &Value, typed: &Value) -> bool {
    match (answer, typed) {
        (Value::Object(answer), Value::Object(typed)) => typed.iter().all(|(key, typed)| {
            let found = answer.get(key);
            match key.as_str() {
                "warnings" => found.is_some_and(|found| names(found) == names(typed)),
                _ => found.is_some_and(|found| contains(found, typed)),
            }
        }),
        _ => same(answer, typed),
    }
}

/// The members of small documents.
const MEMBERS: [(&str, &str); 2] = [("type", "\"i2\""), ("values", "[1]")];
const CF_MEMBERS: [(&str, &str); 1] = [("data_type", "\"int16\"")];

/// Builds the groups of `metadata.validate` of kind `sds` or `cf`: documents to accept and to reject, given as `raw
/// TEXT` or as `MEMBER=TEXT..`, which replaces members of the small document.
pub(super) fn validate(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let op = request([
        ("op", "metadata.validate".into()),
        ("kind", head.row.as_str().into()),
    ]);
    topic.one_group(head, op, cases, |case| {
        let text = match case.text.strip_prefix("raw ") {
            Some(raw) => raw.to_owned(),
            None if head.row == "cf" => shorthand::members(&CF_MEMBERS, &case.text)?,
            None => shorthand::members(&MEMBERS, &case.text)?,
        };
        let read = match head.row.as_str() {
            "cf" => Document::scan_as(text.as_bytes(), DocumentKind::Cf)
                .and_then(|document| document.variable().map(drop))
                .map_err(Rejection::from),
            _ => parse_sds(&text, None).map(|_| ()),
        };
        let expect = head.judged(case, read.map_err(refused), |()| Ok(Expect::ok(json!({}))))?;
        Ok((request([("document", text.into())]), expect))
    })
}
