//! A zfp codec with one fault: chunks, blocks and what elements are promoted to.

use exactum_conformance::model::{Array, Format, Rejection, Zfp, ZfpScalar};
use exactum_reference::zfp::{decode as right_decode, encode as right_encode};

use super::block::{Bits, Block};
use super::fault::Fault::{self, *};
use super::number::{demote, promote};

/// Encodes a chunk with a fault.
pub(super) fn encode(fault: Fault, codec: &Zfp, input: &Array) -> Result<Vec<u8>, Rejection> {
    let refused = right_encode(codec, input).err();
    if let Some(refused) = refused
        && !matches!(fault, Clamped | Garbage | CentredUnsigned)
    {
        return Err(refused);
    }
    let Some(scalar) = scalar(fault, codec) else {
        return right_encode(codec, input);
    };
    let elements: Vec<u64> = input
        .components()
        .map(|bits| promote(fault, codec, bits))
        .collect();
    let mut bits = Bits::default();
    if fault == Header {
        // "zfp", and the version of the codec.
        bits.push(0x0570_667a, 32);
    }
    let block = Block {
        fault,
        codec,
        scalar,
    };
    for places in blocks(fault, codec, input.shape()) {
        let values: Vec<u64> = places
            .iter()
            .map(|&(place, padding)| match (fault, padding) {
                (ZeroEdge, true) => 0,
                _ => elements[place],
            })
            .collect();
        block.encode(&values, &mut bits);
    }
    Ok(bits.into_bytes(fault))
}

/// Decodes a chunk with a fault.
pub(super) fn decode(
    fault: Fault,
    codec: &Zfp,
    shape: &[u64],
    bytes: &[u8],
) -> Result<Array, Rejection> {
    right_decode(codec, shape, bytes)?;
    let Some(scalar) = scalar(fault, codec) else {
        return right_decode(codec, shape, bytes);
    };
    let mut bits = Bits::of(fault, bytes);
    if fault == Header {
        bits.skip(32);
    }
    let count: u64 = shape.iter().product();
    let mut elements = vec![0; usize::try_from(count).unwrap_or(0)];
    let block = Block {
        fault,
        codec,
        scalar,
    };
    for places in blocks(fault, codec, shape) {
        for ((place, padding), value) in places.into_iter().zip(block.decode(&mut bits)) {
            if !padding {
                elements[place] = value;
            }
        }
    }
    let elements = elements.into_iter().map(|bits| demote(fault, codec, bits));
    Array::from_components(codec.data_type, shape.to_vec(), elements)
}

fn scalar(fault: Fault, codec: &Zfp) -> Option<ZfpScalar> {
    match (fault, codec.data_type.format()) {
        (SixteenBitsAsIntegers, Format::Float(format)) if format.bits() == 16 => {
            Some(ZfpScalar::Int32)
        }
        // The faults are those of larger types: smaller ones are left as they are.
        (_, Format::Float(format)) if format.bits() < 16 => None,
        _ => codec.scalar(),
    }
}

/// The places of a block's elements in the chunk, and whether they pad the block.
type Places = Vec<(usize, bool)>;

/// The blocks of a chunk, in their order.
fn blocks(fault: Fault, codec: &Zfp, shape: &[u64]) -> Vec<Places> {
    let mut shape: Vec<usize> = shape
        .iter()
        .map(|&extent| usize::try_from(extent).unwrap_or(0))
        .collect();
    if shape.is_empty() {
        shape.push(1);
    }
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    // x first.
    let mut axes: Vec<(usize, usize)> = shape.into_iter().zip(strides).collect();
    if fault != FirstAxisFastest {
        axes.reverse();
    }
    let counts: Vec<usize> = axes.iter().map(|(extent, _)| extent.div_ceil(4)).collect();
    let last = |mut index: usize| {
        let mut origin = vec![0; axes.len()];
        let order: Vec<usize> = match fault {
            BlocksByTheLastAxis => (0..axes.len()).rev().collect(),
            _ => (0..axes.len()).collect(),
        };
        for axis in order {
            origin[axis] = 4 * (index % counts[axis]);
            index /= counts[axis];
        }
        origin
    };
    (0..counts.iter().product())
        .map(|index| {
            let origin = last(index);
            (0..1usize << (2 * codec.dimensions()))
                .map(|index| {
                    axes.iter().zip(&origin).enumerate().fold(
                        (0, false),
                        |(place, padding), (axis, (&(extent, stride), &start))| {
                            let step = index >> (2 * axis) & 3;
                            let there = extent - start;
                            let from = match (there, step) {
                                _ if step < there => step,
                                (_, _) if fault == RepeatedEdge => there - 1,
                                (2, 2) => 1,
                                _ => 0,
                            };
                            (place + (start + from) * stride, padding || step >= there)
                        },
                    )
                })
                .collect()
        })
        .collect()
}
