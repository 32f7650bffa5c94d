//! The list of codecs (chain.codecs, chain.order, chain.foreign).

use exactum_model::{ArrayCodec, ArrayToArray, ArrayToBytes, CodecPipeline, Names, Reason};

use crate::description::Description;
use crate::diagnostic::{Read, Report};
use crate::element::Element;
use crate::json::{Kind, Node};
use crate::members::{Extension, array};
use crate::state::State;
use crate::words::quoted;

/// The maximum size of a chunk in bytes, at every stage (chain.size).
pub(crate) const MAX_CHUNK_BYTES: u128 = 1 << 63;

/// The maximum number of extents of all stages of a chain together. Every stage has its own shape, so that
/// the memory for many codecs on an array of many dimensions grows with their product.
const MAX_EXTENTS: usize = 1 << 20;

/// A codec by its name.
pub(crate) struct Codec {
    /// The name in documents.
    pub(crate) name: &'static str,
    /// The description of its configuration, or `None` if the configuration is not examined.
    pub(crate) configuration: Option<&'static Description>,
    /// Its input and output, and the function that reads it.
    pub(crate) kind: CodecKind,
    /// Whether the length of its output is known to vary with the values.
    pub(crate) varies: bool,
}

/// The input and output of a codec. A reader gets the codec and its input. If the input is not known, the reader checks
/// only the parts that do not depend on it, and returns nothing. A codec without a reader is known only by its name.
#[derive(Clone, Copy)]
pub(crate) enum CodecKind {
    ArrayToArray(Option<ReadCodec<Output>>),
    ArrayToBytes(Option<ReadCodec<ArrayToBytes>>),
    /// A bytes -> bytes codec, with the check of the rules that the descriptions of single members cannot express, if
    /// there are any.
    BytesToBytes(Option<CheckCodec>),
}

/// A check of the configuration of a bytes -> bytes codec, each member of which has been found valid by itself.
pub(crate) type CheckCodec = fn(&Extension<'_>, &mut Reader) -> Read<()>;

/// A reader of the codecs with one name.
pub(crate) type ReadCodec<T> = fn(&Extension<'_>, Option<&State>, &mut Reader) -> Read<Option<T>>;

/// An array -> array codec, and its output.
#[derive(Debug)]
pub(crate) struct Output {
    /// The codec, or none if the data type of its input is unknown.
    pub(crate) codec: Option<ArrayCodec>,
    pub(crate) state: State,
}

/// Reads lists of codecs, including nested ones, and collects the warnings.
#[derive(Debug)]
pub(crate) struct Reader {
    /// Finds the codec with a name.
    find: fn(&str) -> Option<&'static Codec>,
    /// Finds the codec that an unknown name very likely means.
    meant: fn(&str) -> Option<&'static str>,
    pub(crate) warnings: Report,
    extents: usize,
    /// The pointer of the current list, and the index of the current codec in it.
    at: (String, usize),
    /// The elements that `bytes` has just written in sequence.
    plain: Option<Element>,
    /// The output of a codec with a fault, if it is known.
    outcome: Option<State>,
    /// Whether one of the codecs is valid only for some chunk shapes.
    pub(crate) depends_on_extents: bool,
    /// Whether the chunks of the array are blocks of N5.
    pub(crate) reads_n5: bool,
}

/// The codecs of a list that have been read so far.
#[derive(Default)]
struct Passed {
    steps: Vec<ArrayToArray>,
    array_to_bytes: Option<ArrayToBytes>,
    bytes_to_bytes: Names,
    /// The first codec after which nothing is known.
    foreign: Option<String>,
    order: Order,
    /// The output of the codecs so far, or `None` before the first one. The initial state is not copied, because shapes
    /// can be long.
    after: Option<Option<State>>,
}

impl Reader {
    /// Returns a reader that knows these codecs and the misspellings of their names.
    pub(crate) fn new(
        find: fn(&str) -> Option<&'static Codec>,
        meant: fn(&str) -> Option<&'static str>,
    ) -> Self {
        Self {
            find,
            meant,
            plain: None,
            outcome: None,
            depends_on_extents: false,
            reads_n5: false,
            warnings: Report::default(),
            extents: 0,
            at: (String::new(), 0),
        }
    }

    /// Returns the pointer of the current codec. Computing it from the node would traverse all codecs before it.
    pub(crate) fn pointer(&self) -> String {
        let (list, index) = &self.at;
        format!("{list}/{index}")
    }

    /// Returns whether the current list is that of the array.
    pub(crate) fn is_outermost(&self) -> bool {
        self.at.0 == "/codecs"
    }

    /// Returns the elements that reach a bytes -> bytes codec unchanged, and the number of bytes in each
    /// element and in each component.
    pub(crate) fn elements(&self) -> Option<(Element, [u64; 2])> {
        let element = self.plain.clone()?;
        let bytes = element.bytes()?;
        let component = element
            .number()
            .map(|number| number.format().component_bytes());
        let component = component.and_then(|bytes| u64::try_from(bytes).ok());
        Some((element, [bytes, component.unwrap_or(bytes)]))
    }

    /// Returns whether the length of a codec's output is known to vary with the values.
    pub(crate) fn varies_in_size(&self, name: &str) -> bool {
        match (self.find)(name) {
            Some(codec) => codec.varies,
            None => name.starts_with("vlen"),
        }
    }

    /// Reads a list of codecs. Without a state, nothing is known about the input. Then only the forms are
    /// checked, and the result contains only names.
    pub(crate) fn pipeline(
        &mut self,
        list: Node<'_>,
        start: Option<&State>,
    ) -> Read<CodecPipeline> {
        let outer = std::mem::replace(&mut self.at, (list.pointer(), 0));
        let pipeline = self.list(list, start);
        self.at = outer;
        self.plain = None;
        pipeline
    }

    fn list(&mut self, list: Node<'_>, start: Option<&State>) -> Read<CodecPipeline> {
        array(list, "chain.codecs", "the list of codecs")?;
        let mut passed = Passed::default();
        passed.order.lacks_bytes = !list.elements().any(|codec| self.may_make_bytes(codec));
        for (index, node) in list.elements().enumerate() {
            self.at.1 = index;
            let read = self.codec(node, start, &mut passed);
            if node.keep(read)?.is_none() {
                passed.after = Some(self.outcome.take());
            }
        }
        let Passed {
            steps,
            array_to_bytes,
            bytes_to_bytes,
            foreign,
            order,
            ..
        } = passed;
        if !order.is_complete() {
            return Err(list
                .reject("chain.codecs", "there is no array -> bytes codec")
                .help("add one, such as {\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}"));
        }
        Ok(CodecPipeline {
            array_to_array: steps,
            array_to_bytes: foreign
                .map(ArrayToBytes::Foreign)
                .or(array_to_bytes)
                // The codec has a fault.
                .unwrap_or_else(|| ArrayToBytes::Foreign(String::new())),
            bytes_to_bytes,
        })
    }

    /// Returns whether a codec is an array -> bytes codec or unknown.
    fn may_make_bytes(&self, codec: Node<'_>) -> bool {
        let name = codec.get("name").unwrap_or(codec);
        let name = match name.kind() {
            Kind::String => name.text().ok(),
            _ => None,
        };
        let known = name.and_then(|name| (self.find)(&name));
        known.is_none_or(|known| matches!(known.kind, CodecKind::ArrayToBytes(_)))
    }

    /// Reads the form of a codec, and finds the known codec of that name, if there is one.
    fn named<'d>(&self, node: Node<'d>) -> Read<(Extension<'d>, Option<&'static Codec>)> {
        let codec = Extension::read(node, "chain.codec.form", "a codec")?;
        match (self.find)(&codec.name) {
            None => match (codec.has_proper_name(), (self.meant)(&codec.name)) {
                (false, Some(meant)) => Err(codec.misnamed(meant)),
                _ => Ok((codec.with_proper_name()?, None)),
            },
            known => Ok((codec, known)),
        }
    }

    /// Reads the next codec of a list.
    fn codec(&mut self, node: Node<'_>, start: Option<&State>, passed: &mut Passed) -> Read<()> {
        let (codec, known) = match self.named(node) {
            Ok(read) => read,
            Err(fault) => {
                // It may be any kind of codec.
                passed.order.take(None, node)?;
                return Err(fault);
            }
        };
        let kind = known.map(|known| known.kind);
        if kind.is_none() && !codec.must_understand {
            return Ok(());
        }
        let in_order = node.keep(passed.order.take(kind, node))?.is_some();
        let plain = self.plain.take();
        let before = passed.after.take();
        // The input of a codec in the wrong place is not known.
        let state = before
            .as_ref()
            .map_or(start, Option::as_ref)
            .filter(|_| in_order);
        match kind {
            Some(CodecKind::ArrayToArray(Some(read))) => {
                passed.after = Some(match read(&codec, state, self)? {
                    Some(Output { codec: step, state }) => {
                        self.count_extents(node, state.shape.rank().unwrap_or(0))?;
                        check_size(node, &state)?;
                        // After an unknown codec, and for elements that are not numbers, the codec is not a step of a
                        // chain.
                        let known = step.zip(state.element.number()).zip(state.shape.known());
                        if let (Some(((step, data_type), shape)), None) = (known, &passed.foreign) {
                            passed.steps.push(ArrayToArray {
                                name: codec.name.into_owned(),
                                pointer: self.pointer(),
                                codec: step,
                                data_type,
                                shape: shape.to_vec(),
                            });
                        }
                        Some(state)
                    }
                    None => None,
                });
                return Ok(());
            }
            Some(CodecKind::ArrayToBytes(Some(read))) => {
                let found = read(&codec, state, self)?;
                self.plain = state
                    .filter(|_| codec.name == "bytes")
                    .map(|state| state.element.clone());
                let foreign = || ArrayToBytes::Foreign(codec.name.into_owned());
                passed.array_to_bytes = Some(found.unwrap_or_else(foreign));
            }
            Some(CodecKind::ArrayToBytes(None)) => {
                passed.array_to_bytes = Some(ArrayToBytes::Foreign(codec.name.into_owned()));
            }
            Some(CodecKind::BytesToBytes(check)) => {
                check_members(known, &codec)?;
                self.plain = plain;
                if let Some(check) = check {
                    check(&codec, self)?;
                }
                self.plain = None;
                passed.bytes_to_bytes.push(&codec.name);
            }
            Some(CodecKind::ArrayToArray(None)) | None => {
                check_members(known, &codec)?;
                self.warn_of(&codec, kind, state.is_some());
                if passed.array_to_bytes.is_some() {
                    passed.bytes_to_bytes.push(&codec.name);
                } else {
                    passed
                        .foreign
                        .get_or_insert_with(|| codec.name.into_owned());
                    passed.after = Some(None);
                    return Ok(());
                }
            }
        }
        passed.after = before;
        Ok(())
    }

    /// Returns the result of reading a codec. If the codec is faulty, records its output, so that reading can continue.
    pub(crate) fn or_go_on<T>(&mut self, read: Read<T>, state: &State) -> Read<T> {
        if read.is_err() {
            self.outcome = Some(state.clone());
        }
        read
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
                    "the shapes between the codecs have more than {MAX_EXTENTS} extents in total"
                ),
            )
            .help("use fewer codecs or fewer dimensions"))
    }

    /// Reads a list of bytes -> bytes codecs inside another; `clause` requires this kind.
    pub(crate) fn compressors(&mut self, list: Node<'_>, clause: &'static str) -> Read<()> {
        let outer = std::mem::replace(&mut self.at, (list.pointer(), 0));
        for (index, node) in list.elements().enumerate() {
            self.at.1 = index;
            let read = self.compressor(node, clause);
            node.keep(read)?;
        }
        self.at = outer;
        Ok(())
    }

    fn compressor(&mut self, node: Node<'_>, clause: &'static str) -> Read<()> {
        let codec = Extension::read(node, "chain.codec.form", "a codec")?;
        let known = (self.find)(&codec.name);
        check_members(known, &codec)?;
        match known.map(|known| known.kind) {
            None => {
                let codec = codec.with_proper_name()?;
                self.warn_of(&codec, None, false);
            }
            Some(CodecKind::BytesToBytes(Some(check))) => check(&codec, self)?,
            Some(CodecKind::BytesToBytes(None)) => {}
            Some(_) => {
                let message = format!("{} is not a bytes -> bytes codec", codec.name);
                return Err(node
                    .reject(clause, message)
                    .help("all codecs inside this one must be bytes -> bytes codecs"));
            }
        }
        Ok(())
    }

    fn warn_of(&mut self, codec: &Extension<'_>, kind: Option<CodecKind>, known: bool) {
        let (list, index) = &self.at;
        let meant = match kind {
            None => (self.meant)(&codec.name),
            Some(_) => None,
        };
        self.warnings.add_foreign(|| {
            let name = quoted(&codec.name);
            let message = match kind {
                None => format!("the codec {name} is unknown"),
                Some(_) => format!("the codec {name} is known only by name"),
            };
            let help = match (meant, known) {
                (Some(meant), _) => {
                    format!("did you mean \"{meant}\"? Otherwise nothing is known about its output")
                }
                (None, true) => {
                    "its output is unknown, so the codecs after it are not checked".into()
                }
                (None, false) => "it is not checked".into(),
            };
            let warning = codec.node.reject("chain.foreign", message);
            warning.at(format!("{list}/{index}")).help(help)
        });
    }
}

/// Reads the members of a configuration that does not have a separate reader.
fn check_members(known: Option<&'static Codec>, codec: &Extension<'_>) -> Read<()> {
    match known.and_then(|known| known.configuration) {
        Some(configuration) => configuration.check(codec).map(|_| ()),
        None => Ok(()),
    }
}

/// Refuses chunks of more than 2^63 bytes (chain.size). An element without a fixed size has at least one
/// byte.
pub(crate) fn check_size(node: Node<'_>, state: &State) -> Read<()> {
    let element = &state.element;
    let Some(shape) = state.shape.known() else {
        return Ok(());
    };
    let one = element.bytes().unwrap_or(1).into();
    let bytes = shape.iter().fold(one, |product: u128, &extent| {
        product.saturating_mul(extent.into())
    });
    if bytes <= MAX_CHUNK_BYTES {
        return Ok(());
    }
    Err(node
        .reject_as(
            Reason::Shape,
            "chain.size",
            format!("a chunk of {element} has more than 2^63 bytes here"),
        )
        .help("use smaller chunks"))
}

/// The order of the list: array -> array codecs, one array -> bytes codec, bytes -> bytes codecs
/// (chain.codecs). An unknown codec may be of any kind that is still possible at its place.
#[derive(Debug, Default)]
struct Order {
    /// None of the codecs in the list can be the array -> bytes codec. This is reported once, for the list.
    lacks_bytes: bool,
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
                            "an array -> array codec follows the array -> bytes codec",
                        )
                        .help("the array -> array codecs must come first"));
                }
                self.candidate = false;
            }
            Some(CodecKind::ArrayToBytes(_)) => {
                if self.compressed {
                    return Err(node
                        .reject(
                            clause,
                            "the array -> bytes codec follows a bytes -> bytes codec",
                        )
                        .help(
                            "the array -> bytes codec must come before the bytes -> bytes codecs",
                        ));
                }
                if self.bytes {
                    return Err(node
                        .reject(clause, "this is the second array -> bytes codec")
                        .help("there must be exactly one"));
                }
                self.bytes = true;
                self.candidate = false;
            }
            Some(CodecKind::BytesToBytes(_)) => {
                if !self.bytes && !self.candidate && !self.lacks_bytes {
                    return Err(node
                        .reject(
                            clause,
                            "a bytes -> bytes codec precedes the array -> bytes codec",
                        )
                        .help("put the array -> bytes codec, such as \"bytes\", before it"));
                }
                self.bytes |= !self.lacks_bytes;
                self.compressed = true;
            }
        }
        Ok(())
    }

    /// Returns whether the list has its array -> bytes codec, or one that may be.
    fn is_complete(&self) -> bool {
        self.bytes || self.candidate
    }
}
