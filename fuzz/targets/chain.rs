//! Compares the decoder of a whole chain with the reference. The first line of the input is a document,
//! followed by the bytes of a chunk.

#![no_main]

use exactum_fuzz::{agree, is_small, line};
use exactum_metadata::parse_array;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some((text, bytes)) = line(input)
        && let Ok(document) = parse_array(text)
        && is_small(&document.chain.chunk_shape)
    {
        agree(
            exactum_optimized::chain::decode(&document.chain, bytes),
            exactum_reference::chain::decode(&document.chain, bytes),
        );
    }
});
