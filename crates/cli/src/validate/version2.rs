//! `exactum validate --modernize` for a Zarr v2 array: writes the v3 document that reads the same chunks.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// A Zarr v3 document and notes for its user, one per line.
#[derive(Debug)]
pub(super) struct Converted {
    pub(super) document: Value,
    pub(super) notes: Vec<String>,
}

/// Compressors that have the same configuration in numcodecs and in the registry, or that are registered
/// under their numcodecs names.
const PREFIXED: [&str; 9] = [
    "adler32",
    "bz2",
    "crc32",
    "fletcher32",
    "jenkins_lookup3",
    "lz4",
    "lzma",
    "shuffle",
    "zlib",
];

/// Filters that turn an array into an array, and the member that gives the data type of the result.
const TO_ARRAY: [(&str, Option<&str>); 5] = [
    ("astype", Some("encode_dtype")),
    ("bitround", None),
    ("delta", Some("astype")),
    ("fixedscaleoffset", Some("astype")),
    ("quantize", Some("astype")),
];

/// Returns the `.zarray` to which a path leads: the file itself, or that of a folder without a Zarr v3
/// document.
pub(super) fn document_of(path: &Path) -> Option<PathBuf> {
    if path.file_name().is_some_and(|name| name == ".zarray") {
        return Some(path.to_owned());
    }
    let file = path.join(".zarray");
    (file.is_file() && !path.join("zarr.json").exists()).then_some(file)
}

/// Converts the array of a `.zarray`, with the attributes of the `.zattrs` beside it.
///
/// # Errors
/// If something has no counterpart in Zarr v3, or if the file is not a Zarr v2 array.
pub(super) fn convert_file(path: &Path, bytes: &[u8]) -> Result<Converted, String> {
    let old: Value = serde_json::from_slice(bytes).map_err(|fault| fault.to_string())?;
    let attributes = match fs::read(path.with_file_name(".zattrs")) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|fault| format!(".zattrs: {fault}"))?,
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Value::Null,
        Err(fault) => return Err(format!(".zattrs: {fault}")),
    };
    convert(&old, attributes)
}

/// Converts a `.zarray` and the attributes beside it.
///
/// # Errors
/// The same as for [`convert_file`].
pub(super) fn convert(old: &Value, attributes: Value) -> Result<Converted, String> {
    if old["zarr_format"] != 2 {
        return Err("the zarr_format of a .zarray must be 2".into());
    }
    let mut notes = Vec::new();
    let shape = extents(&old["shape"], 0).ok_or("shape is not a list of extents")?;
    let chunks = extents(&old["chunks"], 1).ok_or("chunks is not a list of positive extents")?;
    let elements = Elements::of(old)?;
    let codecs = codecs(old, &elements, shape.len())?;
    let fill_value = fill_value(&old["fill_value"], &elements, &mut notes)?;
    let separator = match &old["dimension_separator"] {
        Value::Null => ".",
        Value::String(text) if text == "." || text == "/" => text,
        other => {
            return Err(format!(
                "dimension_separator must be \".\" or \"/\", not {other}"
            ));
        }
    };
    let mut document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": elements.data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "v2", "configuration": {"separator": separator}},
        "fill_value": fill_value,
        "codecs": codecs,
    });
    add_attributes(&mut document, attributes, shape.len(), &mut notes)?;
    Ok(Converted { document, notes })
}

fn extents(value: &Value, least: u64) -> Option<Vec<u64>> {
    let extents = value.as_array()?.iter().map(Value::as_u64);
    extents
        .map(|extent| extent.filter(|extent| *extent >= least))
        .collect()
}

/// The elements of an array.
struct Elements {
    /// The data type in the form of a Zarr v3 document.
    data_type: Value,
    /// The first letter of the type string after the byte order.
    kind: char,
    /// The number of bytes of an element, or none if elements have different lengths.
    bytes: Option<u64>,
    /// The byte order, if it matters.
    endian: Option<&'static str>,
}

impl Elements {
    fn of(old: &Value) -> Result<Self, String> {
        let dtype = &old["dtype"];
        let Some(text) = dtype.as_str() else {
            return Err(format!(
                "the dtype {dtype} has fields, and this command cannot convert it"
            ));
        };
        match text {
            "|O" => Self::objects(old),
            text => Self::named(text),
        }
    }

    /// Returns the elements of an object array, whose data type depends on the filter that writes them.
    fn objects(old: &Value) -> Result<Self, String> {
        let filters = old["filters"].as_array().into_iter().flatten();
        let mut ids = filters.filter_map(|filter| filter["id"].as_str());
        let data_type = ids.find_map(|id| match id {
            "vlen-utf8" => Some("string"),
            "vlen-bytes" => Some("bytes"),
            _ => None,
        });
        Ok(Self {
            data_type: data_type
                .ok_or("the dtype |O has a counterpart in Zarr v3 only with the filter vlen-utf8 or vlen-bytes")?
                .into(),
            kind: 'O',
            bytes: None,
            endian: None,
        })
    }

    fn named(text: &str) -> Result<Self, String> {
        let wrong = || format!("the dtype {text:?} has no counterpart in Zarr v3");
        let mut letters = text.chars();
        let (order, kind) = letters.next().zip(letters.next()).ok_or_else(wrong)?;
        let rest = letters.as_str();
        let (digits, unit) = rest.split_once('[').unwrap_or((rest, ""));
        let size: u64 = digits.parse().map_err(|_| wrong())?;
        let bits = size.checked_mul(8).ok_or_else(wrong)?;
        let number = |name: &str| -> Result<Value, String> {
            let name = format!("{name}{bits}");
            let known: Option<exactum_model::DataType> = name.parse().ok();
            known.map(|_| name.into()).ok_or_else(wrong)
        };
        let characters = size.checked_mul(4).ok_or_else(wrong)?;
        let data_type = match kind {
            'b' if size == 1 => "bool".into(),
            'i' => number("int")?,
            'u' => number("uint")?,
            'f' => number("float")?,
            'c' => number("complex")?,
            'V' if size > 0 => format!("r{bits}").into(),
            'U' if size > 0 => json!({
                "name": "fixed_length_utf32", "configuration": {"length_bytes": characters},
            }),
            'M' | 'm' if size == 8 => {
                let name = if kind == 'M' {
                    "numpy.datetime64"
                } else {
                    "numpy.timedelta64"
                };
                let (unit, scale_factor) = unit_of(unit).ok_or_else(wrong)?;
                json!({"name": name, "configuration": {"unit": unit, "scale_factor": scale_factor}})
            }
            _ => return Err(wrong()),
        };
        let bytes = if kind == 'U' { characters } else { size };
        Ok(Self {
            data_type,
            kind,
            bytes: Some(bytes),
            endian: endian(order, kind, bytes).ok_or_else(wrong)?,
        })
    }
}

/// Returns the byte order for the first letter of a type string.
fn endian(order: char, kind: char, bytes: u64) -> Option<Option<&'static str>> {
    let has_order = bytes > 1 && !matches!(kind, 'V' | 'b');
    match order {
        '<' if has_order => Some(Some("little")),
        '>' if has_order => Some(Some("big")),
        '<' | '>' | '|' if !has_order => Some(None),
        _ => None,
    }
}

/// Returns the unit of a time and the number of such units, from a text such as `10s]`.
fn unit_of(text: &str) -> Option<(&str, u64)> {
    if text.is_empty() {
        return Some(("generic", 1));
    }
    let text = text.strip_suffix(']')?;
    let unit = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let count = &text[..text.len() - unit.len()];
    let count = if count.is_empty() {
        1
    } else {
        count.parse().ok()?
    };
    (!unit.is_empty()).then_some((unit, count))
}

/// Returns the codecs that replace the order, the filters and the compressor.
fn codecs(old: &Value, elements: &Elements, rank: usize) -> Result<Vec<Value>, String> {
    let mut codecs = Vec::new();
    match &old["order"] {
        Value::String(order) if order == "C" => {}
        Value::String(order) if order == "F" => {
            let order: Vec<usize> = (0..rank).rev().collect();
            if rank > 1 {
                codecs.push(json!({"name": "transpose", "configuration": {"order": order}}));
            }
        }
        other => return Err(format!("order must be \"C\" or \"F\", not {other}")),
    }
    let mut bytes = elements.bytes;
    let mut endian = elements.endian;
    let mut to_bytes = None;
    let mut of_bytes = Vec::new();
    for filter in old["filters"].as_array().into_iter().flatten() {
        let (id, configuration) = parts(filter)?;
        let kind = TO_ARRAY.iter().find(|(name, _)| *name == id);
        match (id, kind) {
            ("vlen-utf8" | "vlen-bytes", _) if elements.kind == 'O' && to_bytes.is_none() => {
                to_bytes = Some(json!({"name": id}));
            }
            (_, Some((_, stored))) if to_bytes.is_none() && of_bytes.is_empty() => {
                if let Some(dtype) = stored.and_then(|name| configuration.get(name)?.as_str()) {
                    let made = Elements::named(dtype)?;
                    (bytes, endian) = (made.bytes, made.endian);
                }
                codecs.push(prefixed(id, configuration));
            }
            _ if PREFIXED.contains(&id) => of_bytes.push(prefixed(id, configuration)),
            _ => return Err(format!("the filter {id:?} has no counterpart in Zarr v3")),
        }
    }
    let plain = || match endian {
        Some(endian) => json!({"name": "bytes", "configuration": {"endian": endian}}),
        None => json!({"name": "bytes"}),
    };
    codecs.push(to_bytes.unwrap_or_else(plain));
    codecs.extend(of_bytes);
    if !old["compressor"].is_null() {
        codecs.push(compressor(&old["compressor"], bytes)?);
    }
    Ok(codecs)
}

/// Returns the name of a numcodecs codec, and its other members.
fn parts(codec: &Value) -> Result<(&str, Map<String, Value>), String> {
    let id = codec["id"]
        .as_str()
        .ok_or_else(|| format!("the codec {codec} has no id"))?;
    let mut configuration = codec.as_object().cloned().unwrap_or_default();
    configuration.remove("id");
    Ok((id, configuration))
}

fn prefixed(id: &str, configuration: Map<String, Value>) -> Value {
    json!({"name": format!("numcodecs.{id}"), "configuration": configuration})
}

fn compressor(codec: &Value, bytes: Option<u64>) -> Result<Value, String> {
    let (id, mut configuration) = parts(codec)?;
    match id {
        "gzip" => Ok(json!({"name": "gzip", "configuration": {"level": codec["level"]}})),
        "zstd" => Ok(json!({"name": "zstd", "configuration": {
            "level": codec["level"], "checksum": codec["checksum"].as_bool().unwrap_or(false),
        }})),
        "blosc" => {
            let size = bytes.unwrap_or(1);
            let shuffle = match codec["shuffle"].as_i64() {
                Some(0) => "noshuffle",
                Some(1) => "shuffle",
                Some(2) => "bitshuffle",
                // The codec chooses the kind of shuffling by the size of the elements.
                Some(-1) | None => {
                    if size == 1 {
                        "bitshuffle"
                    } else {
                        "shuffle"
                    }
                }
                Some(_) => return Err(format!("blosc has no shuffle mode {}", codec["shuffle"])),
            };
            configuration.insert("shuffle".into(), shuffle.into());
            if shuffle != "noshuffle" {
                configuration.insert("typesize".into(), size.into());
            }
            let blocksize = configuration.remove("blocksize");
            let blocksize = blocksize.filter(|size| !size.is_null());
            configuration.insert("blocksize".into(), blocksize.unwrap_or_else(|| 0.into()));
            Ok(json!({"name": "blosc", "configuration": configuration}))
        }
        _ if PREFIXED.contains(&id) => Ok(prefixed(id, configuration)),
        _ => Err(format!("this command cannot convert the compressor {id:?}")),
    }
}

/// Returns the fill value, which may be null only in Zarr v2.
fn fill_value(old: &Value, elements: &Elements, notes: &mut Vec<String>) -> Result<Value, String> {
    let wrong = || {
        format!(
            "the fill value {old} is not a value of {}",
            elements.data_type
        )
    };
    let is_integer = matches!(elements.kind, 'i' | 'u' | 'M' | 'm');
    let zero = match elements.kind {
        'b' => json!(false),
        'c' => json!([0.0, 0.0]),
        'f' => json!(0.0),
        'V' => {
            let bytes = elements.bytes.unwrap_or_default().min(1 << 16);
            json!(vec![0; usize::try_from(bytes).unwrap_or_default()])
        }
        'U' | 'O' => json!(""),
        _ => json!(0),
    };
    Ok(match old {
        Value::Null => {
            notes.push(format!(
                "the fill value is null, which leaves unwritten elements undefined; the new \
                 document has the fill value {zero}"
            ));
            zero
        }
        Value::Number(number) if is_integer && number.is_f64() => {
            let whole = number
                .as_f64()
                .filter(|it| it.fract() == 0.0 && it.abs() < 9e15);
            let text = whole.ok_or_else(wrong)?.to_string();
            serde_json::from_str(&text).map_err(|_| wrong())?
        }
        // A bool may be written as a number, and an empty text as 0.
        Value::Number(number) if elements.kind == 'b' => match number.as_u64() {
            Some(0) => json!(false),
            Some(1) => json!(true),
            _ => return Err(wrong()),
        },
        Value::Number(number) if matches!(elements.kind, 'U' | 'O' | 'V') => {
            match number.as_u64() {
                Some(0) => zero,
                _ => return Err(wrong()),
            }
        }
        Value::Number(_) if elements.kind == 'c' => json!([old, 0.0]),
        Value::String(_) if elements.kind == 'V' => {
            return Err(format!(
                "the fill value {old} is base64; write its bytes as a list of numbers"
            ));
        }
        other => other.clone(),
    })
}

/// Adds the attributes. The dimension names of xarray have a separate member in Zarr v3.
fn add_attributes(
    document: &mut Value,
    attributes: Value,
    rank: usize,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let mut attributes = match attributes {
        Value::Null => return Ok(()),
        Value::Object(attributes) => attributes,
        other => return Err(format!(".zattrs must be an object, not {other}")),
    };
    let names = attributes
        .get("_ARRAY_DIMENSIONS")
        .and_then(Value::as_array);
    let is_complete =
        |names: &&Vec<Value>| names.len() == rank && names.iter().all(Value::is_string);
    if let Some(names) = names.filter(is_complete) {
        document["dimension_names"] = names.clone().into();
        attributes.remove("_ARRAY_DIMENSIONS");
        notes.push("_ARRAY_DIMENSIONS becomes dimension_names".into());
    }
    let is_packed = [
        "scale_factor",
        "add_offset",
        "units",
        "calendar",
        "coordinates",
    ]
    .iter()
    .any(|name| attributes.contains_key(*name));
    if is_packed && !attributes.contains_key("_FillValue") {
        notes.push(format!(
            "xarray treats the fill value of a Zarr v2 array as missing, and that of a Zarr v3 \
             array as a value; if it marks missing elements, add \"_FillValue\": {} to the \
             attributes",
            document["fill_value"]
        ));
    }
    document["attributes"] = attributes.into();
    Ok(())
}
