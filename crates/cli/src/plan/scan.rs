//! The numbers that an array holds, as far as a plan has to know them.

use std::fmt;
use std::path::Path;

use exactum_model::{Array, CastValue, DataType, Format, Rounding};
use exactum_optimized::cast_value;
use exactum_pyramid::{Piece, Scan};

use super::npy::Npy;
use crate::progress;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// How many elements there are.
    pub(crate) elements: u64,
    /// The least and the greatest finite number, if there is one.
    pub(crate) range: Option<[f64; 2]>,
    pub(crate) nan: bool,
    pub(crate) positive_infinity: bool,
    pub(crate) negative_infinity: bool,
}

/// 2^53: from here on float64 leaves out integers.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Elements that are looked at together.
const SLICE: usize = 1 << 16;

/// Reads the array in a folder of Zarr 3, or in a file of NumPy, a piece at a time.
///
/// # Errors
/// When it cannot be read, holds what has no order, or integers that float64 does not have.
pub(crate) fn scan(path: &Path) -> Result<Found, String> {
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
    of_pieces(path, scan.data_type(), elements, pieces)
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
    let mut found = Found::default();
    for piece in pieces {
        let piece = piece?;
        found.add(&piece.elements, piece.times)?;
        bar.inc((piece.elements.len() as u64).saturating_mul(piece.times));
    }
    bar.finish_and_clear();
    let far = |range: [f64; 2]| range.into_iter().find(|end| end.abs() >= WHOLE);
    match found.range.and_then(far) {
        Some(end) if matches!(format, Format::Integer(_)) => Err(format!(
            "{} holds integers such as {end}, and from 2^53 on float64 does not have all of them",
            path.display()
        )),
        _ => Ok(found),
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements", self.elements)?;
        if let Some([least, greatest]) = self.range {
            write!(f, " from {least} to {greatest}")?;
        }
        let others = [
            (self.nan, "NaN"),
            (self.positive_infinity, "Infinity"),
            (self.negative_infinity, "-Infinity"),
        ];
        let others = others.into_iter().filter(|(is_there, _)| *is_there);
        others
            .into_iter()
            .try_for_each(|(_, name)| write!(f, ", {name}"))
    }
}

impl Found {
    /// Looks at further elements, each of which is there a number of times.
    fn add(&mut self, array: &Array, times: u64) -> Result<(), String> {
        let to_float64 = CastValue {
            decoded: array.data_type(),
            encoded: DataType::Float64,
            rounding: Rounding::NearestEven,
            out_of_range: None,
            encode_map: Vec::new(),
            decode_map: Vec::new(),
        };
        let width = array.data_type().element_bytes();
        let mut numbers = [0; 8 * SLICE];
        for elements in array.data().chunks(width * SLICE) {
            let numbers = &mut numbers[..elements.len() / width * 8];
            cast_value::encode_into(&to_float64, elements, numbers)
                .map_err(|rejection| rejection.to_string())?;
            for &number in numbers.as_chunks::<8>().0 {
                self.number(f64::from_le_bytes(number));
            }
        }
        let elements = (array.len() as u64).saturating_mul(times);
        self.elements = self.elements.saturating_add(elements);
        Ok(())
    }

    fn number(&mut self, number: f64) {
        if number.is_finite() {
            let [least, greatest] = self.range.unwrap_or([number; 2]);
            self.range = Some([least.min(number), greatest.max(number)]);
        } else {
            self.nan |= number.is_nan();
            self.positive_infinity |= number == f64::INFINITY;
            self.negative_infinity |= number == f64::NEG_INFINITY;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    /// What is found in the numbers of a data type.
    fn found(data_type: DataType, numbers: &[&str]) -> Found {
        let bits = numbers.iter().map(|number| {
            let number = exactum_metadata::parse_fill_value(data_type, number);
            number.expect("a number of the type").component(0)
        });
        let array = Array::from_components(data_type, vec![numbers.len() as u64], bits);
        let mut found = Found::default();
        found.add(&array.expect("a list"), 1).expect("real numbers");
        found
    }

    #[test]
    fn finite_numbers_have_a_range_and_the_others_are_told() {
        let float = found(
            DataType::Float16,
            &["1.5", "\"NaN\"", "-3.0", "\"-Infinity\"", "0.25"],
        );
        assert_eq!(
            float,
            Found {
                elements: 5,
                range: Some([-3.0, 1.5]),
                nan: true,
                positive_infinity: false,
                negative_infinity: true,
            }
        );
        assert_eq!(found(DataType::Int4, &["-8", "7"]).range, Some([-8.0, 7.0]));
        assert_eq!(found(DataType::Uint64, &["3"]).range, Some([3.0, 3.0]));
        assert_eq!(found(DataType::Float32, &["\"Infinity\""]).range, None);
        assert_eq!(found(DataType::Float64, &[]), Found::default());
    }

    /// A folder with the document of an array of three elements in chunks of two, and its first chunk.
    fn scanned(
        name: &str,
        data_type: &str,
        fill_value: &str,
        chunk: &[u8],
    ) -> Result<Found, String> {
        let folder = env::temp_dir().join(format!("exactum-scan-{name}-{}", process::id()));
        fs::create_dir_all(folder.join("c")).expect("a folder");
        let document = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [3], "data_type": "{data_type}",
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [2]}}}},
                "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value},
                "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
        );
        fs::write(folder.join("zarr.json"), document).expect("a document");
        fs::write(folder.join("c/0"), chunk).expect("a chunk");
        let found = scan(&folder);
        fs::remove_dir_all(&folder).expect("the folder is there");
        found.map_err(|words| words.replace(&folder.display().to_string(), "FOLDER"))
    }

    #[test]
    fn arrays_are_read_with_what_was_never_written() {
        let floats = [2.5_f64, f64::INFINITY].map(f64::to_le_bytes).concat();
        let found = scanned("floats", "float64", "-1.5", &floats).expect("an array");
        assert_eq!(found.to_string(), "3 elements from -1.5 to 2.5, Infinity",);
        let large = [1_i64 << 53, 0].map(i64::to_le_bytes).concat();
        for (name, data_type, fill_value, chunk) in [
            ("large", "int64", "0", &large[..]),
            ("complex", "complex64", "[0, 0]", &[0; 16]),
            ("short", "float64", "0", &[0; 15]),
        ] {
            let refused = scanned(name, data_type, fill_value, chunk).expect_err("no range");
            insta::assert_snapshot!(format!("scan-{name}"), refused);
        }
    }
}
