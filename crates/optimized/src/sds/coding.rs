//! Coding chunk by chunk: first the range of all data is found, then each chunk is coded by itself.
//!
//! Blocks are processed by loops that compute in doubles. Their results are nearly always certain, and the
//! loops report when they are not; such a block is computed again, element by element, with exact arithmetic.

mod loops;
mod numbers;

use alloc::vec::Vec;
use core::marker::PhantomData;

use exactum_model::sds::{DataSet, Fill, Profile, Scaling, SdsType, Values, Warning, Warnings};
use exactum_model::{Reason, Rejection};

use super::dyadic::Dyadic;
use super::line::Line;
use super::stored::Reals;
use super::{Coded, Codes, missing_of, scale};
use crate::arch::{Flags, Kernel, NO_FLAGS, Outlet, SimdLevel, bytes_of};
use crate::bytes::on_bytes;
use crate::error::Error;
use crate::fault::Fault;
use crate::lanes::{Element, Lane};
use crate::table;

use loops::{DOUBT, Decode, Encode, FusedDecode, Span};
pub use numbers::{Code, Real};

/// The number of elements in a block. It is small enough for the first-level cache, and for computing a block
/// again at little cost.
const BLOCK: usize = 512;

/// The first pass: finds the least and the greatest finite value, and whether there are infinities. The
/// results of several chunks can be merged in any order.
///
/// ```
/// use exactum_optimized::model::sds::Fill;
/// use exactum_optimized::sds::Extremes;
///
/// let chunks = [[1.5, f64::NAN], [f64::INFINITY, -2.0]];
/// let all = chunks.map(|chunk| Extremes::of(&chunk, Fill::Nan));
/// let all = all.into_iter().fold(Extremes::NONE, Extremes::merge);
/// assert_eq!((all.range(), all.has_infinite()), (Some((-2.0, 1.5)), true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    least: f64,
    greatest: f64,
    has_infinite: bool,
}

impl Extremes {
    /// Returns the extremes of an empty chunk.
    pub const NONE: Self = Self {
        least: f64::INFINITY,
        greatest: f64::NEG_INFINITY,
        has_infinite: false,
    };

    /// Returns the extremes of a chunk. Values equal to `fill`, and NaN, are missing (sds.6.10).
    #[must_use]
    pub fn of<R: Real>(values: &[R], fill: Fill) -> Self {
        Self::of_values(values, missing_of(fill))
    }

    pub(super) fn of_values<R: Real>(values: &[R], missing: f64) -> Self {
        let span = Span {
            missing,
            of: PhantomData::<R>,
        };
        let mut found = Span::<R>::NOTHING;
        let mut outlet = Outlet::of(size_of_val(values), 0, true);
        for values in values.chunks(outlet.block() / size_of::<R>()) {
            on_bytes(values, found.as_flattened_mut(), |values, found| {
                outlet.put(found, values, |found| {
                    SimdLevel::best().run(&span, values, found)
                })
            });
        }
        let least = found[0].iter().copied().fold(f64::INFINITY, f64::min);
        let [_, greatest, infinite] =
            found.map(|lanes| lanes.into_iter().fold(f64::NEG_INFINITY, f64::max));
        Self {
            least,
            greatest,
            has_infinite: infinite > 0.0,
        }
    }

    /// Like [`of`](Self::of), on all threads of rayon.
    ///
    /// ```
    /// use exactum_optimized::model::sds::Fill;
    /// use exactum_optimized::sds::Extremes;
    ///
    /// let values = vec![1.0_f32; 1 << 18];
    /// assert_eq!(Extremes::par_of(&values, Fill::Nan), Extremes::of(&values, Fill::Nan));
    /// ```
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn par_of<R: Real>(values: &[R], fill: Fill) -> Self {
        use rayon::prelude::*;

        let shares = values.par_chunks(crate::typed::SHARE);
        let each = shares.map(|share| Self::of(share, fill));
        each.reduce(|| Self::NONE, Self::merge)
    }

    /// Returns the extremes of both chunks.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            has_infinite: self.has_infinite | other.has_infinite,
        }
    }

    /// Returns the least and the greatest finite value, if there is any.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        (self.least <= self.greatest).then_some((self.least, self.greatest))
    }

    /// Returns whether there are infinities, for which codes have to be reserved.
    #[must_use]
    pub fn has_infinite(&self) -> bool {
        self.has_infinite
    }

    /// Returns the attributes of the data set or, if they are not set, those that place the values in the
    /// middle three quarters of a type (sds.5.18).
    pub(super) fn scaling(
        &self,
        set: Scaling,
        target: SdsType,
        profile: Profile,
    ) -> (Scaling, Warnings) {
        match self.range() {
            _ if set.is_set() => (set, Warnings::new()),
            None => scale::nothing(),
            Some((least, greatest)) => {
                let unset = Line::new(Scaling::UNSET);
                let (least, greatest) = (Dyadic::of(least), Dyadic::of(greatest));
                scale::determine(unset, &least, &greatest, target, profile)
            }
        }
    }
}

/// The second pass: converts real numbers to codes, chunk by chunk, with the same results as
/// [`convert`](super::convert) for all data at once.
///
/// ```
/// use exactum_optimized::model::sds::{DataSet, Fill, Profile, Scaling, SdsType, Values};
/// use exactum_optimized::sds::{Decoder, Encoder, Extremes};
///
/// let (profile, none) = (Profile::default(), Values::Doubles(vec![]));
/// let header = DataSet::new(SdsType::R8, none, Scaling::UNSET, Fill::Nan, None, profile)?;
/// let chunks = [[-1.0, f64::NAN], [0.25, 1.0]];
/// let all = chunks.iter().map(|chunk| Extremes::of(chunk, header.fill()));
/// let all = all.fold(Extremes::NONE, Extremes::merge);
///
/// let (encoder, _) = Encoder::<f64, i16>::of(&header, all, profile)?;
/// let mut codes = [[0; 2]; 2];
/// for (chunk, codes) in chunks.iter().zip(&mut codes) {
///     encoder.encode(chunk, codes)?;
/// }
/// assert_eq!(codes, [[-24576, -32768], [6144, 24576]]);
///
/// let decoder = Decoder::<i16, f64>::of(encoder.header())?;
/// let mut back = [0.0; 2];
/// decoder.decode(&codes[1], &mut back)?;
/// assert_eq!(back, [0.25, 1.0]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoder<R, C> {
    header: DataSet,
    codes: Codes,
    line: Line,
    /// The missing value besides NaN; NaN if none is defined.
    missing: f64,
    level: SimdLevel,
    kernel: Encode<R, C>,
}

impl<R: Real, C: Code> Encoder<R, C> {
    /// Plans the coding of a data set with these attributes and this fill value. Its values are not examined:
    /// `extremes` are those of all chunks. Attributes that are not set are determined.
    ///
    /// # Errors
    /// If the data set has another type than `R`.
    pub fn of(
        input: &DataSet,
        extremes: Extremes,
        profile: Profile,
    ) -> Result<(Self, Warnings), Rejection> {
        is_of(input, R::TYPE)?;
        let (scaling, warnings) = extremes.scaling(input.scaling, C::TYPE, profile);
        let codes = Codes::new(C::TYPE, profile, true, extremes.has_infinite);
        let header = DataSet::new(
            C::TYPE,
            Values::Integers(Vec::new()),
            scaling,
            Fill::Code(codes.fill),
            extremes.has_infinite.then_some(codes.infinite),
            profile,
        )?;
        let (line, missing) = (Line::new(scaling), missing_of(input.fill()));
        let kernel = Encode::new(line, missing, &codes);
        let encoder = Self {
            header,
            codes,
            line,
            missing,
            level: SimdLevel::best(),
            kernel,
        };
        Ok((encoder, warnings))
    }

    /// Returns the type, attributes and reserved codes of the codes, without values.
    #[must_use]
    pub fn header(&self) -> &DataSet {
        &self.header
    }

    /// Codes a chunk into a slice of the same length.
    ///
    /// # Errors
    /// If the slices differ in length.
    pub fn encode(&self, values: &[R], codes: &mut [C]) -> Result<Warnings, Error> {
        let mut warnings = Warnings::new();
        in_blocks(
            self.level,
            &self.kernel,
            values,
            codes,
            |_, values, codes| {
                for (&value, to) in values.iter().zip(codes) {
                    let code = match self.codes.of_real(self.line, self.missing, value.into()) {
                        Coded::Code(code) => code,
                        other => {
                            match other {
                                Coded::Lost => warnings.insert(Warning::DataOutOfRange),
                                Coded::Below => warnings.insert(Warning::NegInfinityToMissing),
                                Coded::Code(_) | Coded::Missing => false,
                            };
                            self.codes.fill
                        }
                    };
                    *to = C::of_bits(code.cast_unsigned());
                }
            },
        )?;
        Ok(warnings)
    }

    /// Like [`encode`](Self::encode), on all threads of rayon.
    ///
    /// # Errors
    /// The same as for [`encode`](Self::encode).
    ///
    /// ```
    /// use exactum_optimized::model::sds::{DataSet, Fill, Profile, Scaling, SdsType, Values};
    /// use exactum_optimized::sds::{Decoder, Encoder, Extremes};
    ///
    /// let (profile, none) = (Profile::default(), Values::Singles(vec![]));
    /// let header = DataSet::new(SdsType::R4, none, Scaling::UNSET, Fill::Nan, None, profile)?;
    /// let values = vec![2.0_f32; 1 << 18];
    /// let all = Extremes::par_of(&values, header.fill());
    /// let (encoder, _) = Encoder::<f32, u8>::of(&header, all, profile)?;
    /// let mut codes = vec![0; 1 << 18];
    /// encoder.par_encode(&values, &mut codes)?;
    /// let mut back = vec![0.0; 1 << 18];
    /// Decoder::<u8, f32>::of(encoder.header())?.par_decode(&codes, &mut back)?;
    /// assert_eq!(back, values);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_encode(&self, values: &[R], codes: &mut [C]) -> Result<Warnings, Error> {
        side_by_side(values, codes, |values, codes| self.encode(values, codes))
    }
}

/// Converts codes to real numbers, chunk by chunk, with the same results as [`convert`](super::convert) for
/// all data at once. The example of [`Encoder`] also shows the decoder.
#[derive(Clone, Debug)]
pub struct Decoder<C, R> {
    reals: Reals,
    level: SimdLevel,
    kernel: Decode<C, R>,
}

impl<C: Code, R: Real> Decoder<C, R> {
    /// Plans the decoding of codes with the attributes and reserved codes of a data set, whose values are not
    /// examined.
    ///
    /// # Errors
    /// If the data set has another type than `C`.
    pub fn of(input: &DataSet) -> Result<Self, Rejection> {
        is_of(input, C::TYPE)?;
        let reals = Reals::of(input, R::TYPE);
        Ok(Self {
            reals,
            level: SimdLevel::best(),
            kernel: Decode::new(&reals),
        })
    }

    /// Decodes a chunk into a slice of the same length. Codes of 8 or 16 bits are looked up in a table of all
    /// codes if the chunk has at least twice as many elements; the table is allocated for the call.
    ///
    /// # Errors
    /// If the slices differ in length.
    pub fn decode(&self, codes: &[C], values: &mut [R]) -> Result<Warnings, Error> {
        let is_long = codes.len() == values.len() && table::repays(C::DATA_TYPE, codes.len());
        let Some(table) = is_long.then(|| self.table()).flatten() else {
            return self.decode_blocks(codes, values);
        };
        on_bytes(codes, values, |codes, values| {
            table::look_up(C::DATA_TYPE, &table, codes, values);
        });
        Ok(Warnings::new())
    }

    /// Returns the values of all codes, in the order of their bits, or `None` if any of them causes a
    /// warning.
    fn table(&self) -> Option<Vec<R>> {
        let codes: Vec<C> = (0..1u64 << (8 * size_of::<C>())).map(C::of_bits).collect();
        let mut values = vec![R::of_value(0.0); codes.len()];
        let warnings = self.decode_blocks(&codes, &mut values).ok()?;
        warnings.is_empty().then_some(values)
    }

    fn decode_blocks(&self, codes: &[C], values: &mut [R]) -> Result<Warnings, Error> {
        let mut warnings = Warnings::new();
        let again = |flags: Flags, codes: &[C], values: &mut [R]| {
            if flags & DOUBT == NO_FLAGS {
                warnings.insert(Warning::PrecisionMayBeLost);
                return;
            }
            for (&code, to) in codes.iter().zip(values) {
                *to = R::of_value(self.reals.of_code(code.into(), &mut warnings));
            }
        };
        let (level, kernel) = (self.level, &self.kernel);
        if level.fuses() {
            in_blocks(level, &FusedDecode(kernel), codes, values, again)?;
        } else {
            in_blocks(level, kernel, codes, values, again)?;
        }
        Ok(warnings)
    }

    /// Like [`decode`](Self::decode), on all threads of rayon.
    ///
    /// # Errors
    /// The same as for [`decode`](Self::decode). The example is that of [`Encoder::par_encode`].
    #[cfg(feature = "rayon")]
    pub fn par_decode(&self, codes: &[C], values: &mut [R]) -> Result<Warnings, Error> {
        side_by_side(codes, values, |codes, values| self.decode(codes, values))
    }
}

fn is_of(input: &DataSet, of: SdsType) -> Result<(), Rejection> {
    let actual = input.data_type();
    if actual == of {
        return Ok(());
    }
    let message = format!("the data set is of type {actual}, not {of}");
    Err(Rejection::new(
        Reason::UnsupportedDataType,
        "sds.1.1",
        message,
    ))
}

/// Runs a kernel over blocks, and `again` over those that the kernel flagged.
fn in_blocks<A: Element + Lane, B: Element + Lane>(
    level: SimdLevel,
    kernel: &impl Kernel,
    input: &[A],
    output: &mut [B],
    mut again: impl FnMut(Flags, &[A], &mut [B]),
) -> Result<(), Fault> {
    crate::count(
        (A::DATA_TYPE, size_of::<A>()),
        bytes_of(input),
        (B::DATA_TYPE, size_of::<B>()),
        bytes_of(output),
    )?;
    // As in casts, kernels from numbers to shorter codes are slow.
    let (from, to) = (size_of::<A>(), size_of::<B>());
    let mut outlet = Outlet::of(size_of_val(input), size_of_val(output), to < from);
    let block = BLOCK.min(outlet.block() / from.max(to));
    let mut left = input;
    for output in output.chunks_mut(block) {
        let (input, rest) = left.split_at(output.len());
        let next = bytes_of(&rest[..rest.len().min(output.len())]);
        left = rest;
        let flags = on_bytes(input, output, |input, output| {
            outlet.put(output, next, |target| level.run(kernel, input, target))
        });
        if flags != NO_FLAGS {
            outlet.settle();
            again(flags, input, output);
        }
    }
    Ok(())
}

/// Converts shares of the slices in parallel and merges their warnings.
#[cfg(feature = "rayon")]
fn side_by_side<A: Element, B: Element>(
    input: &[A],
    output: &mut [B],
    convert: impl Fn(&[A], &mut [B]) -> Result<Warnings, Error> + Sync,
) -> Result<Warnings, Error> {
    let all = std::sync::Mutex::new(Warnings::new());
    crate::typed::side_by_side(input, output, |input, output| {
        let warnings = convert(input, output)?;
        if !warnings.is_empty() {
            let mut all = all
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            all.extend(warnings);
        }
        Ok(())
    })?;
    Ok(all
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner))
}

#[cfg(test)]
mod tests;
