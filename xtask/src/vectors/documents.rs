//! Documents to accept and to reject, a topic of every row: which clause rejects a document is
//! said here by hand, and the readers have to say the same.

mod casts;
mod chains;
mod data_types;
mod legacy;
mod members;
mod packed;
mod scalars;

use exactum_vectors::{Expect, File, Level};
use serde_json::json;

use super::Topics;
use super::builder::{ZARR_EXTENSIONS, ZARR_SPECS, request};
use super::chain::{array, document, resolve};

/// All topics of documents.
pub(crate) fn topics() -> Topics {
    let mut files = Vec::new();
    let mut disagreements = Vec::new();
    for (row, upstream, groups) in [
        ("bytes", ZARR_SPECS, packed::bytes()),
        ("packbits", ZARR_EXTENSIONS, packed::packbits()),
        ("cast_value", ZARR_EXTENSIONS, casts::cast_value()),
        (
            "scale_offset",
            ZARR_EXTENSIONS,
            [casts::scale_offset(), legacy::groups()].concat(),
        ),
        ("data_type", ZARR_SPECS, data_types::groups()),
        ("fill_value", ZARR_SPECS, scalars::groups()),
        (
            "chain",
            ZARR_SPECS,
            [members::groups(), chains::groups(), examples_as_groups()].concat(),
        ),
    ] {
        let mut file = File::new(row, "documents", upstream);
        for group in groups {
            if let Err(found) = add(&mut file, &group) {
                disagreements.extend(found);
            }
        }
        files.push(file);
    }
    if disagreements.is_empty() {
        Ok(files)
    } else {
        Err(disagreements)
    }
}

/// Documents about one clause.
#[derive(Clone, Debug)]
struct Group {
    name: String,
    level: Level,
    /// What the documents are about; the first is the one that rejects, unless `by` is given.
    clauses: Vec<&'static str>,
    /// The clause that the readers name, where another one comes first for them.
    by: Option<&'static str>,
    accepted: Vec<(String, String)>,
    rejected: Vec<(String, String)>,
}

impl Group {
    fn new(name: &str, level: Level, clause: &'static str) -> Self {
        Self {
            name: name.into(),
            level,
            clauses: vec![clause],
            by: None,
            accepted: Vec::new(),
            rejected: Vec::new(),
        }
    }

    fn must(name: &str, clause: &'static str) -> Self {
        Self::new(name, Level::Must, clause)
    }

    fn ruling(name: &str, clause: &'static str) -> Self {
        Self::new(name, Level::Ruling, clause)
    }

    /// The readers name another clause.
    fn by(mut self, clause: &'static str) -> Self {
        self.by = Some(clause);
        self
    }

    /// Cites another clause.
    fn also(mut self, clause: &'static str) -> Self {
        self.clauses.push(clause);
        self
    }

    fn accept(mut self, id: &str, document: impl Into<String>) -> Self {
        self.accepted.push((id.into(), document.into()));
        self
    }

    fn reject(mut self, id: &str, document: impl Into<String>) -> Self {
        self.rejected.push((id.into(), document.into()));
        self
    }

    /// Several texts, each put into a document.
    fn accept_all(mut self, texts: &[(&str, &str)], wrap: impl Fn(&str) -> String) -> Self {
        for (id, text) in texts {
            self = self.accept(id, wrap(text));
        }
        self
    }

    /// Several texts, each put into a document.
    fn reject_all(mut self, texts: &[(&str, &str)], wrap: impl Fn(&str) -> String) -> Self {
        for (id, text) in texts {
            self = self.reject(id, wrap(text));
        }
        self
    }
}

fn add(file: &mut File, group: &Group) -> Result<(), Vec<String>> {
    let clause = group.by.unwrap_or(group.clauses[0]);
    let mut made = Vec::new();
    let mut disagreements = Vec::new();
    let all = group
        .accepted
        .iter()
        .map(|case| (case, true))
        .chain(group.rejected.iter().map(|case| (case, false)));
    for ((id, document), valid) in all {
        let what = format!("{}/documents/{}/{id}", file.row, group.name);
        match (resolve(&what, document), valid) {
            (Err(disagreement), _) => disagreements.push(disagreement),
            (Ok(Ok(_)), true) => made.push((id, document, Expect::ok(json!({})))),
            (Ok(Err((reason, found))), false) if found == clause => {
                made.push((id, document, Expect::reject(reason)));
            }
            (Ok(answer), true) => disagreements.push(format!("{what}: valid, but: {answer:?}")),
            (Ok(answer), false) => {
                disagreements.push(format!("{what}: {clause} rejects it, but: {answer:?}"));
            }
        }
    }
    if !disagreements.is_empty() {
        return Err(disagreements);
    }
    let shared = request([("op", "metadata.validate".into()), ("kind", "array".into())]);
    let target = file.group(&group.name, group.level, &group.clauses, shared);
    for (id, document, expect) in made {
        let own = request([("document", document.as_str().into())]);
        target.case(id, &[], own, expect);
    }
    Ok(())
}

/// A worked example of a text.
pub(super) struct Example {
    /// Its name here.
    pub(super) name: &'static str,
    /// The whole document.
    pub(super) document: String,
    /// The clause that rejects it, if one does.
    rejected: Option<&'static str>,
}

/// The worked examples of both codecs' texts and of the seed, completed to whole documents; those
/// that are wrong as they are printed, as they are printed.
pub(super) fn examples() -> Vec<Example> {
    let right = |name, document| Example {
        name,
        document,
        rejected: None,
    };
    let wrong = |name, clause, document| Example {
        name,
        document,
        rejected: Some(clause),
    };
    let float32 = r#"{"name":"scale_offset","configuration":{"offset":5,"scale":0.1}}"#;
    let range = r#"[{"name":"scale_offset","configuration":{"offset":1000}},{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#;
    let nan = r#"[{"name":"scale_offset","configuration":{"offset":-10,"scale":0.1}},{"name":"cast_value","configuration":{"data_type":"uint8","rounding":"nearest-even","scalar_map":{"encode":[["NaN",0]],"decode":[[0,"NaN"]]}}},"bytes"]"#;
    let numpy = |infinity: &str| {
        format!(
            r#"[{{"name":"cast_value","configuration":{{"data_type":"uint8","rounding":"towards-zero","out_of_range":"wrap","scalar_map":{{"encode":[["NaN",0],["{infinity}",0],["-Infinity",0]]}}}}}},"bytes"]"#
        )
    };
    let seed = |infinity: &str| {
        format!(
            r#"[{{"name":"cast_value","configuration":{{"data_type":"uint8","rounding":"nearest-even","out_of_range":"clamp","scalar_map":{{"encode":[["NaN",0],["{infinity}",0],["-Infinity",0]],"decode":[[0,"NaN"]]}}}}}},"bytes"]"#
        )
    };
    let fixed = r#"[{"name":"scale_offset","configuration":{"scale":0.1,"offset":10}},{"name":"cast_value","configuration":{"data_type":"uint8","out_of_range":"wrap"}},"bytes"]"#;
    vec![
        right(
            "float32-scale-offset",
            array(
                "float32",
                "5",
                &format!("[{float32},{}]", super::chain::LITTLE),
            ),
        ),
        wrong(
            "float32-scale-offset-without-endian",
            "bytes.endian",
            array("float32", "5", &format!("[{float32},\"bytes\"]")),
        ),
        wrong(
            "float32-scale-offset-as-printed",
            "chain.members",
            format!(r#"{{"data_type":"float32","codecs":[{float32},"bytes"]}}"#),
        ),
        right("uint16-range-reduction", array("uint16", "1000", range)),
        wrong(
            "uint16-range-reduction-fill-zero",
            "scale_offset.fill",
            array("uint16", "0", range),
        ),
        wrong(
            "uint16-range-reduction-as-printed",
            "chain.members",
            format!(r#"{{"data_type":"uint16","codecs":{range}}}"#),
        ),
        right("float64-uint8-nan", array("float64", "\"NaN\"", nan)),
        wrong(
            "float64-uint8-nan-as-printed",
            "chain.members",
            format!(r#"{{"data_type":"float64","fill_value":"NaN","codecs":{nan}}}"#),
        ),
        right("numpy", array("float64", "0", &numpy("Infinity"))),
        wrong(
            "numpy-as-printed",
            "cast_value.scalar_map.scalars",
            array("float64", "0", &numpy("+Infinity")),
        ),
        wrong(
            "numpy-fill-nan",
            "cast_value.fill.survives",
            array("float64", "\"NaN\"", &numpy("Infinity")),
        ),
        right("seed-clamp", array("float64", "\"NaN\"", &seed("Infinity"))),
        wrong(
            "seed-clamp-as-printed",
            "cast_value.scalar_map.scalars",
            array("float64", "\"NaN\"", &seed("+Infinity")),
        ),
        right("fixedscaleoffset", array("float32", "10", fixed)),
    ]
}

/// The examples by the clause that rejects them, the right ones with each.
fn examples_as_groups() -> Vec<Group> {
    let mut right = Group::must("examples", "chain.members").also("chain.codecs");
    let mut groups: Vec<Group> = Vec::new();
    for example in examples() {
        let Some(clause) = example.rejected else {
            right = right.accept(example.name, example.document);
            continue;
        };
        let known = groups.iter().position(|group| group.clauses[0] == clause);
        let index = known.unwrap_or_else(|| {
            let name = format!("examples-rejected-by-{}", clause.replace('_', "-"));
            groups.push(Group::must(&name, clause));
            groups.len() - 1
        });
        groups[index]
            .rejected
            .push((example.name.into(), example.document));
    }
    groups.insert(0, right);
    groups
}
