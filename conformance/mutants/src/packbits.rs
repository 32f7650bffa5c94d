//! Mutants of `packbits`.

mod packer;

use exactum_conformance::Request;
use exactum_conformance::model::{ArrayToBytes, PackBits};
use exactum_reference::packbits::{decode, encode};
use serde_json::{Map, Value};

use super::order::{column_major, default_nans, quiet_nans};
use super::overrides::See;
use super::{Coder, Mutant, NONE, Overrides, misread, some_rejection};
use packer::PackerFault::{self, *};
use packer::{pack, unpack};

const CODER: Coder<PackBits> = Coder::NONE;

fn row(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    witness: &'static str,
    packbits: Coder<PackBits>,
) -> Mutant {
    super::mutant(name, clause, fault, witness, Overrides { packbits, ..NONE })
}

/// A packer with a fault in both directions.
fn packer(fault: PackerFault) -> Coder<PackBits> {
    CODER
        .encoding(move |codec, input| encode(codec, input).map(|_| pack(fault, codec, input)))
        .decoding(move |codec, shape, bytes| unpack(fault, codec, shape, bytes))
}

/// Something made of the array before packing and behind unpacking.
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

/// Whether upstream's list has the type.
fn listed(codec: &PackBits) -> bool {
    let name = codec.data_type.name();
    let name = name.strip_prefix("complex_").unwrap_or(name);
    name != "float16" && !name.starts_with("float8")
}

/// One bound of the range in the place of the other, where that is not said.
fn copy(configuration: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(said) = configuration.get(from).cloned()
        && configuration.get(to).is_none_or(Value::is_null)
    {
        configuration.insert(to.into(), said);
    }
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        row("packbits-sign-to-the-byte", "packbits.sign-extension",
            "The sign is extended to the end of the byte that holds it: int32 -5 with last_bit 11 becomes 65531 (zarrs).",
            r#"packbits.decode int32 {"last_bit":11} [1] fb0f"#,
            packer(SignToTheByte)),
        row("packbits-sign-to-32-bits", "packbits.sign-extension",
            "The sign is extended in 32 bits, also of an int64.",
            r#"packbits.decode int64 {"last_bit":7} [1] fb"#,
            packer(SignToTheWord)),
        row("packbits-no-sign", "packbits.sign-extension",
            "Signed integers are extended by zeros.",
            r#"packbits.decode int8 {"last_bit":3} [1] 0b"#,
            packer(NoSign)),
        row("packbits-sign-of-everything", "packbits.zero-extension",
            "Unsigned integers are extended by their highest packed bit, as by an arithmetic shift.",
            r#"packbits.decode uint8 {"last_bit":3} [1] 0b"#,
            packer(SignOfEverything)),
        row("packbits-sign-of-floats", "packbits.zero-extension",
            "Floats have a sign, so they are extended by it.",
            r#"packbits.decode float32 {"last_bit":3} [1] 0b"#,
            packer(SignOfFloats)),
        row("packbits-not-shifted", "packbits.shift",
            "Decoded bits stay at the bottom of the component, whatever first_bit is.",
            r#"packbits.decode uint8 {"first_bit":4} [2] 21"#,
            packer(NotShifted)),
        row("packbits-no-padding-byte-when-whole", "packbits.padding.first-byte packbits.padding.last-byte",
            "Elements of whole bytes go the way of `bytes`, which has no padding byte (zarrs).",
            r#"packbits.encode uint8 {"padding_encoding":"first_byte"} [1, 2, 3]"#,
            packer(NoPaddingByteWhenWhole)),
        row("packbits-no-padding-byte-when-none", "packbits.padding.first-byte packbits.padding.last-byte",
            "Where nothing is padded no padding byte is written.",
            r#"packbits.encode uint4 {"padding_encoding":"last_byte"} [1, 2]"#,
            packer(NoPaddingByteWhenNone)),
        row("packbits-padding-byte-always", "packbits.padding.none",
            "The number of padding bits is written whatever padding_encoding says, as numcodecs does.",
            "packbits.encode uint4 {} [1, 2]",
            packer(PaddingByteAlways)),
        row("packbits-padding-of-eight", "packbits.padding.first-byte packbits.padding.last-byte",
            "The padding is 8 less the used bits of the last byte, so 8 where all are used.",
            r#"packbits.encode uint4 {"padding_encoding":"first_byte"} [1, 2]"#,
            packer(PaddingOfEight)),
        row("packbits-padding-byte-of-used-bits", "packbits.padding.first-byte packbits.padding.last-byte",
            "The padding byte holds the number of bits that are used.",
            r#"packbits.encode uint2 {"padding_encoding":"first_byte"} [1]"#,
            packer(UsedBits)),
        row("packbits-padding-byte-at-the-other-end", "packbits.padding.first-byte packbits.padding.last-byte",
            "First and last are mixed up.",
            r#"packbits.encode uint2 {"padding_encoding":"first_byte"} [1]"#,
            packer(OtherEnd)),
        row("packbits-high-bit-first", "packbits.order.lsb packbits.order.bool",
            "Bytes begin with their most significant bit, as in NumPy and numcodecs.",
            "packbits.encode bool {} [true]",
            packer(HighBitFirst)),
        row("packbits-components-high-bit-first", "packbits.order.lsb",
            "Components are written from their most significant bit on, into bytes from the least.",
            "packbits.encode uint4 {} [1]",
            packer(HighBitOfTheComponentFirst)),
        row("packbits-high-byte-first", "packbits.order.lsb",
            "Numbers of more than one byte are packed big-endian.",
            "packbits.encode uint16 {} [1]",
            packer(HighByteFirst)),
        row("packbits-last-bit-exclusive", "packbits.extract",
            "last_bit is taken for the end of a half-open range.",
            r#"packbits.encode uint8 {"last_bit":3} [15, 15]"#,
            packer(LastBitExclusive)),
        row("packbits-lowest-bits", "packbits.extract",
            "Only the number of bits counts: they are taken from the bottom.",
            r#"packbits.encode uint8 {"first_bit":4} [18]"#,
            packer(LowestBits)),
        row("packbits-rounded", "packbits.extract",
            "Dropping low bits rounds, as a shift of fixed-point numbers does.",
            r#"packbits.encode uint8 {"first_bit":4} [24]"#,
            packer(Rounded)),
        row("packbits-narrow", "packbits.extract",
            "A component passes through 32 bits.",
            r#"packbits.encode uint64 {"last_bit":62} [1]"#,
            packer(Narrow)),
        row("packbits-junk-packed", "packbits.own-bits",
            "Bytes of memory are put one over the other without a mask: junk reaches the next element.",
            "packbits.encode uint4 {} [2] 0x1102",
            packer(Junk)),
        row("packbits-width-of-memory", "packbits.width",
            "An element has as many bits as it takes in memory.",
            "packbits.encode uint4 {} [1, 2]",
            packer(WidthOfMemory)),
        row("packbits-range-of-the-element", "packbits.complex",
            "first_bit and last_bit are taken from a complex element as one number.",
            r#"packbits.encode complex64 {"last_bit":31} [[1, 2]]"#,
            packer(RangeOfTheElement)),
        row("packbits-imaginary-first", "packbits.complex",
            "The imaginary part is packed first, as if it were the lower half of a number.",
            "packbits.encode complex64 {} [[1, 2]]",
            packer(ImaginaryFirst)),
        row("packbits-planes", "packbits.complex",
            "All real parts are packed before all imaginary ones.",
            "packbits.encode complex64 {} [[1, 2], [3, 4]]",
            packer(Planes)),
        row("packbits-aligned", "packbits.order.elements",
            "Every element begins a byte of its own.",
            "packbits.encode uint4 {} [1, 2]",
            packer(Aligned)),
        row("packbits-word-border", "packbits.order.elements",
            "The part of an element beyond a word of 64 bits is shifted out.",
            r#"packbits.encode float6_e2m3fn {} ["0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f"]"#,
            packer(WordBorder)),
        row("packbits-column-major", "packbits.order.elements",
            "Elements are packed with the first dimension fastest.",
            "packbits.decode uint8 {} [2, 2] 01020304",
            seen(column_major)),
        row("packbits-padding-of-ones", "packbits.padding.zeros",
            "The bits behind the last element are ones.",
            "packbits.encode uint4 {} [1]",
            packer(PaddingOfOnes)),
        row("packbits-count-unchecked", "packbits.padding.count",
            "The padding byte is passed over on reading.",
            r#"packbits.decode uint4 {"padding_encoding":"first_byte"} [1] 0301"#,
            packer(CountUnchecked)),
        row("packbits-count-in-three-bits", "packbits.padding.count",
            "Only the lowest three bits of the padding byte are compared.",
            r#"packbits.decode uint4 {"padding_encoding":"first_byte"} [1] 0c01"#,
            packer(CountInThreeBits)),
        row("packbits-short-padded", "packbits.length",
            "Missing bytes are zeros.",
            "packbits.decode uint4 {} [3] 21",
            packer(ShortPadded)),
        row("packbits-long-cut", "packbits.length",
            "Bytes beyond the last element are not looked at.",
            "packbits.decode uint4 {} [3] 210300",
            packer(LongCut)),
        row("packbits-nan-made-default", "packbits.bits-kept",
            "Every NaN is packed as the default one: elements went through a parser of numbers.",
            "packbits.decode float32 {} [1] 0100807f",
            seen(default_nans)),
        row("packbits-nan-quieted", "packbits.bits-kept",
            "Loading a signalling NaN into a register sets its quiet bit.",
            "packbits.decode float32 {} [1] 0100807f",
            seen(quiet_nans)),
        row("packbits-unlisted-refused", "packbits.data_types",
            "Types that are not on the list are refused, as they may be.",
            "packbits.encode float16 {} [1.0]",
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
            r#"packbits.encode uint4 {"last_bit":null} [1, 2]"#,
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
            r#"packbits.encode uint4 {"first_bit":1} [1, 2]"#,
            |request| with_configuration(request, |it| copy(it, "first_bit", "last_bit"))),
        misread("packbits-last-bit-alone-is-one-bit", "packbits.bits.default",
            "Without first_bit the range begins where it ends.",
            r#"packbits.encode uint4 {"last_bit":2} [1, 2]"#,
            |request| with_configuration(request, |it| copy(it, "last_bit", "first_bit"))),
    ]
}
