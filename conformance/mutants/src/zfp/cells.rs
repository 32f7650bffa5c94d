//! Lies of `zfp` that are confined to one cell: a direction, a data type, a rank and a mode.

use std::sync::Arc;

use exactum_conformance::model::{DataType, Direction};

use super::*;
use crate::cells::ZfpMode::{self, Accuracy, Expert, Precision, Rate, Reversible};
use crate::cells::{CellMutant, Trial, of_zfp};

/// The properties of a cell.
#[derive(Clone, Copy, Debug)]
struct Place {
    direction: Direction,
    data_type: DataType,
    rank: usize,
    mode: ZfpMode,
}

impl Place {
    fn decodes(self) -> bool {
        self.direction == Direction::Decode
    }

    fn is_float(self) -> bool {
        self.data_type.format().float().is_some()
    }

    fn is_small_integer(self) -> bool {
        !self.is_float() && self.data_type.format().component_bits() < 32
    }

    /// Returns codecs of the cell.
    fn codecs(self) -> Vec<Zfp> {
        let reversible = Zfp::reversible(self.data_type, self.rank);
        let lossy = Zfp {
            min_exponent: Zfp::MIN_EXPONENT,
            ..reversible
        };
        let limited = |min_bits, max_bits, max_precision, min_exponent| Zfp {
            min_bits,
            max_bits,
            max_precision,
            min_exponent,
            ..reversible
        };
        let values = 1 << (2 * reversible.dimensions());
        match self.mode {
            Reversible => vec![reversible],
            Rate => [values * 3, values * 21 / 2]
                .map(|bits| bits.max(12))
                .map(|bits| limited(bits, bits, lossy.max_precision, lossy.min_exponent))
                .to_vec(),
            Precision => [11, 30]
                .map(|planes| limited(1, lossy.max_bits, planes, lossy.min_exponent))
                .to_vec(),
            Accuracy => [-3, -12]
                .map(|exponent| limited(1, lossy.max_bits, lossy.max_precision, exponent))
                .to_vec(),
            Expert => vec![limited(40, 300, 24, -9), limited(0, 77, 64, -30)],
        }
    }
}

/// A kind of fault.
struct Kind {
    name: &'static str,

    /// Returns whether the cell has this lie. It does if the fault shows in typical chunks; faults that show only in
    /// rare chunks are left to the mutants.
    lives: fn(Place) -> bool,
    fits: &'static [&'static str],
}

/// Faults of a codec.
#[rustfmt::skip] // A table.
const KINDS: &[Kind] = &[
    Kind { name: "first-dimension-is-x", lives: |it| it.rank > 1, fits: &["zfp.blocks"] },
    Kind { name: "last-element-repeated", lives: |it| it.rank > 0 && !it.decodes() && it.data_type.format().component_bits() > 2, fits: &["zfp.blocks.partial"] },
    Kind { name: "zeros-pad", lives: |it| !it.decodes(), fits: &["zfp.blocks.partial", "zfp.blocks.single"] },
    Kind { name: "order-by-index", lives: |it| it.rank > 1, fits: &["zfp.block.order"] },
    Kind { name: "twos-complement", lives: |_| true, fits: &["zfp.block.negabinary"] },
    Kind { name: "planes-begin-anew", lives: |it| it.rank > 0 || it.data_type.format().component_bits() > 4, fits: &["zfp.planes"] },
    Kind { name: "last-one-written", lives: |it| it.mode == Reversible && (1..4).contains(&it.rank), fits: &["zfp.planes"] },
    Kind { name: "maxbits-ignored", lives: |it| it.rank > 0 && (it.mode == Rate || (it.mode == Expert && it.rank != 2)), fits: &["zfp.block", "zfp.rate.bits"] },
    Kind { name: "lossy-integers-counted", lives: |it| !it.is_float() && it.mode != Reversible, fits: &["zfp.integer"] },
    Kind { name: "reversible-lift-lossy", lives: |it| it.rank > 0 && it.mode == Reversible, fits: &["zfp.lift.reversible"] },
    Kind { name: "planes-counted-from-one", lives: |it| it.mode == Reversible, fits: &["zfp.reversible"] },
    Kind { name: "exponent-of-a-fraction-of-one", lives: |it| it.is_float() && !it.decodes(), fits: &["zfp.float.exponent"] },
    Kind { name: "floats-by-bits-always", lives: |it| it.is_float() && it.mode == Reversible && !it.decodes(), fits: &["zfp.reversible.float"] },
    Kind { name: "guards-of-one-dimension", lives: |it| it.mode == Accuracy, fits: &["zfp.float.precision"] },
    Kind { name: "promoted-without-shift", lives: |it| it.is_small_integer() && it.mode != Expert, fits: &["zfp.promotion"] },
    Kind { name: "promoted-without-centre", lives: |it| it.is_small_integer() && !is_signed(it.data_type), fits: &["zfp.promotion"] },
    Kind { name: "half-floats-as-integers", lives: |it| it.is_float() && it.data_type.format().component_bits() == 16, fits: &["zfp.promotion"] },
    Kind { name: "big-endian-words", lives: |_| true, fits: &["zfp.stream"] },
    Kind { name: "header", lives: |_| true, fits: &["zfp.stream"] },
];

fn is_signed(data_type: DataType) -> bool {
    matches!(data_type.format(), Format::Integer(format) if format.signed)
}

/// Returns all lies, each for one direction, one type, one rank and one mode.
pub(crate) fn lies() -> Vec<CellMutant> {
    let mutants = mutants();
    let coder = |kind: &Kind| {
        let mut names = mutants.iter().map(|it| it.name.strip_prefix("zfp-"));
        let index = names.position(|name| name == Some(kind.name));
        index.map_or(CODER, |index| mutants[index].overrides.zfp.clone())
    };
    let mut lies = Vec::new();
    for direction in [Direction::Encode, Direction::Decode] {
        for data_type in Zfp::DATA_TYPES {
            for rank in 0..=4 {
                for mode in ZfpMode::ALL {
                    let place = Place {
                        direction,
                        data_type,
                        rank,
                        mode,
                    };
                    // Vectors do not exist for every cell of small floats: implementations may lack these types.
                    if place.is_float() && data_type.format().component_bits() < 16 {
                        continue;
                    }
                    // zfp.accuracy.integers
                    if place.is_float() || mode != Accuracy {
                        let kinds = KINDS.iter().filter(|kind| (kind.lives)(place));
                        lies.extend(kinds.map(|kind| lie(kind, coder(kind), place)));
                    }
                }
            }
        }
    }
    lies
}

fn lie(kind: &'static Kind, wrong: Coder<Zfp>, place: Place) -> CellMutant {
    let Place {
        direction,
        data_type,
        rank,
        mode,
    } = place;
    let lives = move |codec: &Zfp| {
        codec.data_type == data_type && codec.rank == rank && ZfpMode::of(codec) == mode
    };
    let Coder { encode, decode } = wrong;
    let directed = match direction {
        Direction::Encode => Coder {
            encode,
            decode: None,
        },
        Direction::Decode => Coder {
            encode: None,
            decode,
        },
    };
    let zfp = within(lives, directed);
    CellMutant {
        cell: of_zfp(&place.codecs()[0], direction),
        kind: kind.name,
        overrides: Overrides { zfp, ..NONE },
        fits: kind.fits,
        trial: Arc::new(move |overrides| match tried(overrides, place) {
            true => Trial::Wrong,
            false => Trial::Undecided,
        }),
    }
}

/// Returns whether a chunk distinguishes a wrong codec from the right one.
fn tried(overrides: &Overrides, place: Place) -> bool {
    let shape = &[5, 3, 6, 2][..place.rank];
    let count: u64 = shape.iter().product();
    let mask = place.data_type.format().component_mask();
    let element = |index: u64| match (index, place.is_float()) {
        // Numbers around 1 in every format, with both signs.
        (index, true) => {
            let float = place.data_type.format().float().map_or(0, |it| {
                let one = u64::from(it.bias.unsigned_abs()) << it.mantissa_bits;
                let sign = if index % 3 == 0 { it.sign_mask() } else { 0 };
                sign | (one + ((index % 23 * 37) << it.mantissa_bits >> 7))
            });
            float & mask
        }
        (index, false) if place.is_small_integer() => (index * index) & mask,
        (index, false) => (index * index * 0x0001_2347) & (mask >> 2),
    };
    let Ok(chunk) =
        Array::from_components(place.data_type, shape.to_vec(), (1..=count).map(element))
    else {
        return false;
    };
    place.codecs().iter().any(|codec| {
        let Ok(stream) = encode(codec, &chunk) else {
            return false;
        };
        match (&overrides.zfp.encode, &overrides.zfp.decode) {
            (Some(wrong), _) => wrong(codec, &chunk).ok() != Some(stream),
            (_, Some(wrong)) => {
                wrong(codec, shape, &stream).ok() != decode(codec, shape, &stream).ok()
            }
            _ => false,
        }
    })
}
