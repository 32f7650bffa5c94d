//! Mutants of `cf`: how readers and writers of packed data deviate.

mod cells;
mod packing;

use exactum_conformance::Request;
use exactum_conformance::model::{Cf, DataType, Direction, Format, Rounding};
use exactum_exact::{Exact, Rounded, round, wrap};
use exactum_reference::Reference;
use exactum_reference::cf::{Packing, Step, decode_element_with, encode_element_with};
use serde_json::{Map, Value};

use super::arithmetic::{
    BINARY32, BINARY64, floor, half, integer, largest, same, saturated, through,
};
use super::{Mutant, give, misread, mutant, overrides};

pub(crate) use cells::lies;

/// Returns a mutant with a wrong decision in one direction.
fn decided(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    way: Direction,
    wrong: impl Packing + Send + Sync + 'static,
) -> Mutant {
    let overrides = overrides::elements("cf", move |codec: &Cf, direction, bits| {
        (direction == way).then(|| match way {
            Direction::Encode => encode_element_with(&wrong, codec, bits),
            Direction::Decode => decode_element_with(&wrong, codec, bits),
        })
    });
    mutant(name, clause, fault, overrides)
}

fn unpack(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: impl Packing + Send + Sync + 'static,
) -> Mutant {
    decided(name, clause, fault, Direction::Decode, wrong)
}

fn pack(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: impl Packing + Send + Sync + 'static,
) -> Mutant {
    decided(name, clause, fault, Direction::Encode, wrong)
}

/// Treats no code as missing.
struct NothingMissing;

impl Packing for NothingMissing {
    fn is_missing(&self, _: &Cf, _: u64) -> bool {
        false
    }
}

/// Rounds numbers to another format instead of the unpacked one.
struct Through(fn(&Cf) -> Format);

impl Packing for Through {
    fn stored(&self, codec: &Cf, value: &Exact) -> Exact {
        through(value, &(self.0)(codec))
    }
}

/// Returns the value of a code, whether or not it is missing.
fn value_of(codec: &Cf, code: u64) -> Exact {
    let bits = decode_element_with(&NothingMissing, codec, code).unwrap_or_default();
    Exact::from_bits(&codec.unpacked.format(), bits)
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

/// Removes an attribute.
fn without(request: &mut Request, key: &str) {
    attributes(request, |members| {
        members.remove(key);
    });
}

/// Names another reader in the request.
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
            wrong!(Packing: fn unpacking(&self, codec: &Cf) -> [Step; 2] { [(codec.scale_factor, Exact::divide), (codec.add_offset, Exact::add)] })),
        unpack("cf-subtracts-offset", "cf.decode",
            "Unpacking subtracts the offset.",
            wrong!(Packing: fn unpacking(&self, codec: &Cf) -> [Step; 2] { [(codec.scale_factor, Exact::multiply), (codec.add_offset, Exact::subtract)] })),
        unpack("cf-ignores-offset", "cf.decode",
            "add_offset alone is ignored, as netCDF4-python did at first (issue 86).",
            wrong!(Packing: fn unpacking(&self, codec: &Cf) -> [Step; 2] { [(codec.scale_factor, Exact::multiply), (None, Exact::add)] })),
        unpack("cf-adds-first", "cf.decode.order",
            "(code + add_offset) * scale_factor, the formula of MODIS.",
            wrong!(Packing: fn unpacking(&self, codec: &Cf) -> [Step; 2] { [(codec.add_offset, Exact::add), (codec.scale_factor, Exact::multiply)] })),
        unpack("cf-absent-offset-is-zero", "cf.decode.absent",
            "Without add_offset, 0 is added, and -0 becomes 0.",
            wrong!(Packing: fn unpacking(&self, codec: &Cf) -> [Step; 2] { [(codec.scale_factor, Exact::multiply), (codec.add_offset.or(Some(0)), Exact::add)] })),
        misread("cf-attributes-are-double", "cf.decode.type",
            "The attributes count as float64, and so do the values.",
            |request| without(request, "attribute_type")),
        unpack("cf-all-in-float32", "cf.decode.type",
            "Everything is computed in float32, regardless of the type of the attributes.",
            Through(|_| BINARY32)),
        unpack("cf-int32-in-float32", "cf.decode.guidance",
            "Codes of 32 bits go through float32.",
            Through(|codec| match codec.packed {
                DataType::Int32 | DataType::Uint32 => BINARY32,
                _ => codec.unpacked.format(),
            })),
        unpack("cf-float32-in-float64", "cf.decode.steps",
            "Values of float32 are computed in float64 and rounded at the end.",
            Through(|_| BINARY64)),
        unpack("cf-fused", "cf.decode.steps",
            "Product and sum are rounded once, by a fused multiplication and addition.",
            wrong!(Packing: fn stored(&self, _: &Cf, value: &Exact) -> Exact { value.clone() })),
        unpack("cf-overflow-saturates", "cf.decode.steps",
            "An overflow becomes the largest finite value.",
            wrong!(Packing: fn stored(&self, codec: &Cf, value: &Exact) -> Exact {
                let format = codec.unpacked.format();
                match Reference.stored(codec, value) {
                    Exact::Infinite { negative } => Exact::from_bits(&format, largest(&format, !negative)),
                    right => right,
                }
            })),
        misread("cf-ignores-unsigned", "cf.unsigned.codes",
            "_Unsigned is ignored: 255 is read as -1.",
            |request| without(request, "_Unsigned")),
        unpack("cf-missing-value-stays-signed", "cf.unsigned.codes",
            "Only _FillValue is read as unsigned; missing_value is compared as written, as in xarray.",
            wrong!(Packing: fn is_missing(&self, codec: &Cf, code: u64) -> bool {
                let mut codec = codec.clone();
                let width = codec.counted.format().component_bits();
                if codec.packed != codec.counted {
                    let mut first = true;
                    codec.missing.retain(|code| std::mem::take(&mut first) || code >> (width - 1) == 0);
                }
                Reference.is_missing(&codec, code)
            })),
        misread("cf-false-is-unsigned", "cf.unsigned.codes",
            "The codes are unsigned regardless of the value of _Unsigned: any text counts as true.",
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
            wrong!(Packing: fn is_missing(&self, codec: &Cf, code: u64) -> bool {
                let (value, counted) = (value_of(codec, code), codec.counted.format());
                codec.missing.iter().any(|missing| same(&value, &Exact::from_bits(&counted, *missing)))
            })),
        unpack("cf-range-meets-values", "cf.missing.packed",
            "valid_range is applied to values, not to codes.",
            wrong!(Packing: fn is_missing(&self, codec: &Cf, code: u64) -> bool {
                let (value, (least, greatest)) = (value_of(codec, code), codec.valid);
                let order = |bound: i64| value.compare(&Exact::integer(bound.into()));
                codec.missing.contains(&code)
                    || order(least) == Some(std::cmp::Ordering::Less)
                    || order(greatest) == Some(std::cmp::Ordering::Greater)
            })),
        misread("cf-fill-is-a-value", "cf.missing.fill",
            "_FillValue is ignored, and scaled.",
            |request| without(request, "_FillValue")),
        misread("cf-ignores-missing-value", "cf.missing.value",
            "missing_value is not treated in any special way, as NUG says about generic applications.",
            |request| without(request, "missing_value")),
        misread("cf-first-missing-value-only", "cf.missing.value",
            "Of several codes, only the first counts as missing.",
            |request| attributes(request, |members| {
                if let Some(Value::Array(codes)) = members.get_mut("missing_value") {
                    codes.truncate(1);
                }
            })),
        misread("cf-fill-hides-missing-value", "cf.missing.value",
            "missing_value is read only if there is no _FillValue.",
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
            "valid_min, valid_max and valid_range are ignored, as in xarray.",
            wrong!(Packing: fn is_missing(&self, codec: &Cf, code: u64) -> bool { codec.missing.contains(&code) })),
        misread("cf-ignores-least", "cf.missing.range",
            "valid_min is ignored.",
            |request| without(request, "valid_min")),
        misread("cf-ignores-greatest", "cf.missing.range",
            "valid_max is ignored.",
            |request| without(request, "valid_max")),
        unpack("cf-bounds-are-missing", "cf.missing.range",
            "The bounds themselves count as missing.",
            wrong!(Packing: fn is_missing(&self, codec: &Cf, code: u64) -> bool {
                let (least, greatest) = codec.valid;
                let valid = (least.saturating_add(1), greatest.saturating_sub(1));
                Reference.is_missing(&Cf { valid, ..codec.clone() }, code)
            })),
        unpack("cf-fill-makes-a-range", "cf.missing.default",
            "A positive _FillValue is an upper bound, any other a lower bound, as NUG says about generic applications.",
            wrong!(Packing: fn is_missing(&self, codec: &Cf, code: u64) -> bool {
                let read = |code: &u64| Exact::from_bits(&codec.counted.format(), *code);
                let is_beyond = |fill: Exact| match (fill.is_negative(), read(&code).compare(&fill)) {
                    (false, Some(std::cmp::Ordering::Greater)) => !matches!(fill, Exact::Zero { .. }),
                    (true, Some(std::cmp::Ordering::Less)) => true,
                    _ => false,
                };
                codec.missing.first().map(read).is_some_and(is_beyond) || Reference.is_missing(codec, code)
            })),
        unpack("cf-missing-is-scaled", "cf.missing.nan",
            "Missing values are transformed like all others.",
            NothingMissing),
        unpack("cf-missing-is-its-code", "cf.missing.nan",
            "Missing values are unpacked as their codes, unscaled.",
            wrong!(Packing: fn missing(&self, codec: &Cf, code: u64) -> u64 {
                let value = self.stored(codec, &Exact::from_bits(&codec.counted.format(), code));
                saturated(&value, &codec.unpacked.format())
            })),
        mutant("cf-missing-is-zero", "cf.missing.integer",
            "Missing integers become 0.",
            overrides::elements("cf", |codec: &Cf, direction, bits| {
                let is_integer = codec.unpacked.format().float().is_none() && direction == Direction::Decode;
                (is_integer && codec.missing.contains(&bits)).then(|| give(0))?
            })),
    ]
}

#[rustfmt::skip] // A table.
fn readers() -> Vec<Mutant> {
    vec![
        misread("cf-as-if-by-the-text", "cf.reader.xarray",
            "The types of xarray are used instead of those of the text.",
            |request| as_reader(request, "xarray", "cf")),
        misread("cf-as-if-by-xarray", "cf.decode.type",
            "Values have the types that xarray gives them.",
            |request| as_reader(request, "cf", "xarray")),
        misread("cf-default-fill", "cf.missing.default",
            "The default fill values of the netCDF library count as missing in any store.",
            |request| as_reader(request, "cf", "netcdf4")),
        misread("cf-no-default-fill", "cf.reader.netcdf4",
            "The default fill values of netCDF4-python are ignored.",
            |request| as_reader(request, "netcdf4", "cf")),
        pack("cf-netcdf4-prefers-the-fill", "cf.reader.netcdf4",
            "NaN is packed as the fill value, even where netCDF4-python uses missing_value.",
            wrong!(Packing: fn nan(&self, codec: &Cf) -> Option<u64> {
                match codec.missing[..] {
                    [_, fill] => Some(fill),
                    _ => Reference.nan(codec),
                }
            })),
    ]
}
