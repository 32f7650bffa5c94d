//! The command in a folder that is not a checkout.

mod support;

use std::fs;
use std::path::PathBuf;

use support::{Scratch, check_command, exactum};

impl Scratch {
    /// Runs the command here and checks its exit code. Returns what it printed.
    #[track_caller]
    fn check(&self, arguments: &[&str], code: i32, says: &str) -> String {
        check_command(exactum(arguments).current_dir(self.path()), code, &[says])
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }
}

const TOPIC: &str = "cast_value/float64-float16";

#[test]
fn the_vectors_are_written_out_and_judge_as_they_are() {
    let scratch = Scratch::new();
    scratch.check(&["vectors", "--export", "out/vectors"], 0, "README.md");
    scratch.check(&["vectors", "--export", "out/vectors"], 2, "is not empty");
    let carried = "README.md data_types.json reasons.json schema/file.json";
    for file in carried.split(' ') {
        let path = scratch.path().join("out/vectors").join(file);
        let is_there = fs::metadata(path).is_ok_and(|file| file.len() > 100);
        assert!(is_there, "{file}");
    }
    let judged = ["run", "--vectors", "out/vectors", "--only", TOPIC];
    scratch.check(&judged, 0, "0 not as expected");
    // The vectors of the checkout, byte for byte.
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    for file in ["manifest.json", "withdrawn.json", "zfp/documents.json"] {
        let there = fs::read(root.join(file)).expect("a file");
        assert_eq!(
            fs::read(scratch.path().join("out/vectors").join(file)).ok(),
            Some(there),
            "{file}"
        );
    }
}

#[test]
fn vectors_and_known_faults_are_carried() {
    let scratch = Scratch::new();
    let half = [
        "run",
        "--implementation",
        "half",
        "optimized",
        "--only",
        TOPIC,
    ];
    scratch.check(&half, 0, "0 not as expected");
    let case = format!("{TOPIC}/encode-nearest-even-absent/exact");
    scratch.check(&["explain", &case], 0, "cast_value.exact");
    scratch.check(&["vectors", TOPIC], 0, &case);
    scratch.check(&["explain", "cast_value"], 0, "zarrita 0.7.5");
    scratch.check(
        &["explain", "zarrita"],
        0,
        "according to the committed results",
    );
    scratch.check(&["check"], 2, "requires a checkout");
    scratch.check(&["run", "--peers"], 2, "requires a checkout");
    scratch.check(&["run", "--update-expectations"], 2, "--expectations FILE");
    let adapter = env!("CARGO_BIN_EXE_exactum");
    let tested = ["adapter-test", "--", adapter, "adapter", "optimized"];
    scratch.check(&tested, 0, "");
    assert_eq!(scratch.files(), Vec::<String>::new());
}

#[test]
fn expectations_stand_in_a_file_of_ones_own_and_nothing_else_is_written() {
    let scratch = Scratch::new();
    let adapter = env!("CARGO_BIN_EXE_exactum");
    let run = |options: &[&str], code: i32, says: &str| {
        let program = [
            "--command",
            "mine",
            "--",
            adapter,
            "adapter",
            "zarr-cast-value",
        ];
        let only = ["run", "--only", TOPIC, "--expectations", "mine.toml"];
        scratch.check(&[&only[..], options, &program[..]].concat(), code, says)
    };
    run(&[], 1, "not as expected");
    assert_eq!(scratch.files(), Vec::<String>::new());
    run(&["--update-expectations"], 0, "0 not as expected");
    assert_eq!(scratch.files(), ["mine.toml"]);
    run(&["--badge", "badge.svg"], 0, "0 not as expected");
    run(&["--badge", "badge.json"], 0, "0 not as expected");
    assert_eq!(scratch.files(), ["badge.json", "badge.svg", "mine.toml"]);
    let badge = fs::read_to_string(scratch.path().join("badge.json")).expect("a badge");
    let badge: serde_json::Value = serde_json::from_str(&badge).expect("JSON");
    assert_eq!(badge["schemaVersion"], 1);
    let several = ["run", "--expectations", "mine.toml"];
    scratch.check(&several, 2, "--expectations applies to one implementation");
    fs::write(scratch.path().join("mine.toml"), "nonsense").expect("a file");
    run(&[], 2, "mine.toml");
}

#[test]
fn shells_and_readers_of_manuals_are_served() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish"] {
        scratch.check(&["completions", shell], 0, "adapter-test");
    }
    scratch.check(&["man"], 0, ".TH exactum");
    scratch.check(&["man", "run"], 0, "expectations");
    scratch.check(&["man", "dance"], 2, "there is no command dance");
}
