//! Objects with a fixed set of keys, and extension objects.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Read};
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::words::{did_you_mean, either, listed, quoted};

/// Returns the values of the known keys of an object, in the order of the keys, in one pass. Other keys are
/// passed to `unknown`, which checks whether they are allowed. Keys that are not allowed do not affect the
/// others.
pub(crate) fn fields<'d, const N: usize>(
    object: Node<'d>,
    known: &[&str; N],
    mut unknown: impl FnMut(Node<'d>, Node<'d>) -> Read<()>,
) -> Read<[Option<Node<'d>>; N]> {
    let mut values = [None; N];
    for (key, value) in object.members() {
        let name = key.key();
        match known.iter().position(|known| *known == name) {
            Some(index) => values[index] = Some(value),
            None => {
                object.keep(unknown(key, value))?;
            }
        }
    }
    Ok(values)
}

/// Returns the rejection of an unknown key of an object.
pub(crate) fn unknown_key(
    clause: &'static str,
    owner: &str,
    known: &[&str],
    key: Node<'_>,
    value: Node<'_>,
) -> Box<Diagnostic> {
    let fault = value
        .reject(clause, format!("{owner} has no key {}", quoted(&key.key())))
        .placed(key.place());
    if known.is_empty() {
        return fault.help("remove it");
    }
    let keys = match known {
        [only] => format!("the only key here is \"{only}\""),
        _ => format!("the keys here are {}", listed(known)),
    };
    match did_you_mean(&key.key(), known.iter().copied()) {
        Some(meant) => fault.help(format!("did you mean \"{meant}\"? {keys}")),
        None if known.contains(&"configuration") => {
            fault.help("the settings of an extension belong in its \"configuration\"")
        }
        None => fault.help(keys),
    }
}

/// Reads an object with a closed set of keys. If an unknown key very likely means a missing one, the missing
/// one is treated as unknown.
pub(crate) fn closed<'d, const N: usize>(
    object: Node<'d>,
    known: &[&str; N],
    clause: &'static str,
    owner: &str,
) -> Read<[Option<Node<'d>>; N]> {
    let mut parts = Parts::of(object);
    let mut meant = [false; N];
    let values = fields(object, known, |key, value| {
        let name = did_you_mean(&key.key(), known.iter().copied());
        if let Some(index) = known.iter().position(|known| name == Some(*known)) {
            meant[index] = true;
        }
        let fault = unknown_key(clause, owner, known, key, value);
        parts.take(Err(fault)).map(|_: Option<()>| ())
    })?;
    let is_whole = values
        .iter()
        .zip(meant)
        .all(|(value, meant)| value.is_some() || !meant);
    match is_whole {
        true => parts.pass()?,
        false => parts.end()?,
    }
    Ok(values)
}

/// Requires an object.
pub(crate) fn object<'d>(node: Node<'d>, clause: &'static str, owner: &str) -> Read<Node<'d>> {
    if node.kind() == Kind::Object {
        return Ok(node);
    }
    Err(node
        .reject(
            clause,
            format!("{owner} must be an object, not {}", node.describe()),
        )
        .help("write it as an object, in braces"))
}

/// Requires an object for a member that may be missing; null does not count as missing.
pub(crate) fn optional_object<'d>(
    node: Node<'d>,
    clause: &'static str,
    owner: &str,
) -> Read<Node<'d>> {
    object(node, clause, owner).map_err(|fault| leave_out(node, owner, fault))
}

/// Does the same as [`optional_object`] for an array.
pub(crate) fn optional_array<'d>(
    node: Node<'d>,
    clause: &'static str,
    owner: &str,
) -> Read<Node<'d>> {
    array(node, clause, owner).map_err(|fault| leave_out(node, owner, fault))
}

fn leave_out(node: Node<'_>, owner: &str, fault: Box<Diagnostic>) -> Box<Diagnostic> {
    match node.kind() {
        Kind::Null => fault.help(format!("leave out {owner} instead")),
        _ => fault,
    }
}

/// Requires an array.
pub(crate) fn array<'d>(node: Node<'d>, clause: &'static str, owner: &str) -> Read<Node<'d>> {
    if node.kind() == Kind::Array {
        return Ok(node);
    }
    Err(node
        .reject(
            clause,
            format!("{owner} must be an array, not {}", node.describe()),
        )
        .help("write it as an array, in brackets"))
}

/// Reads one of several strings.
pub(crate) fn choice<T: Copy>(
    node: Node<'_>,
    clause: &'static str,
    owner: &str,
    choices: &[(&str, T)],
) -> Read<T> {
    let found = match node.kind() {
        Kind::String => {
            let text = node.text()?;
            choices.iter().find(|(name, _)| *name == text)
        }
        _ => None,
    };
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let article = match owner.starts_with(['a', 'e', 'i', 'o']) {
            true => "an",
            false => "a",
        };
        let message = format!("{} is not {article} {owner}", node.describe());
        node.reject(clause, message)
            .help(format!("write {}", either(&names)))
    })
}

/// Returns the value of a non-negative 64-bit integer that is written plainly.
pub(crate) fn natural(node: Node<'_>) -> Option<u64> {
    (node.kind() == Kind::Number)
        .then(|| node.raw().parse().ok())
        .flatten()
}

/// Returns the clause that is broken by a node that is not a natural number where `clause` requires one. A number in
/// another notation is forbidden only by a ruling (chain.members.integer).
pub(crate) fn asks_natural(node: Node<'_>, clause: &'static str) -> &'static str {
    match node.kind() {
        Kind::Number if is_whole(node.raw()) => "chain.members.integer",
        _ => clause,
    }
}

/// Returns whether a number with a fraction or an exponent is still a positive integer or +0.
fn is_whole(number: &str) -> bool {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if number.starts_with('-') || whole.len() == number.len() {
        return false;
    }
    let fraction = fraction.trim_end_matches('0');
    let zeros = match (fraction, whole.trim_start_matches('0')) {
        ("", "") => return true,
        ("", whole) => whole.len() - whole.trim_end_matches('0').len(),
        _ => 0,
    };
    // An exponent that is out of range makes every number an integer, or none, depending on its sign.
    let exponent = exponent.parse().unwrap_or(if exponent.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    });
    let more = exponent.saturating_add(i64::try_from(zeros).unwrap_or(i64::MAX));
    i64::try_from(fraction.len()).is_ok_and(|digits| more >= digits)
}

/// Reads a list of extents: those of chunks, which are at least 1, or of an array.
pub(crate) fn extents(
    node: Node<'_>,
    clause: &'static str,
    owner: &str,
    least: u64,
) -> Read<Vec<u64>> {
    array(node, clause, owner)?;
    let extents = node.elements().map(|element| {
        if let Some(extent) = natural(element).filter(|&extent| extent >= least) {
            return Ok(extent);
        }
        let digits = element.raw().bytes().all(|it| it.is_ascii_digit());
        let clause = match element.raw() {
            // The core has no limit for an integer; this limit is a matter of size.
            number if least > 0 && digits && number != "0" => "chain.size",
            _ => asks_natural(element, clause),
        };
        let message = format!("{} is not an extent in {owner}", element.describe());
        Err(element.reject(clause, message).help(format!(
            "an extent is an integer of at least {least} and below 2^64, without fraction or exponent"
        )))
    });
    node.all(extents)
}

/// An extension: a name, or an object with a name and an optional configuration.
#[derive(Debug)]
pub(crate) struct Extension<'d> {
    /// The whole extension.
    pub(crate) node: Node<'d>,
    /// The name.
    pub(crate) name: Cow<'d, str>,
    /// The configuration, which is an object, or `None` if there is none.
    pub(crate) configuration: Option<Node<'d>>,
    /// Whether a reader that does not know the extension must refuse the document.
    pub(crate) must_understand: bool,
}

impl<'d> Extension<'d> {
    /// Reads an extension. `clause` requires its form; `owner` names it in messages.
    pub(crate) fn read(node: Node<'d>, clause: &'static str, owner: &str) -> Read<Self> {
        const KNOWN: [&str; 3] = ["name", "configuration", "must_understand"];
        match node.kind() {
            Kind::String => {
                return Ok(Self {
                    node,
                    name: non_empty(node, clause, owner)?,
                    configuration: None,
                    must_understand: true,
                });
            }
            Kind::Object => {}
            _ => {
                return Err(node
                    .reject(
                        clause,
                        format!(
                            "{owner} must be a name or an object with a name, not {}",
                            node.describe()
                        ),
                    )
                    .help("write {\"name\": ..., \"configuration\": {...}}"));
            }
        }
        // The name is read first: without it, no other key has a meaning.
        let Some(name) = node.get("name") else {
            let fault = node.reject(clause, format!("{owner} has no name"));
            return Err(fault.help(match node.get("id") {
                Some(_) => {
                    "write \"name\" instead of \"id\", which is from Zarr v2, and move everything \
                     else into \"configuration\""
                }
                None => "add the key \"name\"",
            }));
        };
        let [_, configuration, must_understand] =
            closed(node, &KNOWN, "chain.extension.keys", owner)?;
        if name.kind() != Kind::String {
            return Err(name
                .reject(
                    clause,
                    format!(
                        "the name of {owner} must be a string, not {}",
                        name.describe()
                    ),
                )
                .help("write the registered name in quotes"));
        }
        let name = non_empty(name, clause, owner)?;
        let form = match configuration {
            Some(configuration) => {
                let owner = format!("the configuration of {owner}");
                object(configuration, clause, &owner).map(|_| ())
            }
            None => Ok(()),
        };
        let flag = || match must_understand.map(|node| (node, node.kind())) {
            None | Some((_, Kind::True)) => Ok(true),
            Some((_, Kind::False)) => Ok(false),
            Some((value, _)) => Err(value
                .reject(
                    "chain.codec.optional",
                    format!(
                        "must_understand must be true or false, not {}",
                        value.describe()
                    ),
                )
                .help("remove it: true is the default")),
        };
        let ((), must_understand) = node.both(form, flag)?;
        Ok(Self {
            node,
            name,
            configuration,
            must_understand,
        })
    }

    /// Refuses `must_understand: false` where the core does not allow it.
    pub(crate) fn must_be_understood(self, owner: &str) -> Read<Self> {
        if self.must_understand {
            return Ok(self);
        }
        let place = self.node.get("must_understand").unwrap_or(self.node);
        Err(place
            .reject(
                "chain.codec.must_understand",
                format!("{owner} cannot be optional: must_understand must not be false here"),
            )
            .help("remove must_understand; only codecs and added members may set it to false"))
    }

    /// Refuses a name that cannot be registered (chain.name). The URIs that earlier versions of the core
    /// required are still valid names.
    pub(crate) fn with_proper_name(self) -> Read<Self> {
        if self.has_proper_name() {
            return Ok(self);
        }
        Err(self.improper().help(
            "a name is a letter a-z, followed by letters a-z, digits, underscores, dots and dashes",
        ))
    }

    fn improper(&self) -> Box<Diagnostic> {
        let place = self.node.get("name").unwrap_or(self.node);
        place.reject(
            "chain.name",
            format!("{} is not a valid extension name", quoted(&self.name)),
        )
    }

    /// Refuses a name that cannot be registered and that very likely stands for another.
    pub(crate) fn misnamed(&self, meant: &str) -> Box<Diagnostic> {
        self.improper().help(format!("did you mean \"{meant}\"?"))
    }

    /// Returns whether the name may be registered or is a URI.
    pub(crate) fn has_proper_name(&self) -> bool {
        is_registrable(&self.name) || is_uri(&self.name)
    }

    /// Refuses a configuration that is not empty.
    pub(crate) fn without_configuration(self, clause: &'static str, owner: &str) -> Read<Self> {
        if let Some(configuration) = self.configuration {
            closed(configuration, &[], clause, owner)?;
        }
        Ok(self)
    }
}

fn non_empty<'d>(name: Node<'d>, clause: &'static str, owner: &str) -> Read<Cow<'d, str>> {
    let text = name.text()?;
    if text.is_empty() {
        return Err(name
            .reject(clause, format!("the name of {owner} is empty"))
            .help("write its registered name"));
    }
    Ok(text)
}

/// Returns whether a name has the form of the registry, with at least two characters.
fn is_registrable(name: &str) -> bool {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|c| c.is_ascii_lowercase());
    let rest = characters.as_str();
    let allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '_' | '.' | '-');
    first && !rest.is_empty() && rest.chars().all(allowed)
}

/// Returns whether a name consists of a scheme, a colon, and a text without white space.
fn is_uri(name: &str) -> bool {
    name.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.is_empty()
            && !rest.contains(|c: char| c.is_whitespace() || c.is_control())
    })
}
