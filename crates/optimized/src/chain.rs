//! `chain`: applies the codecs of an array one after another (spec/chain.md).

mod blocks;
mod elementwise;
mod fill;
mod fused;
mod last;
mod plan;
mod transpose;

use alloc::vec::Vec;

use exactum_model::{Array, Chain, Direction, Reason, Rejection};

pub use fill::{encode_fill_value, resolve};
pub use plan::Scratch;

use crate::bytes::{read, write};
use crate::error::Error;
use crate::fault::{Fault, Message};
use crate::lanes::Element;
use plan::Plan;

/// Encodes one chunk with every codec in order (chain.order).
///
/// # Errors
/// If an element is rejected, the chunk does not fit the chain, or a codec is known only by name.
///
/// ```
/// use exactum_optimized::chain;
/// use exactum_optimized::model::{
///     Array, ArrayToBytes, Chain, CodecPipeline, DataType, PackBits, Scalar,
/// };
///
/// let chain = Chain {
///     data_type: DataType::Bool,
///     chunk_shape: vec![3],
///     fill_value: Scalar::new(DataType::Bool, 0),
///     pipeline: CodecPipeline::new(
///         Vec::new(),
///         ArrayToBytes::PackBits(PackBits::whole(DataType::Bool)),
///     ),
/// };
/// let chunk = Array::new(DataType::Bool, vec![3], vec![1, 0, 1])?;
/// let stored = chain::encode(&chain, &chunk)?;
/// assert_eq!(stored, [0b101]);
/// assert_eq!(chain::decode(&chain, &stored)?, chunk);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(chunk.data_type(), chain.data_type, "chain.data_type")?;
    if chunk.shape() != chain.chunk_shape {
        let words = Message::OtherShape {
            actual: chunk.shape().to_vec(),
            expected: chain.chunk_shape.clone(),
        };
        return Err(Fault::new(Reason::Shape, "chain.shape", words).into());
    }
    let mut output = Vec::new();
    Plan::of(chain, Direction::Encode)?.encode(
        chain,
        chunk.data(),
        &mut output,
        &mut Scratch::default(),
    )?;
    Ok(output)
}

/// Decodes one chunk with every codec in reverse order.
///
/// # Errors
/// The same as for [`encode`], or if the number of bytes is wrong.
pub fn decode(chain: &Chain, encoded: &[u8]) -> Result<Array, Rejection> {
    let plan = Plan::of(chain, Direction::Decode)?;
    // No memory is allocated for a chunk whose bytes are missing.
    plan.require_length(chain, encoded.len())?;
    let mut output = crate::zeros(chain.data_type, &chain.chunk_shape)?;
    plan.decode(chain, encoded, &mut output, &mut Scratch::default())?;
    Array::new(chain.data_type, chain.chunk_shape.clone(), output)
}

/// The codecs of an array, planned once. Chunks are processed without allocating memory, once the scratch
/// memory has grown to the size of a chunk.
///
/// ```
/// use exactum_optimized::chain::{Planned, Scratch};
/// use exactum_optimized::model::{
///     ArrayCodec, ArrayToArray, ArrayToBytes, Chain, CodecPipeline, DataType, PackBits, Scalar,
///     ScaleOffset,
/// };
///
/// let scaling = ScaleOffset::new(DataType::Uint16).offset(1000);
/// let planned = Planned::new(Chain {
///     data_type: DataType::Uint16,
///     chunk_shape: vec![2],
///     fill_value: Scalar::new(DataType::Uint16, 1000),
///     pipeline: CodecPipeline::new(
///         vec![ArrayToArray {
///             name: "scale_offset".into(),
///             pointer: "/codecs/0".into(),
///             codec: ArrayCodec::ScaleOffset(scaling),
///             data_type: DataType::Uint16,
///             shape: vec![2],
///         }],
///         ArrayToBytes::PackBits(PackBits::whole(DataType::Uint16).bits(0, 3)),
///     ),
/// })?;
/// let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
/// let mut back = [0_u16; 2];
/// for chunk in [[1001, 1015], [1000, 1002]] {
///     planned.encode_slice_into(&chunk, &mut stored, &mut scratch)?;
///     assert_eq!(stored.len(), 1);
///     planned.decode_slice_into(&stored, &mut back, &mut scratch)?;
///     assert_eq!(back, chunk);
/// }
/// let error = planned.encode_slice_into(&[1000_u16, 999], &mut stored, &mut scratch).unwrap_err();
/// assert_eq!(error.element(), Some(1));
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
pub struct Planned {
    chain: Chain,
    encoding: Plan,
    decoding: Plan,
}

impl Planned {
    /// Plans a chain.
    ///
    /// # Errors
    /// If a codec is known only by name, or the codecs do not fit each other.
    pub fn new(chain: Chain) -> Result<Self, Error> {
        let encoding = Plan::of(&chain, Direction::Encode)?;
        let decoding = Plan::of(&chain, Direction::Decode)?;
        Ok(Self {
            chain,
            encoding,
            decoding,
        })
    }

    /// Returns the chain.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Encodes one chunk, given in array layout, replacing the contents of `output` and reusing its memory.
    ///
    /// # Errors
    /// The first element that a codec rejects; [`Reason::Shape`] if the number of bytes is not that of a
    /// chunk.
    ///
    /// ```
    /// use exactum_optimized::chain::{Planned, Scratch};
    /// use exactum_optimized::model::{
    ///     ArrayToBytes, Bytes, Chain, CodecPipeline, DataType, Endian, Scalar,
    /// };
    ///
    /// let planned = Planned::new(Chain {
    ///     data_type: DataType::Uint16,
    ///     chunk_shape: vec![1],
    ///     fill_value: Scalar::new(DataType::Uint16, 0),
    ///     pipeline: CodecPipeline::new(
    ///         Vec::new(),
    ///         ArrayToBytes::Bytes(Bytes::new(DataType::Uint16, Some(Endian::Big))),
    ///     ),
    /// })?;
    /// let (mut stored, mut back, mut scratch) = (Vec::new(), [0; 2], Scratch::default());
    /// planned.encode_into(&[1, 2], &mut stored, &mut scratch)?;
    /// assert_eq!(stored, [2, 1]);
    /// planned.decode_into(&stored, &mut back, &mut scratch)?;
    /// assert_eq!(back, [1, 2]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encode_into(
        &self,
        chunk: &[u8],
        output: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        self.require_chunk(chunk.len())?;
        Ok(self.encoding.encode(&self.chain, chunk, output, scratch)?)
    }

    /// Encodes one chunk from numbers.
    ///
    /// # Errors
    /// The same as for [`encode_into`](Self::encode_into), or if `E` is not the type of the chain's data
    /// type.
    pub fn encode_slice_into<E: Element>(
        &self,
        chunk: &[E],
        output: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        crate::require_data_type(E::DATA_TYPE, self.chain.data_type, "chain.data_type")?;
        read(chunk, |chunk| self.encode_into(chunk, output, scratch))
    }

    /// Decodes one chunk into the caller's memory, which must have the size of a chunk.
    ///
    /// # Errors
    /// [`Reason::Truncated`] and [`Reason::Padding`] if the bytes are not such a chunk; the first element
    /// that a codec rejects; [`Reason::Shape`] if the memory does not have the size of a chunk.
    pub fn decode_into(
        &self,
        encoded: &[u8],
        output: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        self.require_chunk(output.len())?;
        let plan = &self.decoding;
        plan.require_length(&self.chain, encoded.len())?;
        Ok(plan.decode(&self.chain, encoded, output, scratch)?)
    }

    /// Decodes one chunk into numbers.
    ///
    /// # Errors
    /// The same as for [`decode_into`](Self::decode_into), or if `E` is not the type of the chain's data
    /// type.
    pub fn decode_slice_into<E: Element>(
        &self,
        encoded: &[u8],
        output: &mut [E],
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        crate::require_data_type(E::DATA_TYPE, self.chain.data_type, "chain.data_type")?;
        write(output, |output| self.decode_into(encoded, output, scratch))
    }

    /// Requires the memory to have the size of a chunk.
    fn require_chunk(&self, actual: usize) -> Result<(), Fault> {
        let (data_type, shape) = (self.chain.data_type, &self.chain.chunk_shape);
        let expected = crate::bytes_of(data_type, shape)?;
        if actual == expected {
            return Ok(());
        }
        let words = Message::OtherSize {
            shape: shape.clone(),
            data_type,
            bits: None,
            expected: expected as u64,
            actual,
        };
        Err(Fault::new(Reason::Shape, "chain.shape", words))
    }
}

impl core::fmt::Debug for Planned {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Planned").field(&self.chain).finish()
    }
}

/// Returns the shape before a step: that of the array, or that after the previous step.
fn shape_before(chain: &Chain, index: usize) -> &[u64] {
    match index
        .checked_sub(1)
        .and_then(|previous| chain.pipeline.array_to_array.get(previous))
    {
        Some(step) => &step.shape,
        None => &chain.chunk_shape,
    }
}
