//! Lies of `downsample` that are confined to one cell: a method and a data type.

use std::sync::Arc;

use exactum_conformance::model::{
    Array, DataType, Domain, Downsample, FloatFormat, Format, Json, JsonText, Level, Method,
    Placed, Rounding, Text, TextType, Texts,
};
use exactum_reference::downsample::Downsampling;

use super::blocks::*;
use super::reader::{Block, Here, Made, decided};
use super::texts::{overrides, read_ranked};
use crate::Overrides;
use crate::cells::{CellMutant, Trial, of_view};

/// A kind of fault.
struct Kind {
    name: &'static str,
    methods: &'static [Method],
    /// The formats for which it can be a fault.
    of: fn(&Format) -> bool,
    wrong: &'static (dyn Downsampling + Sync),
}

/// The methods that reduce several elements to one.
const REDUCING: &[Method] = &[
    Method::Mean,
    Method::Min,
    Method::Max,
    Method::Median,
    Method::Mode,
];
const EXTREMES: &[Method] = &[Method::Min, Method::Max];
const MEAN: &[Method] = &[Method::Mean];
const MEDIAN: &[Method] = &[Method::Median];
const MODE: &[Method] = &[Method::Mode];

const KINDS: &[Kind] = &[
    kind("lowest-bit-flipped", Method::ALL, any, &Made(flipped)),
    kind("first-of-block", REDUCING, any, &Made(first)),
    kind("last-of-block", REDUCING, any, &Made(last)),
    kind("truncated", MEAN, integer, &Integers(Rounding::TowardsZero)),
    kind("half-away", MEAN, integer, &Integers(Rounding::NearestAway)),
    kind("sum-saturates", MEAN, integer, &SaturatingSum),
    kind("sum-of-own-type", MEAN, summed_wider, &OF_OWN_TYPE),
    kind("sum-exact", MEAN, summed_inexactly, &EXACT),
    kind("sum-backwards", MEAN, summed_inexactly, &BackwardsSum),
    kind("upper", MEDIAN, any, &UpperMedian),
    kind("mean-of-middles", MEDIAN, number, &Made(mean_of_middles)),
    kind("tie-largest", MODE, real, &LargestOfTie),
    kind("tie-first", MODE, real, &Made(first_of_tie)),
    kind("zeros-left-out", MODE, real, &Made(sparse_mode)),
    kind("other-extreme", EXTREMES, any, &Made(other_extreme)),
    kind("order-of-bits", EXTREMES, signed, &Made(unsigned_order)),
];

const fn kind(
    name: &'static str,
    methods: &'static [Method],
    of: fn(&Format) -> bool,
    wrong: &'static (dyn Downsampling + Sync),
) -> Kind {
    Kind {
        name,
        methods,
        of,
        wrong,
    }
}

fn flipped(block: &Block) -> Option<Vec<u64>> {
    let mut bits = block.reduced()?;
    bits[0] ^= 1;
    Some(bits)
}

fn first(block: &Block) -> Option<Vec<u64>> {
    let parts = block.data_type.format().components();
    Some(block.bits.get(..parts)?.to_vec())
}

fn last(block: &Block) -> Option<Vec<u64>> {
    let parts = block.data_type.format().components();
    Some(block.bits.get(block.bits.len() - parts..)?.to_vec())
}

fn any(_: &Format) -> bool {
    true
}

fn integer(format: &Format) -> bool {
    matches!(format, Format::Integer(_))
}

/// Excludes bools, whose mean is their mode.
fn number(format: &Format) -> bool {
    !matches!(format, Format::Bool)
}

fn real(format: &Format) -> bool {
    !matches!(format, Format::Complex(_))
}

/// Excludes types without a sign, whose bits are in the order of their values.
fn signed(format: &Format) -> bool {
    match format {
        Format::Integer(integer) => integer.signed,
        Format::Float(float) => float.signed,
        Format::Bool | Format::Complex(_) => false,
    }
}

/// Returns the float format of real numbers; the parts of complex numbers are not distinguished here.
fn float(format: &Format) -> Option<FloatFormat> {
    match format {
        Format::Float(float) => Some(*float),
        _ => None,
    }
}

/// Returns whether sums are kept in a wider type; floats of 32 and 64 bits are summed in their own type.
fn summed_wider(format: &Format) -> bool {
    float(format).is_some_and(|float| float.bits() < 32)
}

/// Returns whether sums of few elements can be inexact. For formats with a narrow range, sums need more than 24 bits
/// only from 64 elements on, and no real implementation is known to be wrong only there.
fn summed_inexactly(format: &Format) -> bool {
    float(format).is_some_and(|float| float.exponent_bits >= 5)
}

/// Returns all lies, each for one method and one type.
pub(crate) fn lies() -> Vec<CellMutant> {
    let mut lies = lies_of_texts();
    for &data_type in DataType::ALL {
        for &Kind {
            name,
            methods,
            of,
            wrong,
        } in KINDS
        {
            for &method in methods {
                if method.require(data_type).is_err() || !of(&data_type.format()) {
                    continue;
                }
                lies.push(CellMutant {
                    cell: of_view(method, data_type.name()),
                    kind: name,
                    overrides: decided(Here {
                        method,
                        data_type: Some(data_type),
                        wrong,
                    }),
                    fits: &["downsample."],
                    trial: Arc::new(move |overrides| tried(overrides, method, data_type)),
                });
            }
        }
    }
    lies
}

/// Returns the lies about elements that are not numbers, which are represented by their places in the order instead of
/// bits.
fn lies_of_texts() -> Vec<CellMutant> {
    let format = DataType::Uint64.format();
    let mut lies = Vec::new();
    for &data_type in TextType::ALL {
        for kind in KINDS.iter().filter(|kind| (kind.of)(&format)) {
            for &method in kind.methods {
                if method.require_of_texts(data_type).is_err() {
                    continue;
                }
                let only = Here {
                    method,
                    data_type: None,
                    wrong: kind.wrong,
                };
                let part = move |view: &Downsample, source: &Texts| {
                    (source.data_type() == data_type)
                        .then(|| read_ranked(view, source, source.elements().to_vec(), &only))
                };
                lies.push(CellMutant {
                    cell: of_view(method, data_type.name()),
                    kind: kind.name,
                    overrides: overrides(part),
                    fits: &["downsample."],
                    trial: Arc::new(move |overrides| tried_texts(overrides, method, data_type)),
                });
            }
        }
    }
    lies
}

/// Returns whether overrides differ from the reference for some block of three elements out of three.
fn tried_texts(overrides: &Overrides, method: Method, data_type: TextType) -> Trial {
    let Some(read) = &overrides.texts else {
        return Trial::Truth;
    };
    let element = |index: usize| match data_type {
        TextType::Byte | TextType::Char => Text::Byte([1, 2, 3][index % 3]),
        TextType::String | TextType::Ustring => Text::String(["a", "b", "c"][index % 3].into()),
        TextType::Json => Text::Json(JsonText {
            text: ["null", "false", "true"][index % 3].into(),
            value: [Json::Null, Json::Bool(false), Json::Bool(true)][index % 3].clone(),
        }),
    };
    let shown = |block: usize| {
        let elements = [block / 9, block / 3, block].map(element).to_vec();
        let source = Texts::new(data_type, Domain::of_shape(&[3]).ok()?, elements).ok()?;
        let asked = Downsample {
            levels: vec![Level::new(vec![3], method).ok()?],
            transform: None,
        };
        let right = exactum_reference::downsample::read_texts(&asked, &source).ok()?;
        Some(right != read(&asked, &source)?.ok()?)
    };
    match (0..27).any(|block| shown(block).unwrap_or(false)) {
        true => Trial::Wrong,
        false => Trial::Undecided,
    }
}

/// Returns whether overrides differ from the reference for some block: three elements out of a few, or two large
/// elements and many that are too small to be added to them one by one.
fn tried(overrides: &Overrides, method: Method, data_type: DataType) -> Trial {
    let Some(view) = &overrides.view else {
        return Trial::Truth;
    };
    let format = data_type.format();
    let mask = format.component_mask();
    let mut pool = vec![0, 1, 2, 3, mask >> 1, mask >> 2, (mask >> 1) + 1, mask - 1];
    pool.iter_mut().for_each(|bits| *bits &= mask);
    pool.retain(|&bits| {
        format
            .float()
            .is_none_or(|float| !float.is_nan(bits) && !float.is_infinite(bits))
    });
    let pool = &pool;
    let pairs = pool.iter().flat_map(|&a| pool.iter().map(move |&b| (a, b)));
    let triples = pairs.flat_map(|(a, b)| pool.iter().map(move |&c| vec![a, b, c]));
    let shown = |block: Vec<u64>| {
        let size = block.len() as u64;
        let parts = format.components();
        let bits: Vec<u64> = block.iter().flat_map(|&bits| vec![bits; parts]).collect();
        let array = Array::from_components(data_type, vec![size], bits).ok()?;
        let source = Placed::new(array, vec![0]).ok()?;
        let asked = Downsample {
            levels: vec![Level::new(vec![size], method).ok()?],
            transform: None,
        };
        let right = exactum_reference::downsample::read(&asked, &source).ok()?;
        let wrong = view(&asked, &source)?.ok()?;
        Some(right != wrong)
    };
    let mut blocks = triples.chain(float(&format).and_then(large_and_small));
    match blocks.any(|block| shown(block).unwrap_or(false)) {
        true => Trial::Wrong,
        false => Trial::Undecided,
    }
}

/// Returns two neighbours, a sixteenth of whose sum is a tie, and 14 elements that break the tie only when they are
/// taken together: a sum in float32 loses each of them.
fn large_and_small(float: FloatFormat) -> Option<Vec<u64>> {
    let small = float.max_exponent_field().checked_sub(28)?;
    let large = small + 24;
    let large = large << float.mantissa_bits;
    let mut block = vec![small << float.mantissa_bits; 16];
    block[..2].copy_from_slice(&[large, large + 1]);
    Some(block)
}
