//! Parts of packed chunks. Only the bytes that hold the requested elements are read.

use std::num::NonZeroU64;
use std::sync::Arc;

use exactum_model::{PackBits, PaddingEncoding, Reason, Rejection};
use exactum_optimized::packbits;
use zarrs::array::{
    ArrayBytes, ArrayPartialDecoderTraits, ArrayShape, BytesPartialDecoderTraits, CodecError,
    CodecOptions, DataType, FillValue, Indexer,
};
use zarrs::storage::StorageError;
use zarrs::storage::byte_range::ByteRange;

use super::NAME;
use super::packing::Packing;
use crate::codec::fault::codec_error;
use crate::data_type::native;

/// A group of eight elements of any width ends at a byte boundary.
const ALIGNED: u64 = 8;

pub(super) struct PackBitsPartial {
    handle: Arc<dyn BytesPartialDecoderTraits>,
    packing: Packing,
    shape: ArrayShape,
    data_type: DataType,
    fill_value: FillValue,
}

/// Neighbouring elements, and the byte range that holds them.
struct Run {
    /// The number of elements before the requested ones, which are read because they share a byte with the
    /// first.
    before: usize,
    /// The number of requested elements.
    count: usize,
    /// The byte range of all these elements.
    bytes: ByteRange,
}

impl PackBitsPartial {
    pub(super) fn new(
        handle: Arc<dyn BytesPartialDecoderTraits>,
        packing: Packing,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Self {
        Self {
            handle,
            packing,
            shape: shape.iter().map(|extent| extent.get()).collect(),
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
        }
    }

    /// Returns the requested elements as runs.
    fn runs(&self, indexer: &dyn Indexer) -> Result<Vec<Run>, CodecError> {
        let bits = self.packing.element_bits();
        let lead = u64::from(self.packing.codec.padding == PaddingEncoding::FirstByte);
        let too_many = || CodecError::Other(format!("{NAME}: the chunk is too large to hold"));
        indexer
            .iter_contiguous_linearised_indices(&self.shape)?
            .map(|(start, count)| {
                let first = start - start % ALIGNED;
                let end = start
                    .checked_add(count)
                    .and_then(|end| end.checked_mul(bits));
                let end = end.ok_or_else(too_many)?.div_ceil(8);
                Ok(Run {
                    before: usize::try_from(start - first).map_err(|_| too_many())?,
                    count: usize::try_from(count).map_err(|_| too_many())?,
                    bytes: ByteRange::new(lead + first / ALIGNED * bits..lead + end),
                })
            })
            .collect()
    }

    /// Returns the place of the padding byte.
    fn padding(&self) -> Option<ByteRange> {
        let elements = self
            .shape
            .iter()
            .try_fold(1_u64, |all, &it| all.checked_mul(it))?;
        let length = self.packing.encoded_bytes(elements)?;
        match self.packing.codec.padding {
            PaddingEncoding::None => None,
            PaddingEncoding::FirstByte => Some(ByteRange::new(0..1)),
            PaddingEncoding::LastByte => Some(ByteRange::new(length - 1..length)),
        }
    }

    /// Checks the padding byte of a whole chunk (packbits.padding.count).
    fn check_padding(&self, found: &[u8]) -> Result<(), Rejection> {
        let elements = self
            .shape
            .iter()
            .fold(1_u64, |all, &it| all.wrapping_mul(it));
        // A power of two divides 2^64, so that the last bits of the product are right.
        let bits = elements.wrapping_mul(self.packing.element_bits());
        let expected = bits.wrapping_neg() % 8;
        if found.iter().map(|&byte| u64::from(byte)).eq([expected]) {
            return Ok(());
        }
        Err(Rejection::new(
            Reason::Padding,
            "packbits.padding.count",
            format!("the padding byte is {found:?}, but there are {expected} padding bits"),
        ))
    }

    /// Unpacks a run.
    fn unpack(&self, run: &Run, bytes: &[u8], output: &mut Vec<u8>) -> Result<(), Rejection> {
        let width = self.packing.element_bytes();
        let codec = PackBits {
            padding: PaddingEncoding::None,
            ..self.packing.codec
        };
        let mut elements = vec![0; (run.before + run.count) * width];
        packbits::decode_into(&codec, bytes, &mut elements)?;
        native::from_little(codec.data_type, &mut elements);
        output.extend_from_slice(&elements[run.before * width..]);
        Ok(())
    }
}

impl ArrayPartialDecoderTraits for PackBitsPartial {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn exists(&self) -> Result<bool, StorageError> {
        self.handle.exists()
    }

    fn size_held(&self) -> usize {
        self.handle.size_held()
    }

    fn partial_decode(
        &self,
        indexer: &dyn Indexer,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'_>, CodecError> {
        let runs = self.runs(indexer)?;
        let padding = self.padding();
        let ranges: Vec<_> = padding
            .into_iter()
            .chain(runs.iter().map(|run| run.bytes))
            .collect();
        let read = self
            .handle
            .partial_decode_many(Box::new(ranges.into_iter()), options)?;
        let Some(read) = read else {
            return Ok(ArrayBytes::new_fill_value(
                &self.data_type,
                indexer.len(),
                &self.fill_value,
            )?);
        };
        let fault = |rejection| codec_error(NAME, &rejection);
        let mut read = read.into_iter();
        if padding.is_some() {
            let found = read.next().unwrap_or_default();
            self.check_padding(&found).map_err(fault)?;
        }
        let mut output = Vec::new();
        for (run, bytes) in runs.iter().zip(read) {
            self.unpack(run, &bytes, &mut output).map_err(fault)?;
        }
        Ok(ArrayBytes::new_flen(output))
    }

    fn supports_partial_decode(&self) -> bool {
        self.handle.supports_partial_decode()
    }
}
