//! Casts by value, of the codec `cast_value`.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use exactum_model::{CastSpec, MapEntry, OutOfRange, Reason, Rounding};

use crate::arch::SimdLevel;
use crate::bytes::on_bytes;
use crate::cast_value::{Plan, cast_planned};
use crate::error::Error;
use crate::fault::{Fault, Message};
use crate::lanes::Element;

/// The treatment of numbers that the output type cannot represent.
#[derive(Clone, Debug, Default)]
struct Rules {
    rounding: Rounding,
    out_of_range: Option<OutOfRange>,
    map: Vec<MapEntry>,
}

impl Rules {
    fn spec<A: Element, B: Element>(&self) -> CastSpec<'_> {
        CastSpec::new(A::DATA_TYPE, B::DATA_TYPE, self.rounding, self.out_of_range).map(&self.map)
    }
}

/// A cast of numbers by value, planned once.
///
/// A number that the output type can represent keeps its value; any other is rounded. A rounded value out of
/// range is an error unless it is clamped, wrapped or mapped.
///
/// ```
/// use exactum_optimized::Cast;
///
/// let cast = Cast::<f32, u8>::builder().clamp().map(f32::NAN, 255).build()?;
/// assert_eq!(cast.convert(&[0.5, 1.5, 1e9, f32::NAN])?, [0, 2, 255, 255]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone)]
pub struct Cast<A, B> {
    rules: Rules,
    plan: Option<Plan>,
    types: PhantomData<fn(&A) -> B>,
}

/// The settings of a [`Cast`].
///
/// ```
/// use exactum_optimized::{CastBuilder, Rounding};
///
/// let settings: CastBuilder<f64, i16> = CastBuilder::new().rounding(Rounding::TowardsZero);
/// assert_eq!(settings.build()?.convert(&[-1.9, 1.9])?, [-1, 1]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CastBuilder<A, B> {
    rules: Rules,
    types: PhantomData<fn(&A) -> B>,
}

impl<A: Element, B: Element> Cast<A, B> {
    /// Returns the settings of a cast that rounds to nearest-even, rejects values out of range and maps nothing.
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<i32, i8>::builder().build()?;
    /// assert_eq!(cast.convert(&[-128, 127])?, [-128, 127]);
    /// assert!(cast.convert(&[128]).is_err());
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn builder() -> CastBuilder<A, B> {
        CastBuilder::new()
    }

    /// Converts numbers.
    ///
    /// # Errors
    /// The first number without a result.
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<f64, f32>::builder().build()?;
    /// assert_eq!(cast.convert(&[0.1])?, [0.1_f32]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn convert(&self, input: &[A]) -> Result<Vec<B>, Error> {
        let mut output = vec![B::ZERO; input.len()];
        self.convert_into(input, &mut output)?;
        Ok(output)
    }

    /// Converts numbers into a slice of the same length.
    ///
    /// # Errors
    /// The first number without a result; or if the slices differ in length. The contents of the output are
    /// then unspecified.
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<u16, i64>::builder().build()?;
    /// let mut output = [0; 2];
    /// cast.convert_into(&[1, 65535], &mut output)?;
    /// assert_eq!(output, [1, 65535]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn convert_into(&self, input: &[A], output: &mut [B]) -> Result<(), Error> {
        Ok(on_bytes(input, output, |input, output| {
            self.convert_elements(input, output)
        })?)
    }

    /// Converts numbers given as bytes: little-endian, at any alignment.
    ///
    /// # Errors
    /// The same as for [`convert_into`](Self::convert_into).
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<u8, u16>::builder().build()?;
    /// let mut output = [0; 4];
    /// cast.convert_bytes_into(&[7, 8], &mut output)?;
    /// assert_eq!(output, [7, 0, 8, 0]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn convert_bytes_into(&self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        Ok(self.convert_elements(input, output)?)
    }

    /// Converts numbers into a slice of the same length, on all threads of rayon.
    ///
    /// # Errors
    /// The same as for [`convert_into`](Self::convert_into).
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<f32, u8>::builder().build()?;
    /// let input = vec![7.0; 1 << 18];
    /// let mut output = vec![0; input.len()];
    /// cast.par_convert_into(&input, &mut output)?;
    /// assert!(output.iter().all(|&value| value == 7));
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_convert_into(&self, input: &[A], output: &mut [B]) -> Result<(), Error> {
        super::side_by_side(input, output, |input, output| {
            self.convert_into(input, output)
        })
    }

    pub(super) fn spec(&self) -> CastSpec<'_> {
        self.rules.spec::<A, B>()
    }

    pub(super) fn convert_elements(&self, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        let spec = self.spec();
        cast_planned(SimdLevel::best(), &spec, self.plan.as_ref(), input, output)
    }
}

impl<A: Element, B: Element> CastBuilder<A, B> {
    /// Returns settings that round to nearest-even, reject values out of range and map nothing.
    ///
    /// ```
    /// let cast = exactum_optimized::CastBuilder::<f32, i8>::new().build()?;
    /// assert_eq!(cast.convert(&[2.5])?, [2]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            rules: Rules::default(),
            types: PhantomData,
        }
    }

    /// Sets the rounding mode.
    ///
    /// ```
    /// use exactum_optimized::{Cast, Rounding};
    ///
    /// let cast = Cast::<f32, i8>::builder().rounding(Rounding::NearestAway).build()?;
    /// assert_eq!(cast.convert(&[2.5])?, [3]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn rounding(mut self, rounding: Rounding) -> Self {
        self.rules.rounding = rounding;
        self
    }

    /// Replaces values out of range by the nearest value, which is infinity if the type has one
    /// (cast_value.range.clamp).
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<f32, i8>::builder().clamp().build()?;
    /// assert_eq!(cast.convert(&[-1e9, 1e9])?, [-128, 127]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn clamp(mut self) -> Self {
        self.rules.out_of_range = Some(OutOfRange::Clamp);
        self
    }

    /// Replaces values out of the range of an integer type by the congruent value (cast_value.range.wrap).
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<i32, u8>::builder().wrap().build()?;
    /// assert_eq!(cast.convert(&[256, -1])?, [0, 255]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn wrap(mut self) -> Self {
        self.rules.out_of_range = Some(OutOfRange::Wrap);
        self
    }

    /// Maps one value to another before any other step. Any NaN matches a NaN, and either zero matches a
    /// zero. The first matching entry wins.
    ///
    /// ```
    /// let cast = exactum_optimized::Cast::<f64, i16>::builder().map(f64::NAN, i16::MIN).build()?;
    /// assert_eq!(cast.convert(&[-f64::NAN, 1.0])?, [i16::MIN, 1]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn map(mut self, input: A, output: B) -> Self {
        self.rules
            .map
            .push(MapEntry::new(input.bits(), output.bits()));
        self
    }

    /// Plans the cast.
    ///
    /// # Errors
    /// If the cast would wrap into floats.
    ///
    /// ```
    /// use exactum_optimized::Cast;
    ///
    /// let error = Cast::<f64, f32>::builder().wrap().build().err().expect("floats do not wrap");
    /// assert_eq!(error.clause(), "cast_value.range.wrap-integers-only");
    /// ```
    pub fn build(self) -> Result<Cast<A, B>, Error> {
        let spec = self.rules.spec::<A, B>();
        let to = spec.to;
        if spec.out_of_range == Some(OutOfRange::Wrap) && to.format().float().is_some() {
            let clause = "cast_value.range.wrap-integers-only";
            return Err(Fault::new(Reason::Metadata, clause, Message::WrapsFloat(to)).into());
        }
        Ok(Cast {
            plan: Plan::of(&spec),
            rules: self.rules,
            types: PhantomData,
        })
    }
}

impl<A: Element, B: Element> Default for CastBuilder<A, B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A, B> fmt::Debug for Cast<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cast").field(&self.rules).finish()
    }
}
