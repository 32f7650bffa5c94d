//! Packings into integers.

use std::cmp::Ordering;

use exactum_exact::{Exact, Rounded, round};
use exactum_model::sds::Policy;
use exactum_model::{DataType, Format, IntegerFormat, Rounding};
use exactum_reference::sds::power_not_above;

use super::arithmetic::{less, magnitude, more, whole};
use super::codes::Codes;
use super::layout::{beside, rounded};
use super::survival::{Misfit, Search};
use super::{Candidate, Layout, Request, Step, Target};

/// The distances, in places below the desired scale, at which other scales are tried one after another.
const SHRINKS: [i64; 12] = [
    0,
    1,
    2,
    4,
    16,
    1 << 8,
    1 << 12,
    1 << 18,
    1 << 24,
    1 << 36,
    1 << 44,
    1 << 50,
];

/// The number of powers by which a scale of powers may be above or below the desired one.
const POWERS: i32 = 8;

/// Returns the packing into integers.
///
/// # Errors
/// If nothing is proved. The message gives the reason.
pub(super) fn integer(request: &Request, target: Target) -> Result<Candidate, String> {
    let needs = request.needs;
    let is_integer = matches!(request.data_type.format(), Format::Integer(_));
    let mut why = None;
    // A fill value that is not the value of a code gets a separate code.
    for has_fill in [false, true] {
        if has_fill && request.fill_value.is_none() {
            continue;
        }
        let codes = match Codes::of(target, needs, has_fill) {
            Ok(codes) => codes,
            Err(words) => return Err(why.unwrap_or(words)),
        };
        let search = Search {
            request,
            target,
            codes,
            work: if is_integer {
                DataType::Float64
            } else {
                request.data_type
            },
        };
        if is_integer && (request.step.is_none() || request.is_single()) {
            let whole = Search {
                work: request.data_type,
                ..search.clone()
            };
            if let Some(candidate) = whole.without_scale() {
                return Ok(candidate);
            }
        }
        match search.best() {
            Ok(candidate) => return Ok(candidate),
            Err(words) => why = why.or(Some(words)),
        }
    }
    Err(why.unwrap_or_else(|| "there is no such packing".into()))
}

/// Returns the packings into unsigned integers, or into signed ones if -Infinity needs a code, with no more
/// bits than the steps need.
pub(super) fn narrow(request: &Request) -> Vec<Candidate> {
    let is_sized = matches!(request.step, Some(Step::Size(_)))
        || request.step.is_none()
            && (request.tolerance.absolute.is_some() || request.tolerance.relative.is_some());
    let most = request.data_type.format().component_bits().min(32);
    if !is_sized {
        return Vec::new();
    }
    let is_signed = request.needs.negative_infinity;
    let holder = |bits: u32| {
        let mut all = DataType::ALL.iter().copied();
        all.find(|holder| match holder.format() {
            Format::Integer(IntegerFormat { bits: all, signed }) => {
                all >= 8 && all >= bits && signed == is_signed
            }
            _ => false,
        })
    };
    let fits = |bits: u32| {
        let data_type = holder(bits)?;
        integer(request, Target { data_type, bits }).ok()
    };
    // If a packing fits, it also fits into more bits.
    let (mut no, mut yes) = (1, most);
    let Some(mut found) = fits(most) else {
        return Vec::new();
    };
    while yes - no > 1 {
        let middle = no.midpoint(yes);
        match fits(middle) {
            Some(candidate) => {
                found = candidate;
                yes = middle;
            }
            None => no = middle,
        }
    }
    // Types with these numbers of bits exist, and they are tried as separate targets.
    if [2, 4, 8, 16, 32].contains(&found.target.bits) {
        return Vec::new();
    }
    vec![found]
}

/// The position of a range among the codes.
#[derive(Clone, Copy, Debug)]
enum Anchor {
    /// The middle of the range gets a code, which is given by its double.
    Middle(i128),
    /// The least value gets the least free code.
    Least,
    /// The greatest value gets the greatest free code.
    Greatest,
}

impl Search<'_> {
    fn best(&self) -> Result<Candidate, String> {
        if self.request.is_single() {
            return self.single();
        }
        let (low, high) = (self.codes.low, self.codes.high);
        let full = Exact::integer(high - low).divide(&self.distance());
        let three_quarters = Exact::integer(3 << (self.target.bits - 2)).divide(&self.distance());
        // Types of a few bits may have fewer free codes than three quarters of all codes.
        let three_quarters = less(three_quarters, full.clone());
        let centre = Anchor::Middle(2 * Codes::centre(self.target));
        let middle = Anchor::Middle(low + high);
        match &self.request.step {
            Some(Step::Size(size)) => {
                let scale = Exact::integer(1).divide(size);
                self.around(&scale, centre, false)
                    .or_else(|why| self.around(&scale, middle, false).map_err(|_| why))
            }
            Some(Step::Policy(Policy::Full)) => self.around(&full, middle, true),
            Some(Step::Policy(Policy::PowerOfTwo)) => self.powers(&three_quarters, 2, centre),
            Some(Step::Policy(Policy::Decimal)) => self.powers(&three_quarters, 10, centre),
            Some(Step::Policy(Policy::Quantum(bits))) => {
                let size = Exact::from_bits(&DataType::Float64.format(), *bits);
                let request = Request {
                    step: Some(Step::Size(size)),
                    ..self.request.clone()
                };
                let search = Search {
                    request: &request,
                    ..self.clone()
                };
                search.best()
            }
            None if self.is_free() => self.around(&three_quarters, centre, true),
            Some(Step::Policy(Policy::Tn115)) => self.around(&three_quarters, centre, true),
            None => self.coarsest(middle),
        }
    }

    /// Returns whether every error is allowed.
    fn is_free(&self) -> bool {
        let tolerance = &self.request.tolerance;
        tolerance.absolute.is_none() && tolerance.relative.is_none()
    }

    fn distance(&self) -> Exact {
        let [least, greatest] = self.request.ends();
        greatest.subtract(&least)
    }

    /// Returns the packing of a single value, which is the offset itself: the value minus the offset is zero,
    /// and is read back exactly.
    fn single(&self) -> Result<Candidate, String> {
        let [value, _] = self.request.ends();
        let offset = rounded(&value, self.work).ok_or("the value is not finite")?;
        let scale = match &self.request.step {
            Some(Step::Size(size)) => rounded(&Exact::integer(1).divide(size), self.work),
            _ => None,
        };
        let one = rounded(&Exact::integer(1), self.work).ok_or("there is no scale of 1")?;
        // The distance between the value and a fill value may be one step.
        let fill = self.request.fill_value.map(|bits| self.request.value(bits));
        let apart = fill.and_then(|fill| {
            let apart = fill.subtract(&value);
            rounded(&Exact::integer(1).divide(&apart), self.work)
        });
        let scales = [scale, Some(one), apart];
        let usable = scales.into_iter().flatten().filter(|scale| *scale != 0);
        let scaled = usable.map(|scale| (Some(offset), Some(scale), None));
        // An entry of the map returns the value regardless of the arithmetic.
        let mapped = (None, None, Some(offset));
        let mut why = None;
        for (offset, scale, key) in scaled.chain([mapped]) {
            let code = self.target.code_bits(self.codes.low);
            let layout = Layout {
                offset,
                scale,
                map: key.map(|key| (key, code)).into_iter().collect(),
                ..Layout::plain(self.work, self.target)
            };
            match self.with_fill(layout).map_err(Misfit::words) {
                Ok(layout) => {
                    let candidate = self.finish(layout)?;
                    if matches!(candidate.error, Exact::Zero { .. }) {
                        return Ok(candidate);
                    }
                }
                Err(words) => why = why.or(Some(words)),
            }
        }
        Err(why.unwrap_or_else(|| "the value is not read back exactly".into()))
    }

    /// Returns the first packing that is proved for a scale or its neighbours. Unless the scale may shrink,
    /// it stays unchanged.
    fn around(&self, scale: &Exact, anchor: Anchor, shrinks: bool) -> Result<Candidate, String> {
        self.nearby(scale, anchor, shrinks)
            .and_then(|layout| self.finish(layout))
    }

    fn nearby(&self, scale: &Exact, anchor: Anchor, shrinks: bool) -> Result<Layout, String> {
        let Some(wished) = rounded(scale, self.work).filter(|bits| {
            let is_zero = self.work.format().same_value(*bits, 0);
            !is_zero
        }) else {
            return Err(format!(
                "the scale of this range cannot be represented in {}",
                self.work
            ));
        };
        let mut why = None;
        let shrinks = if shrinks { &SHRINKS[..] } else { &SHRINKS[..1] };
        for places in shrinks {
            let bits = beside(self.work, wished, -places);
            let Some(bits) = bits.filter(|bits| {
                let value = Exact::from_bits(&self.work.format(), *bits);
                matches!(value, Exact::Finite(finite) if !finite.negative)
            }) else {
                break;
            };
            let anchors = [
                Some(anchor),
                self.exact_middle(),
                Some(Anchor::Least),
                Some(Anchor::Greatest),
            ];
            for anchor in anchors.into_iter().flatten() {
                let exact = if *places == 0 {
                    scale.clone()
                } else {
                    self.number(bits)
                };
                let Some(offset) = self.offset(&exact, bits, anchor) else {
                    continue;
                };
                for places in [0, 1, -1, 2, -2] {
                    let Some(offset) = beside(self.work, offset, places) else {
                        continue;
                    };
                    match self.attempt(bits, offset) {
                        Ok(layout) => return Ok(layout),
                        Err(Misfit::Lost(words)) => why = why.or(Some(words)),
                        Err(Misfit::TooCoarse(words)) => {
                            why = Some(words);
                            break;
                        }
                    }
                }
            }
        }
        Err(why.unwrap_or_else(|| "there is no such packing".into()))
    }

    /// Returns the middle of the codes that the array's data type represents exactly, if it does not
    /// represent all of them.
    fn exact_middle(&self) -> Option<Anchor> {
        let float = self.work.format().float()?;
        let exact = 1i128 << (float.mantissa_bits + 1);
        let is_wide = self.codes.high > exact && self.codes.low >= 0;
        is_wide.then_some(Anchor::Middle(self.codes.low + exact))
    }

    fn number(&self, bits: u64) -> Exact {
        Exact::from_bits(&self.work.format(), bits)
    }

    /// Returns the offset of the codec that places the range at an anchor.
    fn offset(&self, exact: &Exact, scale: u64, anchor: Anchor) -> Option<u64> {
        let [least, greatest] = self.request.ends();
        let two = Exact::integer(2);
        let (value, code) = match anchor {
            Anchor::Middle(twice) => (
                least.add(&greatest).divide(&two),
                Exact::integer(twice).divide(&two),
            ),
            Anchor::Least => (least, Exact::integer(self.codes.low)),
            Anchor::Greatest => (greatest, Exact::integer(self.codes.high)),
        };
        // The OFFSET of the note is a binary64 number (sds.plan.offset).
        let mut offset = code.subtract(&exact.multiply(&value));
        if matches!(self.request.step, Some(Step::Policy(Policy::Decimal))) {
            offset = whole(offset);
        }
        let offset = match rounded(&offset, DataType::Float64) {
            Some(bits) => Exact::from_bits(&DataType::Float64.format(), bits),
            None => offset,
        };
        let zero = match offset {
            Exact::Zero { .. } => Exact::Zero { negative: false },
            offset => offset.negate().divide(&self.number(scale)),
        };
        rounded(&zero, self.work)
    }

    /// Tries the greatest power of a base that is not above a scale or, if that is not fine enough, the
    /// powers above it.
    fn powers(&self, limit: &Exact, base: i128, anchor: Anchor) -> Result<Candidate, String> {
        if matches!(limit, Exact::Zero { .. }) {
            let name = self.target.name();
            return Err(format!(
                "{name} has only one code for the values, but a range has two ends"
            ));
        }
        let start = power_not_above(limit, base);
        let base = Exact::integer(base);
        let mut why = None;
        let mut scale = start.clone();
        let (below, above) = match self.is_free() {
            true => (POWERS, 0),
            // This is the coarsest scale within the tolerance.
            false => {
                let lower = self.coarsest_scale();
                let mut steps = 0;
                while let Some(lower) = &lower
                    && scale.compare(lower) == Some(Ordering::Greater)
                    && steps < 1100
                {
                    scale = scale.divide(&base);
                    steps += 1;
                }
                (0, steps + 2)
            }
        };
        for step in 0..=below.max(above) {
            match self.around(&scale, anchor, false) {
                Ok(candidate) => return Ok(candidate),
                Err(words) => why = why.or(Some(words)),
            }
            scale = match step < above {
                true => scale.multiply(&base),
                false => scale.divide(&base),
            };
        }
        Err(why.unwrap_or_else(|| "there is no such packing".into()))
    }

    /// Returns the scale whose steps are twice the allowed error, which is the coarsest possible one. A
    /// relative error is largest within a step of the value nearest to zero.
    fn coarsest_scale(&self) -> Option<Exact> {
        let tolerance = &self.request.tolerance;
        let half = Exact::integer(1).divide(&Exact::integer(2));
        let absolute = tolerance.absolute.as_ref().map(|error| half.divide(error));
        let relative = tolerance.relative.as_ref().map(|part| {
            let steps = half.divide(part).subtract(&Exact::integer(1));
            match steps.is_negative() {
                true => Exact::integer(0),
                false => steps.divide(&self.nearest_to_zero()),
            }
        });
        match (absolute, relative) {
            (Some(a), Some(b)) => Some(more(a, b)),
            (a, b) => a.or(b),
        }
    }

    /// Returns the least magnitude of a value of the range for which a relative error counts.
    fn nearest_to_zero(&self) -> Exact {
        let [least, greatest] = self.request.ends();
        let smallest = self.request.tolerance.smallest.clone();
        match (least.is_negative(), greatest.is_negative()) {
            (false, _) => more(least, smallest),
            (true, true) => more(magnitude(&greatest), smallest),
            (true, false) => smallest,
        }
    }

    /// Returns the packing with the coarsest step that is proved to be within the tolerance.
    fn coarsest(&self, anchor: Anchor) -> Result<Candidate, String> {
        let lower = self.coarsest_scale().ok_or("no error is given")?;
        let (low, high) = (self.codes.low, self.codes.high);
        // Values up to half a step beyond those of the outermost codes are still rounded to these codes.
        let upper = Exact::integer(high - low + 1).divide(&self.distance());
        let needed = lower.multiply(&self.distance());
        if lower.compare(&upper) == Some(Ordering::Greater) {
            return Err(format!(
                "the range needs about {} steps to stay within this error, but {} has only {} codes for them",
                crate::number::brief(&needed),
                self.target.name(),
                high - low + 1
            ));
        }
        let key = |scale: &Exact| match round(scale, &self.work.format(), Rounding::TowardsZero) {
            Rounded::Bits(bits) => Ok(bits.max(1)),
            _ => Err("the scale of this range is not finite".to_owned()),
        };
        let (first, last) = (key(&lower)?, key(&upper)?);
        // Positive floats have the same order as their bits.
        let at = |bits: u64| self.nearby(&self.number(bits), anchor, false);
        let mut why = None;
        let mut best = None;
        let (mut no, mut reach) = (first, 0u64);
        loop {
            let bits = first.saturating_add(reach).min(last);
            match at(bits) {
                Ok(layout) => {
                    best = Some((bits, layout));
                    break;
                }
                Err(words) => why = why.or(Some(words)),
            }
            no = bits;
            if bits == last {
                break;
            }
            reach = (2 * reach).max(1);
        }
        let Some((mut yes, mut layout)) = best else {
            return Err(why.unwrap_or_else(|| "there is no such packing".into()));
        };
        while yes - no > 1 {
            let middle = no + (yes - no) / 2;
            match at(middle) {
                Ok(found) => (yes, layout) = (middle, found),
                Err(_) => no = middle,
            }
        }
        self.finish(layout)
    }

    /// Returns the packing of integers that are stored unchanged, or minus an offset.
    fn without_scale(&self) -> Option<Candidate> {
        let [least, greatest] = self.request.ends();
        let shifts = [
            Exact::integer(0),
            least.subtract(&Exact::integer(self.codes.low)),
            least.clone(),
            greatest.subtract(&Exact::integer(self.codes.high)),
        ];
        shifts.into_iter().find_map(|shift| {
            let offset = rounded(&shift, self.work)?;
            let layout = Layout {
                offset: (offset != 0).then_some(offset),
                ..Layout::plain(self.work, self.target)
            };
            self.with_fill(layout)
                .ok()
                .and_then(|layout| self.finish(layout).ok())
        })
    }
}
