//! Generates the site: a shell that loads data in parts, and the data, all of which come from committed files.

mod badge;
mod cases;
mod cause;
mod entries;
mod example;
mod grid;
mod known;
mod pages;
mod text;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use exactum_conformance::checkout::Checkout;
use exactum_conformance::output;
use serde_json::Value;

use cases::Failures;
use known::Known;

/// The files of the shell, which refer to nothing outside the site.
const ASSETS: [&str; 5] = ["index.html", "style.css", "site.js", "views.js", "tools.js"];

/// Files that are copied to the site from elsewhere in the checkout, each with its name in the site. A file that has
/// not been built is left out, and the pages that need it say so.
const BUILT: [(&str, &str); 2] = [
    ("wasm/npm/exactum.js", "exactum.js"),
    ("wasm/npm/exactum.wasm", "exactum.wasm"),
];

fn main() -> ExitCode {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let made = match folder {
        Some(folder) => make(&folder),
        None => Err("the folder of the site is missing: exactum-site OUT".into()),
    };
    match made {
        Ok(words) => match output::print(&words) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(words) => {
            output::complain("exactum-site", &words);
            ExitCode::FAILURE
        }
    }
}

/// Generates the site in a folder and returns a summary.
fn make(folder: &Path) -> Result<String, String> {
    let checkout = Checkout::find()?;
    let suite = checkout.suite()?;
    let known = Known::read(&checkout, &suite)?;
    let mut site = Site {
        folder,
        files: 0,
        bytes: 0,
    };
    let commit = commit(checkout.root());
    site.json("data/overview.json", &grid::overview(&known, &commit))?;
    for row in known.rows() {
        site.json(&format!("data/row/{row}.json"), &grid::row(&known, row))?;
    }
    for implementation in &known.implementations {
        let name = &implementation.known.name;
        let page = grid::implementation(&known, implementation);
        site.json(&format!("data/implementation/{name}.json"), &page)?;
        for (row, standing) in &implementation.rows {
            let image = badge::image(row, standing);
            site.write(&format!("badge/{name}/{row}.svg"), image.as_bytes())?;
        }
    }
    let failures = Failures::of(&known);
    for (file, _) in &suite.files {
        let path = format!("data/cases/{}/{}.json", file.row, file.topic);
        site.json(&path, &failures.page(file))?;
    }
    site.json("data/readers.json", &grid::readers(&known))?;
    site.json("data/search.json", &grid::search(&known, &suite))?;
    site.json(
        "data/rulings.json",
        &pages::rulings(&known, checkout.root())?,
    )?;
    site.json("data/evidence.json", &pages::evidence(checkout.root())?)?;
    site.json("data/guide.json", &pages::guide(checkout.root())?)?;
    let assets = checkout.root().join("site/assets");
    for asset in ASSETS {
        site.copy(&assets.join(asset), asset)?;
    }
    for picture in pages::pictures(checkout.root())? {
        let name = picture.file_name().unwrap_or_default().to_string_lossy();
        site.copy(&picture, &format!("images/{name}"))?;
    }
    for (from, to) in BUILT {
        let from = checkout.root().join(from);
        if from.is_file() {
            site.copy(&from, to)?;
        }
    }
    Ok(format!(
        "{}: {} files, {} KB\n",
        folder.display(),
        site.files,
        site.bytes / 1000
    ))
}

/// Returns the date and the hash of the commit from which the site is generated; both are empty outside a repository.
fn commit(root: &Path) -> [String; 2] {
    ["%cs", "%h"].map(|form| {
        let git = Command::new("git")
            .current_dir(root)
            .args(["log", "-1", &format!("--format={form}")])
            .output();
        git.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
            .unwrap_or_default()
    })
}

/// A folder that receives the files of the site.
struct Site<'a> {
    folder: &'a Path,
    files: usize,
    bytes: usize,
}

impl Site<'_> {
    fn json(&mut self, path: &str, value: &Value) -> Result<(), String> {
        self.write(path, value.to_string().as_bytes())
    }

    fn copy(&mut self, from: &Path, path: &str) -> Result<(), String> {
        let bytes = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
        self.write(path, &bytes)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.folder.join(path);
        let at = |error: std::io::Error| format!("{}: {error}", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(at)?;
        }
        fs::write(&path, bytes).map_err(at)?;
        self.files += 1;
        self.bytes += bytes.len();
        Ok(())
    }
}
