//! `downsample`: volumes halved along all three dimensions, numbers and labels.

use exactum_conformance::model::{ArrayView, DataType, Level, Method, Source as _};
use exactum_optimized::downsample::View;
use serde_json::json;

use super::outside::Work;
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::{Case, Contestant, race};

pub(super) const ROW: &str = "downsample";

/// What the elements are.
#[derive(Clone, Copy, PartialEq)]
enum Content {
    /// Any bits, but of floats numbers from 0 to 1000.
    Noise,
    /// Cubes of 8 elements a side with a label each, and one element in twenty with another: what
    /// the labels of a segmentation look like.
    Labels,
}

/// The methods and data types for which the design names a target, and labels beside noise.
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

/// Elements along each of the last two dimensions.
const SIDE: usize = 256;

/// Planes that repeat along the first dimension: as many as a cube has.
const PLANES: usize = 8;

/// By how much every dimension becomes smaller.
const FACTOR: usize = 2;

pub(super) fn run(bench: &mut Bench<'_>) {
    for (method, data_type, content) in CELLS {
        bench.volume(method, data_type, content);
    }
}

/// The bytes of the planes that repeat.
fn planes(data_type: DataType, content: Content) -> Vec<u8> {
    let mut numbers = fastrand::Rng::with_seed(1);
    let width = data_type.element_bytes();
    let mut bytes = Vec::with_capacity(PLANES * SIDE * SIDE * width);
    for index in 0..PLANES * SIDE * SIDE {
        let (row, column) = (index / SIDE % SIDE, index % SIDE);
        let bits = match (content, data_type) {
            (Content::Labels, _) if numbers.u8(..20) == 0 => numbers.u64(..),
            (Content::Labels, _) => (row / 8 * (SIDE / 8) + column / 8 + 1) as u64,
            (Content::Noise, DataType::Float32) => (1e3 * numbers.f32()).to_bits().into(),
            (Content::Noise, _) => numbers.u64(..),
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
    }
    bytes
}

impl Bench<'_> {
    fn volume(&mut self, method: Method, data_type: DataType, content: Content) {
        let labels = match content {
            Content::Noise => "",
            Content::Labels => " labels",
        };
        let plane = SIDE * SIDE * data_type.element_bytes();
        // Whole blocks, read, and an eighth of that, written.
        let made = FACTOR.pow(3);
        let planes_read = self.options.traffic() * made / (made + 1) / plane;
        let planes_read = planes_read.max(1).next_multiple_of(FACTOR);
        let (read, written) = (planes_read * plane, planes_read * plane / made);
        let case = Case {
            row: ROW,
            name: format!("{data_type} {method} 2x2x2{labels}"),
            bytes: read + written,
        };
        if !self.takes(&case.name) {
            return;
        }
        (self.progress)(&case.name);
        let period = planes(data_type, content);
        let input = Placed::new(placed::INPUT, read, &period);
        let mut output = Placed::new(placed::OUTPUT, written, &[0u8]);
        let shape = [planes_read, SIDE, SIDE].map(|extent| extent as u64);
        let source = ArrayView::new(data_type, &shape, &input).expect("bytes of the shape");
        let level = Level::new(vec![FACTOR as u64; 3], method).expect("factors");
        let view = View::new(&source, &level).expect("a method of the data type");
        let whole = view.domain();
        view.read_into(&whole, &mut output).expect("all of it");
        let work = Work {
            row: ROW,
            case: json!({
                "operation": "downsample",
                "from": data_type.name(),
                "shape": shape,
                "factors": level.factors(),
                "method": method.name(),
            }),
            count: read / data_type.element_bytes(),
            output: data_type,
            // One period of it, or all that there is.
            first: output[..written.min(period.len() / made)].to_vec(),
            period,
        };
        let mut contestants = vec![Contestant::here("optimized", || {
            view.read_into(&whole, &mut output).expect("all of it");
        })];
        contestants.extend(self.outside(true, &work));
        race(self.options, &case, contestants, &mut self.rows);
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::super::outside::Outside;
    use super::*;

    #[test]
    fn every_cell_runs() {
        for cached in [false, true] {
            let options = Options {
                row: Some(ROW.to_owned()),
                quick: true,
                cached,
                ..Options::default()
            };
            let rows = super::super::run(&options, &Outside::default(), |_| ());
            assert_eq!(rows.len(), CELLS.len());
            assert!(rows.iter().all(|row| row.x_copy > 0.0));
            assert_eq!(rows[0].case, "uint8 mean 2x2x2");
        }
    }
}
