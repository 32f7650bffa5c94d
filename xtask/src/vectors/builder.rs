//! The builder of vectors. One line describes a group; each case states its input and whether it is valid. The expected
//! results are computed twice.

mod chains;
mod elements;
pub(crate) mod sds;
mod texts;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::LazyLock;

use exactum_model::{Array, DataType, Rejection};
use exactum_vectors::{Expect, File, Group, Level, Request, spec};
use rayon::prelude::*;
use serde_json::Value;

pub(crate) use views::{Asking, Elements, numbers};

use super::Topics;
use super::opinions::Refused;
use super::shorthand::words;

/// The upstream text of `cast_value` and `scale_offset`.
pub(crate) const ZARR_EXTENSIONS: &str =
    "zarr-developers/zarr-extensions@4da7b37a84f76e660902f6d3de3eaef0e0febae6";

/// The upstream text of array documents and fill values.
pub(crate) const ZARR_SPECS: &str =
    "zarr-developers/zarr-specs@fc7dd9c9beb5a50b87f9b08b00bf50fc0048482f";

/// The upstream text of `downsample`.
pub(crate) const TENSORSTORE: &str = "google/tensorstore@a40dedb9b386d530fc0e7c17cfa434ec1075815d";

/// The upstream text of `cf`: version 1.12, and NetCDF's attribute conventions where version 1.12 refers to them.
pub(crate) const CF: &str = "cf-convention/cf-conventions@f9f54459f4edbedd1a0cf7faed58a1668b7c90cc";

/// The upstream text of `sds`.
pub(crate) const SOI_TN: &str = "SOI TN 94-115, 1994-05-31";

/// A topic under construction.
pub(crate) struct Topic {
    pub(crate) file: File,
    /// The data type of all its elements, if the topic is about a single data type.
    pub(crate) data_type: Option<DataType>,
    /// The texts that documents may refer to by name.
    pub(crate) texts: BTreeMap<String, String>,
}

/// The outcome of a case as stated by hand in the recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It has a result, and a fill value survives.
    Accept,
    /// It has a result, but the fill value does not survive.
    Lost,
    /// It is rejected, by this clause or by the first clause of the group.
    Reject(Option<String>),
}

/// A case: an element, a configuration, a document, or several elements.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) verdict: Verdict,
    pub(crate) text: String,
}

/// Returns a case that has a result.
pub(crate) fn accept(id: impl Into<String>, text: impl Into<String>) -> Case {
    Case {
        id: id.into(),
        verdict: Verdict::Accept,
        text: text.into(),
    }
}

/// Returns a case that the first clause of its group rejects.
pub(crate) fn reject(id: impl Into<String>, text: impl Into<String>) -> Case {
    Case {
        verdict: Verdict::Reject(None),
        ..accept(id, text)
    }
}

/// The errors that prevent a group from being built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    /// The errors. Each has the index of its case, or `None` if it concerns the line of the group.
    pub(crate) all: Vec<(Option<usize>, String)>,
}

impl From<String> for Faults {
    fn from(why: String) -> Self {
        Self {
            all: vec![(None, why)],
        }
    }
}

/// The clauses of level MUST.
static MUST: LazyLock<Result<BTreeSet<String>, String>> = LazyLock::new(|| {
    let clauses = spec::clauses(&crate::root())?.into_iter();
    let must = clauses.filter(|clause| clause.level == Level::Must);
    Ok(must.map(|clause| clause.id).collect())
});

/// The line of a group: `NAME LEVEL CLAUSE,.. OP OPTION.. REST`.
pub(super) struct Head {
    name: String,
    level: Level,
    clauses: Vec<String>,
    row: String,
    way: String,
    /// `by:CLAUSE`: the clause that readers name if they reject.
    by: Option<String>,
    /// `open:RULING`: the text says nothing about these cases.
    open: Option<String>,
    /// `on:ELEMENT/..`: the elements that every case uses.
    on: Vec<String>,
    /// `either`: the results of two configurations are both correct.
    either: bool,
    /// `typeless`: only the values must match, in whichever float type they are returned.
    typeless: bool,
    /// `held`: leaves out texts that the data type cannot hold, and ties for which the text has no rule.
    held: bool,
    /// `quiet`: the text of a case is not repeated in a note.
    quiet: bool,
    /// The rest of the line, after the options.
    rest: Vec<String>,
}

impl Head {
    fn read(text: &str) -> Result<Self, String> {
        let mut words = words(text)?.into_iter();
        let mut next = |what: &str| words.next().ok_or_else(|| format!("{text}: no {what}"));
        let (name, level) = (next("name")?, next("level")?);
        let level = match level.as_str() {
            "must" => Level::Must,
            "ruling" => Level::Ruling,
            "may" => Level::May,
            _ => return Err(format!("{level} is not a level")),
        };
        let clauses = next("clause")?.split(',').map(str::to_owned).collect();
        let op = next("operation")?;
        let (row, way) = op
            .rsplit_once('.')
            .ok_or_else(|| format!("{op} is not ROW.WAY"))?;
        let mut head = Self {
            name,
            level,
            clauses,
            row: row.into(),
            way: way.into(),
            by: None,
            open: None,
            on: Vec::new(),
            either: false,
            typeless: false,
            held: false,
            quiet: false,
            rest: Vec::new(),
        };
        for word in words {
            match word.split_once(':') {
                _ if !head.rest.is_empty() => head.rest.push(word),
                Some(("by", clause)) => head.by = Some(clause.into()),
                Some(("open", ruling)) => head.open = Some(ruling.into()),
                Some(("on", elements)) => {
                    head.on = elements.split('/').map(str::to_owned).collect()
                }
                _ if word == "either" => head.either = true,
                _ if word == "typeless" => head.typeless = true,
                _ if word == "held" => head.held = true,
                _ if word == "quiet" => head.quiet = true,
                _ => head.rest.push(word),
            }
        }
        Ok(head)
    }

    /// Checks that a group of level `must` does not rest on a ruling through `by:` or `reject:`. The clauses that it
    /// cites are checked when the files are linted.
    fn check_level(&self, cases: &[Case]) -> Result<(), Faults> {
        if self.level != Level::Must {
            return Ok(());
        }
        let must = MUST.as_ref().map_err(|fault| fault.clone())?;
        let mut named: Vec<(Option<usize>, &String)> = Vec::new();
        named.extend(self.by.iter().map(|clause| (None, clause)));
        for (index, case) in cases.iter().enumerate() {
            if let Verdict::Reject(Some(clause)) = &case.verdict {
                named.push((Some(index), clause));
            }
        }
        named.retain(|(_, clause)| !must.contains(*clause));
        let fault = |(place, clause): (Option<usize>, &String)| {
            let why = format!("the level is must, but the clause {clause} is not at level must");
            (place, why)
        };
        let all: Vec<_> = named.into_iter().map(fault).collect();
        match all.is_empty() {
            true => Ok(()),
            false => Err(Faults { all }),
        }
    }

    /// Returns the clause that rejects a case.
    fn rejecting<'a>(&'a self, given: Option<&'a String>) -> &'a str {
        given.or(self.by.as_ref()).unwrap_or(&self.clauses[0])
    }

    /// Returns the expectation of a case if its answer agrees with the verdict of the recipe. `accepted` turns a result
    /// into an expectation.
    fn judged<T: Debug>(
        &self,
        case: &Case,
        answer: Result<T, Refused>,
        accepted: impl FnOnce(T) -> Result<Expect, String>,
    ) -> Result<Expect, String> {
        match (answer, &case.verdict) {
            (Ok(result), Verdict::Accept) => accepted(result),
            (Err((reason, clause)), Verdict::Reject(by))
                if clause == self.rejecting(by.as_ref()) =>
            {
                Ok(Expect::reject(reason))
            }
            (answer, verdict) => Err(format!(
                "{}: expected {verdict:?}, got {answer:x?}",
                case.text
            )),
        }
    }
}

impl Topic {
    /// Creates an empty topic of a row.
    pub(crate) fn new(row: &str, name: &str, upstream: &str, data_type: Option<DataType>) -> Self {
        Self {
            file: File::new(row, name, upstream),
            data_type,
            texts: BTreeMap::new(),
        }
    }

    /// Adds the groups of a line, usually a single one. All placeholders in the line have been replaced.
    ///
    /// # Errors
    /// If the line or a case is wrong, or if the two oracles disagree.
    pub(crate) fn add(&mut self, head: &str, cases: &[Case]) -> Result<(), Faults> {
        let head = Head::read(head)?;
        head.check_level(cases)?;
        let mut groups = match (head.row.as_str(), head.way.as_str()) {
            ("metadata", "validate") => texts::validate(self, &head, cases),
            ("group", "validate") => texts::groups(self, &head, cases),
            ("downsample", "read") => views::read(self, &head, cases),
            ("downsample", "resolve") => views::resolve(self, &head, cases),
            ("downsample", "validate") => views::validate(self, &head, cases),
            ("sds" | "cf", "validate") => sds::validate(self, &head, cases),
            ("sds", _) => sds::sets(self, &head, cases),
            ("fill_value", "parse") => texts::parse(self, &head, cases),
            ("fill_value", "format") => texts::format(self, &head, cases),
            ("chain", "resolve") => chains::resolve(self, &head, cases),
            ("chain", _) => chains::chunks(self, &head, cases),
            _ if head.on.is_empty() => elements::elements(self, &head, cases),
            _ => elements::configurations(self, &head, cases),
        }?;
        groups.retain(|group| !group.cases.is_empty());
        self.file.groups.extend(groups);
        Ok(())
    }

    /// Does the same as [`add`](Self::add), for code that computes its cases.
    pub(crate) fn computed(&mut self, head: &str, cases: &[Case]) -> Result<(), String> {
        self.add(head, cases).map_err(|faults| {
            let said = faults.all.into_iter().map(|(case, why)| {
                let case = case.map_or("", |index| &cases[index].id);
                format!("{head}: {case}: {why}")
            });
            said.collect::<Vec<_>>().join("\n")
        })
    }

    /// Returns an empty group of the topic.
    fn group(&self, name: &str, head: &Head, shared: Request) -> Group {
        Group {
            id: format!("{}/{}/{name}", self.file.row, self.file.topic),
            level: head.level,
            clauses: head.clauses.clone(),
            request: shared,
            cases: Vec::new(),
        }
    }

    /// Returns a group whose cases each have their own request and expectation.
    fn one_group(
        &self,
        head: &Head,
        shared: Request,
        cases: &[Case],
        mut make: impl FnMut(&Case) -> Result<(Request, Expect), String>,
    ) -> Result<Vec<Group>, Faults> {
        let mut group = self.group(&head.name, head, shared);
        try_each_case(cases, |case| {
            let (own, expect) = make(case)?;
            group.case(&case.id, &[], own, expect);
            Ok(())
        })?;
        Ok(vec![group])
    }

    /// Returns the data type of a topic that is about a single one.
    pub(crate) fn own_type(&self) -> Result<DataType, String> {
        self.data_type
            .ok_or_else(|| format!("{} has no data type", self.file.topic))
    }
}

/// Applies a function to every case, even after one has failed.
fn try_each_case(
    cases: &[Case],
    mut make: impl FnMut(&Case) -> Result<(), String>,
) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for (index, case) in cases.iter().enumerate() {
        if let Err(why) = make(case) {
            faults.all.push((Some(index), why));
        }
    }
    if faults.all.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

/// Returns the reason and the clause of a rejection.
fn refused(rejection: Rejection) -> Refused {
    (rejection.reason, rejection.clause)
}

/// Turns the text of a case into a note for readers.
fn note(texts: &str) -> String {
    texts.replace('"', "")
}

/// Returns a request, or a part of one, with its members in order.
pub(crate) fn request<const N: usize>(members: [(&str, Value); N]) -> Request {
    members
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// Returns the elements with these components as an array of one dimension.
pub(crate) fn row(data_type: DataType, components: &[u64]) -> Result<Array, String> {
    let count = components.len() / data_type.format().components();
    let shape = vec![u64::try_from(count).unwrap_or_default()];
    Array::from_components(data_type, shape, components.iter().copied())
        .map_err(|rejection| rejection.message)
}

/// Formats bytes as they are written in requests and answers.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Collects the files of several makers, or all of their errors.
pub(crate) fn collected(made: impl IntoIterator<Item = Result<File, Vec<String>>>) -> Topics {
    let mut files = Vec::new();
    let mut faults = Vec::new();
    for made in made {
        match made {
            Ok(file) => files.push(file),
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() {
        Ok(files)
    } else {
        Err(faults)
    }
}

/// Returns whether a data type belongs to the core specification; the others are registered or merely used in practice.
pub(crate) fn is_core(data_type: DataType) -> bool {
    const CORE: &str = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 \
        float16 float32 float64 complex64 complex128";
    CORE.split(' ').any(|name| name == data_type.name())
}

/// Builds one topic for every data type.
pub(crate) fn each_type(make: impl Fn(DataType) -> Result<File, String> + Sync) -> Topics {
    let made = DataType::ALL
        .par_iter()
        .map(|&data_type| {
            let file = make(data_type)?;
            Ok(if data_type.is_registered() {
                file
            } else {
                of_practice(file)
            })
        })
        .map(|made: Result<File, String>| made.map_err(|fault| vec![fault]));
    collected(made.collect::<Vec<_>>())
}

/// Lowers a topic about a data type that is in neither the core nor the registry: no implementation is required to
/// support it, so no level in it is higher than `may` (data_type.float.fn-nan).
pub(crate) fn of_practice(mut file: File) -> File {
    for group in &mut file.groups {
        group.level = Level::May;
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the number of errors of a group with one case.
    fn check(head: &str, by: Option<&str>, expected: usize) {
        let head = Head::read(head).expect("a head");
        let verdict = Verdict::Reject(by.map(str::to_owned));
        let case = Case {
            verdict,
            ..accept("case", "")
        };
        let found = head.check_level(&[case]);
        let count = found.err().map_or(0, |faults| faults.all.len());
        assert_eq!(count, expected, "{by:?}");
    }

    #[test]
    fn a_group_at_must_rests_on_no_ruling() {
        let must = "name must chain.codecs metadata.validate";
        check(must, None, 0);
        check(must, Some("chain.codecs"), 0);
        check(must, Some("chain.early"), 1);
        check(&format!("{must} by:chain.codecs"), None, 0);
        check(&format!("{must} by:chain.early"), Some("chain.early"), 2);
        let ruling = "name ruling chain.early metadata.validate by:chain.early";
        check(ruling, Some("chain.early"), 0);
    }
}
