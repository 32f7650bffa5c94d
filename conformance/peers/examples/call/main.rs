//! Calls a Rust library without its adapter; `.ci/sample SEED --call` runs it for each case of a sample.
//!
//! `call LIBRARY` reads a request as a line of JSON and answers with the library's result in hexadecimal (`ok`), with
//! the reason why the library refused (`reject`), or with the place where it panicked (`crash`). It covers the
//! operations that accusations of these libraries are about, and answers `uncovered` for any other.

#![allow(
    clippy::expect_used,
    reason = "a panic of this program means that a request is not covered"
)]

mod lines;
mod zarrs;

use std::env;

use half::f16;
use serde_json::Value;
use zarr_cast_value::{
    FloatToFloatConfig, OutOfRangeMode, RoundingMode, convert_slice_float_to_float,
};
use zfp_rs::{ZfpBitStream, ZfpConfig, ZfpFieldMut, ZfpScalar};

use lines::{Answer, input, text};

fn main() {
    let library = env::args().nth(1).expect("the name of a library");
    lines::serve(|request| match library.as_str() {
        "half" => half(request),
        "zarr-cast-value" => zarr_cast_value(request),
        "zarrs" => zarrs::call(request, zarrs::open),
        "zarrs-exactum" => zarrs::call(request, |store| {
            let plugins = exactum_zarrs_plugins::register();
            if request["configuration"] == "null" {
                // The registration reads the document itself; `zarrs` alone opens documents that it would reject.
                return zarrs::open(store);
            }
            plugins.open(store, "/").map_err(|error| error.to_string())
        }),
        "zfp-rs" => zfp_rs(request),
        other => panic!("{other} is not supported by this program"),
    });
}

/// Returns the configuration of a request.
fn configuration(request: &Value) -> Value {
    serde_json::from_str(text(request, "configuration")).expect("a configuration")
}

/// Returns the float64 elements of a request that casts them to float16.
fn doubles(request: &Value) -> Vec<f64> {
    assert_eq!(text(&request["input"], "data_type"), "float64");
    let bytes = input(request);
    let (elements, rest) = bytes.as_chunks::<8>();
    assert!(rest.is_empty());
    elements.iter().copied().map(f64::from_le_bytes).collect()
}

fn bytes_of(halves: &[f16]) -> Value {
    let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    lines::hexed(&bytes)
}

fn half(request: &Value) -> Answer {
    let halves: Vec<f16> = doubles(request).into_iter().map(f16::from_f64).collect();
    Ok(bytes_of(&halves))
}

fn zarr_cast_value(request: &Value) -> Answer {
    let configuration = configuration(request);
    assert!(configuration.get("scalar_map").is_none());
    let rounding = match configuration.get("rounding").and_then(Value::as_str) {
        None | Some("nearest-even") => RoundingMode::NearestEven,
        Some("nearest-away") => RoundingMode::NearestAway,
        Some("towards-zero") => RoundingMode::TowardsZero,
        Some("towards-positive") => RoundingMode::TowardsPositive,
        Some("towards-negative") => RoundingMode::TowardsNegative,
        Some(other) => panic!("{other} is not a rounding mode"),
    };
    let clamps = configuration.get("out_of_range").is_some();
    let config = FloatToFloatConfig {
        map_entries: Vec::new(),
        rounding,
        out_of_range: clamps.then_some(OutOfRangeMode::Clamp),
    };
    let from = doubles(request);
    let mut to = vec![f16::ZERO; from.len()];
    convert_slice_float_to_float::<f64, f16>(&from, &mut to, &config)
        .map_err(|error| error.to_string())?;
    Ok(bytes_of(&to))
}

fn zfp_rs(request: &Value) -> Answer {
    assert_eq!(text(request, "op"), "zfp.decode");
    assert_eq!(text(&configuration(request), "mode"), "reversible");
    match text(request, "data_type") {
        "float32" => decoded(request, f32::to_le_bytes),
        "float64" => decoded(request, f64::to_le_bytes),
        other => panic!("{other} is not supported by this program"),
    }
}

/// Returns zfp-rs's decoding of a one-dimensional stream.
fn decoded<T: ZfpScalar, const N: usize>(request: &Value, bytes: fn(T) -> [u8; N]) -> Answer {
    let shape = lines::shape(&request["shape"]);
    let [extent] = shape[..] else {
        panic!("{shape:?} does not have exactly one dimension");
    };
    let extent = usize::try_from(extent).expect("a length");
    let mut elements = vec![T::default(); extent];
    let refused = |error: &dyn std::fmt::Display| error.to_string();
    let mut field =
        ZfpFieldMut::new(&mut elements, [extent, 0, 0, 0]).map_err(|error| refused(&error))?;
    let stored = lines::bytes(text(request, "bytes"));
    let mut stream = ZfpBitStream::from_bytes(&stored).map_err(|error| refused(&error))?;
    stream
        .decompress(&ZfpConfig::reversible(), &mut field)
        .map_err(|error| refused(&error))?;
    let bytes: Vec<u8> = elements.into_iter().flat_map(bytes).collect();
    Ok(lines::hexed(&bytes))
}
