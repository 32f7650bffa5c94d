//! All vector files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::file::File;
use crate::manifest::Manifest;

/// The vectors of a folder, read whole.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The folder that holds `manifest.json`.
    pub root: PathBuf,
    /// The manifest as it stands there.
    pub manifest: Manifest,
    /// The files of the manifest with their texts, in its order.
    pub files: Vec<(File, String)>,
}

impl Suite {
    /// Reads the manifest of a folder and every file that it names.
    ///
    /// # Errors
    /// A file that is missing, is not of the format, or is not the one that the manifest hashed.
    pub fn load(root: &Path) -> Result<Self, String> {
        let read = |path: &str| {
            fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
        };
        let manifest: Manifest = serde_json::from_str(&read("manifest.json")?)
            .map_err(|error| format!("manifest.json: {error}"))?;
        let mut files = Vec::with_capacity(manifest.files.len());
        for entry in &manifest.files {
            let text = read(&entry.path)?;
            let file = File::parse(&text).map_err(|error| format!("{}: {error}", entry.path))?;
            files.push((file, text));
        }
        let now = Manifest::of(&files);
        for (then, now) in manifest.files.iter().zip(&now.files) {
            if then != now {
                return Err(format!(
                    "{}: not the file that manifest.json describes",
                    then.path
                ));
            }
        }
        if now != manifest {
            return Err("manifest.json: its totals or its order are wrong".into());
        }
        Ok(Self {
            root: root.to_owned(),
            manifest,
            files,
        })
    }
}
