//! Views of arrays of which little is stored: the chunks that are there are listed, and no others are asked for.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

/// Writes an array of chunks of one element, of which one is stored; a view of views of it has one chunk, too.
#[test]
fn views_of_sparse_arrays_make_what_is_stored() {
    let scratch = Scratch::new("sparse");
    let input = scratch.join("in");
    let document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [1 << 22],
        "data_type": "uint8",
        "fill_value": 3,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": ["bytes"],
    });
    fs::create_dir_all(input.join("c")).expect("a folder");
    fs::write(input.join("zarr.json"), document.to_string()).expect("a document");
    fs::write(input.join("c/1000003"), [9]).expect("a chunk");
    for method in ["max", "mean"] {
        let document = view(&view(&zarr3(&input), &[4], method), &[2], "max");
        let opened = View::parse(&document.to_string()).expect("a view");
        let output = scratch.join(method);
        let count = AtomicU64::new(0);
        let outcome = opened.write(&output, Part::WHOLE, NonZeroUsize::MIN, &|_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(outcome, Ok(Outcome::Complete), "{method}");
        assert_eq!(count.into_inner(), 1, "{method}");
        // Position 1,000,003 lies in block 125,000 of eight.
        let chunk = fs::read(output.join("c/125000")).expect("a chunk");
        let expected = opened.read(&Domain::of_intervals(std::iter::once(125_000..125_001)));
        assert_eq!(chunk, expected.expect("it is read").data(), "{method}");
        let files = fs::read_dir(output.join("c")).expect("a folder").count();
        assert_eq!(files, 1, "{method}");
    }
}
