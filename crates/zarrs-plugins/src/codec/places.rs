//! Codecs that take the place of others in a chain.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use exactum_model::ArrayCodec;
use zarrs::array::{
    ArrayToArrayCodecTraits, ArrayToBytesCodecTraits, CodecError, CodecSpecificOptions,
    CodecTraits, DataType,
};

/// An elementwise codec of this crate.
pub(super) trait Member: ArrayToArrayCodecTraits {
    /// Returns the operation on elements of a data type.
    fn operation(&self, data_type: &DataType) -> Result<ArrayCodec, CodecError>;
}

/// What takes the place of which codecs of a chain: an option that zarrs hands to each of them in turn.
#[derive(Default)]
pub(super) struct Places {
    arrays: Vec<Place>,
    /// The codec from the array to bytes, known by its address, and what takes its place.
    pub(super) bytes: Option<(usize, Arc<dyn ArrayToBytesCodecTraits>)>,
}

struct Place {
    /// The address by which the codec is known.
    codec: usize,
    /// Whether it was replaced. A codec may stand in a chain twice, and in that of a shard as well, which gets the same
    /// options later.
    is_done: AtomicBool,
    replacement: Arc<dyn ArrayToArrayCodecTraits>,
}

impl Places {
    /// Replaces an array -> array codec.
    pub(super) fn replace(
        &mut self,
        codec: &dyn ArrayToArrayCodecTraits,
        replacement: Arc<dyn ArrayToArrayCodecTraits>,
    ) {
        self.arrays.push(Place {
            codec: address(codec),
            is_done: AtomicBool::new(false),
            replacement,
        });
    }
}

/// Returns the address by which a codec is known.
pub(super) fn address<T: CodecTraits + ?Sized>(codec: &T) -> usize {
    std::ptr::from_ref(codec.as_any()).cast::<()>().addr()
}

/// Returns what takes the place of an array -> array codec: mostly itself.
pub(super) fn in_place_of(
    codec: Arc<dyn ArrayToArrayCodecTraits>,
    options: &CodecSpecificOptions,
) -> Arc<dyn ArrayToArrayCodecTraits> {
    let places = options.get_option::<Places>();
    let own = address(&*codec);
    let mut places = places.iter().flat_map(|places| &places.arrays);
    let found = places.find(|it| it.codec == own && !it.is_done.swap(true, Ordering::Relaxed));
    found.map_or(codec, |place| place.replacement.clone())
}

/// Returns what takes the place of an array -> bytes codec: mostly itself.
pub(super) fn in_place_of_bytes(
    codec: Arc<dyn ArrayToBytesCodecTraits>,
    options: &CodecSpecificOptions,
) -> Arc<dyn ArrayToBytesCodecTraits> {
    match options
        .get_option()
        .and_then(|it: &Places| it.bytes.as_ref())
    {
        Some((own, replacement)) if *own == address(&*codec) => replacement.clone(),
        _ => codec,
    }
}
