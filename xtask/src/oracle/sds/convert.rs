//! Conversions of the second oracle of `sds` (section 5).

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::ratio::{DOUBLE, Ratio, SINGLE};
use super::{Answer, Cell, Integers, Refused, Set, Type, Warned, ends};

/// Converts a data set to another type (section 5).
pub(super) fn converted(set: &Set, to: Type, warned: &mut Warned) -> Answer<Set> {
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

/// Returns the nearest number of a real type in its written form.
pub(super) fn real(value: &Ratio, of: Type) -> Option<Value> {
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
    // Either the codes are kept, possibly with a shift, or the values are encoded again.
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
    let (codes, has_fill) = codes(&cells, to, code_of, has_fill, has_infinite);
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

/// Returns the codes of the cells, and whether the data have a fill value. A value without a code gives the data a fill
/// value, whose code may then no longer be used for another value.
fn codes(
    cells: &[Cell],
    to: Integers,
    code_of: impl Fn(&Ratio) -> Option<i64>,
    mut has_fill: bool,
    has_infinite: bool,
) -> (Vec<Option<i64>>, bool) {
    loop {
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
            return (codes, has_fill);
        }
        has_fill = true;
    }
}

/// How the integers of one type are represented in another.
enum Place {
    /// The codes are kept, with this shift.
    Carried(i64),
    Scaled,
}

/// Returns whether the integers fit unchanged, with a shift, or not at all (sds.5.1 to sds.5.12).
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
        // Reserved codes at the ends are excluded, including both infinities of a signed type.
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
    // Of the two shifts next to the middle of the allowed codes, the nearer one is taken. If both are equally near, the
    // one away from the code of missing values is taken.
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

/// Determines SCALE and OFFSET (sds.5.19, sds.5.22).
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

/// Returns the nearest double, or the greatest double if the value is larger.
pub(super) fn rounded(value: &Ratio) -> f64 {
    let greatest = match value.is_negative() {
        true => -f64::MAX,
        false => f64::MAX,
    };
    value.nearest(DOUBLE).map_or(greatest, f64::from_bits)
}
