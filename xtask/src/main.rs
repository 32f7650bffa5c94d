//! `cargo xtask`: generates and checks all generated files, and enforces the rules of the repository.
//!
//! It stays light: tasks that need the laboratory (`bench`, `coverage`, `exhaustive`, `findings`, `fuzz`, `peers`,
//! `performance`) build the command `exactum-lab` and call it.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command prints to its user"
)]

mod anchors;
mod bundle;
mod generated;
mod oracle;
#[path = "../../conformance/suite/pack.rs"]
mod pack;
mod programs;
mod schema;
mod site;
mod size;
mod tidy;
mod vectors;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

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
    /// Generate the golden vectors, their manifest and their tables.
    Vectors {
        /// Compare newly generated files with the committed ones; write nothing.
        #[arg(long)]
        check: bool,
        /// Compare only the topics of these rows: `--check chain scale_offset`.
        #[arg(value_name = "ROW", requires = "check")]
        rows: Vec<String>,
    },
    /// Generate the JSON Schemas of the documents.
    Schema {
        /// Compare newly generated files with the committed ones; write nothing.
        #[arg(long)]
        check: bool,
    },
    /// Compute the worked examples of the specification and compare the results.
    Anchors,
    /// Check that every clause is covered by a killed mutant or by documents, and write the report.
    Coverage {
        /// Compare the report with the committed one; write nothing.
        #[arg(long)]
        check: bool,
    },
    /// Check dependencies, names, files and rows.
    Tidy,
    /// Measure the fast implementations and third-party ones.
    Bench {
        /// Options of `exactum-lab bench`: a row, `--quick`, `--without NAME`, `--json FILE`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Mutate the requests of a row at random: `fuzz ROW --runs N --seed S`.
    Fuzz {
        /// The row and the options of `exactum-lab fuzz`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        options: Vec<String>,
    },
    /// Compare the optimized casts with the reference on all elements of 16 bits or fewer.
    Exhaustive {
        /// Options of `exactum-lab exhaustive`: `--from TYPE`, `--to TYPE`, `--float32`, `--random COUNT`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Generate the page of the faults that the vectors have found from the committed results.
    Findings {
        /// Compare the page with the committed one; write nothing.
        #[arg(long)]
        check: bool,
    },
    /// Generate the performance page from the committed measurements.
    Performance {
        /// Options of `exactum-lab performance`: `--measure DATE` measures first, `--only NAME` restricts the
        /// measurements.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Set up the third-party implementations that `exactum run --peers` judges
    ///
    /// The exit code is 1 if some are not available, and 3 if this is only because a registry does not answer.
    Peers {
        /// Third-party implementations to leave out.
        #[arg(long, value_name = "NAME", num_args = 1..)]
        without: Vec<String>,
        /// Use this Python, 3.12 or newer, for zarr-python if the default Python is older.
        #[arg(long, value_name = "PATH")]
        python: Option<PathBuf>,
        /// Set up the newest releases, in addition to those of conformance/peers.lock.
        #[arg(long, conflicts_with = "lock")]
        newest: bool,
        /// Set up nothing; record the hashes of the packages that conformance/peers.lock names.
        #[arg(long)]
        lock: bool,
    },
    /// Test Exactum with programs that lie, large documents and hostile chunks, and compare the results with
    /// docs/reliability.md.
    Reliability {
        /// Options of `exactum-lab reliability`: `--write`, `--only WORDS`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Print the number of lines of code of each room, and fail if one exceeds its limit in xtask/size.toml.
    Size {
        /// Set the limits to the current numbers of lines.
        #[arg(long)]
        write: bool,
    },
    /// Generate the site from committed files: `site OUT`.
    Site {
        /// The folder of the site.
        #[arg(value_name = "OUT")]
        folder: PathBuf,
    },
    /// Pack the vectors, the specification and the expectations for the package of `exactum-suite`.
    Pack,
    /// Write the release of the vectors to target/bundle: an archive, a package for npm and a package for Python.
    Bundle {
        /// The folder `vectors` of the previous release. The changes since then are listed, and are checked against the
        /// rules.
        #[arg(long, value_name = "DIR")]
        since: Option<PathBuf>,
    },
    /// Generate all generated files again and compare them: schemas, anchors, vectors, coverage, findings. Of the
    /// reliability page, only the rows are compared, and nothing is run.
    Check,
}

/// The message of a successful task, or its findings.
type Result<T = String> = std::result::Result<T, Vec<String>>;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let root = root();
    let result = match arguments.task {
        Task::Vectors { check, rows } => vectors(&root, check, &rows),
        Task::Schema { check } => schema(&root, check),
        Task::Anchors => anchors(),
        Task::Coverage { check } => coverage(check),
        Task::Tidy => tidy(&root),
        Task::Bench { options } => lab(true, "bench", &options),
        Task::Fuzz { options } => lab(true, "fuzz", &options),
        Task::Exhaustive { options } => lab(true, "exhaustive", &options),
        Task::Findings { check } => findings(check),
        Task::Performance { options } => {
            let mut all = vec!["--write".to_owned()];
            all.extend(options);
            lab(true, "performance", &all)
        }
        Task::Peers {
            without,
            python,
            newest,
            lock,
        } => {
            let flags = [("--newest", newest), ("--lock", lock)];
            return peers(&without, python.as_deref(), flags);
        }
        Task::Reliability { options } => reliability(&options),
        Task::Size { write } => size::size(&root, write),
        Task::Site { folder } => site::make(&root, &folder),
        Task::Pack => pack(&root),
        Task::Bundle { since } => bundle::bundle(&root, since.as_deref()),
        Task::Check => check(&root),
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

fn vectors(root: &Path, check: bool, rows: &[String]) -> Result {
    let files = vectors::make(root, rows)?;
    if rows.is_empty() {
        return finish("vectors", root, &files, check);
    }
    let count = files.compare(&root.join("vectors"))?;
    Ok(format!(
        "vectors of {}: {count} files are up to date",
        rows.join(", ")
    ))
}

fn schema(root: &Path, check: bool) -> Result {
    schema::make().and_then(|files| finish("spec/schema", root, &files, check))
}

fn anchors() -> Result {
    anchors::check().map(|count| format!("anchors: {count} values agree with the texts"))
}

fn tidy(root: &Path) -> Result {
    let findings = tidy::check(root);
    if findings.is_empty() {
        Ok("tidy".into())
    } else {
        Err(findings)
    }
}

/// Writes the file that the package of `exactum-suite` contains.
fn pack(root: &Path) -> Result {
    let target = root.join("conformance/suite/suite.bin");
    pack::pack(root)
        .and_then(|packed| {
            std::fs::write(&target, &packed)?;
            Ok(format!("{}: {} bytes", target.display(), packed.len()))
        })
        .map_err(|error| vec![format!("{}: {error}", target.display())])
}

fn coverage(check: bool) -> Result {
    let options: &[String] = if check { &[] } else { &["--write".into()] };
    lab(false, "coverage", options)
}

fn findings(check: bool) -> Result {
    let options: &[String] = if check { &[] } else { &["--write".into()] };
    lab(false, "findings", options)
}

/// Builds the command `exactum`, which the laboratory finds in its own folder, and lets it judge lying programs.
fn reliability(options: &[String]) -> Result {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build
        .current_dir(root())
        .args(["build", "--quiet", "--release", "--package", "exactum"]);
    match build.status() {
        Ok(status) if status.success() => lab(true, "reliability", options),
        Ok(status) => Err(vec![format!("cargo build: {status}")]),
        Err(error) => Err(vec![format!("cargo: {error}")]),
    }
}

/// Sets up the peers, with the build that also computes coverage. Returns the exit code of the command.
fn peers(without: &[String], python: Option<&Path>, flags: [(&str, bool); 2]) -> ExitCode {
    let flags = flags
        .iter()
        .filter(|(_, given)| *given)
        .map(|(flag, _)| flag);
    let status = programs::command(&root(), "exactum-lab", false).and_then(|mut command| {
        command.arg("peers");
        if !without.is_empty() {
            command.arg("--without").args(without);
        }
        if let Some(python) = python {
            command.arg("--python").arg(python);
        }
        let status = command.args(flags).status();
        status.map_err(|error| format!("exactum-lab: {error}"))
    });
    match status {
        Ok(status) => status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs every check, even after one has failed, so that a single run shows all findings.
fn check(root: &Path) -> Result {
    let results = [
        schema(root, true),
        anchors(),
        vectors(root, true, &[]),
        coverage(true),
        findings(true),
        lab(false, "performance", &[]),
        lab(false, "reliability", &["--rows".into()]),
    ];
    let mut findings = Vec::new();
    for result in results {
        match result {
            Ok(report) => println!("{report}"),
            Err(found) => findings.extend(found),
        }
    }
    if findings.is_empty() {
        Ok("all checks passed".into())
    } else {
        Err(findings)
    }
}

/// Writes a folder of generated files, or compares it with the existing files.
fn finish(folder: &str, root: &Path, files: &generated::Files, check: bool) -> Result {
    let path = root.join(folder);
    if check {
        files.check(&path)
    } else {
        files.write(&path)
    }
    .map(|count| format!("{folder}: {count} files are up to date"))
}

/// Builds the command `exactum-lab` and runs one of its subcommands. Benchmarks use huge pages if the C library
/// supports them: NumPy requests them for its own arrays, so without them a benchmark would compare page sizes.
fn lab(release: bool, subcommand: &str, options: &[String]) -> Result {
    let mut command =
        programs::command(&root(), "exactum-lab", release).map_err(|error| vec![error])?;
    if ["bench", "performance"].contains(&subcommand) {
        command.env("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
    }
    let status = command.arg(subcommand).args(options).status();
    match status {
        Ok(status) if status.success() => Ok(format!("{subcommand}: passed")),
        Ok(status) => Err(vec![format!("exactum-lab {subcommand}: {status}")]),
        Err(error) => Err(vec![format!("exactum-lab: {error}")]),
    }
}

/// Returns the workspace from which this program was built.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
