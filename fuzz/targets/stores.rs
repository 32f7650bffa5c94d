//! Tests a whole store. The first line of the input is the document of an array. It is followed by the first
//! two chunks, the plan of a pyramid and the journal of one of its parts, separated by lines of `--`. The
//! store is scanned, viewed and packed, and a pyramid is built from it and from the journal. Every input must
//! end with an answer.

#![no_main]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use exactum_fuzz::{is_small, line};
use exactum_metadata::parse_array;
use exactum_model::{Method, Source as _};
use exactum_pyramid::{Compression, Error, Options, Pack, Packing, Part, Pyramid, Scan, View};
use serde_json::json;

/// Returns a folder, in memory if possible, which is written anew for every input.
fn scratch() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => memory.to_owned(),
        false => std::env::temp_dir(),
    };
    folder.join(format!("exactum-fuzz-stores-{}", std::process::id()))
}

fn write(path: &Path, bytes: &[u8]) {
    let folder = path.parent().expect("a file in a folder");
    fs::create_dir_all(folder).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

/// Returns the parts between lines of `--`.
fn parts(mut bytes: &[u8]) -> Vec<&[u8]> {
    const LINE: &[u8] = b"\n--\n";
    let mut parts = Vec::new();
    while let Some(at) = bytes.windows(LINE.len()).position(|it| it == LINE) {
        parts.push(&bytes[..at]);
        bytes = &bytes[at + LINE.len()..];
    }
    parts.push(bytes);
    parts
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((text, rest)) = line(input) else {
        return;
    };
    let Ok(document) = parse_array(text) else {
        return;
    };
    if !is_small(&document.chain.chunk_shape) || !is_small(&document.shape) {
        return;
    }
    let scratch = scratch();
    let (from, to) = (scratch.join("in"), scratch.join("out"));
    let _ = fs::remove_dir_all(&scratch);
    write(&from.join("zarr.json"), text.as_bytes());
    let rank = document.shape.len();
    let parts = parts(rest);
    for (number, chunk) in parts.iter().take(2).enumerate() {
        let mut key = vec!["0".to_owned(); rank];
        if let Some(last) = key.last_mut() {
            *last = number.to_string();
        }
        let path = key
            .iter()
            .fold(from.join("c"), |path, part| path.join(part));
        write(&path, chunk);
    }
    for (name, bytes) in ["plan.json", "part-1-of-1-x"]
        .iter()
        .zip(parts.iter().skip(2))
    {
        write(&to.join(".exactum-downsample").join(name), bytes);
    }
    if let Ok(scan) = Scan::open(&from)
        && let Ok(pieces) = scan.pieces()
    {
        let _ = pieces.collect::<Result<Vec<_>, _>>();
    }
    let view = json!({
        "driver": "downsample",
        "base": {"driver": "zarr3", "kvstore": {"driver": "file", "path": from}},
        "downsample_factors": vec![2; rank],
        "downsample_method": "max",
    });
    if let Ok(view) = View::parse(&view.to_string()) {
        let _ = view.read(&view.domain());
    }
    let packing = Packing {
        codecs: json!([]),
        fill_value: None,
        bound: 0.0,
        compression: Some(Compression::None),
    };
    let packed = scratch.join("packed");
    if let Ok(mut pack) = Pack::open::<Error>(&from, &packed, |_, _| Ok(Some(packing.clone()))) {
        pack.without_sync();
        let _ = pack.run(Part::WHOLE, NonZeroUsize::MIN, &|_| ());
    }
    let options = Options::new(vec![2; rank], Method::Mean).with_levels(2);
    let options = match rest.len() % 2 {
        0 => options.from_base(),
        _ => options,
    };
    if let Ok(mut pyramid) = Pyramid::open(&from, &to, &options) {
        pyramid.without_sync();
        let _ = pyramid.run(Part::WHOLE, NonZeroUsize::MIN, &|_| ());
    }
});
