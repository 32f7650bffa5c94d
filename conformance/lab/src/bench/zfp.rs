//! `zfp` for its types, ranks and modes, on smooth fields: sums of waves, as in the output of simulations.
//!
//! The in-process peer is `zfp-rs`. The C library is a separate program (`conformance/zfp-c`), which receives the
//! elements and the stream of each case.

use std::f64::consts::TAU;
use std::num::NonZeroUsize;

use exactum_conformance::model::{DataType, Zfp, ZfpScalar};
use exactum_optimized::zfp::{decode_into, encode_into};
use serde_json::json;
use zfp_rs::{ZfpBitStream, ZfpConfig, ZfpDims, ZfpField, ZfpFieldMut, ZfpScalar as PeerScalar};

use super::options::Options;
use super::outside::Work;
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "zfp";

/// The measured modes of a type and a rank.
#[derive(Clone, Copy)]
enum Mode {
    /// A quarter of the bits of the elements.
    FixedRate,
    /// An absolute error of 2^-10, for numbers up to some hundreds.
    FixedAccuracy,
    /// Half of the bit planes.
    FixedPrecision,
    Reversible,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::FixedRate => "fixed_rate",
            Mode::FixedAccuracy => "fixed_accuracy",
            Mode::FixedPrecision => "fixed_precision",
            Mode::Reversible => "reversible",
        }
    }

    fn codec(self, data_type: DataType, rank: usize) -> Zfp {
        let reversible = Zfp::reversible(data_type, rank);
        let lossy = Zfp {
            min_exponent: Zfp::MIN_EXPONENT,
            ..reversible
        };
        let bits = reversible.scalar().map_or(0, ZfpScalar::bits);
        match self {
            Mode::FixedRate => {
                let max_bits = (bits / 4) << (2 * rank);
                Zfp {
                    min_bits: max_bits,
                    max_bits,
                    ..lossy
                }
            }
            Mode::FixedAccuracy => Zfp {
                min_exponent: -10,
                ..lossy
            },
            Mode::FixedPrecision => Zfp {
                max_precision: bits / 2,
                ..lossy
            },
            Mode::Reversible => reversible,
        }
    }
}

/// An element type of both libraries.
trait Number: PeerScalar {
    const DATA_TYPE: DataType;
    /// The lossy mode without a fixed rate.
    const LOSSY: Mode;

    fn of(value: f64) -> Self;
    fn extend(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty: $data_type:ident, $lossy:ident, $scale:literal;)*) => {$(
        impl Number for $number {
            const DATA_TYPE: DataType = DataType::$data_type;
            const LOSSY: Mode = Mode::$lossy;

            #[allow(
                clippy::cast_possible_truncation,
                reason = "numbers that all types hold, or that are rounded"
            )]
            fn of(value: f64) -> Self {
                (value * $scale) as $number
            }

            fn extend(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

numbers! {
    i32: Int32, FixedPrecision, 1e3;
    i64: Int64, FixedPrecision, 1e12;
    f32: Float32, FixedAccuracy, 1.0;
    f64: Float64, FixedAccuracy, 1.0;
}

/// Returns the extents for each rank, the slowest dimension first, with the same number of elements for all ranks.
fn shapes(options: &Options) -> ([usize; 1], [usize; 2], [usize; 3], [usize; 4]) {
    if options.quick || options.cached {
        ([1 << 12], [64; 2], [16; 3], [8; 4])
    } else {
        ([1 << 20], [1 << 10; 2], [64, 128, 128], [32; 4])
    }
}

/// Returns a wave and its overtones along every axis, and their product.
fn waves(shape: &[usize]) -> Vec<f64> {
    let count = shape.iter().product();
    let phase = |mut index: usize, axis: usize| {
        for extent in &shape[axis + 1..] {
            index /= extent;
        }
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let phase = (index % shape[axis]) as f64 / shape[axis] as f64;
        TAU * phase
    };
    let axes: Vec<(usize, f64)> = (0..shape.len()).zip([2.0, 3.0, 4.0, 5.0]).collect();
    (0..count)
        .map(|index| {
            let sum = axes
                .iter()
                .map(|&(axis, pitch)| (phase(index, axis) * (pitch + 0.5)).sin() * 300.0 / pitch);
            let product = axes
                .iter()
                .map(|&(axis, pitch)| (phase(index, axis) * pitch + 0.3).cos());
            sum.sum::<f64>() + 200.0 * product.product::<f64>()
        })
        .collect()
}

pub(super) fn run(bench: &mut Bench<'_>) {
    let (one, two, three, four) = shapes(bench.options);
    bench.rank(&one, one);
    bench.rank(&two, two);
    bench.rank(&three, three);
    bench.rank(&four, four);
}

impl Bench<'_> {
    /// Measures all types and modes of a rank. The peer expects the fastest dimension first, so the extents are
    /// reversed.
    fn rank<const D: usize>(&mut self, shape: &[usize], mut dims: [usize; D])
    where
        [usize; D]: ZfpDims,
    {
        dims.reverse();
        let values = waves(shape);
        self.number::<i32, D>(shape, dims, &values);
        self.number::<i64, D>(shape, dims, &values);
        self.number::<f32, D>(shape, dims, &values);
        self.number::<f64, D>(shape, dims, &values);
    }

    fn number<N: Number, const D: usize>(
        &mut self,
        shape: &[usize],
        dims: [usize; D],
        values: &[f64],
    ) where
        [usize; D]: ZfpDims,
    {
        let elements: Vec<N> = values.iter().map(|&value| N::of(value)).collect();
        for mode in [Mode::FixedRate, N::LOSSY, Mode::Reversible] {
            let name = format!("{} {D}-D {}", N::DATA_TYPE, mode.name());
            if ["encode", "decode"]
                .iter()
                .any(|it| self.takes(&format!("{name} {it}")))
            {
                (self.progress)(&name);
                self.mode(&name, &mode.codec(N::DATA_TYPE, D), shape, dims, &elements);
            }
        }
    }

    /// Measures both directions.
    fn mode<N: Number, const D: usize>(
        &mut self,
        name: &str,
        codec: &Zfp,
        shape: &[usize],
        dims: [usize; D],
        elements: &[N],
    ) where
        [usize; D]: ZfpDims,
    {
        let shape: Vec<u64> = shape.iter().map(|&extent| extent as u64).collect();
        let mut decoded = Vec::new();
        elements.iter().for_each(|it| it.extend(&mut decoded));
        let one = NonZeroUsize::MIN;
        let mut encoded = Vec::new();
        encode_into(codec, &shape, &decoded, &mut encoded, one).expect("small finite numbers");
        let mut again = encoded.clone();
        let mut output = decoded.clone();
        decode_into(codec, &shape, &encoded, &mut output, one).expect("of this shape");

        let config = config(codec);
        let field = ZfpField::new(elements, dims).expect("as many elements");
        // Lossless blocks may be somewhat larger than their elements.
        let mut stream = ZfpBitStream::new(2 * decoded.len() + 4096).expect("memory");
        stream.compress(&config, &field).expect("it fits");
        let mut peers = vec![N::default(); elements.len()];
        let mut back = ZfpFieldMut::new(&mut peers, dims).expect("as many elements");
        stream.rewind();
        stream
            .decompress(&config, &mut back)
            .expect("its own stream");
        let differs = [
            stream.as_bytes().get(..encoded.len()) != Some(&encoded[..]),
            back.data() != output,
        ];
        let bytes = decoded.len() + encoded.len();
        for (direction, differs) in ["encode", "decode"].into_iter().zip(differs) {
            let Some(case) = self.case(ROW, format!("{name} {direction}"), bytes) else {
                continue;
            };
            let encodes = direction == "encode";
            let (input, result, data_type) = match encodes {
                true => (&decoded, &encoded, DataType::Uint8),
                false => (&encoded, &output, N::DATA_TYPE),
            };
            let work = Work {
                case: json!({
                    "operation": format!("zfp.{direction}"),
                    "data_type": N::DATA_TYPE.name(),
                    "shape": shape,
                    "configuration": configuration(codec),
                }),
                period: input.clone(),
                count: input.len(),
                output: data_type,
                first: result.clone(),
            };
            let mut contestants = if encodes {
                vec![
                    Contestant::here("optimized", || {
                        encode_into(codec, &shape, &decoded, &mut again, one)
                            .expect("small finite numbers");
                    }),
                    Contestant::here("zfp-rs", || {
                        stream.rewind();
                        stream.compress(&config, &field).expect("it fits");
                    }),
                ]
            } else {
                vec![
                    Contestant::here("optimized", || {
                        decode_into(codec, &shape, &encoded, &mut output, one)
                            .expect("of this shape");
                    }),
                    Contestant::here("zfp-rs", || {
                        stream.rewind();
                        stream
                            .decompress(&config, &mut back)
                            .expect("its own stream");
                    }),
                ]
            };
            contestants[1].marks.differs = differs;
            self.race(&case, contestants, Some(&work));
        }
    }
}

/// Returns the limits of a codec in the form of zfp-rs.
fn config(codec: &Zfp) -> ZfpConfig {
    let config = ZfpConfig::expert(
        codec.min_bits,
        codec.max_bits,
        codec.max_precision,
        codec.min_exponent,
    );
    config.expect("limits that zfp has")
}

/// Returns the limits of a codec in the form of documents.
fn configuration(codec: &Zfp) -> serde_json::Value {
    json!({
        "mode": "expert",
        "minbits": codec.min_bits,
        "maxbits": codec.max_bits,
        "maxprec": codec.max_precision,
        "minexp": codec.min_exponent,
    })
}

#[cfg(test)]
mod tests {
    use super::super::session::quick;
    use super::*;

    /// Every case of a type runs, and the peer gives the same results.
    #[test]
    fn cases_run() {
        let rows = quick(ROW, "float32", false);
        assert_eq!(rows.len(), 4 * 3 * 2 * 2);
        for pair in rows.as_chunks::<2>().0 {
            let names = pair.each_ref().map(|row| row.implementation.as_str());
            assert_eq!(names, ["optimized", "zfp-rs"]);
            assert!(!pair[1].marks.differs, "{}", pair[1].case);
        }
    }
}
