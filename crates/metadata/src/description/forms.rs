//! Forms that several descriptions use.

use schemars::{Schema, SchemaGenerator, json_schema};

use serde_json::json;

use super::{Configuration, Description, Form, Found, Written};
use crate::diagnostic::Read;
use crate::json::{Kind, Node};
use crate::members::{choice, natural};

/// A form with a separate help text for values that do not fit it.
pub(crate) struct Helped<F> {
    pub(crate) form: F,
    pub(crate) help: &'static str,
}

impl<F: Form> Form for Helped<F> {
    type Value<'d> = F::Value<'d>;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<F::Value<'d>> {
        let read = self.form.read(node, name, clause);
        read.map_err(|fault| fault.help(self.help))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        self.form.schema(generator)
    }

    fn limits(&self, schema: &mut Schema) {
        self.form.limits(schema);
    }
}

impl<F: Written> Written for Helped<F> {
    type Input<'i> = F::Input<'i>;

    fn text(&self, input: Self::Input<'_>) -> String {
        self.form.text(input)
    }
}

/// One of several names.
pub(crate) struct Choice<T: 'static> {
    /// The values.
    pub(crate) all: &'static [T],
    /// Their names.
    pub(crate) name: fn(T) -> &'static str,
}

impl<T: Copy> Choice<T> {
    fn names(&self) -> Vec<&'static str> {
        self.all.iter().map(|value| (self.name)(*value)).collect()
    }
}

impl<T: Copy + Sync + 'static> Form for Choice<T> {
    type Value<'d> = T;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<T> {
        let choices: Vec<(&str, T)> = self
            .names()
            .into_iter()
            .zip(self.all.iter().copied())
            .collect();
        choice(node, clause, name, &choices)
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"enum": self.names()})
    }
}

impl<T: Copy + Sync + 'static> Written for Choice<T> {
    type Input<'i> = T;

    fn text(&self, value: T) -> String {
        json!((self.name)(value)).to_string()
    }
}

/// An object whose members have a separate description.
pub(crate) struct Nested(pub(crate) &'static Description);

impl Form for Nested {
    type Value<'d> = Found<'d>;

    fn read<'d>(&self, node: Node<'d>, _name: &str, _clause: &'static str) -> Read<Found<'d>> {
        self.0.open(node)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        self.0.reference(generator)
    }
}

impl Written for Nested {
    type Input<'i> = Configuration;

    fn text(&self, object: Configuration) -> String {
        object.text().to_owned()
    }
}

/// An integer between two bounds, both included.
pub(crate) struct Within(pub(crate) i64, pub(crate) i64);

impl Form for Within {
    type Value<'d> = i64;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<i64> {
        let Within(least, most) = *self;
        let number = match natural(node) {
            Some(number) => i64::try_from(number).ok(),
            None if node.kind() == Kind::Number => node.raw().parse().ok(),
            None => None,
        };
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| {
                let range = match most {
                    i64::MAX => format!("of at least {least}"),
                    _ => format!("from {least} to {most}"),
                };
                let message = format!("{name} must be an integer {range}, not {}", node.describe());
                let fault = node.reject(clause, message);
                match number {
                    Some(number) if number < least => fault.help(format!("the minimum is {least}")),
                    Some(_) => fault.help(format!("the maximum is {most}")),
                    None => {
                        fault.help("write a plain integer without quotes, fraction or exponent")
                    }
                }
            })
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": self.0, "maximum": self.1})
    }
}

impl Written for Within {
    type Input<'i> = i64;

    fn text(&self, number: i64) -> String {
        number.to_string()
    }
}

/// True or false.
pub(crate) struct Flag;

impl Form for Flag {
    type Value<'d> = bool;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<bool> {
        match node.kind() {
            Kind::True => Ok(true),
            Kind::False => Ok(false),
            kind => {
                let message = format!("{name} must be true or false, not {}", node.describe());
                let help = match kind {
                    Kind::String => "write it without quotes",
                    _ => "write true or false",
                };
                Err(node.reject(clause, message).help(help))
            }
        }
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "boolean"})
    }
}
