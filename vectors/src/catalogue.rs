//! The two tables that a consumer needs in addition to the vectors.

use exactum_model::{DataType, Nan, Reason};
use serde_json::{Value, json};

use crate::render::lines;

/// Returns the text of `vectors/data_types.json`, which is needed to compare elements.
///
/// `nan` states which bit patterns of a component (as numbers in hex) are NaN: either every pattern that has all bits
/// of `ones` and some bit of `some`, or the listed `codes`.
#[must_use]
pub fn data_types() -> String {
    let rows: Vec<Value> = DataType::ALL
        .iter()
        .map(|&data_type| row(data_type))
        .collect();
    lines(
        r#"{"format":"exactum-data-types","version":1}"#,
        "data_types",
        &rows,
    )
}

fn row(data_type: DataType) -> Value {
    let format = data_type.format();
    let width = 2 * format.component_bytes();
    let hex = |bits: u64| format!("{bits:0width$x}");
    let nan = format.float().and_then(|float| {
        let default = hex(float.nan_bits()?);
        Some(match float.nan {
            Nan::Ieee => json!({
                "ones": hex(float.max_exponent_field() << float.mantissa_bits),
                "some": hex(float.mantissa_mask()),
                "default": default,
            }),
            Nan::Only(code) => json!({"codes": [hex(code)], "default": default}),
            Nan::AllOnes => {
                let code = float.nan_bits()?;
                json!({"codes": [hex(code), hex(code | float.sign_mask())], "default": default})
            }
            Nan::None => return None,
        })
    });
    json!({
        "name": data_type.name(),
        "bytes": data_type.element_bytes(),
        "components": format.components(),
        "component_bits": format.component_bits(),
        "component_mask": hex(format.component_mask()),
        "nan": nan,
    })
}

/// Returns the text of `vectors/reasons.json`: the closed list of reasons.
#[must_use]
pub fn reasons() -> String {
    let rows: Vec<Value> = Reason::ALL
        .iter()
        .map(|reason| json!({"reason": reason.name(), "meaning": reason.meaning()}))
        .collect();
    lines(
        r#"{"format":"exactum-reasons","version":1}"#,
        "reasons",
        &rows,
    )
}
