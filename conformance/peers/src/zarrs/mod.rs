//! The crate `zarrs`, unmodified and with Exactum's plugins. These are two separate processes, because plugins are
//! registered for a whole process. A third process has its feature `zfp`: `conformance/zarrs-zfp`, outside the workspace,
//! compiles this module with that feature. Therefore the module uses nothing else of this package.
//!
//! Every request goes through an array document, into which the text of the request is inserted unchanged, and through
//! the codecs of the array that zarrs opens; data types and configurations are parsed by zarrs. Unmodified zarrs opens
//! arrays with `Array::open`; with the plugins, `Registration::open` does so, as their documentation requires.
//!
//! A refusal by zarrs is a rejection. A panic is not: it ends the process.

mod documents;
mod elements;
pub(crate) mod errors;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ::zarrs::array::{
    Array as ZarrArray, ArrayBytes, ArrayToBytesCodecTraits, ChunkShape, Codec, CodecOptions,
    FillValue, IntoArrayBytes, Tensor,
};
use ::zarrs::group::Group;
use ::zarrs::metadata::v3::MetadataV3;
use ::zarrs::storage::store::MemoryStore;
use exactum_conformance::model::{Array, DataType, Scalar};
use exactum_conformance::{
    Answer, Call, Failure, Fault, Hello, Implementation, Operation, Request, Success, Verb, quietly,
};
use serde_json::Value;

/// zarrs, with or without plugins.
#[derive(Debug)]
pub struct Zarrs {
    with: With,
}

/// What zarrs has in addition to its basic features.
#[derive(Debug)]
enum With {
    Nothing,
    Plugins(Box<dyn Opener>),
    /// Its own feature `zfp`.
    Zfp,
}

/// A result, or the answer to give instead.
pub(crate) type Answered<T> = Result<T, Answer>;

/// Plugins, which open arrays in place of zarrs.
pub(crate) trait Opener: fmt::Debug + Send {
    /// Opens the array at the root of a store.
    fn open(&self, store: Arc<MemoryStore>) -> Answered<ZarrArray<MemoryStore>>;
}

/// The codecs in documents that zarrs has as it is built here.
const CODECS: &[&str] = &[
    "bytes",
    "crc32c",
    "packbits",
    "reshape",
    "sharding_indexed",
    "transpose",
    "vlen-bytes",
];

/// The chunk operations that zarrs has.
const OF_CHUNKS: [&str; 6] = [
    "bitround.encode",
    "bitround.decode",
    "bytes.encode",
    "bytes.decode",
    "packbits.encode",
    "packbits.decode",
];

/// The chunk operations that the plugins add.
const OF_PLUGINS: [&str; 6] = [
    "cast_value.encode",
    "cast_value.decode",
    "scale_offset.encode",
    "scale_offset.decode",
    "zfp.encode",
    "zfp.decode",
];

/// The data types that zarrs' own zfp codec accepts.
const OF_ZFP: [&str; 10] = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
];

impl Zarrs {
    /// Returns unmodified zarrs.
    #[must_use]
    pub fn plain() -> Self {
        let with = With::Nothing;
        Self { with }
    }

    /// Returns zarrs with the plugins that open its arrays.
    pub(crate) fn opened_by(opener: impl Opener + 'static) -> Self {
        let with = With::Plugins(Box::new(opener));
        Self { with }
    }

    /// Returns unmodified zarrs with its feature `zfp`; it is judged on that codec alone.
    #[must_use]
    pub fn with_zfp() -> Self {
        let with = With::Zfp;
        Self { with }
    }

    fn introduction(&self) -> Hello {
        let version = ::zarrs::version::version_str();
        let (name, more): (_, &[&str]) = match self.with {
            With::Nothing => ("zarrs", &["bitround", "numcodecs.bitround"]),
            With::Plugins(_) => (
                "zarrs-exactum",
                &[
                    "bitround",
                    "cast_value",
                    "numcodecs.bitround",
                    "scale_offset",
                    "zfp",
                ],
            ),
            With::Zfp => ("zarrs-zfp", &["zfp"]),
        };
        let codecs = [CODECS, more].concat();
        let codecs: Vec<Value> = codecs.into_iter().map(Value::from).collect();
        let mut chunks = vec![("codecs", codecs)];
        if matches!(self.with, With::Zfp) {
            chunks.push(("some_codec", vec!["zfp".into()]));
        }
        let mut documents = chunks.clone();
        let kinds: &[&str] = match self.with {
            With::Zfp => &["array"],
            With::Nothing | With::Plugins(_) => &["array", "group"],
        };
        let kinds = kinds.iter().copied().map(Value::from).collect();
        documents.push(("kind", kinds));
        let hello = Hello::new(name, version, "rust")
            .offering_part("chain.encode", &chunks)
            .offering_part("chain.decode", &chunks)
            .offering_part("metadata.validate", &documents);
        // The type of a chunk's extents excludes zero.
        let filled = ("empty", vec![false.into()]);
        if matches!(self.with, With::Zfp) {
            let types: Vec<Value> = OF_ZFP.map(Value::from).to_vec();
            return hello
                .offering_part("zfp.encode", &[("from", types.clone()), filled.clone()])
                .offering_part("zfp.decode", &[("to", types), filled]);
        }
        // Floats are written with the digits of binary64, which is correct but not canonical.
        let whole: Vec<Value> = DataType::ALL
            .iter()
            .filter(|data_type| data_type.format().float().is_none())
            .map(|data_type| data_type.name().into())
            .collect();
        let mut hello = hello
            .offering(&["fill_value.parse"])
            .offering_part("fill_value.format", &[("from", whole)]);
        let mut operations: Vec<&str> = OF_CHUNKS.to_vec();
        if matches!(self.with, With::Plugins(_)) {
            operations.extend(OF_PLUGINS);
        }
        // Data types that are not in the registry do not exist in zarrs. Some operations have elements on one side
        // only.
        let types: Vec<Value> = DataType::ALL
            .iter()
            .filter(|data_type| data_type.is_registered())
            .map(|data_type| data_type.name().into())
            .chain([Value::Null])
            .collect();
        let domain = [filled, ("from", types.clone()), ("to", types)];
        for operation in operations {
            hello = hello.offering_part(operation, &domain);
        }
        hello
    }

    fn answer(&self, request: &Request) -> Answered<Success> {
        let operation = request.operation().map_err(Answer::from)?;
        let encode = operation.verb == Verb::Encode;
        match operation.verb {
            Verb::Hello => Ok(Success::Document(self.introduction().to_members())),
            Verb::Parse => {
                let (data_type, json) = (request.data_type()?, request.need_text("json")?);
                let array = self.open(&documents::of_fill_value(data_type, json))?;
                let bits = elements::of_memory(data_type, array.fill_value().as_ne_bytes());
                Ok(Success::Bits(bits))
            }
            Verb::Format => match request.call().map_err(|fault| fault.clone())? {
                Call::Format(scalar) => format(scalar).map(Success::Json),
                call => Ok(call.not_offered()?),
            },
            Verb::Encode | Verb::Decode if operation.elementwise => {
                let input = request.need_input()?;
                let data_type = match operation.asks("data_type") {
                    true => request.data_type()?,
                    false => input.data_type(),
                };
                let configuration = request.text("configuration");
                step(operation.row, configuration, data_type, &input, encode)
            }
            Verb::Encode => {
                let input = request.need_input()?;
                let (data_type, shape) = (input.data_type(), input.shape());
                let chunk = self.chunk(operation, request, || Ok((data_type, shape.to_vec())))?;
                chunk.encode(&input).map(Success::Bytes)
            }
            Verb::Decode => {
                let bytes = request.hex("bytes")?;
                let asked = || Ok((request.data_type()?, request.shape("shape")?));
                let chunk = self.chunk(operation, request, asked)?;
                chunk.decode(bytes).map(Success::Output)
            }
            Verb::Validate => match request.need_text("kind")? {
                "array" => {
                    let document = request.need_text("document")?;
                    self.open(document).map(|_| Success::Valid)
                }
                "group" => {
                    let store = documents::store(request.need_text("document")?)?;
                    let group = Group::open(store, "/");
                    group
                        .map(|_| Success::Valid)
                        .map_err(|error| errors::reject("metadata", &error))
                }
                kind => Err(Answer::Unsupported(format!("documents of kind {kind:?}"))),
            },
            Verb::Resolve => Err(Answer::Unsupported(
                "zarrs does not say whether a fill value survives".into(),
            )),
            _ => Err(Answer::Unsupported(format!(
                "{} is not offered",
                operation.name
            ))),
        }
    }

    /// Opens the array that a document describes.
    fn open(&self, document: &str) -> Answered<ZarrArray<MemoryStore>> {
        let store = documents::store(document)?;
        match &self.with {
            With::Plugins(plugins) => plugins.open(store),
            With::Nothing | With::Zfp => {
                ZarrArray::open(store, "/").map_err(|error| errors::create(&error))
            }
        }
    }

    /// Returns the chunk of a request: that of an array document, or the only chunk of an array with this data type and
    /// shape and one codec.
    fn chunk(
        &self,
        operation: &Operation,
        request: &Request,
        array: impl FnOnce() -> Result<(DataType, Vec<u64>), Fault>,
    ) -> Answered<Chunk> {
        if operation.asks("metadata") {
            return Chunk::of(self.open(request.need_text("metadata")?)?);
        }
        let (data_type, shape) = array()?;
        if shape.contains(&0) {
            return Err(Answer::Unsupported("zarrs has no empty chunks".into()));
        }
        let codec = documents::codec(operation.row, request.text("configuration"));
        Chunk::of(self.open(&documents::of_chunk(data_type, &shape, &codec))?)
    }
}

impl Implementation for Zarrs {
    fn hello(&mut self) -> Result<Hello, Failure> {
        Ok(self.introduction())
    }

    fn call(&mut self, request: &Request) -> Result<Answer, Failure> {
        quietly(|| self.answer(request)).map(|outcome| outcome.map_or_else(|it| it, Answer::Ok))
    }
}

/// The chunk at the origin of an array, and the data type of the array.
struct Chunk {
    array: ZarrArray<MemoryStore>,
    shape: ChunkShape,
    data_type: DataType,
}

impl Chunk {
    fn of(array: ZarrArray<MemoryStore>) -> Answered<Self> {
        let origin = vec![0; array.dimensionality()];
        let shape = array
            .chunk_shape(&origin)
            .map_err(|error| errors::reject("shape", &error))?;
        let data_type = elements::data_type(array.data_type())?;
        Ok(Self {
            array,
            shape,
            data_type,
        })
    }

    fn encode(&self, input: &Array) -> Answered<Vec<u8>> {
        // The data type is passed to zarrs with the elements and compared there. The shape of the input has no effect:
        // to zarrs, a chunk is a sequence of elements.
        let tensor = Tensor::new(
            elements::to_memory(input.data_type(), input.data()),
            elements::of_zarrs(input.data_type())?,
            input.shape().to_vec(),
        );
        let bytes = tensor
            .into_array_bytes(self.array.data_type())
            .map_err(|error| errors::reject("unsupported_data_type", &error))?;
        self.array
            .codecs()
            .encode(
                bytes,
                &self.shape,
                self.array.data_type(),
                self.array.fill_value(),
                &CodecOptions::default(),
            )
            .map(Cow::into_owned)
            .map_err(|error| errors::codec(&error))
    }

    fn decode(&self, bytes: Vec<u8>) -> Answered<Array> {
        let decoded = self
            .array
            .codecs()
            .decode(
                bytes.into(),
                &self.shape,
                self.array.data_type(),
                self.array.fill_value(),
                &CodecOptions::default(),
            )
            .map_err(|error| errors::codec(&error))?;
        let shape = self.shape.iter().map(|extent| extent.get()).collect();
        elements::array(self.data_type, shape, decoded)
    }
}

/// Runs an array -> array codec by itself. The request has no fill value, so none is passed.
fn step(
    name: &str,
    configuration: Option<&str>,
    data_type: DataType,
    input: &Array,
    encode: bool,
) -> Answered<Success> {
    let text = documents::codec(name, configuration);
    let metadata =
        MetadataV3::try_from(text.as_str()).map_err(|error| errors::reject("metadata", &error))?;
    let codec = match Codec::from_metadata(&metadata) {
        Ok(Codec::ArrayToArray(codec)) => codec,
        Ok(_) => {
            return Err(Answer::Error(format!(
                "{name} is not an array -> array codec"
            )));
        }
        Err(error) => return Err(errors::plugin(&error)),
    };
    let Some(shape) = documents::chunk_shape(input.shape()) else {
        return Err(Answer::Unsupported("zarrs has no empty chunks".into()));
    };
    let decoded = elements::of_zarrs(data_type)?;
    let encoded = codec
        .encoded_data_type(&decoded)
        .map_err(|error| errors::codec(&error))?;
    let fill_value = FillValue::new(Vec::new());
    let bytes = ArrayBytes::new_flen(elements::to_memory(input.data_type(), input.data()));
    let options = CodecOptions::default();
    let output = if encode {
        codec.encode(bytes, &shape, &decoded, &fill_value, &options)
    } else {
        if elements::data_type(&encoded)? != input.data_type() {
            return Err(Answer::Unsupported(format!(
                "zarrs accepts a chunk as bytes, without a data type such as {}",
                input.data_type()
            )));
        }
        codec.decode(bytes, &shape, &decoded, &fill_value, &options)
    };
    let output = output.map_err(|error| errors::codec(&error))?;
    let data_type = elements::data_type(if encode { &encoded } else { &decoded })?;
    elements::array(data_type, input.shape().to_vec(), output).map(Success::Output)
}

/// Returns the text that zarrs writes for a fill value.
fn format(scalar: &Scalar) -> Answered<String> {
    let data_type = elements::of_zarrs(scalar.data_type())?;
    let memory = elements::to_memory(scalar.data_type(), &scalar.to_bytes());
    let metadata = data_type
        .metadata_fill_value(&FillValue::new(memory))
        .map_err(|error| errors::reject("fill_value", &error))?;
    serde_json::to_string(&metadata).map_err(|error| Answer::Error(error.to_string()))
}

#[cfg(test)]
pub(crate) mod tests;
