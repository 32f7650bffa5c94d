//! The vectors of `bytes`: a topic for each data type.

use exactum_model::{Array, Bytes, DataType, Endian, Format, Reason};
use exactum_vectors::{Expect, File, Level};

use super::Topics;
use super::builder::{ZARR_EXTENSIONS, ZARR_SPECS, each_type, hex, request};
use super::bytes_codecs::{
    Coder, Pair, components, configured, elements, every_byte, filled, is_sub_byte, nans, with_junk,
};
use crate::oracle;

impl Coder for Bytes {
    const ROW: &'static str = "bytes";

    fn encode(&self, input: &Array) -> [Result<Vec<u8>, Reason>; 2] {
        let first = exactum_reference::bytes::encode(self, input);
        [
            first.map_err(|rejection| rejection.reason),
            oracle::bytes::encode(self, input),
        ]
    }

    fn decode(&self, shape: &[u64], bytes: &[u8]) -> [Result<Array, Reason>; 2] {
        let first = exactum_reference::bytes::decode(self, shape, bytes);
        [
            first.map_err(|rejection| rejection.reason),
            oracle::bytes::decode(self, shape, bytes),
        ]
    }
}

/// The two byte orders and none, as a name and a configuration.
const ORDERS: [(&str, &str); 3] = [
    ("absent", "{}"),
    ("little", r#"{"endian":"little"}"#),
    ("big", r#"{"endian":"big"}"#),
];

/// All topics of the row.
pub(crate) fn topics() -> Topics {
    each_type(topic)
}

fn topic(data_type: DataType) -> Result<File, String> {
    let mut file = File::new("bytes", data_type.name(), upstream(data_type));
    let one_byte = data_type.format().component_bytes() == 1;
    // For a type of practice one configuration is enough: `bytes` does not depend on the format.
    if !data_type.is_registered() {
        values(&mut file, data_type, ORDERS[1].0, ORDERS[1].1)?;
        return Ok(file);
    }
    for (name, configuration) in ORDERS {
        if one_byte || name != "absent" {
            values(&mut file, data_type, name, configuration)?;
        }
    }
    if one_byte {
        without_configuration(&mut file, data_type)?;
    } else {
        missing_endian(&mut file, data_type)?;
    }
    if is_sub_byte(data_type.format()) {
        junk(&mut file, data_type)?;
    }
    lengths(&mut file, data_type)?;
    Ok(file)
}

/// The text that says how a type is encoded.
fn upstream(data_type: DataType) -> &'static str {
    let core = [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ];
    if core.contains(&data_type.name()) {
        ZARR_SPECS
    } else {
        ZARR_EXTENSIONS
    }
}

/// A configuration, read twice.
fn codec(configuration: &str, data_type: DataType) -> Result<Bytes, String> {
    let text = if configuration.is_empty() {
        "{}"
    } else {
        configuration
    };
    let first = exactum_metadata::parse_bytes(text, data_type)
        .map_err(|rejection| format!("{data_type} {text}: {rejection}"))?;
    let second = oracle::documents::bytes(text, data_type);
    if second == Some(first) {
        Ok(first)
    } else {
        Err(format!("{data_type} {text}: {first:?}, {second:?}"))
    }
}

/// Bits of every kind and arrays of many shapes, in one byte order.
fn values(
    file: &mut File,
    data_type: DataType,
    name: &str,
    configuration: &str,
) -> Result<(), String> {
    let codec = codec(configuration, data_type)?;
    let with = (configuration, &codec);
    let format = data_type.format();
    let order = match codec.endian {
        _ if format.component_bytes() == 1 => "bytes.one-byte",
        Some(Endian::Big) => "bytes.big",
        _ => "bytes.little",
    };
    let mut clauses = vec![order];
    match format {
        Format::Complex(_) => clauses.push("bytes.complex"),
        Format::Bool => clauses.push("bytes.bool"),
        _ => {}
    }
    if is_sub_byte(format) && format != Format::Bool {
        clauses.push("bytes.sub-byte");
    }
    let mut pair = Pair::new(file, name, Level::Must, &clauses);
    let bits = elements(data_type, &components(format));
    pair.both("bits", &["bytes.bits"], with, &bits)?;
    if let Some(float) = format.float()
        && !nans(float).is_empty()
    {
        let nans = elements(data_type, &nans(float));
        pair.both("nan", &["bytes.bits"], with, &nans)?;
    }
    for (id, shape) in [
        ("single", &[][..]),
        ("empty", &[0]),
        ("empty-plane", &[3, 0]),
        ("one", &[1]),
        ("plane", &[3, 5]),
        ("four-dimensions", &[2, 1, 3, 2]),
    ] {
        pair.both(id, &["bytes.order"], with, &filled(data_type, shape))?;
    }
    // Around the vectors of machines, which have 16 to 64 bytes.
    let width = u64::try_from(data_type.element_bytes()).map_err(|error| error.to_string())?;
    for count in [7, 9, 16, 17, 33, 65] {
        if count * width > 200 {
            continue;
        }
        let input = filled(data_type, &[count]);
        pair.both(&format!("count-{count}"), &[], with, &input)?;
    }
    pair.finish();
    Ok(())
}

/// A request may leave the configuration out.
fn without_configuration(file: &mut File, data_type: DataType) -> Result<(), String> {
    let codec = codec("", data_type)?;
    let mut pair = Pair::new(
        file,
        "no-configuration",
        Level::Must,
        &["bytes.endian", "bytes.one-byte"],
    );
    pair.both("plane", &[], ("", &codec), &filled(data_type, &[2, 3]))?;
    pair.finish();
    Ok(())
}

/// There is no default for a type whose bytes have an order.
fn missing_endian(file: &mut File, data_type: DataType) -> Result<(), String> {
    let input = filled(data_type, &[2]);
    let bytes = hex(input.data());
    let mut made = Vec::new();
    for (id, configuration) in [("empty", "{}"), ("absent", "")] {
        let text = if configuration.is_empty() {
            "{}"
        } else {
            configuration
        };
        let reason = match exactum_metadata::parse_bytes(text, data_type) {
            Err(rejection) if rejection.clause == "bytes.endian" => rejection.reason,
            other => return Err(format!("bytes/{data_type}/missing-endian: {other:?}")),
        };
        made.push((id, configuration, Expect::reject(reason)));
    }
    for direction in ["encode", "decode"] {
        let shared = request([("op", format!("bytes.{direction}").into())]);
        let name = format!("missing-endian-{direction}");
        let group = file.group(&name, Level::Must, &["bytes.endian"], shared);
        for (id, configuration, expect) in &made {
            let own = if direction == "encode" {
                request([("input", exactum_vectors::array_to_json(&input))])
            } else {
                request([
                    ("data_type", data_type.name().into()),
                    ("shape", input.shape().into()),
                    ("bytes", bytes.as_str().into()),
                ])
            };
            group.case(id, &[], configured(configuration, own), expect.clone());
        }
    }
    Ok(())
}

/// Bits above those of the type, in what is read and in what is written.
fn junk(file: &mut File, data_type: DataType) -> Result<(), String> {
    let configuration = "{}";
    let codec = codec(configuration, data_type)?;
    let with = (configuration, &codec);
    let (shape, bytes) = every_byte(data_type);
    if data_type == DataType::Bool {
        let mut pair = Pair::new(file, "other", Level::Ruling, &["bytes.bool.other"]);
        for (id, byte) in [
            ("two", 0x02),
            ("three", 0x03),
            ("high", 0x80),
            ("ones", 0xff),
        ] {
            pair.open(id, "R9", with, data_type, &[1], &[byte])?;
        }
        pair.open("every", "R9", with, data_type, &shape, &bytes)?;
        pair.finish();
        return Ok(());
    }
    let mut pair = Pair::new(
        file,
        "junk",
        Level::Must,
        &["bytes.sub-byte.ignored", "bytes.sub-byte"],
    );
    pair.decode("every-byte", &[], with, data_type, &shape, &bytes)?;
    let width = u64::try_from(data_type.element_bytes()).map_err(|error| error.to_string())?;
    let low = format!("{:02x}", 0xff ^ data_type.format().component_mask());
    for (id, byte) in [("zero-below", low.as_str()), ("ones", "ff")] {
        let byte = u8::from_str_radix(byte, 16).map_err(|error| error.to_string())?;
        pair.decode(id, &[], with, data_type, &[6 / width], &[byte; 6])?;
    }
    pair.finish();
    // What is held in memory may have junk as well: it is not of the element.
    let mut pair = Pair::new(file, "junk-in-memory", Level::Must, &["bytes.sub-byte"]);
    if let Some(input) = with_junk(&elements(data_type, &components(data_type.format()))) {
        pair.encode("bits", &[], with, &input)?;
    }
    pair.finish();
    Ok(())
}

/// Too few bytes and too many.
fn lengths(file: &mut File, data_type: DataType) -> Result<(), String> {
    let one_byte = data_type.format().component_bytes() == 1;
    let configuration = if one_byte {
        "{}"
    } else {
        r#"{"endian":"big"}"#
    };
    let codec = codec(configuration, data_type)?;
    let with = (configuration, &codec);
    let width = data_type.element_bytes();
    let mut pair = Pair::new(file, "other-length", Level::Ruling, &["bytes.length"]);
    let three = filled(data_type, &[3]);
    let bytes = match codec.encode(&three) {
        [Ok(bytes), _] => bytes,
        [Err(reason), _] => return Err(format!("bytes/{data_type}: {}", reason.name())),
    };
    pair.decode("right", &[], with, data_type, &[3], &bytes)?;
    let longer = |more: usize| [bytes.as_slice(), &vec![0; more]].concat();
    pair.reject("none", with, data_type, &[3], &[])?;
    pair.reject(
        "a-byte-less",
        with,
        data_type,
        &[3],
        &bytes[..bytes.len() - 1],
    )?;
    pair.reject("a-byte-more", with, data_type, &[3], &longer(1))?;
    if width > 1 {
        pair.reject(
            "an-element-less",
            with,
            data_type,
            &[3],
            &bytes[..2 * width],
        )?;
        pair.reject("an-element-more", with, data_type, &[3], &longer(width))?;
        pair.reject("a-byte-of-many", with, data_type, &[3], &bytes[..1])?;
    }
    pair.reject("of-a-single-element", with, data_type, &[], &[])?;
    pair.reject("of-no-element", with, data_type, &[0, 2], &bytes[..1])?;
    pair.reject("of-a-plane", with, data_type, &[3, 2], &bytes)?;
    // One type is enough: whoever allocates first does so for all, and each time is taken for dead.
    if data_type == DataType::Uint8 {
        pair.reject(
            "of-far-too-many",
            with,
            data_type,
            &[1 << 20, 1 << 20],
            &bytes,
        )?;
    }
    pair.finish();
    Ok(())
}
