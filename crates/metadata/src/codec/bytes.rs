//! The configuration of `bytes` (spec/bytes.md).

use exactum_model::{Bytes, DataType, Endian, Rejection};

use crate::diagnostic::Read;
use crate::json::{Attributes, Node, Tree};
use crate::members::{choice, closed, object};

const CLAUSE: &str = "bytes.endian";
const CONFIGURATION: &str = "bytes.configuration";
const OWNER: &str = "the configuration of bytes";

/// Reads the configuration of a `bytes` codec, the text of a JSON object (`{}` where the codec has
/// none), for an array of this data type.
///
/// # Errors
/// `bytes.configuration`, `bytes.endian` and `chain.json*`; pointers are relative to the configuration.
pub fn parse_bytes(configuration: &str, data_type: DataType) -> Result<Bytes, Rejection> {
    let tree = Tree::scan(configuration, Attributes::Entered)?;
    let root = object(tree.root(), CONFIGURATION, OWNER)?;
    let endian = read(Some(root))?;
    Ok(resolve(endian, data_type, root)?)
}

/// Reads a configuration, an object or nothing.
pub(crate) fn read(configuration: Option<Node<'_>>) -> Read<Option<Endian>> {
    let Some(configuration) = configuration else {
        return Ok(None);
    };
    let [endian] = closed(configuration, &["endian"], CONFIGURATION, OWNER)?;
    let orders = [("little", Endian::Little), ("big", Endian::Big)];
    endian
        .map(|node| choice(node, CLAUSE, "endian", &orders))
        .transpose()
}

/// The byte order may be absent only where a component has a single byte (bytes.endian);
/// `node` is to blame.
pub(crate) fn resolve(endian: Option<Endian>, data_type: DataType, node: Node<'_>) -> Read<Bytes> {
    let bytes = data_type.format().component_bytes();
    if endian.is_none() && bytes > 1 {
        return Err(node
            .reject(
                CLAUSE,
                format!("bytes needs an endian here: {data_type} has {bytes} bytes a number"),
            )
            .help("write {\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}"));
    }
    Ok(Bytes { data_type, endian })
}
