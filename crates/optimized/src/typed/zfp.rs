//! Compression of blocks of numbers, as by the codec `zfp`.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::num::NonZeroUsize;

use exactum_model::{Reason, Zfp as Codec};

use crate::arch::SimdLevel;
use crate::bytes::{read, write};
use crate::error::Error;
use crate::fault::{Fault, Message, ZfpMessage};
use crate::lanes::Element;
use crate::zfp;

/// Compression of the numbers of one shape by zfp.
///
/// ```
/// use exactum_optimized::Zfp;
///
/// let numbers = [1.0_f32, 1.5, 2.0, 2.5, 3.0, 3.5];
/// let zfp = Zfp::builder(&[2, 3]).build()?;
/// let stream = zfp.encode(&numbers)?;
/// assert_eq!(zfp.decode(&stream)?, numbers);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Zfp<E> {
    codec: Codec,
    shape: Vec<u64>,
    threads: NonZeroUsize,
    element: PhantomData<fn(&E) -> E>,
}

/// The settings of a [`Zfp`].
///
/// ```
/// use exactum_optimized::ZfpBuilder;
///
/// let zfp = ZfpBuilder::<f64>::new(&[100]).tolerance(0.01).build()?;
/// let numbers: Vec<f64> = (0..100).map(f64::from).map(f64::sqrt).collect();
/// let back = zfp.decode(&zfp.encode(&numbers)?)?;
/// assert!(back.iter().zip(&numbers).all(|(a, b)| (a - b).abs() <= 0.01));
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ZfpBuilder<E> {
    mode: Mode,
    shape: Vec<u64>,
    threads: NonZeroUsize,
    element: PhantomData<fn(&E) -> E>,
}

/// What the compression preserves.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Everything,
    Rate(f64),
    Precision(u32),
    Tolerance(f64),
}

impl<E: Element> Zfp<E> {
    /// Returns the settings of a lossless compression for numbers of this shape, in C order.
    ///
    /// ```
    /// let zfp = exactum_optimized::Zfp::builder(&[4]).build()?;
    /// assert_eq!(zfp.decode(&zfp.encode(&[1, -2, 3, 2_000_000_000])?)?[3], 2_000_000_000);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn builder(shape: &[usize]) -> ZfpBuilder<E> {
        ZfpBuilder::new(shape)
    }

    /// Compresses numbers in C order.
    ///
    /// # Errors
    /// The first number that the settings cannot hold, or if the length does not match the shape.
    ///
    /// ```
    /// let zfp = exactum_optimized::Zfp::builder(&[2]).rate(16.0).build()?;
    /// assert_eq!(zfp.encode(&[1.0_f32, 2.0])?.len(), 8);
    /// let error = zfp.encode(&[1.0, f32::NAN]).expect_err("no lossy mode holds NaN");
    /// assert_eq!(error.element(), Some(1));
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encode(&self, input: &[E]) -> Result<Vec<u8>, Error> {
        let mut output = Vec::new();
        self.encode_into(input, &mut output)?;
        Ok(output)
    }

    /// Compresses numbers into a vector, replacing its contents and reusing its memory.
    ///
    /// # Errors
    /// The same as for [`encode`](Self::encode).
    ///
    /// ```
    /// let lossless = exactum_optimized::Zfp::builder(&[1]).build()?;
    /// let mut stream = Vec::new();
    /// for number in [1.0_f64, 2.0] {
    ///     lossless.encode_into(&[number], &mut stream)?;
    ///     assert_eq!(lossless.decode(&stream)?, [number]);
    /// }
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn encode_into(&self, input: &[E], output: &mut Vec<u8>) -> Result<(), Error> {
        let mut wide = Vec::new();
        Ok(read(input, |input| {
            let chunk = (&self.shape[..], input);
            zfp::encode_at(
                SimdLevel::best(),
                &self.codec,
                chunk,
                output,
                &mut wide,
                self.threads,
            )
        })?)
    }

    /// Decompresses a stream. Missing bits count as zeros.
    ///
    /// # Errors
    /// If the shape exceeds memory.
    ///
    /// ```
    /// let zfp = exactum_optimized::Zfp::<f32>::builder(&[3]).build()?;
    /// assert_eq!(zfp.decode(&[])?, [0.0; 3]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn decode(&self, stream: &[u8]) -> Result<Vec<E>, Error> {
        let size = crate::bytes_of(E::DATA_TYPE, &self.shape)?;
        let numbers = size / size_of::<E>();
        let mut output = Vec::new();
        output
            .try_reserve_exact(numbers)
            .map_err(|_| Fault::too_large(&self.shape))?;
        output.resize(numbers, E::ZERO);
        self.decode_into(stream, &mut output)?;
        Ok(output)
    }

    /// Decompresses a stream into a slice of the shape's length.
    ///
    /// # Errors
    /// If the length differs.
    ///
    /// ```
    /// let lossless = exactum_optimized::Zfp::<i32>::builder(&[2]).build()?;
    /// let mut output = [0; 2];
    /// lossless.decode_into(&lossless.encode(&[7, 8])?, &mut output)?;
    /// assert_eq!(output, [7, 8]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    pub fn decode_into(&self, stream: &[u8], output: &mut [E]) -> Result<(), Error> {
        let mut wide = Vec::new();
        Ok(write(output, |output| {
            let chunk = (&self.shape[..], output);
            zfp::decode_at(
                SimdLevel::best(),
                &self.codec,
                stream,
                chunk,
                &mut wide,
                self.threads,
            )
        })?)
    }
}

impl<E: Element> ZfpBuilder<E> {
    /// Returns settings for lossless compression on one thread.
    ///
    /// ```
    /// let zfp = exactum_optimized::ZfpBuilder::<f32>::new(&[1]).build()?;
    /// assert!(zfp.decode(&zfp.encode(&[f32::NAN])?)?[0].is_nan());
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn new(shape: &[usize]) -> Self {
        Self {
            mode: Mode::Everything,
            shape: shape.iter().map(|&extent| extent as u64).collect(),
            threads: NonZeroUsize::MIN,
            element: PhantomData,
        }
    }

    /// Sets the average number of bits per number, the same in every block.
    ///
    /// ```
    /// let zfp = exactum_optimized::Zfp::<f32>::builder(&[64, 64]).rate(4.0).build()?;
    /// assert_eq!(zfp.encode(&[0.5; 4096])?.len(), 2048);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn rate(mut self, rate: f64) -> Self {
        self.mode = Mode::Rate(rate);
        self
    }

    /// Sets the number of bit planes per block.
    ///
    /// ```
    /// let zfp = exactum_optimized::Zfp::<f64>::builder(&[4]).precision(20).build()?;
    /// let back = zfp.decode(&zfp.encode(&[1.0; 4])?)?;
    /// assert!((back[3] - 1.0).abs() < 1e-4);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn precision(mut self, precision: u32) -> Self {
        self.mode = Mode::Precision(precision);
        self
    }

    /// Sets the largest error of each number; for floats only.
    ///
    /// ```
    /// let zfp = exactum_optimized::Zfp::<f32>::builder(&[5]).tolerance(0.05).build()?;
    /// let stream = zfp.encode(&[0.0, 0.25, 0.5, 0.75, 1.0])?;
    /// assert_eq!(stream, [0xff, 0xec, 0x14, 0x00, 0x08, 0x68, 0x01, 0x00]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.mode = Mode::Tolerance(tolerance);
        self
    }

    /// Sets the number of threads, which does not change the bytes. Without the feature `std`, only one
    /// thread is used.
    ///
    /// ```
    /// let threads = std::thread::available_parallelism().expect("a number of processors");
    /// let zfp = exactum_optimized::Zfp::<f32>::builder(&[64, 64]).threads(threads).build()?;
    /// assert_eq!(zfp.decode(&zfp.encode(&[0.5; 4096])?)?, [0.5; 4096]);
    /// # Ok::<(), exactum_optimized::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Plans the compression.
    ///
    /// # Errors
    /// If zfp does not support the settings: more than four dimensions, a limit out of range, or a tolerance for
    /// integers.
    ///
    /// ```
    /// let error = exactum_optimized::Zfp::<i32>::builder(&[4]).tolerance(0.5).build().err();
    /// assert_eq!(error.map(|error| error.clause()), Some("zfp.accuracy.integers"));
    /// ```
    pub fn build(self) -> Result<Zfp<E>, Error> {
        let (data_type, rank) = (E::DATA_TYPE, self.shape.len());
        let everything = Codec::reversible(data_type, rank);
        zfp::require_shape(&everything, &self.shape)?;
        let refuse = |clause, words| Fault::new(Reason::Metadata, clause, words);
        let codec = match self.mode {
            Mode::Everything => everything,
            Mode::Rate(rate) => Codec::fixed_rate(data_type, rank, rate).ok_or_else(|| {
                let what = "the number of bits per block (rate times elements)";
                let most = Codec::MAX_BITS;
                refuse("zfp.rate", Message::Zfp(ZfpMessage::Limit { what, most }))
            })?,
            Mode::Precision(precision) => Codec::fixed_precision(data_type, rank, precision)
                .ok_or_else(|| {
                    let (what, most) = ("the precision", Codec::MAX_PRECISION);
                    refuse(
                        "zfp.precision",
                        Message::Zfp(ZfpMessage::Limit { what, most }),
                    )
                })?,
            Mode::Tolerance(tolerance) => Codec::fixed_accuracy(data_type, rank, tolerance)
                .ok_or_else(|| match data_type.format().float() {
                    None => refuse(
                        "zfp.accuracy.integers",
                        Message::Fixed("zfp ignores a tolerance for integers"),
                    ),
                    Some(_) => refuse(
                        "zfp.accuracy.tolerance",
                        Message::Fixed("the tolerance must be finite and above zero"),
                    ),
                })?,
        };
        Ok(Zfp {
            codec,
            shape: self.shape,
            threads: self.threads,
            element: PhantomData,
        })
    }
}
