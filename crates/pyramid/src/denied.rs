//! Files without read permission are not treated as missing, and nothing is made in their place.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use exactum_model::Method;
use serde_json::json;

use crate::regular::denied::deny;
use crate::{Error, Options, Outcome, Part, Pyramid, Scan};

/// Writes an array of 8 x 8 elements in four chunks, none of which contains the fill value 0.
fn write_input(folder: &Path) {
    let document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [8, 8],
        "data_type": "uint8",
        "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": ["bytes"],
    });
    for row in 0..2_u8 {
        let place = folder.join(format!("c/{row}"));
        fs::create_dir_all(&place).expect("a folder");
        for column in 0..2_u8 {
            let chunk = [2 * row + column + 1; 16];
            fs::write(place.join(column.to_string()), chunk).expect("a chunk");
        }
    }
    fs::write(folder.join("zarr.json"), document.to_string()).expect("a document");
}

fn run(input: &Path, output: &Path, options: &Options) -> Result<Outcome, Error> {
    let pyramid = Pyramid::open(input, output, options)?;
    pyramid.run(Part::WHOLE, NonZeroUsize::MIN, &|_| ())
}

#[test]
fn denied_files_are_not_missing() {
    let scratch = tempfile::tempdir().expect("a folder");
    let input = scratch.path().join("in");
    write_input(&input);
    let with_base = Options::new(vec![2, 2], Method::Mean).with_levels(1);
    let options = [with_base.clone(), with_base.without_base()];
    for (number, options) in options.iter().enumerate() {
        for name in ["c/0/0", "c/1/1", "zarr.json"] {
            let output = scratch.path().join(format!("out-{number}"));
            let file = input.join(name);
            deny(&file, true);
            // The second run must not report completion on the basis of the records of the first run.
            for _ in 0..2 {
                let words = run(&input, &output, options).expect_err(name).to_string();
                assert!(words.contains(&file.display().to_string()), "{words}");
                assert!(words.contains("permission denied"), "{words}");
                assert!(!output.join("zarr.json").exists(), "{name}");
            }
            let scanned = Scan::open(&input)
                .and_then(|scan| scan.pieces()?.try_for_each(|piece| piece.map(drop)));
            assert!(scanned.is_err(), "{name}");
            deny(&file, false);
            let outcome = run(&input, &output, options);
            assert_eq!(outcome, Ok(Outcome::Complete), "{name}");
            let level = fs::read(output.join("1/c/0/0")).expect("a chunk");
            assert_eq!(
                level,
                [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4],
                "{name}"
            );
            if number == 0 {
                let base = fs::read(output.join("0").join("c/0/0")).expect("a chunk");
                assert_eq!(base, [1; 16], "{name}");
            }
            fs::remove_dir_all(&output).expect("it is removed");
        }
    }
}
