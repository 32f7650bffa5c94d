//! Parts of chunks for a codec that converts each element by itself.

use std::sync::Arc;

use zarrs::array::{
    ArrayBytes, ArrayPartialDecoderTraits, ArrayPartialEncoderTraits, CodecError, CodecOptions,
    DataType, FillValue, Indexer,
};
use zarrs::storage::StorageError;

use super::Elementwise;
use super::run::{Direction, Filled, fill, run};

/// Reads and writes only the requested elements. Other elements are neither decoded nor encoded again, which
/// could change them.
pub(super) struct ElementwisePartial<T, H: ?Sized> {
    handle: Arc<H>,
    operation: Arc<T>,
    data_type: DataType,
    fill_value: FillValue,
    /// Whether the fill value has the same bits after encoding and decoding.
    fill_returns: bool,
}

impl<T: Elementwise, H: ?Sized> ElementwisePartial<T, H> {
    pub(super) fn new(
        handle: Arc<H>,
        operation: Arc<T>,
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Self, CodecError> {
        let Filled { returns, .. } = fill(&*operation, fill_value)?;
        Ok(Self {
            handle,
            operation,
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
            fill_returns: returns,
        })
    }
}

/// Returns the number of requested elements.
fn elements(indexer: &dyn Indexer) -> usize {
    usize::try_from(indexer.len()).unwrap_or(usize::MAX)
}

impl<T: Elementwise, H> ArrayPartialDecoderTraits for ElementwisePartial<T, H>
where
    H: ArrayPartialDecoderTraits + ?Sized,
{
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
        // A missing chunk holds the array's fill value, which is not always equal to the decoded form of the
        // encoded fill value (chain.survives).
        if !self.fill_returns && !self.handle.exists()? {
            return Ok(ArrayBytes::new_fill_value(
                &self.data_type,
                indexer.len(),
                &self.fill_value,
            )?);
        }
        let encoded = self.handle.partial_decode(indexer, options)?;
        run(
            &*self.operation,
            Direction::Decode,
            encoded,
            elements(indexer),
        )
    }

    fn supports_partial_decode(&self) -> bool {
        self.handle.supports_partial_decode()
    }
}

impl<T: Elementwise, H> ArrayPartialEncoderTraits for ElementwisePartial<T, H>
where
    H: ArrayPartialEncoderTraits + ?Sized,
{
    fn into_dyn_decoder(self: Arc<Self>) -> Arc<dyn ArrayPartialDecoderTraits> {
        self
    }

    fn erase(&self) -> Result<(), CodecError> {
        self.handle.erase()
    }

    fn partial_encode(
        &self,
        indexer: &dyn Indexer,
        bytes: &ArrayBytes<'_>,
        options: &CodecOptions,
    ) -> Result<(), CodecError> {
        let encoded = run(
            &*self.operation,
            Direction::Encode,
            bytes.clone(),
            elements(indexer),
        )?;
        // An element with the same encoded form as the fill value need not be equal to it. A chunk that
        // consists only of such elements would be left out, and read as the fill value.
        let options =
            options.with_store_empty_chunks(!self.fill_returns || options.store_empty_chunks());
        self.handle.partial_encode(indexer, &encoded, &options)
    }

    fn supports_partial_encode(&self) -> bool {
        self.handle.supports_partial_encode()
    }
}
