//! Who can read an array: what the committed results and expectations say of its codecs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use exactum_conformance::expectations::Kind;
use exactum_conformance::findings::Known;
use exactum_conformance::run::{Selection, request_of};
use exactum_conformance::{Call, Codec, Domain};
use exactum_model::{ArrayCodec, ArrayToBytes, Chain, DataType};
use serde_json::{Value, json};

use crate::source::Source;

/// Cases of known faults, and what is known of everyone who opens documents.
pub(super) struct Readers {
    known: Vec<Known>,
    /// What the failing cases ask, by their ids.
    calls: HashMap<String, Call>,
}

/// What is known of someone who may read an array.
pub(super) struct Reader {
    name: String,
    version: String,
    /// The codecs that it was never asked about, since it does not offer them, and the data types that it says
    /// it does not take.
    lacks: Vec<String>,
    /// Its known faults with such codecs, each with the number of cases that show it.
    faults: BTreeMap<(String, Kind), usize>,
}

impl Readers {
    /// Reads what is known.
    ///
    /// # Errors
    /// When vectors, expectations or results cannot be read.
    pub(super) fn find() -> Result<Self, String> {
        let source = Source::find(None);
        let mut known = source.known()?;
        // Who only casts, or only checks documents, reads no array.
        known.retain(|known| arrays(known).is_some());
        let entries = known.iter().flat_map(|known| &known.expectations.entries);
        let failing: BTreeSet<&String> = entries.flat_map(|entry| entry.answers.keys()).collect();
        let suite = source.suite()?;
        let mut calls = HashMap::new();
        for (group, case, id) in Selection::default().cases(&suite) {
            // What is rejected before anything is asked is no array's.
            if failing.contains(&id)
                && let Ok(call) = request_of(group, case)?.call()
            {
                calls.insert(id, call.clone());
            }
        }
        Ok(Self { known, calls })
    }

    /// What is known of those who may read an array with these codecs.
    pub(super) fn of(&self, chain: &Chain) -> Vec<Reader> {
        self.known
            .iter()
            .filter_map(|known| self.reader(known, chain))
            .collect()
    }

    fn reader(&self, known: &Known, chain: &Chain) -> Option<Reader> {
        let results = known.results.as_ref()?;
        let taken = arrays(known)?;
        let rows = rows(chain);
        let is_in = |names: &[Value], name: &str| names.iter().any(|taken| taken == name);
        // Who is asked about arrays with some codec only is not known with others.
        if let Some(some) = taken.get("some_codec")
            && !rows.iter().any(|(name, _)| is_in(some, name))
        {
            return None;
        }
        let mut faults = BTreeMap::new();
        for entry in &known.expectations.entries {
            let on_path = |id: &&String| self.calls.get(*id).is_some_and(|it| is_of(it, chain));
            let count = entry.answers.keys().filter(on_path).count();
            if count > 0 {
                *faults.entry((entry.fault.clone(), entry.kind)).or_default() += count;
            }
        }
        let mut lacks: Vec<String> = rows
            .into_iter()
            .filter(|(_, clauses)| !offers(known, clauses))
            .map(|(name, _)| name.to_owned())
            .collect();
        if let Some(taken) = taken.get("data_types") {
            let names = data_types(chain).into_iter().map(DataType::name);
            lacks.extend(names.filter(|name| !is_in(taken, name)).map(str::to_owned));
        }
        Some(Reader {
            name: known.name.clone(),
            version: results.implementation.version.clone(),
            lacks,
            faults,
        })
    }
}

/// The arrays that someone reads.
fn arrays(known: &Known) -> Option<&Domain> {
    known.results.as_ref()?.arrays.as_ref()
}

/// Whether someone was asked about clauses that begin with one of these.
fn offers(known: &Known, beginnings: &[&str]) -> bool {
    known.results.as_ref().is_some_and(|results| {
        let mut clauses = results.clauses.keys();
        clauses.any(|clause| beginnings.iter().any(|it| clause.starts_with(it)))
    })
}

/// A codec's name, and how clauses begin that everyone who has it is asked about.
type Row = (&'static str, &'static [&'static str]);

/// The codecs of a chain that change numbers.
fn rows(chain: &Chain) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for step in chain.pipeline.all_array_to_array() {
        let row: Row = match &step.codec {
            ArrayCodec::CastValue(_) => ("cast_value", &["cast_value."]),
            ArrayCodec::ScaleOffset(_) => (
                "scale_offset",
                &["scale_offset.encode", "scale_offset.decode"],
            ),
            ArrayCodec::FixedScaleOffset(_) => (
                "numcodecs.fixedscaleoffset",
                &["scale_offset.legacy.encode", "scale_offset.legacy.decode"],
            ),
            _ => continue,
        };
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    match last(chain) {
        ArrayToBytes::Bytes(_) => rows.push(("bytes", &["bytes."])),
        ArrayToBytes::PackBits(_) => rows.push(("packbits", &["packbits."])),
        ArrayToBytes::Zfp(_) => rows.push(("zfp", &["zfp."])),
        _ => {}
    }
    rows
}

/// The data types that a document names: the array's, and those that are cast to.
fn data_types(chain: &Chain) -> Vec<DataType> {
    let mut named = vec![chain.data_type];
    for step in chain.pipeline.all_array_to_array() {
        if let ArrayCodec::CastValue(cast) = &step.codec
            && !named.contains(&cast.encoded)
        {
            named.push(cast.encoded);
        }
    }
    named
}

/// The codec that makes bytes, within all shards.
fn last(chain: &Chain) -> &ArrayToBytes {
    let mut pipeline = &chain.pipeline;
    while let ArrayToBytes::Sharding {
        pipeline: inner, ..
    } = &pipeline.array_to_bytes
    {
        pipeline = inner;
    }
    &pipeline.array_to_bytes
}

/// Whether a case asks about a codec with the settings of one of the chain's, about a chain like it, or
/// about its fill value.
fn is_of(call: &Call, chain: &Chain) -> bool {
    let has = |codec: ArrayCodec| {
        let mut steps = chain.pipeline.all_array_to_array();
        steps.any(|step| is_alike(&codec, &step.codec))
    };
    match call {
        Call::Encode(codec, _) | Call::Decode(codec, _) => match codec {
            Codec::CastValue(codec) => has(codec.clone().into()),
            Codec::ScaleOffset(codec) => has((*codec).into()),
            Codec::Bytes(codec) => *last(chain) == ArrayToBytes::Bytes(*codec),
            Codec::PackBits(codec) => *last(chain) == ArrayToBytes::PackBits(*codec),
            Codec::Zfp(codec) => *last(chain) == ArrayToBytes::Zfp(*codec),
            Codec::Chain(other) => is_like(other, chain),
            _ => false,
        },
        Call::Resolve(other) => is_like(other, chain),
        Call::Validate(document) => match &document.chain {
            Ok(Some(other)) => is_like(other, chain),
            _ => false,
        },
        Call::Parse(data_type, text) => {
            *data_type == chain.data_type
                && exactum_metadata::parse_fill_value(*data_type, text)
                    .is_ok_and(|value| value.same_value(&chain.fill_value))
        }
        _ => false,
    }
}

/// Whether two codecs have the same types and rules; parameters and the entries of maps may differ.
fn is_alike(a: &ArrayCodec, b: &ArrayCodec) -> bool {
    match (a, b) {
        (ArrayCodec::CastValue(a), ArrayCodec::CastValue(b)) => {
            (a.decoded, a.encoded, a.rounding, a.out_of_range)
                == (b.decoded, b.encoded, b.rounding, b.out_of_range)
                && a.encode_map.is_empty() == b.encode_map.is_empty()
                && a.decode_map.is_empty() == b.decode_map.is_empty()
        }
        (ArrayCodec::ScaleOffset(a), ArrayCodec::ScaleOffset(b)) => {
            (a.data_type, a.offset.is_some(), a.scale.is_some())
                == (b.data_type, b.offset.is_some(), b.scale.is_some())
        }
        (ArrayCodec::FixedScaleOffset(a), ArrayCodec::FixedScaleOffset(b)) => {
            (a.dtype, a.astype) == (b.dtype, b.astype)
        }
        (ArrayCodec::Transpose(_), ArrayCodec::Transpose(_))
        | (ArrayCodec::Reshape, ArrayCodec::Reshape) => true,
        _ => false,
    }
}

/// Whether two chains have the same types and codecs of the same settings.
fn is_like(a: &Chain, b: &Chain) -> bool {
    let codecs = |chain: &Chain| -> Vec<ArrayCodec> {
        let steps = chain.pipeline.all_array_to_array();
        steps.map(|step| step.codec.clone()).collect()
    };
    let (these, those) = (codecs(a), codecs(b));
    a.data_type == b.data_type
        && these.len() == those.len()
        && these.iter().zip(&those).all(|(a, b)| is_alike(a, b))
        && last(a) == last(b)
}

impl Reader {
    fn document(&self) -> Value {
        let faults = self.faults.iter().map(
            |((fault, kind), cases)| json!({"fault": fault, "kind": kind.name(), "cases": cases}),
        );
        json!({
            "name": self.name,
            "version": self.version,
            "lacks": self.lacks,
            "faults": faults.collect::<Value>(),
        })
    }
}

/// In JSON.
pub(super) fn document(readers: &[Reader]) -> Value {
    readers.iter().map(Reader::document).collect()
}

/// As people read it.
pub(super) fn words(readers: &[Reader]) -> String {
    let mut text = String::from("  readers, by the committed results:\n");
    for reader in readers {
        let faults = reader.faults.iter();
        let faults = faults.map(|((fault, kind), cases)| {
            let plural = if *cases == 1 { "" } else { "s" };
            let kind = kind.name().replace('_', " ");
            format!("{fault} ({kind}, {cases} case{plural})")
        });
        let faults: Vec<String> = faults.collect();
        let what = match (reader.lacks.is_empty(), faults.is_empty()) {
            (false, _) => format!("does not offer {}", reader.lacks.join(" and ")),
            (true, true) => "no known fault with such codecs".into(),
            (true, false) => faults.join("; "),
        };
        let _ = writeln!(text, "    {} {}: {what}", reader.name, reader.version);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fault of zarrita with casts of these types is told; of who lacks a codec, only that.
    #[test]
    fn readers_are_told_with_their_faults() {
        let readers = Readers::find().expect("what is known");
        let of = |data_type: &str, codecs: &str| {
            let text = format!(
                r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "{data_type}",
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
                "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0, "codecs": {codecs}}}"#
            );
            let document = exactum_metadata::parse_array(&text).expect("a document");
            words(&readers.of(&document.chain))
        };
        let bytes = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
        let cast = format!(
            r#"[{{"name": "cast_value", "configuration": {{"data_type": "float32", "rounding": "towards-zero"}}}}, {bytes}]"#
        );
        let told = of("float64", &cast);
        let line = |name: &str| {
            let mut lines = told.lines();
            let line = lines.find(|line| line.trim().starts_with(name));
            line.unwrap_or_default().to_owned()
        };
        assert!(line("zarrita").contains("nearest-even only"), "{told}");
        assert!(
            line("tensorstore").contains("does not offer cast_value"),
            "{told}"
        );
        assert!(line("zarrs-exactum").contains("no known fault"), "{told}");
        let plain = of("int32", &format!("[{bytes}]"));
        assert!(!plain.contains("nearest-even only"), "{plain}");
        // A library of casts reads no array, and zarrs-zfp is asked about zfp.
        for name in ["numkong", "cast-value", "zarrs-zfp"] {
            assert!(!plain.contains(name), "{plain}");
        }
        let zfp = of(
            "float32",
            r#"[{"name": "zfp", "configuration": {"mode": "reversible"}}]"#,
        );
        assert!(zfp.contains("zarrs-zfp"), "{zfp}");
        // A data type of the array, and one that is cast to, which are not among those that they take.
        let small = of("float8_e4m3", &format!("[{bytes}]"));
        assert!(
            small.contains("zarr-python 3.4.2: does not offer float8_e4m3"),
            "{small}"
        );
        let cast = format!(
            r#"[{{"name": "cast_value", "configuration": {{"data_type": "bfloat16"}}}}, {bytes}]"#
        );
        let told = of("float32", &cast);
        let line = told.lines().find(|line| line.contains("zarrita"));
        assert!(
            line.is_some_and(|line| line.ends_with("does not offer bfloat16")),
            "{told}"
        );
    }
}
