//! Scale and offset followed by a cast, in one pass.

use alloc::vec::Vec;

use exactum_model::Direction::{Decode, Encode};
use exactum_model::{Reason, Rounding, ScaleOffset};

use super::{Cast, CastBuilder};
use crate::arch::SimdLevel;
use crate::bytes::on_bytes;
use crate::cast_value::cast_scaled;
use crate::cast_value::scaled::Scaled;
use crate::error::Error;
use crate::fault::{Fault, Message};
use crate::lanes::Element;
use crate::scale_offset;

/// The number of elements in a block; a block and its buffer fit in the first-level cache.
const BLOCK: usize = 1024;

/// A packing: `(in - offset) * scale` in the arithmetic of `A`, cast to `B`, and the inverse. It performs the codecs
/// `scale_offset` and `cast_value` in one pass.
///
/// ```
/// use exactum_optimized::Pack;
///
/// let pack = Pack::<f64, u8>::builder().offset(-10.0).scale(10.0).map(f64::NAN, 255).build()?;
/// let packed = pack.encode(&[-10.0, 0.5, f64::NAN])?;
/// assert_eq!(packed, [0, 105, 255]);
/// let back = pack.decode(&packed)?;
/// assert_eq!(back[..2], [-10.0, 0.5]);
/// assert!(back[2].is_nan());
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pack<A, B> {
    scaling: ScaleOffset,
    cast: Cast<A, B>,
    back: Cast<B, A>,
    /// The kernels that perform both steps, one for each direction, if they exist.
    packing: Option<Scaled>,
    unpacking: Option<Scaled>,
}

/// The settings of a [`Pack`].
///
/// ```
/// use exactum_optimized::PackBuilder;
///
/// let pack = PackBuilder::<f32, i16>::new().scale(100.0).build()?;
/// assert_eq!(pack.encode(&[0.25])?, [25]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackBuilder<A, B> {
    scaling: ScaleOffset,
    cast: CastBuilder<A, B>,
    back: CastBuilder<B, A>,
}

impl<A: Element, B: Element> Pack<A, B> {
    /// Returns the settings of a packing that neither scales nor shifts.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().build()?;
    /// assert_eq!(pack.encode(&[7.0])?, [7]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn builder() -> PackBuilder<A, B> {
        PackBuilder::new()
    }

    /// Packs numbers.
    ///
    /// # Errors
    /// The first number without a scaled value or, if all have one, the first number whose scaled value
    /// cannot be cast.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().offset(1.0).build()?;
    /// assert_eq!(pack.encode(&[1.0, 2.0])?, [0, 1]);
    /// assert_eq!(pack.encode(&[1.0, 0.0]).map_err(|error| error.element()), Err(Some(1)));
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encode(&self, input: &[A]) -> Result<Vec<B>, Error> {
        let mut output = vec![B::ZERO; input.len()];
        self.encode_into(input, &mut output)?;
        Ok(output)
    }

    /// Packs numbers into a slice of the same length.
    ///
    /// # Errors
    /// The same as for [`encode`](Self::encode), or if the slices differ in length.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().scale(2.0).build()?;
    /// let mut output = [0];
    /// pack.encode_into(&[1.5], &mut output)?;
    /// assert_eq!(output, [3]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encode_into(&self, input: &[A], output: &mut [B]) -> Result<(), Error> {
        let packed: Result<(), Fault> = on_bytes(input, output, |input, output| {
            same_count::<A, B>(input, output)?;
            if let Some(packing) = &self.packing {
                let cast = (&self.cast.spec(), packing);
                let closely = |_, input: &[u8], output: &mut [u8]| self.pack_block(input, output);
                return cast_scaled(SimdLevel::best(), cast, input, output, closely);
            }
            let blocks = output.chunks_mut(BLOCK * size_of::<B>());
            for (input, output) in input.chunks(BLOCK * size_of::<A>()).zip(blocks) {
                self.pack_block(input, output)?;
            }
            Ok(())
        });
        let Err(fault) = packed else {
            return Ok(());
        };
        // The first rejected element is known only after each codec has seen them all.
        let mut scaled = vec![A::ZERO; input.len()];
        if input.len() != output.len() {
            return Err(Error::from(fault));
        }
        on_bytes(input, &mut scaled, |input, scaled| {
            scale_offset::run(&self.scaling, Encode, input, scaled)
        })?;
        self.cast.convert_into(&scaled, output)
    }

    /// Packs at most [`BLOCK`] numbers, one codec after the other.
    fn pack_block(&self, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        let mut between = [0; BLOCK * 8];
        let scaled = &mut between[..input.len()];
        scale_offset::run(&self.scaling, Encode, input, scaled)?;
        self.cast.convert_elements(scaled, output)
    }

    /// Unpacks at most [`BLOCK`] numbers, one codec after the other.
    fn unpack_block(&self, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        let mut between = [0; BLOCK * 8];
        let cast = &mut between[..output.len()];
        self.back.convert_elements(input, cast)?;
        scale_offset::run(&self.scaling, Decode, cast, output)
    }

    /// Unpacks numbers.
    ///
    /// # Errors
    /// The same as for [`encode`](Self::encode), in the other direction.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f64, i16>::builder().scale(100.0).build()?;
    /// assert_eq!(pack.decode(&[25])?, [0.25]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn decode(&self, input: &[B]) -> Result<Vec<A>, Error> {
        let mut output = vec![A::ZERO; input.len()];
        self.decode_into(input, &mut output)?;
        Ok(output)
    }

    /// Unpacks numbers into a slice of the same length.
    ///
    /// # Errors
    /// The same as for [`decode`](Self::decode), or if the slices differ in length.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f64, u8>::builder().offset(0.5).build()?;
    /// let mut output = [0.0];
    /// pack.decode_into(&[1], &mut output)?;
    /// assert_eq!(output, [1.5]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn decode_into(&self, input: &[B], output: &mut [A]) -> Result<(), Error> {
        let unpacked: Result<(), Fault> = on_bytes(input, output, |input, output| {
            same_count::<B, A>(input, output)?;
            if let Some(unpacking) = &self.unpacking {
                let cast = (&self.back.spec(), unpacking);
                let closely = |_, input: &[u8], output: &mut [u8]| self.unpack_block(input, output);
                return cast_scaled(SimdLevel::best(), cast, input, output, closely);
            }
            let blocks = output.chunks_mut(BLOCK * size_of::<A>());
            for (input, output) in input.chunks(BLOCK * size_of::<B>()).zip(blocks) {
                self.unpack_block(input, output)?;
            }
            Ok(())
        });
        let Err(fault) = unpacked else {
            return Ok(());
        };
        if input.len() != output.len() {
            return Err(Error::from(fault));
        }
        let cast = self.back.convert(input)?;
        Ok(on_bytes(&cast, output, |cast, output| {
            scale_offset::run(&self.scaling, Decode, cast, output)
        })?)
    }

    /// Packs numbers into a slice of the same length, on all threads of rayon. If several numbers cannot be
    /// packed, the error may name a different one of them than [`encode_into`](Self::encode_into) does.
    ///
    /// # Errors
    /// The same as for [`encode_into`](Self::encode_into).
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().scale(2.0).build()?;
    /// let mut output = vec![0; 1 << 18];
    /// pack.par_encode_into(&vec![1.5; 1 << 18], &mut output)?;
    /// assert!(output.iter().all(|&value| value == 3));
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_encode_into(&self, input: &[A], output: &mut [B]) -> Result<(), Error> {
        super::side_by_side(input, output, |input, output| {
            self.encode_into(input, output)
        })
    }

    /// Unpacks numbers into a slice of the same length, on all threads of rayon. If several numbers cannot be
    /// unpacked, the error may name a different one of them than [`decode_into`](Self::decode_into) does.
    ///
    /// # Errors
    /// The same as for [`decode_into`](Self::decode_into).
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().scale(2.0).build()?;
    /// let mut output = vec![0.0; 1 << 18];
    /// pack.par_decode_into(&vec![3; 1 << 18], &mut output)?;
    /// assert!(output.iter().all(|&value| value == 1.5));
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_decode_into(&self, input: &[B], output: &mut [A]) -> Result<(), Error> {
        super::side_by_side(input, output, |input, output| {
            self.decode_into(input, output)
        })
    }
}

/// Requires both slices to hold the same number of elements.
fn same_count<A: Element, B: Element>(input: &[u8], output: &[u8]) -> Result<(), Fault> {
    let (from, to) = (
        (A::DATA_TYPE, size_of::<A>()),
        (B::DATA_TYPE, size_of::<B>()),
    );
    crate::count(from, input, to, output).map(drop)
}

impl<A: Element, B: Element> PackBuilder<A, B> {
    /// Returns settings without scale and offset, whose cast rounds to nearest-even and rejects values out of range.
    ///
    /// ```
    /// let pack = exactum_optimized::PackBuilder::<i32, i8>::new().build()?;
    /// assert_eq!(pack.encode(&[-128])?, [-128]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            scaling: ScaleOffset::new(A::DATA_TYPE),
            cast: CastBuilder::new(),
            back: CastBuilder::new(),
        }
    }

    /// Sets the offset, which is subtracted first.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<i32, u8>::builder().offset(1000).build()?;
    /// assert_eq!(pack.encode(&[1007])?, [7]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn offset(mut self, offset: A) -> Self {
        self.scaling.offset = Some(offset.bits());
        self
    }

    /// Sets the scale, by which the difference is multiplied; it must not be zero.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().scale(0.5).build()?;
    /// assert_eq!(pack.encode(&[14.0])?, [7]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn scale(mut self, scale: A) -> Self {
        self.scaling.scale = Some(scale.bits());
        self
    }

    /// Sets the rounding mode, for both directions.
    ///
    /// ```
    /// use exactum_optimized::{Pack, Rounding};
    ///
    /// let pack = Pack::<f32, u8>::builder().rounding(Rounding::TowardsZero).build()?;
    /// assert_eq!(pack.encode(&[7.9])?, [7]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn rounding(mut self, rounding: Rounding) -> Self {
        self.cast = self.cast.rounding(rounding);
        self.back = self.back.rounding(rounding);
        self
    }

    /// Replaces values out of range by the nearest value, in both directions.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().clamp().build()?;
    /// assert_eq!(pack.encode(&[-5.0, 300.0])?, [0, 255]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn clamp(mut self) -> Self {
        self.cast = self.cast.clamp();
        self.back = self.back.clamp();
        self
    }

    /// Reserves a code for one scaled value; unpacking restores the value. NaN stays NaN whatever the scale.
    ///
    /// ```
    /// let pack = exactum_optimized::Pack::<f32, u8>::builder().map(f32::NAN, 255).build()?;
    /// assert_eq!(pack.encode(&[f32::NAN])?, [255]);
    /// assert!(pack.decode(&[255])?[0].is_nan());
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn map(mut self, scaled: A, code: B) -> Self {
        self.cast = self.cast.map(scaled, code);
        self.back = self.back.map(code, scaled);
        self
    }

    /// Plans the packing.
    ///
    /// # Errors
    /// If the scale is a zero.
    ///
    /// ```
    /// let error = exactum_optimized::Pack::<f32, u8>::builder().scale(0.0).build().err();
    /// assert_eq!(error.map(|error| error.clause()), Some("scale_offset.scale.zero"));
    /// ```
    pub fn build(self) -> Result<Pack<A, B>, Error> {
        let format = A::DATA_TYPE.format();
        let is_zero = |bits: u64| match format.float() {
            Some(float) => float.is_zero(bits),
            None => bits == 0,
        };
        if self.scaling.scale.is_some_and(is_zero) {
            let clause = "scale_offset.scale.zero";
            let words = Message::Fixed("the scale must not be zero");
            return Err(Fault::new(Reason::Metadata, clause, words).into());
        }
        let (cast, back) = (self.cast.build()?, self.back.build()?);
        let numbers = |direction| scale_offset::scaling(&self.scaling, direction);
        let packing = numbers(Encode).and_then(|it| Scaled::of(&cast.spec(), Some(it)));
        let unpacking = numbers(Decode).and_then(|it| Scaled::of(&back.spec(), Some(it)));
        Ok(Pack {
            scaling: self.scaling,
            cast,
            back,
            packing,
            unpacking,
        })
    }
}

impl<A: Element, B: Element> Default for PackBuilder<A, B> {
    fn default() -> Self {
        Self::new()
    }
}
