//! Levels that are made in one pass over the array. Each of them is, byte for byte, the same as in a run that makes no
//! other level.

use super::*;

/// Makes several levels from the array itself in one run, and each of them in a separate run with the same total
/// factors.
fn check(name: &str, data_type: DataType, codecs: &Value, options: Options) {
    let together = options.from_base().without_base();
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in.zarr");
    write(&input, data_type, &document(data_type, codecs));
    let output = scratch.path().join("out.zarr");
    // Makes the levels in two parts, which does not change the result.
    for index in [2, 1] {
        let part = Part::new(index, 2).expect("a part");
        make(&input, &output, &together, part).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
    let mut chunks = 0;
    for level in 1..=together.levels.expect("a number") {
        let factors = together.factors[0].iter();
        let mut alone = together.clone().with_levels(1);
        alone.factors = vec![factors.map(|factor| factor.pow(level)).collect()];
        let other = scratch.path().join(format!("{level}.zarr"));
        assert_eq!(
            make(&input, &other, &alone, Part::WHOLE),
            Ok(Outcome::Complete),
            "{name}"
        );
        let made = tree(&output.join(level.to_string()));
        let expected = tree(&other.join("1"));
        assert!(expected.contains_key("zarr.json"), "{name}");
        chunks += expected.len() - 1;
        assert!(made == expected, "{name}, {data_type}: level {level}");
    }
    assert!(chunks > 0, "{name}, {data_type}: nothing was compared");
}

#[test]
fn levels_of_one_pass_are_those_of_runs_alone() {
    for &method in Method::ALL {
        check(method.name(), DataType::Int16, &bytes(), options(method));
        check(method.name(), DataType::Float32, &bytes(), options(method));
    }
    for data_type in [
        DataType::Bool,
        DataType::Int4,
        DataType::Uint64,
        DataType::Float16,
        DataType::Complex64,
    ] {
        check("mean", data_type, &bytes(), options(Method::Mean));
        check("mode", data_type, &bytes(), options(Method::Mode));
    }
}

/// Factors that end between two chunks, chunks in shards, and blocks with omitted elements.
#[test]
fn levels_of_one_pass_in_other_ways() {
    let little = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let sharding = json!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [1, 4, 8], "codecs": [little], "index_codecs": [little, {"name": "crc32c"}],
    }}]);
    let zstd = json!([little, {"name": "zstd", "configuration": {"level": 1, "checksum": false}}]);
    for method in [Method::Mean, Method::Mode] {
        for factors in [vec![2, 4, 2], vec![1, 3, 2]] {
            let options = Options::new(factors, method).with_levels(3);
            check("shards", DataType::Uint16, &sharding, options.clone());
            check("zstd", DataType::Float32, &zstd, options);
        }
        let labels = options(method).with_skip_value("0");
        check("labels", DataType::Uint64, &zstd, labels);
    }
    let nan = options(Method::Mean).with_nan(NanPolicy::Skip);
    check("nan", DataType::Float16, &zstd, nan);
}
