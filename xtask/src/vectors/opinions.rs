//! The answers of the reference and of the second oracle to every kind of request. A vector is written only if both
//! agree.

use std::fmt::Debug;

use exactum_metadata::{Accepted, Document, DocumentKind};
pub(crate) use exactum_model::Direction;
use exactum_model::{
    Array, ArrayCodec, ArrayToBytes, Chain, DataType, Reason, Rejection, Resolution, Scalar,
    ScaleOffset,
};
use exactum_reference::Reference;
use exactum_reference::chain::Steps;
use serde_json::Value;

use crate::oracle;

/// Compares two opinions on one result: both must have the same value, or both must reject. Returns that of the
/// reference. The reasons of rejections may differ, because they are only informative.
pub(crate) fn agreed<T: PartialEq + Debug>(
    what: impl FnOnce() -> String,
    reference: Result<T, Reason>,
    oracle: Result<T, Reason>,
) -> Result<Result<T, Reason>, String> {
    match (&reference, &oracle) {
        (Ok(a), Ok(b)) if a == b => Ok(reference),
        (Err(_), Err(_)) => Ok(reference),
        _ => Err(format!(
            "{}: reference {reference:?}, second oracle {oracle:?}",
            what()
        )),
    }
}

/// Parses the text of a fill value.
pub(crate) fn parsed(data_type: DataType, text: &str) -> Result<Result<Scalar, Rejection>, String> {
    let first = exactum_metadata::parse_fill_value(data_type, text);
    agreed(
        || format!("{data_type} {text}"),
        first.clone().map_err(|rejection| rejection.reason),
        oracle::fill_value::parse(data_type, text),
    )?
    .ok();
    Ok(first)
}

/// Returns the canonical text of a scalar. Both oracles must agree on it, and it must be parsed to the same bits.
pub(crate) fn written(scalar: &Scalar) -> Result<String, String> {
    let text = exactum_exact::canonical(scalar);
    let second = oracle::fill_value::format(scalar);
    if second != text {
        return Err(format!("{scalar:x?}: written as {text} and as {second}"));
    }
    for back in [
        exactum_metadata::parse_fill_value(scalar.data_type(), &text).ok(),
        oracle::fill_value::parse(scalar.data_type(), &text).ok(),
    ] {
        if back != Some(*scalar) {
            return Err(format!("{text} reads as {back:x?}"));
        }
    }
    Ok(text)
}

/// Returns an array whose elements are written as fill values.
pub(crate) fn array(
    data_type: DataType,
    shape: &[u64],
    texts: &[impl AsRef<str>],
) -> Result<Array, String> {
    let mut data = Vec::new();
    for text in texts {
        let text = text.as_ref();
        let scalar = parsed(data_type, text)?
            .map_err(|_| format!("{text} is not a value of {data_type}"))?;
        data.extend(scalar.to_bytes());
    }
    Array::new(data_type, shape.to_vec(), data).map_err(|rejection| rejection.message)
}

/// The name of a direction in operations and in the names of groups.
pub(crate) trait Way: Sized {
    /// Both directions, in the order in which they appear in files.
    const BOTH: [Self; 2];

    fn name(self) -> &'static str;
}

impl Way for Direction {
    const BOTH: [Self; 2] = [Self::Encode, Self::Decode];

    fn name(self) -> &'static str {
        match self {
            Direction::Encode => "encode",
            Direction::Decode => "decode",
        }
    }
}

/// Reads a codec with two readers of configurations, which must agree.
fn alike<T: PartialEq + Debug>(
    first: impl Fn(&str, DataType) -> Result<T, Rejection>,
    second: impl Fn(&str, DataType) -> Option<T>,
    configuration: &str,
    data_type: DataType,
) -> Result<Result<T, Rejection>, String> {
    let first = match first(configuration, data_type) {
        Ok(first) => first,
        Err(rejection) => return Ok(Err(rejection)),
    };
    match second(configuration, data_type) {
        Some(second) if second == first => Ok(Ok(first)),
        second => Err(format!(
            "{data_type} {configuration}: read as {first:?} and as {second:?}"
        )),
    }
}

/// Returns the codec of a `scale_offset` configuration, which is read twice.
pub(crate) fn scale_offset(
    text: &str,
    data_type: DataType,
) -> Result<Result<ScaleOffset, Rejection>, String> {
    let (first, second) = (
        exactum_metadata::parse_scale_offset,
        oracle::documents::scale_offset,
    );
    alike(first, second, text, data_type)
}

/// Returns the array -> bytes codec of a row with this configuration, for arrays of a data type and a rank. The
/// configuration is read twice.
pub(crate) fn array_to_bytes(
    row: &str,
    text: &str,
    data_type: DataType,
    rank: usize,
) -> Result<Result<ArrayToBytes, Rejection>, String> {
    use exactum_metadata as first;
    use oracle::documents as second;
    Ok(match row {
        "bytes" => {
            alike(first::parse_bytes, second::bytes, text, data_type)?.map(ArrayToBytes::Bytes)
        }
        "packbits" => alike(first::parse_packbits, second::packbits, text, data_type)?
            .map(ArrayToBytes::PackBits),
        "zfp" => alike(
            |text, data_type| first::parse_zfp(text, data_type, rank),
            |text, data_type| second::zfp(text, data_type, rank),
            text,
            data_type,
        )?
        .map(ArrayToBytes::Zfp),
        _ => return Err(format!("{row:?} is not an array -> bytes codec")),
    })
}

/// An elementwise codec.
#[derive(Clone, Debug)]
pub(crate) struct Elementwise(ArrayCodec);

impl Elementwise {
    pub(crate) fn new(codec: impl Into<ArrayCodec>) -> Self {
        Self(codec.into())
    }

    /// Reads the codec of a row with this configuration, for arrays of a data type. The configuration is read twice. A
    /// codec of any other row is read as the first codec in the chain of an array with a single element. Only the
    /// reference knows such a codec, and its answers are compared with the results that the recipe states.
    pub(crate) fn read(
        row: &str,
        text: &str,
        decoded: DataType,
    ) -> Result<Result<Self, Rejection>, String> {
        use exactum_metadata as first;
        use oracle::documents as second;
        let codec = match row {
            "bitround" => alike(first::parse_bitround, second::bitround, text, decoded)?
                .map(ArrayCodec::BitRound),
            "cast_value" => alike(first::parse_cast_value, second::cast_value, text, decoded)?
                .map(ArrayCodec::CastValue),
            "cf" => alike(first::parse_cf, oracle::cf::read, text, decoded)?.map(ArrayCodec::Cf),
            "scale_offset" => scale_offset(text, decoded)?.map(ArrayCodec::ScaleOffset),
            _ => match first::parse_array(&single(row, text, decoded)) {
                Ok(document) => {
                    let steps = document.chain.pipeline.array_to_array.into_iter();
                    let mut changing = steps.filter(|step| step.codec.data_types().is_some());
                    let step = changing.next();
                    Ok(step
                        .ok_or_else(|| format!("{row} changes no element"))?
                        .codec)
                }
                Err(rejection) => Err(rejection),
            },
        };
        Ok(codec.map(Self))
    }

    /// Returns whether the second oracle knows the codec as a row of its own.
    pub(crate) fn is_known_twice(&self) -> bool {
        use ArrayCodec::{BitRound, CastValue, Cf, ScaleOffset};
        matches!(self.0, BitRound(_) | CastValue(_) | Cf(_) | ScaleOffset(_))
    }

    /// Returns the data types of the input and of the output in a direction.
    pub(crate) fn types(&self, direction: Direction) -> (DataType, DataType) {
        let types = self.0.types(direction);
        types.expect("a codec that changes elements has data types")
    }

    /// Returns the result for a component's bits.
    pub(crate) fn answer(
        &self,
        what: &str,
        direction: Direction,
        bits: u64,
    ) -> Result<Result<u64, Reason>, String> {
        let first = self
            .first(direction, bits)
            .map_err(|rejection| rejection.reason);
        if !self.is_known_twice() {
            return Ok(first);
        }
        let (from, to) = self.types(direction);
        // Arithmetic may result in any NaN.
        let nan = to
            .format()
            .float()
            .filter(|_| matches!(self.0, ArrayCodec::ScaleOffset(_)));
        let plain = |bits: u64| match nan.and_then(|format| Some((format, format.nan_bits()?))) {
            Some((format, default)) if format.is_nan(bits) => default,
            _ => bits,
        };
        agreed(
            || format!("{what}: element {bits:x} of {from}"),
            first.map(plain),
            self.second(direction, bits).map(plain),
        )
    }

    /// Returns the reference's result for a component's bits.
    ///
    /// # Errors
    /// If there is no result.
    pub(crate) fn first(&self, direction: Direction, bits: u64) -> Result<u64, Rejection> {
        Reference.element(&self.0, direction, bits)
    }

    /// Returns the second oracle's result for a component's bits.
    ///
    /// # Errors
    /// If there is no result, or if the oracle does not know the codec.
    pub(crate) fn second(&self, direction: Direction, bits: u64) -> Result<u64, Reason> {
        oracle::chain::element(&self.0, direction, bits)
    }
}

/// Returns the document of an array with a single element and this codec.
fn single(row: &str, configuration: &str, data_type: DataType) -> String {
    let fill_value = match data_type.format().components() {
        _ if data_type == DataType::Bool => "false",
        2 => "[1,1]",
        _ => "1",
    };
    format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[1],"data_type":"{data_type}","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[1]}}}},"chunk_key_encoding":{{"name":"default"}},"fill_value":{fill_value},"codecs":[{{"name":"{row}","configuration":{configuration}}},{{"name":"bytes","configuration":{{"endian":"little"}}}}]}}"#
    )
}

/// Returns the chain of a document, which is read twice.
pub(crate) fn chain(document: &str) -> Result<Result<Chain, Rejection>, String> {
    match exactum_metadata::parse_array(document) {
        Ok(array) => twice(document, array.chain).map(Ok),
        Err(rejection) => Ok(Err(rejection)),
    }
}

/// Returns the chain if the second oracle reads the same chain from the document.
fn twice(document: &str, chain: Chain) -> Result<Chain, String> {
    let second = oracle::documents::chain(document);
    if second.as_ref() == Some(&chain) {
        Ok(chain)
    } else {
        Err(format!("read as {chain:?} and as {second:?}"))
    }
}

/// The reason and the clause of a rejection.
pub(crate) type Refused = (Reason, &'static str);

/// Returns whether a document is valid. For non-numeric data types, the second opinion only concerns the data type and
/// the fill value.
pub(crate) fn validated(document: &str) -> Result<Result<(), Refused>, String> {
    let value: Value = serde_json::from_str(document).unwrap_or_default();
    let second = oracle::others::are_right(&value["data_type"], &value["fill_value"]);
    let first = Document::scan_as(document.as_bytes(), DocumentKind::Array)
        .and_then(|document| document.array(Accepted::Known))
        .map_err(Rejection::from);
    let clause = first.as_ref().err().map(|rejection| rejection.clause);
    let is_about = |clause: &str| {
        let rows = ["data_type.", "fill_value."];
        // The second oracle does not know which members a ruling forbids.
        clause != "data_type.configuration" && rows.iter().any(|row| clause.starts_with(row))
    };
    let agree = match (second, clause) {
        (Some(right), None) => right,
        (Some(right), Some(clause)) => !(right && is_about(clause)),
        (None, _) => true,
    };
    if !agree {
        return Err(format!("{first:?}, second oracle {second:?}: {document}"));
    }
    match first.map(|judged| judged.array) {
        Ok(Some(array)) => Ok(resolution(document, &twice(document, array.chain)?)?.map(|_| ())),
        Ok(None) => Ok(Ok(())),
        Err(rejection) => Ok(Err((rejection.reason, rejection.clause))),
    }
}

/// Returns the stages of a document, or the reason and the clause of its rejection.
pub(crate) fn resolved(document: &str) -> Result<Result<Resolution, Refused>, String> {
    match chain(document)? {
        Ok(chain) => resolution(document, &chain),
        Err(rejection) => Ok(Err((rejection.reason, rejection.clause))),
    }
}

fn resolution(document: &str, chain: &Chain) -> Result<Result<Resolution, Refused>, String> {
    let first = exactum_reference::chain::resolve(chain);
    let clause = first.as_ref().err().map(|rejection| rejection.clause);
    let answer = agreed(
        || document.to_owned(),
        first.map_err(|rejection| rejection.reason),
        oracle::chain::resolve(chain),
    )?;
    Ok(answer.map_err(|reason| (reason, clause.unwrap_or_default())))
}

/// Encodes a chunk to bytes.
pub(crate) fn encoded(chain: &Chain, chunk: &Array) -> Result<Result<Vec<u8>, Reason>, String> {
    agreed(
        || "encoded".to_owned(),
        exactum_reference::chain::encode(chain, chunk).map_err(|rejection| rejection.reason),
        oracle::chain::encode(chain, chunk),
    )
}

/// Decodes bytes to a chunk.
pub(crate) fn decoded(chain: &Chain, bytes: &[u8]) -> Result<Result<Array, Reason>, String> {
    agreed(
        || "decoded".to_owned(),
        exactum_reference::chain::decode(chain, bytes).map_err(|rejection| rejection.reason),
        oracle::chain::decode(chain, bytes),
    )
}
