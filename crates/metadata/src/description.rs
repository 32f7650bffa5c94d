//! The description of a configuration. A codec describes its members once; the reader, the JSON Schema and
//! the writer follow from that description.

mod forms;
mod schema;

use std::collections::HashSet;

use exactum_model::Rejection;
use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::diagnostic::{Diagnostic, Read};
use crate::faults::Parts;
use crate::json::{Attributes, Node, Tree};
use crate::members::{Extension, object, unknown_key};
use crate::words::did_you_mean;
pub(crate) use forms::{Choice, Flag, Helped, Nested, Within};
pub(crate) use schema::{added_members, define, generator, root_schema};

/// An object with a closed list of members.
pub(crate) struct Description {
    /// The owner of the object.
    pub(crate) of: Of,
    /// Its name among the definitions of a schema.
    pub(crate) definition: &'static str,
    /// The clause that requires the value to be present and to be an object.
    pub(crate) form: &'static str,
    /// The clause that forbids other members.
    pub(crate) keys: &'static str,
    /// Its members, in the order of the text that is written.
    pub(crate) members: &'static [&'static dyn Described],
    /// The rules that the schemas of single members cannot express.
    pub(crate) rule: fn(&mut Schema),
}

/// The owner of a described object.
pub(crate) enum Of {
    /// The configuration of the codec with this name. If it has a `file`, its schema is also in a separate
    /// file.
    Codec {
        name: &'static str,
        file: bool,
        /// An example of the configuration, for a help text.
        example: &'static str,
    },
    /// The attributes of a variable. Only the listed ones are read. Others are ignored, unless their names are probably
    /// misspellings of listed ones. The schema is in a separate file.
    Attributes {
        name: &'static str,
        /// An example of attributes, for a help text.
        example: &'static str,
    },
    /// Another object: its name in messages, and its description.
    Other {
        name: &'static str,
        about: &'static str,
    },
}

impl Of {
    fn owner(&self) -> String {
        match self {
            Of::Codec { name, .. } | Of::Attributes { name, .. } => {
                format!("the configuration of {name}")
            }
            Of::Other { name, .. } => (*name).into(),
        }
    }

    fn about(&self) -> String {
        match self {
            Of::Codec { name, .. } | Of::Attributes { name, .. } => {
                format!("The configuration of `{name}`.")
            }
            Of::Other { about, .. } => (*about).into(),
        }
    }

    /// Returns the name in messages.
    fn name(&self) -> &'static str {
        match self {
            Of::Codec { name, .. } | Of::Attributes { name, .. } | Of::Other { name, .. } => name,
        }
    }

    /// Returns whether members that are not listed are ignored.
    fn passes_over_others(&self) -> bool {
        matches!(self, Of::Attributes { .. })
    }
}

/// A member of an object.
pub(crate) struct Member<F> {
    /// Its key.
    pub(crate) name: &'static str,
    /// The clause that requires its form.
    pub(crate) clause: &'static str,
    /// The description of the member.
    pub(crate) about: &'static str,
    /// The report on its absence, or `None` if it is optional.
    pub(crate) required: Option<Required>,
    /// Its form.
    pub(crate) form: F,
}

/// The report on the absence of a member.
pub(crate) struct Required {
    /// The clause that requires the member.
    pub(crate) clause: &'static str,
    /// The member with its article.
    pub(crate) what: &'static str,
    /// The advice on how to fix it.
    pub(crate) help: &'static str,
}

/// The values that a member may have.
pub(crate) trait Form: Sync {
    /// The type of the value that is read. If it depends on a data type, it is the value as it is written.
    type Value<'d>;

    /// Reads the value of the member `name`, whose form is required by `clause`.
    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Self::Value<'d>>;

    /// Returns the schema of a value.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;

    /// Adds the limits that the schema states after the description of the member.
    fn limits(&self, _schema: &mut Schema) {}
}

/// A form that can also be written.
pub(crate) trait Written: Form {
    /// The type of the value to write.
    type Input<'i>;

    /// Returns the JSON text.
    fn text(&self, input: Self::Input<'_>) -> String;
}

/// A member without the type of its values.
pub(crate) trait Described: Sync {
    fn name(&self) -> &'static str;
    fn required(&self) -> Option<&Required>;
    /// Reads a value only to find its faults.
    fn check(&self, node: Node<'_>) -> Read<()>;
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;
}

impl<F: Form> Described for Member<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn required(&self) -> Option<&Required> {
        self.required.as_ref()
    }

    fn check(&self, node: Node<'_>) -> Read<()> {
        self.form.read(node, self.name, self.clause).map(|_| ())
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = self.form.schema(generator);
        schema.insert("description".into(), self.about.into());
        self.form.limits(&mut schema);
        schema
    }
}

impl<F: Written> Member<F> {
    /// Returns the member with a value.
    pub(crate) fn with(&self, input: F::Input<'_>) -> Option<(&'static str, Box<RawValue>)> {
        Some((self.name, raw(self.form.text(input))))
    }
}

impl<T: Copy + Default + PartialEq + Sync + 'static> Member<Choice<T>> {
    /// Returns the member with a value, unless it is the value that an absent member means.
    pub(crate) fn unless_default(&self, value: T) -> Option<(&'static str, Box<RawValue>)> {
        (value != T::default()).then(|| self.with(value)).flatten()
    }
}

/// The members of an object that was read, or of an absent one.
#[derive(Clone, Copy)]
pub(crate) struct Found<'d> {
    object: Option<Node<'d>>,
    /// The node at which missing members are reported.
    owner: Node<'d>,
}

impl<'d> Found<'d> {
    /// Returns the members of an object, some of which may be wrong.
    pub(crate) fn of(object: Node<'d>) -> Self {
        Self {
            object: Some(object),
            owner: object,
        }
    }

    /// Returns the value of a member as [`optional`](Self::optional) reads it, or nothing if it has a fault
    /// that was reported.
    pub(crate) fn known<F: Form>(&self, member: &Member<F>) -> Read<Option<Option<F::Value<'d>>>> {
        match self.optional(member) {
            Ok(value) => Ok(Some(value)),
            Err(_) if self.owner.keeps_faults() => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Returns the object, or the codec that has none.
    pub(crate) fn owner(&self) -> Node<'d> {
        self.owner
    }

    /// Returns the value of a member as it is written.
    pub(crate) fn node<F>(&self, member: &Member<F>) -> Option<Node<'d>> {
        self.object?.get(member.name)
    }

    /// Returns the value of a member.
    pub(crate) fn optional<F: Form>(&self, member: &Member<F>) -> Read<Option<F::Value<'d>>> {
        self.node(member)
            .map(|node| self.read(member, node))
            .transpose()
    }

    /// Returns the value of a member that [`Description::open`] has seen.
    pub(crate) fn required<F: Form>(&self, member: &Member<F>) -> Read<F::Value<'d>> {
        // An absent member has been refused; the owner replaces it here.
        let node = self.node(member).unwrap_or(self.owner);
        self.read(member, node)
    }

    /// Reads a value whose faults are reported by [`Description::open`] if all are requested.
    fn read<F: Form>(&self, member: &Member<F>, node: Node<'d>) -> Read<F::Value<'d>> {
        node.again(|| member.form.read(node, member.name, member.clause))
    }

    /// Returns the value of a member, or the value that its absence means.
    pub(crate) fn or_default<T: Copy + Default + Sync + 'static>(
        &self,
        member: &Member<Choice<T>>,
    ) -> Read<T> {
        Ok(self.optional(member)?.unwrap_or_default())
    }
}

impl Description {
    /// Reads an object: every member must be known, and no required one may be missing. If all faults are
    /// requested, those of the members are reported here.
    pub(crate) fn open<'d>(&self, node: Node<'d>) -> Read<Found<'d>> {
        object(node, self.form, &self.of.owner())?;
        let known = || self.members.iter().map(|member| member.name());
        let mut parts = Parts::of(node);
        // A member that is present under a misspelled name is not reported as missing.
        let mut meant = HashSet::new();
        for (key, value) in node.members() {
            let name = key.key();
            if !known().any(|known| known == name) {
                let near = did_you_mean(&name, known());
                if near.is_none() && self.of.passes_over_others() {
                    continue;
                }
                meant.extend(near);
                let known: Vec<&str> = known().collect();
                let fault = unknown_key(self.keys, &self.of.owner(), &known, key, value);
                parts.take::<()>(Err(fault))?;
            }
        }
        let mut is_whole = true;
        for member in self.members {
            let name = member.name();
            let fault = match (node.get(name), member.required()) {
                (Some(value), _) if node.keeps_faults() => member.check(value).err(),
                (None, Some(_)) if meant.contains(name) => {
                    is_whole = false;
                    None
                }
                (None, Some(required)) => Some(self.missing(node, required)),
                _ => None,
            };
            if let Some(fault) = fault {
                is_whole = false;
                parts.take::<()>(Err(fault))?;
            }
        }
        match is_whole {
            true => parts.pass()?,
            false => parts.end()?,
        }
        Ok(Found::of(node))
    }

    /// Reads the configuration of a codec.
    pub(crate) fn of_codec<'d>(&self, codec: &Extension<'d>) -> Read<Found<'d>> {
        if let Some(configuration) = codec.configuration {
            return self.open(configuration);
        }
        if self.is_required() {
            return Err(self.absent(codec.node));
        }
        Ok(Found {
            object: None,
            owner: codec.node,
        })
    }

    /// Reads the configuration of a codec with all its members only to find faults.
    pub(crate) fn check<'d>(&self, codec: &Extension<'d>) -> Read<Found<'d>> {
        let found = self.of_codec(codec)?;
        if codec.node.keeps_faults() {
            return Ok(found);
        }
        for member in self.members {
            if let Some(node) = found.object.and_then(|object| object.get(member.name())) {
                member.check(node)?;
            }
        }
        Ok(found)
    }

    /// Reads the configuration of a codec that has been checked.
    pub(crate) fn of_checked<'d>(&self, codec: &Extension<'d>) -> Read<Found<'d>> {
        codec.node.again(|| self.of_codec(codec))
    }

    /// Reads the text of a configuration, which must be an object, and resolves it. The second argument of
    /// `resolve` is the object.
    pub(crate) fn parse<T>(
        &self,
        text: &str,
        resolve: impl FnOnce(Found<'_>, Node<'_>) -> Read<T>,
    ) -> Result<T, Rejection> {
        let tree = Tree::scan(text, Attributes::Entered)?;
        let found = self.open(tree.root())?;
        Ok(resolve(found, tree.root())?)
    }

    /// Returns whether the schema is in a separate file.
    pub(crate) fn has_file(&self) -> bool {
        matches!(
            self.of,
            Of::Codec { file: true, .. } | Of::Attributes { .. }
        )
    }

    /// Returns whether a codec must have a configuration.
    pub(crate) fn is_required(&self) -> bool {
        self.members
            .iter()
            .any(|member| member.required().is_some())
    }

    fn absent(&self, codec: Node<'_>) -> Box<Diagnostic> {
        let name = self.of.name();
        codec
            .reject(self.form, format!("{name} needs a configuration"))
            .help(format!("write {}", self.example()))
    }

    /// Returns an example of an extension with this configuration.
    pub(crate) fn example(&self) -> String {
        let (name, example) = match &self.of {
            Of::Codec { name, example, .. } | Of::Attributes { name, example } => (*name, *example),
            Of::Other { name, .. } => (*name, "{}"),
        };
        format!("{{\"name\": \"{name}\", \"configuration\": {example}}}")
    }

    fn missing(&self, node: Node<'_>, required: &Required) -> Box<Diagnostic> {
        let name = self.of.name();
        node.reject(required.clause, format!("{name} needs {}", required.what))
            .help(required.help)
    }

    /// Writes an object of the members that have a value.
    pub(crate) fn write<const N: usize>(
        &self,
        members: [Option<(&'static str, Box<RawValue>)>; N],
    ) -> Configuration {
        let mut text = String::from("{");
        for (name, value) in members.into_iter().flatten() {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&format!("\"{name}\":{value}"));
        }
        text.push('}');
        Configuration(raw(text))
    }
}

/// The written configuration of a codec: the canonical text of a JSON object.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Configuration(Box<RawValue>);

impl Configuration {
    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }

    pub(crate) fn into_raw(self) -> Box<RawValue> {
        self.0
    }
}

/// Returns a text that a form has written. Forms write valid JSON; if one did not, the result would be null, which
/// every reader refuses.
pub(crate) fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
