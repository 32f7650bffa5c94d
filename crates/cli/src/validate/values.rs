//! The values of an array: those that attributes of CF pack, or the elements themselves.

use exactum_exact::canonical;
use exactum_metadata::{Packing, of_attributes};
use exactum_model::{
    ArrayToArray, ArrayToBytes, Bytes, Cf, Chain, CodecPipeline, Endian, Names, Scalar,
};
use serde_json::{Map, Value, json};

use super::open::{Closed, judge_array, read_array};
use super::*;

/// An array as commands that ask about its values take it.
#[derive(Debug)]
pub(crate) struct Values {
    /// The codecs. Where attributes of CF pack the elements, `cf` is the first of them, and the data type and the fill
    /// value are those of unpacked values.
    pub(crate) chain: Chain,
    /// What is to be said of the attributes, a line each.
    pub(crate) notes: Vec<String>,
    /// The packing attributes, if the values are read by them.
    pub(crate) packing: Option<Value>,
}

/// Opens the array document of a file, a folder, or the standard input, or the attributes of a packed variable. With
/// `raw`, attributes are passed over, and the values are the elements as the codecs give them.
///
/// # Errors
/// When there is no such document, it is rejected, or what readers make of its elements is not known.
pub(crate) fn open_values(path: &Path, raw: bool) -> Result<Values, Closed> {
    let name = name_of(path);
    let other = |why: &str| Closed::Other(format!("{name}: {why}"));
    let bytes = read_array(path)?;
    if let Some(attributes) = packed_variable(&bytes) {
        if raw {
            return Err(other(
                "these are the attributes of a packed variable; without them there are no codecs to ask about",
            ));
        }
        let codec = exactum_metadata::judge_cf(&bytes).map_err(|faults| {
            Closed::rejected(&name, &bytes, &of_kind(Kind::Cf, Some(faults), false))
        })?;
        return Ok(Values {
            notes: vec![headline(&codec, &attributes, "")],
            chain: of_variable(codec),
            packing: Some(attributes.into()),
        });
    }
    let document = judge_array(&name, &bytes)?;
    let stored = |chain| Values {
        chain,
        notes: Vec::new(),
        packing: None,
    };
    if raw {
        return Ok(stored(document.chain));
    }
    // `judge_array` took it for a text.
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    let packing = of_attributes(text, &document).map_err(|fault| {
        other(&format!(
            "{}; --raw asks about the stored elements",
            fault.rejection.message
        ))
    })?;
    let Some(packing) = packing else {
        return Ok(stored(document.chain));
    };
    if let Some(why) = &packing.unknown {
        return Err(other(&format!(
            "{why}; --raw asks about the stored elements"
        )));
    }
    Ok(of_packing(&packing, document.chain))
}

/// The members of a document that has attributes of a packed variable at its top.
fn packed_variable(bytes: &[u8]) -> Option<Map<String, Value>> {
    let members: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let has = |name: &str| members.contains_key(name);
    let is_of_zarr = has("zarr_format") || has("node_type");
    let names = ["scale_factor", "add_offset", "_FillValue", "missing_value"];
    (!is_of_zarr && names.into_iter().any(has)).then_some(members)
}

/// The codecs of a variable that is nothing but packed. What was never written is missing.
fn of_variable(codec: Cf) -> Chain {
    let (unpacked, packed) = (codec.unpacked, codec.packed);
    let nan = unpacked.format().float().and_then(|float| float.nan_bits());
    let missing = codec.missing.first().copied().unwrap_or_default();
    let plain = Chain {
        data_type: packed,
        chunk_shape: Vec::new(),
        fill_value: Scalar::new(packed, missing.into()),
        pipeline: CodecPipeline {
            array_to_array: Vec::new(),
            array_to_bytes: ArrayToBytes::Bytes(Bytes {
                data_type: packed,
                endian: Some(Endian::Little),
            }),
            bytes_to_bytes: Names::default(),
        },
    };
    let chain = unpacked_chain(codec, plain);
    Chain {
        fill_value: nan.map_or(chain.fill_value, |nan| Scalar::new(unpacked, nan.into())),
        ..chain
    }
}

/// The values of an array with packing attributes.
fn of_packing(packing: &Packing, chain: Chain) -> Values {
    let mut notes = Vec::new();
    let read: Map<String, Value> = packing
        .attributes
        .iter()
        .map(|attribute| {
            let value = serde_json::from_str(&attribute.text).unwrap_or_default();
            (attribute.name.to_owned(), value)
        })
        .collect();
    let codec = packing.codec.as_ref().filter(|_| packing.changes_values());
    if let Some(codec) = codec {
        notes.push(headline(codec, &read, "; --raw asks about the codes"));
    }
    let warnings = packing.warnings.listed.iter();
    notes.extend(warnings.map(|warning| clean(&format!("warning: {}", warning.message))));
    if codec.is_none() {
        notes.extend(packing.missing.iter().map(|missing| {
            format!(
                "{} {} is missing to readers, and a value like others here",
                missing.name,
                canonical(&missing.value)
            )
        }));
    }
    match codec {
        Some(codec) => Values {
            chain: unpacked_chain(codec.clone(), chain),
            notes,
            packing: Some(read.into()),
        },
        None => Values {
            chain,
            notes,
            packing: None,
        },
    }
}

/// What values are, and by which attributes.
fn headline(codec: &Cf, attributes: &Map<String, Value>, behind: &str) -> String {
    const SHOWN: [&str; 9] = [
        "scale_factor",
        "add_offset",
        "_FillValue",
        "missing_value",
        "valid_min",
        "valid_max",
        "valid_range",
        "_Unsigned",
        "reader",
    ];
    let attributes = SHOWN
        .into_iter()
        .filter_map(|name| Some(format!("{name} {}", attributes.get(name)?)));
    let attributes: Vec<String> = attributes.collect();
    let text = format!(
        "values are {}, as CF unpacks {}: {}{behind}",
        codec.unpacked,
        codec.packed,
        attributes.join(", ")
    );
    clean(&text)
}

/// A chain whose elements are codes, as one whose elements are values.
pub(crate) fn unpacked_chain(codec: Cf, chain: Chain) -> Chain {
    let Chain {
        data_type,
        chunk_shape,
        fill_value,
        mut pipeline,
    } = chain;
    let unpacked = codec.unpacked;
    // Every code has a value.
    let bits = exactum_reference::cf::decode_element(&codec, fill_value.component(0));
    let step = ArrayToArray {
        name: "cf".into(),
        pointer: "/attributes".into(),
        codec: codec.into(),
        data_type,
        shape: chunk_shape.clone(),
    };
    pipeline.array_to_array.insert(0, step);
    Chain {
        data_type: unpacked,
        chunk_shape,
        fill_value: bits.map_or(fill_value, |bits| Scalar::new(unpacked, bits.into())),
        pipeline,
    }
}

/// Judges the packing attributes of an array document, whose bytes these are, for what contradicts itself. The codecs with
/// the packing before them, where readers of CF get other values than are stored.
pub(super) fn judge_attributes(
    bytes: &[u8],
    document: &ArrayDocument,
    findings: &mut Vec<Finding>,
) -> Option<Chain> {
    let text = std::str::from_utf8(bytes).ok()?;
    // Attributes are the user's own, so that those that nobody can read are not faults.
    let packing = of_attributes(text, document).ok().flatten()?;
    findings.extend(listed(&packing.warnings));
    findings.extend(unwritten(&packing, document));
    findings.sort_by_key(|finding| finding.place.start);
    let codec = packing.codec.filter(|codec| codec.unpacked != codec.packed);
    codec.map(|codec| unpacked_chain(codec, document.chain.clone()))
}

/// A line about the values that readers of CF get.
pub(super) fn words(packed: Option<&Chain>) -> String {
    let Some(chain) = packed else {
        return String::new();
    };
    let numbers = numbers::sentence(chain).unwrap_or_default();
    format!(
        "  unpacked by CF: {}, fill value {}; {numbers}\n",
        chain.data_type,
        canonical(&chain.fill_value)
    )
}

/// The values that readers of CF get, in JSON.
pub(super) fn document(chain: &Chain) -> Value {
    json!({
        "codec": "cf",
        "data_type": chain.data_type.name(),
        "fill_value": canonical(&chain.fill_value),
        "holds": numbers::document(chain),
    })
}

/// Elements that were never written and are read as values, although attributes say what is missing (cf.array.fill).
fn unwritten(packing: &Packing, document: &ArrayDocument) -> Option<Finding> {
    let codec = packing.codec.as_ref()?;
    let missing = packing.missing.first()?;
    let fill_value = &document.chain.fill_value;
    let is_missing = |it: &exactum_metadata::Missing| it.value.same_value(fill_value);
    if packing.missing.iter().any(is_missing) {
        return None;
    }
    let bits = exactum_reference::cf::decode_element(codec, fill_value.component(0)).ok()?;
    let value = Scalar::new(codec.unpacked, bits.into());
    let is_nan = |float: exactum_model::FloatFormat| float.is_nan(bits);
    if codec.unpacked.format().float().is_some_and(is_nan) {
        return None;
    }
    let (code, wanted) = (canonical(fill_value), canonical(&missing.value));
    let message = format!(
        "elements that were never written are read as {}: the fill value is {code}, and what is missing is {wanted} by {}",
        canonical(&value),
        missing.name
    );
    let help = format!(
        "write \"fill_value\": {wanted} before the first chunk; in a store with data, writers may have left out chunks of nothing but {code}, and these have to be written first"
    );
    let attribute = packing.attribute(missing.name);
    Some(Finding {
        severity: Severity::Warning,
        clause: "cf.array.fill",
        level: levels::of("cf.array.fill"),
        message,
        help: Some(help),
        pointer: "/fill_value".into(),
        place: document.fill_value_place.clone(),
        related: attribute
            .map(|attribute| (attribute.place.clone(), "what is missing".into()))
            .into_iter()
            .collect(),
    })
}

impl Values {
    /// What JSON says of the packing: the attributes and the stored data type, or null.
    pub(crate) fn packing_document(&self) -> Value {
        match &self.packing {
            Some(attributes) => json!({"codec": "cf", "attributes": attributes}),
            None => Value::Null,
        }
    }

    /// The notes as lines before an answer.
    pub(crate) fn heading(&self) -> String {
        self.notes.iter().map(|note| format!("{note}\n")).collect()
    }
}
