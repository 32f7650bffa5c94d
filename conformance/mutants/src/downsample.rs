//! Mutants of `downsample`: faults of TensorStore, faults of other downsamplers, and likely mistakes.

mod blocks;
mod cells;
mod places;
mod reader;
mod texts;

use exactum_conformance::model::{Domain, Downsample, Level, Method, Placed, Rounding, Transform};
use exactum_conformance::{Fault, Request};
use exactum_reference::downsample::{Downsampling, read, read_with};
use serde_json::{Map, Value, json};

use super::arithmetic::{BINARY32, BINARY64, through};
use super::{Mutant, NONE, Overrides, misread, mutant};
use blocks::*;
pub(crate) use cells::lies;
use places::*;
use reader::{BlockPart, Here, Made, Positions, decided, views};

/// Returns a mutant with wrong decisions.
fn row(
    name: &'static str,
    clauses: &'static str,
    fault: &'static str,
    wrong: impl Downsampling + Send + Sync + 'static,
) -> Mutant {
    mutant(name, clauses, fault, decided(wrong))
}

/// Replaces the positions that are reduced to one element of a level.
fn block(block: BlockPart) -> Positions {
    Positions {
        domain: None,
        block: Some(block),
    }
}

/// Replaces the positions of a level.
fn domain(domain: fn(&Level, &Domain) -> Option<Domain>) -> Positions {
    Positions {
        domain: Some(domain),
        block: None,
    }
}

/// Returns a fault that shows only under such a transform.
fn under(shows: fn(&Transform) -> bool, wrong: Positions) -> Overrides {
    views(move |view, source| {
        let shown = view.transform.as_ref().is_some_and(shows);
        shown.then(|| read_with(&wrong, view, source))
    })
}

/// Replaces the requested transform.
fn transform(change: fn(&Transform, &Domain) -> Option<Transform>) -> Overrides {
    views(move |view, source| {
        let (domains, _) = view.answer(source).ok()?;
        let other = Downsample {
            levels: view.levels.clone(),
            transform: Some(change(view.transform.as_ref()?, domains.last()?)?),
        };
        Some(read(&other, source))
    })
}

/// Replaces the requested levels.
fn levels(change: fn(&[Level]) -> Option<Vec<Level>>) -> Overrides {
    views(move |view, source| {
        view.answer(source).ok()?;
        let other = Downsample {
            levels: change(&view.levels)?,
            transform: view.transform.clone(),
        };
        Some(read(&other, source))
    })
}

/// Does not enforce a clause: requests that it rejects are answered with the base.
fn unchecked(clause: &'static str) -> Overrides {
    views(move |view, source| match view.answer(source) {
        Err(rejection) if rejection.clause == clause => Some(Ok(source.clone())),
        _ => None,
    })
}

/// Answers with an origin of 0.
fn origin_lost() -> Overrides {
    views(|view, source| {
        let array = read(view, source).ok()?.array().clone();
        let origin = vec![0; array.shape().len()];
        Some(Placed::new(array, origin))
    })
}

/// Changes the answer about a document.
fn resolved(change: crate::overrides::ResolvedPart) -> Overrides {
    Overrides {
        resolved: Some(change),
        ..NONE
    }
}

/// Changes requests that a clause rejects.
fn where_rejected(request: &mut Request, clause: &str, change: fn(&mut Map<String, Value>)) {
    let rejected = match request.call() {
        Err(Fault::Reject(rejection)) => rejection.clause == clause,
        _ => false,
    };
    if rejected && request.op() == "downsample.read" {
        change(request.members_mut());
    }
}

fn without_transform(members: &mut Map<String, Value>) {
    members.remove("transform");
}

fn ones(value: Option<&mut Value>) {
    let factors = value.and_then(Value::as_array_mut);
    for factor in factors.into_iter().flatten() {
        if *factor == json!(0) {
            *factor = json!(1);
        }
    }
}

fn zeros_to_ones(members: &mut Map<String, Value>) {
    ones(members.get_mut("factors"));
    let then = members.get_mut("then").and_then(Value::as_array_mut);
    for level in then.into_iter().flatten() {
        ones(level.get_mut("factors"));
    }
}

/// Returns the levels from the last to the first.
fn backwards(levels: &[Level]) -> Option<Vec<Level>> {
    Some(levels.iter().rev().cloned().collect())
}

/// Returns the factors cut to 32 bits.
fn in_32_bits(levels: &[Level]) -> Option<Vec<Level>> {
    let cut = |level: &Level| {
        let factors = level.factors().iter();
        let factors = factors.map(|factor| (*factor % (1_u64 << 32)).max(1));
        Level::new(factors.collect(), level.method()).ok()
    };
    levels.iter().map(cut).collect()
}

/// Returns one level with the product of all factors and the last method.
fn at_once(levels: &[Level]) -> Option<Vec<Level>> {
    let (first, rest) = levels.split_first()?;
    let mut factors = first.factors().to_vec();
    for level in rest {
        for (factor, by) in factors.iter_mut().zip(level.factors()) {
            *factor *= by;
        }
    }
    let level = Level::new(factors, levels.last()?.method()).ok()?;
    Some(vec![level])
}

pub(super) fn mutants() -> Vec<Mutant> {
    [
        blocks_and_positions(),
        accepted_views(),
        wrong_means(),
        ranked_methods(),
        special_values(),
        resolved_documents(),
        texts::mutants(),
    ]
    .concat()
}

#[rustfmt::skip] // A table.
fn blocks_and_positions() -> Vec<Mutant> {
    vec![
        row("downsample-edge-repeated", "downsample.bounds downsample.bounds.others",
            "An incomplete block is padded with the elements at the edge (TensorStore before \
             strides and index arrays, tinybrain).",
            block(repeated_at_the_edge)),
        mutant("downsample-edge-repeated-where-selected", "downsample.transform",
            "Blocks at the edge are padded with the edge if an index array or a stride selects elements (TensorStore).",
            under(selects, block(repeated_at_the_edge))),
        mutant("downsample-blocks-reversed", "downsample.transform",
            "A view that is read backwards has other blocks, which begin and end one element early (TensorStore).",
            under(reverses, block(one_early))),
        row("downsample-past-the-base", "downsample.bounds downsample.bounds.others",
            "A base within a single block is read past its end (TensorStore).",
            block(past_inside_one_block)),
        row("downsample-partial-blocks-dropped", "downsample.bounds downsample.bounds.others",
            "Incomplete blocks are dropped (zarrs_tools, topozarr).",
            domain(whole_blocks)),
        mutant("downsample-factors-in-32-bits", "downsample.factors.huge",
            "Factors are truncated to 32 bits.",
            levels(in_32_bits)),
        row("downsample-blocks-from-the-origin", "downsample.origin downsample.domain",
            "Blocks are counted from the origin of the base, not from 0.",
            Positions { domain: Some(from_origin_domain), block: Some(from_origin) }),
        row("downsample-truncating-division", "downsample.origin downsample.domain",
            "Negative positions are divided towards zero.",
            Positions { domain: Some(truncated_domain), block: Some(truncated_block) }),
        row("downsample-empty-at-zero", "downsample.domain",
            "A view of an empty base has the origin 0.",
            domain(empty_at_zero)),
        row("downsample-stride-from-the-floor", "downsample.domain.stride",
            "A stride has the positions that the other methods have.",
            domain(stride_from_floor)),
        row("downsample-stride-from-the-origin", "downsample.stride downsample.domain.stride",
            "A stride begins at the first element, regardless of its position.",
            Positions { domain: Some(stride_from_origin_domain), block: Some(stride_from_origin) }),
        row("downsample-stride-takes-the-last", "downsample.stride",
            "A stride is the last element of a block.",
            block(last_of_stride)),
        row("downsample-stride-quiets-nan", "downsample.stride",
            "Strided NaNs lose their bits.",
            Made(stride_quiets)),
        row("downsample-factors-of-one-compute", "downsample.identity",
            "A level whose factors are 1 is computed: NaNs lose their bits, and -0 its sign.",
            wrong!(Downsampling: fn is_identity(&self, _: &Level) -> bool { false })),
        mutant("downsample-levels-at-once", "downsample.chained",
            "A view of a view is computed from the first base (the mean of means would be different).",
            levels(at_once)),
        mutant("downsample-levels-backwards", "downsample.chained",
            "The last level is computed first.",
            levels(backwards)),
        mutant("downsample-transform-offset-lost", "downsample.transform",
            "The offset of a transform is lost.",
            transform(offset_lost)),
        mutant("downsample-transform-stride-lost", "downsample.transform",
            "The stride of a transform is lost.",
            transform(stride_lost)),
        mutant("downsample-transform-dimensions-in-order", "downsample.transform",
            "The dimensions of a transform are treated as if they were in order.",
            transform(dimensions_in_order)),
        mutant("downsample-transform-indices-sorted", "downsample.transform",
            "An index array is sorted.",
            transform(indices_sorted)),
        mutant("downsample-origin-lost", "downsample.origin downsample.domain",
            "The answer begins at 0.",
            origin_lost()),
        misread("downsample-transform-form-unchecked", "downsample.transform.form",
            "A transform that does not fit the view is ignored.",
            |request| where_rejected(request, "downsample.transform.form", without_transform)),
        misread("downsample-transform-bounds-unchecked", "downsample.transform.bounds",
            "A transform that leaves the view is ignored.",
            |request| where_rejected(request, "downsample.transform.bounds", without_transform)),
    ]
}

#[rustfmt::skip] // A table.
fn accepted_views() -> Vec<Mutant> {
    vec![
        mutant("downsample-limit-unchecked", "downsample.limit",
            "A result that is too large is replaced by a smaller one.",
            unchecked("downsample.limit")),
        mutant("downsample-rank-unchecked", "downsample.factors.rank",
            "A number of factors that differs from the number of dimensions is ignored.",
            unchecked("downsample.factors.rank")),
        misread("downsample-factor-zero", "downsample.factors.range",
            "A factor of 0 counts as 1.",
            |request| where_rejected(request, "downsample.factors.range", zeros_to_ones)),
        mutant("downsample-complex-ordered", "downsample.data_types",
            "Complex numbers have a median, a min and a max.",
            unchecked("downsample.data_types")),
        row("downsample-listed-types-only", "downsample.data_types.others",
            "Data types that TensorStore lacks are all zeros.",
            Made(zero_of_unlisted)),
    ]
}

#[rustfmt::skip] // A table.
fn wrong_means() -> Vec<Mutant> {
    vec![
        row("downsample-mean-truncates", "downsample.mean.integer",
            "Means of integers are truncated (tinybrain, zarrs_tools).",
            Integers(Rounding::TowardsZero)),
        row("downsample-mean-floors", "downsample.mean.integer",
            "Means of integers are rounded down.",
            Integers(Rounding::TowardsNegative)),
        row("downsample-mean-ties-away", "downsample.mean.integer",
            "Ties of means go away from zero.",
            Integers(Rounding::NearestAway)),
        row("downsample-mean-sum-wraps", "downsample.mean.integer",
            "The sum of uint64 wraps (tinybrain).",
            WrappingSum),
        row("downsample-mean-sum-saturates", "downsample.mean.integer",
            "The sum stops at the largest number of the type (topozarr).",
            SaturatingSum),
        row("downsample-mean-binary64", "downsample.mean.integer",
            "Means of large integers go through binary64 (topozarr, zarrs_tools).",
            SumInBinary64),
        row("downsample-mean-of-means", "downsample.mean.integer",
            "Halves are averaged and rounded, and their means again.",
            Made(halved)),
        row("downsample-tie-is-true", "downsample.mean.bool",
            "An equal number of true and false gives true.",
            Made(tie_is_true)),
        row("downsample-mean-of-small-floats-zero", "downsample.mean.float",
            "Means of float8 and float4 types are 0 (TensorStore).",
            Made(zero_of_small)),
        row("downsample-mean-backwards", "downsample.mean.float",
            "The sum begins at the end.",
            BackwardsSum),
        row("downsample-mean-by-columns", "downsample.mean.float",
            "The sum is computed by columns (TensorStore, if the memory is laid out that way).",
            block(by_columns)),
        row("downsample-mean-exact", "downsample.mean.float",
            "The sum is exact.",
            EXACT),
        row("downsample-mean-float64", "downsample.mean.float",
            "All sums are computed in float64.",
            Sums(|sum, _| through(sum, &BINARY64))),
        row("downsample-mean-float32", "downsample.mean.float",
            "All sums are computed in float32.",
            Sums(|sum, _| through(sum, &BINARY32))),
        row("downsample-mean-own-type", "downsample.mean.float",
            "Sums of float16 are computed in float16.",
            OF_OWN_TYPE),
        row("downsample-mean-by-reciprocal", "downsample.mean.float",
            "The sum is multiplied with the reciprocal of the count.",
            ByReciprocal),
        row("downsample-mean-overflow-largest", "downsample.mean.overflow",
            "A mean that overflows is the largest value.",
            Made(largest_mean)),
        row("downsample-complex-mean-of-real-parts", "downsample.mean.complex",
            "Both parts of a complex mean are the mean of the real parts.",
            Made(real_parts_only)),
    ]
}

#[rustfmt::skip] // A table.
fn ranked_methods() -> Vec<Mutant> {
    vec![
        row("downsample-median-upper", "downsample.median.even",
            "Of two elements in the middle the median is the upper one.",
            UpperMedian),
        row("downsample-median-of-two", "downsample.median downsample.median.even",
            "Of two elements in the middle the median is the mean (NumPy, scikit-image).",
            Made(mean_of_middles)),
        row("downsample-median-of-whole", "downsample.bounds.others",
            "The middle of an incomplete block is that of a complete one.",
            MiddleOfWhole),
        row("downsample-mode-tie-largest", "downsample.mode.tie",
            "Of equally frequent elements the mode is the largest.",
            LargestOfTie),
        row("downsample-mode-tie-first", "downsample.mode.tie",
            "Of equally frequent elements the mode is the first (tinybrain).",
            Made(first_of_tie)),
        row("downsample-mode-sparse", "downsample.mode",
            "Zeros are not counted (tinybrain, sparse).",
            Made(sparse_mode)),
        row("downsample-mode-smallest", "downsample.mode",
            "The mode is the smallest element.",
            Made(smallest)),
        row("downsample-mode-imaginary-first", "downsample.mode.complex",
            "Complex numbers are ordered by their imaginary parts first.",
            ImaginaryFirst),
        row("downsample-min-is-max", "downsample.min downsample.max",
            "Min and max are exchanged.",
            Made(other_extreme)),
        row("downsample-unsigned-order", "downsample.min downsample.max",
            "Min and max compare bits.",
            Made(unsigned_order)),
    ]
}

#[rustfmt::skip] // A table.
fn special_values() -> Vec<Mutant> {
    vec![
        row("downsample-nan-is-extreme", "downsample.special.nan",
            "Min and max are NaN if any element is NaN (NumPy).",
            Made(nan_is_extreme)),
        row("downsample-extremes-of-nan-infinite", "downsample.special.nan",
            "Min and max of nothing but NaN are infinite (TensorStore).",
            Made(infinite_seed)),
        row("downsample-nan-seed", "downsample.min downsample.max",
            "Min and max of types without an infinity are NaN (TensorStore).",
            Made(nan_seed)),
        row("downsample-e8m0fnu-signed", "downsample.min downsample.median",
            "float8_e8m0fnu is ordered as if it had a sign (TensorStore).",
            SignOfUnsigned),
        row("downsample-nan-first", "downsample.special.nan",
            "NaN comes first in a median.",
            Here { method: Method::Median, data_type: None, wrong: &NanFirst }),
        row("downsample-nans-apart", "downsample.special.nan",
            "No NaN equals another in a mode.",
            NansApart),
        row("downsample-nan-left-out", "downsample.special.nan",
            "NaN is left out of a mean (nanmean).",
            Made(nan_left_out)),
        row("downsample-first-zero", "downsample.special.zero",
            "Of several zeros the first decides the sign (TensorStore).",
            Made(first_zero)),
        row("downsample-zero-without-sign", "downsample.special.zero",
            "Zeros have no sign.",
            Made(zero_without_sign)),
        row("downsample-sum-from-the-first", "downsample.special.zero",
            "A sum begins with its first element, so that the mean of -0 is -0.",
            SumFromFirst),
    ]
}

#[rustfmt::skip] // A table.
fn resolved_documents() -> Vec<Mutant> {
    vec![
        mutant("downsample-units-of-the-base", "downsample.document.units",
            "The units of the view are those of the base.",
            resolved(units_of_base)),
        mutant("downsample-units-without-strides", "downsample.document.units",
            "The strides of a transform leave the units as they are.",
            resolved(units_without_strides)),
        mutant("downsample-units-of-any", "downsample.document.units",
            "A dimension to which no dimension is mapped has the unit of another one.",
            resolved(units_of_any)),
        mutant("downsample-chunks-of-the-base", "downsample.document.chunks",
            "The chunks of the view are as long as those of the base.",
            resolved(chunks_of_base)),
    ]
}
