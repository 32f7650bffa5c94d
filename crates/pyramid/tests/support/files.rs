//! The files below a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Returns the content of every file below a folder, by its path in the folder.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(current) = open.pop() {
        for entry in fs::read_dir(&current).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below");
                let name = name.display().to_string();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}
