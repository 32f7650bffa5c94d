//! The configuration of `numcodecs.fixedscaleoffset` (spec/scale_offset.md, "The legacy codec").

use exactum_exact::{Exact, Rounded, round};
use exactum_model::{
    DataType, FixedScaleOffset, Format, LegacyNumber, Reason, Rejection, Rounding,
};

use crate::diagnostic::{Read, quoted};
use crate::json::{Attributes, Kind, Node, Tree};
use crate::members::{Extension, closed, object};
use crate::scalar;

/// The name in documents.
pub(crate) const NAME: &str = "numcodecs.fixedscaleoffset";

const KEYS: [&str; 4] = ["offset", "scale", "astype", "dtype"];

/// The data types with the name that Zarr v2 and NumPy have for them behind the byte order.
pub(crate) const DATA_TYPES: [(&str, DataType); 11] = [
    ("i1", DataType::Int8),
    ("i2", DataType::Int16),
    ("i4", DataType::Int32),
    ("i8", DataType::Int64),
    ("u1", DataType::Uint8),
    ("u2", DataType::Uint16),
    ("u4", DataType::Uint32),
    ("u8", DataType::Uint64),
    ("f2", DataType::Float16),
    ("f4", DataType::Float32),
    ("f8", DataType::Float64),
];

/// How Zarr v2 writes a data type of the list; the name of Zarr v3 of any other.
pub(crate) fn spelling(data_type: DataType) -> String {
    match DATA_TYPES.iter().find(|(_, listed)| *listed == data_type) {
        Some((name, _)) if data_type.element_bytes() == 1 => format!("|{name}"),
        Some((name, _)) => format!("<{name}"),
        None => data_type.name().to_owned(),
    }
}

/// Every spelling that a reader takes (scale_offset.legacy.data_types).
pub(crate) fn spellings() -> Vec<String> {
    DATA_TYPES
        .iter()
        .flat_map(|(short, data_type)| {
            let marked = ["", "<", ">", "|"].map(|mark| format!("{mark}{short}"));
            marked.into_iter().chain([data_type.name().to_owned()])
        })
        .collect()
}

/// Reads the configuration of a `numcodecs.fixedscaleoffset` codec, the text of a JSON object, for
/// an array of this data type.
///
/// # Errors
/// The clauses about documents of `scale_offset.legacy.*` and `chain.json*`; pointers are relative
/// to the configuration.
pub fn parse_fixed_scale_offset(
    configuration: &str,
    data_type: DataType,
) -> Result<FixedScaleOffset, Rejection> {
    let tree = Tree::scan(configuration, Attributes::Entered)?;
    let root = tree.root();
    object(
        root,
        "scale_offset.legacy.configuration",
        &format!("the configuration of {NAME}"),
    )?;
    let configuration = read_members(root)?;
    configuration.check_input(data_type)?;
    Ok(configuration.codec)
}

/// A configuration: it says its data types itself.
#[derive(Debug)]
pub(crate) struct Configuration<'d> {
    pub(crate) codec: FixedScaleOffset,
    dtype: Node<'d>,
}

impl Configuration<'_> {
    /// Refuses an array of another data type (scale_offset.legacy.dtype).
    pub(crate) fn check_input(&self, data_type: DataType) -> Read<()> {
        if self.codec.dtype == data_type {
            return Ok(());
        }
        Err(self
            .dtype
            .reject(
                "scale_offset.legacy.dtype",
                format!(
                    "dtype is {}, and what comes in is {data_type}",
                    self.codec.dtype
                ),
            )
            .help("dtype repeats the data type of the array at this place in the list of codecs"))
    }
}

/// Reads the codec's configuration (scale_offset.legacy.configuration).
pub(crate) fn read<'d>(codec: &Extension<'d>) -> Read<Configuration<'d>> {
    match codec.configuration {
        Some(configuration) => read_members(configuration),
        None => Err(codec
            .node
            .reject(
                "scale_offset.legacy.configuration",
                format!("{NAME} needs a configuration"),
            )
            .help("give it offset, scale, dtype and astype")),
    }
}

fn read_members<'d>(node: Node<'d>) -> Read<Configuration<'d>> {
    let owner = format!("the configuration of {NAME}");
    let [offset, scale, astype, dtype] = closed(
        node,
        &KEYS,
        "scale_offset.legacy.configuration.keys",
        &owner,
    )?;
    let required = |member: Option<Node<'d>>, name: &str, help: &str| {
        member.ok_or_else(|| {
            node.reject(
                "scale_offset.legacy.configuration",
                format!("{owner} has no {name}"),
            )
            .help(help)
        })
    };
    let offset = required(offset, "offset", "add it; 0 where nothing is subtracted")?;
    let scale = required(scale, "scale", "add it; 1 where nothing is scaled")?;
    let dtype = required(dtype, "dtype", "add the data type of the array")?;
    let astype = required(
        astype,
        "astype",
        "add the data type of what is stored; numcodecs takes dtype where it is missing",
    )?;
    let types = (data_type(dtype, "dtype")?, data_type(astype, "astype")?);
    let codec = FixedScaleOffset {
        dtype: types.0,
        astype: types.1,
        offset: number(offset, "offset", types)?,
        scale: number(scale, "scale", types)?,
    };
    check_scale(&codec, scale)?;
    Ok(Configuration { codec, dtype })
}

/// A data type in the spelling of Zarr v2, of NumPy or of Zarr v3 (scale_offset.legacy.data_types).
fn data_type(node: Node<'_>, name: &str) -> Read<DataType> {
    let text = match node.kind() {
        Kind::String => node.text()?,
        _ => "".into(),
    };
    let marked = text.strip_prefix(['<', '>', '|']);
    let short = |name: &str| {
        DATA_TYPES
            .iter()
            .find(|(short, _)| *short == name)
            .map(|(_, data_type)| *data_type)
    };
    let long = || {
        DATA_TYPES
            .iter()
            .map(|(_, data_type)| *data_type)
            .find(|data_type| data_type.name() == text)
    };
    short(marked.unwrap_or(&text))
        .or_else(long)
        .ok_or_else(|| {
            let found = match node.kind() {
                Kind::String => quoted(&text),
                _ => node.describe(),
            };
            node.reject_as(
                Reason::UnsupportedDataType,
                "scale_offset.legacy.data_types",
                format!("{found} is no {name} of {NAME}"),
            )
            .help("write an integer of 8 to 64 bits or a float of 16, 32 or 64 as Zarr v2 does, such as \"|u1\" or \"<f4\"")
        })
}

/// Where the parameters are computed with: each of the two data types that is a float, and binary64
/// for integers.
fn arithmetics(dtype: DataType, astype: DataType) -> [DataType; 2] {
    [dtype, astype].map(|data_type| match data_type.format() {
        Format::Float(_) => data_type,
        _ => DataType::Float64,
    })
}

/// A number (scale_offset.legacy.parameters), in range wherever it is computed with
/// (scale_offset.legacy.parameters.range).
fn number(node: Node<'_>, name: &str, (dtype, astype): (DataType, DataType)) -> Read<LegacyNumber> {
    if node.kind() != Kind::Number {
        return Err(node
            .reject(
                "scale_offset.legacy.parameters",
                format!("the {name} is a number, not {}", node.describe()),
            )
            .help("write a JSON number"));
    }
    let out_of = |data_type: DataType, help: &str| {
        node.reject(
            "scale_offset.legacy.parameters.range",
            format!("this {name} lies outside the range of {data_type}"),
        )
        .help(help)
    };
    let plain = !node.raw().contains(['.', 'e', 'E']);
    if let (true, Format::Integer(format)) = (plain, dtype.format()) {
        // What i128 cannot hold is out of every range.
        return match node.raw().parse::<i128>() {
            Ok(value) if (format.min()..=format.max()).contains(&value) => {
                // Of these numbers, float16 alone does not have all.
                if let Some(narrow) = overflown(&Exact::integer(value), dtype, astype) {
                    return Err(out_of(narrow, "decoding computes in that type"));
                }
                Ok(LegacyNumber::Integer(value))
            }
            _ => Err(out_of(
                dtype,
                "an integer literal is a number of the array's type; write it with a fraction, as in 300.0, to compute in binary64",
            )),
        };
    }
    let mut bits = scalar::parameter(
        DataType::Float64,
        node,
        "scale_offset.legacy.parameters.range",
    )?
    .component(0);
    let format = DataType::Float64.format();
    if plain && matches!(Exact::from_bits(&format, bits), Exact::Zero { .. }) {
        // An integer has one zero.
        bits = 0;
    }
    match overflown(&Exact::from_bits(&format, bits), dtype, astype) {
        Some(narrow) => Err(out_of(narrow, "the codec computes in that type")),
        None => Ok(LegacyNumber::Binary64(bits)),
    }
}

/// The first of the codec's arithmetics that a number lies outside of.
fn overflown(value: &Exact, dtype: DataType, astype: DataType) -> Option<DataType> {
    arithmetics(dtype, astype).into_iter().find(|data_type| {
        !matches!(
            rounded(value, *data_type),
            Some(Exact::Finite(_) | Exact::Zero { .. })
        )
    })
}

/// A number as a data type has it; `None` out of its range.
fn rounded(value: &Exact, data_type: DataType) -> Option<Exact> {
    let format = data_type.format();
    match round(value, &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Some(Exact::from_bits(&format, bits)),
        _ => None,
    }
}

/// Refuses a scale of zero (scale_offset.legacy.scale.zero).
fn check_scale(codec: &FixedScaleOffset, node: Node<'_>) -> Read<()> {
    let value = match codec.scale {
        LegacyNumber::Integer(value) => Exact::integer(value),
        LegacyNumber::Binary64(bits) => Exact::from_bits(&DataType::Float64.format(), bits),
    };
    for data_type in arithmetics(codec.dtype, codec.astype) {
        if matches!(rounded(&value, data_type), Some(Exact::Zero { .. })) {
            return Err(node
                .reject(
                    "scale_offset.legacy.scale.zero",
                    format!("this scale is zero in {data_type}, and decoding divides by it"),
                )
                .help("write 1 where nothing is to be scaled"));
        }
    }
    Ok(())
}
