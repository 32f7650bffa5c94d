//! Lies that live in one cell: implementations that are wrong for one direction, one pair of data
//! types and one kind of fault, over the whole grid.
//!
//! A mutant shows that a clause is defended somewhere; a lie by cell shows where it is not. A lie
//! that differs from the reference for no input that was tried is none and does not count.

use exactum_conformance::model::{
    ArrayCodec, ArrayToBytes, Bytes, CastValue, Chain, DataType, Direction, Format, Pipeline,
    Rounding, Scalar, Step,
};
use exactum_exact::{Exact, Rounded, round};
use exactum_reference::chain::{Reference, Steps};

use super::arithmetic::{half, largest};
use super::{Fill, NONE, Overrides, Wrong};

/// Where a lie lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// What is done, such as `cast_value.decode`.
    pub what: &'static str,
    /// The data type of what goes in.
    pub from: &'static str,
    /// The data type of what comes out.
    pub to: &'static str,
}

/// A wrong implementation that is right outside its cell.
#[derive(Clone)]
pub struct Lie {
    /// The cell.
    pub cell: Cell,
    /// The kind of fault.
    pub kind: &'static str,
    /// What differs from the reference.
    pub overrides: Overrides,
    /// Codecs that may show it.
    pub(crate) codecs: Vec<ArrayCodec>,
}

/// The types that `cast_value` and `scale_offset` take.
pub(crate) fn numbers() -> impl Iterator<Item = DataType> {
    let real = |data_type: &DataType| {
        !matches!(data_type.format(), Format::Complex(_)) && *data_type != DataType::Bool
    };
    DataType::ALL.iter().copied().filter(real)
}

/// A cast without any member but the data type.
pub(crate) fn cast(decoded: DataType, encoded: DataType) -> CastValue {
    CastValue {
        decoded,
        encoded,
        rounding: Rounding::NearestEven,
        out_of_range: None,
        encode_map: Vec::new(),
        decode_map: Vec::new(),
    }
}

/// The cells that a codec touches in a direction. A fill value goes through both.
#[must_use]
pub fn of_codec(codec: &ArrayCodec, direction: Direction) -> Option<Cell> {
    let (name, decoded, encoded) = match codec {
        ArrayCodec::CastValue(codec) => (
            ["cast_value.encode", "cast_value.decode"],
            codec.decoded,
            codec.encoded,
        ),
        ArrayCodec::ScaleOffset(codec) => (
            ["scale_offset.encode", "scale_offset.decode"],
            codec.data_type,
            codec.data_type,
        ),
        ArrayCodec::FixedScaleOffset(_) | ArrayCodec::Transpose(_) | ArrayCodec::Reshape => {
            return None;
        }
    };
    let (decoded, encoded) = (decoded.name(), encoded.name());
    Some(match direction {
        Direction::Encode => cell(name[0], decoded, encoded),
        Direction::Decode => cell(name[1], encoded, decoded),
    })
}

/// The cell of the fill value before a codec.
#[must_use]
pub fn of_fill(codec: &ArrayCodec) -> Option<Cell> {
    match codec {
        ArrayCodec::CastValue(codec) => Some(cell(
            "cast_value: fill",
            codec.decoded.name(),
            codec.encoded.name(),
        )),
        _ => None,
    }
}

const fn cell(what: &'static str, from: &'static str, to: &'static str) -> Cell {
    Cell { what, from, to }
}

impl Lie {
    /// Whether it differs from the reference for an input that is tried.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.codecs.iter().any(|codec| match codec {
            ArrayCodec::CastValue(cast) if self.cell.what == "cast_value: fill" => {
                self.shows_in_fill(codec, cast)
            }
            ArrayCodec::CastValue(cast) if self.cell.what == "cast_value.encode" => {
                self.shows(codec, Direction::Encode, cast.decoded, cast.encoded)
            }
            ArrayCodec::CastValue(cast) => {
                self.shows(codec, Direction::Decode, cast.encoded, cast.decoded)
            }
            ArrayCodec::ScaleOffset(scale) => {
                let direction = match self.cell.what {
                    "scale_offset.encode" => Direction::Encode,
                    _ => Direction::Decode,
                };
                self.shows(codec, direction, scale.data_type, scale.data_type)
            }
            _ => false,
        })
    }

    fn shows(&self, codec: &ArrayCodec, way: Direction, from: DataType, to: DataType) -> bool {
        let format = to.format();
        inputs(from, to).into_iter().any(|bits| {
            let right = Reference.element(codec, way, bits).ok();
            let wrong = self.overrides.element(codec, way, bits).ok();
            match (right, wrong) {
                // One NaN is as good as another.
                (Some(right), Some(wrong)) => right != wrong && !both_nan(&format, right, wrong),
                (right, wrong) => right != wrong,
            }
        })
    }

    fn shows_in_fill(&self, codec: &ArrayCodec, cast: &CastValue) -> bool {
        let step = Step {
            name: "cast_value".into(),
            pointer: String::new(),
            codec: codec.clone(),
            data_type: cast.encoded,
            shape: Vec::new(),
        };
        let chain = Chain {
            data_type: cast.decoded,
            chunk_shape: Vec::new(),
            fill_value: Scalar::new(cast.decoded, 0),
            pipeline: Pipeline {
                steps: Vec::new(),
                array_to_bytes: ArrayToBytes::Bytes(Bytes {
                    data_type: cast.encoded,
                    endian: None,
                }),
                bytes_to_bytes: Vec::new(),
            },
        };
        inputs(cast.decoded, cast.encoded).into_iter().any(|bits| {
            let before = Scalar::new(cast.decoded, bits.into());
            let right = Reference.fill_value(&chain, &step, before).ok();
            right != self.overrides.fill_value(&chain, &step, before).ok()
        })
    }
}

fn both_nan(format: &Format, a: u64, b: u64) -> bool {
    let float = format.float();
    float.is_some_and(|format| format.is_nan(a) && format.is_nan(b))
}

/// Elements that tell wrong casts from right ones: all of a small type; of others the special
/// values, the limits of the other type, what lies halfway between its values, and neighbours.
fn inputs(from: DataType, to: DataType) -> Vec<u64> {
    let (format, other) = (from.format(), to.format());
    let bits = format.component_bits();
    if bits <= 8 {
        return (0..1 << bits).collect();
    }
    let mut values: Vec<Exact> = (-9..=9)
        .map(|eighths| Exact::integer(eighths).divide(&Exact::integer(4)))
        .collect();
    for above in [true, false] {
        let limit = Exact::from_bits(&other, largest(&other, above));
        let before = Exact::from_bits(&other, largest(&other, above).wrapping_sub(1));
        values.extend([limit.add(&half()), limit.subtract(&half())]);
        let beyond = limit.add(&limit.subtract(&before));
        values.extend([limit.add(&beyond).multiply(&half()), beyond]);
        values.push(limit.multiply(&Exact::integer(3)));
        values.push(limit);
    }
    // Halfway between two codes of the other type, here and there.
    let width = other.component_bits();
    for code in [0, 1, 2, 3, 1 << (width / 2), 1 << (width - 2)] {
        let [a, b] = [code, code + 1].map(|bits| Exact::from_bits(&other, bits));
        let between = a.add(&b).multiply(&half());
        values.extend([between.negate(), between]);
    }
    let mut inputs = vec![0, 1, 2, 3];
    if let Some(float) = format.float() {
        let specials = [float.nan_bits(), float.infinity_bits(), Some(0)];
        let specials = specials.into_iter().flatten();
        inputs.extend(specials.flat_map(|bits| [bits, bits | float.sign_mask()]));
    }
    for value in &values {
        for mode in [Rounding::TowardsNegative, Rounding::TowardsPositive] {
            if let Rounded::Bits(bits) = round(value, &format, mode) {
                inputs.extend([bits, bits.wrapping_add(1), bits.wrapping_sub(1)]);
            }
        }
    }
    for above in [true, false] {
        inputs.push(largest(&format, above));
    }
    for input in &mut inputs {
        *input &= format.component_mask();
    }
    inputs
}

/// A fault of the fill value, in a name and a function.
type FillKind = (&'static str, fn(&Fill<'_>) -> Wrong<Scalar>);

const FILL_KINDS: &[FillKind] = &[
    ("lost-fill-accepted", |it| it.encoded().ok().map(Ok)),
    ("rejected-fill-is-zero", |it| match it.encoded() {
        Ok(_) => None,
        Err(_) => it.give(0),
    }),
    ("fill-compared-bitwise", |it| {
        it.if_back(|back, _| back == it.before)
    }),
];

/// The fill value through a cast: what is wrong for one pair of types.
pub(crate) fn fill_values() -> Vec<Lie> {
    let mut lies = Vec::new();
    for from in numbers() {
        for to in numbers() {
            let cell = cell("cast_value: fill", from.name(), to.name());
            let codecs = vec![ArrayCodec::CastValue(cast(from, to))];
            for &(kind, wrong) in FILL_KINDS {
                let here = move |it: &Fill<'_>| (of_fill(&it.step.codec)? == cell).then_some(());
                let overrides = Overrides {
                    fill: Some(std::sync::Arc::new(move |it| {
                        here(it)?;
                        wrong(it)
                    })),
                    ..NONE
                };
                lies.push(Lie {
                    cell,
                    kind,
                    overrides,
                    codecs: codecs.clone(),
                });
            }
        }
    }
    lies
}
