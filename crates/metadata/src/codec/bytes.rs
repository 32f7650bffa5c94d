//! The configuration of `bytes` (spec/chain.md).

use exactum_model::{DataType, Endian};

use crate::diagnostic::Read;
use crate::members::{Extension, choice, closed};

/// Reads the byte order. It may be absent only where a component has a single byte
/// (chain.bytes.endian); of an unknown data type nothing is demanded.
pub(crate) fn read(codec: &Extension<'_>, data_type: Option<DataType>) -> Read<Option<Endian>> {
    let clause = "chain.bytes.endian";
    let mut endian = None;
    if let Some(configuration) = codec.configuration {
        [endian] = closed(
            configuration,
            &["endian"],
            clause,
            "the configuration of bytes",
        )?;
    }
    if let Some(node) = endian {
        let orders = [("little", Endian::Little), ("big", Endian::Big)];
        return choice(node, clause, "endian", &orders).map(Some);
    }
    match data_type {
        Some(data_type) if data_type.format().component_bytes() > 1 => Err(codec
            .node
            .reject(
                clause,
                format!(
                    "bytes needs an endian here: {data_type} has {} bytes a number",
                    data_type.format().component_bytes()
                ),
            )
            .help("write {\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}")),
        _ => Ok(None),
    }
}
