//! Mutants of `cf`: what readers and writers of packed data do otherwise.

mod cells;
mod packing;

use exactum_conformance::Request;
use exactum_conformance::model::{Cf, DataType, Direction, Format, Rounding};
use exactum_exact::{Exact, Rounded, round, wrap};
use exactum_reference::cf::{decode_element, encode_element};
use serde_json::{Map, Value};

use super::arithmetic::{BINARY32, BINARY64, floor, half, integer, largest, saturated, through};
use super::{Mutant, Overrides, Wrong, give, misread, mutant, overrides, reject};

pub(crate) use cells::lies;

/// An element and the attributes that it meets.
struct Element<'a> {
    codec: &'a Cf,
    way: Direction,
    bits: u64,
    /// Of values.
    format: Format,
    /// Of codes.
    counted: Format,
}

/// One operation on exact values.
type Operation = fn(&Exact, &Exact) -> Exact;

impl Element<'_> {
    /// The code, as a value.
    fn code(&self) -> Exact {
        Exact::from_bits(&self.counted, self.bits)
    }

    /// What is packed.
    fn value(&self) -> Exact {
        Exact::from_bits(&self.format, self.bits)
    }

    fn scale(&self) -> Option<Exact> {
        let bits = self.codec.scale_factor?;
        Some(Exact::from_bits(&self.format, bits))
    }

    fn offset(&self) -> Option<Exact> {
        let bits = self.codec.add_offset?;
        Some(Exact::from_bits(&self.format, bits))
    }

    /// Returns whether there is a number to compute: floats, and here nothing missing and nothing that has no code.
    fn is_number(&self, direction: Direction) -> Option<()> {
        let float = self.format.float()?;
        match direction {
            Direction::Decode => {
                let bits = decode_element(self.codec, self.bits).ok()?;
                (!float.is_nan(bits)).then_some(())
            }
            Direction::Encode => encode_element(self.codec, self.bits).ok().map(|_| ()),
        }
    }

    /// Operations one after another, each rounded in a format.
    fn steps(
        &self,
        start: Exact,
        format: &Format,
        operations: [(Option<Exact>, Operation); 2],
    ) -> Exact {
        let mut value = through(&start, format);
        for (parameter, operation) in operations {
            if let Some(parameter) = parameter {
                value = through(&operation(&value, &parameter), format);
            }
        }
        value
    }

    /// The value of a code by other operations or in another format.
    fn unpacked(&self, format: &Format, operations: [(Option<Exact>, Operation); 2]) -> Wrong {
        self.is_number(Direction::Decode)?;
        give(self.stored(&self.steps(self.code(), format, operations)))
    }

    /// The code of a value by other operations or in another format.
    fn packed(&self, format: &Format, operations: [(Option<Exact>, Operation); 2]) -> Wrong {
        self.is_number(Direction::Encode)?;
        let quotient = self.steps(self.value(), format, operations);
        give(saturated(&nearest(&quotient), &self.counted))
    }

    /// The bits of a value; what overflows is infinite.
    fn stored(&self, value: &Exact) -> u64 {
        match round(
            &through(value, &self.format),
            &self.format,
            Rounding::NearestEven,
        ) {
            Rounded::Bits(bits) => bits,
            _ => 0,
        }
    }

    /// What is packed before it is rounded.
    fn quotient(&self) -> Exact {
        let operations: [(_, Operation); 2] = [
            (self.offset(), Exact::subtract),
            (self.scale(), Exact::divide),
        ];
        self.steps(self.value(), &self.format, operations)
    }

    /// A finite value without a code in range: what the nearest integer is.
    fn beyond(&self) -> Option<Exact> {
        self.format.float()?;
        let finite = matches!(self.value(), Exact::Finite(_) | Exact::Zero { .. });
        let quotient = finite.then(|| nearest(&self.quotient()))?;
        match round(&quotient, &self.counted, Rounding::NearestEven) {
            Rounded::Bits(_) => None,
            _ => Some(quotient),
        }
    }

    /// The right answer by other attributes.
    fn with(&self, direction: Direction, change: impl FnOnce(&mut Cf)) -> Wrong {
        let mut codec = self.codec.clone();
        change(&mut codec);
        Some(match direction {
            Direction::Encode => encode_element(&codec, self.bits),
            Direction::Decode => decode_element(&codec, self.bits),
        })
    }

    /// Returns whether a code is right to be missing.
    fn is_missing(&self) -> Option<()> {
        let float = self.format.float()?;
        let bits = decode_element(self.codec, self.bits).ok()?;
        float.is_nan(bits).then_some(())
    }
}

/// The nearest integer, ties to even, in binary64, which has the codes of every type.
fn nearest(value: &Exact) -> Exact {
    let magnitude = floor(&value.add(&half()));
    let is_tie = matches!(
        value.subtract(&floor(value)).compare(&half()),
        Some(std::cmp::Ordering::Equal)
    );
    let two = Exact::integer(2);
    let is_odd = !matches!(
        magnitude.subtract(&floor(&magnitude.divide(&two)).multiply(&two)),
        Exact::Zero { .. }
    );
    match is_tie && is_odd {
        true => magnitude.subtract(&Exact::integer(1)),
        false => magnitude,
    }
}

/// Everything that can be missing is not.
fn nothing_missing(codec: &mut Cf) {
    codec.missing.clear();
    codec.valid = (i64::MIN, i64::MAX);
}

/// What is wrong with elements that go one way.
fn elements(
    way: Direction,
    wrong: impl Fn(&Element<'_>) -> Wrong + Send + Sync + 'static,
) -> Overrides {
    overrides::elements("cf", move |codec: &Cf, direction, bits| {
        if direction != way {
            return None;
        }
        wrong(&Element {
            codec,
            way,
            bits,
            format: codec.unpacked.format(),
            counted: codec.counted.format(),
        })
    })
}

fn unpack(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(&Element<'_>) -> Wrong,
) -> Mutant {
    mutant(name, clause, fault, elements(Direction::Decode, wrong))
}

fn pack(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(&Element<'_>) -> Wrong,
) -> Mutant {
    mutant(name, clause, fault, elements(Direction::Encode, wrong))
}

/// Changes the attributes of a request.
fn attributes(request: &mut Request, change: impl FnOnce(&mut Map<String, Value>)) {
    if !request.op().starts_with("cf.") {
        return;
    }
    let text = request.members_mut().get_mut("configuration");
    let Some(Value::String(text)) = text else {
        return;
    };
    if let Ok(Value::Object(mut members)) = serde_json::from_str(text) {
        change(&mut members);
        *text = Value::Object(members).to_string();
    }
}

/// Takes an attribute away.
fn without(request: &mut Request, key: &str) {
    attributes(request, |members| {
        members.remove(key);
    });
}

/// Reads as if another reader were named.
fn as_reader(request: &mut Request, asked: &str, instead: &str) {
    attributes(request, |members| {
        if members
            .get("reader")
            .and_then(Value::as_str)
            .unwrap_or("cf")
            == asked
        {
            members.insert("reader".into(), instead.into());
        }
    });
}

pub(super) fn mutants() -> Vec<Mutant> {
    [unpacking(), missing(), packing::mutants(), readers()].concat()
}

#[rustfmt::skip] // A table.
fn unpacking() -> Vec<Mutant> {
    vec![
        unpack("cf-divides-by-scale-factor", "cf.decode",
            "Unpacking divides, as scale_offset does.",
            |it| it.unpacked(&it.format, [(it.scale(), Exact::divide), (it.offset(), Exact::add)])),
        unpack("cf-subtracts-offset", "cf.decode",
            "Unpacking subtracts the offset.",
            |it| it.unpacked(&it.format, [(it.scale(), Exact::multiply), (it.offset(), Exact::subtract)])),
        unpack("cf-ignores-offset", "cf.decode",
            "add_offset alone is passed over, as netCDF4-python did at first (issue 86).",
            |it| it.unpacked(&it.format, [(it.scale(), Exact::multiply), (None, Exact::add)])),
        unpack("cf-adds-first", "cf.decode.order",
            "(code + add_offset) * scale_factor, the formula of MODIS.",
            |it| it.unpacked(&it.format, [(it.offset(), Exact::add), (it.scale(), Exact::multiply)])),
        unpack("cf-absent-offset-is-zero", "cf.decode.absent",
            "Without add_offset 0 is added, and -0 becomes 0.",
            |it| {
                let zero = Exact::Zero { negative: false };
                let offset = it.offset().unwrap_or(zero);
                it.unpacked(&it.format, [(it.scale(), Exact::multiply), (Some(offset), Exact::add)])
            }),
        misread("cf-attributes-are-double", "cf.decode.type",
            "The attributes are taken for float64, and so are the values.",
            |request| without(request, "attribute_type")),
        unpack("cf-all-in-float32", "cf.decode.type",
            "Everything is computed in float32, whatever the type of the attributes.",
            |it| it.unpacked(&BINARY32, [(it.scale(), Exact::multiply), (it.offset(), Exact::add)])),
        unpack("cf-int32-in-float32", "cf.decode.guidance",
            "Codes of 32 bits go through float32.",
            |it| {
                matches!(it.codec.packed, DataType::Int32 | DataType::Uint32).then_some(())?;
                it.unpacked(&BINARY32, [(it.scale(), Exact::multiply), (it.offset(), Exact::add)])
            }),
        unpack("cf-float32-in-float64", "cf.decode.steps",
            "Values of float32 are computed in float64 and rounded at the end.",
            |it| it.unpacked(&BINARY64, [(it.scale(), Exact::multiply), (it.offset(), Exact::add)])),
        unpack("cf-fused", "cf.decode.steps",
            "Product and sum are rounded once, by a fused multiplication and addition.",
            |it| {
                it.is_number(Direction::Decode)?;
                let product = it.code().multiply(&it.scale()?);
                give(it.stored(&product.add(&it.offset()?)))
            }),
        unpack("cf-overflow-saturates", "cf.decode.steps",
            "What overflows is the largest finite value.",
            |it| {
                it.is_number(Direction::Decode)?;
                let right = Exact::from_bits(&it.format, decode_element(it.codec, it.bits).ok()?);
                match right {
                    Exact::Infinite { negative } => give(largest(&it.format, !negative)),
                    _ => None,
                }
            }),
        misread("cf-ignores-unsigned", "cf.unsigned.codes",
            "_Unsigned is passed over: 255 is read as -1.",
            |request| without(request, "_Unsigned")),
        unpack("cf-missing-value-stays-signed", "cf.unsigned.codes",
            "Only _FillValue is looked at as unsigned; missing_value is compared as it was written, as xarray does it.",
            |it| {
                let (width, is_moved) = (it.counted.component_bits(), it.codec.packed != it.codec.counted);
                is_moved.then(|| it.with(Direction::Decode, |codec| {
                    let mut first = true;
                    codec.missing.retain(|code| std::mem::take(&mut first) || code >> (width - 1) == 0);
                }))?
            }),
        misread("cf-false-is-unsigned", "cf.unsigned.codes",
            "Whatever _Unsigned says, the codes are unsigned: any text is true.",
            |request| attributes(request, |members| {
                if let Some(unsigned) = members.get_mut("_Unsigned") {
                    *unsigned = "true".into();
                }
            })),
    ]
}

fn missing() -> Vec<Mutant> {
    [missing_codes(), valid_ranges()].concat()
}

#[rustfmt::skip] // A table.
fn missing_codes() -> Vec<Mutant> {
    vec![
        unpack("cf-fill-meets-values", "cf.missing.packed",
            "_FillValue is compared with values, not with codes.",
            |it| {
                let value = it.with(Direction::Decode, nothing_missing)?.ok()?;
                let codes = it.codec.missing.iter().map(|code| Exact::from_bits(&it.counted, *code));
                let is_fill = codes
                    .map(|code| code.compare(&Exact::from_bits(&it.format, value)))
                    .any(|order| order == Some(std::cmp::Ordering::Equal));
                give(if is_fill { it.format.float()?.nan_bits()? } else { value })
            }),
        unpack("cf-range-meets-values", "cf.missing.packed",
            "valid_range is applied to values, not to codes.",
            |it| {
                let bits = it.with(Direction::Decode, |codec| codec.valid = (i64::MIN, i64::MAX))?.ok()?;
                let value = Exact::from_bits(&it.format, bits);
                let order = |bound: i64| value.compare(&Exact::integer(bound.into()));
                let (least, greatest) = it.codec.valid;
                let is_outside = order(least) == Some(std::cmp::Ordering::Less)
                    || order(greatest) == Some(std::cmp::Ordering::Greater);
                give(if is_outside { it.format.float()?.nan_bits()? } else { bits })
            }),
        misread("cf-fill-is-a-value", "cf.missing.fill",
            "_FillValue is passed over, and scaled.",
            |request| without(request, "_FillValue")),
        misread("cf-ignores-missing-value", "cf.missing.value",
            "missing_value is not treated in any special way, as NUG says of generic applications.",
            |request| without(request, "missing_value")),
        misread("cf-first-missing-value-only", "cf.missing.value",
            "Of several codes only the first is missing.",
            |request| attributes(request, |members| {
                if let Some(Value::Array(codes)) = members.get_mut("missing_value") {
                    codes.truncate(1);
                }
            })),
        misread("cf-fill-hides-missing-value", "cf.missing.value",
            "missing_value is looked at only where there is no _FillValue.",
            |request| attributes(request, |members| {
                if members.contains_key("_FillValue") {
                    members.remove("missing_value");
                }
            })),
    ]
}

#[rustfmt::skip] // A table.
fn valid_ranges() -> Vec<Mutant> {
    vec![
        unpack("cf-ignores-range", "cf.missing.range",
            "valid_min, valid_max and valid_range are passed over, as xarray does it.",
            |it| it.with(Direction::Decode, |codec| codec.valid = (i64::MIN, i64::MAX))),
        misread("cf-ignores-least", "cf.missing.range",
            "valid_min is passed over.",
            |request| without(request, "valid_min")),
        misread("cf-ignores-greatest", "cf.missing.range",
            "valid_max is passed over.",
            |request| without(request, "valid_max")),
        unpack("cf-bounds-are-missing", "cf.missing.range",
            "The bounds themselves are missing.",
            |it| it.with(Direction::Decode, |codec| {
                codec.valid = (codec.valid.0.saturating_add(1), codec.valid.1.saturating_sub(1));
            })),
        unpack("cf-fill-makes-a-range", "cf.missing.default",
            "A positive _FillValue is a bound above, another one below, as NUG says of generic applications.",
            |it| {
                let fill = Exact::from_bits(&it.counted, *it.codec.missing.first()?);
                let order = it.code().compare(&fill)?;
                let is_beyond = match (fill.is_negative(), order) {
                    (false, std::cmp::Ordering::Greater) => !matches!(fill, Exact::Zero { .. }),
                    (true, std::cmp::Ordering::Less) => true,
                    _ => false,
                };
                is_beyond.then(|| give(it.format.float()?.nan_bits()?))?
            }),
        unpack("cf-missing-is-scaled", "cf.missing.nan",
            "What is missing is transformed like anything else.",
            |it| it.with(Direction::Decode, nothing_missing)),
        unpack("cf-missing-is-its-code", "cf.missing.nan",
            "What is missing is unpacked as its code, unscaled.",
            |it| {
                it.is_missing()?;
                give(it.stored(&it.code()))
            }),
        unpack("cf-missing-is-zero", "cf.missing.integer",
            "Among integers, what is missing is 0.",
            |it| {
                let is_missing = it.format.float().is_none() && it.codec.missing.contains(&it.bits);
                is_missing.then(|| give(0))?
            }),
    ]
}

#[rustfmt::skip] // A table.
fn readers() -> Vec<Mutant> {
    vec![
        misread("cf-as-if-by-the-text", "cf.reader.xarray",
            "xarray's types are taken for those of the text.",
            |request| as_reader(request, "xarray", "cf")),
        misread("cf-as-if-by-xarray", "cf.decode.type",
            "Values are of the types that xarray gives them.",
            |request| as_reader(request, "cf", "xarray")),
        misread("cf-default-fill", "cf.missing.default",
            "The default fill values of netCDF's library are missing in any store.",
            |request| as_reader(request, "cf", "netcdf4")),
        misread("cf-no-default-fill", "cf.reader.netcdf4",
            "netCDF4-python's default fill values are passed over.",
            |request| as_reader(request, "netcdf4", "cf")),
        pack("cf-netcdf4-prefers-the-fill", "cf.reader.netcdf4",
            "NaN is packed as the fill value, also where netCDF4-python takes missing_value.",
            |it| {
                (it.value() == Exact::Nan && it.codec.missing.len() == 2).then_some(())?;
                give(*it.codec.missing.last()?)
            }),
    ]
}
