//! Compares the decoder of `zfp` with the reference.

#![no_main]

use exactum_fuzz::{Chunk, agree};
use exactum_metadata::parse_zfp;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some(chunk) = Chunk::read(input)
        && let Ok(codec) = parse_zfp(chunk.configuration, chunk.data_type, chunk.shape.len())
    {
        agree(
            exactum_optimized::zfp::decode(&codec, &chunk.shape, chunk.bytes),
            exactum_reference::zfp::decode(&codec, &chunk.shape, chunk.bytes),
        );
    }
});
