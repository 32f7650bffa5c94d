//! Mutants of `chain`: encoded chunks.

use super::*;
use crate::order::sized;

/// Returns the number of bytes of checksums, if nothing else follows the arrays.
fn checksums(chain: &Chain) -> u64 {
    4 * chain.pipeline.bytes_to_bytes.len() as u64
}

/// Resizes the bytes to the number that the chunk needs, if `fault` applies.
fn resized(chain: &Chain, bytes: &[u8], fault: fn(usize, usize) -> bool) -> Vec<u8> {
    let (data_type, shape) = last(chain);
    sized(needed(data_type, shape), bytes, fault)
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("encoded-bytes-of-the-array-type", "chain.encoded-bytes",
            "The size is computed from the array's data type: the cast is overlooked.",
            resolution(|chain, it| {
                let own = bytes_of(chain.data_type, &chain.chunk_shape);
                it.encoded_bytes = it.encoded_bytes.and(own.map(|own| own + checksums(chain)));
            })),
        mutant("encoded-bytes-without-checksum", "chain.encoded-bytes",
            "The four bytes of crc32c are not counted.",
            resolution(|chain, it| {
                it.encoded_bytes = it.encoded_bytes.map(|all| all - checksums(chain));
            })),
        mutant("encoded-bytes-of-compressed-chunks", "chain.encoded-bytes",
            "A size is given even after a compressor or a shard: the size before it.",
            resolution(|chain, it| {
                let (data_type, shape) = last(chain);
                it.encoded_bytes = it.encoded_bytes.or(bytes_of(data_type, shape));
            })),
        mutant("short-chunk-padded", "bytes.length",
            "A truncated chunk is padded with zeros: the buffer was allocated in full.",
            encoded(|chain, bytes| resized(chain, bytes, |wanted, got| got < wanted))),
        mutant("long-chunk-truncated", "bytes.length",
            "Bytes after the chunk are ignored: only as many are read as are needed.",
            encoded(|chain, bytes| resized(chain, bytes, |wanted, got| got > wanted))),
        mutant("endian-ignored", "bytes.endian",
            "Chunks are written in the machine's order, regardless of `endian` (zarr-python once \
             did so after cast_value, #3937).",
            chain(|chain| {
                if let ArrayToBytes::Bytes(codec) = &mut chain.pipeline.array_to_bytes {
                    codec.endian = Some(Endian::Little);
                }
            })),
    ]
}
