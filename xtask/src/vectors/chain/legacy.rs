//! `numcodecs.fixedscaleoffset`: chunks encoded and decoded, and the fill value. Decoding has two
//! right answers at must, one for each place of the cast (scale_offset.legacy.decode.type).

mod rows;

use exactum_model::{Array, ArrayCodec, Chain, FixedScaleOffset};
use exactum_vectors::{Expect, File, Level};

use super::Fill::{Lost, Rejected, Survives};
use super::{
    LITTLE, array, chunk, decode, encoded, hex, read, rejected_chunks, resolutions, shaped,
};
use crate::oracle;
use crate::vectors::builder::{ZARR_EXTENSIONS, agreed, request};

/// A document with this codec, and chunks of four elements as texts.
struct Row {
    name: &'static str,
    level: Level,
    /// The clauses of encoding, without what all their ids begin with.
    encodes: &'static [&'static str],
    /// The clauses of decoding.
    decodes: &'static [&'static str],
    /// The array's data type, `dtype` and `astype`.
    types: (&'static str, &'static str, &'static str),
    /// `offset` and `scale`.
    parameters: (&'static str, &'static str),
    /// Chunks to encode.
    encode: &'static [(&'static str, &'static str)],
    /// Chunks to decode, in `astype`.
    decode: &'static [(&'static str, &'static str)],
    /// Chunks that encoding rejects.
    refused: &'static [(&'static str, &'static str)],
    /// Chunks that decoding rejects, in `astype`.
    undecodable: &'static [(&'static str, &'static str)],
}

impl Row {
    fn codecs(&self) -> String {
        let (_, dtype, astype) = self.types;
        codecs(self.parameters, dtype, astype)
    }
}

fn codecs((offset, scale): (&str, &str), dtype: &str, astype: &str) -> String {
    format!(
        r#"[{{"name":"numcodecs.fixedscaleoffset","configuration":{{"offset":{offset},"scale":{scale},"dtype":"{dtype}","astype":"{astype}"}}}},{LITTLE}]"#
    )
}

fn ids(clauses: &[&str]) -> Vec<String> {
    clauses
        .iter()
        .map(|clause| format!("scale_offset.legacy.{clause}"))
        .collect()
}

/// The clauses one by one, on few elements each.
pub(super) fn topic() -> Result<File, String> {
    let mut file = File::new("scale_offset", "legacy", ZARR_EXTENSIONS);
    for row in rows::all() {
        let document = array(row.types.0, "0", &row.codecs());
        let encodes = ids(row.encodes);
        let encodes: Vec<&str> = encodes.iter().map(String::as_str).collect();
        if !row.encode.is_empty() {
            let name = format!("{}-encode", row.name);
            encoded(&mut file, &name, row.level, &encodes, &document, row.encode)?;
        }
        if !row.refused.is_empty() {
            let name = format!("{}-encode-rejected", row.name);
            rejected_chunks(
                &mut file,
                &name,
                row.level,
                &encodes,
                &document,
                row.refused,
            )?;
        }
        let decodes = ids(row.decodes);
        let decodes: Vec<&str> = decodes.iter().map(String::as_str).collect();
        if !row.decode.is_empty() {
            let name = format!("{}-decode", row.name);
            decoded(&mut file, &name, row.level, &decodes, &document, row.decode)?;
        }
        if !row.undecodable.is_empty() {
            let name = format!("{}-decode-rejected", row.name);
            undecodable(
                &mut file,
                &name,
                row.level,
                &decodes,
                &document,
                row.undecodable,
            )?;
        }
    }
    fills(&mut file)?;
    Ok(file)
}

/// The stored elements of a chunk.
fn stored(what: &str, chain: &Chain, texts: &str) -> Result<Array, String> {
    let mut inner = chain.clone();
    if let Some(step) = chain.pipeline.steps.last() {
        inner.data_type = step.data_type;
        inner.chunk_shape.clone_from(&step.shape);
    }
    chunk(what, &inner, texts)
}

/// What becomes of stored elements in the order of upstream's text.
fn cast_first(what: &str, chain: &Chain, stored: &Array) -> Result<Expect, String> {
    let [step] = &chain.pipeline.steps[..] else {
        return Err(format!("{what}: more than one codec"));
    };
    let ArrayCodec::FixedScaleOffset(codec) = &step.codec else {
        return Err(format!("{what}: another codec"));
    };
    let each = |element: &dyn Fn(&FixedScaleOffset, u64) -> Result<u64, _>| {
        stored
            .components()
            .map(|bits| element(codec, bits))
            .collect::<Result<Vec<u64>, _>>()
    };
    let answer = agreed(
        || format!("{what}, cast first"),
        each(&|codec, bits| {
            exactum_reference::scale_offset::legacy::decode_element_cast_first(codec, bits)
                .map_err(|rejection| rejection.reason)
        }),
        each(&oracle::scale_offset::legacy::decode_cast_first),
    )?;
    match answer {
        Err(reason) => Ok(Expect::reject(reason)),
        Ok(bits) => Array::from_components(codec.dtype, stored.shape().to_vec(), bits)
            .map(|array| Expect::output(&array))
            .map_err(|rejection| format!("{what}: {}", rejection.message)),
    }
}

/// Stored elements and the chunk that they are.
fn decoded(
    file: &mut File,
    name: &str,
    level: Level,
    clauses: &[&str],
    document: &str,
    cases: &[(&str, &str)],
) -> Result<(), String> {
    let what = format!("{}/{}/{name}", file.row, file.topic);
    let chain = read(&what, document)?;
    let mut made = Vec::new();
    for (id, texts) in cases {
        let what = format!("{what}/{id}");
        let stored = stored(&what, &chain, texts)?;
        let back = decode(&what, &chain, stored.data())?
            .map_err(|reason| format!("{what}: {}", reason.name()))?;
        let library = Expect::output(&back);
        let text = cast_first(&what, &chain, &stored)?;
        let expect = if level == Level::Must && text != library {
            Expect::OneOf(vec![library, text])
        } else {
            library
        };
        made.push((id, texts, hex(stored.data()), expect));
    }
    let shared = request([("op", "chain.decode".into()), ("metadata", document.into())]);
    let group = file.group(name, level, clauses, shared);
    for (id, texts, bytes, expect) in made {
        let own = request([("bytes", bytes.into())]);
        group
            .case(id, &[], own, expect)
            .note(texts.replace('"', ""));
    }
    Ok(())
}

/// Stored elements that have no value in the array.
fn undecodable(
    file: &mut File,
    name: &str,
    level: Level,
    clauses: &[&str],
    document: &str,
    cases: &[(&str, &str)],
) -> Result<(), String> {
    let what = format!("{}/{}/{name}", file.row, file.topic);
    let chain = read(&what, document)?;
    let mut made = Vec::new();
    for (id, texts) in cases {
        let what = format!("{what}/{id}");
        let stored = stored(&what, &chain, texts)?;
        match decode(&what, &chain, stored.data())? {
            Err(reason) => made.push((id, texts, hex(stored.data()), reason)),
            Ok(_) => return Err(format!("{what}: decoded")),
        }
    }
    let shared = request([("op", "chain.decode".into()), ("metadata", document.into())]);
    let group = file.group(name, level, clauses, shared);
    for (id, texts, bytes, reason) in made {
        let own = request([("bytes", bytes.into())]);
        group
            .case(id, &[], own, Expect::reject(reason))
            .note(texts.replace('"', ""));
    }
    Ok(())
}

/// The fill value (scale_offset.legacy.fill).
fn fills(file: &mut File) -> Result<(), String> {
    const FILL: &str = "scale_offset.legacy.fill";
    let uint8 = codecs(("10", "0.1"), "<f4", "|u1");
    let float32 = codecs(("10", "0.1"), "<f4", "<f4");
    let integers = codecs(("10", "2"), "|u1", "|u1");
    let shard = format!(
        r#"[{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":{uint8},"index_codecs":[{LITTLE}]}}}}]"#
    );
    let followed = format!(
        r#"[{{"name":"numcodecs.fixedscaleoffset","configuration":{{"offset":10,"scale":0.1,"dtype":"<f4","astype":"<i2"}}}},{{"name":"scale_offset","configuration":{{"offset":300}}}},{LITTLE}]"#
    );
    let must_be = |codecs: &str, fill: &str| array("float32", fill, codecs);
    resolutions(
        file,
        "fill",
        Level::Ruling,
        &[FILL],
        &[
            ("offset", must_be(&uint8, "10"), Survives),
            ("stored-as-nine", must_be(&uint8, "100"), Survives),
            ("rounded", must_be(&uint8, "12"), Lost),
            ("wrapped", must_be(&uint8, "2570"), Lost),
            ("negative-wrapped", must_be(&uint8, "0"), Lost),
            ("nan-in-a-float", must_be(&float32, "\"NaN\""), Survives),
            (
                "infinity-in-a-float",
                must_be(&float32, "\"-Infinity\""),
                Survives,
            ),
            (
                "overflow-in-a-float",
                array("float32", "3e38", &codecs(("0", "10"), "<f4", "<f4")),
                Lost,
            ),
            ("integer", array("uint8", "12", &integers), Survives),
            ("integer-wrapped", array("uint8", "5", &integers), Lost),
            ("in-a-shard", must_be(&shard, "20"), Survives),
            ("before-another-codec", must_be(&followed, "4010"), Survives),
            ("nan", must_be(&uint8, "\"NaN\""), Rejected(FILL)),
            ("infinity", must_be(&uint8, "\"Infinity\""), Rejected(FILL)),
            (
                "overflow",
                array("float32", "3e38", &codecs(("0", "10"), "<f4", "<i4")),
                Rejected(FILL),
            ),
            ("nan-in-a-shard", must_be(&shard, "\"NaN\""), Rejected(FILL)),
        ],
    )
}

/// A type of the codec, with eight small numbers and with eight that reach its limits. The large ones
/// stand apart: what NumPy makes of them depends on the machine, and the small ones say whether the
/// rest is right.
struct Type {
    name: &'static str,
    spelled: &'static str,
    small: &'static str,
    large: &'static str,
}

const fn signed(name: &'static str, spelled: &'static str, large: &'static str) -> Type {
    Type {
        name,
        spelled,
        small: "0 1 -2 7 100 -99 21 -1",
        large,
    }
}

/// Not below the offsets, so that no difference wraps.
const fn unsigned(name: &'static str, spelled: &'static str, large: &'static str) -> Type {
    Type {
        name,
        spelled,
        small: "5 6 9 7 100 99 21 13",
        large,
    }
}

const fn float(name: &'static str, spelled: &'static str, large: &'static str) -> Type {
    Type {
        name,
        spelled,
        small: "0 1 -2.5 7.75 100 -99.9 20.5 0.1",
        large,
    }
}

const TYPES: [Type; 11] = [
    signed("int8", "|i1", "0 2 -128 127 -127 126 64 -64"),
    signed("int16", "<i2", "300 -129 -32768 32767 255 128 -32767 2051"),
    signed(
        "int32",
        "<i4",
        "70000 -2 2147483647 -2147483648 16777219 65536 -32769 3",
    ),
    signed(
        "int64",
        "<i8",
        "5000000000 -2 9223372036854775807 -9223372036854775808 9007199254740995 1 4294967296 3",
    ),
    unsigned("uint8", "|u1", "0 1 2 3 255 254 128 127"),
    unsigned("uint16", "<u2", "0 1 2 300 65535 32768 2051 65534"),
    unsigned(
        "uint32",
        "<u4",
        "0 1 2 70000 4294967295 2147483648 16777219 65536",
    ),
    unsigned(
        "uint64",
        "<u8",
        "0 1 2 5000000000 18446744073709551615 9223372036854775808 9007199254740995 4294967296",
    ),
    float(
        "float16",
        "<f2",
        "300 65504 -65504 1000.5 -2049 -0.0 6e-8 4095",
    ),
    float(
        "float32",
        "<f4",
        "70000.7 3e38 -9e18 1e-40 16777217 -0.0 4294967296 -129",
    ),
    float(
        "float64",
        "<f8",
        "5000000000.7 1e300 -9e18 1e-310 9007199254740995 -0.0 18446744073709551616 -129",
    ),
];

/// Every pair of data types.
pub(super) fn types() -> Result<File, String> {
    let mut file = File::new("scale_offset", "legacy-types", ZARR_EXTENSIONS);
    for Type {
        name: dtype,
        spelled,
        small,
        large,
    } in TYPES
    {
        let integer = !dtype.starts_with("float");
        let parameters: &[(&str, (&str, &str))] = if integer {
            &[
                ("integers", ("3", "2")),
                ("mixed", ("5", "1.5")),
                ("fractions", ("0.5", "7")),
            ]
        } else {
            &[("fractions", ("0.1", "0.3"))]
        };
        for stored in TYPES {
            for (kind, parameters) in parameters {
                let codecs = codecs(*parameters, spelled, stored.spelled);
                let document = shaped(dtype, "0", "[8]", &codecs);
                let name = format!("{dtype}-{}-{kind}", stored.name);
                let steps = if integer { "integers" } else { "arithmetic" };
                let into_float = stored.name.starts_with("float");
                let cast = if into_float { "float" } else { "wrap" };
                let clauses = ids(&["encode", steps, cast]);
                let clauses: Vec<&str> = clauses.iter().map(String::as_str).collect();
                encoded(
                    &mut file,
                    &format!("{name}-encode"),
                    Level::Ruling,
                    &clauses,
                    &document,
                    &[("small", small), ("large", large)],
                )?;
                let cut = if integer { "decode.cut" } else { "float" };
                let clauses = ids(&["decode", "decode.type", cut]);
                let clauses: Vec<&str> = clauses.iter().map(String::as_str).collect();
                decoded(
                    &mut file,
                    &format!("{name}-decode"),
                    Level::Ruling,
                    &clauses,
                    &document,
                    &[("small", stored.small), ("large", stored.large)],
                )?;
            }
        }
    }
    Ok(file)
}
