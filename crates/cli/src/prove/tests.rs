use exactum_reference::analysis::{self, Effort, FaultKind};

use super::*;
use exactum_plan::{EFFORT, Tolerance};

/// Returns an array document with these codecs.
fn document(data_type: &str, fill_value: &str, codecs: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "{data_type}",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, "codecs": {codecs}}}"#
    )
}

fn reported(document: &str, range: &str, needs: &[&str]) -> String {
    let document = exactum_metadata::parse_array(document).expect("a document");
    let range = ends(range).and_then(|range| bits_of(document.chain.data_type, &range));
    let range = match range {
        Ok(range) => range,
        Err(why) => return why,
    };
    let needs: Vec<String> = needs.iter().map(|&need| need.to_owned()).collect();
    match Proof::of(
        &document.chain,
        range,
        &needs,
        &Tolerance::any(DataType::Float64),
    ) {
        Ok(proof) => format!("{}\n{:#}\n", proof.words(), proof.document()),
        Err(why) => why,
    }
}

const LITTLE: &str = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;

fn scaled(offset: &str, scale: &str, cast: &str) -> String {
    format!(
        r#"[{{"name": "scale_offset", "configuration": {{"offset": {offset}, "scale": {scale}}}}},
            {{"name": "cast_value", "configuration": {{{cast}}}}}, {LITTLE}]"#
    )
}

#[test]
fn proofs_and_refutations_are_reported() {
    let nan = r#""scalar_map": {"encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}"#;
    let int16 = format!(r#""data_type": "int16", {nan}"#);
    let clamped = format!(r#""data_type": "int16", "out_of_range": "clamp", {nan}"#);
    let wrapped = format!(r#""data_type": "int16", "out_of_range": "wrap", {nan}"#);
    let good = document("float64", "\"NaN\"", &scaled("273.15", "100", &int16));
    let packed = r#"[{"name": "packbits", "configuration": {"first_bit": 0, "last_bit": 11}}]"#;
    let rows: [(&str, String, &str, &[&str]); 16] = [
        ("kept", good.clone(), "-54..600", &["NaN"]),
        ("infinity-needed", good.clone(), "-54..600", &["Infinity"]),
        ("rejected", good.clone(), "-54..601", &[]),
        ("empty", good.clone(), "2..1", &[]),
        ("no-number", good.clone(), "0..many", &[]),
        ("no-range", good.clone(), "5", &[]),
        ("not-finite", good.clone(), "0..Infinity", &[]),
        (
            "clamped-onto-nan",
            document("float64", "\"NaN\"", &scaled("273.15", "100", &clamped)),
            "-100..100",
            &[],
        ),
        (
            "wrapped-onto-nan",
            document("float64", "\"NaN\"", &scaled("273.15", "100", &wrapped)),
            "0..700",
            &[],
        ),
        (
            "fill-value-met",
            document(
                "float64",
                "-1.0",
                &scaled("0", "1", r#""data_type": "int16""#),
            ),
            "-0.9..10",
            &[],
        ),
        (
            "codes-lost",
            document(
                "float32",
                "0",
                &scaled("0", "1e7", r#""data_type": "int32""#),
            ),
            "0..100",
            &[],
        ),
        ("bits-cut", document("uint16", "0", packed), "0..5000", &[]),
        ("bits-kept", document("uint16", "0", packed), "0..4095", &[]),
        (
            "wrapped-and-back",
            document(
                "uint8",
                "0",
                r#"[{"name": "cast_value", "configuration": {"data_type": "int8", "out_of_range": "wrap"}}, "bytes"]"#,
            ),
            "0..255",
            &[],
        ),
        (
            "blocks",
            document(
                "float64",
                "0",
                r#"[{"name": "zfp", "configuration": {"mode": "reversible"}}]"#,
            ),
            "0..1",
            &[],
        ),
        (
            "complex",
            document("complex64", "[0, 0]", &format!("[{LITTLE}]")),
            "0..1",
            &[],
        ),
    ];
    for (name, document, range, needs) in rows {
        insta::assert_snapshot!(name, reported(&document, range, needs));
    }
}

/// Chains in which one value of the range gets the code of NaN, because that code is in the middle of the
/// codes, at one end, or is reached by a clamp or a wrap. Each chain is refuted by a value that the codecs
/// themselves store as that code.
#[test]
fn planted_collisions_are_shown() {
    let mut planted = 0;
    // The errors of the values are not tested here.
    let brief = Effort {
        codes: 1 << 12,
        ..EFFORT
    };
    for index in 0..25i32 {
        let (scale, offset) = (
            1.0 + f64::from(index) * 0.37,
            f64::from(index * index) - 90.0,
        );
        let code = index * 1277 % 30_000 - 15_000;
        // The range around the value of the code, which is a few hundred codes wide.
        let middle = f64::from(code) / scale + offset;
        let inside = [middle - 150.0 / scale, middle + 250.0 / scale];
        let beyond = [0.0, 40_000.0 / scale + offset];
        let around = [0.0, (65_536.0 + f64::from(code)) / scale + offset + 1.0];
        for (rule, key, range) in [
            ("", code, inside),
            (r#""rounding": "towards-zero", "#, code, inside),
            (r#""out_of_range": "clamp", "#, 32_767, beyond),
            (r#""out_of_range": "wrap", "#, code, around),
        ] {
            let cast = format!(
                r#""data_type": "int16", {rule}"scalar_map": {{"encode": [["NaN", {key}]], "decode": [[{key}, "NaN"]]}}"#
            );
            let codecs = scaled(&offset.to_string(), &scale.to_string(), &cast);
            let document = document("float64", "\"NaN\"", &codecs);
            let document = exactum_metadata::parse_array(&document).expect("a document");
            let chain = &document.chain;
            let range = range.map(|end| end.to_string());
            let bits = bits_of(chain.data_type, &range).expect("a range");
            let tolerance = Tolerance::any(DataType::Float64);
            let proof = Proof::with(chain, bits, &[], &tolerance, brief).expect("a range");
            assert_eq!(proof.verdict(), Verdict::Refuted, "{codecs}: {range:?}");
            let met = proof
                .analysis
                .faults
                .iter()
                .find_map(|fault| match fault.kind {
                    FaultKind::Reserved { code, .. } => Some((fault, code)),
                    _ => None,
                });
            let (fault, met) = met.unwrap_or_else(|| panic!("{codecs}: {range:?}"));
            assert_eq!(shown(proof.analysis.stored, met), key.to_string());
            for value in [fault.first, fault.last] {
                let stored = analysis::put(&proof.one, value).expect("a code");
                let back = stored.back.map(|bits| f64::from_bits(bits).is_nan());
                assert_eq!((stored.code, back), (met, Ok(true)), "{codecs}: {value:#x}");
            }
            planted += 1;
        }
    }
    assert_eq!(planted, 100);
}
