//! Compares every float32, by runs of equal results.
//!
//! The reference is too slow for 2^32 elements. But its results are monotonic: for two finite numbers of the same sign,
//! the larger one never has the smaller result, in any rounding mode. Therefore the optimized results of all elements
//! are computed in the order of their values, and the reference is called only for the first and the last element of
//! every run of equal results. Its result at both ends of a run holds for all elements between them.

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, Cast, CastValue, Chain, CodecPipeline,
    DataType, Endian, MapEntry, OutOfRange, Rounding, Scalar, ScaleOffset, little_endian,
};
use exactum_optimized::chain::{Planned, Scratch};
use exactum_reference::cast_value::cast_element;

use super::{Compared, together};

/// The number of elements that are computed together.
const BLOCK: u32 = 1 << 18;

/// The smallest bits, without the sign, that are not a finite number.
const INFINITE: u32 = 0x7f80_0000;

/// The sign bit.
const SIGN: u32 = 1 << 31;

/// A conversion of float32 to elements of up to 16 bits.
#[derive(Clone, Copy, Debug)]
struct Case {
    to: DataType,
    rounding: Rounding,
    /// Whether the elements are first scaled by 100, with an offset of -3.
    scaled: bool,
}

/// Compares the casts of every float32 into every real type of 16 bits or less, clamped, with each rounding mode, and
/// those into int16 and uint8 after a scale and an offset. NaN is mapped to a code if the type has no NaN.
///
/// # Errors
/// If the two implementations differ. The error has a line for each cast.
pub fn float32(
    to: Option<DataType>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Compared, Vec<String>> {
    let real = DataType::ALL.iter().copied().filter(|it| it.is_real());
    let small = real.filter(|it| it.format().component_bits() <= 16);
    let packed = |to: DataType| matches!(to, DataType::Int16 | DataType::Uint8);
    let cases = small
        .filter(|it| to.is_none_or(|only| only == *it))
        .flat_map(|to| Rounding::ALL.iter().map(move |&rounding| (to, rounding)))
        .flat_map(|(to, rounding)| {
            let case = move |scaled| Case {
                to,
                rounding,
                scaled,
            };
            [Some(case(false)), packed(to).then(|| case(true))]
        })
        .flatten();
    together(cases.collect(), |case: Case| case.compare(), progress)
}

impl Case {
    fn map(&self) -> Vec<MapEntry> {
        let has_nan = self
            .to
            .format()
            .float()
            .is_some_and(|it| it.nan_bits().is_some());
        let entry = MapEntry::new(f32::NAN.to_bits().into(), 1);
        if has_nan { Vec::new() } else { vec![entry] }
    }

    /// Returns the codecs, either for blocks of elements or for a single one.
    fn chain(&self, elements: u64) -> Chain {
        let shape = vec![elements];
        let step = |codec, data_type| ArrayToArray {
            name: String::new(),
            pointer: String::new(),
            codec,
            data_type,
            shape: shape.clone(),
        };
        let cast = CastValue::new(DataType::Float32, self.to)
            .rounding(self.rounding)
            .clamp()
            .encode_map(self.map());
        let scaling = ScaleOffset::new(DataType::Float32)
            .offset((-3_f32).to_bits().into())
            .scale(100_f32.to_bits().into());
        let mut codecs = Vec::new();
        if self.scaled {
            codecs.push(step(ArrayCodec::ScaleOffset(scaling), DataType::Float32));
        }
        codecs.push(step(ArrayCodec::CastValue(cast), self.to));
        Chain {
            data_type: DataType::Float32,
            chunk_shape: shape,
            fill_value: Scalar::new(DataType::Float32, 0),
            pipeline: CodecPipeline::new(
                codecs,
                ArrayToBytes::Bytes(Bytes::new(self.to, Some(Endian::Little))),
            ),
        }
    }

    /// Returns the reference's result for an element, or `None` if it rejects the element.
    fn reference(&self, bits: u32) -> Option<u64> {
        let one = Array::from_components(DataType::Float32, vec![1], [u64::from(bits)]).ok()?;
        if !self.scaled {
            let map = self.map();
            let cast = Cast::new(
                DataType::Float32,
                self.to,
                self.rounding,
                Some(OutOfRange::Clamp),
            )
            .map(&map);
            return cast_element(&cast, bits.into()).ok();
        }
        let stored = exactum_reference::chain::encode(&self.chain(1), &one).ok()?;
        Some(little_endian(&stored))
    }

    fn compare(&self) -> (Compared, Vec<String>) {
        let compared = Compared {
            casts: 1,
            elements: 1 << 32,
        };
        let found = self.search();
        (compared, found.err().into_iter().collect())
    }

    /// Compares all elements, and stops at the first difference. Among the finite elements that are rejected, the first
    /// one and every 65,536th after it are compared individually.
    fn search(&self) -> Result<(), String> {
        let planned = Planned::new(self.chain(BLOCK.into())).map_err(|error| error.to_string())?;
        for sign in [0, SIGN] {
            let end = self.first_rejected(sign);
            self.range(&planned, sign..sign | end)?;
            for bits in (end..INFINITE).step_by(1 << 16) {
                self.alone(sign | bits)?;
            }
            // Infinity may be rejected, which would reject its whole block.
            self.alone(sign | INFINITE)?;
            let first = sign | (INFINITE + 1);
            self.alone(first)?;
            self.range(&planned, first..sign | (SIGN - 1))?;
            self.alone(sign | (SIGN - 1))?;
        }
        Ok(())
    }

    /// Returns the least magnitude of a sign that the reference rejects, or that of infinity. If a number is too large
    /// to be scaled, all larger numbers are, too.
    fn first_rejected(&self, sign: u32) -> u32 {
        let (mut taken, mut rejected) = (0, INFINITE);
        while taken < rejected {
            let middle = taken + (rejected - taken) / 2;
            match self.reference(sign | middle) {
                Some(_) => taken = middle + 1,
                None => rejected = middle,
            }
        }
        rejected
    }

    /// Compares one element.
    fn alone(&self, bits: u32) -> Result<(), String> {
        let mut output = Vec::new();
        let result = Planned::new(self.chain(1)).and_then(|planned| {
            planned.encode_into(&bits.to_le_bytes(), &mut output, &mut Scratch::default())
        });
        self.same(bits, result.ok().map(|()| little_endian(&output)))
    }

    fn same(&self, bits: u32, result: Option<u64>) -> Result<(), String> {
        let right = self.reference(bits);
        if right == result {
            return Ok(());
        }
        Err(format!(
            "{self:?}: {bits:#x} gives {result:x?}, not {right:x?}"
        ))
    }

    /// Compares consecutive elements.
    fn range(&self, planned: &Planned, range: std::ops::Range<u32>) -> Result<(), String> {
        let width = self.to.element_bytes();
        let mut input = vec![[0; 4]; BLOCK as usize];
        let (mut output, mut scratch) = (Vec::new(), Scratch::default());
        // The result of the current run, whose end is not yet known.
        let mut open: Option<u64> = None;
        let mut start = range.start;
        while start < range.end {
            let count = BLOCK.min(range.end - start);
            // All blocks have the same length: the last one is padded by repeating its last element.
            for (bytes, index) in input.iter_mut().zip(0..) {
                *bytes = (start + count.min(index + 1) - 1).to_le_bytes();
            }
            planned
                .encode_into(input.as_flattened(), &mut output, &mut scratch)
                .map_err(|error| format!("{self:?}: from {start:#x} on, {error}"))?;
            let mut index = 0;
            while index < count as usize {
                let rest = &output[index * width..];
                index += open.map_or(0, |result| run(rest, width, result));
                if index < count as usize {
                    let bits = start + u32::try_from(index).map_err(|error| error.to_string())?;
                    if let Some(before) = open {
                        self.same(bits - 1, Some(before))?;
                    }
                    let result = little_endian(&output[index * width..][..width]);
                    self.same(bits, Some(result))?;
                    open = Some(result);
                }
            }
            start += count;
        }
        match open {
            Some(last) => self.same(range.end - 1, Some(last)),
            None => Ok(()),
        }
    }
}

/// Returns the number of leading elements that equal the given one.
fn run(elements: &[u8], width: usize, element: u64) -> usize {
    let mut many = [0; 64];
    for bytes in many.chunks_exact_mut(width) {
        bytes.copy_from_slice(&element.to_le_bytes()[..width]);
    }
    let whole = elements.as_chunks::<64>().0.iter();
    let whole = whole.take_while(|bytes| **bytes == many).count() * 64;
    let rest = elements[whole..].chunks_exact(width);
    let rest = rest.take_while(|bytes| *bytes == &many[..width]).count();
    whole / width + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: Case = Case {
        to: DataType::Float16,
        rounding: Rounding::NearestEven,
        scaled: false,
    };

    #[test]
    fn a_range_is_compared_at_the_ends_of_its_runs() {
        for scaled in [false, true] {
            let to = if scaled {
                DataType::Uint8
            } else {
                DataType::Float16
            };
            let case = Case { to, scaled, ..CASE };
            let planned = Planned::new(case.chain(BLOCK.into())).expect("a plan");
            // From 1 on, slightly more than a block.
            case.range(&planned, 0x3f80_0000..0x3f80_0000 + BLOCK + 5)
                .expect("they agree");
            case.alone(INFINITE).expect("they agree");
            // The largest float32 is too large to be scaled.
            let rejected = case.first_rejected(SIGN);
            assert_eq!(rejected < INFINITE, scaled, "{rejected:#x}");
            case.alone(SIGN | rejected).expect("they agree");
        }
    }

    /// The check itself can fail: a plan with another rounding mode is detected at the first tie.
    #[test]
    fn another_rounding_is_found() {
        let other = Case {
            rounding: Rounding::TowardsZero,
            ..CASE
        };
        let planned = Planned::new(other.chain(BLOCK.into())).expect("a plan");
        let found = CASE.range(&planned, 0x3f80_0000..0x3f80_0000 + BLOCK);
        assert!(found.is_err_and(|words| words.contains("0x3f80")));
    }
}
