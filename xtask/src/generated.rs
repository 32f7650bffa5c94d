//! Folders of generated files, which are written as a whole or compared with the existing files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that are maintained by hand beside the generated ones. Files below `src` are not generated either, because the
/// vectors are also a package.
const BY_HAND: &[&str] = &["Cargo.toml", "README.md", "withdrawn.json"];

/// Generated texts with their paths below a folder.
#[derive(Default)]
pub(crate) struct Files(BTreeMap<String, String>);

impl Files {
    /// Adds a file. Two files with the same path are an error in the generator.
    pub(crate) fn add(&mut self, path: String, text: String) -> Result<(), Vec<String>> {
        match self.0.insert(path.clone(), text) {
            None => Ok(()),
            Some(_) => Err(vec![format!("{path}: generated twice")]),
        }
    }

    /// Writes the files that differ, and removes generated files that are no longer generated.
    pub(crate) fn write(&self, folder: &Path) -> Result<usize, Vec<String>> {
        let failed =
            |path: &Path, error: std::io::Error| vec![format!("{}: {error}", path.display())];
        for (path, text) in &self.0 {
            let path = folder.join(path);
            if fs::read_to_string(&path).is_ok_and(|there| there == *text) {
                continue;
            }
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
            }
            fs::write(&path, text).map_err(|error| failed(&path, error))?;
        }
        // Files of other types may have been written by hand.
        let json = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
        for path in self.stale(folder).into_iter().filter(json) {
            fs::remove_file(&path).map_err(|error| failed(&path, error))?;
        }
        Ok(self.0.len())
    }

    /// Compares the files in the folder with the generated ones.
    pub(crate) fn check(&self, folder: &Path) -> Result<usize, Vec<String>> {
        let mut findings = self.compare(folder).err().unwrap_or_default();
        findings.extend(
            self.stale(folder)
                .iter()
                .map(|path| format!("{}: is not generated", path.display())),
        );
        if findings.is_empty() {
            Ok(self.0.len())
        } else {
            Err(findings)
        }
    }

    /// Compares only the generated files; the folder may contain others.
    pub(crate) fn compare(&self, folder: &Path) -> Result<usize, Vec<String>> {
        let findings: Vec<String> = self
            .0
            .iter()
            .filter_map(|(path, text)| match fs::read_to_string(folder.join(path)) {
                Ok(there) if there == *text => None,
                Ok(_) => Some(format!("{path}: differs from the generated file")),
                Err(error) => Some(format!("{path}: {error}")),
            })
            .collect();
        if findings.is_empty() {
            Ok(self.0.len())
        } else {
            Err(findings)
        }
    }

    /// Returns the files in the folder that are not generated, except those listed in [`BY_HAND`].
    fn stale(&self, folder: &Path) -> Vec<PathBuf> {
        let mut stale = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(current) = folders.pop() {
            for entry in fs::read_dir(&current).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let below = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy();
                let below = below.replace('\\', "/");
                let by_hand = BY_HAND.contains(&below.as_str()) || below.starts_with("src/");
                if !by_hand && !self.0.contains_key(&below) {
                    stale.push(path);
                }
            }
        }
        stale.sort();
        stale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_generated_is_found_whatever_it_is() {
        let folder = std::env::temp_dir().join(format!("exactum-generated-{}", std::process::id()));
        fs::create_dir_all(folder.join("src")).expect("a folder");
        for path in ["README.md", "src/lib.rs", "stray.json", "notes.txt"] {
            fs::write(folder.join(path), "{}").expect("a file");
        }
        let mut files = Files::default();
        files.add("made.json".into(), "{}".into()).expect("one");
        assert_eq!(files.write(&folder), Ok(1));
        // Files that are no longer generated are removed; files that were never generated stay.
        assert!(!folder.join("stray.json").exists());
        let stray = format!("{}: is not generated", folder.join("notes.txt").display());
        assert_eq!(files.check(&folder), Err(vec![stray]));
        fs::remove_file(folder.join("notes.txt")).expect("a file");
        assert_eq!(files.check(&folder), Ok(1));
        fs::remove_dir_all(folder).expect("the folder");
    }
}
