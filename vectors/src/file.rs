//! The types of a vector file.

use std::collections::BTreeMap;

use exactum_model::{Array, Reason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::hex;
use crate::wire::array_to_json;

/// The `format` of every vector file.
pub const FORMAT: &str = "exactum-vectors";

/// The version of the rules by which vectors are interpreted. A runner rejects other versions.
pub const VERSION: u32 = 1;

/// A request of the protocol, or a part of one: its members without `id`.
pub type Request = Map<String, Value>;

/// A file of vectors, which holds one topic of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Always `exactum-vectors`.
    pub format: String,
    /// The version of the interpretation rules.
    pub version: u32,
    /// The row of the grid, such as `cast_value`.
    pub row: String,
    /// The topic, which is the name of the file without `.json`.
    pub topic: String,
    /// The repository and the commit of the text that the vectors follow, separated by `@`.
    pub upstream: String,
    /// The groups of the file.
    pub groups: Vec<Group>,
}

/// A group of cases that share most of their request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The identifier of the group: the row, the topic and a name, separated by slashes. It is unique.
    pub id: String,
    /// How binding the expectations of the cases are.
    pub level: Level,
    /// The clauses that every case of the group tests.
    pub clauses: Vec<String>,
    /// The members of the request that all cases share.
    pub request: Request,
    /// The cases of the group.
    pub cases: Vec<Case>,
}

/// How binding an expectation is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The upstream text requires it.
    Must,
    /// The upstream text leaves the question open, and this is how Exactum reads it. An implementation that differs still
    /// conforms to the text.
    Ruling,
    /// The upstream text lets an implementation choose whether to support this.
    May,
}

/// A request and the expected answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The identifier of the case, which is unique within its group.
    pub id: String,
    /// The clauses that the case tests in addition to those of its group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Whether each element of the input is sent in a request of its own and judged by itself.
    #[serde(default, rename = "each", skip_serializing_if = "std::ops::Not::not")]
    pub per_element: bool,
    /// The members of the request that belong to this case alone. The group has none of them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub request: Request,
    /// The expected answer.
    pub expect: Expect,
    /// A remark for the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// An expected answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// The answer is `ok` with these members. An array may have a `mask` or, in a sweep, a `crc32`. A `mask` next to
    /// `bytes` applies to those bytes.
    Ok(Map<String, Value>),
    /// The answer is a rejection. The reason is given for information and need not match.
    Reject(ExpectedRejection),
    /// The answer matches any one of these.
    OneOf(Vec<Expect>),
    /// The text leaves the answer open, so it is recorded but not judged. The string is the identifier of the ruling.
    Open(String),
    /// The output, or some numbers of the answer, may differ from the given ones up to a bound.
    Within(Within),
}

/// A rejection that is expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Reject")]
pub struct ExpectedRejection {
    /// One of the reasons in `vectors/reasons.json`.
    pub reason: String,
}

/// An answer with absolute bounds: either an output array with one bound for all its elements (`output` and `bound`),
/// or the members of `ok` with bounds for some of their numbers (`ok` and `bounds`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// The expected output array.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub output: Map<String, Value>,
    /// The largest permitted absolute difference of an element, as a decimal number in a string.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub bound: String,
    /// Whether the bits of a NaN must match as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nan_bits: bool,
    /// The expected members of `ok` in the answer.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub ok: Map<String, Value>,
    /// The largest permitted absolute difference of the numbers at or below each path, such as `output.values[3]`, as a
    /// decimal number in a string.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, String>,
}

impl File {
    /// Returns an empty file for a topic.
    #[must_use]
    pub fn new(row: &str, topic: &str, upstream: &str) -> Self {
        Self {
            format: FORMAT.into(),
            version: VERSION,
            row: row.into(),
            topic: topic.into(),
            upstream: upstream.into(),
            groups: Vec::new(),
        }
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// If it is not JSON, does not have this form, or has another format or version.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.format != FORMAT || file.version != VERSION {
            return Err(format!(
                "format {} {} is not supported",
                file.format, file.version
            ));
        }
        Ok(file)
    }

    /// Returns the path below `vectors/`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}.json", self.row, self.topic)
    }

    /// Adds an empty group whose id consists of the row, the topic and `name`.
    pub fn group(
        &mut self,
        name: &str,
        level: Level,
        clauses: &[&str],
        request: Request,
    ) -> &mut Group {
        self.groups.push(Group {
            id: format!("{}/{}/{name}", self.row, self.topic),
            level,
            clauses: clauses.iter().map(|&clause| clause.into()).collect(),
            request,
            cases: Vec::new(),
        });
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }
}

impl Group {
    /// Adds a case.
    pub fn case(
        &mut self,
        id: &str,
        clauses: &[&str],
        request: Request,
        expect: Expect,
    ) -> &mut Case {
        self.cases.push(Case {
            id: id.into(),
            clauses: clauses.iter().map(|&clause| clause.into()).collect(),
            per_element: false,
            request,
            expect,
            note: None,
        });
        let last = self.cases.len() - 1;
        &mut self.cases[last]
    }

    /// Returns the full id of a case.
    #[must_use]
    pub fn case_id(&self, case: &Case) -> String {
        [&self.id, "/", &case.id].concat()
    }

    /// Returns all clauses of a case.
    pub fn case_clauses<'a>(&'a self, case: &'a Case) -> impl Iterator<Item = &'a str> {
        self.clauses.iter().chain(&case.clauses).map(String::as_str)
    }

    /// Returns the request of a case: the union of the group's members and the case's own. The ranges of a sweep are
    /// not expanded; [`input_from_json`](crate::input_from_json) reads them.
    #[must_use]
    pub fn case_request(&self, case: &Case) -> Request {
        let mut request = self.request.clone();
        request.extend(
            case.request
                .iter()
                .map(|(key, value)| (key.clone(), value.clone())),
        );
        request
    }
}

impl Case {
    /// Marks the case as one whose elements are sent individually.
    pub fn per_element(&mut self) -> &mut Self {
        self.per_element = true;
        self
    }

    /// Adds a note for the reader.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.note = Some(note.into());
        self
    }
}

impl Expect {
    /// Returns an `ok` with the members of a JSON object.
    ///
    /// # Panics
    /// If the value is not an object.
    #[must_use]
    pub fn ok(members: Value) -> Self {
        match members {
            Value::Object(members) => Expect::Ok(members),
            other => panic!("ok must be an object, not {other}"),
        }
    }

    /// Returns an `ok` whose only member is the output array.
    #[must_use]
    pub fn output(array: &Array) -> Self {
        Expect::Ok(Map::from_iter([(
            "output".to_owned(),
            array_to_json(array),
        )]))
    }

    /// Like [`output`](Self::output), but every bit is compared, including those of NaNs.
    #[must_use]
    pub fn output_bits(array: &Array) -> Self {
        let mask = array.data_type().format();
        let width = mask.component_bytes();
        let component = hex::encode(&mask.component_mask().to_le_bytes()[..width]);
        let components = array.data().len() / width;
        let mut value = array_to_json(array);
        if let Value::Object(members) = &mut value {
            members.insert("mask".into(), component.repeat(components).into());
        }
        Expect::Ok(Map::from_iter([("output".to_owned(), value)]))
    }

    /// Returns an output array whose elements may differ by a bound, which is a decimal text.
    #[must_use]
    pub fn within(array: &Array, bound: &str) -> Self {
        let output = match array_to_json(array) {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        Expect::Within(Within {
            output,
            bound: bound.into(),
            ..Within::default()
        })
    }

    /// Returns a rejection.
    #[must_use]
    pub fn reject(reason: Reason) -> Self {
        Expect::Reject(ExpectedRejection {
            reason: reason.name().into(),
        })
    }
}
