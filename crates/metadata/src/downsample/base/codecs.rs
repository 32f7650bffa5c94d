//! Compares the codecs that a document demands (downsample.document.schema) with those of an array, as TensorStore
//! does. A setting that is not stated is satisfied by any value. If no array -> bytes codec is stated, every such codec
//! satisfies the demand.

use std::borrow::Cow;

use serde_json::Value;

use super::super::number::integer;
use crate::codec::{find, meant};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};
use crate::members::{array, closed, object};
use crate::pipeline::CodecKind;
use crate::words::{either, quoted};

const CLAUSE: &str = "downsample.document.schema";

/// The driver of the only codecs that are examined.
const ZARR3: &str = "zarr3";

/// The values of members that an array does not state.
const DEFAULTS: [(&str, &str, &str); 2] = [
    ("sharding_indexed", "index_location", "\"end\""),
    ("zstd", "checksum", "false"),
];

/// Checks the form of the demanded codecs.
pub(super) fn check(node: Node<'_>) -> Read<()> {
    object(node, CLAUSE, "codec")?;
    let driver = node.get("driver");
    let Some(driver) = driver.filter(|driver| driver.kind() == Kind::String) else {
        return Err(driver
            .unwrap_or(node)
            .reject(CLAUSE, "\"codec\" needs a driver, but none is given")
            .help("add \"driver\": \"zarr3\""));
    };
    if driver.text()? != ZARR3 {
        return Ok(());
    }
    let [_, codecs] = closed(node, &["driver", "codecs"], CLAUSE, "codec")?;
    codecs.map_or(Ok(()), |codecs| Chain::read(codecs).map(|_| ()))
}

/// Checks the demanded codecs against those of an array of this rank.
pub(super) fn require(demanded: Node<'_>, own: Node<'_>, rank: usize) -> Read<()> {
    let driver = demanded.get("driver").unwrap_or(demanded);
    if driver.text()? != ZARR3 {
        return Err(driver
            .reject(
                CLAUSE,
                format!("the array has codecs of the driver {ZARR3}"),
            )
            .help(format!("write \"driver\": \"{ZARR3}\"")));
    }
    match demanded.get("codecs") {
        Some(codecs) => Compared { rank }.chains(&Chain::read(codecs)?, &Chain::read(own)?),
        None => Ok(()),
    }
}

/// A codec of a list.
struct Codec<'d> {
    node: Node<'d>,
    name: Cow<'d, str>,
    configuration: Option<Node<'d>>,
}

/// A list of codecs. In a demanded list, the array -> bytes codec need not be stated.
struct Chain<'d> {
    node: Node<'d>,
    to_array: Vec<Codec<'d>>,
    to_bytes: Option<Codec<'d>>,
    of_bytes: Vec<Codec<'d>>,
}

impl<'d> Codec<'d> {
    fn read(node: Node<'d>) -> Read<Self> {
        let name = match node.kind() {
            Kind::String => Some(node),
            _ => object(node, CLAUSE, "a codec")?.get("name"),
        };
        let Some(name) = name.filter(|name| name.kind() == Kind::String) else {
            return Err(node
                .reject(CLAUSE, "a codec has no name")
                .help("write {\"name\": \"bytes\"}, or the name alone"));
        };
        let configuration = node.get("configuration");
        if let Some(configuration) = configuration {
            object(configuration, CLAUSE, "a configuration")?;
        }
        let codec = Self {
            node,
            name: name.text()?,
            configuration,
        };
        // The codec must be able to have the stated members, whether they match or not.
        let known = find(&codec.name).and_then(|it| it.configuration);
        for (key, value) in configuration.into_iter().flat_map(Node::members) {
            let keys = known.map(|known| known.members.iter().map(|member| member.name()));
            let keys: Option<Vec<&str>> = keys.map(Iterator::collect);
            let key = key.key();
            if keys.is_some_and(|keys| !keys.contains(&&*key)) {
                let message = format!("{} has no member {}", codec.name, quoted(&key));
                return Err(value.reject(CLAUSE, message).help("leave it out"));
            }
        }
        if codec.name == "transpose" && codec.get("order").is_none() {
            return Err(node
                .reject(CLAUSE, "transpose needs order")
                .help("add \"order\", such as \"F\""));
        }
        Ok(codec)
    }

    fn get(&self, member: &str) -> Option<Node<'d>> {
        self.configuration?.get(member)
    }

    /// Returns the codecs inside a shard, if they are stated.
    fn inner(&self) -> Read<Option<Chain<'d>>> {
        let inner = self.get("codecs").filter(|_| self.is_sharding());
        inner.map(Chain::read).transpose()
    }

    fn is_sharding(&self) -> bool {
        self.name == "sharding_indexed"
    }
}

impl<'d> Chain<'d> {
    fn read(node: Node<'d>) -> Read<Self> {
        array(node, CLAUSE, "codecs")?;
        let mut chain = Self {
            node,
            to_array: Vec::new(),
            to_bytes: None,
            of_bytes: Vec::new(),
        };
        for element in node.elements() {
            let codec = Codec::read(element)?;
            let Some(known) = find(&codec.name) else {
                let meant = meant(&codec.name);
                let message = format!("{} is not a known codec", quoted(&codec.name));
                return Err(element.reject(CLAUSE, message).help(match meant {
                    Some(meant) => format!("write {}", either(&[meant])),
                    None => "write the registered name".to_owned(),
                }));
            };
            let begins = chain.to_bytes.is_none() && chain.of_bytes.is_empty();
            match known.kind {
                CodecKind::ArrayToArray(_) if begins => {
                    chain.to_array.push(codec);
                }
                CodecKind::ArrayToBytes(_) if begins => chain.to_bytes = Some(codec),
                CodecKind::BytesToBytes(_) => chain.of_bytes.push(codec),
                _ => {
                    let message = format!("{} is not allowed here", codec.name);
                    return Err(element.reject(CLAUSE, message).help(
                        "array -> array codecs come first, then the array -> bytes codec, then \
                         bytes -> bytes codecs",
                    ));
                }
            }
        }
        Ok(chain)
    }

    /// Returns the number of nested shards.
    fn height(&self) -> Read<usize> {
        let Some(codec) = self.to_bytes.as_ref().filter(|it| it.is_sharding()) else {
            return Ok(0);
        };
        let inner = codec.inner()?;
        Ok(1 + inner.map_or(Ok(0), |inner| inner.height())?)
    }

    /// Returns whether the list has only an array -> bytes codec.
    fn is_single(&self) -> bool {
        self.to_array.is_empty() && self.of_bytes.is_empty()
    }
}

/// The comparison with the codecs of an array of this rank.
struct Compared {
    rank: usize,
}

impl Compared {
    fn chains(&self, demanded: &Chain<'_>, own: &Chain<'_>) -> Read<()> {
        // Codecs that are demanded without a shard are compared with those inside the shard, and the other
        // way round.
        let (height, own_height) = (demanded.height()?, own.height()?);
        let shard = match own_height.cmp(&height) {
            std::cmp::Ordering::Greater if own.is_single() => own.to_bytes.as_ref(),
            std::cmp::Ordering::Less if demanded.is_single() => demanded.to_bytes.as_ref(),
            _ => None,
        };
        if let Some(shard) = shard {
            let inner = shard.inner()?;
            return match inner {
                Some(inner) if own_height > height => self.chains(demanded, &inner),
                Some(inner) => self.chains(&inner, own),
                None => Ok(()),
            };
        }
        let (there, stated) = (&own.to_array[..], &demanded.to_array[..]);
        // An additional transpose concerns only the layout.
        let is_layout = |codec: Option<&Codec<'_>>| codec.is_some_and(|it| it.name == "transpose");
        let (there, stated) = if there.len() == stated.len() + 1 && is_layout(there.last()) {
            (&there[..stated.len()], stated)
        } else if stated.len() == there.len() + 1 && is_layout(stated.last()) {
            (there, &stated[..there.len()])
        } else {
            (there, stated)
        };
        self.lists(demanded, stated, there, "array -> array")?;
        if let Some(stated) = &demanded.to_bytes {
            match &own.to_bytes {
                Some(own) => self.codecs(stated, own)?,
                None => return Err(unmet(stated.node, "the array has no such codec")),
            }
        }
        self.lists(
            demanded,
            &demanded.of_bytes,
            &own.of_bytes,
            "bytes -> bytes",
        )
    }

    fn lists(
        &self,
        demanded: &Chain<'_>,
        stated: &[Codec<'_>],
        own: &[Codec<'_>],
        what: &str,
    ) -> Read<()> {
        if stated.len() != own.len() {
            let (own, stated) = (own.len(), stated.len());
            let message = format!("the array has {own} {what} codecs, not {stated}");
            return Err(unmet(demanded.node, &message));
        }
        let mut pairs = stated.iter().zip(own);
        pairs.try_for_each(|(stated, own)| self.codecs(stated, own))
    }

    fn codecs(&self, stated: &Codec<'_>, own: &Codec<'_>) -> Read<()> {
        if stated.name != own.name {
            let message = format!("the array has {} here, not {}", own.name, stated.name);
            return Err(unmet(stated.node, &message));
        }
        for (key, value) in stated.configuration.into_iter().flat_map(Node::members) {
            let key = key.key();
            let there = own.get(&key);
            let is_met = match (&*key, there) {
                ("codecs" | "index_codecs", Some(there)) if stated.is_sharding() => {
                    self.chains(&Chain::read(value)?, &Chain::read(there)?)?;
                    true
                }
                ("order", Some(there)) if stated.name == "transpose" => {
                    self.order(value) == self.order(there)
                }
                (_, Some(there)) => same(value, there),
                (key, None) => {
                    let mut defaults = DEFAULTS.iter();
                    let default =
                        defaults.find(|(name, member, _)| stated.name == *name && key == *member);
                    default.is_none_or(|(_, _, default)| value.raw() == *default)
                }
            };
            if !is_met {
                let message = format!("{} of the array has a different {}", own.name, quoted(&key));
                return Err(unmet(value, &message));
            }
        }
        Ok(())
    }

    /// Returns the order of a transpose; its two usual orders have names.
    fn order(&self, node: Node<'_>) -> Option<Vec<i128>> {
        let all = 0..i128::try_from(self.rank).ok()?;
        if node.kind() == Kind::Array {
            return node.elements().map(integer).collect();
        }
        match &*node.text().ok()? {
            "C" => Some(all.collect()),
            "F" => Some(all.rev().collect()),
            _ => None,
        }
    }
}

/// Returns whether two values are the same; numbers may be written in different ways.
fn same(one: Node<'_>, other: Node<'_>) -> bool {
    if one.kind() == Kind::Array && other.kind() == Kind::Array {
        let (mut ones, mut others) = (one.elements(), other.elements());
        loop {
            match (ones.next(), others.next()) {
                (None, None) => return true,
                (Some(one), Some(other)) if same(one, other) => {}
                _ => return false,
            }
        }
    }
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => one == other,
        _ => value(one) == value(other),
    }
}

fn value(node: Node<'_>) -> Option<Value> {
    serde_json::from_str(node.raw()).ok()
}

fn unmet(node: Node<'_>, message: &str) -> Box<Diagnostic> {
    node.reject(CLAUSE, message)
        .help("leave it out, or demand what the zarr.json of the array says")
}
