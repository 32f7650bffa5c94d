//! The configuration of `scale_offset` (spec/scale_offset.md).

use exactum_model::{DataType, Reason, Rejection, ScaleOffset};

use crate::diagnostic::{Read, Warning};
use crate::json::{Attributes, Node, Tree};
use crate::members::{closed, object};
use crate::scalar;

const KEYS: [&str; 2] = ["offset", "scale"];

/// Reads the configuration of a `scale_offset` codec, the text of a JSON object (`{}` where the
/// codec has none), for an array of this data type.
///
/// # Errors
/// The clauses about documents of `scale_offset.*` and `chain.json*`; pointers are relative to the
/// configuration.
pub fn parse_scale_offset(
    configuration: &str,
    data_type: DataType,
) -> Result<ScaleOffset, Rejection> {
    let tree = Tree::scan(configuration, Attributes::Entered)?;
    let root = tree.root();
    object(
        root,
        "scale_offset.configuration",
        "the configuration of scale_offset",
    )?;
    check_real(data_type, root)?;
    Ok(resolve(
        &read(Some(root))?,
        data_type,
        String::new,
        &mut Vec::new(),
    )?)
}

/// A configuration whose scalars await their data type.
#[derive(Debug)]
pub(crate) struct Configuration<'d> {
    offset: Option<Node<'d>>,
    scale: Option<Node<'d>>,
}

/// Reads a configuration, an object or nothing (scale_offset.configuration).
pub(crate) fn read(node: Option<Node<'_>>) -> Read<Configuration<'_>> {
    let Some(node) = node else {
        return Ok(Configuration {
            offset: None,
            scale: None,
        });
    };
    let owner = "the configuration of scale_offset";
    let [offset, scale] = closed(node, &KEYS, "scale_offset.configuration.keys", owner)?;
    Ok(Configuration { offset, scale })
}

/// Refuses an array whose data type the codec is not defined for; `node` is to blame.
pub(crate) fn check_real(data_type: DataType, node: Node<'_>) -> Read<()> {
    if data_type.is_real() {
        return Ok(());
    }
    Err(node
        .reject_as(
            Reason::UnsupportedDataType,
            "scale_offset.data_types",
            format!("scale_offset is defined for integers and floats, not for {data_type}"),
        )
        .help("the codec stands where the data type is a real number"))
}

/// Reads the scalars of a real data type. `codec` gives the pointer of the codec.
pub(crate) fn resolve(
    configuration: &Configuration<'_>,
    data_type: DataType,
    codec: impl Fn() -> String,
    warnings: &mut Vec<Warning>,
) -> Read<ScaleOffset> {
    let mut parameter = |node: Option<Node<'_>>, name: &str| -> Read<Option<u64>> {
        let Some(node) = node else { return Ok(None) };
        let bits = scalar::parameter(data_type, node, "scale_offset.parameters")?.component(0);
        let format = data_type.format().float();
        if format.is_some_and(|format| format.is_nan(bits) || format.is_infinite(bits)) {
            warnings.push(Warning {
                clause: "scale_offset.parameters.non-finite",
                message: format!("the {name} is not finite"),
                help: "the specification leaves open what it does to elements".into(),
                pointer: format!("{}/configuration/{name}", codec()),
                place: node.place(),
            });
        }
        Ok(Some(bits))
    };
    let offset = parameter(configuration.offset, "offset")?;
    let scale = parameter(configuration.scale, "scale")?;
    if let (Some(bits), Some(node)) = (scale, configuration.scale) {
        let zero = match data_type.format().float() {
            Some(format) => format.is_zero(bits),
            None => bits == 0,
        };
        if zero {
            return Err(node
                .reject(
                    "scale_offset.scale.zero",
                    format!("this scale is zero in {data_type}, and decoding divides by it"),
                )
                .help("leave scale out where nothing is to be scaled"));
        }
    }
    Ok(ScaleOffset {
        data_type,
        offset,
        scale,
    })
}
