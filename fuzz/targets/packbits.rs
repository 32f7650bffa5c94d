//! Compares the decoder of `packbits` with the reference.

#![no_main]

use exactum_fuzz::{Chunk, agree};
use exactum_metadata::parse_packbits;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some(chunk) = Chunk::read(input)
        && let Ok(codec) = parse_packbits(chunk.configuration, chunk.data_type)
    {
        agree(
            exactum_optimized::packbits::decode(&codec, &chunk.shape, chunk.bytes),
            exactum_reference::packbits::decode(&codec, &chunk.shape, chunk.bytes),
        );
    }
});
