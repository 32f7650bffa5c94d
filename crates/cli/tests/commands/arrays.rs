//! Arrays that commands write, and the questions that they ask their users.

use std::thread;
use std::time::{Duration, Instant};

use super::*;

#[test]
fn an_array_is_packed_and_keeps_its_promise() {
    let scratch = Scratch::new();
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
            &["is complete", "16 before, 3 after", "0 values became"],
        );
    }
    run(&["--check"], 0, &["is within the promised error"]);
    run(&["--max-error", "0.1"], 2, &["is not this packed array"]);
    run(&["--compress", "lz4"], 2, &["zstd:LEVEL"]);
    let codecs = scratch.file("codecs.json");
    let list = r#"[{"name": "cast_value", "configuration": {"data_type": "uint8"}}]"#;
    fs::write(&codecs, list).expect("codecs");
    let other = scratch.file("other.zarr");
    check(
        &["pack", &input, &other, "--codecs", &codecs],
        2,
        &["are not proved to keep the values"],
    );
    assert!(!fs::exists(&other).expect("a folder"));
    fs::write(format!("{output}/c/0"), [9; 3]).expect("a chunk");
    run(
        &["--check"],
        1,
        &["the value at [0] is 273", "exceeds the promised"],
    );
}

/// Writes an array of float32 whose values are 0, 0.5, 1, … in one chunk, except for `values` at its
/// beginning.
fn floats(folder: &str, values: &[f32]) {
    fs::create_dir_all(format!("{folder}/c")).expect("a folder");
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [64], "data_type": "float32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [64]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 0.0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#;
    fs::write(format!("{folder}/zarr.json"), document).expect("a document");
    let rest = (values.len()..64).map(|index| f32::from(u8::try_from(index).expect("few")) / 2.0);
    let all = values.iter().copied().chain(rest).map(f32::to_le_bytes);
    fs::write(
        format!("{folder}/c/0"),
        all.collect::<Vec<[u8; 4]>>().concat(),
    )
    .expect("a chunk");
}

#[test]
fn pack_chooses_what_plan_lists_first() {
    let scratch = Scratch::new();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let ran = exactum(arguments).output().expect("it starts");
        serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {ran:?}"))
    };
    for (name, values, errors) in [
        ("few-bits", &[][..], &["--max-error", "0.2"][..]),
        ("missing", &[f32::NAN, -3.0], &["--max-error", "0.01"]),
        ("endless", &[f32::NEG_INFINITY], &["--max-error", "1"]),
        (
            "wide",
            &[1e-6, 3.0e8],
            &["--max-relative-error", "0.01", "--smallest", "1e-6"],
        ),
        ("chosen", &[], &["--max-error", "0.2", "--target", "int16"]),
    ] {
        let [input, output] = ["in", "out"].map(|end| scratch.file(&format!("{name}-{end}")));
        floats(&input, values);
        let plan = json(&[&["plan", "--json", "--scan", &input], errors].concat());
        let pack = json(&[&["pack", "--json", &input, &output], errors].concat());
        assert_eq!(
            pack["arrays"][0]["promised_error"], plan["maximum_error"],
            "{name}"
        );
        let document = fs::read(format!("{output}/zarr.json")).expect("a document");
        let document: serde_json::Value = serde_json::from_slice(&document).expect("JSON");
        assert_eq!(document["codecs"], plan["codecs"], "{name}");
        assert_eq!(document["fill_value"], plan["fill_value"], "{name}");
        let proof = json(&["prove", "--json", &output, "--scan", &input]);
        assert_eq!(proof["verdict"], "proved", "{name}");
        assert_eq!(
            proof["largest_error"]["bound"], plan["maximum_error"],
            "{name}"
        );
    }
}

#[test]
fn chunks_of_several_lengths_are_scanned_and_not_downsampled() {
    let scratch = Scratch::new();
    let [input, output] = ["in", "out"].map(|name| scratch.file(name));
    fs::create_dir_all(format!("{input}/c")).expect("a folder");
    let document = |lengths: &str| {
        format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [6], "data_type": "float32",
            "chunk_grid": {{"name": "rectilinear", "configuration": {{"kind": "inline", "chunk_shapes": [{lengths}]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": 9.0,
            "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
        )
    };
    let file = format!("{input}/zarr.json");
    fs::write(&file, document("[1, [2, 2], 1]")).expect("a document");
    let chunk = |at: u32, values: &[f32]| {
        let bytes: Vec<[u8; 4]> = values.iter().copied().map(f32::to_le_bytes).collect();
        fs::write(format!("{input}/c/{at}"), bytes.concat()).expect("a chunk");
    };
    chunk(0, &[-4.0]);
    chunk(2, &[0.5, 3.0]);
    let found = "found          6 elements of float32 from -4.0 to 9.0, fill value 9.0";
    check(
        &["plan", "--scan", &input, "--max-error", "0.1"],
        0,
        &[found],
    );
    let scanned = ["prove", &input, "--scan", &input, "--max-error", "0"];
    check(&scanned, 0, &["proved: every value from -4.0 to 9.0"]);
    check(&["try", &input, "3"], 0, &["3"]);
    for command in [
        &["downsample", "--factors", "2", "--method", "max"][..],
        &["pack", "--max-error", "0.1"],
    ] {
        let arguments = [
            &command[..1],
            &[input.as_str(), output.as_str()],
            &command[1..],
        ]
        .concat();
        check(&arguments, 2, &["the chunk grid is rectilinear"]);
    }
    // A grid with more chunks than memory has room for.
    fs::write(&file, document("[[1, 1000000000000000]]")).expect("a document");
    check(
        &["plan", "--scan", &input],
        2,
        &["1000000000000000 chunks along a dimension"],
    );
}

/// Downsamples times of a data type by every method that is defined for them.
fn check_times(data_type: &str) {
    let scratch = Scratch::new();
    let input = scratch.file("in");
    fs::create_dir_all(format!("{input}/c")).expect("a folder");
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [8],
        "data_type": {"name": "TYPE", "configuration": {"unit": "s", "scale_factor": 1}},
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": "NaT",
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#;
    let document = document.replace("TYPE", data_type);
    fs::write(format!("{input}/zarr.json"), document).expect("a document");
    let nat = i64::MIN;
    let times = [5, nat, 7, 7, nat, nat, nat, 3];
    fs::write(format!("{input}/c/0"), times.map(i64::to_le_bytes).concat()).expect("a chunk");
    for (method, more, expected) in [
        ("stride", &[][..], [5, 7, nat, nat]),
        ("min", &[], [5, 7, nat, 3]),
        ("max", &[], [5, 7, nat, 3]),
        ("median", &[], [5, 7, nat, 3]),
        ("mode", &[], [5, 7, nat, 3]),
        ("max", &["--skip-value", "NaT"], [5, 7, nat, 3]),
        ("max", &["--skip-value", "7"], [5, 7, nat, 3]),
    ] {
        let output = scratch.file(&format!("{method}-{}", more.len() + more.concat().len()));
        let arguments = [
            "downsample",
            &input,
            &output,
            "--factors",
            "2",
            "--levels",
            "1",
        ];
        check(
            &[&arguments[..], &["--method", method], more].concat(),
            0,
            &["is complete"],
        );
        // A chunk that contains only NaT would not be stored.
        let bytes = fs::read(format!("{output}/1/c/0")).expect("a chunk");
        let read: Vec<i64> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|it| i64::from_le_bytes(*it))
            .collect();
        assert_eq!(read[..4], expected, "{data_type}: {method} {more:?}");
        check(&["validate", &output], 0, &["valid"]);
    }
    let output = scratch.file("mean");
    let mean = [
        "downsample",
        &input,
        &output,
        "--factors",
        "2",
        "--method",
        "mean",
    ];
    check(&mean, 2, &["the mean of times"]);
    check(&["plan", "--scan", &input], 2, &[data_type]);
}

#[test]
fn times_are_downsampled_and_nat_is_left_out() {
    check_times("numpy.datetime64");
    check_times("numpy.timedelta64");
}

#[test]
fn what_readers_take_for_missing_refutes_a_proof() {
    let scratch = Scratch::new();
    let input = scratch.file("zarr.json");
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 7,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": {"_FillValue": 7}}"#;
    fs::write(&input, document).expect("a document");
    let missing = "readers of CF treat 7 as missing, because of _FillValue";
    check(
        &["prove", &input, "--range=0..10"],
        1,
        &["refuted: ", missing],
    );
    check(&["prove", &input, "--range=8..10"], 0, &["proved: "]);
    check(
        &["prove", &input, "--range=0..10", "--raw"],
        0,
        &["proved: "],
    );
    let json = check(&["prove", &input, "--range=0..10", "--json"], 1, &[]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["missing"], serde_json::json!(["7"]));
}

#[test]
fn all_missing_arguments_are_named_at_once() {
    let scratch = Scratch::new();
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

/// A FIFO in place of a document has no writer: every command that reads arrays refuses it, and none waits.
#[cfg(unix)]
#[test]
fn documents_that_are_fifos_are_not_waited_for() {
    let scratch = Scratch::new();
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
