//! Mutants of `bytes`.

use exactum_conformance::model::{Array, ArrayToBytes, Bytes, DataType, Endian, Format};
use exactum_reference::bytes::{decode, encode};

use super::order::{column_major, default_nans, plain_zeros, quiet_nans, resized};
use super::overrides::See;
use super::{Coder, Mutant, NONE, Overrides, some_rejection};

const CODER: Coder<Bytes> = Coder::NONE;

fn row(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    bytes: Coder<Bytes>,
) -> Mutant {
    super::mutant(name, clause, fault, Overrides { bytes, ..NONE })
}

/// Uses one byte order in both directions.
fn in_order(endian: Endian) -> Coder<Bytes> {
    let other = move |codec: &Bytes| Bytes {
        endian: Some(endian),
        ..*codec
    };
    CODER
        .encoding(move |codec, input| encode(&other(codec), input))
        .decoding(move |codec, shape, bytes| decode(&other(codec), shape, bytes))
}

/// Changes the bytes after encoding and before decoding.
fn bent(bend: fn(&Bytes, &mut [u8])) -> Coder<Bytes> {
    CODER
        .encoding(move |codec, input| {
            let mut bytes = encode(codec, input)?;
            bend(codec, &mut bytes);
            Ok(bytes)
        })
        .decoding(move |codec, shape, bytes| {
            let mut bytes = bytes.to_vec();
            bend(codec, &mut bytes);
            decode(codec, shape, &bytes)
        })
}

/// Changes the array before encoding and after decoding.
fn seen(see: See) -> Coder<Bytes> {
    Coder::seen(ArrayToBytes::Bytes, see)
}

/// Resizes the bytes to the required number before decoding, if `fault` applies.
fn as_needed(fault: fn(usize, usize) -> bool) -> Coder<Bytes> {
    CODER.decoding(move |codec, shape, bytes| {
        decode(codec, shape, &resized(codec.data_type, shape, bytes, fault))
    })
}

/// Returns the number of bytes of a component, if the codec is big-endian.
fn big(codec: &Bytes) -> Option<usize> {
    (codec.endian == Some(Endian::Big)).then(|| codec.data_type.format().component_bytes())
}

/// Returns the number of bits in a byte that a type does not use.
fn unused(codec: &Bytes) -> u32 {
    8 - codec.data_type.format().component_bits().min(8)
}

/// Swaps the two parts of complex elements.
fn swap_parts(data_type: DataType, bytes: &mut [u8]) {
    if let Format::Complex(_) = data_type.format() {
        let half = data_type.format().component_bytes();
        for element in bytes.chunks_exact_mut(2 * half) {
            element.rotate_left(half);
        }
    }
}

/// Separates pairs of parts into two rows of parts, or joins them again.
fn planes(data_type: DataType, bytes: &[u8], split: bool) -> Vec<u8> {
    let width = data_type.format().component_bytes();
    if data_type.format().components() != 2 {
        return bytes.to_vec();
    }
    let parts: Vec<&[u8]> = bytes.chunks(width).collect();
    let half = parts.len() / 2;
    let order: Vec<usize> = if split {
        (0..half)
            .map(|index| 2 * index)
            .chain((0..half).map(|index| 2 * index + 1))
            .collect()
    } else {
        (0..half).flat_map(|index| [index, half + index]).collect()
    };
    if 2 * half != parts.len() {
        return bytes.to_vec();
    }
    order
        .into_iter()
        .flat_map(|index| parts[index].to_vec())
        .collect()
}

pub(super) fn mutants() -> Vec<Mutant> {
    [byte_order(), element_values()].concat()
}

#[rustfmt::skip] // A table.
fn byte_order() -> Vec<Mutant> {
    vec![
        row("bytes-big-ignored", "bytes.big",
            "Bytes are in the order of the machine, regardless of `endian`.",
            in_order(Endian::Little)),
        row("bytes-always-big", "bytes.little",
            "Bytes are in network order, regardless of `endian`.",
            in_order(Endian::Big)),
        row("bytes-words-swapped", "bytes.big",
            "Numbers of more than two bytes are swapped by 16-bit words only.",
            bent(|codec, bytes| {
                // The pairs of bytes are in the right places, but each is swapped.
                if big(codec) > Some(2) {
                    bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
                }
            })),
        row("bytes-complex-reversed-whole", "bytes.complex",
            "A complex element is reversed as one number of twice the width, which swaps its parts.",
            bent(|codec, bytes| {
                if big(codec) > Some(1) {
                    swap_parts(codec.data_type, bytes);
                }
            })),
        row("bytes-complex-planes", "bytes.complex",
            "All real parts precede all imaginary parts, as in libraries with split-complex arrays.",
            CODER
                .encoding(|codec, input| Ok(planes(codec.data_type, &encode(codec, input)?, true)))
                .decoding(|codec, shape, bytes| {
                    decode(codec, shape, &planes(codec.data_type, bytes, false))
                })),
        row("bytes-one-byte-parts-reversed", "bytes.one-byte",
            "The two bytes of a complex element are swapped, as if they were one number of two bytes.",
            bent(|codec, bytes| {
                if big(codec) == Some(1) {
                    swap_parts(codec.data_type, bytes);
                }
            })),
        row("bytes-column-major", "bytes.order",
            "Elements are read with the first dimension varying fastest.",
            seen(column_major)),
    ]
}

#[rustfmt::skip] // A table.
fn element_values() -> Vec<Mutant> {
    vec![
        row("bytes-nan-made-default", "bytes.bits",
            "Every NaN is written as the default one: elements went through a parser of numbers.",
            seen(default_nans)),
        row("bytes-nan-quieted", "bytes.bits",
            "Loading a signalling NaN into a register of the x87 sets its quiet bit.",
            seen(quiet_nans)),
        row("bytes-zero-without-sign", "bytes.bits",
            "Elements equal to zero are not written: the buffer was zero already.",
            seen(plain_zeros)),
        row("bytes-bool-all-ones", "bytes.bool",
            "true is written as a mask, ff.",
            CODER.encoding(|codec, input| {
                let mut bytes = encode(codec, input)?;
                if codec.data_type == DataType::Bool {
                    bytes.iter_mut().for_each(|byte| *byte *= 0xff);
                }
                Ok(bytes)
            })),
        row("bytes-bool-inverted", "bytes.bool",
            "00 means success, which is read as true.",
            bent(|codec, bytes| {
                if codec.data_type == DataType::Bool {
                    bytes.iter_mut().for_each(|byte| *byte ^= 1);
                }
            })),
        row("bytes-sub-byte-on-top", "bytes.sub-byte",
            "The value is in the high bits of its byte.",
            CODER
                .encoding(|codec, input| {
                    let bytes = encode(codec, input)?;
                    Ok(bytes.iter().map(|byte| byte << unused(codec)).collect())
                })
                .decoding(|codec, shape, bytes| {
                    let bytes: Vec<u8> = bytes.iter().map(|byte| byte >> unused(codec)).collect();
                    decode(codec, shape, &bytes)
                })),
        row("bytes-junk-kept", "bytes.sub-byte.ignored",
            "Bits above the type's own pass into memory: int4 38 becomes 56 (zarrs).",
            CODER.decoding(|codec, shape, bytes| {
                let clean = decode(codec, shape, bytes)?;
                if unused(codec) == 0 {
                    return Ok(clean);
                }
                Array::new(codec.data_type, shape.to_vec(), bytes.to_vec())
            })),
        row("bytes-junk-rejected", "bytes.sub-byte.ignored",
            "Bytes that are not an element are an error.",
            CODER.decoding(|codec, shape, bytes| {
                let clean = decode(codec, shape, bytes)?;
                if clean.data() == bytes || unused(codec) == 0 {
                    Ok(clean)
                } else {
                    Err(some_rejection())
                }
            })),
        row("bytes-short-padded", "bytes.length",
            "Missing bytes are zeros: the buffer was allocated in full.",
            as_needed(|need, are| are < need)),
        row("bytes-long-cut", "bytes.length",
            "Bytes after the last element are not checked.",
            as_needed(|need, are| are > need)),
    ]
}
