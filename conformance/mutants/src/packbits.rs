//! Mutants of `packbits`.

use exactum_conformance::Request;
use exactum_conformance::model::{
    Array, ArrayToBytes, Format, PackBits, PaddingEncoding, little_endian,
};
use exactum_reference::Reference;
use exactum_reference::packbits::{
    Packing, decode, decode_with, encode, encode_with, encoded_bytes,
};
use serde_json::{Map, Value};

use super::order::{column_major, default_nans, quiet_nans, sized};
use super::overrides::See;
use super::{Coder, Mutant, NONE, Overrides, misread, some_rejection};

const CODER: Coder<PackBits> = Coder::NONE;

fn row(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    packbits: Coder<PackBits>,
) -> Mutant {
    super::mutant(name, clause, fault, Overrides { packbits, ..NONE })
}

/// Applies a wrong decision in both directions.
fn packer(wrong: impl Packing + Copy + Send + Sync + 'static) -> Coder<PackBits> {
    CODER
        .encoding(move |codec, input| encode_with(&wrong, codec, input))
        .decoding(move |codec, shape, bytes| decode_with(&wrong, codec, shape, bytes))
}

/// Truncates or pads the bytes to the required number before decoding, if `fault` applies to that number and the actual
/// number of bytes.
fn resized(fault: fn(usize, usize) -> bool) -> Coder<PackBits> {
    CODER.decoding(move |codec, shape, bytes| {
        let needed = encoded_bytes(codec, shape.iter().product());
        let needed = needed.and_then(|needed| usize::try_from(needed).ok());
        let needed = needed.filter(|&needed| needed <= 1 << 20);
        decode(codec, shape, &sized(needed, bytes, fault))
    })
}

/// Reverses the bits of every byte except the padding byte.
fn turned(codec: &PackBits, bytes: &[u8]) -> Vec<u8> {
    let own = match codec.padding {
        PaddingEncoding::None => 0..bytes.len(),
        PaddingEncoding::FirstByte => 1.min(bytes.len())..bytes.len(),
        PaddingEncoding::LastByte => 0..bytes.len().saturating_sub(1),
    };
    let mut bytes = bytes.to_vec();
    for byte in &mut bytes[own] {
        *byte = byte.reverse_bits();
    }
    bytes
}

/// Returns whether components are packed as the same bytes that they have in memory.
fn is_whole(codec: &PackBits) -> bool {
    let width = codec.data_type.format().component_bits();
    width.is_multiple_of(8) && codec.first_bit == 0 && codec.last_bit + 1 == width
}

/// Returns a component with all bits of its memory.
fn memory(input: &Array, index: usize) -> u64 {
    let width = input.data_type().format().component_bytes();
    little_endian(&input.data()[index * width..][..width])
}

/// Changes the array before packing and after unpacking.
fn seen(see: See) -> Coder<PackBits> {
    Coder::seen(ArrayToBytes::PackBits, see)
}

/// Changes the configuration of a request about `packbits`.
fn with_configuration(request: &mut Request, change: impl FnOnce(&mut Map<String, Value>)) {
    if !request.op().starts_with("packbits.") {
        return;
    }
    let text = request.text("configuration").unwrap_or("{}");
    if let Ok(mut configuration) = serde_json::from_str(text) {
        change(&mut configuration);
        let text = Value::Object(configuration).to_string();
        request
            .members_mut()
            .insert("configuration".into(), text.into());
    }
}

/// Returns whether upstream's list contains the type.
fn listed(codec: &PackBits) -> bool {
    let name = codec.data_type.name();
    let name = name.strip_prefix("complex_").unwrap_or(name);
    name != "float16" && !name.starts_with("float8")
}

/// Copies one bound of the range to the other, if the latter is absent.
fn copy(configuration: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(said) = configuration.get(from).cloned()
        && configuration.get(to).is_none_or(Value::is_null)
    {
        configuration.insert(to.into(), said);
    }
}

pub(super) fn mutants() -> Vec<Mutant> {
    [
        decoded_bits(),
        padding_bytes(),
        packed_bits(),
        element_order(),
        accepted_inputs(),
    ]
    .concat()
}

#[rustfmt::skip] // A table.
fn decoded_bits() -> Vec<Mutant> {
    vec![
        row("packbits-sign-to-the-byte", "packbits.sign-extension",
            "The sign is extended to the end of the byte that holds it: int32 -5 with last_bit 11 becomes 65531 (zarrs).",
            packer(wrong!(Packing: fn sign_end(&self, format: &Format, last: u32) -> u32 { (last + 1).next_multiple_of(8).min(format.component_bits()) }))),
        row("packbits-sign-to-32-bits", "packbits.sign-extension",
            "The sign is extended in 32 bits, also of an int64.",
            packer(wrong!(Packing: fn sign_end(&self, format: &Format, last: u32) -> u32 { (last + 1).max(format.component_bits().min(32)) }))),
        row("packbits-no-sign", "packbits.sign-extension",
            "Signed integers are extended by zeros.",
            packer(wrong!(Packing: fn is_signed(&self, _: &Format) -> bool { false }))),
        row("packbits-sign-of-everything", "packbits.zero-extension",
            "Unsigned integers are extended by their highest packed bit, as by an arithmetic shift.",
            packer(wrong!(Packing: fn is_signed(&self, _: &Format) -> bool { true }))),
        row("packbits-sign-of-floats", "packbits.zero-extension",
            "Floats have a sign, so they are extended by it.",
            packer(wrong!(Packing: fn is_signed(&self, format: &Format) -> bool { Reference.is_signed(format) || format.float().is_some() }))),
        row("packbits-not-shifted", "packbits.shift",
            "Decoded bits stay at the bottom of the component, regardless of first_bit.",
            packer(wrong!(Packing: fn shifted(&self, _: &PackBits, bits: u64) -> u64 { bits }))),
    ]
}

#[rustfmt::skip] // A table.
fn padding_bytes() -> Vec<Mutant> {
    vec![
        row("packbits-no-padding-byte-when-whole", "packbits.padding.first-byte packbits.padding.last-byte",
            "Elements of whole bytes are written as by `bytes`, without a padding byte (zarrs).",
            packer(wrong!(Packing: fn padding_byte(&self, codec: &PackBits, _: u128) -> PaddingEncoding { if is_whole(codec) { PaddingEncoding::None } else { codec.padding } }))),
        row("packbits-no-padding-byte-when-none", "packbits.padding.first-byte packbits.padding.last-byte",
            "Where nothing is padded no padding byte is written.",
            packer(wrong!(Packing: fn padding_byte(&self, codec: &PackBits, bits: u128) -> PaddingEncoding { if bits.is_multiple_of(8) { PaddingEncoding::None } else { codec.padding } }))),
        row("packbits-padding-byte-always", "packbits.padding.none",
            "The number of padding bits is written regardless of padding_encoding, as numcodecs does.",
            packer(wrong!(Packing: fn padding_byte(&self, codec: &PackBits, _: u128) -> PaddingEncoding { if codec.padding == PaddingEncoding::None { PaddingEncoding::FirstByte } else { codec.padding } }))),
        row("packbits-padding-of-eight", "packbits.padding.first-byte packbits.padding.last-byte",
            "The padding is 8 less the used bits of the last byte, so 8 where all are used.",
            packer(wrong!(Packing: fn padding(&self, bits: u128) -> u128 { 8 - bits % 8 }))),
        row("packbits-padding-byte-of-used-bits", "packbits.padding.first-byte packbits.padding.last-byte",
            "The padding byte holds the number of bits that are used.",
            packer(wrong!(Packing: fn padding(&self, bits: u128) -> u128 { bits % 8 }))),
        row("packbits-padding-byte-at-the-other-end", "packbits.padding.first-byte packbits.padding.last-byte",
            "first_byte and last_byte are swapped.",
            packer(wrong!(Packing: fn padding_byte(&self, codec: &PackBits, _: u128) -> PaddingEncoding {
                match codec.padding {
                    PaddingEncoding::None => PaddingEncoding::None,
                    PaddingEncoding::FirstByte => PaddingEncoding::LastByte,
                    PaddingEncoding::LastByte => PaddingEncoding::FirstByte,
                }
            }))),
    ]
}

#[rustfmt::skip] // A table.
fn packed_bits() -> Vec<Mutant> {
    vec![
        row("packbits-high-bit-first", "packbits.order.lsb packbits.order.bool",
            "Bytes begin with their most significant bit, as in NumPy and numcodecs.",
            CODER
                .encoding(|codec, input| encode(codec, input).map(|packed| turned(codec, &packed)))
                .decoding(|codec, shape, bytes| decode(codec, shape, &turned(codec, bytes)))),
        row("packbits-components-high-bit-first", "packbits.order.lsb",
            "Components are written starting at their most significant bit, into bytes starting at \
             the least significant bit.",
            packer(wrong!(Packing: fn order(&self, bits: u32) -> Vec<u32> { (0..bits).rev().collect() }))),
        row("packbits-high-byte-first", "packbits.order.lsb",
            "Numbers of more than one byte are packed big-endian.",
            packer(wrong!(Packing: fn order(&self, bits: u32) -> Vec<u32> {
                match bits.is_multiple_of(8) {
                    true => (0..bits / 8).rev().flat_map(|byte| 8 * byte..8 * byte + 8).collect(),
                    false => Reference.order(bits),
                }
            }))),
        row("packbits-last-bit-exclusive", "packbits.extract",
            "last_bit is read as the end of a half-open range.",
            packer(wrong!(Packing: fn range(&self, codec: &PackBits) -> (u32, u32) { (codec.first_bit, (codec.last_bit - codec.first_bit).max(1)) }))),
        row("packbits-lowest-bits", "packbits.extract",
            "Only the number of bits counts: they are always the lowest ones.",
            packer(wrong!(Packing: fn range(&self, codec: &PackBits) -> (u32, u32) { (0, codec.last_bit - codec.first_bit + 1) }))),
        row("packbits-rounded", "packbits.extract",
            "Dropping low bits rounds, as a shift of fixed-point numbers does.",
            packer(wrong!(Packing: fn component(&self, codec: &PackBits, input: &Array, index: usize) -> u64 {
                input.component(index).wrapping_add(1 << codec.first_bit >> 1)
            }))),
        row("packbits-narrow", "packbits.extract",
            "A component passes through 32 bits.",
            packer(wrong!(Packing: fn range(&self, codec: &PackBits) -> (u32, u32) { (codec.first_bit, (codec.last_bit - codec.first_bit + 1).min(32)) }))),
        row("packbits-junk-packed", "packbits.own-bits",
            "Bytes of memory are combined without a mask, so stray bits reach the next element.",
            packer(wrong!(Packing: fn component(&self, codec: &PackBits, input: &Array, index: usize) -> u64 {
                let (first, bits) = self.range(codec);
                let over = |spilled: u64, index| memory(input, index) >> first | spilled;
                let before = index.saturating_sub(64)..index;
                let spilled = before.fold(0, |spilled, index| over(spilled, index).checked_shr(bits).unwrap_or(0));
                over(spilled, index) << first
            }))),
        row("packbits-width-of-memory", "packbits.width",
            "An element has as many bits as it occupies in memory.",
            packer(wrong!(Packing:
                fn range(&self, codec: &PackBits) -> (u32, u32) {
                    let format = codec.data_type.format();
                    match Reference.range(codec) {
                        (0, bits) if bits == format.component_bits() => (0, bits.next_multiple_of(8)),
                        range => range,
                    }
                }
                fn component(&self, _: &PackBits, input: &Array, index: usize) -> u64 { memory(input, index) }
                fn shifted(&self, codec: &PackBits, bits: u64) -> u64 { bits << codec.first_bit & codec.data_type.format().component_mask() }
            ))),
    ]
}

#[rustfmt::skip] // A table.
fn element_order() -> Vec<Mutant> {
    vec![
        row("packbits-range-of-the-element", "packbits.complex",
            "first_bit and last_bit select bits of a complex element as if it were one number.",
            packer(wrong!(Packing:
                fn parts(&self, _: &PackBits) -> usize { 1 }
                fn index(&self, codec: &PackBits, _: usize, position: usize) -> usize { position * codec.data_type.format().components() }
            ))),
        row("packbits-imaginary-first", "packbits.complex",
            "The imaginary part is packed first, as if it were the lower half of a number.",
            packer(wrong!(Packing: fn index(&self, codec: &PackBits, _: usize, position: usize) -> usize { position ^ (codec.data_type.format().components() - 1) }))),
        row("packbits-planes", "packbits.complex",
            "All real parts are packed before all imaginary ones.",
            packer(wrong!(Packing: fn index(&self, codec: &PackBits, elements: usize, position: usize) -> usize {
                match codec.data_type.format().components() {
                    2 => position % elements * 2 + position / elements,
                    _ => position,
                }
            }))),
        row("packbits-aligned", "packbits.order.elements",
            "Every element begins at a new byte.",
            packer(wrong!(Packing: fn element_bits(&self, codec: &PackBits) -> u64 { Reference.element_bits(codec).next_multiple_of(8) }))),
        row("packbits-word-border", "packbits.order.elements",
            "The part of an element beyond a word of 64 bits is shifted out.",
            packer(wrong!(Packing: fn component(&self, codec: &PackBits, input: &Array, index: usize) -> u64 {
                let (first, bits) = self.range(codec);
                let room = 64 - u32::try_from(index).unwrap_or(0) * bits % 64;
                // Both are positive, so the mask selects the bits that remain in the word.
                input.component(index) & (u64::MAX >> (64 - room.min(bits))) << first
            }))),
        row("packbits-column-major", "packbits.order.elements",
            "Elements are packed with the first dimension fastest.",
            seen(column_major)),
        row("packbits-padding-of-ones", "packbits.padding.zeros",
            "The bits after the last element are ones.",
            packer(wrong!(Packing: fn padding_bit(&self) -> bool { true }))),
        row("packbits-count-unchecked", "packbits.padding.count",
            "The padding byte is ignored on reading.",
            packer(wrong!(Packing: fn counts(&self, _: u8, _: u128) -> bool { true }))),
        row("packbits-count-in-three-bits", "packbits.padding.count",
            "Only the lowest three bits of the padding byte are compared.",
            packer(wrong!(Packing: fn counts(&self, byte: u8, padding: u128) -> bool { u128::from(byte % 8) == padding }))),
        row("packbits-short-padded", "packbits.length",
            "Missing bytes are zeros.",
            resized(|needed, there| there < needed)),
        row("packbits-long-cut", "packbits.length",
            "Bytes after the last element are not checked.",
            resized(|needed, there| there > needed)),
    ]
}

#[rustfmt::skip] // A table.
fn accepted_inputs() -> Vec<Mutant> {
    vec![
        row("packbits-nan-made-default", "packbits.bits-kept",
            "Every NaN is packed as the default one: elements went through a parser of numbers.",
            seen(default_nans)),
        row("packbits-nan-quieted", "packbits.bits-kept",
            "Loading a signalling NaN into a register sets its quiet bit.",
            seen(quiet_nans)),
        row("packbits-unlisted-refused", "packbits.data_types",
            "Types that are not on the list are refused, which the text permits.",
            CODER
                .encoding(|codec, input| match listed(codec) {
                    true => encode(codec, input),
                    false => Err(some_rejection()),
                })
                .decoding(|codec, shape, bytes| match listed(codec) {
                    true => decode(codec, shape, bytes),
                    false => Err(some_rejection()),
                })),
        misread("packbits-null-is-zero", "packbits.bits.default",
            "Null is read as 0.",
            |request| {
                with_configuration(request, |configuration| {
                    for key in ["first_bit", "last_bit"] {
                        if configuration.get(key) == Some(&Value::Null) {
                            configuration.insert(key.into(), 0.into());
                        }
                    }
                })
            }),
        misread("packbits-first-bit-alone-is-one-bit", "packbits.bits.default",
            "Without last_bit the range ends where it begins.",
            |request| with_configuration(request, |it| copy(it, "first_bit", "last_bit"))),
        misread("packbits-last-bit-alone-is-one-bit", "packbits.bits.default",
            "Without first_bit the range begins where it ends.",
            |request| with_configuration(request, |it| copy(it, "last_bit", "first_bit"))),
    ]
}
