//! The second oracle of `sds`: it answers requests in JSON with JSON, as the clauses define, and computes with ratios
//! of natural numbers. It reads and writes data sets by itself, since their values are exactly those of the JSON. It
//! does not check whether a document is valid.

mod convert;
mod external;
mod plan;
mod ratio;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use convert::{converted, real, rounded};
use ratio::{DOUBLE, Ratio};

/// The error type: the request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

type Answer<T> = Result<T, Refused>;

/// The warnings of an operation.
type Warned = BTreeSet<&'static str>;

/// An integer type: its name, its least and greatest integers, and its codes for missing values and infinities.
#[derive(Clone, Copy, Debug)]
struct Integers {
    name: &'static str,
    least: i64,
    greatest: i64,
    missing: i64,
    positive: i64,
    negative: Option<i64>,
    /// Three quarters of the number of all integers, as section 5 counts them.
    span: i64,
    centre: i64,
}

/// The table of sections 1, 6 and 7.
#[rustfmt::skip]
const INTEGERS: [Integers; 6] = [
    Integers { name: "i1", least: -128, greatest: 127, missing: -128, positive: 127, negative: Some(-127), span: 192, centre: 0 },
    Integers { name: "i2", least: -32768, greatest: 32767, missing: -32768, positive: 32767, negative: Some(-32767), span: 49152, centre: 0 },
    Integers { name: "i4", least: -1_073_741_824, greatest: 1_073_741_823, missing: -1_073_741_824, positive: 1_073_741_823, negative: Some(-1_073_741_823), span: 1_610_612_736, centre: 0 },
    Integers { name: "u1", least: 0, greatest: 255, missing: 255, positive: 254, negative: None, span: 192, centre: 127 },
    Integers { name: "u2", least: 0, greatest: 65535, missing: 65535, positive: 65534, negative: None, span: 49152, centre: 32767 },
    Integers { name: "u4", least: 0, greatest: 2_147_483_647, missing: 2_147_483_647, positive: 2_147_483_646, negative: None, span: 1_610_612_736, centre: 1_073_741_823 },
];

/// `i4` according to the later headers.
const WIDE: Integers = Integers {
    name: "i4",
    least: -2_147_483_648,
    greatest: 2_147_483_647,
    missing: -2_147_483_648,
    positive: 2_147_483_647,
    negative: Some(-2_147_483_647),
    span: 3_221_225_472,
    centre: 0,
};

/// The type of a data set.
#[derive(Clone, Copy, Debug)]
enum Type {
    Integer(Integers),
    Single,
    Double,
    Complex,
}

impl Type {
    fn named(name: &str, is_wide: bool) -> Self {
        match name {
            "r4" => Type::Single,
            "r8" => Type::Double,
            "c8" => Type::Complex,
            "i4" if is_wide => Type::Integer(WIDE),
            _ => {
                let found = INTEGERS.iter().find(|it| it.name == name);
                Type::Integer(*found.unwrap_or(&INTEGERS[0]))
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Type::Integer(of) => of.name,
            Type::Single => "r4",
            Type::Double => "r8",
            Type::Complex => "c8",
        }
    }

    fn is(self, other: Self) -> bool {
        self.name() == other.name()
    }
}

/// The contents of a cell.
#[derive(Clone, Debug)]
enum Cell {
    Missing,
    Up,
    Down,
    Number(Ratio),
}

/// A data set. `values` are its cells in their written form. NaN and infinities of reals are written there too.
#[derive(Clone, Debug)]
struct Set {
    of: Type,
    values: Vec<Value>,
    scale: Option<f64>,
    offset: Option<f64>,
    fill: Value,
    infinite: Value,
}

fn double(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("NaN") => Some(f64::NAN),
        Some("Infinity") => Some(f64::INFINITY),
        Some("-Infinity") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

impl Set {
    fn read(value: &Value, is_wide: bool) -> Self {
        let scaling = &value["scaling"];
        Self {
            of: Type::named(value["type"].as_str().unwrap_or_default(), is_wide),
            values: value["values"].as_array().cloned().unwrap_or_default(),
            scale: scaling["scale"].as_f64(),
            offset: scaling["offset"].as_f64(),
            fill: value["fill"].clone(),
            infinite: value["infinite"].clone(),
        }
    }

    fn written(&self) -> Value {
        json!({
            "type": self.of.name(),
            "values": self.values,
            "scaling": {"scale": self.scale, "offset": self.offset},
            "fill": self.fill,
            "infinite": match &self.infinite {
                Value::Null => Value::Null,
                codes => json!({"pos": codes["pos"], "neg": codes["neg"]}),
            },
        })
    }

    /// Returns a real number of the data set.
    fn number(&self, value: &Value) -> f64 {
        match (double(value), self.of) {
            (Some(number), Type::Single) => single(number).into(),
            (number, _) => number.unwrap_or(f64::NAN),
        }
    }

    fn is_scaled(&self) -> bool {
        self.scale.is_some() || self.offset.is_some()
    }

    fn unscaled(mut self) -> Self {
        (self.scale, self.offset) = (None, None);
        self
    }

    fn scale(&self) -> Ratio {
        Ratio::double(self.scale.unwrap_or(1.0))
    }

    fn offset(&self) -> Ratio {
        Ratio::double(self.offset.unwrap_or(0.0))
    }

    fn cells(&self) -> Vec<Cell> {
        let cell = |value: &Value| match self.of {
            Type::Integer(_) => {
                let code = value.as_i64();
                if code == self.fill.as_i64() {
                    Cell::Missing
                } else if code == self.infinite["pos"].as_i64() {
                    Cell::Up
                } else if code == self.infinite["neg"].as_i64() {
                    Cell::Down
                } else {
                    Cell::Number(Ratio::integer(code.unwrap_or(0)))
                }
            }
            _ => match self.number(value) {
                number if number.is_nan() || Some(number) == double(&self.fill) => Cell::Missing,
                f64::INFINITY => Cell::Up,
                f64::NEG_INFINITY => Cell::Down,
                number => Cell::Number(Ratio::double(number)),
            },
        };
        self.values.iter().map(cell).collect()
    }

    /// Returns the value that a number in the data set represents (sds.2.6).
    fn value(&self, stored: &Ratio) -> Ratio {
        match self.of {
            Type::Integer(_) => stored.minus(&self.offset()).over(&self.scale()),
            _ => stored.clone(),
        }
    }

    /// Returns the code of a value (sds.2.6).
    fn code(&self, value: &Ratio) -> Option<i64> {
        let code = value.times(&self.scale()).plus(&self.offset());
        code.nearest_integer()
    }
}

/// Converts a number that was written with the digits of a single.
fn single(number: f64) -> f32 {
    format!("{number:e}").parse().unwrap_or(f32::NAN)
}

/// Returns the least and the greatest number among the cells.
fn ends(cells: &[Cell]) -> Option<(Ratio, Ratio)> {
    let mut numbers: Vec<Ratio> = Vec::new();
    for cell in cells {
        if let Cell::Number(number) = cell {
            numbers.push(number.clone());
        }
    }
    numbers.sort_by(Ratio::compare);
    Some((numbers.first()?.clone(), numbers.last()?.clone()))
}

/// Returns which cells are missing. Numbers that mean missing reals in other conventions do not count as missing.
fn missing(set: &Set) -> Answer<Value> {
    match set.of {
        Type::Complex => Err(Refused),
        Type::Integer(_) | Type::Single | Type::Double => {
            let is_missing = |cell: &Cell| matches!(cell, Cell::Missing);
            let mask: Vec<bool> = set.cells().iter().map(is_missing).collect();
            Ok(json!({ "mask": mask }))
        }
    }
}

/// Sets the requested SCALE and OFFSET, SCALE first (sds.2.4, sds.2.5).
fn set_attributes(mut set: Set, request: &Map<String, Value>) -> Set {
    for key in ["scale", "offset"] {
        let Some(asked) = request.get(key) else {
            continue;
        };
        let number = double(asked);
        let fits =
            number.is_none_or(|number| number.is_finite() && (key == "offset" || number != 0.0));
        match (fits, key) {
            (false, _) => (set.scale, set.offset) = (None, None),
            (true, "scale") => set.scale = number,
            (true, _) => set.offset = number,
        }
    }
    set
}

/// Returns the scaling in terms of other conventions (sds.lower).
fn lowered(scaling: &Value) -> Answer<Value> {
    let scale = scaling["scale"].as_f64().unwrap_or(1.0);
    let offset = scaling["offset"].as_f64().unwrap_or(0.0);
    let exact_factor = Ratio::integer(1).over(&Ratio::double(scale));
    let exact_zero = Ratio::double(offset).negated().over(&Ratio::double(scale));
    let nearest = |value: &Ratio| value.nearest(DOUBLE).map(f64::from_bits).ok_or(Refused);
    let (factor, zero) = (nearest(&exact_factor)?, nearest(&exact_zero)?);
    let same = |number: f64, exact: &Ratio| Ratio::double(number).compare(exact).is_eq();
    let zero_is_exact = same(zero, &exact_zero);
    let both = zero_is_exact && same(factor, &exact_factor);
    Ok(json!({
        "fits": {"BSCALE": factor, "BZERO": zero},
        "cf": {"scale_factor": factor, "add_offset": zero},
        "zarr": {"scale": scale, "offset": zero},
        "exact": {"fits": both, "cf": both, "zarr": zero_is_exact},
    }))
}

/// Answers a valid request of `sds.*`.
///
/// # Errors
/// If the request has no answer.
pub(crate) fn answer(request: &Map<String, Value>) -> Answer<Value> {
    let op = request["op"].as_str().unwrap_or_default();
    if op == "sds.lower" {
        return lowered(&request["scaling"]);
    }
    if op == "sds.plan" {
        return plan::planned(request);
    }
    let asked = request
        .get("profile")
        .unwrap_or(&request["input"]["profile"]);
    let is_wide = asked == "soi97";
    let word = |key: &str| request.get(key).and_then(Value::as_str);
    let of = |key: &str| word(key).map(|name| Type::named(name, is_wide));
    let cast = word("cast").filter(|name| *name != "ANY").and(of("cast"));
    let one = |value: &Value, warned: &mut Warned| -> Answer<Value> {
        let set = Set::read(value, is_wide);
        let made = match op {
            "sds.convert" => converted(&set, of("target").ok_or(Refused)?, warned)?,
            "sds.read" => external::read(&set, cast, word("external"), warned)?,
            "sds.write" => external::write(&set, cast, of("storage"), request, warned)?,
            "sds.set" => set_attributes(set, request),
            "sds.missing" => return missing(&set),
            _ => return Err(Refused),
        };
        Ok(made.written())
    };
    let mut warned = Warned::new();
    let input = &request["input"];
    let document = match input.get("variables").and_then(Value::as_object) {
        None => one(input, &mut warned)?,
        Some(variables) => {
            let mut all = Map::new();
            for (name, value) in variables {
                all.insert(name.clone(), one(value, &mut warned)?);
            }
            json!({ "variables": all })
        }
    };
    Ok(match op {
        "sds.missing" => document,
        "sds.set" => json!({ "output": document }),
        _ => json!({"output": document, "warnings": warned}),
    })
}
