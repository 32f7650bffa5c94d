//! BloscLZ, the compressor that Blosc brings along: literals, and matches of what came out already.
//!
//! A byte below 32 announces one literal more than it says. Any other holds the length of a match in its upper
//! three bits and the upper bits of its distance in the lower five; a length of 7 goes on in the bytes behind it, and
//! the greatest distance of 13 bits means that 16 bits follow.

/// The greatest distance that stands in 13 bits.
const NEAR: usize = 8191;

/// Decompresses a stream; `None` where it is not one, or does not come to the given number of bytes.
pub(super) fn decompress(mut input: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut output = Vec::new();
    output.try_reserve_exact(length).ok()?;
    // The first byte has no room for a match: there is nothing yet to be matched.
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

/// A match: as many bytes from as far back, which may be bytes that it makes itself.
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
        // Three from one before: the byte that was written last, again and again.
        check(&[0, b'a', 0x20, 0], 4, Some(b"aaaa"));
        check(&[1, b'a', b'b', 0x40, 1, 0, b'c'], 7, Some(b"abababc"));
        // A length that goes on: 6 + 255 + 1 + 3.
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
