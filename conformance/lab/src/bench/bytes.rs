//! `bytes`: numbers in both byte orders, and bytes of which a type uses only some bits.

use std::sync::Arc;

use exactum_conformance::model::{Bytes, DataType, Endian};
use exactum_optimized::bytes::{decode_into, encode_into};
use zarrs::array::ArrayToBytesCodecTraits;
use zarrs::array::codec::BytesCodec;

use super::array_to_bytes::Coding;
use super::session::Bench;

pub(super) const ROW: &str = "bytes";

/// The measured data types and byte orders.
const CODECS: [(DataType, Option<Endian>); 5] = [
    (DataType::Uint4, None),
    (DataType::Uint32, Some(Endian::Little)),
    (DataType::Uint16, Some(Endian::Big)),
    (DataType::Uint32, Some(Endian::Big)),
    (DataType::Uint64, Some(Endian::Big)),
];

pub(super) fn run(bench: &mut Bench<'_>) {
    for (data_type, endian) in CODECS {
        let codec = Bytes::new(data_type, endian);
        // `zarrs` passes on bytes that stay the same without looking at them.
        let swaps = endian == Some(Endian::Big);
        let zarrs: Arc<dyn ArrayToBytesCodecTraits> = Arc::new(BytesCodec::big());
        bench.coding(&Coding {
            row: ROW,
            name: match endian {
                Some(Endian::Little) => format!("{data_type} little"),
                Some(Endian::Big) => format!("{data_type} big"),
                None => data_type.to_string(),
            },
            data_type,
            encoded_bytes: &|count| count * data_type.element_bytes(),
            encode: &|input, output| encode_into(&codec, input, output),
            decode: &|input, output| decode_into(&codec, input, output),
            zarrs: swaps.then_some(zarrs),
            outside: swaps.then_some([("swap", data_type), ("swap", data_type)]),
        });
    }
}
