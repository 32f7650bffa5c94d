//! Views of arrays of which little is stored: the stored chunks are listed, and no others are requested.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

/// Writes an array with `chunks` chunks of one element, one of which is stored: a 9 among threes.
fn write(folder: &Path, chunks: u64, stored: u64) {
    let document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [chunks],
        "data_type": "uint8",
        "fill_value": 3,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": ["bytes"],
    });
    fs::create_dir_all(folder.join("c")).expect("a folder");
    fs::write(folder.join("zarr.json"), document.to_string()).expect("a document");
    fs::write(folder.join(format!("c/{stored}")), [9]).expect("a chunk");
}

/// A view of views of an array with one stored chunk also has one chunk.
#[test]
fn views_of_sparse_arrays_make_what_is_stored() {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in");
    write(&input, 1 << 22, 1_000_003);
    for method in ["max", "mean"] {
        let document = view(&view(&zarr3(&input), &[4], method), &[2], "max");
        let opened = View::parse(&document.to_string()).expect("a view");
        let output = scratch.path().join(method);
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

/// Views of 268,435,456 chunks whose positions are changed by transforms: only chunks that may contain the stored chunk
/// are made, and the fill value is that of the array.
#[test]
fn transformed_views_of_sparse_arrays_make_what_is_stored() {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in");
    write(&input, 1 << 28, 145_555_453);
    let selected = |extent: u64, offset: i64, stride: i64| {
        json!({
            "input_shape": [extent],
            "output": [{"offset": offset, "stride": stride, "input_dimension": 0}],
        })
    };
    let base = zarr3(&input);
    let base = with(&base, "", "transform", selected(1 << 28, (1 << 28) - 1, -1));
    // The chunk lies in block 61,440,001 from the end, which is element 60,000 of the first view, and of no other.
    let views = [
        (
            "near",
            selected(1 << 16, 1, 1024),
            1u64,
            vec![(60_000usize, 9u8)],
        ),
        ("far", selected(1 << 16, 1 << 26, 1), 0, Vec::new()),
    ];
    for (name, transform, made, expected) in views {
        let document = with(&view(&base, &[2], "max"), "", "transform", transform);
        let opened = View::parse(&document.to_string()).expect("a view");
        let output = scratch.path().join(name);
        let count = AtomicU64::new(0);
        let outcome = opened.write(&output, Part::WHOLE, NonZeroUsize::MIN, &|_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(outcome, Ok(Outcome::Complete), "{name}");
        assert_eq!(count.into_inner(), made, "{name}");
        let scan = Scan::open(&output).expect("an array");
        let pieces: Result<Vec<_>, _> = scan.pieces().expect("chunks are listed").collect();
        let pieces = pieces.expect("they are read");
        let elements = pieces.iter().flat_map(|piece| piece.elements.data());
        let others = elements.copied().enumerate().filter(|(_, it)| *it != 3);
        assert_eq!(others.collect::<Vec<(usize, u8)>>(), expected, "{name}");
        let elements = pieces.iter().map(|it| it.elements.len() as u64 * it.times);
        assert_eq!(elements.sum::<u64>(), 1 << 16, "{name}");
    }
}
