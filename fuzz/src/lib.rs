//! Code shared by the targets: how an input is read, and when two decoders agree.

#![forbid(unsafe_code)]

use exactum_model::{Array, DataType, Rejection};

/// The maximum number of elements of a decoded chunk, because the reference is slow.
const MOST_ELEMENTS: u64 = 1 << 12;

/// A chunk to decode. The input has three lines of text, `configuration`, `data type` and `extents`, followed
/// by the bytes of the chunk.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// The configuration of the codec.
    pub configuration: &'a str,
    /// The data type of the elements.
    pub data_type: DataType,
    /// The shape of the chunk.
    pub shape: Vec<u64>,
    /// The bytes to decode.
    pub bytes: &'a [u8],
}

/// Splits an input into its first line, which is text, and the bytes after it.
#[must_use]
pub fn line(input: &[u8]) -> Option<(&str, &[u8])> {
    let end = input.iter().position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&input[..end]).ok()?, &input[end + 1..]))
}

/// Returns whether a chunk of this shape is small enough.
#[must_use]
pub fn is_small(shape: &[u64]) -> bool {
    let product = shape
        .iter()
        .try_fold(1u64, |product, &extent| product.checked_mul(extent));
    product.is_some_and(|product| product <= MOST_ELEMENTS)
}

impl<'a> Chunk<'a> {
    /// Reads an input. Returns `None` if it is not a chunk.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let (configuration, rest) = line(input)?;
        let (data_type, rest) = line(rest)?;
        let (shape, bytes) = line(rest)?;
        let shape: Option<Vec<u64>> = shape.split_whitespace().map(|it| it.parse().ok()).collect();
        Some(Self {
            configuration,
            data_type: exactum_metadata::parse_data_type(data_type).ok()?,
            shape: shape.filter(|shape| is_small(shape))?,
            bytes,
        })
    }
}

/// Requires that two decoders agree about the same bytes: both return the same elements, where any NaN equals
/// any other, or both reject the bytes.
///
/// # Panics
/// If the results differ.
pub fn agree(optimized: Result<Array, Rejection>, reference: Result<Array, Rejection>) {
    match (optimized, reference) {
        (Ok(optimized), Ok(reference)) => {
            let form = |array: &Array| (array.data_type(), array.shape().to_vec());
            assert_eq!(form(&optimized), form(&reference));
            let float = optimized.data_type().format().float();
            for (a, b) in optimized.components().zip(reference.components()) {
                let nans = float.is_some_and(|float| float.is_nan(a) && float.is_nan(b));
                assert!(a == b || nans, "{optimized:?} {reference:?}");
            }
        }
        (Err(_), Err(_)) => {}
        (optimized, reference) => panic!("{optimized:?} {reference:?}"),
    }
}
