//! The page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// A case that the design sets a target for: its row and name, and the target.
type Target = (&'static str, &'static str, f64);

/// The targets, as multiples of the copy.
const TARGETS: &[Target] = &[
    ("cast_value", "float64->uint8 nearest-even clamp", 1.2),
    ("cast_value", "float64->int16 nearest-even clamp map", 1.3),
    ("cast_value", "float32->float16 nearest-even clamp", 1.2),
    ("cast_value", "float64->float16 nearest-even clamp", 1.3),
    ("cast_value", "float32->float8_e4m3 nearest-even clamp", 2.0),
    ("cast_value", "int32->uint8 towards-zero wrap", 1.15),
    ("cast_value", "int16->float64 nearest-even absent", 1.2),
    ("chain", "float64->uint8 scaled map", 1.4),
    ("chain", "float32->int16 scaled map", 1.4),
    ("chain", "int16->float32 scaled map", 1.4),
];

/// One measurement.
struct Row<'a> {
    row: &'a str,
    case: &'a str,
    implementation: &'a str,
    x_copy: f64,
    rate: f64,
    seconds: f64,
    differs: bool,
}

impl<'a> Row<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        Some(Self {
            row: value["row"].as_str()?,
            case: value["case"].as_str()?,
            implementation: value["implementation"].as_str()?,
            x_copy: value["x_copy"].as_f64()?,
            rate: value["gigabytes_per_second"].as_f64()?,
            seconds: value["seconds"].as_f64()?,
            differs: value["differs"] == true,
        })
    }

    fn is_ours(&self) -> bool {
        self.implementation.starts_with("optimized")
    }
}

/// A case with what everybody needs for it.
struct Cell<'a> {
    row: &'a str,
    case: &'a str,
    ours: Row<'a>,
    others: Vec<Row<'a>>,
}

impl Cell<'_> {
    /// Returns the fastest of the others that computes the same, and how many times our time it needs.
    fn best(&self) -> Option<(&str, f64)> {
        let same = self.others.iter().filter(|row| !row.differs);
        same.map(|row| (row.implementation, row.seconds / self.ours.seconds))
            .min_by(|one, other| one.1.total_cmp(&other.1))
    }
}

fn cells(rows: &[Value]) -> Vec<Cell<'_>> {
    let mut cells: Vec<Cell<'_>> = Vec::new();
    for row in rows.iter().filter_map(Row::of) {
        if row.is_ours() {
            cells.push(Cell {
                row: row.row,
                case: row.case,
                ours: row,
                others: Vec::new(),
            });
        } else if let Some(cell) = cells.last_mut() {
            cell.others.push(row);
        }
    }
    cells
}

/// The rates of the optimized implementation by row and case.
fn rates(rows: &[Value]) -> BTreeMap<(&str, &str), (f64, f64)> {
    let ours = rows.iter().filter_map(Row::of).filter(Row::is_ours);
    ours.map(|row| ((row.row, row.case), (row.rate, row.x_copy)))
        .collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// What sets the pace of a case: memory, where the processor alone is a good deal faster than what was measured.
fn limit(memory: f64, cached: Option<f64>) -> &'static str {
    match cached {
        None => "not measured",
        Some(cached) if cached > 1.25 * memory => "memory",
        Some(_) => "the processor",
    }
}

/// Makes the page of the measurements: those in memory with peers, in cache, with the portable and the AVX2 loops; and of
/// the machine.
#[must_use]
pub fn page(
    machine: &Value,
    [memory, cached, portable, avx2]: [&[Value]; 4],
    compared: &[Value],
) -> String {
    let mut text = String::from(HEAD);
    let about = |name: &str| match &machine[name] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let _ = writeln!(
        text,
        "## The machine\n\n{}, family {}, model {}, {} of cache by its own account; {} threads; {} on {}. The best \
         instructions that it has and our loops use: {}. The measurements are those of {}.\n",
        about("processor"),
        about("family"),
        about("model"),
        about("cache"),
        about("threads"),
        about("architecture"),
        about("system"),
        about("instructions"),
        about("date"),
    );
    let found = cells(memory);
    let lists = [rates(cached), rates(portable), rates(avx2)];
    targets(&mut text, &found, &lists);
    summary(&mut text, &found);
    behind(&mut text, &found);
    growth(&mut text, &found);
    in_cache(&mut text, &cells(cached));
    equal(&mut text, compared);
    all(&mut text, &found, &lists);
    text
}

type Rates<'a> = BTreeMap<(&'a str, &'a str), (f64, f64)>;

/// The cases that the design has targets for.
fn targets(text: &mut String, cells: &[Cell<'_>], [cached, portable, _]: &[Rates<'_>; 3]) {
    text.push_str(
        "## Targets\n\nTimes the copy, for the cases that were chosen beforehand. The targets were set for AVX-512.\n\n\
         | case | target | measured | portable | best peer, times ours | limited by |\n|---|---|---|---|---|---|\n",
    );
    for &(row, case, target) in TARGETS {
        let Some(cell) = cells.iter().find(|it| (it.row, it.case) == (row, case)) else {
            continue;
        };
        let key = (row, case);
        let old = portable
            .get(&key)
            .map_or(String::new(), |it| format!("{:.2}", it.1));
        let peer = cell
            .best()
            .map_or(String::new(), |(name, times)| format!("{times:.1}, {name}"));
        let limit = limit(cell.ours.rate, cached.get(&key).map(|it| it.0));
        let _ = writeln!(
            text,
            "| {row} {case} | {target} | {:.2} | {old} | {peer} | {limit} |",
            cell.ours.x_copy
        );
    }
}

/// One line for each row of the grid.
fn summary(text: &mut String, cells: &[Cell<'_>]) {
    text.push_str(
        "\n## Rows\n\nThe median of all cases, and of those with a peer that computes the same, how many times our time the \
         fastest of them takes.\n\n| row | cases | times the copy | with peers | best peer, times ours | cases behind a peer |\n\
         |---|---|---|---|---|---|\n",
    );
    for group in cells.chunk_by(|one, next| one.row == next.row) {
        let copies = median(group.iter().map(|it| it.ours.x_copy).collect());
        let peers: Vec<f64> = group.iter().filter_map(|it| Some(it.best()?.1)).collect();
        let behind = peers.iter().filter(|&&it| it < 0.97).count();
        let (with, best) = match peers.len() {
            0 => (0, String::new()),
            with => (with, format!("{:.2}", median(peers))),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {copies:.2} | {with} | {best} | {behind} |",
            group[0].row,
            group.len()
        );
    }
}

/// The cases in which a peer is faster.
fn behind(text: &mut String, cells: &[Cell<'_>]) {
    text.push_str("\n## Where a peer is faster\n\nBy more than 3 %, computing the same.\n\n");
    let mut slower: Vec<_> = cells
        .iter()
        .filter_map(|cell| cell.best().map(|(name, times)| (cell, name, times)))
        .filter(|(_, _, times)| *times < 0.97)
        .collect();
    if slower.is_empty() {
        text.push_str("In no case.\n");
        return;
    }
    slower.sort_by(|one, other| one.2.total_cmp(&other.2));
    text.push_str(
        "| case | ours, times the copy | peer | its time, times ours |\n|---|---|---|---|\n",
    );
    for (cell, name, times) in slower {
        let (row, case) = (cell.row, cell.case);
        let _ = writeln!(
            text,
            "| {row} {case} | {:.2} | {name} | {times:.2} |",
            cell.ours.x_copy
        );
    }
}

/// How the cost of one cast grows.
fn growth(text: &mut String, cells: &[Cell<'_>]) {
    let rate = |case: &str| {
        let cell = cells
            .iter()
            .find(|it| it.row == "growth" && it.case == case)?;
        // Ten bytes an element.
        Some(10.0 / cell.ours.rate)
    };
    text.push_str(
        "\n## How cost grows\n\nNanoseconds an element of `float64->int16 nearest-even clamp`: by the elements of one call, \
         which stay in the caches up to some 30,000; by the entries of a map none of which applies, for 262,144 elements; \
         and by threads. The width of elements is in the table of all cases: what memory limits costs as many bytes as the \
         two types have.\n\n",
    );
    for (heading, prefix) in [("elements", "size "), ("map entries", "map ")] {
        let _ = writeln!(text, "| {heading} | ns |\n|---|---|");
        for cell in cells.iter().filter(|it| it.row == "growth") {
            if let (Some(count), Some(ns)) = (cell.case.strip_prefix(prefix), rate(cell.case)) {
                let _ = writeln!(text, "| {count} | {ns:.2} |");
            }
        }
        text.push('\n');
    }
    text.push_str("| elements | one thread, ns | all threads, ns |\n|---|---|---|\n");
    for cell in cells.iter().filter(|it| it.row == "growth") {
        let Some(size) = cell.case.strip_prefix("threads 1, ") else {
            continue;
        };
        let (one, all) = (rate(cell.case), rate(&format!("threads all, {size}")));
        if let (Some(one), Some(all)) = (one, all) {
            let _ = writeln!(text, "| {} | {one:.2} | {all:.2} |", &size[5..]);
        }
    }
}

/// The cases that a peer has in cache.
fn in_cache(text: &mut String, cells: &[Cell<'_>]) {
    text.push_str(
        "\n## In cache, beside NumKong\n\nMicroseconds for the same elements, which stay in the second-level cache. Ours checks \
         every element; NumKong saturates, and allocates its output.\n\n| case | ours | NumKong | computes the same |\n\
         |---|---|---|---|\n",
    );
    for cell in cells {
        for peer in &cell.others {
            let (ours, theirs) = (cell.ours.seconds * 1e6, peer.seconds * 1e6);
            let same = if peer.differs { "no" } else { "yes" };
            let _ = writeln!(text, "| {} | {ours:.2} | {theirs:.2} | {same} |", cell.case);
        }
    }
}

/// What was compared with the reference.
fn equal(text: &mut String, compared: &[Value]) {
    text.push_str(
        "\n## Equality with the reference\n\n`cargo xtask exhaustive` compares the optimized casts with the reference, and \
         found no difference in these. The results of every float32 are compared at both ends of every run of equal ones; \
         between them the reference cannot differ, since rounding keeps the order of numbers.\n\n\
         | elements | casts | elements in all casts |\n|---|---|---|\n",
    );
    for row in compared {
        let (what, casts, elements) = (&row["what"], &row["casts"], &row["elements"]);
        let what = what.as_str().unwrap_or_default();
        let _ = writeln!(text, "| {what} | {casts} | {elements} |");
    }
}

/// Every case.
fn all(text: &mut String, cells: &[Cell<'_>], [cached, portable, avx2]: &[Rates<'_>; 3]) {
    text.push_str(
        "\n## All cases\n\nGB/s in memory and in the second-level cache; times the copy in memory, of the best loops and of the \
         portable ones; the fastest peer that computes the same, as a multiple of our time; and what sets the pace.\n\n\
         | case | GB/s | in cache | times the copy |",
    );
    if !avx2.is_empty() {
        text.push_str(" AVX2 |");
    }
    text.push_str(" portable | best peer | limited by |\n|---|---|---|---|---|---|---|");
    text.push_str(if avx2.is_empty() { "\n" } else { "---|\n" });
    for cell in cells.iter().filter(|it| it.row != "growth") {
        let key = (cell.row, cell.case);
        let number = |it: Option<f64>| it.map_or(String::new(), |it| format!("{it:.2}"));
        let peer = cell
            .best()
            .map_or(String::new(), |(name, times)| format!("{name} {times:.2}"));
        let _ = write!(
            text,
            "| {} {} | {:.1} | {} | {:.2} |",
            cell.row,
            cell.case,
            cell.ours.rate,
            cached
                .get(&key)
                .map_or(String::new(), |it| format!("{:.1}", it.0)),
            cell.ours.x_copy,
        );
        if !avx2.is_empty() {
            let _ = write!(text, " {} |", number(avx2.get(&key).map(|it| it.1)));
        }
        let _ = writeln!(
            text,
            " {} | {peer} | {} |",
            number(portable.get(&key).map(|it| it.1)),
            limit(cell.ours.rate, cached.get(&key).map(|it| it.0)),
        );
    }
}

/// What comes before the measurements.
const HEAD: &str = "# Performance

This page is made by `cargo xtask performance` from the measurements in `docs/performance`, and `cargo xtask performance
--measure` makes those, on a machine that should have nothing else to do.

## Method

All implementations of a case run in turn in one process, or are asked in turn in processes of their own, on one thread,
with outputs allocated beforehand where the interface takes one. Every second round goes the other way. The median of
four rounds or more counts. *Times the copy* is that median relative to a `memcpy` that reads and writes, together, as many bytes
as the input and the output have, in the same rounds. A case reads and writes 128 MiB, in cache 128 KiB. A peer that
computes other numbers is left out of the comparison. The rate of a case in cache shows what the processor can do; where
it is at most a quarter above the rate in memory, the processor is said to set the pace, otherwise memory.

";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(row: &str, case: &str, implementation: &str, seconds: f64) -> Value {
        json!({
            "row": row, "case": case, "implementation": implementation, "seconds": seconds,
            "copy_seconds": 1.0, "x_copy": seconds, "gigabytes_per_second": 10.0 / seconds,
        })
    }

    #[test]
    fn the_page_says_who_is_faster_and_what_limits() {
        let case = "float64->uint8 nearest-even clamp";
        let mut wrong = row("cast_value", case, "numpy", 0.5);
        wrong["differs"] = true.into();
        let memory = [
            row("cast_value", case, "optimized", 2.0),
            wrong,
            row("cast_value", case, "cast-value-rs", 1.5),
            row("chain", "float64->uint8 scaled map", "optimized", 1.25),
            row("growth", "size 8", "optimized", 4.0),
            row("growth", "threads 1, size 8", "optimized", 4.0),
            row("growth", "threads all, size 8", "optimized", 2.0),
        ];
        let compared = json!({"what": "every element", "casts": 2, "elements": 512});
        let cached = [
            row("cast_value", case, "optimized", 1.0),
            row("cast_value", case, "numkong", 1.5),
        ];
        let portable = [row("cast_value", case, "optimized (portable)", 3.0)];
        let machine = json!({
            "processor": "P", "family": "1", "model": "2", "cache": "3 KB", "instructions": "Avx2", "threads": 2,
            "system": "linux", "architecture": "x86_64", "date": "2026-01-01",
        });
        insta::assert_snapshot!(page(
            &machine,
            [&memory, &cached, &portable, &[]],
            &[compared]
        ));
    }
}
