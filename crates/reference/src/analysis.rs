//! Proves what a chain does to all values of a range, without sampling them (spec/chain.md).
//!
//! Every codec that converts elements one by one consists of a few steps. Each step is an exact operation that is
//! monotonic in its input, followed by one rounding, which is monotonic too. A value belongs to one case of each
//! step: its result is in range, an entry of the map replaces it, it becomes one end of the range or the other, or
//! it loses a number of multiples of 2^N. The inputs of a case are adjacent in the order of all inputs. Therefore,
//! the range can be divided into pieces on which every step has a single case.
//!
//! Bisection over the numbers of the array's data type finds the ends of the pieces exactly. On a piece, the stored
//! code and the value that is read back are monotonic, so bisection also finds whether a code occurs, and for which
//! values. The values in between are not examined, because they cannot behave differently.

mod cf;
mod collision;
mod error;
mod lost;
mod lower;
mod missing;
mod number;
mod order;
mod piece;
mod relative;
mod single;
mod step;

use exactum_exact::Exact;
use exactum_model::{Chain, DataType, Rejection};

pub use collision::Owner;
pub use error::WorstError;
pub use lost::Lost;
pub use relative::relative_error;
pub use single::{Stored, put, single, stored_type};

use error::{Measure, Search};
use lower::lower;
use order::Order;
use piece::{Course, Piece, Wrapping};
use step::Event;

/// The maximum number of pieces that are examined. The analysis of a map with more entries is incomplete.
const PIECES: usize = 4096;

/// The maximum number of pieces of values that wrap around. Each piece contains all codes, except for the last one.
const WRAPPED: usize = 64;

/// The number of pieces that are searched for a large error, beginning with the widest.
const WIDEST: usize = 8;

/// The effort that an analysis spends beyond the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The maximum number of codes for which the largest error is computed exactly. For more codes, the analysis
    /// only gives a bound.
    pub codes: usize,
    /// The number of values that are tried in search of a large error if the error is only bounded. If it is 0,
    /// the analysis does not search for lost codes either.
    pub values: u32,
}

/// The results of an analysis of the values of a range.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The data type of the codes.
    pub stored: DataType,
    /// The bits of the smallest and the largest code of values that are stored and do not wrap around. The codes of
    /// scalar map keys are included if the keys are values of the range.
    pub codes: Option<[u64; 2]>,
    /// The faults, each with the interval of values that it affects.
    pub faults: Vec<Fault>,
    /// Whether `faults` lists all faults. If it does not, either only values that wrap around may have further
    /// faults, or the map has too many entries to follow.
    pub complete: bool,
    /// The largest error of a value that is read back; `None` if the error of a value is not defined.
    pub error: Option<WorstError>,
    /// The results for NaN and infinities, if the array's data type has them.
    pub specials: Vec<Special>,
    /// Two codes that are read back as the same value, if such codes were found.
    pub lost: Option<Lost>,
}

impl Analysis {
    /// Returns whether it is proved that every value of the range is stored and read back, that no value is stored
    /// as a reserved code, and that every value that a scalar map replaces is read back as itself.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        self.complete && self.faults.is_empty()
    }
}

/// A fault that affects all values of an interval.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The index of the codec among the array -> array codecs. For the array -> bytes codec, it is their number.
    pub codec: usize,
    /// The bits of the smallest value.
    pub first: u64,
    /// The bits of the largest value.
    pub last: u64,
}

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The codec rejects the values.
    Rejected,
    /// The values are out of range, and are stored as the end of the range or as an infinity.
    Clamped,
    /// The values are out of the range of the stored type and lose multiples of 2^N.
    Wrapped,
    /// The values get a code that has another meaning.
    Reserved {
        /// The bits of the code of the smallest of these values.
        code: u64,
        /// The meaning of the code.
        owner: Owner,
    },
    /// An entry of a scalar map gives the values a code that is not read back as the key of the entry.
    KeyLost {
        /// The bits of the code of the smallest of these values.
        code: u64,
    },
    /// The values are stored, but lose multiples of 2^N when they are read back.
    ReadWrapped,
    /// The values are stored, but rejected when they are read back.
    Unreadable,
    /// The values are stored, but read back as NaN or an infinity.
    NotFinite,
}

/// The result for NaN or an infinity.
#[derive(Clone, Debug)]
pub struct Special {
    /// The bits of NaN or the infinity.
    pub value: u64,
    /// The stored bits and the value that is read back, or the rejection.
    pub outcome: Result<Stored, Rejection>,
}

/// The range of finite values that a chain can store and read back.
#[derive(Clone, Debug)]
pub struct Holding {
    /// The data type of the codes.
    pub stored: DataType,
    /// The smallest and the largest of these values, each as the bits of the value that is read back and the bits
    /// of its code. `None` if there are no such values.
    pub values: Option<[(u64, u64); 2]>,
    /// The distance between values with neighbouring codes; `None` if it is not constant.
    pub step: Option<Exact>,
    /// The fault of the values just above the range, or of those just below if there are no values above. `None` if
    /// no value is out of range.
    pub beyond: Option<FaultKind>,
    /// The results for NaN and infinities, if the array's data type has them.
    pub specials: Vec<Special>,
}

/// Analyses all values from the first to the second end of a range. The ends are bits in the array's data type.
///
/// A fill value that the chain rejects does not reserve a code.
///
/// # Errors
/// If a codec does not convert elements one by one, or if values are not real numbers;
/// [`exactum_model::Reason::OutOfRange`] if an end is not finite or the range is empty.
pub fn analyse(chain: &Chain, range: [u64; 2], effort: Effort) -> Result<Analysis, Rejection> {
    let course = Course {
        steps: lower(chain)?,
        order: Order::of(chain.data_type),
    };
    let [first, last] = keys(&course, range)?;
    let specials = specials(chain)?;
    let (pieces, mut complete) = course.pieces(first, last, Wrapping::Ends, PIECES);
    let mut faults = Vec::new();
    let mut whole = Vec::new();
    for piece in pieces {
        if let Some((kind, codec)) = fault(&course, &piece) {
            add(&mut faults, &course, kind, codec, &piece);
        }
        let mut encoding = piece.low.labels.iter().take(course.steps.encoding);
        match encoding.next_back() {
            Some(label) if label.event.is_rejected() => {}
            // These values are divided further, to find out below whether they get a reserved code.
            Some(label) if label.event.is_wrapped() => {
                let (inner, all) =
                    course.pieces(piece.first, piece.last, Wrapping::GoesOn, WRAPPED);
                complete &= all;
                whole.extend(inner);
            }
            _ => whole.push(piece),
        }
    }
    whole.sort_by_key(|piece| piece.first);
    let reserved = collision::reserved(chain, &course, &specials, [first, last])?;
    let mut found = collision::collisions(&course, &reserved, &whole);
    found.extend(collision::lost_keys(&course, &whole));
    // If values get a reserved code, it is not also reported that they are read back as NaN or an infinity.
    let is_within = |fault: &Fault, other: &Fault| {
        let key = |bits| course.order.key(bits);
        key(other.first) <= key(fault.first) && key(fault.last) <= key(other.last)
    };
    faults.retain(|fault| {
        fault.kind != FaultKind::NotFinite || !found.iter().any(|other| is_within(fault, other))
    });
    faults.extend(found);
    faults.sort_by_key(|fault| course.order.key(fault.first));
    Ok(Analysis {
        stored: stored_type(chain)?,
        codes: codes(&course, &whole),
        error: worst(&course, &whole, &faults, complete, effort),
        lost: match effort.values {
            0 => None,
            _ => lost::lost(chain, &course, &whole),
        },
        faults,
        complete,
        specials,
    })
}

/// Returns the keys of the ends of a range.
fn keys(course: &Course<'_>, range: [u64; 2]) -> Result<[i128; 2], Rejection> {
    match range.map(|bits| course.order.key(bits)) {
        [Some(first), Some(last)] if first <= last => Ok([first, last]),
        _ => Err(Rejection::new(
            exactum_model::Reason::OutOfRange,
            "chain.data_type",
            "a range needs two finite numbers, and the second must not be less than the first",
        )),
    }
}

/// Returns the range of finite values that a chain can store and read back.
///
/// # Errors
/// The same as for [`analyse`], except for those about the range.
pub fn holding(chain: &Chain) -> Result<Holding, Rejection> {
    let course = Course {
        steps: lower(chain)?,
        order: Order::of(chain.data_type),
    };
    let (first, last) = (course.order.first(), course.order.last());
    let (pieces, _) = course.pieces(first, last, Wrapping::Ends, PIECES);
    let mut held: Option<(Piece, Piece)> = None;
    let (mut below, mut above) = (None, None);
    for piece in pieces {
        if let Some((kind, _)) = fault(&course, &piece) {
            match held {
                None => below = Some(kind),
                Some(_) => _ = above.get_or_insert(kind),
            }
            continue;
        }
        let is_own = !piece.low.labels.iter().any(step::Label::is_mapped);
        if is_own {
            let first = held.map_or_else(|| piece.clone(), |(first, _)| first);
            held = Some((first, piece));
            above = None;
        }
    }
    let ends = held.and_then(|(first, last)| {
        let end = |key, trace: &piece::Trace| {
            let value = course.order.bits(key);
            let back = trace.after(course.steps.all.len(), value)?;
            Some((back, trace.after(course.steps.encoding, value)?))
        };
        Some([end(first.first, &first.low)?, end(last.last, &last.high)?])
    });
    Ok(Holding {
        stored: stored_type(chain)?,
        step: step::distance_of_codes(&course.steps.all[..course.steps.encoding]),
        values: ends,
        beyond: above.or(below),
        specials: specials(chain)?,
    })
}

/// Passes NaN and infinities through a chain.
fn specials(chain: &Chain) -> Result<Vec<Special>, Rejection> {
    let Some(format) = chain.data_type.format().float() else {
        return Ok(Vec::new());
    };
    let infinity = format.infinity_bits();
    let all = [
        format.nan_bits(),
        infinity,
        infinity.map(|bits| bits | format.sign_mask()),
    ];
    let one = single(chain)?;
    let special = |value| Special {
        value,
        outcome: put(&one, value),
    };
    Ok(all.into_iter().flatten().map(special).collect())
}

/// Returns the fault of a piece, without considering whether its codes have other meanings.
fn fault(course: &Course<'_>, piece: &Piece) -> Option<(FaultKind, usize)> {
    let steps = &course.steps;
    let mut clamped = None;
    for (index, (step, label)) in steps.all.iter().zip(&piece.low.labels).enumerate() {
        let encodes = index < steps.encoding;
        let kind = match &label.event {
            event if event.is_rejected() && encodes => FaultKind::Rejected,
            event if event.is_rejected() => FaultKind::Unreadable,
            Event::Wrapped { .. } if encodes => FaultKind::Wrapped,
            // A fault of encoding would have been returned already.
            Event::Wrapped { .. } => FaultKind::ReadWrapped,
            Event::Clamped { .. } if encodes => {
                clamped.get_or_insert((FaultKind::Clamped, step.codec));
                continue;
            }
            _ => continue,
        };
        return Some(clamped.unwrap_or((kind, step.codec)));
    }
    if clamped.is_some() {
        return clamped;
    }
    let (last, value) = (steps.all.last()?, course.order.bits(piece.first));
    let back = piece.low.after(steps.all.len(), value)?;
    let is_finite = number::is_finite(&Exact::from_bits(&last.to, back));
    (!is_finite).then_some((FaultKind::NotFinite, last.codec))
}

/// Adds the fault of a piece. Adjacent pieces with the same fault are merged.
fn add(faults: &mut Vec<Fault>, course: &Course<'_>, kind: FaultKind, codec: usize, piece: &Piece) {
    let last = course.order.bits(piece.last);
    if let Some(before) = faults.last_mut()
        && (&before.kind, before.codec) == (&kind, codec)
        && course.order.key(before.last) == Some(piece.first - 1)
    {
        before.last = last;
        return;
    }
    faults.push(Fault {
        kind,
        codec,
        first: course.order.bits(piece.first),
        last,
    });
}

/// Returns the smallest and the largest code of values that do not wrap around.
fn codes(course: &Course<'_>, pieces: &[Piece]) -> Option<[u64; 2]> {
    let encoding = course.steps.encoding;
    let format = course.steps.all.get(encoding.checked_sub(1)?)?.to;
    let mut found: Option<[u64; 2]> = None;
    for piece in pieces {
        let labels = &piece.low.labels[..encoding.min(piece.low.labels.len())];
        if labels.iter().any(|it| it.event.is_wrapped()) {
            continue;
        }
        for (key, trace) in [(piece.first, &piece.low), (piece.last, &piece.high)] {
            let code = trace.after(encoding, course.order.bits(key))?;
            let is_below = |a: u64, b: u64| {
                let [a, b] = [a, b].map(|bits| Exact::from_bits(&format, bits));
                a.compare(&b).is_some_and(std::cmp::Ordering::is_lt)
            };
            let [least, greatest] = found.unwrap_or([code, code]);
            found = Some([
                if is_below(code, least) { code } else { least },
                if is_below(greatest, code) {
                    code
                } else {
                    greatest
                },
            ]);
        }
    }
    found
}

/// Returns the largest error of a value of these pieces.
fn worst(
    course: &Course<'_>,
    pieces: &[Piece],
    faults: &[Fault],
    complete: bool,
    effort: Effort,
) -> Option<WorstError> {
    let has_result = |fault: &Fault| {
        !matches!(
            fault.kind,
            FaultKind::Rejected | FaultKind::Unreadable | FaultKind::NotFinite
        )
    };
    if !complete || !faults.iter().all(has_result) {
        return None;
    }
    let shown = |search: &Search<'_, '_>| {
        let (key, error) = search.worst.clone()?;
        Some((course.order.bits(key), error))
    };
    let mut search = Search::new(course, effort.codes, Measure::Absolute)?;
    if error::may_try(course, pieces, effort.codes) && pieces.iter().all(|piece| search.all(piece))
    {
        let shown = shown(&search);
        let bound = shown.as_ref().map(|(_, error)| error.clone());
        return bound.map(|bound| WorstError { bound, shown });
    }
    let bounds: Option<Vec<Exact>> = pieces
        .iter()
        .map(|piece| error::bound(course, piece))
        .collect();
    let bound = number::largest(bounds?);
    let mut search = Search::new(course, 0, Measure::Absolute)?;
    let mut widest: Vec<&Piece> = pieces.iter().collect();
    widest.sort_by_key(|piece| piece.first - piece.last);
    if effort.values > 0 {
        for piece in widest.into_iter().take(WIDEST) {
            search.some(piece, effort.values);
        }
    }
    let shown = shown(&search);
    Some(WorstError { bound, shown })
}
