//! Collisions: values that get a code with another meaning.

use exactum_exact::Exact;
use exactum_model::{Chain, Format, Rejection};

use super::piece::{Course, Piece, Trace, Wrapping, last_that};
use super::single::{put, single};
use super::step::Event;
use super::{Fault, FaultKind, Special};

/// The meaning of a reserved code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// NaN or an infinity, given by its bits in the array's data type.
    Special(u64),
    /// The fill value, which is outside the range.
    Fill,
    /// The input of an entry of a codec's `scalar_map.encode`.
    EncodeKey {
        /// The index of the codec among the array -> array codecs.
        codec: usize,
        /// The bits of the input, in the data type of the codec's input.
        input: u64,
    },
    /// The output of an entry of a codec's `scalar_map.decode`.
    DecodeKey {
        /// The index of the codec among the array -> array codecs.
        codec: usize,
        /// The bits of the output.
        output: u64,
    },
}

/// A reserved code and its meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reserved {
    code: u64,
    owner: Owner,
    /// The entry of a map that produces the code, as the index of the step and the index of the entry.
    mapped: Option<(usize, usize)>,
}

/// Returns the codes that are reserved for NaN, for infinities, for values that maps replace, and for the fill value
/// if it is outside the range.
///
/// # Errors
/// If the chain has codecs that do not convert elements one by one.
pub(super) fn reserved(
    chain: &Chain,
    course: &Course<'_>,
    specials: &[Special],
    [first, last]: [i128; 2],
) -> Result<Vec<Reserved>, Rejection> {
    let mut all: Vec<Reserved> = Vec::new();
    let format = stored(course);
    // If values that different map entries replace share a code, one of them is lost. A code is therefore
    // reserved once for each entry that produces it.
    let mut add = |reserved: Reserved| {
        let is_new = |known: &Reserved| {
            known.mapped != reserved.mapped || !format.same_value(known.code, reserved.code)
        };
        if all.iter().all(is_new) {
            all.push(reserved);
        }
    };
    let encoding = course.steps.encoding;
    for special in specials {
        if let Ok(stored) = &special.outcome {
            add(Reserved {
                code: stored.code,
                owner: Owner::Special(special.value),
                mapped: entry_of(course, special.value),
            });
        }
    }
    for (index, step) in course.steps.all[..encoding].iter().enumerate() {
        for (place, entry) in step.map.iter().enumerate() {
            let Some(code) = course.forward(entry.output, index + 1, encoding) else {
                continue;
            };
            add(Reserved {
                code,
                owner: Owner::EncodeKey {
                    codec: step.codec,
                    input: entry.input,
                },
                mapped: Some((index, place)),
            });
        }
    }
    let fill = chain.fill_value.component(0);
    let is_inside = course
        .order
        .key(fill)
        .is_some_and(|key| (first..=last).contains(&key));
    if !is_inside && let Ok(stored) = put(&single(chain)?, fill) {
        add(Reserved {
            code: stored.code,
            owner: Owner::Fill,
            mapped: entry_of(course, fill),
        });
    }
    Ok(all)
}

/// Returns the first map entry that replaces a value during encoding.
fn entry_of(course: &Course<'_>, value: u64) -> Option<(usize, usize)> {
    let mut bits = value;
    for (index, step) in course.steps.all[..course.steps.encoding].iter().enumerate() {
        let (label, result) = step.apply(bits, false);
        if let Event::Mapped(place) = label.event {
            return Some((index, place));
        }
        bits = result?;
    }
    None
}

/// Returns the format of the stored codes.
fn stored(course: &Course<'_>) -> Format {
    course.steps.all[course.steps.encoding - 1].to
}

/// Returns faults for the values of these pieces whose codes are reserved, or whose codes a map replaces when they are
/// read. Each code is reported once.
pub(super) fn collisions(
    course: &Course<'_>,
    reserved: &[Reserved],
    pieces: &[Piece],
) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    let format = stored(course);
    for one in reserved {
        let mut all = pieces.iter().filter_map(|piece| meets(course, one, piece));
        let Some(mut fault) = all.next() else {
            continue;
        };
        // The fault may continue in the following pieces.
        for more in all {
            let key = |bits| course.order.key(bits);
            if key(more.first) != key(fault.last).map(|last| last + 1) {
                break;
            }
            fault.last = more.last;
        }
        // The same code may have several owners.
        let is_same = |known: &Fault| {
            code_of_fault(known).is_some_and(|code| format.same_value(code, one.code))
                && (known.first, known.last) == (fault.first, fault.last)
        };
        if !faults.iter().any(is_same) {
            faults.push(fault);
        }
    }
    for piece in pieces {
        let Some(fault) = is_read_by_map(course, piece) else {
            continue;
        };
        let is_new = |known: &Fault| match (code_of_fault(known), code_of_fault(&fault)) {
            (Some(a), Some(b)) => !format.same_value(a, b),
            _ => true,
        };
        if faults.iter().all(is_new) {
            faults.push(fault);
        }
    }
    faults
}

/// Returns the reserved code of a fault.
fn code_of_fault(fault: &Fault) -> Option<u64> {
    match fault.kind {
        FaultKind::Reserved { code, .. } => Some(code),
        _ => None,
    }
}

/// Returns faults for values that a map entry replaces and that decoding does not return as the key of this entry. The
/// comparison is with the key, because the preceding codecs may have turned other values into it.
pub(super) fn lost_keys(course: &Course<'_>, pieces: &[Piece]) -> Vec<Fault> {
    let (encoding, all) = (course.steps.encoding, &course.steps.all);
    let mut faults = Vec::new();
    for piece in pieces {
        let value = course.order.bits(piece.first);
        let is_lost = |index: &usize| {
            let Event::Mapped(_) = piece.low.labels[*index].event else {
                return false;
            };
            let mut decoding = all.iter().enumerate().skip(encoding);
            let mirror = decoding.find(|(_, step)| step.mirror == Some(*index));
            let back = mirror.and_then(|(mirror, _)| piece.low.after(mirror + 1, value));
            let key = piece.low.after(*index, value);
            // A value that is rejected when it is read back has a separate fault.
            let pair = back.zip(key);
            pair.is_some_and(|(back, key)| !all[*index].from.same_value(back, key))
        };
        let steps = 0..encoding.min(piece.low.labels.len());
        let Some(index) = steps.into_iter().find(is_lost) else {
            continue;
        };
        if let Some(code) = piece.low.after(encoding, value) {
            faults.push(Fault {
                kind: FaultKind::KeyLost { code },
                codec: all[index].codec,
                first: value,
                last: course.order.bits(piece.last),
            });
        }
    }
    faults
}

/// Returns a fault for the values of a piece that have a given reserved code, if there are any.
fn meets(course: &Course<'_>, reserved: &Reserved, piece: &Piece) -> Option<Fault> {
    let encoding = course.steps.encoding;
    let format = stored(course);
    if let Some((step, entry)) = reserved.mapped
        && piece.low.labels.get(step)?.event == Event::Mapped(entry)
    {
        return None;
    }
    let code_of = |key: i128, trace: &Trace| trace.after(encoding, course.order.bits(key));
    let is_same = |code: u64| format.same_value(code, reserved.code);
    let (low, high) = (
        code_of(piece.first, &piece.low)?,
        code_of(piece.last, &piece.high)?,
    );
    let compare = |code: u64| {
        let [a, b] = [code, reserved.code].map(|bits| Exact::from_bits(&format, bits));
        a.compare(&b)
    };
    let at = |key: i128| code_of(key, &course.trace(key, encoding, Wrapping::GoesOn));
    let first = match (is_same(low), compare(low), compare(high)) {
        (true, ..) => piece.first,
        // The codes of a piece are monotonic, but may skip the reserved code.
        (_, Some(from), Some(to)) if from != to => {
            let before = last_that(piece.first, piece.last, |key| {
                at(key).and_then(compare) == Some(from)
            });
            before + 1
        }
        _ => return None,
    };
    if !at(first).is_some_and(is_same) {
        return None;
    }
    let last = match is_same(high) {
        true => piece.last,
        false => last_that(first, piece.last, |key| at(key).is_some_and(is_same)),
    };
    let codec = match reserved.owner {
        Owner::EncodeKey { codec, .. } | Owner::DecodeKey { codec, .. } => codec,
        _ => {
            let step = reserved.mapped.map_or(encoding - 1, |(step, _)| step);
            course.steps.all[step].codec
        }
    };
    Some(Fault {
        kind: FaultKind::Reserved {
            code: reserved.code,
            owner: reserved.owner,
        },
        codec,
        first: course.order.bits(first),
        last: course.order.bits(last),
    })
}

/// Returns a fault if a map replaces the codes of a piece when they are read, although no map produced them.
fn is_read_by_map(course: &Course<'_>, piece: &Piece) -> Option<Fault> {
    let (encoding, labels) = (course.steps.encoding, &piece.low.labels);
    let steps = course.steps.all.iter().zip(labels).enumerate();
    let decoding = steps.skip(encoding);
    decoding
        .filter_map(|(_, (step, label))| {
            let Event::Mapped(entry) = label.event else {
                return None;
            };
            let encoder = step.mirror?;
            if labels.get(encoder)?.is_mapped() {
                return None;
            }
            Some(Fault {
                kind: FaultKind::Reserved {
                    code: piece.low.after(encoding, course.order.bits(piece.first))?,
                    owner: Owner::DecodeKey {
                        codec: step.codec,
                        output: step.map[entry].output,
                    },
                },
                codec: step.codec,
                first: course.order.bits(piece.first),
                last: course.order.bits(piece.last),
            })
        })
        .next()
}
