//! Mutants of documents: data types.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-data_type.name",
            r#"Names are compared without regard to case, or handed to numpy, which knows "<f4"."#,),
        unchecked("unchecked-data_type.form",
            "The form is not checked: an object without a name is accepted as a data type."),
        unchecked("unchecked-data_type.configuration",
            "The configuration is ignored."),
        refused("core-object-refused", "data_type.core-object",
            "A data type of the core must be a string (the core's own sentence about it).",
            |text| read(text)["data_type"].is_object()),
        refused("data-type-must-understand-refused", "data_type.core-object",
            "must_understand is an unknown key on a data type (the published JSON Schemas).",
            |text| !read(text)["data_type"]["must_understand"].is_null()),
        refused("empty-configuration-refused", "data_type.configuration",
            "A data type without parameters has no configuration, not even an empty one.",
            |text| read(text)["data_type"]["configuration"].is_object()),
    ]
}
