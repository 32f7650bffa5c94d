//! A bit packer with one fault.

use exactum_conformance::model::{Array, Format, PackBits, PaddingEncoding, Reason, Rejection};

/// What is wrong, in the words of the rows that use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackerFault {
    SignToTheByte,
    NoSign,
    SignToTheWord,
    SignOfEverything,
    SignOfFloats,
    NoPaddingByteWhenWhole,
    NoPaddingByteWhenNone,
    PaddingByteAlways,
    PaddingOfEight,
    UsedBits,
    OtherEnd,
    HighBitFirst,
    HighBitOfTheComponentFirst,
    HighByteFirst,
    LastBitExclusive,
    LowestBits,
    Rounded,
    Narrow,
    NotShifted,
    Junk,
    WidthOfMemory,
    RangeOfTheElement,
    ImaginaryFirst,
    Planes,
    Aligned,
    WordBorder,
    PaddingOfOnes,
    CountUnchecked,
    CountInThreeBits,
    ShortPadded,
    LongCut,
}

use PackerFault::*;

/// Packs an array with a fault.
pub(super) fn pack(fault: PackerFault, codec: &PackBits, input: &Array) -> Vec<u8> {
    let mut packed = bytes(fault, &sequence(fault, codec, input));
    let used = sequence_bits(fault, codec, input.len()) % 8;
    let Some(end) = padding_end(fault, codec) else {
        return packed;
    };
    let count = match (fault, used) {
        (UsedBits, _) => used,
        (PaddingOfEight, 0) => 8,
        (NoPaddingByteWhenNone, 0) => return packed,
        _ => (8 - used) % 8,
    };
    let count = u8::try_from(count).unwrap_or(0xff);
    match end {
        PaddingEncoding::FirstByte => packed.insert(0, count),
        _ => packed.push(count),
    }
    packed
}

/// Unpacks an array with a fault.
pub(super) fn unpack(
    fault: PackerFault,
    codec: &PackBits,
    shape: &[u64],
    encoded: &[u8],
) -> Result<Array, Rejection> {
    let data_type = codec.data_type;
    let count = Array::bytes_of(data_type, shape)? / data_type.element_bytes() as u64;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let bits = sequence_bits(fault, codec, count);
    let end = padding_end(fault, codec)
        .filter(|_| fault != NoPaddingByteWhenNone || !bits.is_multiple_of(8));
    let needed = bits.div_ceil(8) + usize::from(end.is_some());
    let mut encoded = encoded.to_vec();
    let resized = match fault {
        ShortPadded => encoded.len() < needed && needed <= 1 << 20,
        LongCut => encoded.len() > needed,
        _ => false,
    };
    if resized {
        encoded.resize(needed, 0);
    }
    if encoded.len() != needed {
        return Err(rejection(Reason::Truncated, "packbits.length"));
    }
    let byte = match end {
        Some(PaddingEncoding::FirstByte) => Some(encoded.remove(0)),
        Some(_) => encoded.pop(),
        None => None,
    };
    if let Some(byte) = byte {
        let used = bits % 8;
        let right = match (fault, used) {
            (UsedBits, _) => used,
            (PaddingOfEight, 0) => 8,
            _ => (8 - used) % 8,
        };
        let said = match fault {
            CountUnchecked => right,
            CountInThreeBits => usize::from(byte % 8),
            _ => byte.into(),
        };
        if said != right {
            return Err(rejection(Reason::Padding, "packbits.padding.count"));
        }
    }
    let parts = values(fault, codec, &bits_of(fault, &encoded), count);
    Array::from_components(data_type, shape.to_vec(), parts)
}

fn rejection(reason: Reason, clause: &'static str) -> Rejection {
    Rejection::new(reason, clause, "rejected by a mutant")
}

/// Where the padding byte stands.
fn padding_end(fault: PackerFault, codec: &PackBits) -> Option<PaddingEncoding> {
    let width = width(fault, codec);
    let whole = width.is_multiple_of(8) && codec.first_bit == 0 && codec.last_bit + 1 == width;
    match (fault, codec.padding) {
        (PaddingByteAlways, PaddingEncoding::None) => Some(PaddingEncoding::FirstByte),
        (_, PaddingEncoding::None) => None,
        (NoPaddingByteWhenWhole, _) if whole => None,
        (OtherEnd, PaddingEncoding::FirstByte) => Some(PaddingEncoding::LastByte),
        (OtherEnd, PaddingEncoding::LastByte) => Some(PaddingEncoding::FirstByte),
        (_, end) => Some(end),
    }
}

fn width(fault: PackerFault, codec: &PackBits) -> u32 {
    let bits = codec.data_type.format().component_bits();
    if fault == WidthOfMemory {
        bits.next_multiple_of(8)
    } else {
        bits
    }
}

/// The first bit of the range and how many there are.
fn range(fault: PackerFault, codec: &PackBits) -> (u32, u32) {
    let bits = codec.last_bit - codec.first_bit + 1;
    match fault {
        LastBitExclusive if bits > 1 => (codec.first_bit, bits - 1),
        LowestBits => (0, bits),
        Narrow => (codec.first_bit, bits.min(32)),
        WidthOfMemory if bits == codec.data_type.format().component_bits() => {
            (0, width(fault, codec))
        }
        _ => (codec.first_bit, bits),
    }
}

fn sequence_bits(fault: PackerFault, codec: &PackBits, count: usize) -> usize {
    let parts = codec.data_type.format().components();
    let (_, bits) = range(fault, codec);
    let bits = usize::try_from(bits).unwrap_or(0);
    let element = match (fault, parts) {
        (RangeOfTheElement, 2) => bits,
        _ => bits * parts,
    };
    match fault {
        Aligned => element.next_multiple_of(8).saturating_mul(count),
        _ => element.saturating_mul(count),
    }
}

/// The bits of all elements in order.
fn sequence(fault: PackerFault, codec: &PackBits, input: &Array) -> Vec<bool> {
    let (first, bits) = range(fault, codec);
    let parts = codec.data_type.format().components();
    let mut sequence = Vec::new();
    // Bits that reach into the next component, which is put over them.
    let mut spilled = 0;
    for (index, part) in order(fault, codec, input.len()) {
        if fault == RangeOfTheElement && part == 1 {
            // The range lies in the lower half.
            continue;
        }
        let value = held(fault, input, index, part);
        let half = match fault {
            Rounded if first > 0 => 1 << (first - 1),
            _ => 0,
        };
        let picked = value.wrapping_add(half) >> first | spilled;
        sequence.extend(ordered(fault, bits).map(|place| picked >> place & 1 == 1));
        if fault == Junk {
            spilled = picked.checked_shr(bits).unwrap_or(0);
        }
        if fault == Aligned && part + 1 == parts {
            sequence.resize(sequence.len().next_multiple_of(8), false);
        }
    }
    if fault == WordBorder {
        cut_at_words(&mut sequence, usize::try_from(bits).unwrap_or(1));
    }
    sequence
}

/// The component as it is packed.
fn held(fault: PackerFault, input: &Array, index: usize, part: usize) -> u64 {
    match fault {
        WidthOfMemory | Junk => raw(input, index, part),
        _ => input.element(index).component(part),
    }
}

/// The bytes of a component in memory.
fn raw(input: &Array, index: usize, part: usize) -> u64 {
    let format = input.data_type().format();
    let width = format.component_bytes();
    let start = (index * format.components() + part) * width;
    let mut wide = [0; 8];
    wide[..width].copy_from_slice(&input.data()[start..start + width]);
    u64::from_le_bytes(wide)
}

/// The components in the order in which they are packed: the element and the part.
fn order(fault: PackerFault, codec: &PackBits, count: usize) -> Vec<(usize, usize)> {
    let parts = codec.data_type.format().components();
    let elements = || (0..count).flat_map(|index| (0..parts).map(move |part| (index, part)));
    match (fault, parts) {
        (ImaginaryFirst, 2) => elements().map(|(index, part)| (index, 1 - part)).collect(),
        (Planes, 2) => (0..2)
            .flat_map(|part| (0..count).map(move |index| (index, part)))
            .collect(),
        _ => elements().collect(),
    }
}

/// The places of a range in the order in which they are packed.
fn ordered(fault: PackerFault, bits: u32) -> Box<dyn Iterator<Item = u32>> {
    match fault {
        HighBitOfTheComponentFirst => Box::new((0..bits).rev()),
        HighByteFirst if bits > 8 && bits.is_multiple_of(8) => Box::new(
            (0..bits / 8)
                .rev()
                .flat_map(|byte| (0..8).map(move |place| 8 * byte + place)),
        ),
        _ => Box::new(0..bits),
    }
}

/// A component that begins in one word of 64 bits and ends in the next one loses its end.
fn cut_at_words(sequence: &mut [bool], bits: usize) {
    let mut start = 0;
    while start < sequence.len() {
        let end = (start + bits).min(sequence.len());
        let border = (start / 64 + 1) * 64;
        if border < end {
            sequence[border..end].fill(false);
        }
        start = end;
    }
}

/// The bits in bytes.
fn bytes(fault: PackerFault, sequence: &[bool]) -> Vec<u8> {
    sequence
        .chunks(8)
        .map(|bits| {
            let mut byte = if fault == PaddingOfOnes {
                !(0xff >> (8 - bits.len()))
            } else {
                0
            };
            for (place, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
                byte |= match fault {
                    HighBitFirst => 0x80 >> place,
                    _ => 1 << place,
                };
            }
            byte
        })
        .collect()
}

fn bits_of(fault: PackerFault, bytes: &[u8]) -> Vec<bool> {
    bytes
        .iter()
        .flat_map(|byte| {
            (0..8).map(move |place| match fault {
                HighBitFirst => byte << place & 0x80 != 0,
                _ => byte >> place & 1 == 1,
            })
        })
        .collect()
}

/// The components of a sequence of bits.
fn values(fault: PackerFault, codec: &PackBits, sequence: &[bool], count: usize) -> Vec<u64> {
    let format = codec.data_type.format();
    let parts = format.components();
    let (first, bits) = range(fault, codec);
    let mut places = vec![0; count * parts];
    let mut taken = sequence.iter();
    for (index, part) in order(fault, codec, count) {
        if fault == RangeOfTheElement && part == 1 {
            continue;
        }
        let mut value = 0u64;
        let mut used = 0;
        for place in ordered(fault, bits) {
            let bit = taken.next().copied().unwrap_or(false);
            value |= u64::from(bit) << place;
            used += 1;
        }
        if fault == Aligned && part + 1 == parts {
            let element = used * parts;
            for _ in element..element.next_multiple_of(8) {
                taken.next();
            }
        }
        places[index * parts + part] = extended(fault, codec, first, bits, value);
    }
    places
}

/// A decoded range in its place, with what stands above it.
fn extended(fault: PackerFault, codec: &PackBits, first: u32, bits: u32, value: u64) -> u64 {
    let format = codec.data_type.format();
    let width = format.component_bits();
    let last = first + bits - 1;
    let signed = match (format, fault) {
        (_, NoSign) => false,
        (_, SignOfEverything) => true,
        (Format::Float(_) | Format::Complex(_), SignOfFloats) => true,
        (Format::Integer(integer), _) => integer.signed,
        _ => false,
    };
    let mut shifted = match fault {
        NotShifted => value,
        _ => value << first,
    };
    let negative = value >> (bits - 1) & 1 == 1;
    if signed && negative {
        let end = match fault {
            SignToTheByte => (last + 1).next_multiple_of(8).min(width),
            SignToTheWord => (last + 1).max(32.min(width)),
            _ => width,
        };
        for place in last + 1..end {
            shifted |= 1 << place;
        }
    }
    shifted & format.component_mask()
}
