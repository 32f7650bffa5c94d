//! Passes elements through the elementwise codecs and into their stored bytes, block by block. Intermediate
//! results, such as the integers between a cast and `packbits`, never become a whole array.

use alloc::vec::Vec;
use core::ops::Range;

use exactum_model::{ArrayToArray, Bytes, PackBits, PaddingEncoding};

use super::fused::Fused;
use super::last::Last;
use crate::arch::SimdLevel;
use crate::fault::Fault;
use crate::{bytes, packbits};

/// The number of elements in a block, whose stored bits are always whole bytes. The buffer of a block takes
/// at most 32 KiB.
const BLOCK: usize = 4096;
/// The largest size of a real element, in bytes.
const WIDEST: usize = 8;

/// A codec at the end of a chain that stores one element after another.
enum Stored {
    Bytes(Bytes),
    /// `packbits` without a padding byte, which belongs to the whole chunk and not to a block.
    PackBits(PackBits),
}

impl Stored {
    /// Returns the codec of a block, the number of bytes in which elements are stored, and the place of the
    /// elements among these. Returns `None` for zfp, whose blocks are not runs of elements, and if the stored
    /// bytes are those of the elements.
    fn of(last: &Last, elements: usize) -> Option<(Self, usize, Range<usize>)> {
        Some(match last {
            Last::PackBits(codec) => {
                let block = PackBits {
                    padding: PaddingEncoding::None,
                    ..*codec
                };
                let bytes = packbits::packed_bytes(codec, elements as u64).ok()?;
                (Stored::PackBits(block), bytes, packbits::body(codec, bytes))
            }
            Last::Bytes(codec) if !bytes::is_copy(codec) => {
                let bytes = elements.checked_mul(codec.data_type.element_bytes())?;
                (Stored::Bytes(*codec), bytes, 0..bytes)
            }
            Last::Bytes(_) | Last::Zfp(_) => return None,
        })
    }

    /// Returns the number of bytes in which a full block is stored.
    fn block_bytes(&self) -> usize {
        let bits = match self {
            Stored::Bytes(codec) => 8 * codec.data_type.element_bytes(),
            Stored::PackBits(codec) => packbits::element_bits(codec) as usize,
        };
        BLOCK / 8 * bits
    }

    fn encode(&self, elements: &[u8], stored: &mut [u8]) -> Result<(), Fault> {
        match self {
            Stored::Bytes(codec) => bytes::run(codec, elements, stored),
            Stored::PackBits(codec) => {
                packbits::encode_into_at(SimdLevel::best(), codec, elements, stored)
            }
        }
    }

    fn decode(&self, stored: &[u8], elements: &mut [u8]) -> Result<(), Fault> {
        match self {
            Stored::Bytes(codec) => bytes::run(codec, stored, elements),
            Stored::PackBits(codec) => {
                packbits::decode_into_at(SimdLevel::best(), codec, stored, elements)
            }
        }
    }
}

/// Returns whether elements of these data types fit into the buffer of a block, and are numerous enough for
/// blocks to be worthwhile.
fn pays(fused: &Fused, elements: usize) -> bool {
    elements > BLOCK && fused.to.element_bytes() <= WIDEST && fused.from.element_bytes() <= WIDEST
}

/// Encodes elements into their stored bytes. Returns `None` if the codecs do not run in blocks, or if an
/// element may be rejected: which rejection comes first depends on all elements.
pub(super) fn encode(
    (fused, last): (&Fused, &Last),
    steps: &[ArrayToArray],
    input: &[u8],
    output: &mut Vec<u8>,
) -> Option<()> {
    let (from, to) = (fused.from.element_bytes(), fused.to.element_bytes());
    let elements = input.len() / from;
    if !pays(fused, elements) {
        return None;
    }
    let (stored, bytes, body) = Stored::of(last, elements)?;
    output.resize(bytes, 0);
    if let Last::PackBits(codec) = last {
        packbits::write_padding(codec, elements as u64, output).ok()?;
    }
    let mut memory = [0; BLOCK * WIDEST];
    let blocks = output[body].chunks_mut(stored.block_bytes());
    for (source, target) in input.chunks(BLOCK * from).zip(blocks) {
        let between = &mut memory[..source.len() / from * to];
        fused.run(steps, source, between).ok()?;
        stored.encode(between, target).ok()?;
    }
    Some(())
}

/// Decodes bytes of the right length into the memory of the elements. Returns `None` in the same cases as
/// [`encode`], or if the padding is wrong.
pub(super) fn decode(
    (fused, last): (&Fused, &Last),
    steps: &[ArrayToArray],
    encoded: &[u8],
    output: &mut [u8],
) -> Option<()> {
    let (from, to) = (fused.from.element_bytes(), fused.to.element_bytes());
    let elements = output.len() / to;
    if !pays(fused, elements) {
        return None;
    }
    let (stored, bytes, body) = Stored::of(last, elements)?;
    if encoded.len() != bytes {
        return None;
    }
    if let Last::PackBits(codec) = last {
        packbits::check_padding(codec, elements as u64, encoded).ok()?;
    }
    let mut memory = [0; BLOCK * WIDEST];
    let blocks = output.chunks_mut(BLOCK * to);
    for (source, target) in encoded[body].chunks(stored.block_bytes()).zip(blocks) {
        let between = &mut memory[..target.len() / to * from];
        stored.decode(source, between).ok()?;
        fused.run(steps, between, target).ok()?;
    }
    Some(())
}
