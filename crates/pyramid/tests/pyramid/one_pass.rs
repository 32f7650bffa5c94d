//! Levels that are made in one pass over the array: each is, byte for byte, the one that a run makes which makes nothing
//! else.

use super::*;

/// Levels of the array itself by the powers of factors, and each of them alone.
fn check(name: &str, data_type: DataType, codecs: &Value, together: &Options) {
    let scratch = Scratch::new(&format!("pass-{name}"));
    let input = scratch.join("in.zarr");
    write(&input, data_type, &document(data_type, codecs));
    let output = scratch.join("out.zarr");
    // In two parts, which come to the same.
    for index in [2, 1] {
        let part = Part::new(index, 2).expect("a part");
        make(&input, &output, together, part).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
    let mut chunks = 0;
    for level in 1..=together.levels.expect("a number") {
        let factors = together.factors.iter();
        let alone = Options {
            factors: factors.map(|factor| factor.pow(level)).collect(),
            levels: Some(1),
            copy_base: false,
            ..together.clone()
        };
        let other = scratch.join(&format!("{level}.zarr"));
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
    for data_type in [
        DataType::Bool,
        DataType::Int4,
        DataType::Uint8,
        DataType::Int16,
        DataType::Uint64,
        DataType::Float16,
        DataType::Bfloat16,
        DataType::Float32,
        DataType::Float64,
        DataType::Complex64,
    ] {
        for &method in Method::ALL {
            if method.require(data_type).is_ok() {
                check(
                    method.name(),
                    data_type,
                    &bytes(),
                    &from_base(options(method)),
                );
            }
        }
    }
}

/// Factors that end between two chunks, chunks in shards, and blocks of which something is left out.
#[test]
fn levels_of_one_pass_in_other_ways() {
    let little = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let sharding = json!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [1, 4, 8], "codecs": [little], "index_codecs": [little, {"name": "crc32c"}],
    }}]);
    let zstd = json!([little, {"name": "zstd", "configuration": {"level": 1, "checksum": false}}]);
    for method in [Method::Mean, Method::Mode, Method::Median, Method::Min] {
        for factors in [vec![2, 4, 2], vec![1, 3, 2], vec![1, 1, 2]] {
            let options = Options {
                factors,
                ..from_base(options(method))
            };
            check("shards", DataType::Uint16, &sharding, &options);
            check("zstd", DataType::Float32, &zstd, &options);
        }
        let nan = Options {
            nan: (method != Method::Mode).then_some(NanPolicy::Skip),
            ..from_base(options(method))
        };
        check("nan", DataType::Float16, &zstd, &nan);
        if matches!(method, Method::Mean | Method::Mode) {
            let labels = Options {
                skip_value: Some("0".into()),
                ..from_base(options(method))
            };
            check("labels", DataType::Uint64, &zstd, &labels);
        }
    }
}
