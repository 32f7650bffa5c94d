//! The data type, the shape and the fill value after each codec, as a table.

use std::fmt::Write as _;

use comfy_table::{Table, presets};
use exactum_conformance::text::clean;
use exactum_metadata::ArrayDocument;
use exactum_model::{ArrayToBytes, CodecPipeline, Resolution};

use super::numbers;

/// The greatest number of stages in a table; a document may have a million.
const MAX_STAGES: usize = 200;

/// The greatest number of characters of a fill value or a name in a table.
const MAX_CELL: usize = 60;

/// Returns the stages as a table, followed by the codecs of the bytes.
pub(super) fn table(document: &ArrayDocument, resolution: &Resolution) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(["codec", "data type", "shape", "fill value"]);
    for stage in resolution.stages.iter().take(MAX_STAGES) {
        table.add_row([
            cell(stage.codec.as_deref().unwrap_or("(array)")),
            stage.data_type.to_string(),
            cell(&format!("{:?}", stage.shape)),
            cell(&exactum_exact::canonical(&stage.fill_value)),
        ]);
    }
    let mut output = String::new();
    for line in table.to_string().lines() {
        let _ = writeln!(output, "  {}", line.trim());
    }
    if let Some(more) = resolution.stages.len().checked_sub(MAX_STAGES + 1) {
        let _ = writeln!(output, "  ... and {} more", more + 1);
    }
    let _ = writeln!(
        output,
        "  array shape: {}",
        cell(&format!("{:?}", document.shape))
    );
    if let Some(lengths) = &document.lengths {
        let lengths = cell(&format!("{lengths:?}"));
        let _ = writeln!(
            output,
            "  chunks have the lengths {lengths} along the dimensions; the first chunk is shown"
        );
    }
    let _ = writeln!(
        output,
        "  to bytes: {}",
        cell(&to_bytes(&document.chain.pipeline))
    );
    if let Some(numbers) = numbers::sentence(&document.chain) {
        let _ = writeln!(output, "  numbers: {numbers}");
    }
    if let Some(bytes) = resolution.encoded_bytes {
        let _ = writeln!(output, "  encoded chunk: {bytes} bytes");
    }
    output
}

/// Returns the codecs from the array -> bytes codec on, with those of the inner chunks of a shard in
/// brackets.
fn to_bytes(pipeline: &CodecPipeline) -> String {
    let mut text = match &pipeline.array_to_bytes {
        ArrayToBytes::Bytes(codec) => match codec.endian {
            None => "bytes".into(),
            Some(endian) => format!("bytes ({})", endian.name()),
        },
        ArrayToBytes::PackBits(codec) => {
            format!("packbits (bits {} to {})", codec.first_bit, codec.last_bit)
        }
        ArrayToBytes::Zfp(codec) if codec.is_reversible() => "zfp (reversible)".into(),
        ArrayToBytes::Zfp(_) => "zfp (lossy)".into(),
        ArrayToBytes::Sharding {
            chunk_shape,
            pipeline,
        } => {
            format!("sharding_indexed {chunk_shape:?} ({})", to_bytes(pipeline))
        }
        ArrayToBytes::Foreign(name) => format!("{name} (by name only)"),
    };
    for name in pipeline.bytes_to_bytes.iter() {
        text.push_str(", ");
        text.push_str(name);
    }
    text
}

/// Returns a text that fits a table.
fn cell(text: &str) -> String {
    let text = clean(text);
    if text.chars().count() <= MAX_CELL {
        return text;
    }
    text.chars().take(MAX_CELL - 1).chain(['…']).collect()
}
