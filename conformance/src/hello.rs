//! The capabilities that an implementation declares, and the requests that it must therefore answer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::downsample::{features, methods, takes_factors};
use crate::names::Names;
use crate::operations::{Form, Member, OPERATIONS, Operation, Verb};
use crate::protocol::{Fault, PROTOCOL};
use crate::request::Request;
use crate::restrictions::{check_key, check_operation};

/// An implementation's introduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Hello {
    /// The name, such as `zarr-python`.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// The language that it is written in.
    pub language: String,
    /// The domain of each operation that it offers.
    pub operations: BTreeMap<String, Domain>,
    /// Whether it reads configurations itself (the default). An adapter for a bare function declares
    /// `"configurations": false` and is not judged on invalid configurations.
    pub configurations: bool,
}

/// The part of an operation that is offered: for each key, the JSON values that are accepted.
///
/// `from` is the data type of the input and `to` that of the output; `empty` is whether the chunk has no elements, and
/// `rank` its number of dimensions. For views, `factors` are the lists of factors that a level may have, with one
/// factor for each dimension of the chunk. For a document, `kind` is its kind, `codecs` are the names of all its
/// codecs, and `data_types` the names of its data types. Each of these names must be accepted; a document without
/// readable names is always accepted. `some_codec` lists codecs of which the document must contain at least one.
/// `except` holds further domains: a request within one of them is not offered. Where a request has several names, such
/// as the methods of its levels, one name in the exception is enough. Every other key is a member of the configuration,
/// and an absent member counts as `null`. A key that is left out accepts everything. A key that the operation does not
/// have is an error.
pub type Domain = BTreeMap<String, Vec<Value>>;

/// The key of a domain that lists what is not offered.
const EXCEPT: &str = "except";

impl Hello {
    /// Returns an introduction without operations.
    #[must_use]
    pub fn new(name: &str, version: &str, language: &str) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            language: language.into(),
            operations: BTreeMap::new(),
            configurations: true,
        }
    }

    /// Returns an introduction that offers every operation.
    #[must_use]
    pub fn offering_everything(name: &str, version: &str, language: &str) -> Self {
        let operations = OPERATIONS.iter();
        let operations: Vec<&str> = operations
            .filter(|operation| operation.verb != Verb::Hello)
            .map(|operation| operation.name)
            .collect();
        Self::new(name, version, language).offering(&operations)
    }

    /// Adds operations that are offered without restriction.
    #[must_use]
    pub fn offering(mut self, operations: &[&str]) -> Self {
        for &operation in operations {
            self.operations.insert(operation.into(), Domain::new());
        }
        self
    }

    /// Adds an operation that is offered for a part of its requests.
    #[must_use]
    pub fn offering_part(mut self, operation: &str, domain: &[(&str, Vec<Value>)]) -> Self {
        let domain = domain
            .iter()
            .map(|(key, values)| ((*key).to_owned(), values.clone()))
            .collect();
        self.operations.insert(operation.into(), domain);
        self
    }

    /// Returns whether a request lies within what is offered.
    #[must_use]
    pub fn declares(&self, request: &Request) -> bool {
        let Some(domain) = self.operations.get(request.op()) else {
            return false;
        };
        within(domain, request, false)
            && (self.configurations || !matches!(request.call(), Err(Fault::Reject(_))))
    }

    /// Returns the members of the answer's `ok`.
    #[must_use]
    pub fn to_members(&self) -> Map<String, Value> {
        let mut ok = json!({
            "protocol": PROTOCOL,
            "name": self.name,
            "version": self.version,
            "language": self.language,
            "operations": self.operations,
        });
        if !self.configurations {
            ok["configurations"] = false.into();
        }
        match ok {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }

    /// Checks that every operation and restriction is known. A key that the operation does not have, such as `fron`,
    /// would accept no request, or every one.
    ///
    /// # Errors
    /// If an operation or key is misspelt. The message names the first one and the nearest known name.
    pub fn check(&self) -> Result<(), String> {
        for (name, domain) in &self.operations {
            let operation = check_operation(name).map_err(|why| format!("hello: {why}"))?;
            let Some(operation) = operation else {
                continue;
            };
            check_keys(operation, domain).map_err(|why| format!("hello: {why}"))?;
        }
        Ok(())
    }

    /// Reads the members of the answer's `ok`.
    ///
    /// # Errors
    /// If a member is missing, has another form or is misspelt. The message names it.
    pub fn from_members(ok: &Map<String, Value>) -> Result<Self, String> {
        if ok.get("protocol").and_then(Value::as_u64) != Some(PROTOCOL) {
            return Err(format!("hello: the protocol is not {PROTOCOL}"));
        }
        let text = |key: &str| {
            ok.get(key)
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| format!("hello: {key} is not a string"))
        };
        let operations = ok
            .get("operations")
            .and_then(Value::as_object)
            .ok_or("hello: operations is not an object")?;
        let hello = Self {
            name: text("name")?,
            version: text("version")?,
            language: text("language")?,
            operations: operations
                .iter()
                .map(|(operation, domain)| {
                    let domain = read_domain(domain)
                        .ok_or_else(|| format!("hello: {operation} is not an object of lists"))?;
                    Ok((operation.clone(), domain))
                })
                .collect::<Result<_, String>>()?,
            configurations: ok.get("configurations") != Some(&Value::Bool(false)),
        };
        hello.check()?;
        Ok(hello)
    }
}

/// Returns whether a request lies within a domain. For a domain that is offered, all names of the request must be
/// listed; for an exception, one is enough.
fn within(domain: &Domain, request: &Request, is_exception: bool) -> bool {
    let names = || {
        let document = request.text("metadata").or(request.text("document"));
        document.map_or_else(Names::default, Names::of)
    };
    domain.iter().all(|(key, taken)| {
        let takes = |names: BTreeSet<String>| {
            let mut names = names.into_iter().map(Value::from);
            match is_exception {
                true => names.any(|name| taken.contains(&name)),
                false => names.all(|name| taken.contains(&name)),
            }
        };
        let value = match key.as_str() {
            EXCEPT => {
                let mut exceptions = taken.iter().filter_map(read_domain);
                return !exceptions.any(|exception| within(&exception, request, true));
            }
            "codecs" => return takes(names().codecs),
            "data_types" => return takes(names().data_types),
            "some_codec" => {
                let is_taken = |name: &String| taken.contains(&Value::from(name.as_str()));
                return names().codecs.iter().any(is_taken);
            }
            "features" => return takes(features(request.members())),
            "method" => return takes(methods(request.members())),
            "factors" => return takes_factors(request.members(), request.rank(), taken),
            "from" => request.input_data_type(),
            "to" => request.output_data_type(),
            "empty" => Some(request.is_empty().into()),
            "rank" => request.rank().map(Value::from),
            name if asks_name(request.op(), name) => request.members().get(name).cloned(),
            member => request
                .configuration()
                .and_then(|configuration| configuration.get(member))
                .cloned(),
        };
        taken.contains(&value.unwrap_or_default())
    })
}

/// Returns whether this member of the operation's requests is a name.
fn asks_name(operation: &str, key: &str) -> bool {
    let is_name = |member: &Member| member.name == key && member.form == Form::Name;
    Operation::named(operation).is_some_and(|operation| operation.asks.iter().any(is_name))
}

/// Checks the keys of a domain and of its exceptions.
fn check_keys(operation: &Operation, domain: &Domain) -> Result<(), String> {
    for (key, values) in domain {
        if key != EXCEPT {
            check_key(operation, key)?;
            continue;
        }
        for exception in values {
            let name = operation.name;
            let exception = read_domain(exception).ok_or_else(|| {
                format!("{name}: {EXCEPT} holds {exception}, not an object of lists")
            })?;
            check_keys(operation, &exception)?;
        }
    }
    Ok(())
}

fn read_domain(domain: &Value) -> Option<Domain> {
    domain
        .as_object()?
        .iter()
        .map(|(key, values)| Some((key.clone(), values.as_array()?.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Hello;
    use crate::request::Request;

    #[test]
    fn domains_take_and_leave() {
        let hello = Hello::new("partial", "1", "none")
            .offering(&["scale_offset.decode"])
            .offering_part("metadata.validate", &[("kind", vec!["array".into()])])
            .offering_part("bytes.encode", &[("empty", vec![false.into()])])
            .offering_part("bytes.decode", &[("empty", vec![false.into()])])
            .offering_part(
                "cast_value.decode",
                &[
                    ("from", vec!["int8".into()]),
                    ("to", vec!["float32".into()]),
                    ("rounding", vec![json!(null), "towards-zero".into()]),
                ],
            );
        let cast = |from: &str, to: &str, rest: &str| {
            json!({
                "op": "cast_value.decode",
                "configuration": format!("{{\"data_type\":\"{from}\"{rest}}}"),
                "data_type": to,
                "input": {"data_type": from, "shape": [0], "data": ""},
            })
        };
        let encode = |shape: &[u64]| json!({"op": "bytes.encode", "input": {"shape": shape}});
        let rows = [
            (json!({"op": "scale_offset.decode"}), true),
            (json!({"op": "scale_offset.encode"}), false),
            (encode(&[3, 0]), false),
            (encode(&[3, 1]), true),
            (encode(&[]), true),
            (json!({"op": "bytes.decode", "shape": [0]}), false),
            (json!({"op": "bytes.decode", "shape": [1]}), true),
            (json!({"op": "metadata.validate", "kind": "array"}), true),
            (json!({"op": "metadata.validate", "kind": "sds"}), false),
            (json!({"op": "metadata.validate"}), false),
            (cast("int8", "float32", ""), true),
            (cast("int16", "float32", ""), false),
            (cast("int8", "float64", ""), false),
            (
                cast("int8", "float32", ",\"rounding\":\"towards-zero\""),
                true,
            ),
            (
                cast("int8", "float32", ",\"rounding\":\"nearest-away\""),
                false,
            ),
        ];
        for (request, taken) in rows {
            let members = request.as_object().cloned().unwrap_or_default();
            assert_eq!(hello.declares(&Request::new(members)), taken, "{request}");
        }
    }

    fn check(domain: &[(&str, Vec<Value>)], request: Value, declared: bool) {
        let hello = Hello::new("peer", "1", "any")
            .offering_part(request["op"].as_str().expect("an operation"), domain);
        let Value::Object(members) = request else {
            panic!("an object");
        };
        let request = Request::new(members);
        assert_eq!(hello.declares(&request), declared, "{domain:?} {request:?}");
    }

    #[test]
    fn what_an_exception_takes_is_not_offered() {
        let except = json!([{"from": ["int16"], "to": ["float64"]}, {"rank": [2]}]);
        let except = [("except", except.as_array().cloned().unwrap_or_default())];
        let decode = |to: &str, shape: Value| {
            let input = json!({"data_type": "int16", "shape": shape, "data": ""});
            json!({"op": "cf.decode", "data_type": to, "input": input})
        };
        check(&except, decode("float32", json!([0])), true);
        check(&except, decode("float64", json!([0])), false);
        check(&except, decode("float32", json!([0, 0])), false);
        let except = [("except", vec![json!({"method": ["mode"], "rank": [1]})])];
        let read = |first: &str, then: &str| {
            json!({
                "op": "downsample.read", "method": first, "factors": [1], "origin": [0],
                "input": {"data_type": "int8", "shape": [0], "data": ""},
                "then": [{"method": then, "factors": [1]}],
            })
        };
        check(&except, read("mean", "mean"), true);
        check(&except, read("mean", "mode"), false);
        let wrong = [("except", vec![json!({"form": ["int16"]})])];
        let hello = Hello::new("peer", "1", "any").offering_part("cf.decode", &wrong);
        let words = hello.check().expect_err("a misspelt key");
        assert!(words.contains("the nearest key is \"from\""), "{words}");
    }

    #[test]
    fn the_rank_of_a_chunk_restricts() {
        let rank = [("rank", vec![json!(1), json!(2)])];
        let encode = |input: Value| json!({"op": "bytes.encode", "input": input});
        check(&rank, encode(json!({"shape": [2, 3]})), true);
        check(&rank, encode(json!({"shape": []})), false);
        check(&rank, encode(json!({"ranges": [["00", "ff"]]})), true);
        check(
            &rank,
            json!({"op": "bytes.decode", "shape": [1, 1, 1]}),
            false,
        );
    }

    #[test]
    fn the_factors_of_every_level_restrict() {
        let factors = [("factors", vec![json!([2]), json!([2, 2])])];
        let read = |shape: Value, factors: Value, then: Value| {
            json!({
                "op": "downsample.read", "method": "max", "origin": [0],
                "input": {"data_type": "int8", "shape": shape, "data": ""},
                "factors": factors, "then": then,
            })
        };
        for (request, taken) in [
            (read(json!([4]), json!([2]), json!(null)), true),
            (read(json!([4, 4]), json!([2, 2]), json!(null)), true),
            (read(json!([4]), json!([4]), json!(null)), false),
            (read(json!([4]), json!([2, 2]), json!(null)), false),
            (read(json!([4, 4]), json!([2]), json!(null)), false),
            (
                read(json!([4]), json!([2]), json!([{"factors": [2]}])),
                true,
            ),
            (
                read(json!([4]), json!([2]), json!([{"factors": [3]}])),
                false,
            ),
            (
                read(json!([4]), json!([2]), json!([{"factors": [2, 2]}])),
                false,
            ),
        ] {
            check(&factors, request, taken);
        }
    }

    #[test]
    fn a_misspelt_introduction_is_none() {
        let read = |operations: Value| {
            let hello = json!({
                "protocol": 1, "name": "n", "version": "1", "language": "any",
                "operations": operations,
            });
            Hello::from_members(hello.as_object().expect("an object"))
        };
        for (operations, words) in [
            (
                json!({"cast_value.encode": {"fron": ["int8"]}}),
                "hello: cast_value.encode cannot be restricted by \"fron\"; the nearest key is \"from\"",
            ),
            (
                json!({"metadata.validat": {}}),
                "hello: there is no operation \"metadata.validat\"; the nearest is \"metadata.validate\"",
            ),
        ] {
            assert_eq!(read(operations), Err(words.into()));
        }
        let later = read(json!({"later.encode": {"any": []}, "bytes.encode": {"endian": ["big"]}}));
        later.expect("an operation of a later protocol is passed over");
    }

    fn encode(document: &str) -> Value {
        json!({"op": "chain.encode", "metadata": document})
    }

    #[test]
    fn every_codec_and_data_type_of_a_document_must_be_taken() {
        let codecs = [("codecs", vec!["bytes".into(), "cast_value".into()])];
        check(&codecs, encode(r#"{"codecs": ["bytes"]}"#), true);
        check(&codecs, encode(r#"{"codecs": ["gzip", "bytes"]}"#), false);
        check(&codecs, encode("no document"), true);
        let either = [("some_codec", vec!["gzip".into(), "cast_value".into()])];
        check(&either, encode(r#"{"codecs": ["bytes"]}"#), false);
        check(&either, encode(r#"{"codecs": ["bytes", "gzip"]}"#), true);
        check(&either, encode("no document"), false);
        let types = [("data_types", vec!["int8".into()])];
        let cast = |to: &str| {
            let codec = json!({"name": "cast_value", "configuration": {"data_type": to}});
            encode(&json!({"data_type": "int8", "codecs": [codec]}).to_string())
        };
        check(&types, cast("int8"), true);
        check(&types, cast("int4"), false);
    }
}
