//! The list of codecs (chain.codecs, chain.order, chain.foreign).

use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, CodecPipeline, DataType, Names, Reason,
};

use crate::description::Description;
use crate::diagnostic::{Read, Warning, Warnings};
use crate::json::Node;
use crate::members::{Extension, array};
use crate::words::quoted;

/// A chunk is at most this large, in bytes, at every stage (chain.size).
pub(crate) const MAX_CHUNK_BYTES: u128 = 1 << 63;

/// Extents that all stages of a chain may have together. Every stage has a shape of its own, so
/// the memory for many codecs on an array of many dimensions grows with their product.
const MAX_EXTENTS: usize = 1 << 20;

/// A codec by its name.
pub(crate) struct Codec {
    /// The name in documents.
    pub(crate) name: &'static str,
    /// What its configuration may say; `None` where that is not looked at.
    pub(crate) configuration: Option<&'static Description>,
    /// What it takes and gives, and how it is read.
    pub(crate) kind: CodecKind,
    /// Whether the length of its output is known to vary with the values.
    pub(crate) varies: bool,
}

/// What a codec takes and gives. A reader gets the codec and what goes into it; where that is not
/// known, it checks what can be checked without it and gives nothing. Without a reader, the codec is
/// known by its name only.
#[derive(Clone, Copy)]
pub(crate) enum CodecKind {
    ArrayToArray(Option<ReadCodec<Output>>),
    ArrayToBytes(Option<ReadCodec<ArrayToBytes>>),
    /// With a reader that knows its configuration, or one that passes by its name.
    BytesToBytes(Option<CheckCodec>),
}

/// A reader of codecs of one name whose output is none of ours: it finds the faults of configurations.
pub(crate) type CheckCodec = fn(&Extension<'_>) -> Read<()>;

/// A reader of codecs of one name.
pub(crate) type ReadCodec<T> = fn(&Extension<'_>, Option<&State>, &mut Reader) -> Read<Option<T>>;

/// What goes into a codec.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) data_type: DataType,
    pub(crate) shape: Vec<u64>,
}

/// An array -> array codec, and what comes out of it.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) codec: ArrayCodec,
    pub(crate) state: State,
}

/// Reads lists of codecs, the nested ones too, and gathers what is remarkable.
#[derive(Debug)]
pub(crate) struct Reader {
    /// The codec of a name.
    find: fn(&str) -> Option<&'static Codec>,
    pub(crate) warnings: Warnings,
    extents: usize,
    /// The pointer of the list that is being read, and the index of the codec in it.
    at: (String, usize),
}

impl Reader {
    /// A reader that knows these codecs.
    pub(crate) fn new(find: fn(&str) -> Option<&'static Codec>) -> Self {
        Self {
            find,
            warnings: Warnings::default(),
            extents: 0,
            at: (String::new(), 0),
        }
    }

    /// The pointer of the codec that is being read. That of its node goes through all codecs before
    /// it.
    pub(crate) fn pointer(&self) -> String {
        let (list, index) = &self.at;
        format!("{list}/{index}")
    }

    /// Whether the length of a codec's output is known to vary with the values.
    pub(crate) fn varies_in_size(&self, name: &str) -> bool {
        match (self.find)(name) {
            Some(codec) => codec.varies,
            None => name.starts_with("vlen"),
        }
    }

    /// Reads a list of codecs. Without a state, nothing is known of what goes in: then only the
    /// forms are checked, and the result says no more than names.
    pub(crate) fn pipeline(
        &mut self,
        list: Node<'_>,
        start: Option<&State>,
    ) -> Read<CodecPipeline> {
        let outer = std::mem::replace(&mut self.at, (list.pointer(), 0));
        let pipeline = self.list(list, start)?;
        self.at = outer;
        Ok(pipeline)
    }

    fn list(&mut self, list: Node<'_>, start: Option<&State>) -> Read<CodecPipeline> {
        array(list, "chain.codecs", "the list of codecs")?;
        let mut steps = Vec::new();
        let mut array_to_bytes = None;
        let mut bytes_to_bytes = Names::default();
        // The first codec after which nothing is known.
        let mut foreign: Option<String> = None;
        let mut order = Order::default();
        // What comes out of the codecs so far, once there was one: shapes can be long, so that of the start is not
        // copied.
        let mut after: Option<Option<State>> = None;
        for (index, node) in list.elements().enumerate() {
            let state = after.as_ref().map_or(start, Option::as_ref);
            self.at.1 = index;
            let mut codec = Extension::read(node, "chain.codec.form", "a codec")?;
            let kind = (self.find)(&codec.name).map(|codec| codec.kind);
            if kind.is_none() {
                codec = codec.with_proper_name()?;
            }
            if kind.is_none() && !codec.must_understand {
                continue;
            }
            order.take(kind, node)?;
            match kind {
                Some(CodecKind::ArrayToArray(Some(read))) => {
                    after = Some(match read(&codec, state, self)? {
                        Some(Output { codec: step, state }) => {
                            self.count_extents(node, state.shape.len())?;
                            check_size(node, state.data_type, &state.shape)?;
                            steps.push(ArrayToArray {
                                name: codec.name.into_owned(),
                                pointer: self.pointer(),
                                codec: step,
                                data_type: state.data_type,
                                shape: state.shape.clone(),
                            });
                            Some(state)
                        }
                        None => None,
                    });
                }
                Some(CodecKind::ArrayToBytes(Some(read))) => {
                    let found = read(&codec, state, self)?;
                    let foreign = || ArrayToBytes::Foreign(codec.name.into_owned());
                    array_to_bytes = Some(found.unwrap_or_else(foreign));
                }
                Some(CodecKind::ArrayToBytes(None)) => {
                    array_to_bytes = Some(ArrayToBytes::Foreign(codec.name.into_owned()));
                }
                Some(CodecKind::BytesToBytes(check)) => {
                    if let Some(check) = check {
                        check(&codec)?;
                    }
                    bytes_to_bytes.push(&codec.name);
                }
                Some(CodecKind::ArrayToArray(None)) | None => {
                    self.warn_of(&codec, kind, state.is_some());
                    if array_to_bytes.is_some() {
                        bytes_to_bytes.push(&codec.name);
                    } else {
                        after = Some(None);
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
        Ok(CodecPipeline {
            array_to_array: steps,
            array_to_bytes,
            bytes_to_bytes,
        })
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

    fn warn_of(&mut self, codec: &Extension<'_>, kind: Option<CodecKind>, known: bool) {
        let (list, index) = &self.at;
        self.warnings.add_foreign(|| {
            let name = quoted(&codec.name);
            Warning {
                clause: "chain.foreign",
                message: match kind {
                    None => format!("the codec {name} is unknown"),
                    Some(_) => format!("the codec {name} is known by its name only"),
                },
                help: match known {
                    true => "nothing is known of what comes out of it, so the codecs after it are not judged",
                    false => "it is not judged",
                }
                .into(),
                pointer: format!("{list}/{index}"),
                place: codec.node.narrow_place(),
            }
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
    fn take(&mut self, kind: Option<CodecKind>, node: Node<'_>) -> Read<()> {
        let clause = "chain.codecs";
        match kind {
            None => self.candidate |= !self.bytes,
            Some(CodecKind::ArrayToArray(_)) => {
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
            Some(CodecKind::ArrayToBytes(_)) => {
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
            Some(CodecKind::BytesToBytes(_)) => {
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
