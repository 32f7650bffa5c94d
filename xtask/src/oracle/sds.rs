//! The second oracle of `sds`: requests in JSON to answers in JSON, by the clauses, in ratios of
//! naturals. It reads and writes data sets by itself, as their values are no others than those of
//! JSON. Whether a document is valid is not asked here.

mod external;
mod plan;
mod ratio;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use ratio::{DOUBLE, Ratio, SINGLE};

/// There is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

type Answer<T> = Result<T, Refused>;

/// What an operation warns of.
type Warned = BTreeSet<&'static str>;

/// An integer type: name, least and greatest integer, missing, infinities.
#[derive(Clone, Copy, Debug)]
struct Integers {
    name: &'static str,
    least: i64,
    greatest: i64,
    missing: i64,
    positive: i64,
    negative: Option<i64>,
    /// What three quarters of all integers are, as section 5 counts them.
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

/// `i4` of the later headers.
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

/// A type.
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

/// What stands at one place.
#[derive(Clone, Debug)]
enum Cell {
    Missing,
    Up,
    Down,
    Number(Ratio),
}

/// A data set. `values` is how its cells are written; reals that are missing and such are in both.
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

    /// A real of the set.
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

    /// The value that a number of the set stands for (sds.2.6).
    fn value(&self, stored: &Ratio) -> Ratio {
        match self.of {
            Type::Integer(_) => stored.minus(&self.offset()).over(&self.scale()),
            _ => stored.clone(),
        }
    }

    /// The code of a value (sds.2.6).
    fn code(&self, value: &Ratio) -> Option<i64> {
        let code = value.times(&self.scale()).plus(&self.offset());
        code.nearest_integer()
    }
}

/// A number that was written with the digits of a single.
fn single(number: f64) -> f32 {
    format!("{number:e}").parse().unwrap_or(f32::NAN)
}

/// The least and the greatest number among cells.
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

/// A data set of another type (section 5).
fn converted(set: &Set, to: Type, warned: &mut Warned) -> Answer<Set> {
    if set.of.is(to) {
        return Ok(set.clone());
    }
    match (set.of, to) {
        (Type::Complex, _) | (_, Type::Complex) => Err(Refused),
        (_, Type::Integer(to)) => Ok(to_integers(set, to, warned)),
        _ => Ok(to_reals(set, to, warned)),
    }
}

fn to_reals(set: &Set, to: Type, warned: &mut Warned) -> Set {
    let cells = set.cells();
    let is_long = matches!(set.of, Type::Integer(of) if matches!(of.name, "i4" | "u4"));
    let limit = Ratio::integer(8_388_607);
    let mut values = Vec::new();
    for cell in &cells {
        let number = match (cell, to) {
            (Cell::Missing, _) => None,
            (Cell::Up | Cell::Down, Type::Single) => {
                warned.insert("INFINITY_NOT_REPRESENTABLE");
                None
            }
            (Cell::Up, _) => Some(json!("Infinity")),
            (Cell::Down, _) => Some(json!("-Infinity")),
            (Cell::Number(stored), to) => {
                let beyond = stored.magnitude().compare(&limit) == Ordering::Greater;
                if is_long && beyond && matches!(to, Type::Single) {
                    warned.insert("PRECISION_MAY_BE_LOST");
                }
                let real = real(&set.value(stored), to);
                if real.is_none() {
                    warned.insert("DATA_OUT_OF_RANGE");
                }
                real
            }
        };
        values.push(number.unwrap_or_else(|| json!("NaN")));
    }
    Set {
        of: to,
        values,
        fill: json!("NaN"),
        infinite: Value::Null,
        ..set.clone()
    }
}

/// The nearest number of a real type, as it is written.
fn real(value: &Ratio, of: Type) -> Option<Value> {
    Some(match of {
        Type::Single => {
            let bits = u32::try_from(value.nearest(SINGLE)?).ok()?;
            let digits = format!("{:e}", f32::from_bits(bits));
            json!(digits.parse::<f64>().unwrap_or(f64::NAN))
        }
        _ => json!(f64::from_bits(value.nearest(DOUBLE)?)),
    })
}

fn to_integers(set: &Set, to: Integers, warned: &mut Warned) -> Set {
    let cells = set.cells();
    let sees = |wanted: fn(&Cell) -> bool| cells.iter().any(wanted);
    let has_down = sees(|cell| matches!(cell, Cell::Down));
    let has_infinite = match set.of {
        Type::Integer(_) => !set.infinite.is_null(),
        _ => has_down || sees(|cell| matches!(cell, Cell::Up)),
    };
    let has_fill = match set.of {
        Type::Integer(_) => !set.fill.is_null() || (has_down && to.negative.is_none()),
        _ => true,
    };
    let mut made = Set {
        of: Type::Integer(to),
        ..set.clone()
    };
    let mut shift = 0;
    // Codes are carried with a shift, or values are coded.
    let carries = match set.of {
        Type::Integer(from) => match placed(&cells, from, to, has_fill, has_infinite) {
            Place::Carried(0) => true,
            Place::Carried(by) => {
                shift = by;
                made.scale = Some(set.scale.unwrap_or(1.0));
                made.offset = Some(rounded(&set.offset().plus(&Ratio::integer(by))));
                warned.insert("RECENTRED");
                warn_of_offset(&made, warned);
                true
            }
            Place::Scaled => {
                determine(&mut made, set, &cells, to, warned);
                false
            }
        },
        _ => {
            if !set.is_scaled() {
                determine(&mut made, set, &cells, to, warned);
            }
            false
        }
    };
    let code_of = |stored: &Ratio| match carries {
        true => stored.plus(&Ratio::integer(shift)).nearest_integer(),
        false => made.code(&set.value(stored)),
    };
    if has_down && to.negative.is_none() {
        warned.insert("NEG_INFINITY_TO_MISSING");
    }
    // A value without a code gives the data a fill value, which may take another value's code.
    let mut has_fill = has_fill;
    let codes = loop {
        let is_free = |code: &i64| {
            let reserved = [to.positive, to.negative.unwrap_or(to.positive)];
            (to.least..=to.greatest).contains(code)
                && !(has_fill && *code == to.missing)
                && !(has_infinite && reserved.contains(code))
        };
        let codes: Vec<Option<i64>> = cells
            .iter()
            .map(|cell| match cell {
                Cell::Missing => None,
                Cell::Up => Some(to.positive),
                Cell::Down => to.negative,
                Cell::Number(stored) => code_of(stored).filter(is_free),
            })
            .collect();
        if has_fill || codes.iter().all(Option::is_some) {
            break codes;
        }
        has_fill = true;
    };
    let lost =
        |(cell, code): (&Cell, &Option<i64>)| matches!(cell, Cell::Number(_)) && code.is_none();
    if cells.iter().zip(&codes).any(lost) {
        warned.insert("DATA_OUT_OF_RANGE");
    }
    let codes = codes.into_iter().map(|code| code.unwrap_or(to.missing));
    made.values = codes.map(Value::from).collect();
    made.fill = if has_fill {
        to.missing.into()
    } else {
        Value::Null
    };
    made.infinite = match has_infinite {
        true => json!({"pos": to.positive, "neg": to.negative}),
        false => Value::Null,
    };
    made
}

/// How integers come into another type.
enum Place {
    /// With this shift.
    Carried(i64),
    Scaled,
}

/// Whether integers fit as they are, shifted, or not at all (sds.5.1 to sds.5.12).
fn placed(
    cells: &[Cell],
    from: Integers,
    to: Integers,
    has_fill: bool,
    has_infinite: bool,
) -> Place {
    if to.least <= from.least && from.greatest <= to.greatest {
        return Place::Carried(0);
    }
    let codes = ends(cells).and_then(|(least, greatest)| {
        Some((least.nearest_integer()?, greatest.nearest_integer()?))
    });
    let Some((least, greatest)) = codes else {
        return Place::Carried(0);
    };
    let alike = from.negative.is_some() == to.negative.is_some();
    let allowed: Vec<i64> = if alike || has_fill || has_infinite {
        // The codes at the ends that stand for something, and both infinities of a signed type.
        let more = i64::from(has_infinite);
        match to.negative {
            Some(_) => vec![to.least + 1 + more, to.greatest - 1],
            None => vec![to.least, to.greatest - 1 - more],
        }
    } else {
        vec![to.least, to.greatest]
    };
    let (low, high) = (allowed[0], allowed[1]);
    if low <= least && greatest <= high {
        return Place::Carried(0);
    }
    if greatest - least > high - low {
        return Place::Scaled;
    }
    // The two shifts next to the middle of the allowed codes: the nearer one counts, and of two alike the
    // one away from the code of missing values.
    let sum = low + high - least - greatest;
    let below = sum.div_euclid(2);
    let best = [below, below + 1].into_iter().min_by_key(|shift| {
        let towards_missing = match to.negative {
            Some(_) => -shift,
            None => *shift,
        };
        ((sum - 2 * shift).abs(), towards_missing)
    });
    Place::Carried(best.unwrap_or(0))
}

/// Determines both attributes (sds.5.19, sds.5.22).
fn determine(made: &mut Set, set: &Set, cells: &[Cell], to: Integers, warned: &mut Warned) {
    let Some((one, two)) = ends(cells) else {
        (made.scale, made.offset) = (Some(1.0), Some(0.0));
        warned.insert("NO_VALID_DATA");
        return;
    };
    let (one, two) = (set.value(&one), set.value(&two));
    let distance = two.minus(&one).magnitude();
    let half = Ratio::integer(1).over(&Ratio::integer(2));
    let middle = one.plus(&two).times(&half);
    let scale = if distance.is_zero() {
        made.scale = Some(1.0);
        Ratio::integer(1)
    } else {
        let ratio = Ratio::integer(to.span).over(&distance);
        let ratio = match set.scale.is_some_and(f64::is_sign_negative) {
            true => ratio.negated(),
            false => ratio,
        };
        let nearest = rounded(&ratio);
        let sign = if ratio.is_negative() { -1.0 } else { 1.0 };
        let beyond = ratio.magnitude().compare(&Ratio::double(f64::MAX)) == Ordering::Greater;
        if nearest == 0.0 {
            made.scale = Some(f64::from_bits(1) * sign);
            made.scale()
        } else {
            made.scale = Some(nearest);
            if beyond { made.scale() } else { ratio }
        }
    };
    let offset = Ratio::integer(to.centre).minus(&scale.times(&middle));
    made.offset = Some(rounded(&offset));
    warned.insert("AUTOSCALED");
    warn_of_offset(made, warned);
}

fn warn_of_offset(made: &Set, warned: &mut Warned) {
    if made
        .offset
        .is_some_and(|offset| offset.abs() >= 4_503_599_627_370_496.0)
    {
        warned.insert("OFFSET_ILL_CONDITIONED");
    }
}

/// The nearest double, or the greatest one.
fn rounded(value: &Ratio) -> f64 {
    let greatest = match value.is_negative() {
        true => -f64::MAX,
        false => f64::MAX,
    };
    value.nearest(DOUBLE).map_or(greatest, f64::from_bits)
}

/// Which cells are missing; of the numbers that stand for missing reals elsewhere none is.
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

/// SCALE and OFFSET as they are asked to be, SCALE first (sds.2.4, sds.2.5).
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

/// The numbers of other conventions (sds.lower).
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

/// Answers a request of `sds.*` that is valid.
///
/// # Errors
/// There is no answer.
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
