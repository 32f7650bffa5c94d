//! The gathered elements are those that the transform selects, and each cell is read once.

use std::cell::RefCell;
use std::collections::BTreeMap;

use exactum_model::{Array, DataType, Domain, Indices, Rejection};

use super::*;

/// Elements that contain their positions, and the number of times that each cell was read.
struct Counted {
    domain: Domain,
    lines: Vec<Line>,
    reads: RefCell<BTreeMap<Vec<i64>, u32>>,
}

impl Counted {
    fn element(position: &[i64]) -> i64 {
        position.iter().fold(1, |sum, at| sum * 1009 + at)
    }
}

impl Source for Counted {
    fn data_type(&self) -> DataType {
        DataType::Int64
    }

    fn domain(&self) -> Domain {
        self.domain.clone()
    }

    fn read(&self, region: &Domain) -> Result<Array, Rejection> {
        self.domain.require(region)?;
        let cells = region.intervals().zip(&self.lines);
        let cells = cells.map(|(own, line)| line.cell(own.start)..line.cell(own.end - 1) + 1);
        for cell in Domain::of_intervals(cells).positions() {
            *self.reads.borrow_mut().entry(cell).or_default() += 1;
        }
        let positions = region.positions();
        let data = positions.flat_map(|at| Self::element(&at).to_le_bytes());
        Array::new(DataType::Int64, region.shape().to_vec(), data.collect())
    }
}

fn map(offset: i64, stride: i64, selected: Selected) -> OutputMap {
    OutputMap {
        offset,
        stride,
        selected,
    }
}

fn dimension(offset: i64, stride: i64, dimension: usize) -> OutputMap {
    map(offset, stride, Selected::Dimension(dimension))
}

fn indices(shape: &[u64], value: impl Fn(u64) -> u64) -> OutputMap {
    let values = (0..shape.iter().product()).map(|at| value(at).cast_signed());
    let values = values.collect();
    let shape = shape.to_vec();
    map(0, 1, Selected::Indices(Indices { shape, values }))
}

fn boxed(intervals: &[(i64, i64)]) -> Domain {
    Domain::of_intervals(intervals.iter().map(|&(start, end)| start..end))
}

/// Gathers all positions of a domain; `most` is the maximum number of times that a cell may be read.
fn check(
    domain: &[(i64, i64)],
    output: Vec<OutputMap>,
    view: &[(i64, i64)],
    steps: &[u64],
    most: u32,
) {
    let domain = boxed(domain);
    let transform = Transform::new(domain.clone(), output).expect("a transform");
    let lines = steps
        .iter()
        .zip(-7..)
        .map(|(&step, origin)| Line { origin, step });
    let source = Counted {
        domain: boxed(view),
        lines: lines.collect(),
        reads: RefCell::default(),
    };
    transform.require(&source.domain).expect("it is inside");
    let made = gather(&transform, &source, &source.lines).expect("it is read");
    assert_eq!(made.shape(), domain.shape());
    let mut needed = BTreeMap::new();
    let elements = made.data().as_chunks::<8>().0;
    for (position, element) in domain.positions().zip(elements) {
        let from = transform.apply(&position);
        let expected = Counted::element(&from);
        assert_eq!(
            i64::from_le_bytes(*element),
            expected,
            "{transform:?} {position:?}"
        );
        let cells = source.lines.iter().zip(from);
        needed.insert(
            cells.map(|(line, at)| line.cell(at)).collect::<Vec<_>>(),
            (),
        );
    }
    let reads = source.reads.borrow();
    assert!(
        reads.keys().eq(needed.keys()),
        "{transform:?}: other cells are read"
    );
    let often = reads.values().max().copied().unwrap_or_default();
    assert!(often <= most, "{transform:?}: a cell is read {often} times");
}

#[test]
fn cells_are_read_once() {
    let square = [(-20, 100), (0, 120)];
    // Takes every other row, with the columns in reverse order.
    check(
        &[(-10, 50), (1, 121)],
        vec![dimension(0, 2, 0), dimension(120, -1, 1)],
        &square,
        &[16, 20],
        1,
    );
    // The positions are reversed and far apart, so that most cells contribute one element.
    check(
        &[(0, 7), (-1, 4)],
        vec![dimension(-20, 27, 1), dimension(0, 17, 0)]
            .into_iter()
            .map(|mut it| {
                it.offset += if it.stride == 27 { 27 } else { 0 };
                it
            })
            .collect(),
        &square,
        &[16, 20],
        1,
    );
    // Selects rows and columns by their numbers, repeated and out of order.
    check(
        &[(0, 40), (5, 35)],
        vec![
            indices(&[40, 1], |at| at * 37 % 90),
            indices(&[1, 30], |at| at * 53 % 120),
        ],
        &square,
        &[16, 20],
        1,
    );
    // Selects one element of each chosen row, and a diagonal.
    check(
        &[(0, 50)],
        vec![
            indices(&[50], |at| at * 7 % 99),
            indices(&[50], |at| at * 31 % 120),
        ],
        &square,
        &[16, 20],
        1,
    );
    check(
        &[(0, 60)],
        vec![dimension(-20, 2, 0), dimension(119, -1, 0)],
        &square,
        &[16, 20],
        1,
    );
    // A constant transform, and a transform that changes nothing.
    check(
        &[(0, 3), (2, 50), (0, 2)],
        vec![map(99, 1, Selected::Nothing), dimension(0, 2, 1)],
        &square,
        &[16, 20],
        1,
    );
    check(
        &[(0, 3)],
        vec![map(5, 1, Selected::Nothing), dimension(7, 0, 0)],
        &square,
        &[16, 20],
        1,
    );
    check(&[], vec![], &[], &[], 1);
    check(
        &[(3, 3), (0, 9)],
        vec![dimension(0, 1, 0), dimension(0, 1, 1)],
        &square,
        &[16, 20],
        1,
    );
}

/// If there are more positions than are sorted at a time, they are divided between cells if possible.
#[test]
fn many_positions_are_cut() {
    check(
        &[(0, 5000)],
        vec![dimension(3, 2, 0)],
        &[(0, 11_000)],
        &[100],
        1,
    );
    check(
        &[(0, 5000)],
        vec![dimension(10_990, -2, 0)],
        &[(0, 11_000)],
        &[77],
        1,
    );
    check(
        &[(0, 70), (0, 90)],
        vec![dimension(0, 3, 1), dimension(0, 5, 0)],
        &[(0, 300), (0, 400)],
        &[40, 50],
        1,
    );
    // Positions that are pairs cannot be divided between cells: a cell is read once for each half that contains it.
    check(
        &[(0, 500)],
        vec![dimension(0, 1, 0), dimension(0, 2, 0)],
        &[(0, 500), (0, 1000)],
        &[40, 50],
        2,
    );
}

/// A cell that is too large to be held is read in parts.
#[test]
fn cells_are_small_enough() {
    let lines = [
        Line {
            origin: 0,
            step: 1 << 40,
        },
        Line {
            origin: 3,
            step: 1 << 20,
        },
    ];
    let whole = Domain::of_intervals([0..1 << 30, 0..1 << 20]);
    let shrunk = shrunk(&lines, &whole, 8);
    let size: u64 = shrunk.iter().map(|line| line.step).product();
    assert!(size * 8 <= 256 << 20, "{shrunk:?}");
    assert_eq!(shrunk[1].origin, 3);
}
