//! Resolves questions about attributes of CF before arrays are downsampled or unpacked: which elements are missing, and
//! how they are treated.

use std::io;
use std::path::{Path, PathBuf};

use exactum_metadata::{DocumentKind, Packing, of_attributes, parse_array_of_any_grid};
use exactum_model::{Cf, DataType, Method};
use exactum_plan::number::shown;
use serde_json::Value;

/// Returns an error if attributes of CF declare elements missing and no option determines their treatment. `skips`
/// states whether a value is skipped.
///
/// # Errors
/// If an option is needed. The message names the options to choose from.
pub(crate) fn ask(input: &Path, method: Method, skips: bool) -> Result<(), String> {
    // Faults of the document are reported when the array is opened.
    let Some((packing, data_type)) = packing_of(input) else {
        return Ok(());
    };
    let name = input.display();
    let unsigned = packing
        .codec
        .as_ref()
        .filter(|codec| codec.counted != codec.packed);
    if let (Some(codec), false) = (unsigned, matches!(method, Method::Stride | Method::Mode)) {
        return Err(format!(
            "{name}: readers of CF read the elements as {}, since _Unsigned is \"true\", and the \
             {method} of {data_type} would be different; --raw treats the elements as \
             {data_type}",
            codec.counted
        ));
    }
    let is_negative = packing
        .attribute("scale_factor")
        .is_some_and(|attribute| attribute.text.starts_with('-'));
    if is_negative && matches!(method, Method::Min | Method::Max) {
        return Err(format!(
            "{name}: scale_factor is negative, so the {method} of the elements is not the \
             {method} of the values that readers of CF get; --raw uses the elements as they are"
        ));
    }
    if skips || method == Method::Stride {
        return Ok(());
    }
    let named = packing.missing.iter().map(|missing| {
        let value = shown(data_type, missing.value.component(0));
        (format!("{} {value}", missing.name), value)
    });
    let (mut reasons, mut values): (Vec<String>, Vec<String>) = named.unzip();
    let ranges = ["valid_min", "valid_max", "valid_range"];
    let ranges = ranges
        .into_iter()
        .filter_map(|name| packing.attribute(name));
    reasons.extend(ranges.map(|attribute| format!("{} {}", attribute.name, attribute.text)));
    if reasons.is_empty() {
        return Ok(());
    }
    values.dedup();
    let options: Vec<String> = values
        .iter()
        .map(|value| format!("--skip-value={value} leaves that value out"))
        .chain(["--raw treats every element as a value".to_owned()])
        .collect();
    Err(format!(
        "{name}: attributes declare elements missing ({}), and the {method} of a block would treat \
         them as values; {}",
        reasons.join(", "),
        options.join(", ")
    ))
}

/// Returns how the elements of the array in a folder are unpacked, if attributes of CF pack them and `raw` does not
/// select the stored elements.
///
/// # Errors
/// If there are such attributes, and it is not known how readers treat them.
pub(crate) fn unpacking(folder: &Path, raw: bool) -> Result<Option<Cf>, String> {
    let Some((packing, _)) = packing_of(folder).filter(|_| !raw) else {
        return Ok(None);
    };
    if let Some(why) = packing.unknown {
        return Err(format!(
            "{}: {why}; --raw uses the stored elements",
            folder.display()
        ));
    }
    Ok(packing.codec.filter(|codec| codec.unpacked != codec.packed))
}

/// Returns the packing attributes and the data type of the array in a folder, or of the first level of an
/// OME-Zarr image.
fn packing_of(folder: &Path) -> Option<(Packing, DataType)> {
    let text = document(folder)?;
    let text = match DocumentKind::of(text.as_bytes()) {
        DocumentKind::Group => document(&first_level(folder, &text)?)?,
        _ => text,
    };
    let document = parse_array_of_any_grid(&text).ok()?;
    let packing = of_attributes(&text, &document).ok().flatten()?;
    Some((packing, document.chain.data_type))
}

/// Returns the text of the document in a folder. The function does not wait for anything that is not a
/// regular file, such as a FIFO.
fn document(folder: &Path) -> Option<String> {
    let file = exactum_pyramid::open_regular(&folder.join("zarr.json")).ok()?;
    io::read_to_string(file).ok()
}

fn first_level(folder: &Path, group: &str) -> Option<PathBuf> {
    let group: Value = serde_json::from_str(group).ok()?;
    let path = group.pointer("/attributes/ome/multiscales/0/datasets/0/path")?;
    Some(folder.join(path.as_str()?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use exactum_metadata::document::{ArrayMetadata, Codec};
    use exactum_model::{Endian, Scalar};

    use super::*;

    /// Returns the question about an array with these attributes, if there is one.
    fn asked(data_type: &str, attributes: &str, method: Method, skips: bool) -> Option<String> {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path();
        let data_type: DataType = data_type.parse().expect("a data type");
        let zero = Scalar::new(data_type, 0);
        let codecs = vec![Codec::bytes(Some(Endian::Little))];
        let array = ArrayMetadata::new(vec![4], vec![4], &zero, codecs);
        let mut document = serde_json::to_value(array).expect("a document");
        let attributes = format!("{{{attributes}}}");
        document["attributes"] = serde_json::from_str(&attributes).expect("attributes");
        fs::write(folder.join("zarr.json"), document.to_string()).expect("a document");
        let asked = ask(folder, method, skips).err();
        asked.map(|words| words.replace(&folder.display().to_string(), "IN"))
    }

    #[test]
    fn what_is_missing_is_asked_about() {
        let fill = r#""_FillValue": -32767"#;
        let words = asked("int16", fill, Method::Mean, false).expect("a question");
        assert_eq!(
            words,
            "IN: attributes declare elements missing (_FillValue -32767), and the mean of a block would treat them as \
             values; --skip-value=-32767 leaves that value out, --raw treats every element as a value"
        );
        for (data_type, attributes, method, skips, is_asked) in [
            ("int16", fill, Method::Min, false, true),
            ("int16", fill, Method::Mode, false, true),
            ("int16", fill, Method::Mean, true, false),
            ("int16", fill, Method::Stride, false, false),
            (
                "int16",
                r#""missing_value": [1, 2]"#,
                Method::Median,
                false,
                true,
            ),
            ("int16", r#""valid_min": 0"#, Method::Max, false, true),
            (
                "int16",
                r#""scale_factor": 0.5"#,
                Method::Mean,
                false,
                false,
            ),
            ("int8", r#""_Unsigned": "true""#, Method::Mean, true, true),
            ("int8", r#""_Unsigned": "true""#, Method::Mode, false, false),
            (
                "float32",
                r#""missing_value": -999.0"#,
                Method::Mean,
                false,
                true,
            ),
            ("int64", r#""_FillValue": -1"#, Method::Mean, false, true),
        ] {
            let asked = asked(data_type, attributes, method, skips);
            assert_eq!(
                asked.is_some(),
                is_asked,
                "{data_type} {attributes} {method}: {asked:?}"
            );
        }
    }
}
