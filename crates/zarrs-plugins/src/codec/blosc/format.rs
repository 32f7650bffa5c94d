//! A Blosc buffer: a header of 16 bytes, the offset of each block, and the blocks, each compressed
//! separately.

use std::borrow::Cow;

use super::{lz, shuffle};

/// The compressors, by the number in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compressor {
    BloscLz = 0,
    Lz4 = 1,
    Snappy = 2,
    Zlib = 3,
    Zstd = 4,
}

/// The shuffling of the bytes of a block before they are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shuffle {
    None,
    Bytes,
    Bits,
}

/// The settings with which a buffer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) compressor: Compressor,
    /// The compression level, 0 to 9; 0 does not compress.
    pub(super) level: u8,
    pub(super) shuffle: Shuffle,
    /// The number of bytes in an element.
    pub(super) width: u8,
    /// The number of bytes in a block; 0 leaves the choice to the writer.
    pub(super) block: usize,
}

/// The number of bytes in the header.
pub(super) const HEADER: usize = 16;

/// The maximum number of bytes that the header can express, minus those of the header itself.
pub(super) const MOST: usize = i32::MAX as usize - HEADER;

/// The number of bytes in a block if the configuration does not give one. Such a block stays in the cache of
/// a core.
const BLOCK: usize = 256 << 10;

const BYTES_SHUFFLED: u8 = 0x01;
const COPIED: u8 = 0x02;
const BITS_SHUFFLED: u8 = 0x04;
const WHOLE: u8 = 0x10;

/// The maximum number of streams. A block is divided into one stream for each byte of an element only if
/// there are few enough and they are long enough.
const STREAMS: usize = 16;
const STREAM: usize = 128;

/// Returns the number at an offset.
fn number(buffer: &[u8], at: usize) -> Option<usize> {
    let bytes: [u8; 4] = buffer.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

/// Returns the number of bytes that a buffer has after decompression, according to its header.
pub(super) fn length(buffer: &[u8]) -> Option<usize> {
    number(buffer, 4)
}

/// Decompresses a buffer. Returns `None` if it is malformed.
pub(super) fn decompress(buffer: &[u8]) -> Option<Vec<u8>> {
    let (flags, width) = (*buffer.get(2)?, usize::from(*buffer.get(3)?));
    let (length, block, whole) = (length(buffer)?, number(buffer, 8)?, number(buffer, 12)?);
    let buffer = buffer.get(..whole)?;
    if flags & COPIED != 0 {
        return Some(buffer.get(HEADER..HEADER.checked_add(length)?)?.to_vec());
    }
    if length == 0 {
        return Some(Vec::new());
    }
    if block == 0 || width == 0 {
        return None;
    }
    let compressor = match flags >> 5 {
        0 => Compressor::BloscLz,
        1 => Compressor::Lz4,
        2 => Compressor::Snappy,
        3 => Compressor::Zlib,
        4 => Compressor::Zstd,
        _ => return None,
    };
    // Each block has at least an offset and the length of a stream, so that no header can claim more than its
    // buffer allows.
    if length.div_ceil(block) > buffer.len() / 8 {
        return None;
    }
    let mut output = Vec::new();
    output.try_reserve_exact(length).ok()?;
    for (index, begin) in (0..length).step_by(block).enumerate() {
        let size = block.min(length - begin);
        let is_cut =
            flags & WHOLE == 0 && size == block && width <= STREAMS && block / width >= STREAM;
        let streams = if is_cut { width } else { 1 };
        let mut at = number(buffer, HEADER + 4 * index)?;
        let mut decoded = Vec::new();
        decoded.try_reserve_exact(size).ok()?;
        for _ in 0..streams {
            let bytes = number(buffer, at)?;
            let stream = buffer.get(at + 4..(at + 4).checked_add(bytes)?)?;
            decoded.extend_from_slice(&expanded(compressor, stream, size / streams)?);
            at += 4 + bytes;
        }
        // If the width does not divide the block, the remainder is not a stream.
        if decoded.len() != size {
            return None;
        }
        output.extend_from_slice(&if flags & BYTES_SHUFFLED != 0 && width > 1 {
            shuffle::unshuffle(width, &decoded)
        } else if flags & BITS_SHUFFLED != 0 {
            shuffle::bitunshuffle(width, &decoded)
        } else {
            decoded
        });
    }
    Some(output)
}

/// Decompresses a stream. A stream of full length was not compressed.
fn expanded(compressor: Compressor, stream: &[u8], length: usize) -> Option<Cow<'_, [u8]>> {
    if stream.len() == length {
        return Some(Cow::Borrowed(stream));
    }
    let bytes = match compressor {
        Compressor::BloscLz => lz::decompress(stream, length)?,
        Compressor::Lz4 => lz4_flex::block::decompress(stream, length).ok()?,
        Compressor::Snappy => return None,
        Compressor::Zlib => {
            miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(stream, length).ok()?
        }
        Compressor::Zstd => zstd::bulk::decompress(stream, length).ok()?,
    };
    (bytes.len() == length).then_some(Cow::Owned(bytes))
}

/// Compresses at most [`MOST`] bytes. The output is never longer than the input plus the header.
pub(super) fn compress(settings: &Settings, input: &[u8]) -> Option<Vec<u8>> {
    let width = usize::from(settings.width.max(1));
    let chosen = if settings.block == 0 {
        BLOCK
    } else {
        settings.block
    };
    // The number of elements is a multiple of eight, so that the bits of all are shuffled.
    let unit = width * 8;
    let block = (chosen / unit * unit).max(unit).min(input.len().max(1));
    let flags = WHOLE
        | (settings.compressor as u8) << 5
        | match settings.shuffle {
            Shuffle::None => 0,
            Shuffle::Bytes => BYTES_SHUFFLED,
            Shuffle::Bits => BITS_SHUFFLED,
        };
    let mut output = header(settings, flags, input.len(), block)?;
    let starts = output.len();
    output.resize(starts + 4 * input.len().div_ceil(block), 0);
    for (index, bytes) in input.chunks(block).enumerate() {
        if settings.level == 0 || output.len() >= input.len() + HEADER {
            return copied(settings, input);
        }
        let at = u32::try_from(output.len()).ok()?;
        output[starts + 4 * index..][..4].copy_from_slice(&at.to_le_bytes());
        let bytes = match settings.shuffle {
            Shuffle::Bytes if width > 1 => Cow::Owned(shuffle::shuffle(width, bytes)),
            Shuffle::Bits => Cow::Owned(shuffle::bitshuffle(width, bytes)),
            _ => Cow::Borrowed(bytes),
        };
        let stream = compressed(settings, &bytes)?;
        let stream = if stream.len() < bytes.len() {
            &stream
        } else {
            &*bytes
        };
        output.extend_from_slice(&u32::try_from(stream.len()).ok()?.to_le_bytes());
        output.extend_from_slice(stream);
    }
    if output.len() > input.len() + HEADER {
        return copied(settings, input);
    }
    let whole = u32::try_from(output.len()).ok()?;
    output[12..16].copy_from_slice(&whole.to_le_bytes());
    Some(output)
}

/// Returns a buffer with uncompressed bytes.
fn copied(settings: &Settings, input: &[u8]) -> Option<Vec<u8>> {
    let mut output = header(settings, COPIED, input.len(), input.len())?;
    output.extend_from_slice(input);
    let whole = u32::try_from(output.len()).ok()?;
    output[12..16].copy_from_slice(&whole.to_le_bytes());
    Some(output)
}

/// Returns a header whose last number is added later.
fn header(settings: &Settings, flags: u8, length: usize, block: usize) -> Option<Vec<u8>> {
    // These are the versions of the format and of the compressors' output.
    let mut output = vec![2, 1, flags, settings.width.max(1)];
    output.extend(u32::try_from(length).ok()?.to_le_bytes());
    output.extend(u32::try_from(block).ok()?.to_le_bytes());
    output.extend([0; 4]);
    Some(output)
}

fn compressed(settings: &Settings, bytes: &[u8]) -> Option<Vec<u8>> {
    let level = settings.level.min(9);
    match settings.compressor {
        Compressor::Lz4 => Some(lz4_flex::block::compress(bytes)),
        Compressor::Zlib => Some(miniz_oxide::deflate::compress_to_vec_zlib(bytes, level)),
        // Blosc's nine levels are mapped to those of Zstandard as in C-Blosc, except for the large windows of the last
        // level.
        Compressor::Zstd => zstd::bulk::compress(bytes, (2 * i32::from(level) - 1).min(19)).ok(),
        Compressor::BloscLz | Compressor::Snappy => None,
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the inputs are the low bits of numbers"
)]
mod tests {
    use super::*;

    const COMPRESSORS: [Compressor; 3] = [Compressor::Lz4, Compressor::Zlib, Compressor::Zstd];

    fn inputs() -> Vec<Vec<u8>> {
        let noise = |at: usize| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8;
        [0, 1, 7, 100, 4096, 300_001]
            .into_iter()
            .flat_map(|length| {
                [
                    vec![7; length],
                    (0..length).map(|at| (at / 16) as u8).collect(),
                    (0..length).map(noise).collect(),
                ]
            })
            .collect()
    }

    #[test]
    fn what_was_compressed_comes_back_and_is_hardly_longer() {
        for input in inputs() {
            for compressor in COMPRESSORS {
                for shuffle in [Shuffle::None, Shuffle::Bytes, Shuffle::Bits] {
                    for (level, width, block) in [(0, 1, 0), (1, 2, 0), (5, 8, 1000), (9, 3, 0)] {
                        let settings = Settings {
                            compressor,
                            level,
                            shuffle,
                            width,
                            block,
                        };
                        let buffer = compress(&settings, &input).expect("a buffer");
                        assert!(buffer.len() <= input.len() + HEADER, "{settings:?}");
                        assert_eq!(length(&buffer), Some(input.len()));
                        assert!(decompress(&buffer).as_ref() == Some(&input), "{settings:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_cut_or_changed_does_not_panic() {
        let settings = Settings {
            compressor: Compressor::Lz4,
            level: 5,
            shuffle: Shuffle::Bits,
            width: 2,
            block: 64,
        };
        let input: Vec<u8> = (0..1000_usize).map(|at| (at / 9) as u8).collect();
        let buffer = compress(&settings, &input).expect("a buffer");
        for end in 0..buffer.len() {
            assert_eq!(decompress(&buffer[..end]), None, "{end}");
        }
        for at in 0..buffer.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = buffer.clone();
                changed[at] = value;
                // Any result has the length that the header states.
                if let Some(bytes) = decompress(&changed) {
                    assert_eq!(length(&changed), Some(bytes.len()));
                }
            }
        }
    }

    /// Buffers that numcodecs 0.17.1 wrote with C-Blosc 1.21.7, in blocks of 256 bytes: the compressor, the kind of
    /// shuffling, and the bytes.
    const WRITTEN: &str = include_str!("written.txt");

    #[test]
    fn what_c_blosc_wrote_is_read() {
        let elements = (0..300_u16).map(|at| if at % 97 == 96 { 777 } else { at / 10 });
        let expected: Vec<u8> = elements.flat_map(u16::to_le_bytes).collect();
        assert_eq!(WRITTEN.lines().count(), 15);
        for line in WRITTEN.lines() {
            let (name, hex) = line.rsplit_once(' ').expect("a name and bytes");
            let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
            let buffer: Vec<u8> = (0..hex.len()).step_by(2).map(digits).collect();
            assert_eq!(buffer[2] & COPIED, 0, "{name}");
            assert!(decompress(&buffer).as_ref() == Some(&expected), "{name}");
        }
    }
}
