//! Compares the decoder of `bytes` with the reference.

#![no_main]

use exactum_fuzz::{Chunk, agree};
use exactum_metadata::parse_bytes;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some(chunk) = Chunk::read(input)
        && let Ok(codec) = parse_bytes(chunk.configuration, chunk.data_type)
    {
        agree(
            exactum_optimized::bytes::decode(&codec, &chunk.shape, chunk.bytes),
            exactum_reference::bytes::decode(&codec, &chunk.shape, chunk.bytes),
        );
    }
});
