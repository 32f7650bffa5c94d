//! Every float32, by runs of equal results.
//!
//! The reference takes too long for 2^32 elements. But what it computes is monotone: of two finite numbers of one sign
//! the larger one does not become the smaller one, whatever the rounding mode. So the optimized results of all elements are
//! computed, in the order of their values, and the reference is asked for the first and the last element of every run
//! of equal results: what it says at both ends of a run it says of all between.

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, Cast, CastValue, Chain, CodecPipeline,
    DataType, Endian, MapEntry, Names, OutOfRange, Rounding, Scalar, ScaleOffset, little_endian,
};
use exactum_optimized::chain::{Planned, Scratch};
use exactum_reference::cast_value::cast_element;

use super::{Compared, together};

/// Elements that are computed together.
const BLOCK: u32 = 1 << 18;

/// The first bits that are not a finite number, without the sign.
const INFINITE: u32 = 0x7f80_0000;

/// The sign.
const SIGN: u32 = 1 << 31;

/// A conversion of float32 into elements of up to 16 bits.
#[derive(Clone, Copy, Debug)]
struct Case {
    to: DataType,
    rounding: Rounding,
    /// Scaled by 100 first, with an offset of -3.
    scaled: bool,
}

/// Compares the casts of all float32 into every real type of 16 bits or less, clamped, with each rounding, and those into
/// int16 and uint8 after a scale and an offset. NaN becomes a code where the type has none.
///
/// # Errors
/// Where the two differ: a line for each cast.
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
        let entry = MapEntry {
            input: f32::NAN.to_bits().into(),
            output: 1,
        };
        if has_nan { Vec::new() } else { vec![entry] }
    }

    /// The codecs, for blocks of elements or for one.
    fn chain(&self, elements: u64) -> Chain {
        let shape = vec![elements];
        let step = |codec, data_type| ArrayToArray {
            name: String::new(),
            pointer: String::new(),
            codec,
            data_type,
            shape: shape.clone(),
        };
        let cast = CastValue {
            decoded: DataType::Float32,
            encoded: self.to,
            rounding: self.rounding,
            out_of_range: Some(OutOfRange::Clamp),
            encode_map: self.map(),
            decode_map: Vec::new(),
        };
        let scaling = ScaleOffset {
            data_type: DataType::Float32,
            offset: Some((-3_f32).to_bits().into()),
            scale: Some(100_f32.to_bits().into()),
        };
        let mut codecs = Vec::new();
        if self.scaled {
            codecs.push(step(ArrayCodec::ScaleOffset(scaling), DataType::Float32));
        }
        codecs.push(step(ArrayCodec::CastValue(cast), self.to));
        Chain {
            data_type: DataType::Float32,
            chunk_shape: shape,
            fill_value: Scalar::new(DataType::Float32, 0),
            pipeline: CodecPipeline {
                array_to_array: codecs,
                array_to_bytes: ArrayToBytes::Bytes(Bytes {
                    data_type: self.to,
                    endian: Some(Endian::Little),
                }),
                bytes_to_bytes: Names::default(),
            },
        }
    }

    /// What the reference says of an element; `None` if it rejects it.
    fn reference(&self, bits: u32) -> Option<u64> {
        let one = Array::from_components(DataType::Float32, vec![1], [u64::from(bits)]).ok()?;
        if !self.scaled {
            let map = self.map();
            let cast = Cast {
                from: DataType::Float32,
                to: self.to,
                rounding: self.rounding,
                out_of_range: Some(OutOfRange::Clamp),
                map: &map,
            };
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

    /// Goes through all elements, and stops at the first difference. Of the finite ones that are rejected, the first and
    /// every 65,536th after it are compared, each alone.
    fn search(&self) -> Result<(), String> {
        let planned = Planned::new(self.chain(BLOCK.into())).map_err(|error| error.to_string())?;
        for sign in [0, SIGN] {
            let end = self.first_rejected(sign);
            self.range(&planned, sign..sign | end)?;
            for bits in (end..INFINITE).step_by(1 << 16) {
                self.alone(sign | bits)?;
            }
            // Infinity may be rejected, and with it a whole block.
            self.alone(sign | INFINITE)?;
            let first = sign | (INFINITE + 1);
            self.alone(first)?;
            self.range(&planned, first..sign | (SIGN - 1))?;
            self.alone(sign | (SIGN - 1))?;
        }
        Ok(())
    }

    /// Returns the least magnitude of a sign that the reference rejects, or that of infinity: a number that is too large
    /// to be scaled is followed by others.
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

    /// Compares elements that follow each other.
    fn range(&self, planned: &Planned, range: std::ops::Range<u32>) -> Result<(), String> {
        let width = self.to.element_bytes();
        let mut input = vec![[0; 4]; BLOCK as usize];
        let (mut output, mut scratch) = (Vec::new(), Scratch::default());
        // The result of the run that is not yet at its end.
        let mut open: Option<u64> = None;
        let mut start = range.start;
        while start < range.end {
            let count = BLOCK.min(range.end - start);
            // A block is always of the same length: the last one ends with its last element again and again.
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

/// Returns the number of elements at the front that are equal to one.
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
            // From 1 on, past a block.
            case.range(&planned, 0x3f80_0000..0x3f80_0000 + BLOCK + 5)
                .expect("they agree");
            case.alone(INFINITE).expect("they agree");
            // The largest float32 is too large to be scaled.
            let rejected = case.first_rejected(SIGN);
            assert_eq!(rejected < INFINITE, scaled, "{rejected:#x}");
            case.alone(SIGN | rejected).expect("they agree");
        }
    }

    /// The check itself can fail: a plan with another rounding is found at the first tie.
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
