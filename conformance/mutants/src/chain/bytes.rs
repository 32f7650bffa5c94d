//! Mutants of `chain`: encoded chunks.

use super::*;

const ENCODED_BYTES: &[&str] = &["chain.encoded-bytes"];
const LENGTH: &[&str] = &["bytes.length"];
const ENDIAN: &[&str] = &["bytes.endian"];
const BIG: &str = r#"[{"name":"bytes","configuration":{"endian":"big"}}]"#;

/// The bytes of the checksums where they are all that follows the arrays.
fn checksums(chain: &Chain) -> u64 {
    4 * chain.pipeline.bytes_to_bytes.len() as u64
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "encoded-bytes-of-the-array-type",
        ENCODED_BYTES,
        resolution(|chain, resolution| {
            let own = bytes_of(chain.data_type, &chain.chunk_shape);
            let own = own.map(|own| own + checksums(chain));
            Resolution {
                encoded_bytes: resolution.encoded_bytes.and(own),
                ..resolution
            }
        }),
        "The size is computed of the array's data type: the cast is overlooked.",
        Witness::Resolve(
            "float32",
            "0",
            "[4]",
            r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#,
        ),
    ),
    mutant(
        "encoded-bytes-without-checksum",
        ENCODED_BYTES,
        resolution(|chain, resolution| Resolution {
            encoded_bytes: resolution.encoded_bytes.map(|all| all - checksums(chain)),
            ..resolution
        }),
        "The four bytes of crc32c are not counted.",
        Witness::Resolve("uint8", "0", "[4]", r#"["bytes","crc32c"]"#),
    ),
    mutant(
        "encoded-bytes-of-compressed-chunks",
        ENCODED_BYTES,
        resolution(|chain, resolution| {
            let (data_type, shape) = last(chain);
            Resolution {
                encoded_bytes: resolution.encoded_bytes.or(bytes_of(data_type, shape)),
                ..resolution
            }
        }),
        "A size is told behind a compressor or a shard too: the one before it.",
        Witness::Resolve(
            "uint8",
            "0",
            "[4]",
            r#"["bytes",{"name":"gzip","configuration":{"level":1}}]"#,
        ),
    ),
    mutant(
        "short-chunk-padded",
        LENGTH,
        Parts {
            encoded: Some(|chain, bytes| resized(chain, bytes, |wanted, got| got < wanted)),
            ..RIGHT
        },
        "A truncated chunk is filled up with zeros: the buffer was allocated whole.",
        Witness::Bytes("uint8", "[4]", "[\"bytes\"]", "010203"),
    ),
    mutant(
        "long-chunk-truncated",
        LENGTH,
        Parts {
            encoded: Some(|chain, bytes| resized(chain, bytes, |wanted, got| got > wanted)),
            ..RIGHT
        },
        "Bytes beyond the chunk are ignored: as many are read as are needed.",
        Witness::Bytes("uint8", "[4]", "[\"bytes\"]", "0102030405"),
    ),
    mutant(
        "endian-ignored",
        ENDIAN,
        chain(|chain| {
            let mut chain = chain.clone();
            if let ArrayToBytes::Bytes(codec) = &mut chain.pipeline.array_to_bytes {
                codec.endian = Some(Endian::Little);
            }
            chain
        }),
        "Chunks are written in the machine's order whatever `endian` says (zarr-python once did so behind cast_value, #3937).",
        Witness::Chunk("int16", "[1]", BIG, "[1]", "[1]"),
    ),
];
