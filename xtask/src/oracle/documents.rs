//! A second reader of configurations and array documents, based on serde_json, which determines their meaning if they
//! are valid. It does not check whether they are valid: that a document must be rejected is stated by hand where the
//! document is written.

use std::collections::BTreeMap;

use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, BitRound, Bytes, CastValue, Chain, CodecPipeline,
    DataType, Endian, FixedScaleOffset, FixedScaleOffsetNumber, Format, MapEntry, Names,
    OutOfRange, PackBits, PaddingEncoding, Rounding, Scalar, ScaleOffset, Zfp,
};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Double;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fill_value;

type Members = BTreeMap<String, Box<RawValue>>;

fn members(text: &str) -> Option<Members> {
    serde_json::from_str(text).ok()
}

/// Returns a member that is a string.
fn word(members: &Members, name: &str) -> Option<String> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

/// Returns a name, which stands alone or in an object, and the text of the configuration.
fn extension(text: &str) -> Option<(String, String)> {
    if let Ok(name) = serde_json::from_str::<String>(text) {
        return Some((name, "{}".into()));
    }
    let members = members(text)?;
    let name = serde_json::from_str(members.get("name")?.get()).ok()?;
    let configuration = members.get("configuration");
    Some((name, configuration.map_or("{}", |raw| raw.get()).into()))
}

/// Returns a numeric data type, or the data type of the integers that represent times.
fn data_type(text: &str) -> Option<DataType> {
    match extension(text)?.0.as_str() {
        "numpy.datetime64" | "numpy.timedelta64" => Some(DataType::Int64),
        name => name.parse().ok(),
    }
}

/// Parses a fill value. Times have a name for the smallest integer.
fn fill(data_type: DataType, text: &str) -> Option<Scalar> {
    let text = match text {
        "\"NaT\"" => "-9223372036854775808",
        text => text,
    };
    fill_value::parse(data_type, text).ok()
}

fn bits(data_type: DataType, text: &str) -> Option<u64> {
    Some(fill_value::parse(data_type, text).ok()?.component(0))
}

pub(crate) fn bitround(configuration: &str, data_type: DataType) -> Option<BitRound> {
    let members = members(configuration)?;
    Some(BitRound {
        data_type,
        keep_bits: members.get("keepbits")?.get().parse().ok()?,
    })
}

/// Reads the codec of a `scale_offset` configuration.
pub(crate) fn scale_offset(configuration: &str, data_type: DataType) -> Option<ScaleOffset> {
    let members = members(configuration)?;
    let parameter = |name: &str| match members.get(name) {
        None => Some(None),
        Some(raw) => bits(data_type, raw.get()).map(Some),
    };
    Some(ScaleOffset {
        data_type,
        offset: parameter("offset")?,
        scale: parameter("scale")?,
    })
}

/// Reads the codec of a `numcodecs.fixedscaleoffset` configuration.
pub(crate) fn fixed_scale_offset(configuration: &str) -> Option<FixedScaleOffset> {
    let members = members(configuration)?;
    let data_type = |name: &str| -> Option<DataType> {
        let word = word(&members, name)?;
        let plain = word.trim_start_matches(['<', '>', '|']);
        if let Ok(data_type) = plain.parse() {
            return Some(data_type);
        }
        let bits = 8 * plain.get(1..)?.parse::<u32>().ok()?;
        let family = match plain.get(..1)? {
            "i" => "int",
            "u" => "uint",
            "f" => "float",
            _ => return None,
        };
        format!("{family}{bits}").parse().ok()
    };
    let (dtype, astype) = (data_type("dtype")?, data_type("astype")?);
    let integers = matches!(dtype.format(), Format::Integer(_));
    let number = |name: &str| -> Option<FixedScaleOffsetNumber> {
        let text = members.get(name)?.get();
        let plain = !text.contains(['.', 'e', 'E']);
        if plain && integers {
            return text.parse().ok().map(FixedScaleOffsetNumber::Integer);
        }
        let value: f64 = text.parse().ok()?;
        // The zero of an integer has no sign.
        let value = if plain { value + 0.0 } else { value };
        Some(FixedScaleOffsetNumber::Binary64(value.to_bits()))
    };
    Some(FixedScaleOffset {
        dtype,
        astype,
        offset: number("offset")?,
        scale: number("scale")?,
    })
}

/// Reads the codec of a `cast_value` configuration.
pub(crate) fn cast_value(configuration: &str, decoded: DataType) -> Option<CastValue> {
    let members = members(configuration)?;
    let encoded = data_type(members.get("data_type")?.get())?;
    let map: BTreeMap<String, Vec<[Box<RawValue>; 2]>> = match members.get("scalar_map") {
        None => BTreeMap::new(),
        Some(raw) => serde_json::from_str(raw.get()).ok()?,
    };
    let entries = |name: &str, from, to| -> Option<Vec<MapEntry>> {
        map.get(name)
            .into_iter()
            .flatten()
            .map(|[input, output]| {
                Some(MapEntry {
                    input: bits(from, input.get())?,
                    output: bits(to, output.get())?,
                })
            })
            .collect()
    };
    Some(CastValue {
        decoded,
        encoded,
        rounding: match word(&members, "rounding") {
            None => Rounding::NearestEven,
            Some(word) => *Rounding::ALL.iter().find(|mode| mode.name() == word)?,
        },
        out_of_range: match word(&members, "out_of_range") {
            None => None,
            Some(word) => Some(*OutOfRange::ALL.iter().find(|rule| rule.name() == word)?),
        },
        encode_map: entries("encode", decoded, encoded)?,
        decode_map: entries("decode", encoded, decoded)?,
    })
}

/// Reads the codec of a `bytes` configuration.
pub(crate) fn bytes(configuration: &str, data_type: DataType) -> Option<Bytes> {
    let members = members(configuration)?;
    let endian = match word(&members, "endian").as_deref() {
        None => None,
        Some("little") => Some(Endian::Little),
        Some("big") => Some(Endian::Big),
        Some(_) => return None,
    };
    Some(Bytes { data_type, endian })
}

/// Reads the codec of a `packbits` configuration.
pub(crate) fn packbits(configuration: &str, data_type: DataType) -> Option<PackBits> {
    let members = members(configuration)?;
    let bit = |name: &str, default: u32| -> Option<u32> {
        match members.get(name) {
            None => Some(default),
            Some(raw) => serde_json::from_str::<Option<u32>>(raw.get())
                .ok()
                .map(|bit| bit.unwrap_or(default)),
        }
    };
    Some(PackBits {
        data_type,
        padding: match word(&members, "padding_encoding").as_deref() {
            None | Some("none") => PaddingEncoding::None,
            Some("first_byte") => PaddingEncoding::FirstByte,
            Some("last_byte") => PaddingEncoding::LastByte,
            Some(_) => return None,
        },
        first_bit: bit("first_bit", 0)?,
        last_bit: bit("last_bit", data_type.format().component_bits() - 1)?,
    })
}

/// Reads the codec of a `zfp` configuration.
pub(crate) fn zfp(configuration: &str, data_type: DataType, rank: usize) -> Option<Zfp> {
    let members = members(configuration)?;
    let number = |name: &str| -> Option<i64> { members.get(name)?.get().parse().ok() };
    let limit = |name: &str| u32::try_from(number(name)?).ok();
    let real = |name: &str| -> Option<f64> { members.get(name)?.get().parse().ok() };
    let mut zfp = Zfp {
        data_type,
        rank,
        min_bits: 1,
        max_bits: 16658,
        max_precision: 64,
        min_exponent: -1074,
    };
    match word(&members, "mode")?.as_str() {
        "reversible" => zfp.min_exponent = -1075,
        "fixed_precision" => zfp.max_precision = limit("precision")?,
        "fixed_accuracy" => {
            let tolerance = Double::from_bits(real("tolerance")?.to_bits().into());
            zfp.min_exponent = tolerance.ilogb();
        }
        "fixed_rate" => {
            let elements = [4.0, 4.0, 16.0, 64.0, 256.0].get(rank)?;
            let bits = format!("{:.0}", (real("rate")? * elements + 0.5).floor());
            let header = match data_type.name() {
                "float64" => 12,
                name if name.contains("float") => 9,
                _ => 0,
            };
            zfp.min_bits = bits.parse::<u32>().ok()?.max(header);
            zfp.max_bits = zfp.min_bits;
        }
        "expert" => {
            zfp.min_bits = limit("minbits")?;
            zfp.max_bits = limit("maxbits")?;
            zfp.max_precision = limit("maxprec")?;
            zfp.min_exponent = i32::try_from(number("minexp")?).ok()?;
        }
        _ => return None,
    }
    Some(zfp)
}

/// Reads the chain of an array document.
pub(crate) fn chain(document: &str) -> Option<Chain> {
    let members = members(document)?;
    let data_type = data_type(members.get("data_type")?.get())?;
    let (_, grid) = extension(members.get("chunk_grid")?.get())?;
    let grid = self::members(&grid)?;
    let chunk_shape: Vec<u64> = match (grid.get("chunk_shape"), grid.get("chunk_shapes")) {
        (Some(shape), _) => serde_json::from_str(shape.get()).ok()?,
        (None, Some(shapes)) => {
            let axes: Vec<Value> = serde_json::from_str(shapes.get()).ok()?;
            axes.iter().map(first_length).collect::<Option<_>>()?
        }
        (None, None) => return None,
    };
    let fill_value = fill(data_type, members.get("fill_value")?.get())?;
    let codecs = members.get("codecs")?.get();
    Some(Chain {
        data_type,
        fill_value,
        pipeline: pipeline(codecs, "/codecs", data_type, chunk_shape.clone())?,
        chunk_shape,
    })
}

/// Returns the length of the first chunk along a dimension, whose lengths are given one by one or in runs.
fn first_length(axis: &Value) -> Option<u64> {
    match axis {
        Value::Array(lengths) => first_length(lengths.first()?),
        length => length.as_u64(),
    }
}

/// The names of the array -> array codecs.
const ARRAY_TO_ARRAY: [&str; 7] = [
    "bitround",
    "cast_value",
    "numcodecs.bitround",
    "numcodecs.fixedscaleoffset",
    "reshape",
    "scale_offset",
    "transpose",
];

/// Reads a list of codecs. If a name is unknown here, only this name is kept; the codecs that follow it, up to the
/// array -> bytes codec, are left out.
fn pipeline(
    codecs: &str,
    pointer: &str,
    mut data_type: DataType,
    mut shape: Vec<u64>,
) -> Option<CodecPipeline> {
    let codecs: Vec<Box<RawValue>> = serde_json::from_str(codecs).ok()?;
    let mut steps = Vec::new();
    let mut array_to_bytes = None;
    let mut foreign = None;
    let mut bytes_to_bytes = Names::default();
    for (index, codec) in codecs.iter().enumerate() {
        let (name, configuration) = extension(codec.get())?;
        let pointer = format!("{pointer}/{index}");
        match name.as_str() {
            // The documents use this name for codecs with `must_understand: false`.
            "x.optional" => {}
            known if ARRAY_TO_ARRAY.contains(&known) => {
                if foreign.is_none() {
                    let codec = array_to_array(known, &configuration, data_type, &mut shape)?;
                    data_type = match &codec {
                        ArrayCodec::CastValue(codec) => codec.encoded,
                        ArrayCodec::FixedScaleOffset(codec) => codec.astype,
                        _ => data_type,
                    };
                    let shape = shape.clone();
                    steps.push(ArrayToArray {
                        name,
                        pointer,
                        codec,
                        data_type,
                        shape,
                    });
                }
            }
            "bytes" | "packbits" | "zfp" if name == "bytes" || foreign.is_none() => {
                let rank = shape.len();
                array_to_bytes = Some(serializer(&name, &configuration, data_type, rank)?);
            }
            "sharding_indexed" => {
                array_to_bytes = Some(sharding(&configuration, &pointer, data_type)?);
            }
            // These two codecs also follow an array -> bytes codec whose name is unknown.
            known if array_to_bytes.is_some() || ["crc32c", "gzip"].contains(&known) => {
                bytes_to_bytes.push(&name);
            }
            _ => {
                foreign.get_or_insert(name);
            }
        }
    }
    Some(CodecPipeline {
        array_to_array: steps,
        array_to_bytes: foreign.map(ArrayToBytes::Foreign).or(array_to_bytes)?,
        bytes_to_bytes,
    })
}

/// Reads the array -> array codec with this name, which may change the shape.
fn array_to_array(
    name: &str,
    configuration: &str,
    data_type: DataType,
    shape: &mut Vec<u64>,
) -> Option<ArrayCodec> {
    Some(match name {
        "bitround" | "numcodecs.bitround" => {
            ArrayCodec::BitRound(bitround(configuration, data_type)?)
        }
        "scale_offset" => ArrayCodec::ScaleOffset(scale_offset(configuration, data_type)?),
        "cast_value" => ArrayCodec::CastValue(cast_value(configuration, data_type)?),
        "numcodecs.fixedscaleoffset" => {
            ArrayCodec::FixedScaleOffset(fixed_scale_offset(configuration)?)
        }
        "transpose" => {
            let members = members(configuration)?;
            let order: Vec<usize> = serde_json::from_str(members.get("order")?.get()).ok()?;
            *shape = order.iter().map(|&dimension| shape[dimension]).collect();
            ArrayCodec::Transpose(order)
        }
        "reshape" => {
            let members = members(configuration)?;
            *shape = reshaped(members.get("shape")?.get(), shape)?;
            ArrayCodec::Reshape
        }
        _ => return None,
    })
}

/// Reads the array -> bytes codec with this name.
fn serializer(
    name: &str,
    configuration: &str,
    data_type: DataType,
    rank: usize,
) -> Option<ArrayToBytes> {
    Some(match name {
        "packbits" => ArrayToBytes::PackBits(packbits(configuration, data_type)?),
        "zfp" => ArrayToBytes::Zfp(zfp(configuration, data_type, rank)?),
        _ => ArrayToBytes::Bytes(bytes(configuration, data_type)?),
    })
}

/// Reads a sharding configuration, with the codecs inside the shards.
fn sharding(configuration: &str, pointer: &str, data_type: DataType) -> Option<ArrayToBytes> {
    let members = members(configuration)?;
    let chunk_shape: Vec<u64> = serde_json::from_str(members.get("chunk_shape")?.get()).ok()?;
    Some(ArrayToBytes::Sharding {
        pipeline: Box::new(pipeline(
            members.get("codecs")?.get(),
            &format!("{pointer}/configuration/codecs"),
            data_type,
            chunk_shape.clone(),
        )?),
        chunk_shape,
    })
}

/// Returns the shape to which `reshape` changes another shape.
fn reshaped(extents: &str, shape: &[u64]) -> Option<Vec<u64>> {
    let extents: Vec<Box<RawValue>> = serde_json::from_str(extents).ok()?;
    let extents: Vec<Option<u64>> = extents
        .iter()
        .map(|raw| {
            if raw.get() == "-1" {
                return Some(None);
            }
            if let Ok(size) = serde_json::from_str(raw.get()) {
                return Some(Some(size));
            }
            let dimensions: Vec<usize> = serde_json::from_str(raw.get()).ok()?;
            Some(Some(
                dimensions
                    .iter()
                    .map(|&dimension| shape[dimension])
                    .product(),
            ))
        })
        .collect::<Option<_>>()?;
    let known: u64 = extents.iter().flatten().product();
    let rest = shape.iter().product::<u64>().checked_div(known)?;
    Some(
        extents
            .into_iter()
            .map(|extent| extent.unwrap_or(rest))
            .collect(),
    )
}
