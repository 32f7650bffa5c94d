//! `cargo xtask`: makes and checks everything that is generated, and keeps the house tidy.
//!
//! It stays light: what needs the judge (`coverage`, `bench`) builds the `exactum` command and
//! calls a hidden subcommand of it.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command talks to its user"
)]

mod generated;
mod oracle;
mod vectors;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of the workspace.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make the golden vectors, their manifest and their tables.
    Vectors {
        /// Make them again and compare; write nothing.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let root = root();
    let result = match arguments.task {
        Task::Vectors { check } => {
            vectors::make(&root).and_then(|files| finish("vectors", &root, &files, check))
        }
    };
    match result {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(findings) => {
            for finding in &findings {
                eprintln!("{finding}");
            }
            eprintln!("{} findings", findings.len());
            ExitCode::FAILURE
        }
    }
}

/// Writes a folder of generated files, or compares it with what is there.
fn finish(
    folder: &str,
    root: &Path,
    files: &generated::Files,
    check: bool,
) -> Result<String, Vec<String>> {
    let folder_path = root.join(folder);
    if check {
        files.check(&folder_path)
    } else {
        files.write(&folder_path)
    }
    .map(|count| format!("{folder}: {count} files are as generated"))
}

/// The workspace that this program was built from.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
