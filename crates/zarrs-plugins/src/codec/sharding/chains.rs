//! The codecs within a shard.

use zarrs::array::codec::api::CodecPluginV3;
use zarrs::array::{Codec, CodecChain};
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::PluginCreateError;

use crate::codec::creator;

/// Makes a chain of codecs.
///
/// zarrs makes a codec registered at run time while it holds the lock of the registry, and takes that lock
/// again for each codec of a chain. If another thread waits to register something, both threads wait forever.
/// Therefore the codecs of this crate and those that are linked in are found without the registry. The
/// registry is used only for others, which were registered at run time.
pub(super) fn chain(codecs: &[MetadataV3]) -> Result<CodecChain, PluginCreateError> {
    let (mut arrays, mut middle, mut bytes) = (Vec::new(), None, Vec::new());
    for metadata in codecs {
        match codec(metadata) {
            Ok(Codec::ArrayToArray(codec)) => arrays.push(codec),
            Ok(Codec::ArrayToBytes(codec)) => {
                if middle.replace(codec).is_some() {
                    return Err(
                        "a chain must have exactly one array -> bytes codec, not two".into(),
                    );
                }
            }
            Ok(Codec::BytesToBytes(codec)) => bytes.push(codec),
            Err(fault) if metadata.must_understand() => return Err(fault),
            Err(_) => {}
        }
    }
    let middle = middle.ok_or("the chain has no array -> bytes codec")?;
    Ok(CodecChain::new(arrays, middle, bytes))
}

fn codec(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
    if let Some(create) = creator(metadata.name()) {
        return create(metadata);
    }
    let mut linked = inventory::iter::<CodecPluginV3>.into_iter();
    match linked.find(|plugin| plugin.match_name(metadata.name())) {
        Some(plugin) => plugin.create(metadata),
        None => Codec::from_metadata(metadata),
    }
}
