//! `downsample`: volumes of numbers and labels, halved along all three dimensions; and stacks of images, with some
//! elements omitted.

use exactum_conformance::model::{
    ArrayView, DataType, Level, Method, NanPolicy, Omission, Scalar, Source as _,
};
use exactum_optimized::downsample::View;
use serde_json::json;

use super::outside::Work;
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "downsample";

/// The contents of the elements.
#[derive(Clone, Copy, PartialEq)]
enum Content {
    /// Arbitrary bits; for floats, numbers from 0 to 1000.
    Noise,
    /// Cubes with a side of 8 elements and one label each, in which one element in twenty has another label, as in the
    /// labels of a segmentation.
    Labels,
    /// The same, but every other cube is 0 and is omitted.
    Background,
    /// Noise in which one element in twenty is NaN and is omitted.
    Holes,
}

/// A benchmark of one view.
struct Cell {
    method: Method,
    data_type: DataType,
    content: Content,
    factors: [u64; 3],
}

/// The methods and data types for which the design names a target, with labels in addition to noise.
const CELLS: [(Method, DataType, Content); 16] = [
    (Method::Mean, DataType::Uint8, Content::Noise),
    (Method::Mean, DataType::Uint16, Content::Noise),
    (Method::Mean, DataType::Float32, Content::Noise),
    (Method::Mean, DataType::Uint64, Content::Noise),
    (Method::Min, DataType::Uint8, Content::Noise),
    (Method::Min, DataType::Uint16, Content::Noise),
    (Method::Min, DataType::Float32, Content::Noise),
    (Method::Min, DataType::Uint64, Content::Noise),
    (Method::Max, DataType::Uint8, Content::Noise),
    (Method::Max, DataType::Uint16, Content::Noise),
    (Method::Max, DataType::Float32, Content::Noise),
    (Method::Max, DataType::Uint64, Content::Noise),
    (Method::Median, DataType::Uint8, Content::Noise),
    (Method::Mode, DataType::Uint8, Content::Noise),
    (Method::Mode, DataType::Uint8, Content::Labels),
    (Method::Mode, DataType::Uint64, Content::Labels),
];

/// The measurements with omitted elements, both for volumes and for stacks of images.
const OMITTING: [(Method, DataType, Content); 4] = [
    (Method::Mode, DataType::Uint8, Content::Background),
    (Method::Mode, DataType::Uint32, Content::Background),
    (Method::Mode, DataType::Uint64, Content::Background),
    (Method::Median, DataType::Float32, Content::Holes),
];

/// The number of elements along each of the last two dimensions.
const SIDE: usize = 256;

/// The number of planes after which the first dimension repeats, which equals the side of a cube.
const PLANES: usize = 8;

/// The factors for volumes. For stacks, the first dimension stays as it is.
const VOLUME: [u64; 3] = [2, 2, 2];
const STACK: [u64; 3] = [1, 2, 2];

fn cells() -> impl Iterator<Item = Cell> {
    let cell = |factors: [u64; 3]| {
        move |(method, data_type, content)| Cell {
            method,
            data_type,
            content,
            factors,
        }
    };
    let volumes = CELLS.into_iter().chain(OMITTING).map(cell(VOLUME));
    volumes.chain(OMITTING.into_iter().map(cell(STACK)))
}

pub(super) fn run(bench: &mut Bench<'_>) {
    for cell in cells() {
        bench.volume(&cell);
    }
}

impl Cell {
    /// Returns which elements are omitted, and a name for that.
    fn omission(&self) -> (Omission, &'static str) {
        let skip_value = Some(Scalar::new(self.data_type, 0));
        let nan = Some(NanPolicy::Skip);
        let nothing = Omission::default();
        match self.content {
            Content::Noise => (nothing, ""),
            Content::Labels => (nothing, " labels"),
            Content::Background => (
                Omission {
                    skip_value,
                    nan: None,
                },
                " labels without 0",
            ),
            Content::Holes => (
                Omission {
                    skip_value: None,
                    nan,
                },
                " without NaN",
            ),
        }
    }
}

/// Returns the bytes of the planes that repeat.
fn planes(data_type: DataType, content: Content) -> Vec<u8> {
    let mut numbers = fastrand::Rng::with_seed(1);
    let width = data_type.element_bytes();
    let mut bytes = Vec::with_capacity(PLANES * SIDE * SIDE * width);
    for index in 0..PLANES * SIDE * SIDE {
        let (row, column) = (index / SIDE % SIDE, index % SIDE);
        let bits = match (content, data_type) {
            (Content::Labels | Content::Background, _) if numbers.u8(..20) == 0 => numbers.u64(..),
            (Content::Background, _) if (row / 8 + column / 8) % 2 == 0 => 0,
            (Content::Labels | Content::Background, _) => {
                (row / 8 * (SIDE / 8) + column / 8 + 1) as u64
            }
            (Content::Holes, _) if numbers.u8(..20) == 0 => f32::NAN.to_bits().into(),
            (Content::Noise | Content::Holes, DataType::Float32) => {
                (1e3 * numbers.f32()).to_bits().into()
            }
            (Content::Noise | Content::Holes, _) => numbers.u64(..),
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
    }
    bytes
}

impl Bench<'_> {
    fn volume(&mut self, cell: &Cell) {
        let &Cell {
            method,
            data_type,
            content,
            factors,
        } = cell;
        let (omission, left_out) = cell.omission();
        let plane = SIDE * SIDE * data_type.element_bytes();
        // Whole blocks are read, and a part of that is written.
        let [deep, high, wide] = factors.map(|factor| usize::try_from(factor).expect("small"));
        let made = deep * high * wide;
        let planes_read = self.options.traffic() * made / (made + 1) / plane;
        let planes_read = planes_read.max(1).next_multiple_of(deep);
        let (read, written) = (planes_read * plane, planes_read * plane / made);
        let Some(case) = self.case(
            ROW,
            format!("{data_type} {method} {deep}x{high}x{wide}{left_out}"),
            read + written,
        ) else {
            return;
        };
        let period = planes(data_type, content);
        let input = Placed::new(placed::INPUT, read, &period);
        let mut output = Placed::new(placed::OUTPUT, written, &[0u8]);
        let shape = [planes_read, SIDE, SIDE].map(|extent| extent as u64);
        let source = ArrayView::new(data_type, &shape, &input).expect("bytes of the shape");
        let level = Level::new(factors.to_vec(), method).expect("factors");
        let level = level.with_omission(omission);
        let view = View::new(&source, &level).expect("a method of the data type");
        let whole = view.domain();
        view.read_into(&whole, &mut output).expect("all of it");
        let work = Work {
            case: json!({
                "operation": "downsample",
                "from": data_type.name(),
                "shape": shape,
                "factors": level.factors(),
                "method": method.name(),
            }),
            count: read / data_type.element_bytes(),
            output: data_type,
            // One period of the output, or the whole output if it is shorter.
            first: output[..written.min(period.len() / made)].to_vec(),
            period,
        };
        let contestant = Contestant::here("optimized", || {
            view.read_into(&whole, &mut output).expect("all of it");
        });
        // Only Exactum can omit elements.
        let others = omission.is_nothing().then_some(&work);
        self.race(&case, vec![contestant], others);
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::quick;
    use super::*;

    #[test]
    fn every_cell_runs() {
        for cached in [false, true] {
            let rows = quick(ROW, "", cached);
            assert_eq!(rows.len(), cells().count());
            assert!(rows.iter().all(|row| row.x_copy > 0.0));
            assert_eq!(rows[0].case, "uint8 mean 2x2x2");
        }
    }
}
