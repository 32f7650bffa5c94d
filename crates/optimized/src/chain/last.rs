//! The array -> bytes codec at the end of a chain.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use exactum_model::{
    ArrayToBytes, Bytes, CodecPipeline, DataType, Direction, PackBits, Reason, Zfp,
};

use crate::arch::SimdLevel;
use crate::fault::{Fault, Message};
use crate::{bytes, packbits, zfp};

/// A codec that this crate implements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Last {
    Bytes(Bytes),
    PackBits(PackBits),
    Zfp(Zfp),
}

impl Last {
    pub(super) fn of(pipeline: &CodecPipeline) -> Result<Self, Fault> {
        let foreign = match (&pipeline.array_to_bytes, pipeline.bytes_to_bytes.first()) {
            (ArrayToBytes::Bytes(codec), None) => return Ok(Last::Bytes(*codec)),
            (ArrayToBytes::PackBits(codec), None) => return Ok(Last::PackBits(*codec)),
            (ArrayToBytes::Zfp(codec), None) => return Ok(Last::Zfp(*codec)),
            (
                ArrayToBytes::Bytes(_) | ArrayToBytes::PackBits(_) | ArrayToBytes::Zfp(_),
                Some(name),
            ) => name,
            (ArrayToBytes::Foreign(name), _) => name,
            (ArrayToBytes::Sharding { .. }, _) => "sharding_indexed",
        };
        let words = Message::Foreign(foreign.into());
        Err(Fault::new(Reason::UnsupportedCodec, "chain.foreign", words))
    }

    /// Returns whether the stored bytes are those of the elements, so that the adjacent pass needs no copy.
    pub(super) fn is_copy(&self) -> bool {
        matches!(self, Last::Bytes(codec) if bytes::is_copy(codec))
    }

    pub(super) fn data_type(&self) -> DataType {
        match self {
            Last::Bytes(codec) => codec.data_type,
            Last::PackBits(codec) => codec.data_type,
            Last::Zfp(codec) => codec.data_type,
        }
    }

    /// Stores the elements of a shape, replacing the contents of `output`; `wide` is scratch memory.
    pub(super) fn encode(
        &self,
        shape: &[u64],
        elements: &[u8],
        output: &mut Vec<u8>,
        wide: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let level = SimdLevel::best();
        match self {
            Last::Bytes(codec) => {
                output.resize(elements.len(), 0);
                bytes::run(codec, elements, output)
            }
            Last::PackBits(codec) => {
                let count = elements.len() / codec.data_type.element_bytes();
                output.resize(packbits::packed_bytes(codec, count as u64)?, 0);
                packbits::encode_into_at(level, codec, elements, output)
            }
            Last::Zfp(codec) => {
                zfp::require_bounded(codec, shape, Direction::Encode)?;
                let chunk = (shape, elements);
                zfp::encode_at(level, codec, chunk, output, wide, NonZeroUsize::MIN)
            }
        }
    }

    /// Returns the size of the elements of a shape that `encoded` bytes represent.
    pub(super) fn decoded_bytes(&self, shape: &[u64], encoded: usize) -> Result<usize, Fault> {
        match self {
            Last::Bytes(codec) => bytes::require_length(codec, shape, encoded)?,
            Last::PackBits(codec) => packbits::require_length(codec, shape, encoded)?,
            Last::Zfp(codec) => return zfp::require_bounded(codec, shape, Direction::Decode),
        }
        crate::bytes_of(self.data_type(), shape)
    }

    pub(super) fn decode(
        &self,
        shape: &[u64],
        encoded: &[u8],
        output: &mut [u8],
        wide: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let level = SimdLevel::best();
        match self {
            Last::Bytes(codec) => bytes::run(codec, encoded, output),
            Last::PackBits(codec) => packbits::decode_into_at(level, codec, encoded, output),
            Last::Zfp(codec) => {
                let chunk = (shape, output);
                zfp::decode_at(level, codec, encoded, chunk, wide, NonZeroUsize::MIN)
            }
        }
    }
}
