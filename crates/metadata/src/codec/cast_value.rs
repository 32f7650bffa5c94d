//! The configuration of `cast_value` (spec/cast_value.md).

use exactum_model::{CastValue, DataType, MapEntry, OutOfRange, Reason, Rejection, Rounding};

use crate::data_type;
use crate::diagnostic::Read;
use crate::json::{Attributes, Node, Tree};
use crate::members::{array, choice, closed, object};
use crate::scalar;

const KEYS: [&str; 4] = ["data_type", "rounding", "out_of_range", "scalar_map"];

/// Reads the configuration of a `cast_value` codec, the text of a JSON object, for an array of the
/// data type `decoded`.
///
/// # Errors
/// The clauses about documents of `cast_value.*` and `chain.json*`; pointers are relative to the
/// configuration.
pub fn parse_cast_value(configuration: &str, decoded: DataType) -> Result<CastValue, Rejection> {
    let tree = Tree::scan(configuration, Attributes::Entered)?;
    let root = tree.root();
    object(
        root,
        "cast_value.configuration",
        "the configuration of cast_value",
    )?;
    let configuration = read(root)?;
    configuration.check_decoded(decoded, root)?;
    Ok(configuration.resolve(decoded)?)
}

/// A configuration in which everything is read that does not need the array's data type.
#[derive(Debug)]
pub(crate) struct Configuration<'d> {
    encoded: DataType,
    rounding: Rounding,
    out_of_range: Option<OutOfRange>,
    encode: Option<Node<'d>>,
    decode: Option<Node<'d>>,
}

/// Reads a configuration, an object.
pub(crate) fn read(node: Node<'_>) -> Read<Configuration<'_>> {
    let owner = "the configuration of cast_value";
    let [data_type, rounding, out_of_range, scalar_map] =
        closed(node, &KEYS, "cast_value.configuration.keys", owner)?;
    let Some(data_type) = data_type else {
        return Err(node
            .reject("cast_value.data_type", "cast_value needs a data_type")
            .help("add the data type to cast to, as in \"data_type\": \"uint8\""));
    };
    let encoded = data_type::read(data_type, &data_type::OF_CAST_VALUE, "the data type")?;
    check_real(encoded, data_type)?;
    let rounding = match rounding {
        None => Rounding::default(),
        Some(node) => {
            let names: Vec<_> = Rounding::ALL.iter().map(|it| (it.name(), *it)).collect();
            choice(node, "cast_value.rounding.values", "rounding", &names)?
        }
    };
    let out_of_range = match out_of_range {
        None => None,
        Some(node) => {
            let names: Vec<_> = OutOfRange::ALL.iter().map(|it| (it.name(), *it)).collect();
            let rule = choice(node, "cast_value.out_of_range.values", "out_of_range", &names)
                .map_err(|fault| {
                    fault.help("out_of_range is \"clamp\" or \"wrap\"; leave it out to reject what is out of range")
                })?;
            if rule == OutOfRange::Wrap && encoded.format().float().is_some() {
                return Err(node
                    .reject(
                        "cast_value.range.wrap-integers-only",
                        format!("wrap is for integers, and {encoded} is not one"),
                    )
                    .related(
                        data_type.narrow_place(),
                        "the data type that it would wrap in",
                    )
                    .help("use \"clamp\", or leave out_of_range out"));
            }
            Some(rule)
        }
    };
    let (mut encode, mut decode) = (None, None);
    if let Some(map) = scalar_map {
        object(map, "cast_value.scalar_map.form", "scalar_map")?;
        [encode, decode] = closed(
            map,
            &["encode", "decode"],
            "cast_value.configuration.keys",
            "scalar_map",
        )?;
    }
    let configuration = Configuration {
        encoded,
        rounding,
        out_of_range,
        encode,
        decode,
    };
    for list in [encode, decode].into_iter().flatten() {
        array(list, "cast_value.scalar_map.form", "a list of scalar_map")?;
        for entry in list.elements() {
            pair(entry)?;
        }
    }
    Ok(configuration)
}

impl Configuration<'_> {
    /// The data type that is cast to.
    pub(crate) fn encoded(&self) -> DataType {
        self.encoded
    }

    /// Refuses an array whose data type the codec is not defined for; `node` is to blame.
    pub(crate) fn check_decoded(&self, decoded: DataType, node: Node<'_>) -> Read<()> {
        check_real(decoded, node)
    }

    /// Reads the scalars, now that both data types are known.
    pub(crate) fn resolve(&self, decoded: DataType) -> Read<CastValue> {
        Ok(CastValue {
            decoded,
            encoded: self.encoded,
            rounding: self.rounding,
            out_of_range: self.out_of_range,
            encode_map: entries(self.encode, decoded, self.encoded)?,
            decode_map: entries(self.decode, self.encoded, decoded)?,
        })
    }
}

/// The closed list of both sides (cast_value.data_types).
fn check_real(data_type: DataType, node: Node<'_>) -> Read<()> {
    if data_type.is_real() {
        return Ok(());
    }
    Err(node
        .reject_as(
            Reason::UnsupportedDataType,
            "cast_value.data_types",
            format!("cast_value is defined for integers and floats, not for {data_type}"),
        )
        .help("both the array's data type and the codec's are real numbers"))
}

fn pair(entry: Node<'_>) -> Read<[Node<'_>; 2]> {
    let mut parts = entry.elements();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(input), Some(output), None) => Ok([input, output]),
        _ => Err(entry
            .reject(
                "cast_value.scalar_map.form",
                "an entry of scalar_map is a pair [input, output]",
            )
            .help("write each entry as an array of two scalars")),
    }
}

fn entries(list: Option<Node<'_>>, from: DataType, to: DataType) -> Read<Vec<MapEntry>> {
    let clause = "cast_value.scalar_map.scalars";
    let mut entries = Vec::new();
    for entry in list.iter().flat_map(|list| list.elements()) {
        let [input, output] = pair(entry)?;
        entries.push(MapEntry {
            input: scalar::parameter(from, input, clause)?.component(0),
            output: scalar::parameter(to, output, clause)?.component(0),
        });
    }
    Ok(entries)
}
