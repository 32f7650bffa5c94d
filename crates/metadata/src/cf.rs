//! The attributes of a packed variable (spec/cf.md).

pub(crate) mod attributes;
mod members;

use exactum_exact::Exact;
use exactum_model::{Cf, DataType, Format, Rejection};

use crate::description::{Found, Member};
use crate::diagnostic::Read;
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::scalar::{self, Parameter};

pub(crate) use members::DOCUMENT;
use members::{
    ADD_OFFSET, ATTRIBUTE_TYPE, Codes, DATA_TYPE, FILL_VALUE, MISSING_VALUE, READER, Reader,
    SCALE_FACTOR, UNSIGNED, VALID_MAX, VALID_MIN, VALID_RANGE,
};

/// Reads the attributes of a packed variable from the text of a JSON object. `unpacked` is the data type of
/// its values when they are unpacked.
///
/// # Errors
/// The clauses of `cf.*` about documents, and those of `chain.json*`; `cf.decode.type` if the reader unpacks into
/// another type.
pub fn parse_cf(document: &str, unpacked: DataType) -> Result<Cf, Rejection> {
    DOCUMENT.parse(document, |found, root| {
        let mut parts = Parts::of(root);
        let codec = resolve(found, &mut parts)?;
        let codec = whole(root, codec, parts)?;
        if codec.unpacked == unpacked {
            return Ok(codec);
        }
        let message = format!("the unpacked values are {}, not {unpacked}", codec.unpacked);
        Err(root.reject("cf.decode.type", message))
    })
}

/// Reads attributes under the rules for writing. If all faults are requested, every attribute whose data type
/// is known is judged, even if others are wrong.
pub(crate) fn written(root: Node<'_>) -> Read<Cf> {
    let mut parts = Parts::of(root);
    let opened = parts.take(DOCUMENT.open(root))?;
    let found = opened.or_else(|| (root.kind() == Kind::Object).then(|| Found::of(root)));
    let Some(found) = found else {
        return whole(root, None, parts);
    };
    let codec = resolve(found, &mut parts)?;
    let is_scaled = found.node(&SCALE_FACTOR).is_some() || found.node(&ADD_OFFSET).is_some();
    if let (Some(Some(DataType::Float32)), Some(node), Some(Some(packed))) = (
        found.known(&ATTRIBUTE_TYPE)?,
        found.node(&ATTRIBUTE_TYPE),
        found.known(&DATA_TYPE)?,
    ) && is_scaled
        && packed.element_bytes() == 4
    {
        let message = format!("float32 cannot be packed into {packed}");
        let fault = node
            .reject("cf.types", message)
            .help("float32 can only be packed into 8 or 16 bits; make the attributes float64");
        parts.take::<()>(Err(fault))?;
    }
    whole(root, codec, parts)
}

/// Returns the attributes that were read, if they have no faults.
fn whole(root: Node<'_>, codec: Option<Cf>, parts: Parts<'_>) -> Read<Cf> {
    parts.end()?;
    // Without a fault, the codec is present.
    codec.ok_or_else(|| root.reject("cf.document", "part of the document cannot be read"))
}

/// Resolves the attributes, or returns nothing if one of them cannot be read.
fn resolve(found: Found<'_>, parts: &mut Parts<'_>) -> Read<Option<Cf>> {
    let packed = found.known(&DATA_TYPE)?.flatten();
    let attributes = found.known(&ATTRIBUTE_TYPE)?;
    let attributes = attributes.map(|it| it.unwrap_or(DataType::Float64));
    let reader = found.known(&READER)?.map(Option::unwrap_or_default);
    let unsigned = found.known(&UNSIGNED)?;
    let counted = packed
        .zip(unsigned)
        .map(|(packed, unsigned)| match unsigned {
            Some(true) => as_unsigned(packed),
            _ => packed,
        });
    let scale_factor = number(found, &SCALE_FACTOR, attributes, parts)?;
    let add_offset = number(found, &ADD_OFFSET, attributes, parts)?;
    let fill = codes(found, &FILL_VALUE, packed, parts)?;
    let named = codes(found, &MISSING_VALUE, packed, parts)?;
    let valid = valid(found, packed, counted, parts)?;
    let all = || {
        Some(Packed {
            packed: packed?,
            counted: counted?,
            attributes: attributes?,
            reader: reader?,
            scale_factor: scale_factor?,
            add_offset: add_offset?,
            fill: fill?,
            named: named?,
            valid: valid?,
        })
    };
    Ok(all().map(Packed::resolved))
}

/// The attributes of a packed variable, each read separately.
struct Packed {
    packed: DataType,
    counted: DataType,
    attributes: DataType,
    reader: Reader,
    scale_factor: Option<u64>,
    add_offset: Option<u64>,
    fill: Vec<u64>,
    named: Vec<u64>,
    valid: (i64, i64),
}

impl Packed {
    fn resolved(self) -> Cf {
        let Self {
            packed,
            counted,
            attributes,
            reader,
            scale_factor,
            add_offset,
            fill,
            named,
            valid,
        } = self;
        let is_masked = !(fill.is_empty() && named.is_empty());
        let unpacked = match reader {
            Reader::Xarray => by_xarray(
                (scale_factor.is_some(), add_offset.is_some()),
                attributes,
                counted,
                is_masked,
            ),
            _ if scale_factor.is_none() && add_offset.is_none() => counted,
            _ => widened(counted, attributes),
        };
        let missing = match reader {
            Reader::Netcdf4 => {
                let fill = match fill.is_empty() {
                    true => default_fill(packed),
                    false => fill,
                };
                [named, fill].concat()
            }
            _ => [fill, named].concat(),
        };
        Cf {
            unpacked,
            packed,
            counted,
            scale_factor: scale_factor.map(|bits| exactly(bits, attributes, unpacked)),
            add_offset: add_offset.map(|bits| exactly(bits, attributes, unpacked)),
            missing,
            valid: match reader {
                Reader::Xarray => (i64::MIN, i64::MAX),
                _ => valid,
            },
        }
    }
}

/// Returns the type of the attributes, or `float64` if codes have 32 bits (cf.decode.guidance).
fn widened(counted: DataType, attributes: DataType) -> DataType {
    match counted.element_bytes() {
        4 => DataType::Float64,
        _ => attributes,
    }
}

/// Returns the type into which xarray unpacks (cf.reader.xarray).
fn by_xarray(
    scaled: (bool, bool),
    attributes: DataType,
    counted: DataType,
    is_masked: bool,
) -> DataType {
    match scaled {
        (true, true) => widened(counted, attributes),
        (true, false) => attributes,
        (false, true) => DataType::Float64,
        (false, false) if is_masked => widened(counted, DataType::Float32),
        (false, false) => counted,
    }
}

fn as_unsigned(data_type: DataType) -> DataType {
    match data_type {
        DataType::Int8 => DataType::Uint8,
        DataType::Int16 => DataType::Uint16,
        DataType::Int32 => DataType::Uint32,
        unsigned => unsigned,
    }
}

/// Returns the values with which the library fills a variable without attributes about it
/// (cf.reader.netcdf4).
fn default_fill(data_type: DataType) -> Vec<u64> {
    match data_type {
        DataType::Int8 => vec![0x81],
        DataType::Int16 => vec![0x8001],
        DataType::Int32 => vec![0x8000_0001],
        DataType::Uint8 => vec![0xff],
        DataType::Uint16 => vec![0xffff],
        _ => vec![0xffff_ffff],
    }
}

/// Returns the bits of a number in a type that is at least as wide.
fn exactly(bits: u64, from: DataType, to: DataType) -> u64 {
    match (from, to) {
        (DataType::Float32, DataType::Float64) => {
            let bits = u32::try_from(bits).unwrap_or_default();
            f64::from(f32::from_bits(bits)).to_bits()
        }
        _ => bits,
    }
}

/// Reads a finite number, and no factor of zero (cf.attributes.number). Returns nothing if it cannot be read.
fn number(
    found: Found<'_>,
    member: &Member<Parameter>,
    data_type: Option<DataType>,
    parts: &mut Parts<'_>,
) -> Read<Option<Option<u64>>> {
    let (Some(node), Some(data_type)) = (found.known(member)?, data_type) else {
        return Ok(None);
    };
    let Some(node) = node else {
        return Ok(Some(None));
    };
    let read = || {
        let bits = scalar::parameter(data_type, node, member.clause)?.component(0);
        let wide = f64::from_bits(exactly(bits, data_type, DataType::Float64));
        let what = match member.name {
            _ if !wide.is_finite() => format!("is not finite in {data_type}"),
            "scale_factor" if wide == 0.0 => {
                format!("is zero in {data_type}, and packing divides by it")
            }
            _ => return Ok(Some(bits)),
        };
        let message = format!("this {} {what}", member.name);
        Err(node
            .reject(member.clause, message)
            .help("leave it out if nothing is scaled or shifted"))
    };
    parts.take(read())
}

/// Reads the codes of a member, which have the packed type (cf.missing.type, cf.missing.value.type). Returns
/// nothing if one of them cannot be read.
fn codes(
    found: Found<'_>,
    member: &Member<Codes>,
    packed: Option<DataType>,
    parts: &mut Parts<'_>,
) -> Read<Option<Vec<u64>>> {
    let (Some(nodes), Some(packed)) = (found.known(member)?, packed) else {
        return Ok(None);
    };
    let mut codes = Some(Vec::new());
    for node in nodes.unwrap_or_default() {
        let code = scalar::parameter(packed, node, member.clause).map_err(|fault| {
            let value = (node.kind() == Kind::Number).then(|| Exact::decimal(node.raw()));
            match value
                .flatten()
                .and_then(|it| attributes::signed_spelling(packed, &it))
            {
                Some(help) => fault.help(help),
                None => fault,
            }
        });
        let code = parts.take(code.map(|it| it.component(0)))?;
        codes = codes
            .zip(code)
            .map(|(codes, code)| [codes, vec![code]].concat());
    }
    Ok(codes)
}

/// Reads the least and the greatest valid code (cf.missing.range). Returns nothing if one of them cannot be
/// read.
fn valid(
    found: Found<'_>,
    packed: Option<DataType>,
    counted: Option<DataType>,
    parts: &mut Parts<'_>,
) -> Read<Option<(i64, i64)>> {
    let least = codes(found, &VALID_MIN, packed, parts)?;
    let greatest = codes(found, &VALID_MAX, packed, parts)?;
    let is_there = |member| found.node(member).is_some();
    if let Some(range) = found.node(&VALID_RANGE)
        && (is_there(&VALID_MIN) || is_there(&VALID_MAX))
    {
        let fault = range
            .reject(
                "cf.missing.range.alone",
                "valid_range is given together with valid_min or valid_max",
            )
            .help("keep one of the two forms");
        parts.take::<()>(Err(fault))?;
    }
    let range = codes(found, &VALID_RANGE, packed, parts)?;
    let (Some(least), Some(greatest), Some(range), Some(counted)) =
        (least, greatest, range, counted)
    else {
        return Ok(None);
    };
    let value = |bits: &u64| signed(*bits, counted);
    Ok(Some(match range.as_slice() {
        [least, greatest] => (value(least), value(greatest)),
        _ => (
            least.first().map_or(i64::MIN, value),
            greatest.first().map_or(i64::MAX, value),
        ),
    }))
}

/// Returns the integer that the bits represent in a type of at most 32 bits.
fn signed(bits: u64, data_type: DataType) -> i64 {
    let Format::Integer(format) = data_type.format() else {
        return 0;
    };
    let value = i64::try_from(bits).unwrap_or_default();
    let is_negative = format.signed && value >> (format.bits - 1) == 1;
    value - (i64::from(is_negative) << format.bits)
}
