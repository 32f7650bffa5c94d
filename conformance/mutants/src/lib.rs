//! Mutants: implementations with one fault each.
//!
//! A mutant is the reference with one thing wrong, and the clause that the fault breaks. The
//! vectors must find every one of them: a clause whose mutants all live is only cited, not covered
//! (see [`coverage`]). Faults are those of real implementations wherever one was seen.
//!
//! A mutant is a row: its name, the clauses, the fault, and what is wrong: `None` where the
//! reference is right. The case that shows it is derived (see [`coverage`]).

/// The reference with the decisions of a trait that are overridden here.
macro_rules! wrong {
    ($trait:ident: $($decision:tt)+) => {{
        #[derive(Clone, Copy)]
        struct Wrong;
        impl $trait for Wrong { $($decision)+ }
        Wrong
    }};
}

mod arithmetic;
mod bitround;
mod bytes;
mod calls;
mod cast_value;
pub mod cells;
mod cf;
mod chain;
pub mod coverage;
mod data_sets;
mod data_type;
mod documents;
mod downsample;
mod fill_value;
mod order;
mod overrides;
mod packbits;
mod scale_offset;
mod sds;
#[cfg(test)]
mod tests;
mod zfp;

use std::sync::Arc;

use exactum_conformance::Request;
use exactum_conformance::model::{Reason, Rejection, Scalar};

pub use calls::Mutated;
pub use cells::CellMutant;
pub use data_sets::{MaskPart, SdsAsked, SdsFaults, SdsPart};
pub use overrides::{
    Coder, DecodePart, ElementPart, EncodePart, EncodedPart, Fill, FillPart, NONE, Overrides,
    ParsePart, RefusePart, TextsPart, ViewPart, Wrong,
};

/// A wrong implementation.
#[derive(Clone)]
pub struct Mutant {
    /// A unique name: lower case, hyphens.
    pub name: &'static str,
    /// The clauses that the fault breaks.
    pub breaks: Vec<&'static str>,
    /// The fault, with who had it or why it is plausible.
    pub fault: &'static str,
    /// The differences from the reference.
    pub overrides: Overrides,
}

/// A mutant; `clauses` are one or several, with blanks between them.
fn mutant(
    name: &'static str,
    clauses: &'static str,
    fault: &'static str,
    overrides: Overrides,
) -> Mutant {
    Mutant {
        name,
        breaks: clauses.split(' ').collect(),
        fault,
        overrides,
    }
}

/// Every mutant, by row.
#[must_use]
pub fn all() -> Vec<Mutant> {
    [
        bitround::mutants(),
        bytes::mutants(),
        packbits::mutants(),
        zfp::mutants(),
        cast_value::mutants(),
        cf::mutants(),
        scale_offset::mutants(),
        chain::mutants(),
        data_type::mutants(),
        fill_value::mutants(),
        documents::mutants(),
        downsample::mutants(),
        sds::mutants(),
    ]
    .concat()
}

/// Every lie that lives in one cell.
#[must_use]
pub fn lies() -> Vec<CellMutant> {
    [
        bitround::lies(),
        cast_value::lies(),
        cf::lies(),
        scale_offset::lies(),
        zfp::lies(),
        sds::lies(),
        cells::fill_values(),
        cells::scaled_fill_values(),
        downsample::lies(),
    ]
    .concat()
}

/// A mutant of the fill value.
fn fill(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    part: fn(&Fill<'_>) -> Wrong<Scalar>,
) -> Mutant {
    let overrides = Overrides {
        fill: Some(Arc::new(part)),
        ..NONE
    };
    mutant(name, clause, fault, overrides)
}

/// A mutant that misreads requests.
fn misread(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    misreads: fn(&mut Request),
) -> Mutant {
    let overrides = Overrides {
        misreads: Some(misreads),
        ..NONE
    };
    mutant(name, clause, fault, overrides)
}

impl Mutant {
    /// The typed operations, for requests whose documents are read rightly.
    #[must_use]
    pub fn codecs(&self) -> Mutated {
        Mutated::new(self.name, self.overrides.clone())
    }
}

/// What mutants say when they reject: a clause of their own would be a lie.
fn some_rejection() -> Rejection {
    Rejection::new(Reason::OutOfRange, "none", "rejected by a mutant")
}

/// A rejection in the place of the right answer.
fn reject<T>() -> Wrong<T> {
    Some(Err(some_rejection()))
}

/// A result in the place of the right answer.
fn give<T>(result: T) -> Wrong<T> {
    Some(Ok(result))
}
