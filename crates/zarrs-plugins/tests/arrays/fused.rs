//! Codecs that run as one: the same bytes, values, parts and errors as for one codec after another.

use std::num::NonZeroU64;
use std::sync::Arc;

use exactum_zarrs_plugins::{ScaleOffsetCodec, fuse, register};
use zarrs::array::codec::ShardingCodecBuilder;
use zarrs::array::{
    Array, ArrayBuilder, ArraySubset, ArrayToArrayCodecTraits, ArrayToBytesCodecTraits,
    CodecOptions, data_type,
};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits as _};

use crate::common::Document;

const SCALE: &str = r#"{"name": "scale_offset", "configuration": {"offset": -3, "scale": 4}}"#;
const ROUND: &str = r#"{"name": "bitround", "configuration": {"keepbits": 9}}"#;
const CAST: &str = r#"{"name": "cast_value", "configuration": {"data_type": "uint16", "rounding": "nearest-even",
    "scalar_map": {"encode": [["NaN", 4095]], "decode": [[4095, "NaN"]]}}}"#;
const CLAMP: &str = r#"{"name": "cast_value", "configuration": {"data_type": "int8", "out_of_range": "clamp",
    "scalar_map": {"encode": [["NaN", 0]]}}}"#;
const TURN: &str = r#"{"name": "transpose", "configuration": {"order": [1, 0]}}"#;
const BITS: &str =
    r#"{"name": "packbits", "configuration": {"last_bit": 11, "padding_encoding": "first_byte"}}"#;
const BYTES: &str = r#"{"name": "bytes", "configuration": {"endian": "big"}}"#;
const INDEX: &str = r#""index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]"#;

/// Returns the lists of codecs, each with the parts of the chain that run as one, as zarrs prints them.
fn lists() -> Vec<(String, &'static [&'static str])> {
    let inside = format!(
        r#"{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [50, 45], "codecs": [{SCALE}, {CAST}, {BITS}], {INDEX}}}}}"#
    );
    vec![
        (format!("[{SCALE}, {CAST}, {BYTES}]"), &["Head", "Passed"]),
        (format!("[{SCALE}, {CAST}, {BITS}]"), &["Passed", "Whole"]),
        (
            format!("[{CAST}, {BITS}, \"crc32c\"]"),
            &["Passed", "Whole"],
        ),
        (
            format!("[{ROUND}, {TURN}, {SCALE}, {CAST}, {BITS}]"),
            &["Passed", "Whole"],
        ),
        (
            format!("[{SCALE}, {CLAMP}, {TURN}, {BYTES}]"),
            &["Head", "Passed"],
        ),
        (inside, &["Passed", "Whole"]),
    ]
}

type Memory = Array<MemoryStore>;

/// Opens an array in memory whose codecs run one after another.
fn open(codecs: &str, fill_value: &str) -> Memory {
    let codecs = match codecs.starts_with('[') {
        true => codecs.to_owned(),
        false => format!("[{codecs}]"),
    };
    let document = Document {
        data_type: "float32",
        fill_value,
        shape: &[200, 90],
        chunk_shape: &[100, 90],
        codecs: &codecs,
    };
    let store = Arc::new(MemoryStore::new());
    let key = StoreKey::new("zarr.json").expect("a key");
    store
        .set(&key, document.text().into_bytes().into())
        .expect("memory");
    Array::open(store, "/").unwrap_or_else(|error| panic!("{codecs}: {error}"))
}

/// Returns values that every list accepts; `odd` is near the end of the first chunk.
fn values(odd: f32) -> Vec<f32> {
    (0..200_u16 * 90)
        .map(|index| match index {
            8990 => odd,
            _ if index % 11 == 3 => f32::NAN,
            _ => f32::from(index % 1000) / 4.0 - 3.0,
        })
        .collect()
}

/// The outcome of writing and reading: bytes, values and errors.
#[derive(Debug, PartialEq)]
struct Outcome {
    written: Result<(), String>,
    part_written: Result<(), String>,
    stored: Vec<Option<Vec<u8>>>,
    read: Result<Vec<u32>, String>,
    part_read: Result<Vec<u32>, String>,
    cut: Result<Vec<u32>, String>,
}

fn bits(values: Vec<f32>) -> Vec<u32> {
    values.into_iter().map(f32::to_bits).collect()
}

fn outcome(array: &Memory, odd: f32) -> Outcome {
    let words = |error: zarrs::array::ArrayError| error.to_string();
    let all = array.subset_all();
    let part = ArraySubset::new_with_ranges(&[60..130, 7..31]);
    let read = |subset: &ArraySubset| -> Result<Vec<u32>, String> {
        array.retrieve_array_subset(subset).map(bits).map_err(words)
    };
    // Chunks are processed one after another, so that the same chunks exist if one is refused; and on one
    // thread, since several threads store the chunks of a shard in any order.
    let alone = CodecOptions::default().with_concurrent_target(1);
    let rows = values(odd);
    let store = |index: usize| {
        let half = rows.len() / 2;
        let elements = &rows[index * half..(index + 1) * half];
        array.store_chunk_opt(&[index as u64, 0], elements, &alone)
    };
    let written = store(0).and(store(1)).map_err(words);
    let partial = alone.with_experimental_partial_encoding(true);
    let part_written = array
        .store_array_subset_opt(&part, vec![2.25_f32; 70 * 24], &partial)
        .map_err(words);
    let chunk = |index| array.retrieve_encoded_chunk(&[index, 0]).expect("memory");
    let stored: Vec<_> = [0, 1]
        .map(chunk)
        .into_iter()
        .map(|it| it.map(|it| it.to_vec()))
        .collect();
    let (whole, some) = (read(&all), read(&part));
    // A chunk whose last byte is missing.
    if let Some(bytes) = stored[1].clone() {
        let key = array.chunk_key(&[1, 0]);
        let cut = bytes[..bytes.len() - 1].to_vec();
        array.storage().set(&key, cut.into()).expect("memory");
    }
    let cut = read(&array.chunk_subset(&[1, 0]).expect("a chunk"));
    Outcome {
        written,
        part_written,
        stored,
        read: whole,
        part_read: some,
        cut,
    }
}

#[test]
fn fused_codecs_do_what_they_do_one_after_another() {
    let _registered = register();
    for (codecs, parts) in lists() {
        // In range, out of the range of uint16, and out of the range in which scaling stays finite.
        for odd in [1.5, 20_000.0, f32::MAX] {
            for fill_value in ["\"NaN\"", "7.5", "-4"] {
                let name = format!("{codecs}, {odd}, {fill_value}");
                let apart = open(&codecs, fill_value);
                let fused = fuse(open(&codecs, fill_value));
                let chain = format!("{:?}", fused.codecs());
                for part in parts {
                    // Codecs in a shard are fused when they are made, and zarrs does not show them.
                    assert!(
                        chain.contains(part) || codecs.contains("sharding"),
                        "{name}: {chain}"
                    );
                }
                assert_eq!(fused.metadata(), apart.metadata(), "{name}");
                let metadata = |array: &Memory| {
                    let metadata = array.codecs().create_metadatas(&Default::default());
                    serde_json::to_string(&metadata).expect("JSON")
                };
                assert_eq!(metadata(&fused), metadata(&apart), "{name}");
                let (fused, apart) = (outcome(&fused, odd), outcome(&apart, odd));
                assert_eq!(fused.written, apart.written, "{name}");
                assert_eq!(fused.part_written, apart.part_written, "{name}");
                assert_eq!(fused.part_read, apart.part_read, "{name}");
                assert_eq!(fused.cut, apart.cut, "{name}");
                assert!(fused == apart, "{name}: other bytes or values");
            }
        }
    }
}

/// A codec that occurs in two places of a chain, and also within a shard, does its work in each of them.
#[test]
fn a_codec_may_stand_in_several_places() {
    let configuration = serde_json::from_str(r#"{"offset": 1, "scale": 3}"#).expect("an object");
    let scale = Arc::new(ScaleOffsetCodec::new(configuration).expect("a codec"));
    let twice: Vec<Arc<dyn ArrayToArrayCodecTraits>> = vec![scale.clone(), scale.clone()];
    let mut inner = ShardingCodecBuilder::new(vec![NonZeroU64::MIN], &data_type::int32());
    inner.array_to_array_codecs(vec![scale]);
    let build = |last: Option<Arc<dyn ArrayToBytesCodecTraits>>| {
        let mut builder = ArrayBuilder::new(vec![2], vec![2], data_type::int32(), 1_i32);
        builder.array_to_array_codecs(twice.clone());
        if let Some(last) = last {
            builder.array_to_bytes_codec(last);
        }
        let array = builder.build(Arc::new(MemoryStore::new()), "/");
        let array = fuse(array.expect("an array"));
        array.store_chunk(&[0], &[10_i32, -3]).expect("memory");
        let stored = array.retrieve_encoded_chunk(&[0]).expect("memory");
        let read: Vec<i32> = array.retrieve_chunk(&[0]).expect("what was written");
        assert_eq!(read, [10, -3]);
        stored.expect("a chunk").to_vec()
    };
    // ((10 - 1) * 3 - 1) * 3 is 78, and ((-3 - 1) * 3 - 1) * 3 is -39.
    let bytes = |numbers: [i32; 2]| numbers.map(i32::to_le_bytes).concat();
    assert_eq!(build(None), bytes([78, -39]));
    let stored = build(Some(inner.build_arc()));
    // Threads store the inner chunks in any order.
    let either = [bytes([231, -120]), bytes([-120, 231])];
    assert!(either.iter().any(|it| stored[..8] == **it), "{stored:?}");
}
