//! The configuration of `zfp` (spec/zfp.md).

use std::fmt::Display;

use exactum_model::{ArrayToBytes, DataType, Reason, Rejection, Zfp, ZfpScalar};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::description::{
    Choice, Configuration, Description, Form, Found, Member, Of, Required, Within,
};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};
use crate::members::Extension;
use crate::pipeline::{Codec, CodecKind, Reader};
use crate::scalar;
use crate::state::State;
use crate::words::listed;

/// A way to state how much is kept (zfp.mode).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Reversible,
    Expert,
    FixedAccuracy,
    FixedRate,
    FixedPrecision,
}

impl Mode {
    const ALL: [Self; 5] = [
        Mode::Reversible,
        Mode::Expert,
        Mode::FixedAccuracy,
        Mode::FixedRate,
        Mode::FixedPrecision,
    ];

    fn name(self) -> &'static str {
        match self {
            Mode::Reversible => "reversible",
            Mode::Expert => "expert",
            Mode::FixedAccuracy => "fixed_accuracy",
            Mode::FixedRate => "fixed_rate",
            Mode::FixedPrecision => "fixed_precision",
        }
    }

    /// Returns the members besides the mode. All of them are required (zfp.mode.keys), and no others are allowed
    /// (zfp.mode.others).
    fn keys(self) -> &'static [&'static str] {
        match self {
            Mode::Reversible => &[],
            Mode::Expert => &["minbits", "maxbits", "maxprec", "minexp"],
            Mode::FixedAccuracy => &["tolerance"],
            Mode::FixedRate => &["rate"],
            Mode::FixedPrecision => &["precision"],
        }
    }
}

const MODE: Member<Choice<Mode>> = Member {
    name: "mode",
    clause: "zfp.mode",
    about: "The mode, which determines the other members and what they limit.",
    required: Some(Required {
        clause: "zfp.mode",
        what: "a mode",
        help: "add \"mode\"; \"mode\": \"reversible\" is lossless",
    }),
    form: Choice {
        all: &Mode::ALL,
        name: Mode::name,
    },
};

const TOLERANCE: Member<Positive> = Member {
    name: "tolerance",
    clause: "zfp.accuracy.tolerance",
    about: "With fixed_accuracy: the tolerated absolute error.",
    required: None,
    form: Positive,
};

const RATE: Member<Positive> = Member {
    name: "rate",
    clause: "zfp.rate",
    about: "With fixed_rate: the average number of bits per element.",
    required: None,
    form: Positive,
};

const PRECISION: Member<Within> = Member {
    name: "precision",
    clause: "zfp.precision",
    about: "With fixed_precision: the number of bit planes that are kept.",
    required: None,
    form: Within(1, Zfp::MAX_PRECISION as i64),
};

const MIN_BITS: Member<Within> = Member {
    name: "minbits",
    clause: "zfp.expert.bits",
    about: "With expert: the minimum number of bits in a block.",
    required: None,
    form: Within(0, Zfp::MAX_BITS as i64),
};

const MAX_BITS: Member<Within> = Member {
    name: "maxbits",
    clause: "zfp.expert.bits",
    about: "With expert: the maximum number of bits in a block.",
    required: None,
    form: Within(0, Zfp::MAX_BITS as i64),
};

const MAX_PRECISION: Member<Within> = Member {
    name: "maxprec",
    clause: "zfp.expert.precision",
    about: "With expert: the maximum number of bit planes that are kept.",
    required: None,
    form: Within(1, Zfp::MAX_PRECISION as i64),
};

const MIN_EXPONENT: Member<Within> = Member {
    name: "minexp",
    clause: "zfp.expert.exponent",
    about: "With expert: the lowest bit plane of floats that is kept, as a power of two; below \
            -1074 it causes no loss.",
    required: None,
    form: Within(i32::MIN as i64, i32::MAX as i64),
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "zfp",
        file: true,
        example: "{\"mode\": \"reversible\"}",
    },
    definition: "ZfpConfiguration",
    form: "zfp.configuration",
    keys: "zfp.configuration.keys",
    members: &[
        &MODE,
        &MIN_BITS,
        &MAX_BITS,
        &MAX_PRECISION,
        &MIN_EXPONENT,
        &TOLERANCE,
        &RATE,
        &PRECISION,
    ],
    rule: each_mode_has_its_keys,
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "zfp",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(read)),
    varies: false,
};

/// Requires every mode to have its own members (zfp.mode.keys) and none of those of others (zfp.mode.others).
fn each_mode_has_its_keys(schema: &mut Schema) {
    let modes: Vec<Value> = Mode::ALL
        .into_iter()
        .map(|mode| {
            let others = CONFIGURATION.members.iter().map(|member| member.name());
            let others = others.filter(|name| *name != MODE.name && !mode.keys().contains(name));
            let mut properties: serde_json::Map<String, Value> =
                others.map(|name| (name.to_owned(), json!(false))).collect();
            properties.insert(MODE.name.to_owned(), json!({"const": mode.name()}));
            json!({"properties": properties, "required": mode.keys()})
        })
        .collect();
    schema.insert("oneOf".into(), modes.into());
}

/// Reads the configuration of a `zfp` codec from the text of a JSON object, for chunks of this data type and
/// this number of dimensions.
///
/// # Errors
/// The clauses of `zfp.*` about documents, and those of `chain.json*`; pointers are relative to the configuration.
pub fn parse_zfp(configuration: &str, data_type: DataType, rank: usize) -> Result<Zfp, Rejection> {
    CONFIGURATION.parse(configuration, |found, root| {
        Members::read(found, root)?.resolve(data_type, rank, root)
    })
}

fn read(
    codec: &Extension<'_>,
    input: Option<&State>,
    _reader: &mut Reader,
) -> Read<Option<ArrayToBytes>> {
    let found = CONFIGURATION.of_codec(codec)?;
    let members = Members::read(found, codec.configuration.unwrap_or(codec.node))?;
    let known = input.filter(|input| !input.element.is_unknown());
    let Some(input) = known else { return Ok(None) };
    let Some(data_type) = input.element.number() else {
        return Err(undefined(&input.element, codec.node));
    };
    let Some(rank) = input.shape.rank() else {
        return Ok(None);
    };
    let zfp = members.resolve(data_type, rank, codec.node)?;
    Ok(Some(ArrayToBytes::Zfp(zfp)))
}

fn undefined(data_type: &dyn Display, codec: Node<'_>) -> Box<Diagnostic> {
    codec
        .reject_as(
            Reason::UnsupportedDataType,
            "zfp.data_type.others",
            format!("zfp is not defined for {data_type}"),
        )
        .help("zfp compresses only integers and floats")
}

/// A finite number above zero, as a float64.
struct Positive;

impl Form for Positive {
    type Value<'d> = f64;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<f64> {
        let number = if node.kind() == Kind::Number {
            let bits = scalar::parameter(DataType::Float64, node, clause)?.component(0);
            Some(f64::from_bits(bits)).filter(|number| *number > 0.0 && number.is_finite())
        } else {
            None
        };
        number.ok_or_else(|| {
            node.reject(
                clause,
                format!(
                    "{name} must be a finite number above zero, not {}",
                    node.describe()
                ),
            )
            .help("for lossless compression, use the mode \"reversible\"")
        })
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "exclusiveMinimum": 0})
    }
}

/// A configuration that depends on the data type and the rank of the chunks, which are not known yet.
struct Members<'d> {
    limits: Limits,
    /// The node at which limits that do not fit are reported.
    node: Node<'d>,
}

/// The quantities that a mode limits.
#[derive(Clone, Copy)]
enum Limits {
    None,
    Accuracy(f64),
    Rate(f64),
    Precision(u32),
    Expert([u32; 3], i32),
}

impl<'d> Members<'d> {
    fn read(found: Found<'d>, object: Node<'d>) -> Read<Self> {
        let mode = found.required(&MODE)?;
        let missing = mode.keys().iter().find(|key| object.get(key).is_none());
        if let Some(missing) = missing {
            return Err(object
                .reject(
                    "zfp.mode.keys",
                    format!("the mode {} needs {missing}", mode.name()),
                )
                .help(help_on_keys(mode)));
        }
        for (key, value) in object.members() {
            let name = key.key();
            if name != MODE.name && !mode.keys().contains(&name.as_ref()) {
                let fault = format!("the mode {} has no {name}", mode.name());
                return Err(value
                    .reject("zfp.mode.others", fault)
                    .placed(key.place())
                    .help(help_on_keys(mode)));
            }
        }
        let bits = |member| Ok::<_, Box<_>>(number(found.required(member)?));
        let (limits, blamed) = match mode {
            Mode::Reversible => (Limits::None, None),
            Mode::FixedAccuracy => (
                Limits::Accuracy(found.required(&TOLERANCE)?),
                found.node(&TOLERANCE),
            ),
            Mode::FixedRate => (Limits::Rate(found.required(&RATE)?), found.node(&RATE)),
            Mode::FixedPrecision => (Limits::Precision(bits(&PRECISION)?), found.node(&PRECISION)),
            Mode::Expert => {
                let limits = [bits(&MIN_BITS)?, bits(&MAX_BITS)?, bits(&MAX_PRECISION)?];
                let exponent = found.required(&MIN_EXPONENT)?;
                let exponent = i32::try_from(exponent).unwrap_or_default();
                (Limits::Expert(limits, exponent), found.node(&MAX_BITS))
            }
        };
        let node = blamed.unwrap_or(object);
        if let Limits::Expert([min_bits, max_bits, _], _) = limits
            && min_bits > max_bits
        {
            let fault = format!("maxbits {max_bits} is less than minbits {min_bits}");
            return Err(node
                .reject("zfp.expert.order", fault)
                .help("minbits is the minimum number of bits in a block, maxbits the maximum"));
        }
        Ok(Self { limits, node })
    }

    /// Returns the limits of a block of these chunks. Faults of the codec's input are reported at `codec`.
    fn resolve(&self, data_type: DataType, rank: usize, codec: Node<'_>) -> Read<Zfp> {
        let scalar = ZfpScalar::of(data_type).ok_or_else(|| undefined(&data_type, codec))?;
        if rank > 4 {
            return Err(codec
                .reject_as(
                    Reason::Shape,
                    "zfp.rank",
                    format!("zfp compresses chunks of at most 4 dimensions, but these have {rank}"),
                )
                .help(
                    "put a reshape before zfp that drops dimensions of size 1 or joins some: [4, \
                       1, 3, 1, 2, 1] becomes [4, 3, 2]",
                ));
        }
        let mut zfp = Zfp {
            min_exponent: Zfp::MIN_EXPONENT,
            ..Zfp::reversible(data_type, rank)
        };
        match self.limits {
            Limits::None => zfp.min_exponent = Zfp::MIN_EXPONENT - 1,
            Limits::Precision(precision) => zfp.max_precision = precision,
            Limits::Accuracy(tolerance) => {
                zfp = Zfp::fixed_accuracy(data_type, rank, tolerance).ok_or_else(|| {
                    codec
                        .reject(
                            "zfp.accuracy.integers",
                            format!("zfp ignores a tolerance for {data_type}"),
                        )
                        .help("use fixed_precision, fixed_rate or reversible for integers")
                })?;
            }
            Limits::Rate(rate) => {
                zfp = Zfp::fixed_rate(data_type, rank, rate).ok_or_else(|| {
                    let values = [4.0, 4.0, 16.0, 64.0, 256.0][rank];
                    let bits = (values * rate + 0.5).floor();
                    self.node
                        .reject(
                            "zfp.rate",
                            format!(
                                "a block of {values} elements cannot have {bits} bits: it has from 1 to {}",
                                Zfp::MAX_BITS
                            ),
                        )
                        .help("rate is the number of bits per element")
                })?;
            }
            Limits::Expert([min_bits, max_bits, max_precision], min_exponent) => {
                zfp = Zfp {
                    data_type,
                    rank,
                    min_bits,
                    max_bits,
                    max_precision,
                    min_exponent,
                };
                self.check_expert(&zfp, scalar)?;
            }
        }
        Ok(zfp)
    }

    /// Checks that a block has room for its header, and that zfp can read its own blocks of zeros.
    fn check_expert(&self, zfp: &Zfp, scalar: ZfpScalar) -> Read<()> {
        let (data_type, max_bits) = (zfp.data_type, zfp.max_bits);
        let header = scalar.header_bits(zfp.is_reversible()).max(1);
        if max_bits < header {
            return Err(self
                .node
                .reject(
                    "zfp.expert.header",
                    format!(
                        "a block of {data_type} begins with a header of up to {header} \
                             bits, which is more than the maxbits {max_bits}"
                    ),
                )
                .help(format!("maxbits must be at least {header} here")));
        }
        if zfp.is_reversible() && scalar.exponent_bits() > 0 && zfp.min_bits > 1 {
            return Err(self
                .node
                .reject(
                    "zfp.expert.reversible",
                    "if a minexp below -1074 makes zfp reversible, zfp cannot read its own \
                     blocks of zeros when minbits is above 1",
                )
                .help("write 0 or 1 for minbits"));
        }
        Ok(())
    }
}

fn help_on_keys(mode: Mode) -> String {
    match mode.keys() {
        [] => format!("{} has no members besides the mode", mode.name()),
        keys => format!("besides the mode, {} has {}", mode.name(), listed(keys)),
    }
}

/// Returns a number whose range was checked before.
fn number(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

impl From<&Zfp> for Configuration {
    /// Returns the limits themselves, in the mode `expert`, unless the codec is lossless.
    fn from(codec: &Zfp) -> Self {
        let reversible = *codec == Zfp::reversible(codec.data_type, codec.rank);
        let mode = if reversible {
            Mode::Reversible
        } else {
            Mode::Expert
        };
        let limit = |member: &Member<Within>, number: i64| {
            (!reversible).then(|| member.with(number)).flatten()
        };
        CONFIGURATION.write([
            MODE.with(mode),
            limit(&MIN_BITS, codec.min_bits.into()),
            limit(&MAX_BITS, codec.max_bits.into()),
            limit(&MAX_PRECISION, codec.max_precision.into()),
            limit(&MIN_EXPONENT, codec.min_exponent.into()),
        ])
    }
}
