//! The source of vectors, clauses and expectations: the checkout around the current folder or, outside of any
//! checkout, the copies that are built into this program.

use std::path::{Path, PathBuf};
use std::{fs, io};

use exactum_conformance::checkout::{Checkout, suite_of};
use exactum_conformance::expectations::Expectations;
use exactum_conformance::findings::Known;
use exactum_conformance::results::Results;
use exactum_peers::is_ours;
use exactum_suite::carried;
use exactum_vectors::Suite;
use exactum_vectors::spec::Clause;

/// The source of vectors, clauses and expectations.
pub(crate) struct Source {
    checkout: Option<Checkout>,
    /// The folder of the vectors, if it is not that of the checkout.
    vectors: Option<PathBuf>,
    /// The name of an implementation whose expectations are in a separate file, and the path of that file.
    expectations: Option<(String, PathBuf)>,
}

impl Source {
    /// Returns the source for a command.
    pub(crate) fn find(vectors: Option<&Path>) -> Self {
        Self {
            checkout: Checkout::find().ok(),
            vectors: vectors.map(Path::to_owned),
            expectations: None,
        }
    }

    /// Returns the same source with the expectations of one implementation in a separate file.
    pub(crate) fn with_expectations(self, name: &str, file: &Path) -> Self {
        Self {
            expectations: Some((name.to_owned(), file.to_owned())),
            ..self
        }
    }

    /// Returns the checkout.
    ///
    /// # Errors
    /// If the current folder is not in a checkout.
    pub(crate) fn checkout(&self) -> Result<&Checkout, String> {
        self.checkout.as_ref().ok_or_else(|| {
            "this requires a checkout of Exactum, and the current folder is not in one".into()
        })
    }

    /// Returns the root of the checkout, if there is one.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.checkout.as_ref().map(Checkout::root)
    }

    /// Returns the vectors.
    ///
    /// # Errors
    /// If they cannot be read, or do not match their manifest.
    pub(crate) fn suite(&self) -> Result<Suite, String> {
        match (&self.vectors, &self.checkout) {
            (Some(folder), _) => suite_of(folder),
            (None, Some(checkout)) => checkout.suite(),
            (None, None) => carried::suite(),
        }
    }

    /// Returns the files that other programs need to use the vectors, with their paths below the folder of
    /// the vectors: JSON files and the guide.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn vector_files(&self) -> Result<Vec<(String, String)>, String> {
        let folder = self.vectors.as_deref();
        let Some(folder) = folder.or(self.checkout.as_ref().map(Checkout::vectors)) else {
            let paths =
                carried::paths().filter_map(|path| Some((path, path.strip_prefix("vectors/")?)));
            return paths
                .map(|(path, below)| Ok((below.to_owned(), carried::text(path)?)))
                .collect();
        };
        let mut files = Vec::new();
        vector_files_of(folder, "", &mut files)?;
        files.sort();
        Ok(files)
    }

    /// Returns the clauses of the specification.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn clauses(&self) -> Result<Vec<Clause>, String> {
        match &self.checkout {
            Some(checkout) => checkout.clauses(),
            None => carried::clauses(),
        }
    }

    /// Returns the text of the rulings.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn rulings(&self) -> Result<String, String> {
        const FILE: &str = "spec/rulings.md";
        match &self.checkout {
            Some(checkout) => fs::read_to_string(checkout.root().join(FILE))
                .map_err(|error| format!("{FILE}: {error}")),
            None => carried::text(FILE),
        }
    }

    /// Returns the known results and expectations of every implementation that has committed results, by
    /// name.
    ///
    /// # Errors
    /// If expectations or results cannot be read.
    pub(crate) fn known(&self) -> Result<Vec<Known>, String> {
        let mut names: Vec<String> = match &self.checkout {
            Some(checkout) => {
                let folder = checkout.results();
                let at = |error: std::io::Error| format!("{}: {error}", folder.display());
                let mut names = Vec::new();
                for entry in fs::read_dir(&folder).map_err(at)? {
                    let path = entry.map_err(at)?.path();
                    let name = path.file_stem().and_then(|name| name.to_str());
                    let is_one = path.extension().is_some_and(|it| it == "json");
                    names.extend(name.filter(|_| is_one).map(str::to_owned));
                }
                names
            }
            None => carried::judged().map(str::to_owned).collect(),
        };
        names.sort();
        let known = names.into_iter().map(|name| {
            Ok(Known {
                expectations: self.expectations(&name)?,
                results: self.results(&name)?,
                name,
            })
        });
        known.collect()
    }

    /// Returns the committed results of an implementation.
    ///
    /// # Errors
    /// If they cannot be read.
    fn results(&self, name: &str) -> Result<Option<Results>, String> {
        match &self.checkout {
            Some(checkout) => Results::load(&checkout.results(), name),
            None => carried::results(name),
        }
    }

    /// Returns the expectations of an implementation for an update. Results of another format do not prevent
    /// it, because the update replaces them.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn expectations_to_update(&self, name: &str) -> Result<Expectations, String> {
        match (self.own(name), &self.checkout) {
            (None, Some(checkout)) if self.results(name).is_err() => {
                Expectations::without_answers(&checkout.expectations(), name)
            }
            _ => self.expectations(name),
        }
    }

    /// Returns the expectations of an implementation.
    ///
    /// # Errors
    /// If they cannot be read, or if an implementation of Exactum has any.
    pub(crate) fn expectations(&self, name: &str) -> Result<Expectations, String> {
        let expectations = match (self.own(name), &self.checkout) {
            (Some(file), _) if !file.exists() => Expectations::default(),
            (Some(file), _) => fs::read_to_string(file)
                .map_err(|error| error.to_string())
                .and_then(|text| Expectations::parse(&text))
                .map_err(|error| format!("{}: {error}", file.display()))?,
            (None, Some(checkout)) => Expectations::load(checkout, name)?,
            (None, None) => carried::expectations(name)?,
        };
        if is_ours(name) && !expectations.entries.is_empty() {
            return Err(format!("{name} is part of Exactum and has no expectations"));
        }
        Ok(expectations)
    }

    /// Returns the path to which the expectations of an implementation are written.
    ///
    /// # Errors
    /// If no file is given, and there is no checkout with a place for them.
    pub(crate) fn expectations_file(&self, name: &str) -> Result<PathBuf, String> {
        match (self.own(name), &self.checkout) {
            (Some(file), _) => Ok(file.to_owned()),
            (None, Some(checkout)) => Ok(checkout.expectations().join(format!("{name}.toml"))),
            (None, None) => Err(format!(
                "{name}: outside of a checkout, give the file for the expectations with `--expectations FILE`"
            )),
        }
    }

    /// Returns the separate file of the expectations of an implementation.
    pub(crate) fn own(&self, name: &str) -> Option<&Path> {
        let own = self.expectations.as_ref();
        own.filter(|(whose, _)| whose == name)
            .map(|(_, file)| file.as_path())
    }
}

/// Reads the JSON files and guides of a folder and its subfolders.
fn vector_files_of(
    folder: &Path,
    prefix: &str,
    files: &mut Vec<(String, String)>,
) -> Result<(), String> {
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    for entry in fs::read_dir(folder).map_err(|error| at(folder, error))? {
        let path = entry.map_err(|error| at(folder, error))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let below = format!("{prefix}{name}");
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            if name != "src" {
                vector_files_of(&path, &format!("{below}/"), files)?;
            }
        } else if matches!(ending, Some("json" | "md")) {
            let text = fs::read_to_string(&path).map_err(|error| at(&path, error))?;
            files.push((below, text));
        }
    }
    Ok(())
}
