//! BloscLZ, the compressor that is part of Blosc: literals, and matches with previous output.
//!
//! A byte below 32 announces one more literal than its value. Any other byte holds the length of a match in
//! its upper three bits and the upper bits of its distance in the lower five. A length of 7 continues in the
//! following bytes, and the greatest 13-bit distance means that a 16-bit distance follows.

/// The greatest distance that is encoded in 13 bits.
const NEAR: usize = 8191;

/// Decompresses a stream. Returns `None` if it is malformed, or if the output does not have the given number
/// of bytes.
pub(super) fn decompress(mut input: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut output = Vec::new();
    output.try_reserve_exact(length).ok()?;
    // The first byte has no bits for a match, because there is nothing to match yet.
    let mut control = usize::from(next(&mut input)? & 31);
    loop {
        if control < 32 {
            let (literals, rest) = input.split_at_checked(control + 1)?;
            if output.len() + literals.len() > length {
                return None;
            }
            output.extend_from_slice(literals);
            input = rest;
        } else {
            repeat(control, &mut input, &mut output, length)?;
        }
        match next(&mut input) {
            Some(byte) => control = usize::from(byte),
            None => return (output.len() == length).then_some(output),
        }
    }
}

/// Copies a match: the number of bytes and the distance are given, and the source may overlap the output.
fn repeat(control: usize, input: &mut &[u8], output: &mut Vec<u8>, length: usize) -> Option<()> {
    let mut count = (control >> 5) - 1;
    if count == 6 {
        loop {
            let more = next(input)?;
            count += usize::from(more);
            if count > length {
                return None;
            }
            if more != 255 {
                break;
            }
        }
    }
    count += 3;
    let mut distance = ((control & 31) << 8) + usize::from(next(input)?);
    if distance == NEAR {
        distance += (usize::from(next(input)?) << 8) + usize::from(next(input)?);
    }
    let from = output.len().checked_sub(distance + 1)?;
    if output.len() + count > length {
        return None;
    }
    for at in from..from + count {
        output.push(output[at]);
    }
    Some(())
}

fn next(input: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = input.split_first()?;
    *input = rest;
    Some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8], length: usize, expected: Option<&[u8]>) {
        assert_eq!(decompress(input, length).as_deref(), expected, "{input:?}");
    }

    #[test]
    fn literals_and_matches() {
        check(&[2, b'a', b'b', b'c'], 3, Some(b"abc"));
        // A match of three bytes at distance one repeats the last byte.
        check(&[0, b'a', 0x20, 0], 4, Some(b"aaaa"));
        check(&[1, b'a', b'b', 0x40, 1, 0, b'c'], 7, Some(b"abababc"));
        // A match with a continued length: 6 + 255 + 1 + 3.
        let long = [&[0, b'x', 0xe0, 255, 1, 0][..], &[]].concat();
        check(&long, 266, Some(&[b'x'; 266]));
    }

    #[test]
    fn what_is_no_stream_is_refused() {
        check(&[], 0, None);
        check(&[2, b'a', b'b'], 3, None);
        check(&[0, b'a'], 2, None);
        check(&[1, b'a', b'b'], 1, None);
        check(&[0, b'a', 0x20, 1], 4, None);
        check(&[0, b'a', 0x20], 4, None);
        check(&[0, b'a', 0xe0, 255, 255, 255, 0, 0], 9, None);
        check(&[0, b'a', 0x3f, 255, 0], 4, None);
    }
}
