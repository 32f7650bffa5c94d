//! Mutants of `packbits`.

mod packer;

use exactum_conformance::Request;
use exactum_conformance::model::PackBits;
use exactum_reference::packbits as reference;
use serde_json::{Map, Value};

use super::{Coder, Mutant, Parts, RIGHT, Witness, order};
use packer::{Fault, pack, unpack};

const fn mutant(
    name: &'static str,
    breaks: &'static [&'static str],
    coder: Coder<PackBits>,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            packbits: coder,
            ..RIGHT
        },
        witness,
    }
}

/// A packer with a fault in both directions.
macro_rules! packer {
    ($fault:ident) => {
        Coder {
            encode: Some(|codec, input| {
                reference::encode(codec, input).map(|_| pack(Fault::$fault, codec, input))
            }),
            decode: Some(|codec, shape, bytes| unpack(Fault::$fault, codec, shape, bytes)),
        }
    };
}

/// Something made of the array before packing and behind unpacking.
macro_rules! seen {
    ($see:expr) => {
        Coder {
            encode: Some(|codec, input| reference::encode(codec, &$see(input)?)),
            decode: Some(|codec, shape, bytes| $see(&reference::decode(codec, shape, bytes)?)),
        }
    };
}

/// A configuration that is read as another one.
macro_rules! misread {
    ($name:literal, $breaks:expr, $change:expr, $fault:literal, $witness:expr $(,)?) => {
        Mutant {
            name: $name,
            breaks: $breaks,
            fault: $fault,
            parts: Parts {
                misreads: Some(|request| with_configuration(request, $change)),
                ..RIGHT
            },
            witness: $witness,
        }
    };
}

const FIRST: &str = r#"{"padding_encoding":"first_byte"}"#;
const LAST: &str = r#"{"padding_encoding":"last_byte"}"#;
const SIGN: &[&str] = &["packbits.sign-extension"];
const ZERO: &[&str] = &["packbits.zero-extension"];
const LSB: &[&str] = &["packbits.order.lsb"];
const ENDS: &[&str] = &["packbits.padding.first-byte", "packbits.padding.last-byte"];
const EXTRACT: &[&str] = &["packbits.extract"];
const COMPLEX: &[&str] = &["packbits.complex"];
const ELEMENTS: &[&str] = &["packbits.order.elements"];
const COUNT: &[&str] = &["packbits.padding.count"];
const LENGTH: &[&str] = &["packbits.length"];
const KEPT: &[&str] = &["packbits.bits-kept"];
const DEFAULT: &[&str] = &["packbits.bits.default"];

/// The mutants of this file.
pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "packbits-sign-to-the-byte",
        SIGN,
        packer!(SignToTheByte),
        "The sign is extended to the end of the byte that holds it: int32 -5 with last_bit 11 becomes 65531 (zarrs).",
        Witness::Unpack("int32", r#"{"last_bit":11}"#, "[1]", "fb0f"),
    ),
    mutant(
        "packbits-sign-to-32-bits",
        SIGN,
        packer!(SignToTheWord),
        "The sign is extended in 32 bits, also of an int64.",
        Witness::Unpack("int64", r#"{"last_bit":7}"#, "[1]", "fb"),
    ),
    mutant(
        "packbits-no-sign",
        SIGN,
        packer!(NoSign),
        "Signed integers are extended by zeros.",
        Witness::Unpack("int8", r#"{"last_bit":3}"#, "[1]", "0b"),
    ),
    mutant(
        "packbits-sign-of-everything",
        ZERO,
        packer!(SignOfEverything),
        "Unsigned integers are extended by their highest packed bit, as by an arithmetic shift.",
        Witness::Unpack("uint8", r#"{"last_bit":3}"#, "[1]", "0b"),
    ),
    mutant(
        "packbits-sign-of-floats",
        ZERO,
        packer!(SignOfFloats),
        "Floats have a sign, so they are extended by it.",
        Witness::Unpack("float32", r#"{"last_bit":3}"#, "[1]", "0b"),
    ),
    mutant(
        "packbits-not-shifted",
        &["packbits.shift"],
        packer!(NotShifted),
        "Decoded bits stay at the bottom of the component, whatever first_bit is.",
        Witness::Unpack("uint8", r#"{"first_bit":4}"#, "[2]", "21"),
    ),
    mutant(
        "packbits-no-padding-byte-when-whole",
        ENDS,
        packer!(NoPaddingByteWhenWhole),
        "Elements of whole bytes go the way of `bytes`, which has no padding byte (zarrs).",
        Witness::Pack("uint8", FIRST, "[1, 2, 3]"),
    ),
    mutant(
        "packbits-no-padding-byte-when-none",
        ENDS,
        packer!(NoPaddingByteWhenNone),
        "Where nothing is padded no padding byte is written.",
        Witness::Pack("uint4", LAST, "[1, 2]"),
    ),
    mutant(
        "packbits-padding-byte-always",
        &["packbits.padding.none"],
        packer!(PaddingByteAlways),
        "The number of padding bits is written whatever padding_encoding says, as numcodecs does.",
        Witness::Pack("uint4", "{}", "[1, 2]"),
    ),
    mutant(
        "packbits-padding-of-eight",
        ENDS,
        packer!(PaddingOfEight),
        "The padding is 8 less the used bits of the last byte, so 8 where all are used.",
        Witness::Pack("uint4", FIRST, "[1, 2]"),
    ),
    mutant(
        "packbits-padding-byte-of-used-bits",
        ENDS,
        packer!(UsedBits),
        "The padding byte holds the number of bits that are used.",
        Witness::Pack("uint2", FIRST, "[1]"),
    ),
    mutant(
        "packbits-padding-byte-at-the-other-end",
        ENDS,
        packer!(OtherEnd),
        "First and last are mixed up.",
        Witness::Pack("uint2", FIRST, "[1]"),
    ),
    mutant(
        "packbits-high-bit-first",
        LSB,
        packer!(HighBitFirst),
        "Bytes begin with their most significant bit, as in NumPy and numcodecs.",
        Witness::Pack("bool", "{}", "[true]"),
    ),
    mutant(
        "packbits-components-high-bit-first",
        LSB,
        packer!(HighBitOfTheComponentFirst),
        "Components are written from their most significant bit on, into bytes from the least.",
        Witness::Pack("uint4", "{}", "[1]"),
    ),
    mutant(
        "packbits-high-byte-first",
        LSB,
        packer!(HighByteFirst),
        "Numbers of more than one byte are packed big-endian.",
        Witness::Pack("uint16", "{}", "[1]"),
    ),
    mutant(
        "packbits-last-bit-exclusive",
        EXTRACT,
        packer!(LastBitExclusive),
        "last_bit is taken for the end of a half-open range.",
        Witness::Pack("uint8", r#"{"last_bit":3}"#, "[15, 15]"),
    ),
    mutant(
        "packbits-lowest-bits",
        EXTRACT,
        packer!(LowestBits),
        "Only the number of bits counts: they are taken from the bottom.",
        Witness::Pack("uint8", r#"{"first_bit":4}"#, "[18]"),
    ),
    mutant(
        "packbits-rounded",
        EXTRACT,
        packer!(Rounded),
        "Dropping low bits rounds, as a shift of fixed-point numbers does.",
        Witness::Pack("uint8", r#"{"first_bit":4}"#, "[24]"),
    ),
    mutant(
        "packbits-narrow",
        EXTRACT,
        packer!(Narrow),
        "A component passes through 32 bits.",
        Witness::Pack("uint64", r#"{"last_bit":62}"#, "[1]"),
    ),
    mutant(
        "packbits-junk-packed",
        &["packbits.own-bits"],
        packer!(Junk),
        "Bytes of memory are put one over the other without a mask: junk reaches the next element.",
        Witness::PackData("uint4", "{}", "[2]", "1102"),
    ),
    mutant(
        "packbits-width-of-memory",
        &["packbits.width"],
        packer!(WidthOfMemory),
        "An element has as many bits as it takes in memory.",
        Witness::Pack("uint4", "{}", "[1, 2]"),
    ),
    mutant(
        "packbits-range-of-the-element",
        COMPLEX,
        packer!(RangeOfTheElement),
        "first_bit and last_bit are taken from a complex element as one number.",
        Witness::Pack("complex64", r#"{"last_bit":31}"#, "[[1, 2]]"),
    ),
    mutant(
        "packbits-imaginary-first",
        COMPLEX,
        packer!(ImaginaryFirst),
        "The imaginary part is packed first, as if it were the lower half of a number.",
        Witness::Pack("complex64", "{}", "[[1, 2]]"),
    ),
    mutant(
        "packbits-planes",
        COMPLEX,
        packer!(Planes),
        "All real parts are packed before all imaginary ones.",
        Witness::Pack("complex64", "{}", "[[1, 2], [3, 4]]"),
    ),
    mutant(
        "packbits-aligned",
        ELEMENTS,
        packer!(Aligned),
        "Every element begins a byte of its own.",
        Witness::Pack("uint4", "{}", "[1, 2]"),
    ),
    mutant(
        "packbits-word-border",
        ELEMENTS,
        packer!(WordBorder),
        "The part of an element beyond a word of 64 bits is shifted out.",
        Witness::Pack(
            "float6_e2m3fn",
            "{}",
            r#"["0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f", "0x3f"]"#,
        ),
    ),
    mutant(
        "packbits-column-major",
        ELEMENTS,
        seen!(order::column_major),
        "Elements are packed with the first dimension fastest.",
        Witness::Unpack("uint8", "{}", "[2, 2]", "01020304"),
    ),
    mutant(
        "packbits-padding-of-ones",
        &["packbits.padding.zeros"],
        packer!(PaddingOfOnes),
        "The bits behind the last element are ones.",
        Witness::Pack("uint4", "{}", "[1]"),
    ),
    mutant(
        "packbits-count-unchecked",
        COUNT,
        packer!(CountUnchecked),
        "The padding byte is passed over on reading.",
        Witness::Unpack("uint4", FIRST, "[1]", "0301"),
    ),
    mutant(
        "packbits-count-in-three-bits",
        COUNT,
        packer!(CountInThreeBits),
        "Only the lowest three bits of the padding byte are compared.",
        Witness::Unpack("uint4", FIRST, "[1]", "0c01"),
    ),
    mutant(
        "packbits-short-padded",
        LENGTH,
        packer!(ShortPadded),
        "Missing bytes are zeros.",
        Witness::Unpack("uint4", "{}", "[3]", "21"),
    ),
    mutant(
        "packbits-long-cut",
        LENGTH,
        packer!(LongCut),
        "Bytes beyond the last element are not looked at.",
        Witness::Unpack("uint4", "{}", "[3]", "210300"),
    ),
    mutant(
        "packbits-nan-made-default",
        KEPT,
        seen!(order::default_nans),
        "Every NaN is packed as the default one: elements went through a parser of numbers.",
        Witness::Unpack("float32", "{}", "[1]", "0100807f"),
    ),
    mutant(
        "packbits-nan-quieted",
        KEPT,
        seen!(order::quiet_nans),
        "Loading a signalling NaN into a register sets its quiet bit.",
        Witness::Unpack("float32", "{}", "[1]", "0100807f"),
    ),
    mutant(
        "packbits-unlisted-refused",
        &["packbits.data_types"],
        Coder {
            encode: Some(|codec, input| match listed(codec) {
                true => reference::encode(codec, input),
                false => Err(super::refuse("packbits.data_types")),
            }),
            decode: Some(|codec, shape, bytes| match listed(codec) {
                true => reference::decode(codec, shape, bytes),
                false => Err(super::refuse("packbits.data_types")),
            }),
        },
        "Types that are not on the list are refused, as they may be.",
        Witness::Pack("float16", "{}", "[1.0]"),
    ),
    misread!(
        "packbits-null-is-zero",
        DEFAULT,
        |configuration: &mut Map<String, Value>| {
            for key in ["first_bit", "last_bit"] {
                if configuration.get(key) == Some(&Value::Null) {
                    configuration.insert(key.into(), 0.into());
                }
            }
        },
        "Null is read as 0.",
        Witness::Pack("uint4", r#"{"last_bit":null}"#, "[1, 2]"),
    ),
    misread!(
        "packbits-first-bit-alone-is-one-bit",
        DEFAULT,
        |configuration: &mut Map<String, Value>| {
            if let Some(first) = configuration.get("first_bit").cloned()
                && configuration.get("last_bit").is_none_or(Value::is_null)
            {
                configuration.insert("last_bit".into(), first);
            }
        },
        "Without last_bit the range ends where it begins.",
        Witness::Pack("uint4", r#"{"first_bit":1}"#, "[1, 2]"),
    ),
    misread!(
        "packbits-last-bit-alone-is-one-bit",
        DEFAULT,
        |configuration: &mut Map<String, Value>| {
            if let Some(last) = configuration.get("last_bit").cloned()
                && configuration.get("first_bit").is_none_or(Value::is_null)
            {
                configuration.insert("first_bit".into(), last);
            }
        },
        "Without first_bit the range begins where it ends.",
        Witness::Pack("uint4", r#"{"last_bit":2}"#, "[1, 2]"),
    ),
];

/// Changes the configuration of a request about `packbits`.
fn with_configuration(request: &mut Request, change: impl FnOnce(&mut Map<String, Value>)) {
    if !request.op().starts_with("packbits.") {
        return;
    }
    let text = request.text("configuration").unwrap_or("{}");
    if let Ok(mut configuration) = serde_json::from_str(text) {
        change(&mut configuration);
        let text = Value::Object(configuration).to_string();
        request.members.insert("configuration".into(), text.into());
    }
}

/// Whether upstream's list has the type.
fn listed(codec: &PackBits) -> bool {
    let name = codec.data_type.name();
    let name = name.strip_prefix("complex_").unwrap_or(name);
    name != "float16" && !name.starts_with("float8")
}
