//! Whole stores with random damage: documents, chunks, shards, and the journal and plan of an unfinished
//! pyramid. For any input, `Scan`, `View`, `Pack` and `Pyramid` end with an answer, without a panic, and hold
//! little memory.
//!
//! A case depends only on its seed. `EXACTUM_BENT=20000 cargo test -p exactum-pyramid --test bent` tries this
//! number of cases.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

use exactum_metadata::parse_array;
use exactum_model::{Method, Source as _};
use exactum_pyramid::{Compression, Error, Options, Pack, Packing, Part, Pyramid, Scan, View};
use exactum_zarrs_plugins::register;
use peak_alloc::PeakAlloc;
use serde_json::json;
use zarrs::array::ArrayBytes;
use zarrs::filesystem::FilesystemStore;

use tempfile::tempdir;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// The number of cases by default.
const CASES: u64 = 200;

/// The maximum number of bytes that may be held while chunks have at most [`CHUNK`] bytes.
const MOST: usize = 200 << 20;

/// The number of bytes of a chunk up to which a case is tried.
const CHUNK: u64 = 1 << 20;

/// The number of elements up to which a view is read.
const VIEWED: u64 = 1 << 20;

/// The time that a case may take on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

const BYTES: &str = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;

/// Numbers that are hard to compute with.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "2",
    "-1",
    "3",
    "65536",
    "4294967296",
    "4611686018427387904",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e400",
];

/// Numbers that follow from a seed (xorshift64*).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from((self.next() >> 33) % end.max(1) as u64).expect("a small number")
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Returns the codecs of the stores that are damaged.
fn codecs() -> Vec<String> {
    let compressed = |name: &str, configuration: &str| {
        format!(r#"[{BYTES}, {{"name": "{name}", "configuration": {{{configuration}}}}}]"#)
    };
    let level = r#""level": 1"#;
    let zstd = compressed("zstd", level);
    let sharded = |inner: &str, location: &str| {
        format!(
            r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [2, 5], "codecs": {inner},
                "index_codecs": [{BYTES}, "crc32c"], "index_location": "{location}"}}}}]"#
        )
    };
    let blosc =
        r#""cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 2, "blocksize": 0"#;
    vec![
        format!("[{BYTES}]"),
        format!(r#"[{BYTES}, "crc32c"]"#),
        compressed("gzip", level),
        zstd.clone(),
        compressed("blosc", blosc),
        format!(r#"[{{"name": "transpose", "configuration": {{"order": [1, 0]}}}}, {BYTES}]"#),
        sharded(&format!("[{BYTES}]"), "end"),
        sharded(&zstd, "start"),
        sharded(&sharded(&zstd, "end"), "end"),
    ]
}

/// Writes an array of 12 x 10 elements in chunks of 4 x 5, one of which is missing.
fn store(folder: &Path, codecs: &str) {
    fs::create_dir_all(folder).expect("a folder");
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "data_type": "uint16", "fill_value": 3, "shape": [12, 10],
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4, 5]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "codecs": {codecs}}}"#
    );
    fs::write(folder.join("zarr.json"), document).expect("a document");
    let registration = register();
    let files = Arc::new(FilesystemStore::new(folder).expect("a folder"));
    let array = registration.open(files, "/").expect("an array");
    for chunk in [[0, 0], [0, 1], [1, 1], [2, 0], [2, 1]] {
        let elements: Vec<u8> = (0..40).map(|at| at * 5 % 7).collect();
        array
            .store_chunk(&chunk, ArrayBytes::new_flen(elements))
            .expect("a chunk");
    }
}

/// Returns the files below a folder, in their order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Returns the kind of a file in a store.
fn kind(path: &Path) -> &'static str {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match &*name {
        "zarr.json" => "document",
        "plan.json" => "plan",
        name if name.starts_with("part-") => "journal",
        _ => "chunk",
    }
}

/// Damages one of the files, and returns its path.
fn bend<'a>(random: &mut Random, files: &'a [PathBuf]) -> &'a Path {
    let path = random.pick(files);
    let mut bytes = fs::read(path).unwrap_or_default();
    if path.extension().is_some_and(|it| it == "json") && random.below(3) > 0 {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _ = fs::write(path, bend_text(random, &text));
        return path;
    }
    let at = random.below(bytes.len().max(1));
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => bytes.extend((0..random.below(40)).map(|at| at.to_le_bytes()[0])),
        2 => bytes = fs::read(random.pick(files)).unwrap_or_default(),
        3 => bytes.clear(),
        4 => {
            let number = *random.pick(&[
                0_u64,
                4,
                1 << 40,
                1 << 62,
                u64::MAX - 3,
                u64::MAX - 1,
                u64::MAX,
            ]);
            let end = bytes.len().min(at + 8);
            let count = end.saturating_sub(at);
            bytes.splice(
                at.min(end)..end,
                number.to_le_bytes()[..count].iter().copied(),
            );
        }
        5 => {
            let _ = fs::remove_file(path);
            let _ = fs::create_dir(path);
            return path;
        }
        _ => {
            let bit = random.below(8);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << bit;
            }
        }
    }
    let _ = fs::write(path, bytes);
    path
}

/// Damages a document: one of its numbers, or a few letters.
fn bend_text(random: &mut Random, text: &str) -> String {
    let starts: Vec<usize> = text
        .char_indices()
        .filter(|&(at, letter)| {
            letter.is_ascii_digit() && !text[..at].ends_with(|it: char| it.is_ascii_digit())
        })
        .map(|(at, _)| at)
        .collect();
    if starts.is_empty() || random.below(5) == 0 {
        let letters: Vec<char> = text.chars().collect();
        let at = random.below(letters.len());
        let end = (at + random.below(12)).min(letters.len());
        return letters[..at].iter().chain(&letters[end..]).collect();
    }
    let start = *random.pick(&starts);
    let rest = text[start..].trim_start_matches(|it: char| it.is_ascii_digit());
    format!("{}{}{rest}", &text[..start], random.pick(&NUMBERS))
}

/// Returns whether the document of a folder has small chunks, or is not valid.
fn is_small(folder: &Path) -> bool {
    let text = fs::read_to_string(folder.join("zarr.json")).unwrap_or_default();
    let Ok(document) = parse_array(&text) else {
        return true;
    };
    let width = document.chain.data_type.element_bytes() as u64;
    let extents = document.chain.chunk_shape.iter();
    extents.fold(width, |bytes, &extent| bytes.saturating_mul(extent)) <= CHUNK
}

/// The number of times that files of each kind were damaged.
type Bent = BTreeMap<&'static str, u64>;

/// Scans an array, views it, and makes a pyramid of it. Returns whether all of these succeeded.
fn tried(random: &mut Random, input: &Path, output: &Path, bent: &mut Bent) -> bool {
    let scanned = Scan::open(input).and_then(|scan| {
        // A million pieces are enough.
        scan.pieces()?
            .take(1 << 20)
            .try_for_each(|piece| piece.map(drop))
    });
    let view = json!({
        "driver": "downsample",
        "base": {"driver": "zarr3", "kvstore": {"driver": "file", "path": input}},
        "downsample_factors": [2, 3],
        "downsample_method": "max",
    });
    let viewed = View::parse(&view.to_string()).map(|view| {
        let domain = view.domain();
        let is_small = domain.len().is_some_and(|count| count <= VIEWED);
        is_small && view.read(&domain).is_ok()
    });
    let methods = [Method::Mean, Method::Mode, Method::Min, Method::Stride];
    let from_base = random.below(2) == 0;
    let options = Options::new(vec![2, 2], *random.pick(&methods)).with_levels(2);
    let options = match from_base {
        true => options.from_base(),
        false => options,
    };
    let part = |index, count| Part::new(index, count).expect("a part");
    let run = |part| {
        let mut pyramid = Pyramid::open(input, output, &options)?;
        pyramid.without_sync();
        pyramid.run(part, NonZeroUsize::MIN, &|_| ())
    };
    // The first half is made, and then all of it with a journal that was damaged in the meantime.
    let _ = run(part(1, 2));
    let made = files(output);
    if !made.is_empty() && random.below(4) > 0 {
        let (notes, others): (Vec<_>, Vec<_>) = made
            .iter()
            .cloned()
            .partition(|path| matches!(kind(path), "plan" | "journal"));
        let some = match random.below(2) {
            0 if !notes.is_empty() => notes,
            _ => others,
        };
        if !some.is_empty() {
            *bent.entry(kind(bend(random, &some))).or_default() += 1;
        }
    }
    let packed = packed(input, &output.with_extension("packed"));
    run(Part::WHOLE).is_ok() && scanned.is_ok() && viewed == Ok(true) && packed.is_ok()
}

/// Packs an array without changing its values.
fn packed(input: &Path, output: &Path) -> Result<(), Error> {
    let packing = Packing {
        codecs: json!([]),
        fill_value: None,
        bound: 0.0,
        compression: Some(Compression::None),
    };
    let mut pack = Pack::open::<Error>(input, output, |_, _| Ok(Some(packing.clone())))?;
    pack.without_sync();
    pack.run(Part::WHOLE, NonZeroUsize::MIN, &|_| ()).map(drop)
}

#[test]
fn stores_that_are_bent_end_in_an_answer() {
    let asked = env::var("EXACTUM_BENT").ok();
    let cases = asked.and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let scratch = tempdir().expect("a folder");
    let codecs = codecs();
    let (mut good, mut bent) = (0, Bent::new());
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
        let _ = fs::remove_dir_all(scratch.as_ref());
        let codecs = random.pick::<String>(&codecs);
        store(&input, codecs);
        for _ in 0..random.below(3) {
            let kind = match kind(bend(&mut random, &files(&input))) {
                "chunk" if codecs.contains("sharding") => "shard",
                other => other,
            };
            *bent.entry(kind).or_default() += 1;
        }
        if !is_small(&input) {
            continue;
        }
        PEAK.reset_peak_usage();
        let begin = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| {
            tried(&mut random, &input, &output, &mut bent)
        }));
        let held = PEAK.peak_usage();
        assert!(answer.is_ok(), "seed {seed} panics");
        assert!(held < MOST, "seed {seed} takes {held} bytes");
        assert!(
            begin.elapsed() < PATIENCE,
            "seed {seed} takes {:?}",
            begin.elapsed()
        );
        good += u64::from(answer.unwrap_or(false));
    }
    for kind in ["document", "chunk", "shard", "journal", "plan"] {
        let count = bent.get(kind).copied().unwrap_or_default();
        assert!(count > cases / 20, "{kind}: {bent:?}");
    }
    // Some of the cases fail and others do not, which shows that damage is noticed.
    assert!(
        good > cases / 20 && good < cases - cases / 20,
        "{good} of {cases}"
    );
}
