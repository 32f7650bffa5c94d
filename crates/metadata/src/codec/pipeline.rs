//! The list of codecs (chain.codecs, chain.order, chain.foreign).

use exactum_model::{ArrayCodec, ArrayToBytes, DataType, Pipeline, Reason, Step};

use super::names::{Class, StepName, class};
use super::{
    bytes, cast_value, fixed_scale_offset, packbits, reshape, scale_offset, sharding, transpose,
};
use crate::diagnostic::{Read, Warning, quoted};
use crate::json::Node;
use crate::members::{Extension, array};

/// A chunk is at most this large, in bytes, at every stage (chain.size).
pub(crate) const MAX_CHUNK_BYTES: u128 = 1 << 63;

/// Extents that all stages of a chain may have together. Every stage has a shape of its own, so
/// the memory for many codecs on an array of many dimensions grows with their product.
const MAX_EXTENTS: usize = 1 << 20;

/// What goes into a codec.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) data_type: DataType,
    pub(crate) shape: Vec<u64>,
}

/// Reads lists of codecs, the nested ones too, and gathers what is remarkable.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) warnings: Vec<Warning>,
    extents: usize,
}

impl Reader {
    /// Reads a list of codecs. Without a state, nothing is known of what goes in: then only the
    /// forms are checked, and the result says no more than names.
    pub(crate) fn pipeline(&mut self, list: Node<'_>, state: Option<State>) -> Read<Pipeline> {
        array(list, "chain.codecs", "the list of codecs")?;
        let base = list.pointer();
        let mut steps = Vec::new();
        let mut array_to_bytes = None;
        let mut bytes_to_bytes = Vec::new();
        // The first codec after which nothing is known.
        let mut foreign: Option<String> = None;
        let mut state = state;
        let mut order = Order::default();
        for (index, node) in list.elements().enumerate() {
            let codec = Extension::read(node, "chain.codec.form", "a codec")?;
            let class = class(&codec.name);
            if class == Class::Unknown && !codec.must_understand {
                continue;
            }
            order.take(class, node)?;
            match class {
                Class::Step(name) => {
                    let step =
                        self.step(name, &codec, state.take(), || format!("{base}/{index}"))?;
                    if let Some(step) = step {
                        self.count_extents(node, step.shape.len())?;
                        check_size(node, step.data_type, &step.shape)?;
                        state = Some(State {
                            data_type: step.data_type,
                            shape: step.shape.clone(),
                        });
                        steps.push(step);
                    }
                }
                Class::Bytes => {
                    let endian = bytes::read(codec.configuration)?;
                    array_to_bytes = Some(match &state {
                        Some(state) => {
                            let resolved = bytes::resolve(endian, state.data_type, codec.node)?;
                            ArrayToBytes::Bytes(resolved)
                        }
                        None => ArrayToBytes::Foreign(codec.name.into_owned()),
                    });
                }
                Class::PackBits => {
                    let configuration = packbits::read(codec.configuration)?;
                    array_to_bytes = Some(match &state {
                        Some(state) => {
                            ArrayToBytes::PackBits(configuration.resolve(state.data_type)?)
                        }
                        None => ArrayToBytes::Foreign(codec.name.into_owned()),
                    });
                }
                Class::Sharding => {
                    array_to_bytes = Some(sharding::read(&codec, state.as_ref(), self)?);
                }
                Class::ForeignBytes => {
                    array_to_bytes = Some(ArrayToBytes::Foreign(codec.name.into_owned()));
                }
                Class::BytesToBytes => bytes_to_bytes.push(codec.name.into_owned()),
                Class::ForeignStep | Class::Unknown => {
                    self.warn_of(&codec, class, format!("{base}/{index}"), state.is_some());
                    if array_to_bytes.is_some() {
                        bytes_to_bytes.push(codec.name.into_owned());
                    } else {
                        state = None;
                        foreign.get_or_insert_with(|| codec.name.into_owned());
                    }
                }
            }
        }
        let Some(array_to_bytes) = foreign
            .map(ArrayToBytes::Foreign)
            .or(array_to_bytes)
            .filter(|_| order.is_complete())
        else {
            return Err(list
                .reject("chain.codecs", "there is no array -> bytes codec")
                .help("add one, such as {\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}"));
        };
        Ok(Pipeline {
            steps,
            array_to_bytes,
            bytes_to_bytes,
        })
    }

    /// Reads an array -> array codec; `None` where what goes into it is not known.
    fn step(
        &mut self,
        name: StepName,
        codec: &Extension<'_>,
        state: Option<State>,
        pointer: impl Fn() -> String,
    ) -> Read<Option<Step>> {
        let shape = state.as_ref().map(|state| state.shape.as_slice());
        let resolved = match name {
            StepName::ScaleOffset => {
                let configuration = scale_offset::read(codec.configuration)?;
                state.as_ref().map_or(Ok(None), |state| {
                    scale_offset::check_real(state.data_type, codec.node)?;
                    scale_offset::resolve(
                        &configuration,
                        state.data_type,
                        &pointer,
                        &mut self.warnings,
                    )
                    .map(|codec| Some((ArrayCodec::ScaleOffset(codec), state.data_type, None)))
                })?
            }
            StepName::CastValue => {
                let Some(configuration) = codec.configuration else {
                    return Err(codec
                        .node
                        .reject(
                            "cast_value.configuration",
                            "cast_value needs a configuration",
                        )
                        .help("write {\"name\": \"cast_value\", \"configuration\": {\"data_type\": ...}}"));
                };
                let configuration = cast_value::read(configuration)?;
                state.as_ref().map_or(Ok(None), |state| {
                    configuration.check_decoded(state.data_type, codec.node)?;
                    let resolved = configuration.resolve(state.data_type)?;
                    let encoded = configuration.encoded();
                    Read::Ok(Some((ArrayCodec::CastValue(resolved), encoded, None)))
                })?
            }
            StepName::FixedScaleOffset => {
                let configuration = fixed_scale_offset::read(codec)?;
                state.as_ref().map_or(Ok(None), |state| {
                    configuration.check_input(state.data_type)?;
                    let resolved = configuration.codec;
                    Read::Ok(Some((
                        ArrayCodec::FixedScaleOffset(resolved),
                        resolved.astype,
                        None,
                    )))
                })?
            }
            StepName::Transpose => {
                let (order, shape) = transpose::read(codec, shape)?;
                state
                    .as_ref()
                    .map(|state| (ArrayCodec::Transpose(order), state.data_type, Some(shape)))
            }
            StepName::Reshape => {
                let shape = reshape::read(codec, shape)?;
                state
                    .as_ref()
                    .map(|state| (ArrayCodec::Reshape, state.data_type, Some(shape)))
            }
        };
        Ok(state
            .zip(resolved)
            .map(|(state, (operation, data_type, shape))| Step {
                name: codec.name.clone().into_owned(),
                pointer: pointer(),
                codec: operation,
                data_type,
                shape: shape.unwrap_or(state.shape),
            }))
    }

    fn count_extents(&mut self, node: Node<'_>, rank: usize) -> Read<()> {
        self.extents = self.extents.saturating_add(rank);
        if self.extents <= MAX_EXTENTS {
            return Ok(());
        }
        Err(node
            .reject_as(
                Reason::Shape,
                "chain.size",
                format!(
                    "the shapes between the codecs have more than {MAX_EXTENTS} extents together"
                ),
            )
            .help("use fewer codecs or fewer dimensions"))
    }

    fn warn_of(&mut self, codec: &Extension<'_>, class: Class, pointer: String, known: bool) {
        let name = quoted(&codec.name);
        let message = match class {
            Class::Unknown => format!("the codec {name} is unknown"),
            _ => format!("the codec {name} is known by its name only"),
        };
        let help = if known {
            "nothing is known of what comes out of it, so the codecs after it are not judged"
        } else {
            "it is not judged"
        };
        self.warnings.push(Warning {
            clause: "chain.foreign",
            message,
            help: help.into(),
            pointer,
            place: codec.node.narrow_place(),
        });
    }
}

/// Refuses chunks whose bytes pass 2^63 (chain.size).
pub(crate) fn check_size(node: Node<'_>, data_type: DataType, shape: &[u64]) -> Read<()> {
    let bytes = shape
        .iter()
        .fold(data_type.element_bytes() as u128, |product, &extent| {
            product.saturating_mul(extent.into())
        });
    if bytes <= MAX_CHUNK_BYTES {
        return Ok(());
    }
    Err(node
        .reject_as(
            Reason::Shape,
            "chain.size",
            format!("a chunk of {data_type} has more than 2^63 bytes here"),
        )
        .help("use smaller chunks"))
}

/// The order of the list: array -> array codecs, one array -> bytes codec, bytes -> bytes codecs
/// (chain.codecs). An unknown codec may be any of them, wherever one is still possible.
#[derive(Debug, Default)]
struct Order {
    /// The list has passed its array -> bytes codec, known or not.
    bytes: bool,
    /// It has passed a bytes -> bytes codec.
    compressed: bool,
    /// An unknown codec after the last array -> array codec, which may be the array -> bytes one.
    candidate: bool,
}

impl Order {
    fn take(&mut self, class: Class, node: Node<'_>) -> Read<()> {
        let clause = "chain.codecs";
        match class {
            Class::Unknown => self.candidate |= !self.bytes,
            Class::Step(_) | Class::ForeignStep => {
                if self.bytes {
                    return Err(node
                        .reject(
                            clause,
                            "an array -> array codec stands after the array -> bytes codec",
                        )
                        .help("the array -> array codecs come first"));
                }
                self.candidate = false;
            }
            Class::Bytes | Class::PackBits | Class::Sharding | Class::ForeignBytes => {
                if self.compressed {
                    return Err(node
                        .reject(
                            clause,
                            "the array -> bytes codec stands after a bytes -> bytes codec",
                        )
                        .help("the array -> bytes codec comes before the bytes -> bytes codecs"));
                }
                if self.bytes {
                    return Err(node
                        .reject(clause, "this is the second array -> bytes codec")
                        .help("there is exactly one"));
                }
                self.bytes = true;
                self.candidate = false;
            }
            Class::BytesToBytes => {
                if !self.bytes && !self.candidate {
                    return Err(node
                        .reject(
                            clause,
                            "a bytes -> bytes codec stands before the array -> bytes codec",
                        )
                        .help("put an array -> bytes codec, such as \"bytes\", before it"));
                }
                self.bytes = true;
                self.compressed = true;
            }
        }
        Ok(())
    }

    /// Whether the list has its array -> bytes codec, or one that may be it.
    fn is_complete(&self) -> bool {
        self.bytes || self.candidate
    }
}
