//! Lies of `sds` that are confined to one cell: an operation, the type of the input and the requested type; for plans,
//! a policy and the target.

use std::sync::Arc;

use exactum_conformance::Converted;
use exactum_conformance::model::sds::{
    DataSet, Fill, Infinite, Needs, Output, Plan, PlanRequest, Policy, Profile, Scaling, SdsType,
    Values, Warning,
};
use exactum_reference::sds;

use super::codes;
use super::decided;
use super::faults;
use super::sets::{changed, without_warning};
use super::wrong;
use crate::cells::{Cell, CellMutant, SetOp as Op, Trial, of_plan, of_set};
use crate::data_sets::{SdsAsked, SdsFaults};

const OPS: [Op; 3] = [Op::Convert, Op::Read, Op::Write];

/// A kind of fault.
struct Kind {
    name: &'static str,
    /// The cells in which it is a fault: the operation, the type of the input, and the requested type, if there is one.
    of: fn(Op, SdsType, Option<SdsType>) -> bool,
    wrong: fn(&SdsAsked<'_>, Converted) -> Converted,
}

#[rustfmt::skip] // A table.
const KINDS: &[Kind] = &[
    kind("first-value-off", any, |_, right| changed(right, |it| flip(&mut it.values, true))),
    kind("last-value-off", any, |_, right| changed(right, |it| flip(&mut it.values, false))),
    kind("attributes-unset", keeps_attributes, |_, right| changed(right, |it| it.scaling = Scaling::UNSET)),
    kind("attributes-carried", changes_attributes, |asked, right| changed(right, |it| it.scaling = asked.input().scaling)),
    kind("fill-undefined", any, |_, right| changed(right, |it| it.fill = Fill::Undefined)),
    kind("infinite-unset", has_infinite, |_, right| changed(right, |it| it.infinite = None)),
    kind("truncated", codes_reals, decided::truncates),
    kind("half-even", codes_reals, decided::half_even),
    kind("wrapped", codes_reals, decided::wraps),
    kind("clamped", codes_reals, decided::clamps),
    kind("nan-is-zero", codes_reals, codes::nan_is_zero),
    kind("infinity-is-zero", |op, from, to| codes_reals(op, from, to) && from == SdsType::R8, codes::infinity_is_zero),
    kind("never-autoscaled", codes_reals, decided::never_scaled),
    kind("always-autoscaled", codes_reals, decided::always_autoscaled),
    kind("full-range", codes_reals, decided::full_range),
    kind("single-scaled", codes_reals, decided::single_scaled),
    kind("never-shifted-alone", narrows, decided::never_shifted_alone),
    kind("always-scaled", shortens, decided::narrowing_scales),
    kind("codes-wrap", narrows, wrong::codes_wrap),
    kind("fill-scaled", converts_integers, codes::fill_scaled),
    kind("infinite-scaled", converts_integers, codes::infinite_scaled),
    kind("out-of-range-untold", codes_reals, |_, right| without_warning(right, Warning::DataOutOfRange)),
    kind("autoscaling-untold", codes_reals, |_, right| without_warning(right, Warning::Autoscaled)),
];

const fn kind(
    name: &'static str,
    of: fn(Op, SdsType, Option<SdsType>) -> bool,
    wrong: fn(&SdsAsked<'_>, Converted) -> Converted,
) -> Kind {
    Kind { name, of, wrong }
}

fn any(_: Op, _: SdsType, _: Option<SdsType>) -> bool {
    true
}

fn converts_integers(op: Op, from: SdsType, _: Option<SdsType>) -> bool {
    op == Op::Convert && from.is_integer()
}

fn is_integer(of: Option<SdsType>) -> bool {
    of.is_some_and(SdsType::is_integer)
}

/// Reals to integers.
fn codes_reals(op: Op, from: SdsType, to: Option<SdsType>) -> bool {
    op == Op::Convert && from.is_real() && is_integer(to)
}

/// Integers to integers whose range does not include all of them.
fn narrows(op: Op, from: SdsType, to: Option<SdsType>) -> bool {
    let range = |of: SdsType| of.range(Profile::Tn115);
    let nests = |to: SdsType| range(to).0 <= range(from).0 && range(from).1 <= range(to).1;
    op == Op::Convert && from.is_integer() && to.is_some_and(|to| to.is_integer() && !nests(to))
}

/// Integers to integers with fewer bits.
fn shortens(op: Op, from: SdsType, to: Option<SdsType>) -> bool {
    let bits = |of: SdsType| of.bits(Profile::Tn115);
    narrows(op, from, to) && to.is_some_and(|to| bits(to) < bits(from))
}

/// Returns whether the attributes are set in some answer.
fn keeps_attributes(op: Op, from: SdsType, to: Option<SdsType>) -> bool {
    match op {
        Op::Convert => true,
        // Attributes of reals are ignored, but integers converted from them have some.
        Op::Read => from.is_integer() || is_integer(to),
        // Integers are written as their values.
        Op::Write => to.unwrap_or(from).is_real(),
    }
}

/// Returns whether some answers have other attributes than the input.
fn changes_attributes(op: Op, from: SdsType, to: Option<SdsType>) -> bool {
    match op {
        Op::Convert => codes_reals(op, from, to) || narrows(op, from, to),
        Op::Read => from.is_real(),
        Op::Write => is_integer(Some(to.unwrap_or(from))),
    }
}

/// Returns whether some answers have infinite codes.
fn has_infinite(op: Op, from: SdsType, to: Option<SdsType>) -> bool {
    if from == SdsType::R4 || to == Some(SdsType::R4) {
        return false;
    }
    match op {
        Op::Convert => is_integer(to),
        Op::Read => is_integer(Some(to.unwrap_or(from))),
        // Scaled integers, or integers that were never scaled; reals that are cast to integers are written as their
        // values.
        Op::Write => from.is_integer() || !is_integer(to),
    }
}

/// Flips the lowest bit of the first or the last value.
fn flip(values: &mut Values, first: bool) {
    // Only one bit, so that the flipped value stays in the range of every type.
    fn one<T>(values: &mut [T], first: bool) -> Option<&mut T> {
        match first {
            true => values.first_mut(),
            false => values.last_mut(),
        }
    }
    match values {
        Values::Integers(values) => one(values, first).map(|it| *it ^= 1),
        Values::Singles(values) => one(values, first).map(|it| *it ^= 1),
        Values::Doubles(values) => one(values, first).map(|it| *it ^= 1),
        Values::Complex(_) => None,
    };
}

/// Returns all lies, each for one operation and one pair of types, or for one policy and one target.
pub(crate) fn lies() -> Vec<CellMutant> {
    let real_or_integer = || SdsType::ALL.into_iter().filter(|it| *it != SdsType::C8);
    let mut lies = Vec::new();
    for op in OPS {
        for from in real_or_integer() {
            let any = (op != Op::Convert).then_some(None);
            for to in real_or_integer().map(Some).chain(any) {
                if op == Op::Convert && to == Some(from) {
                    continue;
                }
                let kinds = KINDS.iter().filter(|kind| (kind.of)(op, from, to));
                lies.extend(kinds.map(|kind| lie(op, from, to, kind)));
            }
        }
    }
    lies.extend(planned());
    lies
}

fn lie(op: Op, from: SdsType, to: Option<SdsType>, kind: &Kind) -> CellMutant {
    let &Kind { name, wrong, .. } = kind;
    let cell = of_set(op, from, to);
    let part = move |asked: &SdsAsked<'_>, right: Converted| match asked_of(asked) == cell {
        true => wrong(asked, right),
        false => right,
    };
    CellMutant {
        cell,
        kind: name,
        overrides: faults(SdsFaults {
            answer: Some(Arc::new(part)),
            ..SdsFaults::NONE
        }),
        fits: &["sds."],
        trial: Arc::new(move |overrides| tried(&overrides.sds, op, from, to)),
    }
}

/// Returns the cell of a question.
fn asked_of(asked: &SdsAsked<'_>) -> Cell {
    let (op, to) = match *asked {
        SdsAsked::Convert(_, target, _) => (Op::Convert, Some(target)),
        SdsAsked::Read(_, cast, ..) => (Op::Read, cast),
        SdsAsked::Write(_, cast, ..) => (Op::Write, cast),
    };
    of_set(op, asked.input().data_type(), to)
}

/// Returns whether a fault shows in some of the data sets that can show faults.
fn tried(faults: &SdsFaults, op: Op, from: SdsType, to: Option<SdsType>) -> Trial {
    let profile = Profile::Tn115;
    let reasons = |it: Converted| it.map_err(|rejection| rejection.reason);
    let shows = |set: &DataSet| {
        let asked = match (op, to) {
            (Op::Convert, Some(to)) => SdsAsked::Convert(set, to, profile),
            (Op::Convert, None) => return false,
            (Op::Read, _) => SdsAsked::Read(set, to, None, profile),
            (Op::Write, _) => SdsAsked::Write(set, to, Output::default(), profile),
        };
        reasons(faults.converted(&asked)) != reasons(asked.answer())
    };
    match data_sets(from).iter().any(shows) {
        true => Trial::Wrong,
        false => Trial::Undecided,
    }
}

/// Returns data sets of a type that can show faults.
fn data_sets(of: SdsType) -> Vec<DataSet> {
    let profile = Profile::Tn115;
    let (least, greatest) = of.range(profile);
    let middle = i64::midpoint(least, greatest);
    let infinite = of.standard_infinite(profile);
    let lists: Vec<Vec<f64>> = vec![
        vec![0.25, 1.5, 2.5, -2.5, 100.0],
        vec![1e10, 2.5, 3.0, f64::NAN, -400.0],
        vec![7.5],
        vec![0.5, 2.0, f64::INFINITY, f64::NEG_INFINITY],
    ];
    let codes = vec![
        vec![least, middle, greatest],
        vec![greatest - 9, greatest - 5, greatest - 4],
        vec![middle, middle + 1, middle + 2, infinite.positive],
        vec![least + 2, least + 9, least],
        vec![5],
    ];
    let finite = |list: &Vec<f64>| of == SdsType::R8 || list.iter().all(|it| !it.is_infinite());
    let values: Vec<Values> = match of {
        SdsType::R4 | SdsType::R8 => lists
            .iter()
            .filter(|list| finite(list))
            .map(|list| super::sets::reals(of, list))
            .collect(),
        _ => codes.into_iter().map(Values::Integers).collect(),
    };
    let scalings = [
        (None, None),
        (Some(1.0), None),
        (Some(4.0), Some(3.0)),
        (Some(-0.25), None),
    ];
    let fills = match of.is_integer() {
        true => vec![
            Fill::Undefined,
            Fill::Code(of.standard_fill(profile)),
            Fill::Code(5),
        ],
        false => vec![Fill::Undefined, Fill::Nan, Fill::Real(2.5_f64.to_bits())],
    };
    let infinities: Vec<Option<Infinite>> = match of.is_integer() {
        true => vec![None, Some(infinite)],
        false => vec![None],
    };
    let mut sets = Vec::new();
    for values in &values {
        for (scale, offset) in scalings {
            for fill in &fills {
                for infinite in &infinities {
                    let scaling = Scaling::of(scale.map(f64::to_bits), offset.map(f64::to_bits));
                    let set = DataSet::new(of, values.clone(), scaling, *fill, *infinite, profile);
                    sets.extend(set);
                }
            }
        }
    }
    sets
}

/// A kind of fault in plans.
type PlanKind = (&'static str, fn(&mut Plan));

const PLAN_KINDS: [PlanKind; 7] = [
    ("scale-off", |it| up(&mut it.scale)),
    ("offset-off", |it| up(&mut it.offset)),
    ("error-off", |it| up(&mut it.maximum_error)),
    ("headroom-off", |it| {
        if let Some(headroom) = &mut it.headroom {
            up(headroom);
        }
    }),
    ("fill-unset", |it| it.fill = None),
    ("fill-off", |it| it.fill = it.fill.map(|code| code ^ 1)),
    ("headroom-unset", |it| it.headroom = None),
];

/// Advances to the next number, by its bits.
fn up(bits: &mut u64) {
    *bits ^= 1;
}

fn planned() -> Vec<CellMutant> {
    let policies = [
        Policy::Tn115,
        Policy::Full,
        Policy::PowerOfTwo,
        Policy::Decimal,
        Policy::Quantum(0.5_f64.to_bits()),
    ];
    let mut lies = Vec::new();
    for of in policies {
        for target in SdsType::ALL.into_iter().filter(|it| it.is_integer()) {
            for (name, wrong) in PLAN_KINDS {
                let asked = PlanRequest {
                    minimum: 0.0_f64.to_bits(),
                    maximum: 3.0_f64.to_bits(),
                    target,
                    needs: Needs {
                        nan: true,
                        ..Needs::default()
                    },
                    policy: of,
                    profile: Profile::Tn115,
                };
                let cell = of_plan(&asked);
                let part = move |request: &PlanRequest, right: Result<Plan, _>| {
                    let mut plan = right?;
                    if of_plan(request) == cell {
                        wrong(&mut plan);
                    }
                    Ok(plan)
                };
                lies.push(CellMutant {
                    cell,
                    kind: name,
                    overrides: faults(SdsFaults {
                        planned: Some(Arc::new(part)),
                        ..SdsFaults::NONE
                    }),
                    fits: &["sds.plan"],
                    trial: Arc::new(move |overrides| {
                        let right = sds::plan(&asked).ok();
                        let plan = overrides.sds.planned.as_ref();
                        let wrong = plan.and_then(|part| part(&asked, sds::plan(&asked)).ok());
                        match right == wrong {
                            true => Trial::Undecided,
                            false => Trial::Wrong,
                        }
                    }),
                });
            }
        }
    }
    lies
}
