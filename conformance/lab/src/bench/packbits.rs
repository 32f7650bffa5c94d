//! `packbits`: types of less than a byte, and the lower bits of larger types.

use std::sync::Arc;

use exactum_conformance::model::{DataType, Format, PackBits};
use exactum_optimized::packbits::{decode_into, encode_into};
use zarrs::array::codec::PackBitsCodec;

use super::array_to_bytes::Coding;
use super::session::Bench;

pub(super) const ROW: &str = "packbits";

/// The measured types, each with the last of the bits that are packed.
const CODECS: [(DataType, u32); 8] = [
    (DataType::Bool, 0),
    (DataType::Uint2, 1),
    (DataType::Int4, 3),
    (DataType::Uint4, 3),
    (DataType::Float6E2m3fn, 5),
    (DataType::Uint16, 11),
    (DataType::Int32, 11),
    (DataType::Uint64, 39),
];

pub(super) fn run(bench: &mut Bench<'_>) {
    for (data_type, last_bit) in CODECS {
        let whole = PackBits::whole(data_type);
        let codec = PackBits { last_bit, ..whole };
        let zarrs = PackBitsCodec::new(Default::default(), None, Some(last_bit.into()));
        let zarrs = zarrs.expect("a range of bits");
        bench.coding(&Coding {
            row: ROW,
            name: match codec == whole {
                true => data_type.to_string(),
                false => format!("{data_type} bits 0..{last_bit}"),
            },
            data_type,
            encoded_bytes: &|count| {
                let bits = data_type.format().components() * (last_bit as usize + 1);
                (count * bits).div_ceil(8)
            },
            encode: &|input, output| encode_into(&codec, input, output),
            decode: &|input, output| decode_into(&codec, input, output),
            zarrs: (!is_small_signed(data_type)).then(|| Arc::new(zarrs) as _),
            outside: (data_type == DataType::Bool).then_some([
                ("packbits", DataType::Uint8),
                ("unpackbits", DataType::Uint8),
            ]),
        });
    }
}

/// Returns whether elements of `zarrs` differ from Exactum's in their bytes: it holds these types as sign-extended
/// bytes.
fn is_small_signed(data_type: DataType) -> bool {
    matches!(data_type.format(), Format::Integer(format) if format.signed && format.bits < 8)
}

#[cfg(test)]
mod tests {
    use super::super::session::quick;
    use super::*;

    /// Both directions run, and `zarrs` computes the same where that is known.
    #[test]
    fn cases_run() {
        let rows = quick(ROW, "int32", false);
        let cases = rows
            .iter()
            .map(|row| (&*row.case, &*row.implementation, row.marks.differs));
        let cases: Vec<(&str, &str, bool)> = cases.collect();
        assert_eq!(
            cases,
            [
                ("int32 bits 0..11 encode", "optimized", false),
                ("int32 bits 0..11 encode", "zarrs", false),
                ("int32 bits 0..11 decode", "optimized", false),
                // The sign extension of `zarrs` stops at the byte.
                ("int32 bits 0..11 decode", "zarrs", true),
            ]
        );
    }
}
