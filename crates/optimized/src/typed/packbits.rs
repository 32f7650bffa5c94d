//! Packing of a range of bits of every number, as by the codec `packbits`.

use alloc::vec::Vec;
use core::marker::PhantomData;

use exactum_model::{PackBits as Codec, PaddingEncoding, Reason};

use crate::arch::SimdLevel;
use crate::bytes::{read, write};
use crate::error::Error;
use crate::fault::{Fault, Message, PackedMessage};
use crate::lanes::Element;
use crate::packbits;

/// A packing of a range of bits of every number, without gaps, from the lowest bit of the first byte onward.
///
/// ```
/// use exactum_optimized::PackBits;
///
/// let bits = PackBits::<u16>::builder().bits(0, 11).build()?;
/// let packed = bits.encode(&[0xabc, 0x123])?;
/// assert_eq!(packed, [0xbc, 0x3a, 0x12]);
/// assert_eq!(bits.decode(&packed, 2)?, [0xabc, 0x123]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackBits<E> {
    codec: Codec,
    element: PhantomData<fn(&E) -> E>,
}

/// The settings of a [`PackBits`].
///
/// ```
/// use exactum_optimized::PackBitsBuilder;
///
/// // Packs whether each byte is odd, eight flags to a byte.
/// let odd = PackBitsBuilder::<u8>::new().bits(0, 0).build()?;
/// assert_eq!(odd.encode(&[7, 8, 9])?, [0b101]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackBitsBuilder<E> {
    codec: Codec,
    element: PhantomData<fn(&E) -> E>,
}

impl<E: Element> PackBits<E> {
    /// Returns the settings of a packing that keeps all bits.
    ///
    /// ```
    /// let bits = exactum_optimized::PackBits::<u16>::builder().build()?;
    /// assert_eq!(bits.encode(&[0x1234])?, [0x34, 0x12]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn builder() -> PackBitsBuilder<E> {
        PackBitsBuilder::new()
    }

    /// Returns the packed size of `numbers` numbers, in bytes.
    ///
    /// # Errors
    /// If the size exceeds memory.
    ///
    /// ```
    /// let bits = exactum_optimized::PackBits::<u8>::builder().bits(0, 2).build()?;
    /// assert_eq!(bits.encoded_bytes(3)?, 2);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encoded_bytes(&self, numbers: usize) -> Result<usize, Error> {
        Ok(packbits::packed_bytes(&self.codec, numbers as u64)?)
    }

    /// Packs numbers, dropping the bits outside the range.
    ///
    /// # Errors
    /// If the result exceeds memory.
    ///
    /// ```
    /// let bits = exactum_optimized::PackBits::<i8>::builder().bits(0, 3).build()?;
    /// assert_eq!(bits.encode(&[-1, 2])?, [0x2f]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encode(&self, input: &[E]) -> Result<Vec<u8>, Error> {
        let mut output = vec![0; self.encoded_bytes(input.len())?];
        self.encode_into(input, &mut output)?;
        Ok(output)
    }

    /// Packs numbers into a slice of [`encoded_bytes`](Self::encoded_bytes).
    ///
    /// # Errors
    /// If the slice has another length.
    ///
    /// ```
    /// let bits = exactum_optimized::PackBits::<u8>::builder().bits(0, 3).build()?;
    /// let mut output = [0];
    /// bits.encode_into(&[1, 2], &mut output)?;
    /// assert_eq!(output, [0x21]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encode_into(&self, input: &[E], output: &mut [u8]) -> Result<(), Error> {
        Ok(read(input, |input| {
            packbits::encode_into_at(SimdLevel::best(), &self.codec, input, output)
        })?)
    }

    /// Unpacks `numbers` numbers. The highest bit of the range is the sign of signed numbers; all other dropped bits
    /// become zeros.
    ///
    /// # Errors
    /// If the packed size differs, or a padding byte does not state the number of padding bits.
    ///
    /// ```
    /// let bits = exactum_optimized::PackBits::<i8>::builder().bits(0, 3).build()?;
    /// assert_eq!(bits.decode(&[0x2f], 2)?, [-1, 2]);
    /// assert!(bits.decode(&[0x2f], 3).is_err());
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn decode(&self, packed: &[u8], numbers: usize) -> Result<Vec<E>, Error> {
        packbits::require_length(&self.codec, &[numbers as u64], packed.len())?;
        let mut output = vec![E::ZERO; numbers];
        self.decode_into(packed, &mut output)?;
        Ok(output)
    }

    /// Unpacks numbers into a slice, whose length determines how many there are.
    ///
    /// # Errors
    /// The same as for [`decode`](Self::decode).
    ///
    /// ```
    /// let bits = exactum_optimized::PackBits::<u8>::builder().bits(0, 3).build()?;
    /// let mut output = [0; 2];
    /// bits.decode_into(&[0x21], &mut output)?;
    /// assert_eq!(output, [1, 2]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn decode_into(&self, packed: &[u8], output: &mut [E]) -> Result<(), Error> {
        Ok(write(output, |output| {
            packbits::decode_into_at(SimdLevel::best(), &self.codec, packed, output)
        })?)
    }
}

impl<E: Element> PackBitsBuilder<E> {
    /// Returns settings that keep all bits and write no padding byte.
    ///
    /// ```
    /// let bits = exactum_optimized::PackBitsBuilder::<u8>::new().build()?;
    /// assert_eq!(bits.encode(&[7])?, [7]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            codec: Codec::whole(E::DATA_TYPE),
            element: PhantomData,
        }
    }

    /// Keeps the bits from `first` to `last`, inclusive; 0 is the least significant.
    ///
    /// ```
    /// let bits = exactum_optimized::PackBits::<u8>::builder().bits(4, 7).build()?;
    /// assert_eq!(bits.encode(&[0x12, 0x34])?, [0x31]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn bits(mut self, first: u32, last: u32) -> Self {
        (self.codec.first_bit, self.codec.last_bit) = (first, last);
        self
    }

    /// Writes the number of padding bits into a separate byte.
    ///
    /// ```
    /// use exactum_optimized::{PackBits, PaddingEncoding};
    ///
    /// let bits = PackBits::<u8>::builder().bits(0, 4).padding(PaddingEncoding::FirstByte).build()?;
    /// assert_eq!(bits.encode(&[1])?, [3, 1]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn padding(mut self, padding: PaddingEncoding) -> Self {
        self.codec.padding = padding;
        self
    }

    /// Plans the packing.
    ///
    /// # Errors
    /// If the range does not fit the numbers.
    ///
    /// ```
    /// let error = exactum_optimized::PackBits::<u8>::builder().bits(0, 8).build().err();
    /// assert_eq!(error.map(|error| error.clause()), Some("packbits.bits.width"));
    /// ```
    pub fn build(self) -> Result<PackBits<E>, Error> {
        let Codec {
            first_bit: first,
            last_bit: last,
            data_type,
            ..
        } = self.codec;
        let clause = if first > last {
            "packbits.bits.order"
        } else {
            "packbits.bits.width"
        };
        if first > last || last >= data_type.format().component_bits() {
            let words = Message::Packed(PackedMessage::Range {
                first,
                last,
                data_type,
            });
            return Err(Fault::new(Reason::Metadata, clause, words).into());
        }
        Ok(PackBits {
            codec: self.codec,
            element: PhantomData,
        })
    }
}

impl<E: Element> Default for PackBitsBuilder<E> {
    fn default() -> Self {
        Self::new()
    }
}
