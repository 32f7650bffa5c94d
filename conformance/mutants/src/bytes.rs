//! Mutants of `bytes`.

use exactum_conformance::model::{Array, Bytes, DataType, Endian, Format, Rejection};
use exactum_reference::bytes as reference;

use super::{Coder, Mutant, Parts, RIGHT, Witness, order};

const fn mutant(
    name: &'static str,
    breaks: &'static [&'static str],
    coder: Coder<Bytes>,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            bytes: coder,
            ..RIGHT
        },
        witness,
    }
}

/// Both directions through another codec.
macro_rules! instead {
    ($codec:expr) => {
        Coder {
            encode: Some(|codec, input| reference::encode(&$codec(codec), input)),
            decode: Some(|codec, shape, bytes| reference::decode(&$codec(codec), shape, bytes)),
        }
    };
}

/// Something made of the bytes behind encoding and before decoding.
macro_rules! bent {
    ($bend:expr) => {
        Coder {
            encode: Some(|codec, input| {
                let mut bytes = reference::encode(codec, input)?;
                $bend(codec, &mut bytes);
                Ok(bytes)
            }),
            decode: Some(|codec, shape, bytes| {
                let mut bytes = bytes.to_vec();
                $bend(codec, &mut bytes);
                reference::decode(codec, shape, &bytes)
            }),
        }
    };
}

/// Something made of the array before encoding and behind decoding.
macro_rules! seen {
    ($see:expr) => {
        Coder {
            encode: Some(|codec, input| reference::encode(codec, &$see(input)?)),
            decode: Some(|codec, shape, bytes| $see(&reference::decode(codec, shape, bytes)?)),
        }
    };
}

const INT16: &str = "[1, 258]";
const BIG: &str = r#"{"endian":"big"}"#;
const LITTLE: &str = r#"{"endian":"little"}"#;

/// The mutants of this file.
pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "bytes-big-ignored",
        &["bytes.big"],
        instead!(|codec: &Bytes| Bytes {
            endian: Some(Endian::Little),
            ..*codec
        }),
        "Bytes are in the machine's order, whatever `endian` says.",
        Witness::ToBytes("int16", BIG, INT16),
    ),
    mutant(
        "bytes-always-big",
        &["bytes.little"],
        instead!(|codec: &Bytes| Bytes {
            endian: Some(Endian::Big),
            ..*codec
        }),
        "Bytes are in the order of the network, whatever `endian` says.",
        Witness::ToBytes("int16", LITTLE, INT16),
    ),
    mutant(
        "bytes-words-swapped",
        &["bytes.big"],
        bent!(|codec: &Bytes, bytes: &mut Vec<u8>| {
            // Pairs of bytes are in their places, and the wrong way round in themselves.
            if codec.endian == Some(Endian::Big) && codec.data_type.format().component_bytes() > 2 {
                bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
            }
        }),
        "Numbers of more than two bytes are swapped by 16-bit words only.",
        Witness::ToBytes("int32", BIG, "[1]"),
    ),
    mutant(
        "bytes-complex-reversed-whole",
        &["bytes.complex"],
        bent!(|codec: &Bytes, bytes: &mut Vec<u8>| {
            if codec.endian == Some(Endian::Big) && codec.data_type.format().component_bytes() > 1 {
                swap_parts(codec.data_type, bytes);
            }
        }),
        "A complex element is reversed as one number of twice the width, which swaps its parts.",
        Witness::ToBytes("complex64", BIG, "[[1, 2]]"),
    ),
    mutant(
        "bytes-complex-planes",
        &["bytes.complex"],
        Coder {
            encode: Some(|codec, input| {
                let bytes = reference::encode(codec, input)?;
                Ok(planes(codec.data_type, &bytes, true))
            }),
            decode: Some(|codec, shape, bytes| {
                reference::decode(codec, shape, &planes(codec.data_type, bytes, false))
            }),
        },
        "All real parts stand before all imaginary ones, as split-complex libraries have them.",
        Witness::ToBytes("complex64", LITTLE, "[[1, 2], [3, 4]]"),
    ),
    mutant(
        "bytes-one-byte-parts-reversed",
        &["bytes.one-byte"],
        bent!(|codec: &Bytes, bytes: &mut Vec<u8>| {
            if codec.endian == Some(Endian::Big) && codec.data_type.format().component_bytes() == 1
            {
                swap_parts(codec.data_type, bytes);
            }
        }),
        "The two bytes of a complex element are taken for a number of two bytes and swapped.",
        Witness::ToBytes("complex_float8_e5m2", BIG, "[[1, 2]]"),
    ),
    mutant(
        "bytes-column-major",
        &["bytes.order"],
        seen!(order::column_major),
        "Elements are taken with the first dimension fastest.",
        Witness::FromBytes("uint8", "{}", "[2, 2]", "01020304"),
    ),
    mutant(
        "bytes-nan-made-default",
        &["bytes.bits"],
        seen!(order::default_nans),
        "Every NaN is written as the default one: elements went through a parser of numbers.",
        Witness::FromBytes("float32", BIG, "[1]", "7f800001"),
    ),
    mutant(
        "bytes-nan-quieted",
        &["bytes.bits"],
        seen!(order::quiet_nans),
        "Loading a signalling NaN into a register of the x87 sets its quiet bit.",
        Witness::FromBytes("float64", BIG, "[1]", "7ff0000000000001"),
    ),
    mutant(
        "bytes-zero-without-sign",
        &["bytes.bits"],
        seen!(order::plain_zeros),
        "Elements equal to zero are not written: the buffer was zero already.",
        Witness::FromBytes("float32", BIG, "[1]", "80000000"),
    ),
    mutant(
        "bytes-bool-all-ones",
        &["bytes.bool"],
        Coder {
            encode: Some(|codec, input| {
                let mut bytes = reference::encode(codec, input)?;
                if codec.data_type == DataType::Bool {
                    bytes.iter_mut().for_each(|byte| *byte *= 0xff);
                }
                Ok(bytes)
            }),
            decode: None,
        },
        "true is written as a mask, ff.",
        Witness::ToBytes("bool", "{}", "[true]"),
    ),
    mutant(
        "bytes-bool-inverted",
        &["bytes.bool"],
        bent!(|codec: &Bytes, bytes: &mut Vec<u8>| {
            if codec.data_type == DataType::Bool {
                bytes.iter_mut().for_each(|byte| *byte ^= 1);
            }
        }),
        "00 is success, and success is true.",
        Witness::ToBytes("bool", "{}", "[true]"),
    ),
    mutant(
        "bytes-sub-byte-on-top",
        &["bytes.sub-byte"],
        Coder {
            encode: Some(|codec, input| {
                let mut bytes = reference::encode(codec, input)?;
                let unused = 8 - codec.data_type.format().component_bits().min(8);
                bytes.iter_mut().for_each(|byte| *byte <<= unused);
                Ok(bytes)
            }),
            decode: Some(|codec, shape, bytes| {
                let unused = 8 - codec.data_type.format().component_bits().min(8);
                let bytes: Vec<u8> = bytes.iter().map(|byte| byte >> unused).collect();
                reference::decode(codec, shape, &bytes)
            }),
        },
        "The value stands in the high bits of its byte.",
        Witness::ToBytes("uint4", "{}", "[1]"),
    ),
    mutant(
        "bytes-junk-kept",
        &["bytes.sub-byte.ignored"],
        Coder {
            encode: None,
            decode: Some(|codec, shape, bytes| {
                let clean = reference::decode(codec, shape, bytes)?;
                if codec.data_type.format().component_bits() >= 8 {
                    return Ok(clean);
                }
                Array::new(codec.data_type, shape.to_vec(), bytes.to_vec())
            }),
        },
        "Bits above the type's own pass into memory: int4 38 becomes 56 (zarrs).",
        Witness::FromBytes("int4", "{}", "[1]", "38"),
    ),
    mutant(
        "bytes-junk-rejected",
        &["bytes.sub-byte.ignored"],
        Coder {
            encode: None,
            decode: Some(|codec, shape, bytes| {
                let clean = reference::decode(codec, shape, bytes)?;
                if clean.data() == bytes || codec.data_type.format().component_bits() >= 8 {
                    Ok(clean)
                } else {
                    Err(super::refuse("bytes.sub-byte.ignored"))
                }
            }),
        },
        "Bytes that are no element are an error.",
        Witness::FromBytes("int4", "{}", "[1]", "38"),
    ),
    mutant(
        "bytes-short-padded",
        &["bytes.length"],
        Coder {
            encode: None,
            decode: Some(|codec, shape, bytes| {
                resized(codec, shape, bytes, |need, are| are < need)
            }),
        },
        "Missing bytes are zeros: the buffer was allocated whole.",
        Witness::FromBytes("uint8", "{}", "[3]", "0102"),
    ),
    mutant(
        "bytes-long-cut",
        &["bytes.length"],
        Coder {
            encode: None,
            decode: Some(|codec, shape, bytes| {
                resized(codec, shape, bytes, |need, are| are > need)
            }),
        },
        "Bytes beyond the last element are not looked at.",
        Witness::FromBytes("uint8", "{}", "[3]", "01020304"),
    ),
];

/// Swaps the halves of complex elements.
fn swap_parts(data_type: DataType, bytes: &mut [u8]) {
    if let Format::Complex(_) = data_type.format() {
        let half = data_type.format().component_bytes();
        for element in bytes.chunks_exact_mut(2 * half) {
            element.rotate_left(half);
        }
    }
}

/// Pairs of parts to two rows of parts, or back.
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

/// Decodes as many bytes as are needed, where the fault says so.
fn resized(
    codec: &Bytes,
    shape: &[u64],
    bytes: &[u8],
    fault: fn(usize, usize) -> bool,
) -> Result<Array, Rejection> {
    reference::decode(
        codec,
        shape,
        &order::resized(codec.data_type, shape, bytes, fault),
    )
}
