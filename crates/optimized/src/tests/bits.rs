//! The routines that are written by hand, at every level, against loops over single bits and bytes.

use super::numbers::Random;
use crate::arch::Level;

/// Runs on random bytes of every length up to some vectors: `run(level, input, output)` with an
/// output of other bytes, of which those that `expected` has must come out.
fn check(
    name: &str,
    lengths: impl Iterator<Item = usize>,
    expected: impl Fn(&[u8]) -> Vec<u8>,
    run: impl Fn(Level, &[u8], &mut [u8]),
) {
    let mut numbers = Random(21);
    for length in lengths {
        let input: Vec<u8> = (0..length)
            .map(|_| numbers.next().to_le_bytes()[3])
            .collect();
        let expected = expected(&input);
        for level in Level::available() {
            // No more room than needed, and more than a vector.
            for spare in [0, 1, 40] {
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
            (0..=300).step_by(8),
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
            0..=40,
            |input| {
                let bits = |byte: &u8| (0..8).map(|bit| (*byte >> bit & 1) * one).collect();
                input.iter().flat_map::<Vec<u8>, _>(bits).collect()
            },
            |level, input, output| level.unpack_bits(one, input, &mut output[..8 * input.len()]),
        );
    }
}

#[test]
fn bytes_of_words() {
    for bytes in 1..8 {
        check(
            &format!("squeeze {bytes}"),
            (0..=40).map(|words| words * bytes),
            <[u8]>::to_vec,
            |level, input, output| {
                let word = |lower: &[u8]| [lower, &[0; 8]].concat()[..8].to_vec();
                let words: Vec<u8> = input.chunks(bytes).flat_map(word).collect();
                level.squeeze(bytes, &words, output);
            },
        );
        check(
            &format!("spread {bytes}"),
            (0..=40).map(|words| words * bytes),
            <[u8]>::to_vec,
            |level, input, output| {
                let mut words = vec![0xa5; input.len() / bytes * 8];
                level.spread(bytes, input, &mut words);
                let lower = words.chunks(8).flat_map(|word| &word[..bytes]);
                output
                    .iter_mut()
                    .zip(lower)
                    .for_each(|(to, from)| *to = *from);
            },
        );
    }
}
