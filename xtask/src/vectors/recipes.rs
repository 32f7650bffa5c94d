//! Recipes: vectors of hand-picked elements, written as texts that read like tables. Every `*.recipes` file below this
//! folder is read. The name of the file, or of the folder that contains it, is the row.
//!
//! ```text
//! topic {type}  zarr-extensions  of int8 int16
//!
//! encode-negative  must scale_offset.range.intermediate  scale_offset.encode {"offset":-100}
//!   above     reject {max} {max-99}
//!   in-range  {max-100} {min} 0
//! ```
//!
//! - `topic NAME UPSTREAM [KEY=TEXT..] [of TYPE..]` begins one file of vectors, or one for each data
//!   type. Consecutive lines of this kind share the groups below them.
//! - A group is `NAME LEVEL CLAUSE,.. OP ..`. The text after the operation, and the text of a case, are
//!   described in the [builder](super::builder) of the groups of this operation.
//! - A case is `ID [accept|reject|reject:CLAUSE|survives|lost] TEXT`.
//! - `computed NAME` calls a function of the row.
//! - `{NAME}`, `{max-1}`, `{#normal}` and `[CONDITION]` before a line are described in [`terms`].
//! - `let NAME TEXT` gives a name to a text, `<a|b>` in a name repeats the line for both words, and a line
//!   that is indented by at least six spaces continues the previous one.

mod terms;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use exactum_model::DataType;
use exactum_vectors::File;
use rayon::prelude::*;

use self::terms::Terms;
use self::text::{Entry, GroupText, Line, Recipes, Topics};
use super::Topics as Files;
use super::builder::{
    CF, Case, Faults, SOI_TN, TENSORSTORE, Topic, Verdict, ZARR_EXTENSIONS, ZARR_SPECS, collected,
    of_practice,
};

/// Groups that are computed in Rust: the row, the name and the function.
pub(crate) type Computed = (
    &'static str,
    &'static str,
    fn(&mut Topic) -> Result<(), String>,
);

/// The texts that every file may name, which are the codecs of documents.
const COMMON: &str = "codecs.recipes";

/// Returns all topics below a folder, or the topics of the given rows.
pub(crate) fn topics(folder: &Path, rows: &[String], computed: &[Computed]) -> Files {
    let files = find(folder).map_err(|fault| vec![fault])?;
    let common = read(folder, Path::new(COMMON)).map_err(|fault| vec![fault])?;
    let mut jobs = Vec::new();
    for path in &files {
        let mut recipes = read(folder, path).map_err(|fault| vec![fault])?;
        recipes.add_texts(&common);
        jobs.extend(Job::all(path, recipes).map_err(|fault| vec![fault])?);
    }
    jobs.retain(|job| rows.is_empty() || rows.contains(&job.row));
    let made = jobs.par_iter().map(|job| job.make(computed));
    collected(made.collect::<Vec<_>>())
}

/// Returns the files with recipes, as paths relative to the folder.
fn find(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        let entries =
            fs::read_dir(&current).map_err(|fault| format!("{}: {fault}", current.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "recipes") {
                let below = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                if below != Path::new(COMMON) {
                    files.push(below);
                }
            }
        }
    }
    files.sort();
    Ok(files)
}

fn read(folder: &Path, path: &Path) -> Result<Recipes, String> {
    let text = fs::read_to_string(folder.join(path))
        .map_err(|fault| format!("{}: {fault}", path.display()))?;
    text::parse(&text).map_err(|(number, why)| at(path, number, &why))
}

fn at(path: &Path, line: usize, why: &str) -> String {
    format!("{}:{line}: {why}", path.display())
}

/// The contents of a `topic` line.
#[derive(Clone)]
struct Head {
    name: String,
    upstream: &'static str,
    texts: BTreeMap<String, String>,
    data_types: Vec<Option<DataType>>,
}

impl Head {
    fn read(line: &Line) -> Result<Self, String> {
        let mut words = line.text.split_whitespace();
        let name = words.next().ok_or("no name")?.to_owned();
        let upstream = match words.next() {
            Some("zarr-extensions") => ZARR_EXTENSIONS,
            Some("zarr-specs") => ZARR_SPECS,
            Some("tensorstore") => TENSORSTORE,
            Some("soi") => SOI_TN,
            Some("cf") => CF,
            other => return Err(format!("{other:?} is not a text that vectors follow")),
        };
        let mut texts = BTreeMap::new();
        let mut data_types = Vec::new();
        while let Some(word) = words.next() {
            if word == "of" {
                for name in words.by_ref() {
                    let data_type = name
                        .parse()
                        .map_err(|_| format!("{name} is not a data type"))?;
                    data_types.push(Some(data_type));
                }
            } else {
                let (key, text) = word
                    .split_once('=')
                    .ok_or_else(|| format!("{word}: KEY=TEXT"))?;
                texts.insert(key.to_owned(), text.to_owned());
            }
        }
        if data_types.is_empty() {
            data_types.push(None);
        }
        Ok(Self {
            name,
            upstream,
            texts,
            data_types,
        })
    }
}

/// A file of vectors to generate.
struct Job {
    path: PathBuf,
    row: String,
    head: Head,
    data_type: Option<DataType>,
    texts: BTreeMap<String, String>,
    topics: Topics,
}

impl Job {
    /// Returns the files of vectors that a recipes file describes.
    fn all(path: &Path, recipes: Recipes) -> Result<Vec<Self>, String> {
        let first = path.iter().next().unwrap_or_default();
        let row = Path::new(first).with_extension("");
        let row = row.to_string_lossy().into_owned();
        let mut jobs = Vec::new();
        for topics in recipes.topics {
            for line in &topics.heads {
                let head = Head::read(line).map_err(|why| at(path, line.number, &why))?;
                jobs.extend(head.data_types.iter().map(|&data_type| Self {
                    path: path.to_owned(),
                    row: row.clone(),
                    head: head.clone(),
                    data_type,
                    texts: recipes.texts.clone(),
                    topics: topics.clone(),
                }));
            }
        }
        Ok(jobs)
    }

    fn make(&self, computed: &[Computed]) -> Result<File, Vec<String>> {
        let mut texts = self.texts.clone();
        texts.extend(self.head.texts.clone());
        let terms = Terms::new(self.data_type, texts.clone());
        let name = terms.expand(&self.head.name).map_err(|why| vec![why])?;
        let mut topic = Topic::new(&self.row, &name, self.head.upstream, self.data_type);
        topic.texts = texts;
        let mut faults = Vec::new();
        for entry in &self.topics.entries {
            let line = match entry {
                Entry::Group(group) => &group.head,
                Entry::Computed(line) => line,
            };
            let made = match (terms.hold(&line.condition), entry) {
                (Ok(false), _) => continue,
                (Err(why), _) => Err(vec![(line, why)]),
                (_, Entry::Group(group)) => add(&mut topic, &terms, group),
                (_, Entry::Computed(_)) => {
                    let found = computed
                        .iter()
                        .find(|(row, name, _)| *row == self.row && *name == line.text)
                        .ok_or_else(|| format!("{} has no computed {}", self.row, line.text));
                    found
                        .and_then(|(.., make)| make(&mut topic))
                        .map_err(|why| vec![(line, why)])
                }
            };
            for (line, why) in made.err().into_iter().flatten() {
                faults.push(at(&self.path, line.number, &format!("{name}: {why}")));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        // TensorStore has types that the registry lacks, and its text defines the views of these types.
        let listed = self.row == "downsample" || self.data_type.is_none_or(DataType::is_registered);
        Ok(if listed {
            topic.file
        } else {
            of_practice(topic.file)
        })
    }
}

/// Adds a group of a recipe. An error names the line that contains it.
fn add<'a>(
    topic: &mut Topic,
    terms: &Terms,
    group: &'a GroupText,
) -> Result<(), Vec<(&'a Line, String)>> {
    let mut cases = Vec::new();
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    for line in &group.cases {
        match case(terms, line) {
            Ok(Some(case)) => {
                cases.push(case);
                lines.push(line);
            }
            Ok(None) => {}
            Err(why) => faults.push((line, why)),
        }
    }
    let made = terms
        .expand(&group.head.text)
        .map_err(Into::into)
        .and_then(|head| topic.add(&head, &cases));
    for (case, why) in made.err().into_iter().flat_map(|faults: Faults| faults.all) {
        let line = case.map_or(&group.head, |index| lines[index]);
        faults.push((line, why));
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

/// Parses the line of a case, or returns `None` if its condition does not hold.
fn case(terms: &Terms, line: &Line) -> Result<Option<Case>, String> {
    if !terms.hold(&line.condition)? {
        return Ok(None);
    }
    let (id, rest) = line.text.split_once(' ').unwrap_or((&line.text, ""));
    let rest = rest.trim_start();
    let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
    let verdict = match word {
        "accept" | "survives" => Some(Verdict::Accept),
        "lost" => Some(Verdict::Lost),
        "reject" => Some(Verdict::Reject(None)),
        _ => word
            .strip_prefix("reject:")
            .map(|clause| Verdict::Reject(Some(clause.into()))),
    };
    let (verdict, text) = match verdict {
        Some(verdict) => (verdict, after.trim_start()),
        None => (Verdict::Accept, rest),
    };
    Ok(Some(Case {
        id: terms.expand(id)?,
        verdict,
        text: terms.expand(text)?,
    }))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use exactum_vectors::{Expect, render};

    use super::{COMMON, Computed, Job, read, text};
    use crate::vectors::builder::Topic;

    const COMPUTED: &[Computed] = &[("a", "known", |_: &mut Topic| Ok(()))];

    /// Returns the rendered files for groups about int8, or the errors.
    fn made(groups: &str) -> Result<String, Vec<String>> {
        let text = format!("topic {{type}} zarr-specs of int8\n{groups}");
        let mut recipes = text::parse(&text).expect("every line has its place");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vectors");
        recipes.add_texts(&read(&folder, Path::new(COMMON)).expect("the codecs are there"));
        let jobs = Job::all(Path::new("a/b.recipes"), recipes).expect("the topics are right");
        let made: Result<Vec<_>, _> = jobs.iter().map(|job| job.make(COMPUTED)).collect();
        Ok(made?.iter().map(render).collect())
    }

    #[test]
    fn a_fault_names_its_line() {
        for (groups, faults) in [
            (
                "a maybe c scale_offset.encode {}",
                &["a/b.recipes:2: int8: maybe is not a level"][..],
            ),
            (
                "a must c scale_offset",
                &["a/b.recipes:2: int8: scale_offset is not ROW.WAY"],
            ),
            (
                "computed other",
                &["a/b.recipes:2: int8: a has no computed other"],
            ),
            (
                "[blue] computed known",
                &["a/b.recipes:2: int8: [blue] is not a condition"],
            ),
            (
                "a must c scale_offset.encode {}\n  x {mix}\n  y 1\n  z 128",
                &[
                    "a/b.recipes:3: int8: {mix} is not known here",
                    "a/b.recipes:5: int8: 128 is not a value of int8",
                ],
            ),
            (
                "a must c scale_offset.encode {\"offset\":1}\n  x -128\n  y reject 0",
                &[
                    "a/b.recipes:3: int8: expected Accept, got [Err(OutOfRange)]",
                    "a/b.recipes:4: int8: expected Reject(None), got [Ok(ff)]",
                ],
            ),
        ] {
            assert_eq!(
                made(groups),
                Err(faults.iter().map(|&it| it.into()).collect())
            );
        }
    }

    /// A row that is stated completely by hand: if the second oracle does not know it, the results are compared with
    /// the typed ones.
    #[test]
    fn what_nobody_else_knows_is_typed() {
        let check = |elements: &str| {
            made(&format!(
                "a must c numcodecs.fixedscaleoffset.encode \
                 {{\"offset\":1,\"scale\":2,\"dtype\":\"|i1\",\"astype\":\"<i2\"}}\n  x {elements}"
            ))
        };
        let right = check("3 -1 -> 4 -4").expect("these are the results");
        assert!(right.contains(r#""data":"0400fcff""#), "{right}");
        for wrong in ["3 -1", "3 -1 -> 4 4"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn conditions_and_placeholders_depend_on_the_type() {
        let text = made(
            "[!signed] a must c scale_offset.encode {}\n  x 1\n\
             [bits<9] b must c scale_offset.encode {\"offset\":{min}}\n  \
             y -1 -> {max}\n  [float] z 0.5\n  w reject @c.d 0\n",
        );
        let file =
            exactum_vectors::File::parse(&text.expect("all is right")).expect("it is a file");
        let [group] = &file.groups[..] else {
            panic!("{:?}", file.groups);
        };
        assert_eq!(group.id, "a/int8/b");
        let cases: Vec<_> = group
            .cases
            .iter()
            .map(|case| {
                (
                    case.id.as_str(),
                    case.per_element,
                    matches!(case.expect, Expect::Ok(_)),
                )
            })
            .collect();
        assert_eq!(cases, [("y", false, true), ("w", true, false)]);
        assert_eq!(group.cases[1].clauses, ["c.d"]);
    }
}
