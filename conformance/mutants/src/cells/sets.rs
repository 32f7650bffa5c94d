//! The cells of data sets, each an operation and two types, and of plans, each a policy and a target.

use exactum_conformance::SdsCall;
use exactum_conformance::model::sds::{PlanRequest, Policy, SdsType};

use super::Cell;

/// An operation on a data set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetOp {
    /// Conversion.
    Convert,
    /// Reading from an external format.
    Read,
    /// Writing to an external format.
    Write,
}

/// Returns the cell of a data set of one type; the other type is the requested one.
pub(crate) fn of_set(op: SetOp, from: SdsType, to: Option<SdsType>) -> Cell {
    Cell {
        what: match op {
            SetOp::Convert => "sds.convert",
            SetOp::Read => "sds.read",
            SetOp::Write => "sds.write",
        },
        from: from.name(),
        to: to.map_or("ANY", SdsType::name),
        setting: "",
    }
}

/// Returns the cell of a plan.
pub(crate) fn of_plan(request: &PlanRequest) -> Cell {
    Cell {
        what: "sds.plan",
        from: policy(request.policy),
        to: request.target.name(),
        setting: "",
    }
}

fn policy(policy: Policy) -> &'static str {
    match policy {
        Policy::Tn115 => "tn115",
        Policy::Full => "full",
        Policy::PowerOfTwo => "power_of_two",
        Policy::Decimal => "decimal",
        Policy::Quantum(_) => "quantum",
    }
}

/// Returns the cells that a call touches.
pub(super) fn of_sets(call: &SdsCall) -> Vec<Cell> {
    let (op, sets, to) = match call {
        SdsCall::Convert(sets, to, _) => (SetOp::Convert, sets, Some(*to)),
        SdsCall::Read(sets, cast, ..) => (SetOp::Read, sets, *cast),
        SdsCall::Write(sets, cast, ..) => (SetOp::Write, sets, *cast),
        SdsCall::Plan(request) => return vec![of_plan(request)],
        _ => return Vec::new(),
    };
    let sets = sets.sets().into_iter();
    sets.map(|set| of_set(op, set.data_type(), to)).collect()
}
