//! Scans the numbers of an array for the properties that a plan and a proof need.

use std::path::Path;
use std::{fmt, fs};

use exactum_exact::{Exact, Rounded};
use exactum_model::{Array, CastValue, Cf, DataType, Format, Rounding};
use exactum_optimized::{cast_value, cf};
use exactum_plan::number::shown;
use exactum_pyramid::{Piece, Scan};

use super::npy::Npy;
use crate::{missing, progress};

/// The result of a scan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// The data type of the array.
    pub(crate) data_type: DataType,
    /// The number of elements.
    pub(crate) elements: u64,
    /// The least and the greatest finite number by their bits, if there is one.
    pub(crate) range: Option<[u64; 2]>,
    /// The finite number nearest to zero that is not zero, by the bits of its magnitude, if there is one.
    pub(crate) nearest_to_zero: Option<u64>,
    /// Whether NaN was found.
    pub(crate) nan: bool,
    /// Whether positive infinity was found.
    pub(crate) positive_infinity: bool,
    /// Whether negative infinity was found.
    pub(crate) negative_infinity: bool,
    /// The bits of the fill value; a NumPy file has none.
    pub(crate) fill_value: Option<u64>,
    /// The data type of the elements, if attributes of CF pack values into them.
    pub(crate) packed: Option<DataType>,
}

/// The number of elements that are examined together.
const SLICE: usize = 1 << 16;

/// Reads the array in a Zarr 3 folder, or in a NumPy file, piece by piece. If attributes of CF pack the
/// elements, the scan examines the values, unless `raw` asks for the elements.
///
/// # Errors
/// If the array cannot be read, if its data type has no order, or if it is not known how readers of CF read
/// it.
pub(crate) fn scan(path: &Path, raw: bool) -> Result<Found, String> {
    if path.is_file() {
        let file = Npy::open(path)?;
        let (data_type, elements) = (file.data_type(), file.elements());
        let at = |fault| format!("{}: {fault}", path.display());
        let pieces = file.map(|it| it.map(|elements| Piece { elements, times: 1 }).map_err(at));
        return of_pieces(path, data_type, elements, pieces);
    }
    let scan = Scan::open(path).map_err(|fault| fault.to_string())?;
    let elements = scan
        .shape()
        .iter()
        .fold(1, |elements: u64, &extent| elements.saturating_mul(extent));
    let pieces = scan.pieces().map_err(|fault| fault.to_string())?;
    let pieces = pieces.map(|piece| piece.map_err(|fault| fault.to_string()));
    let stored = scan.data_type();
    let fill_value = fill_value(path, stored);
    let Some(codec) = missing::unpacking(path, raw)? else {
        let found = of_pieces(path, stored, elements, pieces)?;
        return Ok(Found {
            fill_value,
            ..found
        });
    };
    let found = of_pieces(
        path,
        codec.unpacked,
        elements,
        pieces.flat_map(|piece| unpacked(&codec, piece)),
    )?;
    let decode = |bits| cf::decode_element(&codec, bits).ok();
    Ok(Found {
        fill_value: fill_value.and_then(decode),
        packed: Some(stored),
        ..found
    })
}

/// Returns the values of a piece, in slices that need little memory.
fn unpacked(
    codec: &Cf,
    piece: Result<Piece, String>,
) -> impl Iterator<Item = Result<Piece, String>> {
    let (piece, fault) = match piece {
        Ok(piece) => (Some(piece), None),
        Err(fault) => (None, Some(Err(fault))),
    };
    let width = codec.packed.element_bytes();
    let bytes = piece
        .as_ref()
        .map_or(0, |piece| piece.elements.data().len());
    let slices = (0..bytes).step_by(width * SLICE).filter_map(move |start| {
        let Piece { elements, times } = piece.as_ref()?;
        let data = elements.data();
        let data = &data[start..data.len().min(start + width * SLICE)];
        let count = u64::try_from(data.len() / width).unwrap_or_default();
        let values = Array::new(codec.packed, vec![count], data.to_vec())
            .and_then(|codes| cf::decode(codec, &codes));
        let piece = |elements| Piece {
            elements,
            times: *times,
        };
        Some(values.map(piece).map_err(|rejection| rejection.to_string()))
    });
    fault.into_iter().chain(slices)
}

/// Returns the fill value in the document of a folder; the document has been read before.
fn fill_value(folder: &Path, data_type: DataType) -> Option<u64> {
    let document = fs::read(folder.join("zarr.json")).ok()?;
    let document: serde_json::Value = serde_json::from_slice(&document).ok()?;
    let text = document.get("fill_value")?.to_string();
    let fill_value = exactum_metadata::parse_fill_value(data_type, &text);
    fill_value.ok().map(|scalar| scalar.component(0))
}

fn of_pieces(
    path: &Path,
    data_type: DataType,
    elements: u64,
    pieces: impl Iterator<Item = Result<Piece, String>>,
) -> Result<Found, String> {
    let format = data_type.format();
    if !matches!(format, Format::Integer(_) | Format::Float(_)) {
        return Err(format!(
            "{} holds {data_type}, and only integers and floats have a range",
            path.display()
        ));
    }
    let bar = progress::bar(elements, "{bar:40} {percent} % of the elements, {eta} left");
    let mut sight = Sight::of(data_type);
    for piece in pieces {
        let piece = piece?;
        sight.add(&piece.elements, piece.times)?;
        bar.inc((piece.elements.len() as u64).saturating_mul(piece.times));
    }
    bar.finish_and_clear();
    sight.found()
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements of {}", self.elements, self.data_type)?;
        if let Some(packed) = self.packed {
            write!(f, ", as CF unpacks {packed} (--raw: as stored),")?;
        }
        if let Some(range) = self.range {
            // The sign of a zero does not matter.
            let is_zero = |bits: u64| self.data_type.format().same_value(bits, 0);
            let [least, greatest] = range.map(|bits| if is_zero(bits) { 0 } else { bits });
            let [least, greatest] = [least, greatest].map(|bits| shown(self.data_type, bits));
            write!(f, " from {least} to {greatest}")?;
        }
        self.specials().try_for_each(|name| write!(f, ", {name}"))?;
        match self.fill_value {
            Some(bits) => write!(f, ", fill value {}", shown(self.data_type, bits)),
            None => Ok(()),
        }
    }
}

impl Found {
    /// Returns the magnitude of the number nearest to zero that is not zero.
    pub(crate) fn smallest(&self) -> Option<Exact> {
        let format = self.data_type.format();
        self.nearest_to_zero
            .map(|bits| Exact::from_bits(&format, bits))
    }

    /// Returns the names of NaN and the infinities that were found.
    pub(crate) fn specials(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.nan, "NaN"),
            (self.positive_infinity, "Infinity"),
            (self.negative_infinity, "-Infinity"),
        ];
        all.into_iter()
            .filter_map(|(is_there, name)| is_there.then_some(name))
    }
}

/// The numbers seen so far. They are compared in the widest type of their kind, which contains all of them.
struct Sight {
    data_type: DataType,
    elements: u64,
    numbers: Numbers,
}

/// The least and the greatest number, and the least magnitude that is not zero.
enum Numbers {
    Signed(Extremes<i64>),
    Unsigned(Extremes<u64>),
    Floats {
        extremes: Extremes<f64>,
        nan: bool,
        positive_infinity: bool,
        negative_infinity: bool,
    },
}

struct Extremes<T> {
    range: Option<[T; 2]>,
    smallest: Option<T>,
}

impl<T: PartialOrd + Copy> Extremes<T> {
    const NONE: Self = Self {
        range: None,
        smallest: None,
    };

    fn add(&mut self, number: T, magnitude: T, zero: T) {
        let [least, greatest] = self.range.unwrap_or([number; 2]);
        self.range = Some([
            if number < least { number } else { least },
            if number > greatest { number } else { greatest },
        ]);
        if magnitude > zero && self.smallest.is_none_or(|smallest| magnitude < smallest) {
            self.smallest = Some(magnitude);
        }
    }
}

impl Sight {
    fn of(data_type: DataType) -> Self {
        let numbers = match data_type.format() {
            Format::Integer(format) if format.signed => Numbers::Signed(Extremes::NONE),
            Format::Integer(_) => Numbers::Unsigned(Extremes::NONE),
            _ => Numbers::Floats {
                extremes: Extremes::NONE,
                nan: false,
                positive_infinity: false,
                negative_infinity: false,
            },
        };
        Self {
            data_type,
            elements: 0,
            numbers,
        }
    }

    /// Examines further elements, each of which occurs the given number of times.
    fn add(&mut self, array: &Array, times: u64) -> Result<(), String> {
        let widest = match self.numbers {
            Numbers::Signed(_) => DataType::Int64,
            Numbers::Unsigned(_) => DataType::Uint64,
            Numbers::Floats { .. } => DataType::Float64,
        };
        let widen = CastValue::new(array.data_type(), widest);
        let width = array.data_type().element_bytes();
        let mut wide = vec![0; 8 * SLICE];
        for elements in array.data().chunks(width * SLICE) {
            let wide = &mut wide[..elements.len() / width * 8];
            cast_value::encode_into(&widen, elements, wide)
                .map_err(|rejection| rejection.to_string())?;
            for &bytes in wide.as_chunks::<8>().0 {
                self.number(bytes);
            }
        }
        let elements = (array.len() as u64).saturating_mul(times);
        self.elements = self.elements.saturating_add(elements);
        Ok(())
    }

    fn number(&mut self, bytes: [u8; 8]) {
        match &mut self.numbers {
            Numbers::Signed(extremes) => {
                let number = i64::from_le_bytes(bytes);
                // The magnitude of the least number saturates, and it is not the smallest unless it is the
                // only one.
                extremes.add(number, number.saturating_abs(), 0);
            }
            Numbers::Unsigned(extremes) => {
                let number = u64::from_le_bytes(bytes);
                extremes.add(number, number, 0);
            }
            Numbers::Floats {
                extremes,
                nan,
                positive_infinity,
                negative_infinity,
            } => {
                let number = f64::from_le_bytes(bytes);
                if number.is_finite() {
                    extremes.add(number, number.abs(), 0.0);
                } else {
                    *nan |= number.is_nan();
                    *positive_infinity |= number == f64::INFINITY;
                    *negative_infinity |= number == f64::NEG_INFINITY;
                }
            }
        }
    }

    /// Returns the result in the data type of the array.
    fn found(self) -> Result<Found, String> {
        let data_type = self.data_type;
        let back = |wide: DataType, bits: u64| {
            let value = Exact::from_bits(&wide.format(), bits);
            match exactum_exact::round(&value, &data_type.format(), Rounding::NearestEven) {
                Rounded::Bits(bits) => Ok(bits),
                other => Err(format!(
                    "{value:?} is not a value of {data_type}: {other:?}"
                )),
            }
        };
        let (wide, range, smallest) = match &self.numbers {
            Numbers::Signed(it) => (
                DataType::Int64,
                it.range.map(|range| range.map(i64::cast_unsigned)),
                it.smallest.map(i64::cast_unsigned),
            ),
            Numbers::Unsigned(it) => (DataType::Uint64, it.range, it.smallest),
            Numbers::Floats { extremes: it, .. } => (
                DataType::Float64,
                it.range.map(|range| range.map(f64::to_bits)),
                it.smallest.map(f64::to_bits),
            ),
        };
        let (nan, positive_infinity, negative_infinity) = match self.numbers {
            Numbers::Floats {
                nan,
                positive_infinity,
                negative_infinity,
                ..
            } => (nan, positive_infinity, negative_infinity),
            _ => (false, false, false),
        };
        let range = range.map(|[least, greatest]| -> Result<_, String> {
            Ok([back(wide, least)?, back(wide, greatest)?])
        });
        Ok(Found {
            data_type,
            elements: self.elements,
            range: range.transpose()?,
            // The magnitude of the least integer may be out of the range of the type. Then it is replaced by
            // that of the greatest.
            nearest_to_zero: smallest.map(|bits| {
                back(wide, bits).unwrap_or_else(|_| exactum_exact::clamp(&data_type.format(), true))
            }),
            nan,
            positive_infinity,
            negative_infinity,
            fill_value: None,
            packed: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Returns the result of scanning the given numbers of a data type.
    fn found(data_type: DataType, numbers: &[&str]) -> Found {
        let bits = numbers.iter().map(|number| {
            let number = exactum_metadata::parse_fill_value(data_type, number);
            number.expect("a number of the type").component(0)
        });
        let array = Array::from_components(data_type, vec![numbers.len() as u64], bits);
        let mut sight = Sight::of(data_type);
        sight.add(&array.expect("a list"), 1).expect("real numbers");
        sight.found().expect("values of the type")
    }

    #[test]
    fn finite_numbers_have_a_range_and_the_others_are_named() {
        for (data_type, numbers, words, smallest) in [
            (
                DataType::Float16,
                &["1.5", "\"NaN\"", "-3.0", "\"-Infinity\"", "0.25"][..],
                "5 elements of float16 from -3.0 to 1.5, NaN, -Infinity",
                Some("0.25"),
            ),
            (
                DataType::Int4,
                &["-8", "7"],
                "2 elements of int4 from -8 to 7",
                Some("7"),
            ),
            (
                DataType::Uint64,
                &["3"],
                "1 elements of uint64 from 3 to 3",
                Some("3"),
            ),
            (
                DataType::Float32,
                &["\"Infinity\""],
                "1 elements of float32, Infinity",
                None,
            ),
            (DataType::Float64, &[], "0 elements of float64", None),
            // Integers that float64 does not contain, and ends that are zero.
            (
                DataType::Int64,
                &["-9223372036854775808", "9007199254740993"],
                "2 elements of int64 from -9223372036854775808 to 9007199254740993",
                Some("9007199254740993"),
            ),
            (
                DataType::Uint64,
                &["18446744073709551615"],
                "1 elements of uint64 from 18446744073709551615 to 18446744073709551615",
                Some("18446744073709551615"),
            ),
            (
                DataType::Float64,
                &["-0.0"],
                "1 elements of float64 from 0.0 to 0.0",
                None,
            ),
            (
                DataType::Float64,
                &["-1.7976931348623157e308", "1e-320"],
                "2 elements of float64 from -1.7976931348623157e308 to 1e-320",
                Some("1e-320"),
            ),
        ] {
            let found = found(data_type, numbers);
            assert_eq!(found.to_string(), words);
            let shown = found.nearest_to_zero.map(|bits| shown(data_type, bits));
            assert_eq!(shown.as_deref(), smallest, "{words}");
        }
    }

    /// Scans a folder with the document of an array of three elements in chunks of two, and its first chunk.
    fn scanned(data_type: &str, fill_value: &str, chunk: &[u8]) -> Result<Found, String> {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path();
        fs::create_dir(folder.join("c")).expect("a folder");
        let document = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [3], "data_type": "{data_type}",
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [2]}}}},
                "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value},
                "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
        );
        fs::write(folder.join("zarr.json"), document).expect("a document");
        fs::write(folder.join("c/0"), chunk).expect("a chunk");
        scan(folder, false).map_err(|words| words.replace(&folder.display().to_string(), "FOLDER"))
    }

    #[test]
    fn arrays_are_read_with_what_was_never_written() {
        let floats = [2.5_f64, f64::INFINITY].map(f64::to_le_bytes).concat();
        let found = scanned("float64", "-1.5", &floats).expect("an array");
        let words = "3 elements of float64 from -1.5 to 2.5, Infinity, fill value -1.5";
        assert_eq!(found.to_string(), words);
        for (name, data_type, fill_value, chunk) in [
            ("complex", "complex64", "[0, 0]", &[0; 16][..]),
            ("short", "float64", "0", &[0; 15]),
        ] {
            let refused = scanned(data_type, fill_value, chunk).expect_err("no range");
            insta::assert_snapshot!(format!("scan-{name}"), refused);
        }
    }
}
