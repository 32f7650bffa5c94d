//! The configuration of `packbits` (spec/packbits.md).

use exactum_model::{DataType, PackBits, PaddingEncoding, Rejection};

use crate::diagnostic::Read;
use crate::json::{Attributes, Kind, Node, Tree};
use crate::members::{choice, closed, object};

const KEYS: [&str; 3] = ["padding_encoding", "first_bit", "last_bit"];
const OWNER: &str = "the configuration of packbits";

/// Reads the configuration of a `packbits` codec, the text of a JSON object (`{}` where the codec
/// has none), for an array of this data type.
///
/// # Errors
/// The clauses about documents of `packbits.*` and `chain.json*`; pointers are relative to the
/// configuration.
pub fn parse_packbits(configuration: &str, data_type: DataType) -> Result<PackBits, Rejection> {
    let tree = Tree::scan(configuration, Attributes::Entered)?;
    let root = object(tree.root(), "packbits.configuration", OWNER)?;
    Ok(read(Some(root))?.resolve(data_type)?)
}

/// A configuration whose bits await the data type that they are bits of.
#[derive(Debug)]
pub(crate) struct Configuration<'d> {
    padding: PaddingEncoding,
    first: Option<Bit<'d>>,
    last: Option<Bit<'d>>,
}

/// The index of a bit and where it stands.
#[derive(Clone, Copy, Debug)]
struct Bit<'d> {
    index: u64,
    node: Node<'d>,
}

/// Reads a configuration, an object or nothing (packbits.configuration).
pub(crate) fn read(configuration: Option<Node<'_>>) -> Read<Configuration<'_>> {
    let Some(configuration) = configuration else {
        return Ok(Configuration {
            padding: PaddingEncoding::None,
            first: None,
            last: None,
        });
    };
    let [padding, first, last] =
        closed(configuration, &KEYS, "packbits.configuration.keys", OWNER)?;
    let names = PaddingEncoding::ALL.map(|encoding| (encoding.name(), encoding));
    let padding = match padding {
        None => PaddingEncoding::None,
        Some(node) => choice(
            node,
            "packbits.padding_encoding",
            "padding_encoding",
            &names,
        )?,
    };
    let configuration = Configuration {
        padding,
        first: bit(first, "first_bit")?,
        last: bit(last, "last_bit")?,
    };
    if let (Some(first), Some(last)) = (configuration.first, configuration.last)
        && last.index < first.index
    {
        return Err(order(last.node, first.index, last.index));
    }
    Ok(configuration)
}

/// An index; null says the same as no member (packbits.bits).
fn bit<'d>(node: Option<Node<'d>>, name: &str) -> Read<Option<Bit<'d>>> {
    let Some(node) = node.filter(|node| node.kind() != Kind::Null) else {
        return Ok(None);
    };
    let digits = node.raw().bytes().all(|byte| byte.is_ascii_digit());
    if node.kind() != Kind::Number || !digits {
        return Err(node
            .reject(
                "packbits.bits",
                format!("{name} is the index of a bit, not {}", node.describe()),
            )
            .help("write 0 for the least significant bit, or null for the default"));
    }
    // An index beyond 64 bits is as much too large as the largest of them.
    let index = node.raw().parse().unwrap_or(u64::MAX);
    Ok(Some(Bit { index, node }))
}

/// The rejection of a range without bits (packbits.bits.order).
fn order(node: Node<'_>, first: u64, last: u64) -> Box<crate::Diagnostic> {
    node.reject(
        "packbits.bits.order",
        format!("last_bit {last} lies below first_bit {first}"),
    )
    .help("both bits are packed, and all between them")
}

impl Configuration<'_> {
    /// Puts the bits of a data type in the place of absent ones, and refuses those that it does not
    /// have (packbits.bits.width).
    pub(crate) fn resolve(&self, data_type: DataType) -> Read<PackBits> {
        let bits = data_type.format().component_bits();
        let mut codec = PackBits {
            padding: self.padding,
            ..PackBits::whole(data_type)
        };
        if let Some(last) = self.last {
            codec.last_bit = index(last.index)
                .filter(|&index| index < bits)
                .ok_or_else(|| {
                    last.node
                        .reject(
                            "packbits.bits.width",
                            format!(
                                "{data_type} has no bit {}: it has {bits} bits a component",
                                last.node.raw()
                            ),
                        )
                        .help(format!("the last bit is {} at most", bits - 1))
                })?;
        }
        if let Some(first) = self.first {
            codec.first_bit = index(first.index)
                .filter(|&index| index <= codec.last_bit)
                .ok_or_else(|| order(first.node, first.index, codec.last_bit.into()))?;
        }
        Ok(codec)
    }
}

fn index(index: u64) -> Option<u32> {
    u32::try_from(index).ok()
}
