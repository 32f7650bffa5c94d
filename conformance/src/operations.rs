//! The operations of the protocol, each defined once.
//!
//! Everything that refers to operations by name is derived from [`OPERATIONS`]: the members of a request and how it
//! becomes a [`Call`](crate::Call), what an answer holds, how it is compared, and what an introduction may restrict.
//! The codecs come from the table [`with_codecs`] of `exactum-model`, which gives each of them two operations.

use exactum_model::with_codecs;

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The name: the [`row`](Self::row), a dot and the verb.
    pub name: &'static str,
    /// The row of the grid, or the codec.
    pub row: &'static str,
    /// The action of the operation.
    pub verb: Verb,
    /// The members of a request.
    pub asks: &'static [Member],
    /// The content of the `ok` of an answer.
    pub answers: Answers,
    /// The comparison of NaNs in an output.
    pub nans: Nans,
    /// Whether every element of the input becomes one element of the output.
    pub elementwise: bool,
    /// The data type of the output.
    pub output: OutputType,
    /// The members of the codec's configuration.
    pub configuration: &'static [&'static str],
}

/// The action of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verb {
    /// Introduce the implementation.
    Hello,
    /// Turn JSON text into bits.
    Parse,
    /// Turn bits into JSON text.
    Format,
    /// Encode: from the array to the store.
    Encode,
    /// Decode: from the store to the array.
    Decode,
    /// Resolve a document to its members.
    Resolve,
    /// Decide whether a document is valid.
    Validate,
    /// Convert to another type.
    Convert,
    /// Read from an external format.
    Read,
    /// Write to an external format.
    Write,
    /// Set attributes.
    Set,
    /// Express a scaling in other conventions.
    Lower,
    /// Find the missing elements.
    Missing,
    /// Plan how to pack a range.
    Plan,
}

/// A member of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key.
    pub name: &'static str,
    /// Its form.
    pub form: Form,
    /// Whether it may be absent.
    pub optional: bool,
}

/// The form of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A string: the text of a document.
    Text,
    /// A string: one of a set of names, by which an introduction may restrict the operation.
    Name,
    /// The name of a data type.
    DataType,
    /// Bytes in hex.
    Hex,
    /// A list of extents.
    Shape,
    /// An array: `data_type`, `shape` and `data`.
    Array,
    /// A data set, or several variables.
    DataSet,
    /// JSON in the form that the row defines.
    Json,
}

/// The content of the `ok` of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answers {
    /// `bits`: the bytes of one element.
    Bits,
    /// `json`: canonical text.
    Json,
    /// `bytes`: encoded bytes.
    Bytes,
    /// `output`: an array.
    Output,
    /// The members that a chain resolves to: `stages`, `encoded_bytes`, `survives`.
    Resolution,
    /// Nothing.
    Nothing,
    /// Members that are JSON.
    Document,
}

/// The comparison of NaNs in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nans {
    /// By their bits: elements are copied, not computed.
    Bits,
    /// All NaNs are equal, since the NaN that arithmetic produces differs between machines.
    Alike,
}

/// The data type of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputType {
    /// The data type of the input, or the only data type in the request.
    Same,
    /// The data type named by the member `data_type` of the configuration.
    Configured,
    /// The member `data_type` of the request.
    Asked,
}

/// How the data type of a codec's output follows from that of its input.
#[derive(Clone, Copy)]
enum Types {
    Same,
    Retyped,
}

const fn member(name: &'static str, form: Form) -> Member {
    Member {
        name,
        form,
        optional: false,
    }
}

/// The configuration of a codec that needs none (scale_offset.configuration, packbits.configuration).
const OPTIONAL: Member = Member {
    name: "configuration",
    form: Form::Text,
    optional: true,
};
const CONFIGURATION: Member = member("configuration", Form::Text);
const INPUT: Member = member("input", Form::Array);
const BYTES: Member = member("bytes", Form::Hex);
const SHAPE: Member = member("shape", Form::Shape);
const DATA_TYPE: Member = member("data_type", Form::DataType);
const METADATA: Member = member("metadata", Form::Text);

const SET: Member = member("input", Form::DataSet);
const CAST: Member = member("cast", Form::Name);
const PROFILE: Member = optional("profile");

const fn optional(name: &'static str) -> Member {
    Member {
        name,
        form: Form::Json,
        optional: true,
    }
}

/// Returns an operation on data sets, which answers with a document.
const fn sds(name: &'static str, verb: Verb, asks: &'static [Member]) -> Operation {
    Operation {
        name,
        row: "sds",
        verb,
        asks,
        ..PLAIN
    }
}

/// The members that most operations have in common.
const PLAIN: Operation = Operation {
    name: "",
    row: "",
    verb: Verb::Hello,
    asks: &[],
    answers: Answers::Document,
    nans: Nans::Bits,
    elementwise: false,
    output: OutputType::Same,
    configuration: &[],
};

const fn elementwise(operation: Operation, types: Types) -> Operation {
    Operation {
        asks: match (types, operation.verb) {
            (Types::Same, _) => &[OPTIONAL, INPUT],
            (Types::Retyped, Verb::Decode) => &[CONFIGURATION, DATA_TYPE, INPUT],
            (Types::Retyped, _) => &[CONFIGURATION, INPUT],
        },
        answers: Answers::Output,
        nans: Nans::Alike,
        elementwise: true,
        output: match (types, operation.verb) {
            (Types::Same, _) => OutputType::Same,
            (Types::Retyped, Verb::Decode) => OutputType::Asked,
            (Types::Retyped, _) => OutputType::Configured,
        },
        ..operation
    }
}

macro_rules! operations {
    (
        []
        elementwise {
            $($element:ident $_e:ident $_f:ident $types:ident [$($member:literal),*];)*
        }
        in_chains $_i:tt
        array_to_bytes {
            $($bytes:ident $_b:ident $_c:ident $_d:ident [$($of_bytes:literal),*];)*
        }
    ) => {
        /// All operations.
        pub const OPERATIONS: &[Operation] = &[
            Operation {
                name: "hello",
                row: "",
                ..PLAIN
            },
            Operation {
                name: "fill_value.parse",
                row: "fill_value",
                verb: Verb::Parse,
                asks: &[DATA_TYPE, member("json", Form::Text)],
                answers: Answers::Bits,
                ..PLAIN
            },
            Operation {
                name: "fill_value.format",
                row: "fill_value",
                verb: Verb::Format,
                asks: &[DATA_TYPE, member("bits", Form::Hex)],
                answers: Answers::Json,
                ..PLAIN
            },
            $(
                elementwise(Operation {
                    name: concat!(stringify!($element), ".encode"),
                    row: stringify!($element),
                    verb: Verb::Encode,
                    configuration: &[$($member),*],
                    ..PLAIN
                }, Types::$types),
                elementwise(Operation {
                    name: concat!(stringify!($element), ".decode"),
                    row: stringify!($element),
                    verb: Verb::Decode,
                    configuration: &[$($member),*],
                    ..PLAIN
                }, Types::$types),
            )*
            $(
                Operation {
                    name: concat!(stringify!($bytes), ".encode"),
                    row: stringify!($bytes),
                    verb: Verb::Encode,
                    asks: &[OPTIONAL, INPUT],
                    answers: Answers::Bytes,
                    configuration: &[$($of_bytes),*],
                    ..PLAIN
                },
                Operation {
                    name: concat!(stringify!($bytes), ".decode"),
                    row: stringify!($bytes),
                    verb: Verb::Decode,
                    asks: &[OPTIONAL, DATA_TYPE, SHAPE, BYTES],
                    answers: Answers::Output,
                    configuration: &[$($of_bytes),*],
                    ..PLAIN
                },
            )*
            Operation {
                name: "chain.resolve",
                row: "chain",
                verb: Verb::Resolve,
                asks: &[METADATA],
                answers: Answers::Resolution,
                ..PLAIN
            },
            Operation {
                name: "chain.encode",
                row: "chain",
                verb: Verb::Encode,
                asks: &[METADATA, INPUT],
                answers: Answers::Bytes,
                ..PLAIN
            },
            Operation {
                name: "chain.decode",
                row: "chain",
                verb: Verb::Decode,
                asks: &[METADATA, BYTES],
                answers: Answers::Output,
                nans: Nans::Alike,
                ..PLAIN
            },
            Operation {
                name: "metadata.validate",
                row: "metadata",
                verb: Verb::Validate,
                asks: &[member("kind", Form::Name), member("document", Form::Text)],
                answers: Answers::Nothing,
                ..PLAIN
            },
            Operation {
                name: "downsample.read",
                row: "downsample",
                verb: Verb::Read,
                asks: &[
                    INPUT,
                    member("origin", Form::Json),
                    member("factors", Form::Json),
                    member("method", Form::Name),
                    optional("then"),
                    optional("transform"),
                ],
                nans: Nans::Alike,
                ..PLAIN
            },
            Operation {
                name: "downsample.resolve",
                row: "downsample",
                verb: Verb::Resolve,
                asks: &[member("document", Form::Text)],
                ..PLAIN
            },
            sds("sds.convert", Verb::Convert, &[SET, member("target", Form::Name), PROFILE]),
            sds("sds.read", Verb::Read, &[SET, CAST, optional("external"), PROFILE]),
            sds(
                "sds.write",
                Verb::Write,
                &[
                    SET,
                    CAST,
                    optional("fill"),
                    optional("storage"),
                    optional("scaling"),
                    optional("external"),
                    PROFILE,
                ],
            ),
            sds("sds.set", Verb::Set, &[SET, optional("scale"), optional("offset"), PROFILE]),
            sds("sds.lower", Verb::Lower, &[member("scaling", Form::Json)]),
            sds("sds.missing", Verb::Missing, &[SET, PROFILE]),
            sds(
                "sds.plan",
                Verb::Plan,
                &[
                    member("minimum", Form::Json),
                    member("maximum", Form::Json),
                    member("target", Form::Name),
                    member("needs", Form::Json),
                    member("policy", Form::Json),
                    PROFILE,
                ],
            ),
        ];
    };
}

with_codecs!(operations);

impl Operation {
    /// Returns the operation with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        OPERATIONS.iter().find(|operation| operation.name == name)
    }

    /// Returns whether a request has this member.
    #[must_use]
    pub fn asks(&self, name: &str) -> bool {
        self.asks.iter().any(|member| member.name == name)
    }
}

impl Form {
    /// Returns a description of the form.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Form::Text | Form::Name | Form::DataType => "a string",
            Form::Hex => "hex",
            Form::Shape => "a list of extents",
            Form::Array => "an array",
            Form::DataSet => "a data set",
            Form::Json => "JSON",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::OPERATIONS;

    #[test]
    fn names_are_unique_and_begin_with_their_row() {
        let names: BTreeSet<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
        assert_eq!(names.len(), OPERATIONS.len());
        for operation in &OPERATIONS[1..] {
            let verb = format!("{:?}", operation.verb).to_lowercase();
            assert_eq!(operation.name, format!("{}.{verb}", operation.row));
        }
    }
}
