//! Compares the hand-written routines, at every level, with loops over single bits and bytes.

use super::inputs;
use super::numbers::Random;
use crate::arch::{Compress, Expand, SimdLevel};

/// Runs `run(level, input, output)` on random bytes, for every length up to a few vectors. The output is
/// filled with other bytes beforehand, and must begin with the bytes that `expected` returns.
fn check(
    name: &str,
    lengths: impl Iterator<Item = usize>,
    expected: impl Fn(&[u8]) -> Vec<u8>,
    run: impl Fn(SimdLevel, &[u8], &mut [u8]),
) {
    let mut numbers = Random(21);
    for length in lengths {
        let input: Vec<u8> = (0..length)
            .map(|_| numbers.next().to_le_bytes()[3])
            .collect();
        let expected = expected(&input);
        for level in SimdLevel::available() {
            // The output has exactly the required size, or is longer by more than a vector, or by one byte.
            for spare in [0, 40, 1].into_iter().take(inputs(3, 2)) {
                let mut output = vec![0xa5; expected.len() + spare];
                run(level, &input, &mut output);
                assert_eq!(
                    output[..expected.len()],
                    expected,
                    "{name} {length} {level:?}"
                );
            }
        }
    }
}

#[test]
fn bits_of_bytes() {
    for place in 0..8 {
        check(
            &format!("pack bit {place}"),
            (0..=inputs(300, 80)).step_by(inputs(8, 40)),
            |input| {
                let byte = |eight: &[u8]| {
                    (0..8).fold(0, |byte, bit| byte | (eight[bit] >> place & 1) << bit)
                };
                input.chunks(8).map(byte).collect()
            },
            |level, input, output| level.pack_bits(place, input, &mut output[..input.len() / 8]),
        );
    }
    for one in [1, 2, 0x80, 0xfe, 0xff] {
        check(
            &format!("unpack to {one}"),
            (0..=inputs(40, 9)).step_by(inputs(1, 9)),
            |input| {
                let bits = |byte: &u8| (0..8).map(|bit| (*byte >> bit & 1) * one).collect();
                input.iter().flat_map::<Vec<u8>, _>(bits).collect()
            },
            |level, input, output| level.unpack_bits(one, input, &mut output[..8 * input.len()]),
        );
    }
}

/// Returns the bits of the bytes, the lowest first.
fn bits(bytes: &[u8]) -> Vec<u8> {
    let eight = |byte: &u8| -> Vec<u8> { (0..8).map(|bit| *byte >> bit & 1).collect() };
    bytes.iter().flat_map(eight).collect()
}

/// Returns the bytes of the bits, with the last byte padded with zeros.
fn bytes(bits: &[u8]) -> Vec<u8> {
    let byte = |eight: &[u8]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
    bits.chunks(8).map(byte).collect()
}

#[test]
fn bits_of_words() {
    for count in (1..64).step_by(inputs(1, 31)) {
        // Packs the lower `count` bits of every word; `above` clears the other bits of every word.
        let lower = |words: &[u8]| -> Vec<u8> {
            let words = words
                .chunks_exact(8)
                .map(|word| bits(word)[..count].to_vec());
            bytes(&words.collect::<Vec<_>>().concat())
        };
        let above = |words: &[u8]| -> Vec<u8> {
            let word = |word: &[u8]| [&bits(word)[..count], &vec![0; 64 - count]].concat();
            bytes(&words.chunks_exact(8).map(word).collect::<Vec<_>>().concat())
        };
        check(
            &format!("compress {count}"),
            (0..=inputs(40, 9))
                .step_by(inputs(1, 9))
                .map(|words| words * 8),
            lower,
            |level, input, output| Compress::of(level, count, 1000).run(&above(input), output),
        );
        check(
            &format!("expand {count}"),
            (0..=inputs(40, 9))
                .step_by(inputs(1, 9))
                .map(|words| words * 8),
            above,
            |level, input, output| {
                let mut words = vec![0xa5; input.len()];
                Expand::of(level, count, 1000).run(&lower(input), &mut words);
                output[..words.len()].copy_from_slice(&above(&words));
            },
        );
    }
}
