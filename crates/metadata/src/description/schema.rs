//! The JSON Schemas of descriptions, and their definitions.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::Description;

impl Description {
    /// Returns the schema of the object.
    pub(crate) fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for member in self.members {
            let schema = member.schema(generator);
            properties.insert(member.name().into(), schema.to_value());
        }
        let mut schema = json_schema!({
            "type": "object",
            "additionalProperties": self.of.passes_over_others(),
            "properties": properties,
        });
        let required: Vec<&str> = self
            .members
            .iter()
            .filter(|member| member.required().is_some())
            .map(|member| member.name())
            .collect();
        if !required.is_empty() {
            schema.insert("required".into(), json!(required));
        }
        if self.has_file() {
            let name = self.of.name();
            schema.insert("title".into(), format!("Configuration of {name}").into());
        }
        schema.insert("description".into(), self.of.about().into());
        (self.rule)(&mut schema);
        schema
    }

    /// Returns a reference to the schema of the object, which is among the definitions.
    pub(crate) fn reference(&self, generator: &mut SchemaGenerator) -> Schema {
        define(generator, self.definition, |generator| {
            self.schema(generator)
        })
    }

    /// Returns the schema as a separate file.
    pub(crate) fn root_schema(&self) -> Value {
        let mut generator = generator();
        let mut schema = self.schema(&mut generator);
        if let Some(dialect) = &generator.settings().meta_schema {
            schema.insert("$schema".into(), dialect.to_string().into());
        }
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".into(), definitions.into());
        }
        schema.to_value()
    }
}

/// Returns a generator of the schemas in `spec/schema`.
pub(crate) fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
}

/// Returns the schema of a member that may be added to a document (chain.members.unknown).
pub(crate) fn added_members() -> Value {
    json!({
        "type": "object",
        "properties": {"must_understand": {"const": false}},
        "required": ["must_understand"],
    })
}

/// Returns the schema of a type as a separate file.
pub(crate) fn root_schema<T: JsonSchema>() -> Value {
    generator().into_root_schema_for::<T>().to_value()
}

/// Returns a reference to a definition, which is added if it does not exist yet.
pub(crate) fn define(
    generator: &mut SchemaGenerator,
    name: &str,
    make: impl FnOnce(&mut SchemaGenerator) -> Schema,
) -> Schema {
    if !generator.definitions().contains_key(name) {
        // Its place must come before those of the definitions that it needs.
        let definitions = generator.definitions_mut();
        definitions.insert(name.into(), Value::Bool(false));
        let schema = make(generator).to_value();
        generator.definitions_mut().insert(name.into(), schema);
    }
    json_schema!({"$ref": format!("#/$defs/{name}")})
}
