//! Reading and writing external data (sections 2, 4 and 6).

use serde_json::{Map, Value, json};

use super::{Answer, Cell, Ratio, Refused, Set, Type, Warned, converted, double, real};

/// The value MISSING of WSO_DS.
const MISSING: f64 = -(8_388_608.0 * 1e10);

/// Returns the fill value of external reals, which is that of the protocol, or the given one if there is no protocol.
/// If both are present, they must be equal.
fn agreed(given: &Value, protocol: Option<&str>) -> Answer<f64> {
    let own = match protocol {
        None => return Ok(double(given).unwrap_or(f64::NAN)),
        Some("wso_ds") => MISSING,
        Some(_) => f64::NAN,
    };
    let given = double(given).unwrap_or(own);
    let same = given == own || (given.is_nan() && own.is_nan());
    same.then_some(own).ok_or(Refused)
}

/// Returns the real type that can hold the codes of an integer type (sds.4.4).
fn width(of: Type) -> Type {
    match of.name() {
        "i4" | "u4" => Type::Double,
        _ => Type::Single,
    }
}

pub(super) fn read(
    set: &Set,
    cast: Option<Type>,
    protocol: Option<&str>,
    warned: &mut Warned,
) -> Answer<Set> {
    let internal = match set.of {
        Type::Single | Type::Double => {
            let fill = agreed(&set.fill, protocol)?;
            if set.is_scaled() {
                warned.insert("SCALING_IGNORED");
            }
            let mut internal = set.clone().unscaled();
            internal.infinite = Value::Null;
            if protocol.is_some() {
                internal.fill = if fill.is_nan() {
                    json!("NaN")
                } else {
                    json!(fill)
                };
            }
            let cells = internal.cells();
            for (value, cell) in internal.values.iter_mut().zip(cells) {
                if matches!(cell, Cell::Missing) {
                    *value = json!("NaN");
                }
            }
            internal.fill = json!("NaN");
            internal
        }
        Type::Integer(_) if set.is_scaled() && !cast.is_some_and(|to| to.is(set.of)) => {
            let real = cast.map_or(width(set.of), |_| Type::Double);
            converted(set, real, warned)?
        }
        _ => set.clone(),
    };
    converted(&internal, cast.unwrap_or(internal.of), warned)
}

pub(super) fn write(
    set: &Set,
    cast: Option<Type>,
    storage: Option<Type>,
    request: &Map<String, Value>,
    warned: &mut Warned,
) -> Answer<Set> {
    let internal = converted(set, cast.unwrap_or(set.of), warned)?;
    let is_scaled = internal.is_scaled();
    let real = match internal.of {
        Type::Complex => return Ok(internal),
        Type::Integer(_) if !is_scaled => return Ok(internal),
        Type::Integer(_) => converted(&internal, width(internal.of), warned)?.unscaled(),
        _ if is_scaled && request.get("scaling") != Some(&json!(false)) => {
            let storage = storage.unwrap_or_else(|| Type::named("i2", false));
            return match storage {
                Type::Integer(_) => converted(&internal, storage, warned),
                _ => Err(Refused),
            };
        }
        _ => {
            if is_scaled {
                warned.insert("SCALING_NOT_SUPPORTED");
            }
            internal.unscaled()
        }
    };
    let given = request.get("fill").unwrap_or(&Value::Null);
    let protocol = request.get("external").and_then(Value::as_str);
    let fill = agreed(given, protocol)?;
    // The fill value must be NaN or a number of the type.
    let own = match fill.is_infinite() {
        true => None,
        false if fill.is_nan() => Some(json!("NaN")),
        false => real_of(fill, real.of),
    };
    let own = own.ok_or(Refused)?;
    let mut made = real.clone();
    for (value, cell) in made.values.iter_mut().zip(real.cells()) {
        match cell {
            Cell::Missing => *value = own.clone(),
            Cell::Number(_) if real.number(value) == fill => {
                warned.insert("DATA_OUT_OF_RANGE");
            }
            _ => {}
        }
    }
    made.fill = if fill.is_nan() { own } else { json!(fill) };
    made.infinite = Value::Null;
    Ok(made)
}

/// Returns the written form of a number in a real type, if the number belongs to this type.
fn real_of(number: f64, of: Type) -> Option<Value> {
    let written = real(&Ratio::double(number), of)?;
    let set = Set {
        of,
        values: Vec::new(),
        scale: None,
        offset: None,
        fill: Value::Null,
        infinite: Value::Null,
    };
    (set.number(&written) == number).then_some(written)
}
