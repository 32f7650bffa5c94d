//! Hostile chunks: their claims are not trusted, and cause neither large allocations nor panics.

use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use exactum_zarrs_plugins::register;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use peak_alloc::PeakAlloc;
use zarrs::array::{Array, ArrayBytes, ArraySubset};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits as _};

/// Bytes are counted for the whole process, so that the tests run one after another.
static TURN: Mutex<()> = Mutex::new(());

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// The maximum number of bytes for reading a chunk of 16 elements, including decompressors.
const MOST: usize = 2 << 20;

/// The number of zero bytes in a bomb.
const BOMB: usize = 8 << 20;

const BYTES: &str = r#""bytes""#;

const INDEX: &str = r#"[{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"]"#;

/// A name, the entries of an index, and a part of the resulting error message.
type Row<'a> = (&'a str, &'a [(u64, u64)], Option<&'a str>);

/// The elements that all readable chunks here have.
const ELEMENTS: [u8; 16] = [7; 16];

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("bytes are compressed")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Returns a Zstandard frame of 16 bytes that claims to decompress to 2^62 bytes.
fn claims() -> Vec<u8> {
    let size = (1_u64 << 62).to_le_bytes();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0xe0][..], &size, &[1, 0, 0]].concat()
}

/// Returns a shard of these chunks, with other entries in its index.
fn shard(chunks: &[u8], entries: &[(u64, u64)]) -> Vec<u8> {
    let pairs = entries
        .iter()
        .flat_map(|&(offset, length)| [offset, length]);
    let index: Vec<u8> = pairs.flat_map(u64::to_le_bytes).collect();
    let checksum = crc32c::crc32c(&index).to_le_bytes();
    [chunks, &index, &checksum].concat()
}

/// Returns the codecs of shards with chunks of eight elements.
fn sharding(inner: &str) -> String {
    format!(
        r#"{{"name": "sharding_indexed", "configuration":
            {{"chunk_shape": [8], "codecs": [{inner}], "index_codecs": {INDEX}}}}}"#
    )
}

fn array(shape: u64, codecs: &str, chunk: Option<Vec<u8>>) -> Result<Array<MemoryStore>, String> {
    let store = Arc::new(MemoryStore::new());
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "data_type": "uint8", "fill_value": 7, "shape": [{shape}],
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [{shape}]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "codecs": [{codecs}]}}"#
    );
    let files = [("zarr.json", Some(document.into_bytes())), ("c/0", chunk)];
    for (key, bytes) in files {
        if let Some(bytes) = bytes {
            let key = StoreKey::new(key).expect("a key");
            store.set(&key, bytes.into()).expect("memory");
        }
    }
    register()
        .open(store, "/")
        .map_err(|fault| fault.to_string())
}

/// Reads some elements of a chunk, or returns the error message.
fn read(array: &Array<MemoryStore>, elements: std::ops::Range<u64>) -> Result<Vec<u8>, String> {
    let subset = ArraySubset::new_with_ranges(&[elements]);
    let read = array.retrieve_array_subset::<ArrayBytes<'static>>(&subset);
    let bytes = read.map_err(|fault| fault.to_string())?.into_fixed();
    Ok(bytes.expect("uint8 has a size").into_owned())
}

/// Reads a chunk of 16 elements as a whole and in part. Either both reads return the elements, or both are refused with
/// messages that contain `why`. Both hold less than `MOST` bytes.
fn check(name: &str, codecs: &str, chunk: Vec<u8>, why: Option<&str>) {
    let array = array(16, codecs, Some(chunk)).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    for elements in [0..16, 3..5] {
        PEAK.reset_peak_usage();
        let before = PEAK.current_usage();
        let read = read(&array, elements.clone());
        let held = PEAK.peak_usage().saturating_sub(before);
        assert!(held < MOST, "{name}: {held} bytes");
        match (read, why) {
            (Ok(bytes), None) => {
                let count = usize::try_from(elements.end - elements.start).expect("few");
                assert_eq!(bytes, ELEMENTS[..count], "{name}");
            }
            (Err(words), Some(why)) => assert!(words.contains(why), "{name}: {words}"),
            (read, _) => panic!("{name}: {read:?}"),
        }
    }
}

/// Returns the codecs of a chunk that is compressed by the codec with a name.
fn compressed_by(name: &str) -> String {
    format!(r#"{BYTES}, {{"name": "{name}", "configuration": {{"level": 1}}}}"#)
}

/// A part of the error message for a chunk that decompresses to too many bytes.
const TOO_MANY: Option<&str> = Some("to more than 16 bytes");

#[test]
fn what_gzip_and_zlib_claim_is_not_believed() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (of_gzip, of_zlib) = (compressed_by("gzip"), compressed_by("numcodecs.zlib"));
    let zeros = vec![0; BOMB];
    for (name, codecs, chunk, why) in [
        ("gzip", &of_gzip, gzip(&ELEMENTS), None),
        (
            "two members",
            &of_gzip,
            [gzip(&[7; 9]), gzip(&[7; 7])].concat(),
            None,
        ),
        (
            "junk behind gzip",
            &of_gzip,
            [gzip(&ELEMENTS), vec![1, 2, 3]].concat(),
            Some("gzip: "),
        ),
        (
            "half a gzip",
            &of_gzip,
            gzip(&ELEMENTS)[..20].to_vec(),
            Some("gzip: "),
        ),
        ("a gzip bomb", &of_gzip, gzip(&zeros), TOO_MANY),
        ("a byte too many", &of_gzip, gzip(&[7; 17]), TOO_MANY),
        (
            "a byte too few",
            &of_gzip,
            gzip(&[7; 15]),
            Some("15 bytes instead of 16"),
        ),
        ("zlib", &of_zlib, zlib(&ELEMENTS), None),
        (
            "junk behind zlib",
            &of_zlib,
            [zlib(&ELEMENTS), vec![0]].concat(),
            Some("1 bytes follow"),
        ),
        ("a zlib bomb", &of_zlib, zlib(&zeros), TOO_MANY),
    ] {
        check(name, codecs, chunk, why);
    }
}

#[test]
fn what_zstd_and_blosc_claim_is_not_believed() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let of_zstd = compressed_by("zstd");
    let of_blosc = format!(
        r#"{BYTES}, {{"name": "blosc", "configuration":
            {{"cname": "zstd", "clevel": 1, "shuffle": "noshuffle", "blocksize": 0}}}}"#
    );
    let nested = format!(r#"{of_zstd}, {{"name": "gzip", "configuration": {{"level": 1}}}}"#);
    let zeros = vec![0; BOMB];
    let blosc_that_claims = |size: u32| {
        let numbers = [size, size, 100].map(u32::to_le_bytes).concat();
        [&[2, 1, 0x90, 1][..], &numbers, &[0; 84]].concat()
    };
    for (name, codecs, chunk, why) in [
        ("zstd", &of_zstd, zstd(&ELEMENTS), None),
        (
            "two frames",
            &of_zstd,
            [zstd(&[7; 9]), zstd(&[7; 7])].concat(),
            None,
        ),
        ("a zstd bomb", &of_zstd, zstd(&zeros), TOO_MANY),
        (
            "a frame that claims 2^62 bytes",
            &of_zstd,
            claims(),
            Some("zstd: "),
        ),
        (
            "junk behind zstd",
            &of_zstd,
            [zstd(&ELEMENTS), vec![9; 9]].concat(),
            Some("zstd: "),
        ),
        (
            "blosc that claims 2 GiB",
            &of_blosc,
            blosc_that_claims(i32::MAX.cast_unsigned()),
            TOO_MANY,
        ),
        ("gzip of zstd", &nested, gzip(&zstd(&ELEMENTS)), None),
        (
            "a bomb in gzip",
            &nested,
            gzip(&zstd(&zeros)),
            Some("which is the maximum that the document allows"),
        ),
        (
            "a bomb of gzip",
            &nested,
            gzip(&zeros),
            Some("which is the maximum that the document allows"),
        ),
    ] {
        check(name, codecs, chunk, why);
    }
}

#[test]
fn an_index_is_looked_at_before_its_entries_are_used() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let plain = sharding(BYTES);
    let missing = (u64::MAX, u64::MAX);
    let beyond = Some("is beyond the end of the shard");
    let rows: [Row<'_>; 9] = [
        ("both", &[(0, 8), (8, 8)], None),
        ("chunks that share their bytes", &[(8, 8), (8, 8)], None),
        ("fill values", &[missing, missing], None),
        ("a sum beyond 2^64", &[(u64::MAX - 1, 8), (8, 8)], beyond),
        (
            "an offset of a missing chunk",
            &[(u64::MAX, 4), (8, 8)],
            beyond,
        ),
        (
            "a length of a missing chunk",
            &[(4, u64::MAX), (8, 8)],
            beyond,
        ),
        ("a length of a TiB", &[(0, 1 << 40), (8, 8)], Some("")),
        ("a byte beyond", &[(45, 8), (8, 8)], Some("")),
        ("too few entries", &[(0, 8)], Some("")),
    ];
    for (name, entries, why) in rows {
        check(name, &plain, shard(&ELEMENTS, entries), why);
    }
    check("no shard", &plain, vec![1, 2, 3], Some(""));
    let mut wrong = shard(&ELEMENTS, &[(0, 8), (8, 8)]);
    wrong[20] ^= 1;
    check(
        "a wrong checksum",
        &plain,
        wrong,
        Some("the checksum does not match"),
    );
}

#[test]
fn what_is_in_a_shard_is_not_believed() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let zstd_inside = sharding(&format!(
        r#"{BYTES}, {{"name": "zstd", "configuration": {{"level": 1}}}}"#
    ));
    let two = |chunk: &[u8]| {
        let length = chunk.len() as u64;
        shard(&chunk.repeat(2), &[(0, length), (length, length)])
    };
    check("zstd in a shard", &zstd_inside, two(&zstd(&[7; 8])), None);
    let bomb = two(&zstd(&vec![0; BOMB]));
    check(
        "a bomb in a shard",
        &zstd_inside,
        bomb,
        Some("to more than 8 bytes"),
    );
    check(
        "claims in a shard",
        &zstd_inside,
        two(&claims()),
        Some("zstd: "),
    );

    let checked = sharding(&format!(r#"{BYTES}, "crc32c""#));
    let chunk = [&[7; 8][..], &crc32c::crc32c(&[7; 8]).to_le_bytes()].concat();
    check("checksums in a shard", &checked, two(&chunk), None);
    check(
        "a chunk without a checksum",
        &checked,
        two(&[1, 2]),
        Some("shorter than a checksum"),
    );
    let mut wrong = two(&chunk);
    (wrong[5], wrong[17]) = (0, 0);
    let why = Some("the checksum does not match");
    let array = array(16, &checked, Some(wrong)).expect("an array");
    for elements in [0..16, 3..6] {
        let words = read(&array, elements).expect_err("a wrong checksum");
        assert!(why.is_some_and(|why| words.contains(why)), "{words}");
    }

    let nested = sharding(&sharding(BYTES));
    let inner = shard(&[7; 8], &[(0, 8)]);
    check("a shard in a shard", &nested, two(&inner), None);
    check(
        "a shard in a shard of no bytes",
        &nested,
        two(&[]),
        Some("fewer bytes than the 20"),
    );
    let odd = shard(&[7; 8], &[(u64::MAX - 3, 8)]);
    check(
        "an index in a shard",
        &nested,
        two(&odd),
        Some("is beyond the end"),
    );

    let packed = format!(
        r#"{}, {{"name": "gzip", "configuration": {{"level": 1}}}}"#,
        sharding(BYTES)
    );
    check(
        "gzip of a shard",
        &packed,
        gzip(&shard(&ELEMENTS, &[(0, 8), (8, 8)])),
        None,
    );
    let why = Some("which is the maximum that the document allows");
    check("a bomb of a shard", &packed, gzip(&vec![0; BOMB]), why);
}

#[test]
fn a_shard_of_more_chunks_than_there_is_memory_for_is_refused_unless_it_is_missing() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let codecs = sharding(BYTES).replace("[8]", "[1]");
    let vast = |chunk| array(1 << 62, &codecs, chunk).expect("an array");
    assert_eq!(read(&vast(None), 5..8), Ok(vec![7; 3]));
    let words = read(&vast(Some(vec![0; 100])), 5..8).expect_err("no index");
    assert!(words.contains("would have more than"), "{words}");
}
