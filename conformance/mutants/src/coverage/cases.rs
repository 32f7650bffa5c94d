//! Cases prepared once for all mutants: the request is parsed, its documents are resolved, and the reference's answer
//! is available.

use std::collections::{BTreeMap, BTreeSet};

use exactum_conformance::compare::judge;
use exactum_conformance::model::{
    Array, ArrayCodec, CastValue, DataType, Direction, OutOfRange, Rounding,
};
use exactum_conformance::run::request_of;
use exactum_conformance::vectors::{Case, Expect, File, Group, Level};
use exactum_conformance::{Answer, Codecs, Failure, Request, Verdict};
use rayon::prelude::*;
use serde_json::Value;

use crate::Mutated;
use crate::cells::{self, Cell};

/// The cases of all files.
pub(super) struct Found<'a> {
    /// The families of topics, in order.
    pub(super) families: Vec<String>,
    /// The cases that run against every mutant.
    pub(super) prepared: Vec<Prepared<'a>>,
    /// The cases with all bit patterns of a type.
    pub(super) sweeps: Vec<Sweep<'a>>,
}

/// A case that is ready to run.
pub(super) struct Prepared<'a> {
    /// The full id.
    pub(super) id: String,
    /// The number of bytes of its requests when they are written as JSON.
    pub(super) size: usize,
    /// The index of the family of its topic.
    pub(super) family: usize,
    /// The clauses that it cites.
    pub(super) clauses: Vec<&'a str>,
    /// Whether the reference passes it.
    pub(super) passed: bool,
    /// The level of its group.
    pub(super) level: Level,
    /// The approximate number of bytes of its request and its expectation.
    pub(super) bytes: usize,
    expect: &'a Expect,
    units: Vec<Unit>,
}

/// A case that is not prepared, usually a sweep, which is expanded only when it is needed.
pub(super) struct Sweep<'a> {
    family: usize,
    group: &'a Group,
    case: &'a Case,
}

/// One request of a case. A case whose elements are sent individually has several.
struct Unit {
    request: Request,
    right: Answer,
}

/// Cases with their groups, by the cells that they touch.
pub type ByCell<'a> = BTreeMap<Cell, Vec<(&'a Group, &'a Case)>>;

/// Returns the cases that touch the given cells; sweeps come last.
///
/// # Errors
/// If a request cannot be made.
pub fn by_cell<'a>(files: &[&'a File], wanted: &BTreeSet<Cell>) -> Result<ByCell<'a>, String> {
    let (plain, sweeps) = parted(files, &[]);
    let touched = |case: &Sweep<'_>| -> Result<Vec<Cell>, String> {
        let request = request_of(case.group, case.case)?;
        Ok(request.call().map_or_else(|_| Vec::new(), cells::of_call))
    };
    let touched = plain
        .par_iter()
        .map(touched)
        .collect::<Result<Vec<_>, _>>()?;
    let touched = touched.into_iter().chain(sweeps.iter().map(Sweep::cells));
    let mut found = ByCell::new();
    for (case, touched) in plain.iter().chain(&sweeps).zip(touched) {
        let touched: BTreeSet<Cell> = touched.into_iter().collect();
        for cell in touched.intersection(wanted) {
            found
                .entry(*cell)
                .or_default()
                .push((case.group, case.case));
        }
    }
    Ok(found)
}

/// Finds all cases and runs the reference on those that are not sweeps, the smallest first.
pub(super) fn find<'a>(files: &[&'a File]) -> Result<Found<'a>, String> {
    let mut families: Vec<String> = files.iter().map(|file| family(file)).collect();
    families.sort();
    families.dedup();
    let (plain, sweeps) = parted(files, &families);
    let mut prepared = plain
        .par_iter()
        .map(Sweep::prepare)
        .collect::<Result<Vec<_>, _>>()?;
    prepared.sort_by_key(|case| case.size);
    Ok(Found {
        families,
        prepared,
        sweeps,
    })
}

/// Separates the cases that are not sweeps from those that are.
fn parted<'a>(files: &[&'a File], families: &[String]) -> (Vec<Sweep<'a>>, Vec<Sweep<'a>>) {
    let cases = files.iter().flat_map(|file| {
        let family = families.binary_search(&family(file)).unwrap_or(0);
        file.groups.iter().flat_map(move |group| {
            group.cases.iter().map(move |case| Sweep {
                family,
                group,
                case,
            })
        })
    });
    cases.partition(|case| !case.is_sweep())
}

/// Returns the family of topics of a file: a row, with documents, scalar maps and sweeps as separate families.
fn family(file: &File) -> String {
    let apart = ["documents", "scalar-map", "sweep"]
        .into_iter()
        .find(|name| file.topic.starts_with(name));
    match apart {
        Some(name) => format!("{} {name}", file.row),
        None => file.row.clone(),
    }
}

impl<'a> Sweep<'a> {
    fn is_sweep(&self) -> bool {
        [&self.case.request, &self.group.request]
            .iter()
            .filter_map(|request| request.get("input"))
            .any(|input| input.get("ranges").is_some())
    }

    /// Returns the operation.
    pub(super) fn op(&self) -> &'a str {
        [&self.case.request, &self.group.request]
            .iter()
            .find_map(|request| request.get("op")?.as_str())
            .unwrap_or_default()
    }

    /// Returns the cells of a cast without a map.
    pub(super) fn cells(&self) -> Vec<Cell> {
        self.cast().map_or_else(Vec::new, |(codec, direction)| {
            cells::of_codec(&ArrayCodec::CastValue(codec), direction)
        })
    }

    fn cast(&self) -> Option<(CastValue, Direction)> {
        let member = |key: &str| {
            let requests = [&self.case.request, &self.group.request];
            requests.iter().find_map(|request| request.get(key))
        };
        let configuration: Value = serde_json::from_str(member("configuration")?.as_str()?).ok()?;
        let input: DataType = member("input")?["data_type"].as_str()?.parse().ok()?;
        let encoded: DataType = configuration["data_type"].as_str()?.parse().ok()?;
        let (decoded, direction) = match self.op() {
            "cast_value.encode" => (input, Direction::Encode),
            "cast_value.decode" => {
                let decoded = member("data_type")?.as_str()?.parse().ok()?;
                (decoded, Direction::Decode)
            }
            _ => return None,
        };
        let mode = configuration["rounding"].as_str();
        let rule = configuration["out_of_range"].as_str();
        let codec = CastValue {
            rounding: match mode {
                None => Rounding::NearestEven,
                Some(_) => *Rounding::ALL.iter().find(|it| Some(it.name()) == mode)?,
            },
            out_of_range: OutOfRange::ALL
                .iter()
                .copied()
                .find(|it| Some(it.name()) == rule),
            ..cells::cast(decoded, encoded)
        };
        let mapped = configuration.get("scalar_map").is_some();
        (!mapped).then_some((codec, direction))
    }

    /// Returns the full id.
    pub(super) fn id(&self) -> String {
        self.group.case_id(self.case)
    }

    /// Returns the level of its group.
    pub(super) fn level(&self) -> Level {
        self.group.level
    }

    fn bytes(&self) -> usize {
        let text = serde_json::to_string(self.case);
        text.map_or(0, |text| text.len())
    }

    /// Returns whether it cites one of these clauses.
    pub(super) fn cites(&self, clauses: &[&str]) -> bool {
        self.group
            .case_clauses(self.case)
            .any(|clause| clauses.contains(&clause))
    }

    /// Prepares the case.
    pub(super) fn prepare(&self) -> Result<Prepared<'a>, String> {
        let id = self.group.case_id(self.case);
        let fault = |what: String| format!("{id}: {what}");
        let request = request_of(self.group, self.case).map_err(fault)?;
        let requests = if self.case.per_element {
            one_by_one(&request).map_err(fault)?
        } else {
            vec![request]
        };
        let written = |request: &Request| Value::Object(request.members().clone()).to_string();
        let size = requests.iter().map(|request| written(request).len()).sum();
        let units: Vec<Unit> = requests.into_iter().map(Unit::new).collect();
        let mut prepared = Prepared {
            size,
            family: self.family,
            clauses: self.group.case_clauses(self.case).collect(),
            passed: true,
            level: self.group.level,
            bytes: self.bytes(),
            expect: &self.case.expect,
            units,
            id: id.clone(),
        };
        for unit in &prepared.units {
            if prepared.fails(unit, &unit.right)? {
                prepared.passed = false;
                break;
            }
        }
        Ok(prepared)
    }
}

/// Returns the request once for each element of its input.
fn one_by_one(request: &Request) -> Result<Vec<Request>, String> {
    // Parse the documents now, once for all elements.
    let _ = request.call();
    let input = request.input().ok_or("each needs an input")?;
    (0..input.len())
        .map(|index| {
            let bytes = input.element(index).to_bytes();
            let single = Array::new(input.data_type(), vec![1], bytes)
                .map_err(|rejection| rejection.message)?;
            Ok(request.with_input(single))
        })
        .collect()
}

impl Prepared<'_> {
    /// Returns whether a result is expected.
    pub(super) fn accepts(&self) -> bool {
        matches!(self.expect, Expect::Ok(_) | Expect::Within(_))
    }

    /// Returns whether a rejection is expected.
    pub(super) fn rejects(&self) -> bool {
        matches!(self.expect, Expect::Reject(_))
    }

    /// Returns whether a mutant fails the case.
    pub(super) fn kills(&self, mutant: &Mutated) -> Result<bool, String> {
        for unit in &self.units {
            if !mutant.overrides().touches(unit.request.op()) {
                return Ok(false);
            }
            let answer = unit.answer(mutant);
            let failed = match answer {
                None => false,
                Some(Ok(answer)) => answer != unit.right && self.fails(unit, &answer)?,
                Some(Err(_)) => true,
            };
            if failed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the cells that the case touches.
    pub(super) fn cells(&self) -> BTreeSet<Cell> {
        let calls = self
            .units
            .iter()
            .filter_map(|unit| unit.request.call().ok());
        calls.flat_map(cells::of_call).collect()
    }

    fn fails(&self, unit: &Unit, answer: &Answer) -> Result<bool, String> {
        let (verdict, _) = judge(unit.request.op(), None, self.expect, answer)
            .map_err(|what| format!("{}: {what}", self.id))?;
        Ok(verdict != Verdict::Pass && verdict != Verdict::Observed)
    }
}

impl Unit {
    fn new(request: Request) -> Self {
        // Documents may be rejected before they reach a codec.
        let right = match request.call() {
            Ok(call) => Mutated::right().call(call).into(),
            Err(fault) => fault.clone().into(),
        };
        Self { request, right }
    }

    /// Returns the mutant's answer, or `None` if its fault cannot show.
    fn answer(&self, mutant: &Mutated) -> Option<Result<Answer, Failure>> {
        match (mutant.overrides().misreads, self.request.call()) {
            (Some(misreads), _) => {
                let mut request = self.request.clone();
                misreads(&mut request);
                (request != self.request)
                    .then(|| mutant.clone().implementation().call(&self.request))
            }
            (None, Ok(call)) => Some(Ok(mutant.call(call).into())),
            (None, Err(_)) => None,
        }
    }
}
