//! Tests the decoder of `zfp` alone. The first 12 bytes of the input determine the limits and extents, so
//! that every input is a chunk, and the stream follows. The target `zfp` compares with the reference, which
//! is slow.

#![no_main]

use std::num::NonZeroUsize;

use exactum_model::{Zfp, ZfpScalar};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((
        &[
            data_type,
            rank,
            a,
            b,
            c,
            d,
            precision,
            exponent,
            extents @ ..,
        ],
        stream,
    )) = input.split_first_chunk::<12>()
    else {
        return;
    };
    let data_type = Zfp::DATA_TYPES[usize::from(data_type) % Zfp::DATA_TYPES.len()];
    let rank = usize::from(rank) % 5;
    let mut codec = Zfp::reversible(data_type, rank);
    // Half of the inputs are reversible; the others have limits such as a mode determines.
    if precision & 0x80 != 0 {
        // From -1075, which is also reversible, to 180.
        codec.min_exponent = i32::from(exponent) * 5 - 1095;
        codec.min_exponent = codec.min_exponent.max(Zfp::MIN_EXPONENT - 1);
        codec.max_precision = u32::from(precision % 64) + 1;
        let header =
            ZfpScalar::of(data_type).map_or(0, |scalar| scalar.header_bits(codec.is_reversible()));
        let of =
            |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high])) % (Zfp::MAX_BITS + 1);
        codec.max_bits = of(a, b).max(header).max(1);
        let float = data_type.format().float().is_some();
        codec.min_bits = if float && codec.is_reversible() {
            0
        } else {
            of(c, d).min(codec.max_bits)
        };
    }
    let shape: Vec<u64> = extents[..rank]
        .iter()
        .map(|&extent| u64::from(extent % 8) + 1)
        .collect();
    let size = shape.iter().product::<u64>() as usize * data_type.element_bytes();
    let mut elements = vec![0; size];
    let decoded = exactum_optimized::zfp::decode_into(
        &codec,
        &shape,
        stream,
        &mut elements,
        NonZeroUsize::MIN,
    );
    decoded.unwrap_or_else(|fault| panic!("{codec:?} {shape:?}: {fault:?}"));
});
