//! Arrays that commands write, and what is asked of whoever calls them.

use std::thread;
use std::time::{Duration, Instant};

use super::*;

#[test]
fn an_array_is_packed_and_keeps_its_promise() {
    let scratch = Scratch::new("pack");
    let (input, output) = (scratch.file("in.zarr"), scratch.file("out.zarr"));
    fs::create_dir_all(format!("{input}/c")).expect("a folder");
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [8], "data_type": "float32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": "NaN",
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#;
    fs::write(format!("{input}/zarr.json"), document).expect("a document");
    let values = [273.0_f32, f32::NAN, 280.5, 299.25].map(f32::to_le_bytes);
    fs::write(format!("{input}/c/0"), values.concat()).expect("a chunk");
    check(&["pack", &input, &output], 2, &["--max-error"]);
    let run = |arguments: &[&str], code: i32, says: &[&str]| {
        check(
            &[&["pack", &input, &output], arguments].concat(),
            code,
            says,
        );
    };
    run(
        &["--max-error", "0.25", "--part", "2/2"],
        0,
        &["Part 2 of 2 is done", "still missing"],
    );
    for _ in 0..2 {
        run(
            &["--max-error", "0.25"],
            0,
            &["is complete", "16 before, 4 after", "0 values became"],
        );
    }
    run(&["--check"], 0, &["keeps its promise"]);
    run(&["--max-error", "0.1"], 2, &["is not this packed array"]);
    run(&["--compress", "lz4"], 2, &["zstd:LEVEL"]);
    let codecs = scratch.file("codecs.json");
    let list = r#"[{"name": "cast_value", "configuration": {"data_type": "uint8"}}]"#;
    fs::write(&codecs, list).expect("codecs");
    let other = scratch.file("other.zarr");
    check(
        &["pack", &input, &other, "--codecs", &codecs],
        2,
        &["survive"],
    );
    assert!(!fs::exists(&other).expect("a folder"));
    fs::write(format!("{output}/c/0"), [9; 4]).expect("a chunk");
    run(
        &["--check"],
        1,
        &["the value at [0] is 273", "above the promised"],
    );
}

#[test]
fn all_missing_arguments_are_named_at_once() {
    let scratch = Scratch::new("missing");
    let input = scratch.file("");
    let output = scratch.file("out.zarr");
    let given = |more: &[&str], says: &str| {
        check(
            &[&["downsample", &input, &output], more].concat(),
            2,
            &[says],
        );
    };
    given(&[], "needs --factors and --method");
    given(&["--factors", "2"], "needs --method");
    given(&["--method", "max"], "needs --factors");
    given(&["--factors", "2,-2"], "is not a factor");
    given(&["--factors", "+2"], "is not a factor");
    given(&["--factors", "2", "--method", "max"], "has no zarr.json");
}

/// A document that is a FIFO has no other end: every command that reads arrays refuses it, and none waits.
#[cfg(unix)]
#[test]
fn documents_that_are_fifos_are_not_waited_for() {
    let scratch = Scratch::new("fifo");
    let folder = scratch.file("array");
    fs::create_dir_all(&folder).expect("a folder");
    let made = Command::new("mkfifo")
        .arg(Path::new(&folder).join("zarr.json"))
        .status();
    assert!(made.expect("mkfifo").success());
    let output = scratch.file("out");
    let downsample = [
        "downsample",
        &folder,
        &output,
        "--factors",
        "2",
        "--method",
        "mean",
    ];
    for arguments in [
        &downsample[..],
        &["plan", "--scan", &folder, "--target", "uint8"],
        &["prove", &folder, "--range=0..1"],
        &["prove", &folder, "--scan", &folder],
        &["validate", &folder],
    ] {
        let mut child = exactum(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let begin = Instant::now();
        let status = loop {
            match child.try_wait().expect("it is waited for") {
                Some(status) => break status,
                None if begin.elapsed() > Duration::from_secs(60) => {
                    child.kill().expect("it is ended");
                    child.wait().expect("it has ended");
                    panic!("{arguments:?} waits for the other end of a FIFO");
                }
                None => thread::sleep(Duration::from_millis(10)),
            }
        };
        assert_eq!(status.code(), Some(2), "{arguments:?}");
    }
}
