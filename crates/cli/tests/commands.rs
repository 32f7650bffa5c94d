//! The command as a process: exit codes, output, and the protocol over pipes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use support::{Scratch, check_command, exactum};

#[path = "commands/arrays.rs"]
mod arrays;
#[path = "commands/downsample.rs"]
mod downsample;
mod support;

/// Runs the command and checks its exit code. Returns what it printed to both streams.
#[track_caller]
fn check(arguments: &[&str], code: i32, says: &[&str]) -> String {
    check_command(&mut exactum(arguments), code, says)
}

const PAIR: &str = "cast_value/float64-float16";

const CASE: &str = "cast_value/float64-float16/encode-nearest-even-absent/exact";

#[test]
fn ours_pass_and_reports_are_written() {
    let scratch = Scratch::new();
    let (json, junit, html) = (
        scratch.file("report.json"),
        scratch.file("report.xml"),
        scratch.file("report.html"),
    );
    let ours = [
        "run",
        "--implementation",
        "reference",
        "optimized",
        "--only",
        PAIR,
    ];
    let files = ["--json", &json, "--junit", &junit, "--html", &html];
    check(
        &[&ours[..], &files[..]].concat(),
        0,
        &["cast_value", "2 implementations ran ", "0 not as expected"],
    );
    let all = [&ours[..], &["--all"]].concat();
    check(&all, 0, &[".rounding.once", "0 not as expected"]);
    let report = fs::read_to_string(&json).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let implementations = report["implementations"].as_array().expect("a list");
    assert_eq!(implementations.len(), 2);
    for implementation in implementations {
        assert_eq!(implementation["failures"], Value::Array(Vec::new()));
        let passed = implementation["verdicts"]["pass"].as_u64();
        assert!(passed.is_some_and(|count| count > 60), "{implementation}");
    }
    let junit = fs::read_to_string(&junit).expect("a report");
    assert!(junit.contains("<testsuite name=\"optimized\""));
    let html = fs::read_to_string(&html).expect("a report");
    assert!(html.starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_changed_vector_is_found() {
    let scratch = Scratch::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let manifest = fs::read_to_string(root.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    for file in manifest["files"].as_array().expect("files") {
        let path = file["path"].as_str().expect("a path");
        let target = scratch.path().join(path);
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::copy(root.join(path), target).expect("a copy");
    }
    fs::copy(
        root.join("manifest.json"),
        scratch.path().join("manifest.json"),
    )
    .expect("a copy");
    let path = scratch.path().join(format!("{PAIR}.json"));
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(&path, text.replacen("must", "ruling", 1)).expect("a file");
    let folder = scratch.file("");
    check(
        &["run", "--vectors", &folder],
        2,
        &["not the file that manifest.json describes"],
    );
}

#[test]
fn what_cannot_be_carried_out_is_exit_code_2() {
    check(&[], 2, &["Usage"]);
    #[rustfmt::skip] // A table.
    let rows = [
        ("dance", "unrecognized subcommand"),
        ("run --only nothing/at-all", "no case matches"),
        ("run --only a[", "glob"),
        ("run --vectors nowhere", "nowhere"),
        ("run --fresh 100001", "100000"),
        ("explain nothing/at-all", "there is no case, clause, ruling, row or implementation nothing/at-all"),
        ("run --implementation unheard-of", "there is no implementation unheard-of"),
        ("adapter unheard-of", "there is no implementation unheard-of"),
        ("vectors --export src", "src is not empty"),
        ("vectors --clause cast_value.nothing", "no clause"),
        ("run --command ours -- there/is/no/such/program", "cannot be started"),
        // Misspelled names. `@` stands for `cast_value`, because the id of a clause that does not exist may not be
        // written here.
        ("explain @.roundin.once", "; did you mean cast_value.rounding.once?"),
        ("explain zarita", "; did you mean zarrita?"),
        ("run --only cast_valu", "; did you mean cast_value?"),
        ("vectors --clause @.rang.wrap", "; did you mean cast_value.range.wrap?"),
        ("adapter refrence", "; did you mean reference?"),
    ];
    for (line, says) in rows {
        let line = line.replace('@', "cast_value");
        let arguments: Vec<&str> = line.split(' ').collect();
        check(&arguments, 2, &[says]);
    }
    let below = ["is not a single case; the cases below it are", "more"];
    check(&["explain", PAIR], 2, &below);
    let absent = [
        "explain",
        CASE,
        "--command",
        "ours",
        "--",
        "there/is/no/such/program",
    ];
    check(&absent, 2, &["cannot be started"]);
    for name in ["../reference", "a/b", "", ".hidden", "a b", "\u{1b}[2J"] {
        let command = ["run", "--command", name, "--", "true"];
        check(&command, 2, &["is not a valid name"]);
    }
}

#[test]
fn a_run_that_judges_nothing_is_a_finding() {
    let nothing = ["run", "--implementation", "half", "--only", "packbits"];
    check(&nothing, 1, &["nothing was judged"]);
}

/// A document for the standard input.
const DOCUMENT: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"]}"#;

/// Every command that prints, and its input.
const PRINTING: [(&[&str], &str); 15] = [
    (&["schema", "cast_value"], ""),
    (&["vectors", PAIR], ""),
    (&["vectors"], ""),
    (&["check"], ""),
    (&["explain", CASE], ""),
    (&["explain", "R5"], ""),
    (
        &["run", "--implementation", "optimized", "--only", CASE],
        "",
    ),
    (&["validate", "-"], DOCUMENT),
    (&["validate", "--format", "json", "-"], DOCUMENT),
    (&["validate", "--format", "sarif", "-"], DOCUMENT),
    (&["validate", "--modernize", "-"], DOCUMENT),
    (&["prove", "-", "--range", "0..255"], DOCUMENT),
    (&["try", "-", "7"], DOCUMENT),
    (
        &["adapter", "reference"],
        "{\"id\":\"0\",\"op\":\"hello\",\"protocol\":1}\n",
    ),
    (
        &[
            "adapter-test",
            "--",
            env!("CARGO_BIN_EXE_exactum"),
            "adapter",
            "reference",
        ],
        "",
    ),
];

/// Runs a command that prints to a given place. Returns its exit code and what it prints to standard error.
#[cfg(target_os = "linux")]
fn printing(arguments: &[&str], reads: &str, stdout: impl Into<Stdio>) -> (Option<i32>, String) {
    let mut child = exactum(arguments)
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(reads.as_bytes()).expect("a pipe");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), reported)
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    for (arguments, reads) in PRINTING {
        let full = fs::File::options().write(true).open("/dev/full");
        let (code, reported) = printing(arguments, reads, full.expect("a device"));
        assert_eq!(code, Some(2), "{arguments:?}: {reported}");
        assert!(
            reported.contains("exactum: standard output: "),
            "{arguments:?}: {reported}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_pipe_is_no_error() {
    for (arguments, reads) in PRINTING {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let (code, reported) = printing(arguments, reads, writer);
        assert_eq!(code, Some(0), "{arguments:?}: {reported}");
        // The document that is modernized is on standard output, the report about it is not.
        let says = if arguments.contains(&"--modernize") {
            "(standard input): nothing to modernize\n"
        } else {
            ""
        };
        assert_eq!(reported, says, "{arguments:?}");
    }
}

#[test]
fn values_and_ranges_are_judged_by_exit_code() {
    let scratch = Scratch::new();
    let array = scratch.file("zarr.json");
    let group = scratch.file("group.json");
    let broken = scratch.file("broken.json");
    fs::write(&array, DOCUMENT.replace("[\"bytes\"]", CLAMPED)).expect("a file");
    fs::write(&group, r#"{"zarr_format": 3, "node_type": "group"}"#).expect("a file");
    fs::write(&broken, DOCUMENT.replace("\"shape\": [4]", "\"shape\": 4")).expect("a file");
    check(&["prove", &array, "--range", "0..127"], 0, &["proved"]);
    let beyond = ["prove", &array, "--range", "0..128"];
    check(&beyond, 1, &["refuted", "128: out of range and clamped"]);
    check(
        &["prove", &array, "--range", "9..8"],
        2,
        &["is not a range"],
    );
    check(&["prove", &array, "--range", "0..x"], 2, &["uint8 takes"]);
    check(&["prove", &array, "--range", "9"], 2, &["A..B"]);
    let nan = ["prove", &array, "--range", "0..9", "--need", "NaN"];
    check(&nan, 2, &["uint8 has no NaN"]);
    check(&["prove", &group, "--range", "0..9"], 2, &["a group"]);
    check(&["prove", &broken, "--range", "0..9"], 2, &["rejected"]);
    check(&["prove", "nowhere", "--range", "0..9"], 2, &["nowhere"]);
    let two = ["prove", &array, &group, "--range", "0..9"];
    check(&two, 2, &["unexpected argument"]);
    check(&["try", &array, "7", "0x80", "--json"], 0, &["\"127\""]);
    check(&["try", &array, "--", "-7"], 2, &["not a value of uint8"]);
    check(&["try", &group, "7"], 2, &["a group"]);
    check(&["try", &broken, "7"], 1, &["rejected"]);
}

/// Codecs that keep 0 to 127.
const CLAMPED: &str = r#"[{"name": "cast_value", "configuration": {"data_type": "int8", "out_of_range": "clamp"}}, "bytes"]"#;

#[test]
fn vectors_are_listed_and_explained() {
    check(&["vectors"], 0, &["float64-float16", "topics"]);
    let listed = check(
        &["vectors", PAIR, "--clause", "cast_value.rounding.once"],
        0,
        &["  must", " cases"],
    );
    let case = listed.split_whitespace().next().expect("a case");
    check(
        &["explain", case, "--implementation", "reference"],
        0,
        &[
            case,
            "cast_value.rounding.once",
            "reference: pass",
            "input (float64)",
        ],
    );
}

#[test]
fn vectors_and_expectations_are_in_order() {
    check(&["check"], 0, &["0 findings"]);
}

#[test]
fn the_adapter_answers_in_lock_step_and_ends_with_its_input() {
    let mut child = exactum(&["adapter", "optimized"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut requests = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut ask = |request: &str| -> Value {
        writeln!(requests, "{request}").expect("it listens");
        let answer = answers.next().expect("an answer").expect("a line");
        serde_json::from_str(&answer).expect("JSON")
    };
    let hello = ask(r#"{"id":"0","op":"hello","protocol":1}"#);
    assert_eq!(hello["ok"]["name"], "optimized");
    let cast = ask(
        r#"{"id":"1","op":"cast_value.encode","configuration":"{\"data_type\":\"int8\"}","input":{"data_type":"float32","shape":[2],"data":"0000c03f00002040"}}"#,
    );
    assert_eq!(cast["ok"]["output"]["data"], "0202");
    let nan = ask(
        r#"{"id":"7","op":"cast_value.encode","configuration":"{\"data_type\":\"int8\"}","input":{"data_type":"float32","shape":[1],"data":"0000c07f"}}"#,
    );
    assert_eq!(nan["reject"]["reason"], "not_a_number");
    assert_eq!(nan["reject"]["at"], 0);
    assert_eq!(ask("nonsense")["id"], Value::Null);
    drop(requests);
    assert!(child.wait().expect("it ends").success());
}

/// Runs a command line of this program after the arguments of a command that starts it.
fn started(arguments: &[&str], adapter: &str, code: i32, says: &[&str]) {
    let program = env!("CARGO_BIN_EXE_exactum");
    let command = [arguments, &["--", program, "adapter", adapter]].concat();
    check(&command, code, says);
}

#[test]
fn a_program_is_judged_under_a_name() {
    let ours = ["run", "--command", "ours", "--only", PAIR];
    started(&ours, "optimized", 0, &["ours ran ", "0 not as expected"]);
    started(
        &[&ours[..], &["--workers", "1", "--restarts", "0"]].concat(),
        "unheard-of",
        2,
        &[
            "exactum: ours: it does not start: it ended with exit code 2; stderr ends: ",
            "there is no implementation unheard-of",
        ],
    );
    started(
        &["run", "--command", "reference"],
        "reference",
        2,
        &["reference is taken"],
    );
    check(&["run", "--command", "ours"], 2, &["<CMD>"]);
    started(
        &["explain", CASE, "--command", "ours"],
        "optimized",
        0,
        &["ours: pass"],
    );
}

#[test]
fn an_adapter_is_tested() {
    started(
        &["adapter-test"],
        "optimized",
        0,
        &[
            "gives results",
            "wrong: 0",
            "exactum run --command NAME -- ",
        ],
    );
    started(
        &["adapter-test"],
        "unheard-of",
        1,
        &["WRONG  says hello", "exit code 2"],
    );
    check(
        &["adapter-test", "--", "there/is/no/such/program"],
        2,
        &["cannot be started"],
    );
    check(&["adapter-test"], 2, &["<CMD>"]);
}

#[test]
fn a_client_that_goes_away_is_no_error() {
    let mut child = exactum(&["adapter", "reference"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let mut requests = child.stdin.take().expect("a pipe");
    // It may end before all of this is written.
    let _ = writeln!(requests, r#"{{"id":"0","op":"hello"}}"#);
    drop(requests);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
