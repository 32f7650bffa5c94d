//! Stored chunks that claim to be, or decompress to, far more than the document leaves room for. Every way of
//! reading an array names the chunk, and holds little memory. This target has only one test, so that nothing
//! else counts towards its memory.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use exactum_model::{Array, DataType, Method, Source as _};
use exactum_pyramid::{Error, Options, Part, Pyramid, Scan, View};
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

#[path = "support/arrays.rs"]
mod arrays;

use arrays::{read_array, write_array};
use tempfile::tempdir;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// The number of bytes to which a bomb decompresses.
const BOMB: u64 = 32 << 20;

/// The maximum number of bytes that may be held, of which 16 are the elements.
const HELD: usize = 16 << 20;

/// A frame of Zstandard that claims 2^62 bytes, and has none.
const CLAIM: [u8; 16] = *b"\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x40\x01\0\0";

fn document(extent: u64, codecs: &Value) -> Value {
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [extent],
        "data_type": "uint8",
        "fill_value": 1,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [extent]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": codecs,
    })
}

/// Returns the codecs of an array of this extent: two chunks in a shard, or a single chunk.
fn codecs(extent: u64, compressor: &Value, is_sharded: bool) -> Value {
    let inner = json!(["bytes", compressor]);
    match is_sharded {
        false => inner,
        true => json!([{"name": "sharding_indexed", "configuration": {
            "chunk_shape": [extent / 2],
            "codecs": inner,
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"],
        }}]),
    }
}

/// Reads an array in every way, each to its end or its first error.
fn read(folder: &Path, output: &Path) -> Vec<(&'static str, Result<(), String>)> {
    let words = |fault: Error| fault.to_string();
    let view = json!({
        "driver": "downsample",
        "base": {"driver": "zarr3", "kvstore": {"driver": "file", "path": folder}},
        "downsample_factors": [2],
        "downsample_method": "mean",
    });
    let view = View::parse(&view.to_string()).expect("a view");
    let scan = Scan::open(folder).expect("an array");
    let options = Options::new(vec![2], Method::Mean).with_levels(1);
    let pyramid = Pyramid::open(folder, &output.join("pyramid"), &options).expect("an array");
    let (part, threads) = (Part::WHOLE, NonZeroUsize::MIN);
    let scanned = scan
        .pieces()
        .expect("pieces")
        .try_for_each(|piece| piece.map(drop));
    let made = pyramid.run(part, threads, &|_| ()).map(drop);
    let viewed = view.read(&view.domain());
    let written = view.write(&output.join("view"), part, threads, &|_| ());
    vec![
        ("scan", scanned.map_err(words)),
        ("pyramid", made.map_err(words)),
        ("view", viewed.map(drop).map_err(|fault| fault.to_string())),
        ("written view", written.map(drop).map_err(words)),
    ]
}

fn check(name: &str, folder: &Path, output: &Path) {
    let before = PEAK.current_usage();
    PEAK.reset_peak_usage();
    let outcomes = read(folder, output);
    let held = PEAK.peak_usage() - before;
    for (way, outcome) in outcomes {
        let words = outcome.expect_err(&format!("{name}, {way}"));
        assert!(words.contains("c/0"), "{name}, {way}: {words}");
    }
    assert!(held < HELD, "{name}: {held} bytes");
}

#[test]
fn bombs_are_refused_before_they_are_held() {
    let compressors = [
        json!({"name": "zstd", "configuration": {"level": 1, "checksum": false}}),
        json!({"name": "gzip", "configuration": {"level": 9}}),
        json!({"name": "blosc", "configuration": {"cname": "zstd", "clevel": 5, "shuffle": "noshuffle", "blocksize": 0}}),
    ];
    let good = Array::new(DataType::Uint8, vec![16], (2..18).collect()).expect("elements");
    let size = usize::try_from(BOMB).expect("a size");
    let zeros = Array::new(DataType::Uint8, vec![BOMB], vec![0; size]).expect("zeros");
    for compressor in compressors {
        for is_sharded in [false, true] {
            let name = format!("{}, {is_sharded}", compressor["name"]);
            let scratch = tempdir().expect("a folder");
            let folder = scratch.path().join("in");
            write_array(
                &folder,
                &document(BOMB, &codecs(BOMB, &compressor, is_sharded)),
                &zeros,
            );
            let size = fs::metadata(folder.join("c/0")).expect("a chunk").len();
            assert!(size < BOMB >> 7, "{name}: {size} bytes");
            let small = document(16, &codecs(16, &compressor, is_sharded));
            fs::write(folder.join("zarr.json"), small.to_string()).expect("a document");
            check(&name, &folder, &scratch.path().join("out"));
            // Chunks that match the document are read in all of these ways.
            let folder = scratch.path().join("good");
            write_array(&folder, &small, &good);
            assert_eq!(read_array(&folder, DataType::Uint8), good, "{name}");
            for (way, outcome) in read(&folder, &scratch.path().join("good-out")) {
                assert_eq!(outcome, Ok(()), "{name}, {way}");
            }
            if compressor["name"] == "zstd" && !is_sharded {
                fs::write(folder.join("c/0"), CLAIM).expect("a chunk");
                check("a claim", &folder, &scratch.path().join("claimed"));
            }
        }
    }
}
