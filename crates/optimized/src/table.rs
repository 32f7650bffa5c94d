//! Operations on elements of at most 16 bits, by a table of all of them.

#![allow(
    clippy::cast_possible_truncation,
    reason = "entries are truncated to the width of their elements"
)]

use alloc::vec::Vec;

use exactum_model::DataType;

use crate::lanes::{Lane, map_lanes};

/// The width in bits of the widest elements for which a table is made.
const WIDEST: u32 = 16;

/// Returns whether there are enough `elements` to repay building the table.
pub(crate) fn repays(data_type: DataType, count: usize) -> bool {
    let bits = data_type.format().component_bits();
    bits <= WIDEST && count >= 2 << bits
}

/// Writes `element(bits)` for every element of `input`, if every element of `from` has a result.
///
/// # Errors
/// The index of the first element without a result; nothing is written then.
pub(crate) fn run(
    (from, input): (DataType, &[u8]),
    (to, output): (DataType, &mut [u8]),
    element: impl Fn(u64) -> Option<u64>,
) -> Result<(), usize> {
    // Bits above those of a small element are ignored: every pattern of its bytes has an entry.
    let mask = from.format().component_mask();
    let patterns = 1u64 << (8 * from.element_bytes());
    let table: Vec<Option<u64>> = (0..=mask).map(element).collect();
    let entry = |pattern: u64| table[(pattern & mask) as usize];
    if table.contains(&None) {
        let missing = match from.element_bytes() {
            1 => u8::split(input)
                .iter()
                .position(|&bytes| entry(u8::load(bytes).into()).is_none()),
            _ => u16::split(input)
                .iter()
                .position(|&bytes| entry(u16::load(bytes).into()).is_none()),
        };
        if let Some(index) = missing {
            return Err(index);
        }
    }
    let entries = (0..patterns).map(|pattern| entry(pattern).unwrap_or_default());
    match to.element_bytes() {
        1 => look_up(
            from,
            &entries.map(|bits| bits as u8).collect::<Vec<_>>(),
            input,
            output,
        ),
        2 => look_up(
            from,
            &entries.map(|bits| bits as u16).collect::<Vec<_>>(),
            input,
            output,
        ),
        4 => look_up(
            from,
            &entries.map(|bits| bits as u32).collect::<Vec<_>>(),
            input,
            output,
        ),
        _ => look_up(from, &entries.collect::<Vec<_>>(), input, output),
    }
    Ok(())
}

/// Writes the entry of every element of at most 16 bits from a table of all bit patterns of its bytes.
pub(crate) fn look_up<T: Lane>(from: DataType, table: &[T], input: &[u8], output: &mut [u8]) {
    // The table has a size that contains every index, so that no access is checked.
    if let (1, Some(table)) = (from.element_bytes(), table.first_chunk::<256>()) {
        map_lanes(input, output, |index: u8| table[usize::from(index)]);
    } else if let Some(table) = table.first_chunk::<65536>() {
        map_lanes(input, output, |index: u16| table[usize::from(index)]);
    }
}
