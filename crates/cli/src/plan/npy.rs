//! Files of NumPy, which hold the elements of one array in sequence.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use exactum_model::{Array, DataType};

/// The bytes with which a file begins.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// The greatest size of a header in bytes; NumPy reads at most 10,000.
const LONGEST: usize = 10_000;

/// The number of bytes that are read at once.
const PIECE: usize = 1 << 20;

/// An open file, positioned after its header.
#[derive(Debug)]
pub(super) struct Npy<R> {
    from: R,
    header: Header,
    /// The number of bytes that are not read yet.
    left: u64,
}

/// The contents of a header.
#[derive(Clone, Debug, PartialEq)]
struct Header {
    data_type: DataType,
    is_big: bool,
    shape: Vec<u64>,
}

impl Npy<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be read, its header is malformed, or it has fewer elements than the header says.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let unread = |fault: &dyn std::fmt::Display| format!("{}: {fault}", path.display());
        let file = exactum_pyramid::open_regular(path).map_err(|fault| unread(&fault))?;
        let length = file.metadata().map_err(|fault| unread(&fault))?.len();
        Npy::of(BufReader::new(file), length).map_err(|fault| unread(&fault))
    }
}

impl<R: Read> Npy<R> {
    /// Reads the header of a file with the given number of bytes.
    fn of(mut from: R, length: u64) -> Result<Self, String> {
        let mut taken = 0;
        let mut take = |count: usize| {
            let mut bytes = vec![0; count];
            taken += count as u64;
            let all = from.read_exact(&mut bytes);
            all.map(|()| bytes)
                .map_err(|_| "the file ends within its header".to_owned())
        };
        let start = take(MAGIC.len() + 2)?;
        if !start.starts_with(MAGIC) {
            return Err("this is not a .npy file: it does not begin with \\x93NUMPY".into());
        }
        let size = match start[MAGIC.len()..] {
            [1, 0] => take(2)?,
            [2 | 3, 0] => take(4)?,
            [major, minor] => {
                return Err(format!(
                    "this is a .npy file of version {major}.{minor}; only versions 1.0, 2.0 and 3.0 are known"
                ));
            }
            _ => unreachable!("two bytes follow"),
        };
        let size = size
            .iter()
            .rev()
            .fold(0, |size: usize, &byte| size << 8 | usize::from(byte));
        if size > LONGEST {
            return Err(format!(
                "the header has {size} bytes, and NumPy reads at most {LONGEST}"
            ));
        }
        let text =
            String::from_utf8(take(size)?).map_err(|_| "the header is not text".to_owned())?;
        let header = Header::read(&text)?;
        let width = header.data_type.element_bytes() as u64;
        let bytes = header
            .shape
            .iter()
            .try_fold(width, |bytes, &extent| bytes.checked_mul(extent))
            // If an extent is zero, the array is empty even though the product of the others overflows.
            .or_else(|| header.shape.contains(&0).then_some(0));
        let there = length.saturating_sub(taken);
        match bytes {
            Some(bytes) if bytes <= there => Ok(Self {
                from,
                header,
                left: bytes,
            }),
            _ => Err(format!(
                "the file is truncated: an array of {} with the shape {:?} needs more than the \
                 {there} bytes after the header",
                header.data_type, header.shape
            )),
        }
    }

    pub(super) fn data_type(&self) -> DataType {
        self.header.data_type
    }

    /// Returns the number of elements.
    pub(super) fn elements(&self) -> u64 {
        self.left / self.data_type().element_bytes() as u64
    }
}

/// Yields all elements in the order of the file, in lists; either the first or the last dimension varies
/// fastest.
impl<R: Read> Iterator for Npy<R> {
    type Item = Result<Array, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let count = usize::try_from(self.left).map_or(PIECE, |left| left.min(PIECE));
        if count == 0 {
            return None;
        }
        let mut bytes = vec![0; count];
        if let Err(fault) = self.from.read_exact(&mut bytes) {
            self.left = 0;
            return Some(Err(format!("the file cannot be read to its end: {fault}")));
        }
        self.left -= count as u64;
        let width = self.data_type().element_bytes();
        if self.header.is_big {
            bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
        let shape = vec![(count / width) as u64];
        Some(Array::new(self.data_type(), shape, bytes).map_err(|fault| fault.to_string()))
    }
}

impl Header {
    /// Reads the literal of a Python dictionary with the keys `descr`, `fortran_order` and `shape`.
    fn read(text: &str) -> Result<Self, String> {
        let mut rest = Literal(text.trim());
        let (mut descr, mut order, mut shape) = (None, None, None);
        rest.expect('{')?;
        while !rest.skip('}') {
            let key = rest.quoted()?;
            rest.expect(':')?;
            let again = match key {
                "descr" => descr
                    .replace(rest.quoted().map_err(|_| {
                        "structured data types are not supported: descr is not text".to_owned()
                    })?)
                    .is_some(),
                "fortran_order" => order.replace(rest.word()?).is_some(),
                "shape" => shape.replace(rest.tuple()?).is_some(),
                _ => return Err(format!("the header has the unknown key {key:?}")),
            };
            if again {
                return Err(format!("the header has the key {key:?} twice"));
            }
            if !rest.skip(',') {
                rest.expect('}')?;
                break;
            }
        }
        if !rest.0.trim().is_empty() {
            return Err(format!(
                "the header continues with {:?} after the dictionary",
                rest.0
            ));
        }
        let lacks = |key: &str| format!("the header has no {key}");
        if !matches!(
            order.ok_or_else(|| lacks("fortran_order"))?,
            "True" | "False"
        ) {
            return Err("fortran_order is neither True nor False in the header".into());
        }
        let (data_type, is_big) = data_type(descr.ok_or_else(|| lacks("descr"))?)?;
        Ok(Self {
            data_type,
            is_big,
            shape: shape.ok_or_else(|| lacks("shape"))?,
        })
    }
}

/// Returns a data type by its NumPy name, and whether its most significant byte comes first.
fn data_type(descr: &str) -> Result<(DataType, bool), String> {
    let unknown = || {
        format!("the file holds {descr}, and only integers and floats of 8 to 64 bits have a range")
    };
    let mut characters = descr.chars();
    let order = characters.next().ok_or_else(unknown)?;
    let data_type = match characters.as_str() {
        "i1" => DataType::Int8,
        "i2" => DataType::Int16,
        "i4" => DataType::Int32,
        "i8" => DataType::Int64,
        "u1" => DataType::Uint8,
        "u2" => DataType::Uint16,
        "u4" => DataType::Uint32,
        "u8" => DataType::Uint64,
        "f2" => DataType::Float16,
        "f4" => DataType::Float32,
        "f8" => DataType::Float64,
        _ => return Err(unknown()),
    };
    match (order, data_type.element_bytes()) {
        ('<', _) | ('|', 1) => Ok((data_type, false)),
        ('>', _) => Ok((data_type, true)),
        _ => Err(format!(
            "the data type {descr} does not state the byte order"
        )),
    }
}

/// The rest of a literal; white space between its parts has no meaning.
struct Literal<'t>(&'t str);

impl<'t> Literal<'t> {
    fn skip(&mut self, mark: char) -> bool {
        let rest = self.0.trim_start().strip_prefix(mark);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, mark: char) -> Result<(), String> {
        match self.skip(mark) {
            true => Ok(()),
            false => Err(format!("the header has no {mark:?} before {:?}", self.0)),
        }
    }

    fn quoted(&mut self) -> Result<&'t str, String> {
        let mark = if self.skip('"') { '"' } else { '\'' };
        if mark == '\'' {
            self.expect(mark)?;
        }
        let (text, rest) = self
            .0
            .split_once(mark)
            .ok_or_else(|| format!("the header does not terminate the text {:?}", self.0))?;
        self.0 = rest;
        Ok(text)
    }

    /// Reads letters and digits.
    fn word(&mut self) -> Result<&'t str, String> {
        let text = self.0.trim_start();
        let end = text
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        match word {
            "" => Err(format!("the header has {rest:?} where a value is expected")),
            word => Ok(word),
        }
    }

    /// Reads extents; NumPy for Python 2 wrote an `L` after large ones.
    fn tuple(&mut self) -> Result<Vec<u64>, String> {
        let mut extents = Vec::new();
        self.expect('(')?;
        while !self.skip(')') {
            let word = self.word()?;
            let digits = word.strip_suffix('L').unwrap_or(word);
            let extent = digits.parse();
            extents
                .push(extent.map_err(|_| format!("the shape has the malformed extent {word:?}"))?);
            if !self.skip(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(extents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file of a version, with a header and data.
    fn file(version: [u8; 2], header: &str, data: &[u8]) -> Vec<u8> {
        let size = u32::try_from(header.len()).expect("short").to_le_bytes();
        let size = if version[0] == 1 {
            &size[..2]
        } else {
            &size[..]
        };
        [MAGIC, &version, size, header.as_bytes(), data].concat()
    }

    fn read(file: &[u8]) -> Result<Vec<u8>, String> {
        let mut data = Vec::new();
        for piece in Npy::of(file, file.len() as u64)? {
            data.extend_from_slice(piece?.data());
        }
        Ok(data)
    }

    /// Returns a header as NumPy writes it.
    fn header(descr: &str, order: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}    \n")
    }

    #[test]
    fn both_orders_of_bytes_and_of_dimensions_are_read() {
        let numbers = [1.5_f32, -2.0, 3.25, 0.5, 8.0, 9.0];
        let [little, big] = [f32::to_le_bytes, f32::to_be_bytes].map(|of| numbers.map(of).concat());
        for (descr, data) in [("<f4", &little), (">f4", &big)] {
            for (version, order) in [([1, 0], "False"), ([2, 0], "True"), ([3, 0], "False")] {
                let file = file(version, &header(descr, order, "(2, 3)"), data);
                assert_eq!(read(&file).as_ref(), Ok(&little), "{descr} {version:?}");
            }
        }
        let one = file([1, 0], &header("|u1", "False", "()"), &[7]);
        assert_eq!(read(&one), Ok(vec![7]));
        let none = file(
            [1, 0],
            &header("<i8", "False", "(0, 18446744073709551615, 9)"),
            &[],
        );
        assert_eq!(read(&none), Ok(vec![]));
        let more = file(
            [1, 0],
            "{\"shape\":(1L,),\"fortran_order\":False,\"descr\":\">i2\"}",
            &[1, 2, 3],
        );
        assert_eq!(read(&more), Ok(vec![2, 1]));
    }

    #[test]
    fn pieces_are_bounded_and_lose_nothing() {
        let data: Vec<u8> = (0..=u8::MAX)
            .cycle()
            .take(8 * (PIECE / 8) * 2 + 24)
            .collect();
        let shape = format!("({},)", data.len() / 8);
        let file = file([1, 0], &header("<u8", "False", &shape), &data);
        let pieces = Npy::of(&file[..], file.len() as u64).expect("a file");
        assert_eq!(pieces.elements(), (data.len() / 8) as u64);
        let lengths: Vec<usize> = pieces
            .map(|piece| piece.expect("read").data().len())
            .collect();
        assert_eq!(lengths, [PIECE, PIECE, 24]);
        assert_eq!(read(&file), Ok(data));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_reported() {
        let good = header("<f8", "False", "(2,)");
        let rows: Vec<(&str, Vec<u8>)> = vec![
            ("other", b"CDF\x01 and more of it".to_vec()),
            ("short", MAGIC.to_vec()),
            ("version", file([4, 0], &good, &[0; 16])),
            ("header-cut", file([1, 0], &good, &[])[..40].to_vec()),
            ("header-long", [MAGIC, &[2, 0, 255, 255, 255, 255]].concat()),
            ("cut-off", file([1, 0], &good, &[0; 15])),
            (
                "large",
                file(
                    [1, 0],
                    &header("<f8", "False", "(4294967296, 4294967296)"),
                    &[],
                ),
            ),
            (
                "negative",
                file([1, 0], &header("<f8", "False", "(-1,)"), &[]),
            ),
            ("order", file([1, 0], &header("<f8", "no", "(1,)"), &[0; 8])),
            (
                "complex",
                file([1, 0], &header("<c16", "False", "(1,)"), &[0; 16]),
            ),
            ("bool", file([1, 0], &header("|b1", "False", "(1,)"), &[0])),
            (
                "endless",
                file([1, 0], &header("|f8", "False", "(1,)"), &[0; 8]),
            ),
            (
                "record",
                file(
                    [1, 0],
                    "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}",
                    &[0; 8],
                ),
            ),
            ("twice", file([1, 0], "{'shape': (1,), 'shape': (1,)}", &[])),
            (
                "lacks",
                file([1, 0], "{'descr': '<f8', 'fortran_order': False}", &[]),
            ),
            ("unknown", file([1, 0], "{'name': '<f8'}", &[])),
            (
                "behind",
                file([1, 0], &format!("{} x", good.trim()), &[0; 16]),
            ),
            ("no-dictionary", file([1, 0], "[1, 2]", &[])),
            ("open", file([1, 0], "{'descr", &[])),
        ];
        let reported: String = rows
            .iter()
            .map(|(name, file)| format!("{name}: {}\n", read(file).expect_err(name)))
            .collect();
        insta::assert_snapshot!(reported);
    }
}
