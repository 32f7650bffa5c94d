//! Refusals: inputs, options and folders that do not fit each other.

use super::*;

#[test]
fn what_cannot_be_made_is_refused() {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in.zarr", "out.zarr"].map(|name| scratch.path().join(name));
    let data_type = DataType::Complex64;
    write(&input, data_type, &document(data_type, &bytes()));
    fs::create_dir_all(scratch.path().join("group.zarr")).expect("a folder");
    let group = r#"{"zarr_format": 3, "node_type": "group", "attributes": {"ome": {"multiscales": [
        {"datasets": [{"path": "../in.zarr"}]}]}}}"#;
    fs::write(scratch.path().join("group.zarr/zarr.json"), group).expect("a group");
    let refuse = |input: &Path, options: &Options, words: &str| {
        let error = make(input, &output, options, Part::WHOLE)
            .expect_err(words)
            .to_string();
        assert!(error.contains(words), "{error}");
        assert!(!output.exists(), "{words}");
    };
    let mean = options(Method::Mean);
    let flat = Options::new(vec![2, 2], Method::Mean);
    refuse(&scratch.path().join("nothing"), &mean, "does not exist");
    refuse(
        &scratch.path().join("group.zarr"),
        &mean,
        "not an OME-Zarr 0.5 image",
    );
    refuse(&input, &options(Method::Min), "complex64");
    refuse(&input, &flat, "do not match");
    assert_eq!(
        make(&input, &output, &mean, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    let other = make(&input, &output, &options(Method::Mode), Part::WHOLE);
    assert!(matches!(&other, Err(Error::Output(_))), "{other:?}");
    let half = scratch.path().join("half.zarr");
    let part = Part::new(1, 2).expect("a part");
    assert!(matches!(
        make(&input, &half, &mean, part),
        Ok(Outcome::Waiting(_))
    ));
    let other = make(&input, &half, &options(Method::Mode), part);
    assert!(matches!(&other, Err(Error::Output(_))), "{other:?}");
    let other = scratch.path().join("other");
    fs::create_dir_all(other.join("0")).expect("a folder");
    let refused = make(&input, &other, &mean, Part::WHOLE);
    assert!(matches!(&refused, Err(Error::Output(words)) if words.contains("is not empty")));
    // A truncated chunk is an error, and is not treated as a chunk of fill values.
    let chunk = input.join("c/1/1/1");
    let whole = fs::read(&chunk).expect("a chunk");
    fs::write(&chunk, &whole[..whole.len() - 1]).expect("a chunk");
    let cut = make(&input, &scratch.path().join("cut.zarr"), &mean, Part::WHOLE);
    assert!(matches!(&cut, Err(Error::File(_))), "{cut:?}");
}

/// The output folder neither contains the input folder nor is inside it.
#[test]
fn folders_are_apart() {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("group/in.zarr");
    write(
        &input,
        DataType::Uint8,
        &document(DataType::Uint8, &bytes()),
    );
    let before = tree(scratch.as_ref());
    for (output, words) in [
        ("group/in.zarr", "is the input itself"),
        ("group/in.zarr/p", "is inside the input"),
        ("group/in.zarr/../in.zarr/p/q", "is inside the input"),
        ("group", "contains the input"),
        ("other/../group", "contains the input"),
    ] {
        let output = scratch.path().join(output);
        let made = make(&input, &output, &options(Method::Mean), Part::WHOLE);
        assert!(
            matches!(&made, Err(Error::Output(message)) if message.contains(words)),
            "{}: {made:?}",
            output.display()
        );
    }
    let link = scratch.path().join("link");
    std::os::unix::fs::symlink(&input, &link).expect("a link");
    let made = make(&input, &link.join("p"), &options(Method::Mean), Part::WHOLE);
    assert!(matches!(&made, Err(Error::Output(_))), "{made:?}");
    fs::remove_file(&link).expect("it is gone");
    assert!(tree(scratch.as_ref()) == before);
}

/// A scale that is not one number for each dimension is refused, and so is one that becomes too large.
#[test]
fn images_with_wrong_scales_are_refused() {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in.zarr");
    write(
        &input.join("s0"),
        DataType::Uint8,
        &document(DataType::Uint8, &bytes()),
    );
    for (transformations, words) in [
        (
            json!([{"type": "scale", "scale": [1, 1]}]),
            "has 2 numbers, but the array has 3 dimensions",
        ),
        (
            json!([{"type": "scale", "scale": [1, "1", 1]}]),
            "is not a list of numbers",
        ),
        (
            json!([{"type": "scale", "scale": "1"}]),
            "is not a list of numbers",
        ),
        (
            json!([{"type": "scale", "scale": [1, 1, 1e308]}]),
            "of level 1 is too large",
        ),
        (
            json!([{"type": "translation", "translation": [0]}]),
            "has 1 numbers",
        ),
        (json!({"type": "scale"}), "is not a list"),
    ] {
        let group = json!({"zarr_format": 3, "node_type": "group", "attributes": {"ome": {
            "version": "0.5",
            "multiscales": [{"datasets": [{"path": "s0", "coordinateTransformations": transformations}]}],
        }}});
        fs::write(input.join("zarr.json"), group.to_string()).expect("a group");
        let output = scratch.path().join("out.zarr");
        let made = make(&input, &output, &options(Method::Mean), Part::WHOLE);
        assert!(
            matches!(&made, Err(Error::Input(message)) if message.contains(words)),
            "{transformations}: {made:?}"
        );
        assert!(!output.exists(), "{transformations}");
    }
}
