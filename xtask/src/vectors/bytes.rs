//! The vectors of `bytes`: a topic for each data type.

use exactum_model::{DataType, Format};
use exactum_vectors::{Expect, File, Level, array_to_json};

use super::Topics;
use super::builder::{ZARR_EXTENSIONS, ZARR_SPECS, each_type, is_core, request};
use super::bytes_codecs::{
    Topic, components, configured, elements, encoded, every_byte, filled, is_sub_byte, nans,
    with_junk,
};

/// The two byte orders and the absence of one, each as a name and a configuration.
const ORDERS: [(&str, &str); 3] = [
    ("absent", "{}"),
    ("little", r#"{"endian":"little"}"#),
    ("big", r#"{"endian":"big"}"#),
];

/// Returns all topics of the row.
pub(crate) fn topics() -> Topics {
    each_type(topic)
}

fn topic(data_type: DataType) -> Result<File, String> {
    let mut topic = Topic {
        file: File::new("bytes", data_type.name(), upstream(data_type)),
        data_type,
        base: Vec::new(),
        most: Level::Must,
    };
    let one_byte = data_type.format().component_bytes() == 1;
    // For a type that is only used in practice, one configuration is enough: `bytes` does not depend on the format.
    if !data_type.is_registered() {
        values(&mut topic, ORDERS[1])?;
        return Ok(topic.file);
    }
    for order in ORDERS {
        if one_byte || order.0 != "absent" {
            values(&mut topic, order)?;
        }
    }
    if one_byte {
        without_configuration(&mut topic)?;
    } else {
        missing_endian(&mut topic)?;
    }
    if is_sub_byte(data_type.format()) {
        junk(&mut topic)?;
    }
    lengths(&mut topic)?;
    Ok(topic.file)
}

/// Returns the text that defines how a type is encoded.
fn upstream(data_type: DataType) -> &'static str {
    match is_core(data_type) {
        true => ZARR_SPECS,
        false => ZARR_EXTENSIONS,
    }
}

/// Adds bits of every kind, and arrays of many shapes, in one byte order.
fn values(topic: &mut Topic, (name, configuration): (&str, &str)) -> Result<(), String> {
    let data_type = topic.data_type;
    let format = data_type.format();
    let order = match name {
        _ if format.component_bytes() == 1 => "bytes.one-byte",
        "big" => "bytes.big",
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
    let mut pair = topic.pair(name, Level::Must, &clauses);
    let bits = elements(data_type, &components(format));
    pair.both("bits", &["bytes.bits"], configuration, &bits)?;
    if let Some(float) = format.float()
        && !nans(float).is_empty()
    {
        let nans = elements(data_type, &nans(float));
        pair.both("nan", &["bytes.bits"], configuration, &nans)?;
    }
    for (id, shape) in [
        ("single", &[][..]),
        ("empty", &[0]),
        ("empty-plane", &[3, 0]),
        ("one", &[1]),
        ("plane", &[3, 5]),
        ("four-dimensions", &[2, 1, 3, 2]),
    ] {
        pair.both(
            id,
            &["bytes.order"],
            configuration,
            &filled(data_type, shape),
        )?;
    }
    // Numbers of elements around the sizes of SIMD vectors, which have 16 to 64 bytes.
    let width = u64::try_from(data_type.element_bytes()).map_err(|error| error.to_string())?;
    for count in [7, 9, 16, 17, 33, 65] {
        if count * width > 200 {
            continue;
        }
        let input = filled(data_type, &[count]);
        pair.both(&format!("count-{count}"), &[], configuration, &input)?;
    }
    pair.finish();
    Ok(())
}

/// Adds a request without a configuration, which is allowed.
fn without_configuration(topic: &mut Topic) -> Result<(), String> {
    let input = filled(topic.data_type, &[2, 3]);
    let clauses = ["bytes.endian", "bytes.one-byte"];
    let mut pair = topic.pair("no-configuration", Level::Must, &clauses);
    pair.both("plane", &[], "", &input)?;
    pair.finish();
    Ok(())
}

/// Adds requests without a byte order, for which there is no default if a type has more than one byte.
fn missing_endian(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let reason = match exactum_metadata::parse_bytes("{}", data_type) {
        Err(rejection) if rejection.clause == "bytes.endian" => rejection.reason,
        other => return Err(format!("bytes/{data_type}/missing-endian: {other:?}")),
    };
    let input = filled(data_type, &[2]);
    let encode = request([("input", array_to_json(&input))]);
    let decode = encoded("", data_type, input.shape(), input.data());
    for (way, members) in [("encode", encode), ("decode", decode)] {
        let shared = request([("op", format!("bytes.{way}").into())]);
        let name = format!("missing-endian-{way}");
        let clauses = ["bytes.endian"];
        let group = topic.file.group(&name, Level::Must, &clauses, shared);
        for (id, configuration) in [("empty", "{}"), ("absent", "")] {
            let own = configured(configuration, members.clone());
            group.case(id, &[], own, Expect::reject(reason));
        }
    }
    Ok(())
}

/// Adds junk in the bits above those of the type, both in bytes to decode and in elements to encode.
fn junk(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let (shape, bytes) = every_byte(data_type);
    if data_type == DataType::Bool {
        let mut pair = topic.pair("other", Level::Ruling, &["bytes.bool.other"]);
        for (id, byte) in [
            ("two", 0x02),
            ("three", 0x03),
            ("high", 0x80),
            ("ones", 0xff),
        ] {
            pair.open(id, "R9", "{}", &[1], &[byte])?;
        }
        pair.open("every", "R9", "{}", &shape, &bytes)?;
        pair.finish();
        return Ok(());
    }
    let clauses = ["bytes.sub-byte.ignored", "bytes.sub-byte"];
    let mut pair = topic.pair("junk", Level::Must, &clauses);
    pair.decode("every-byte", &[], "{}", &shape, &bytes)?;
    let width = u64::try_from(data_type.element_bytes()).map_err(|error| error.to_string())?;
    let low = format!("{:02x}", 0xff ^ data_type.format().component_mask());
    for (id, byte) in [("zero-below", low.as_str()), ("ones", "ff")] {
        let byte = u8::from_str_radix(byte, 16).map_err(|error| error.to_string())?;
        pair.decode(id, &[], "{}", &[6 / width], &[byte; 6])?;
    }
    pair.finish();
    // Elements in memory may have junk too; it does not belong to the element.
    let mut pair = topic.pair("junk-in-memory", Level::Must, &["bytes.sub-byte"]);
    if let Some(input) = with_junk(&elements(data_type, &components(data_type.format()))) {
        pair.encode("bits", &[], "{}", &input)?;
    }
    pair.finish();
    Ok(())
}

/// Adds inputs with too few and with too many bytes.
fn lengths(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let order = match data_type.format().component_bytes() {
        1 => "{}",
        _ => r#"{"endian":"big"}"#,
    };
    let width = data_type.element_bytes();
    let bytes = topic.encode(order, &filled(data_type, &[3]))?;
    let mut pair = topic.pair("other-length", Level::Ruling, &["bytes.length"]);
    pair.decode("right", &[], order, &[3], &bytes)?;
    let longer = |more: usize| [bytes.as_slice(), &vec![0; more]].concat();
    pair.reject("none", order, &[3], &[])?;
    pair.reject("a-byte-less", order, &[3], &bytes[..bytes.len() - 1])?;
    pair.reject("a-byte-more", order, &[3], &longer(1))?;
    if width > 1 {
        pair.reject("an-element-less", order, &[3], &bytes[..2 * width])?;
        pair.reject("an-element-more", order, &[3], &longer(width))?;
        pair.reject("a-byte-of-many", order, &[3], &bytes[..1])?;
    }
    pair.reject("of-a-single-element", order, &[], &[])?;
    pair.reject("of-no-element", order, &[0, 2], &bytes[..1])?;
    pair.reject("of-a-plane", order, &[3, 2], &bytes)?;
    // One type is enough: an implementation that allocates before it checks does so for all types, and each time it is
    // considered dead.
    if data_type == DataType::Uint8 {
        pair.reject("of-far-too-many", order, &[1 << 20, 1 << 20], &bytes)?;
    }
    pair.finish();
    Ok(())
}
