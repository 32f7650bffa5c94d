//! `exactum downsample`: pyramids and views.

use std::fs;

use super::{Scratch, check};

/// Writes an array of uint8 with fill value 7 and one stored chunk, and returns its folder.
fn array(scratch: &Scratch, shape: [u64; 2]) -> String {
    let folder = scratch.file("in.zarr");
    fs::create_dir_all(&folder).expect("a folder");
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape:?}, "data_type": "uint8",
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [2, 2]}}}},
        "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "."}}}},
        "fill_value": 7, "codecs": [{{"name": "bytes"}}]}}"#
    );
    fs::write(format!("{folder}/zarr.json"), document).expect("a document");
    fs::write(format!("{folder}/c.0.0"), [1, 2, 3, 6]).expect("a chunk");
    folder
}

#[test]
fn a_pyramid_is_made_in_parts_and_what_is_wrong_is_reported() {
    let scratch = Scratch::new();
    let (input, output) = (array(&scratch, [10, 6]), scratch.file("out.zarr"));
    let command = [
        "downsample",
        &input,
        &output,
        "--factors",
        "2,2",
        "--method",
    ];
    let run = |arguments: &[&str], code: i32, says: &[&str]| {
        check(&[&command[..], arguments].concat(), code, says)
    };
    run(
        &["mean", "--part", "2/2"],
        0,
        &["Part 2 of 2 is done", "still missing"],
    );
    run(&["max"], 2, &["incomplete result"]);
    run(
        &["mean", "--part", "1/2"],
        0,
        &["is complete", "0  10 × 6", "3  2 × 1"],
    );
    run(&["mean"], 0, &["is complete"]);
    run(&["max"], 2, &["already exists"]);
    assert_eq!(
        fs::read(format!("{output}/1/c.0.0")).expect("a chunk"),
        [3, 7, 7, 7]
    );
    for (part, says) in [
        ("0/2", "I/N"),
        ("3/2", "I/N"),
        ("half", "I/N"),
        ("+1/+2", "I/N"),
    ] {
        run(&["mean", "--part", part], 2, &[says]);
    }
    run(&["average"], 2, &["possible values", "stride"]);
    let options = |method: &str, option: &[&str], code: i32, says: &[&str]| {
        let output = scratch.file(&format!("{method}{}.zarr", option.join("")));
        let command = [
            "downsample",
            &input,
            &output,
            "--factors",
            "2,2",
            "--method",
            method,
        ];
        check(&[&command[..], option].concat(), code, says);
        output
    };
    let output = options("mean", &["--skip-value", "6"], 0, &["is complete"]);
    assert_eq!(
        fs::read(format!("{output}/1/c.0.0")).expect("a chunk"),
        [2, 7, 7, 7]
    );
    options("mode", &["--skip-value", "300"], 2, &["300", "uint8"]);
    options("max", &["--skip-value", "0"], 0, &["is complete"]);
    options("max", &["--nan", "skip"], 2, &["uint8 has no NaN to skip"]);
    options(
        "mean",
        &["--nan", "keep"],
        2,
        &["possible values", "propagate"],
    );
}

#[test]
fn the_array_that_a_view_describes_is_written() {
    let scratch = Scratch::new();
    let (input, output) = (array(&scratch, [5, 2]), scratch.file("out.zarr"));
    let view = |name: &str, driver: &str, more: &str| {
        let file = scratch.file(name);
        let text = format!(
            r#"{{"driver": "downsample", "downsample_factors": [2, 2], "downsample_method": "mean",
            "base": {{"driver": "{driver}", "kvstore": {{"driver": "file", "path": "{input}"}}}}{more}}}"#
        );
        fs::write(&file, text).expect("a document");
        file
    };
    let good = view("view.json", "zarr3", "");
    check(
        &["downsample", &good, &output],
        0,
        &["is complete: 3 × 1 of uint8"],
    );
    assert_eq!(
        fs::read(format!("{output}/c.0.0")).expect("a chunk"),
        [3, 7, 7, 7]
    );
    assert!(!fs::exists(format!("{output}/c.1.0")).expect("a folder"));
    check(&["validate", &output], 0, &["valid"]);
    check(
        &["downsample", &good, &output, "--factors", "2,2"],
        2,
        &["leave out --factors"],
    );
    check(
        &["downsample", &input, &output, "--factors", "2,2"],
        2,
        &["needs --method"],
    );
    let other = view("zarr.json", "zarr", "");
    check(
        &["downsample", &other, &output],
        2,
        &["\"zarr\" is not supported", "the supported drivers are"],
    );
    // `validate` checks a view against an array that exists, and reports nothing about a missing array.
    check(&["validate", &good], 0, &["valid"]);
    let unfit = view("unfit.json", "zarr3", r#", "dtype": "int8""#);
    check(
        &["validate", &unfit],
        1,
        &["the data type is int8 here, but uint8 at"],
    );
    fs::remove_dir_all(&input).expect("it was there");
    check(&["validate", &unfit], 0, &["valid"]);
    check(
        &["downsample", &good, &scratch.file("none.zarr")],
        2,
        &["there is no Zarr 3 array"],
    );
}
