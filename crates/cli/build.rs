//! Puts the clauses of `spec/` into the program, which tells how binding each is.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut rows = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let row = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.extension().is_some_and(|extension| extension == "md")
            && fs::read_to_string(&path)?.contains(&format!("\n**{row}."))
        {
            rows.push((row.into_owned(), path.clone()));
        }
    }
    rows.sort();
    let mut table = String::new();
    for (row, path) in rows {
        writeln!(table, "({row:?}, include_str!({path:?})),")?;
    }
    let target = Path::new(&env::var("OUT_DIR")?).join("specifications.rs");
    fs::write(target, format!("&[{table}]"))?;
    Ok(())
}
