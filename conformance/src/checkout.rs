//! The folders of the vectors, the specification and the expectations.

use std::path::{Path, PathBuf};
use std::{env, fs};

use exactum_vectors::Suite;
use exactum_vectors::spec::{Clause, clauses};

/// The folders of a checkout.
#[derive(Clone, Debug)]
pub struct Checkout {
    root: PathBuf,
    vectors: PathBuf,
}

impl Checkout {
    /// Finds the checkout that contains the current folder.
    ///
    /// # Errors
    /// If there is none.
    pub fn find() -> Result<Self, String> {
        let here = env::current_dir().map_err(|error| format!("the current folder: {error}"))?;
        let root = here.ancestors().find(|folder| is_checkout(folder));
        root.map(Self::at).ok_or_else(|| {
            "this requires a checkout of Exactum, and the current folder is not in one".into()
        })
    }

    /// Returns the checkout in a folder.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            vectors: root.join("vectors"),
        }
    }

    /// Returns the same checkout with the vectors of another folder.
    #[must_use]
    pub fn with_vectors(self, vectors: &Path) -> Self {
        Self {
            vectors: vectors.to_owned(),
            ..self
        }
    }

    /// Loads the vectors.
    ///
    /// # Errors
    /// If they are missing or do not match their manifest.
    pub fn suite(&self) -> Result<Suite, String> {
        suite_of(&self.vectors)
    }

    /// Reads the clauses of the specification.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn clauses(&self) -> Result<Vec<Clause>, String> {
        clauses(&self.root)
    }

    /// Returns the root folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of the vectors.
    #[must_use]
    pub fn vectors(&self) -> &Path {
        &self.vectors
    }

    /// Returns the folder of the expectations.
    #[must_use]
    pub fn expectations(&self) -> PathBuf {
        self.root.join("conformance").join("expectations")
    }

    /// Returns the folder of the results.
    #[must_use]
    pub fn results(&self) -> PathBuf {
        self.root.join("conformance").join("results")
    }
}

/// The files of a folder that holds one file for each implementation.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ByName {
    /// The names for which there is a file `NAME.ending`, sorted.
    pub names: Vec<String>,
    /// Files in the folder that do not belong there, sorted.
    pub strays: Vec<String>,
}

impl ByName {
    /// Lists the files of a folder. A missing folder has no files.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn of(folder: &Path, ending: &str) -> Result<Self, String> {
        let at = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut found = Self::default();
        if !folder.exists() {
            return Ok(found);
        }
        for entry in fs::read_dir(folder).map_err(at)? {
            let entry = entry.map_err(at)?;
            let file = entry.file_name().to_string_lossy().into_owned();
            let name = file
                .strip_suffix(ending)
                .and_then(|it| it.strip_suffix('.'));
            match name {
                Some(name) if entry.path().is_file() => found.names.push(name.to_owned()),
                _ => found.strays.push(file),
            }
        }
        found.names.sort();
        found.strays.sort();
        Ok(found)
    }
}

/// Loads the vectors of a folder.
///
/// # Errors
/// The same as for [`Checkout::suite`].
pub fn suite_of(folder: &Path) -> Result<Suite, String> {
    Suite::load(folder).map_err(|error| format!("vectors in {}: {error}", folder.display()))
}

/// Returns whether a folder is a checkout; a release of the vectors contains `vectors` and `spec` as well.
fn is_checkout(folder: &Path) -> bool {
    folder.join("vectors/manifest.json").is_file()
        && folder.join("spec").is_dir()
        && folder.join("conformance/expectations").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_no_implementation_is_a_stray() {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path();
        fs::create_dir(folder.join("folder.json")).expect("a folder");
        for file in ["b.json", "a-1.2.json", "json", "a.json~", "notes.txt"] {
            fs::write(folder.join(file), "").expect("a file");
        }
        let found = ByName::of(folder, "json").expect("it can be read");
        assert_eq!(found.names, ["a-1.2", "b"]);
        assert_eq!(
            found.strays,
            ["a.json~", "folder.json", "json", "notes.txt"]
        );
        let absent = ByName::of(&folder.join("absent"), "json");
        assert_eq!(absent, Ok(ByName::default()));
    }
}
