//! Codecs that replace others in a chain.

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

/// The replacements for codecs of a chain. zarrs passes them to each of the codecs in turn, as an option.
#[derive(Default)]
pub(super) struct Places {
    arrays: Vec<Place>,
    /// The array -> bytes codec, identified by its address, and its replacement.
    pub(super) bytes: Option<(usize, Arc<dyn ArrayToBytesCodecTraits>)>,
}

struct Place {
    /// The address that identifies the codec.
    codec: usize,
    /// Whether the codec was replaced. A codec may occur twice in a chain, and also in the chain of a shard,
    /// which gets the same options later.
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

/// Returns the address that identifies a codec.
pub(super) fn address<T: CodecTraits + ?Sized>(codec: &T) -> usize {
    std::ptr::from_ref(codec.as_any()).cast::<()>().addr()
}

/// Returns the replacement of an array -> array codec, which is usually the codec itself.
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

/// Returns the replacement of an array -> bytes codec, which is usually the codec itself.
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
