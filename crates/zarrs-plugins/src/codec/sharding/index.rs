//! The index of a shard, which contains the place of each inner chunk.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use zarrs::array::codec::ShardingIndexLocation;
use zarrs::array::data_type::uint64;
use zarrs::array::{
    ArrayBytesRaw, ArrayToBytesCodecTraits, BytesPartialDecoderTraits, BytesRepresentation,
    ChunkShape, CodecChain, CodecError, CodecOptions, FillValue,
};
use zarrs::storage::StorageError;
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};

use super::NAME;

/// The number of bytes of an entry, which consists of an offset and a length.
const ENTRY: u64 = 16;

/// The maximum number of bytes of an index for which zarrs is called. A stored index is far smaller.
const MOST: u64 = 1 << 48;

/// The way in which an index is stored.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) codecs: Arc<CodecChain>,
    pub(super) location: ShardingIndexLocation,
}

/// A shard whose index was checked and is kept in memory, so that no other index is read later.
pub(super) struct Checked {
    handle: Arc<dyn BytesPartialDecoderTraits>,
    range: ByteRange,
    /// The index, or nothing if there is no shard.
    index: Option<Vec<u8>>,
}

fn fault(words: impl std::fmt::Display) -> CodecError {
    CodecError::Other(format!("{NAME}: {words}"))
}

/// Returns the shape of an index, which has a pair for each chunk.
fn shape(chunks: &[NonZeroU64]) -> ChunkShape {
    let pair = NonZeroU64::MIN.saturating_add(1);
    chunks.iter().copied().chain([pair]).collect()
}

impl Index {
    /// Returns the number of bytes of the stored index of a shard with these numbers of chunks along each
    /// dimension.
    pub(super) fn bytes(&self, chunks: &[NonZeroU64]) -> Result<u64, CodecError> {
        chunks
            .iter()
            .try_fold(ENTRY, |bytes, count| bytes.checked_mul(count.get()))
            .filter(|bytes| *bytes <= MOST)
            .ok_or_else(|| {
                fault(format!(
                    "the index of a shard of {chunks:?} chunks would have more than {MOST} bytes"
                ))
            })?;
        let fill_value = FillValue::from(u64::MAX);
        match self
            .codecs
            .encoded_representation(&shape(chunks), &uint64(), &fill_value)?
        {
            BytesRepresentation::FixedSize(size) => Ok(size),
            _ => Err(fault("the codecs of the index do not determine its size")),
        }
    }

    /// Checks the index of a shard that is in memory.
    pub(super) fn check(
        &self,
        shard: &[u8],
        chunks: &[NonZeroU64],
        least: u64,
        options: &CodecOptions,
    ) -> Result<(), CodecError> {
        let size = self.bytes(chunks)?;
        let stored = usize::try_from(size)
            .ok()
            .and_then(|size| match self.location {
                ShardingIndexLocation::Start => shard.get(..size),
                ShardingIndexLocation::End => shard.get(shard.len().checked_sub(size)?..),
            })
            .ok_or_else(|| {
                let bytes = shard.len();
                fault(format!(
                    "the shard has {bytes} bytes, and its index alone needs {size}"
                ))
            })?;
        self.entries(stored, chunks, least, shard.len() as u64, options)?;
        Ok(())
    }

    /// Reads and checks the index of the shard behind a handle.
    pub(super) fn read(
        &self,
        handle: Arc<dyn BytesPartialDecoderTraits>,
        chunks: &[NonZeroU64],
        least: u64,
        options: &CodecOptions,
    ) -> Result<Checked, CodecError> {
        let missing = |handle| Checked {
            handle,
            range: ByteRange::Suffix(0),
            index: None,
        };
        let size = match self.bytes(chunks) {
            Ok(size) => size,
            Err(_) if !handle.exists()? => return Ok(missing(handle)),
            Err(fault) => return Err(fault),
        };
        // Some stores count back beyond the start of shorter data, or allocate memory for data that does not
        // exist.
        if size > 0 && !has_bytes(&*handle, size, options)? {
            return Ok(missing(handle));
        }
        let range = match self.location {
            ShardingIndexLocation::Start => ByteRange::FromStart(0, Some(size)),
            ShardingIndexLocation::End => ByteRange::Suffix(size),
        };
        let stored = handle.partial_decode(range, options)?;
        let Some(stored) = stored.map(Cow::into_owned) else {
            return Ok(missing(handle));
        };
        let end = self.entries(&stored, chunks, least, i64::MAX.cast_unsigned(), options)?;
        // The handle does not know the size of the shard.
        if end > 0 {
            has_bytes(&*handle, end, options)?;
        }
        Ok(Checked {
            handle,
            range,
            index: Some(stored),
        })
    }

    /// Checks the entries of a stored index, and returns the end of the last chunk.
    fn entries(
        &self,
        stored: &[u8],
        chunks: &[NonZeroU64],
        least: u64,
        size: u64,
        options: &CodecOptions,
    ) -> Result<u64, CodecError> {
        let decoded = self.codecs.decode(
            Cow::Borrowed(stored),
            &shape(chunks),
            &uint64(),
            &FillValue::from(u64::MAX),
            options,
        )?;
        let decoded = decoded.into_fixed()?;
        let mut last = 0;
        for (number, entry) in decoded
            .as_chunks::<8>()
            .0
            .as_chunks::<2>()
            .0
            .iter()
            .enumerate()
        {
            let [offset, length] = entry.map(u64::from_ne_bytes);
            if (offset, length) == (u64::MAX, u64::MAX) {
                continue;
            }
            let refused = |why: String| {
                fault(format!(
                    "entry {number} of the index, offset {offset} and length {length}, {why}"
                ))
            };
            let end = offset.checked_add(length).filter(|end| *end <= size);
            let Some(end) = end else {
                return Err(refused("is beyond the end of the shard".into()));
            };
            if length < least {
                return Err(refused(format!(
                    "has fewer bytes than the {least} that the index of the nested shard needs"
                )));
            }
            last = last.max(end);
        }
        Ok(last)
    }
}

/// Returns whether there is a shard. A shard with fewer bytes is an error, which is reported before memory is
/// allocated for them.
fn has_bytes(
    handle: &dyn BytesPartialDecoderTraits,
    size: u64,
    options: &CodecOptions,
) -> Result<bool, CodecError> {
    let last = ByteRange::FromStart(size - 1, Some(1));
    match handle.partial_decode(last, options) {
        Ok(byte) => Ok(byte.is_some()),
        Err(why) => Err(fault(format!(
            "the shard has fewer than {size} bytes, which its index needs or refers to: {why}"
        ))),
    }
}

impl BytesPartialDecoderTraits for Checked {
    fn exists(&self) -> Result<bool, StorageError> {
        Ok(self.index.is_some())
    }

    fn size_held(&self) -> usize {
        self.handle.size_held() + self.index.as_ref().map_or(0, Vec::len)
    }

    fn partial_decode_many(
        &self,
        ranges: ByteRangeIterator<'_>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'_>>>, CodecError> {
        let Some(index) = &self.index else {
            return Ok(None);
        };
        let ranges: Vec<ByteRange> = ranges.collect();
        if ranges == [self.range] {
            return Ok(Some(vec![Cow::Borrowed(index)]));
        }
        self.handle
            .partial_decode_many(Box::new(ranges.into_iter()), options)
    }

    fn supports_partial_decode(&self) -> bool {
        self.handle.supports_partial_decode()
    }
}
