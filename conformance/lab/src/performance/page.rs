//! The performance page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// A case for which the design sets a target: its row, its name and the target.
type Target = (&'static str, &'static str, f64);

/// The targets, as multiples of the copy's time.
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

/// The target for the portable loops of `cast_value`, as a multiple of the copy's time.
const PORTABLE: f64 = 4.0;

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

/// A case with the measurements of all implementations.
struct Cell<'a> {
    row: &'a str,
    case: &'a str,
    ours: Row<'a>,
    others: Vec<Row<'a>>,
}

impl Cell<'_> {
    /// Returns the fastest of the others that computes the same, and its time as a multiple of Exactum's.
    fn best(&self) -> Option<(&str, f64)> {
        let same = self.others.iter().filter(|row| !row.differs);
        same.map(|row| (row.implementation, row.seconds / self.ours.seconds))
            .min_by(|one, other| one.1.total_cmp(&other.1))
    }
}

/// Returns the rows of each case from the run in which the ratio between the fastest peer and Exactum, or between the copy
/// and Exactum if there is no peer, is the median of all runs.
#[must_use]
pub fn middle(runs: &[Vec<Value>]) -> Vec<Value> {
    let by_case = |rows: &'_ [Value]| -> Vec<Vec<Value>> {
        let same =
            |one: &Value, next: &Value| one["row"] == next["row"] && one["case"] == next["case"];
        rows.chunk_by(same).map(<[Value]>::to_vec).collect()
    };
    let ratio = |rows: &Vec<Value>| {
        let cell = cells(rows).into_iter().next();
        let best = cell.as_ref().and_then(Cell::best).map(|it| it.1);
        best.or_else(|| Some(1.0 / cell?.ours.x_copy))
            .unwrap_or(f64::NAN)
    };
    let Some((first, others)) = runs.split_first() else {
        return Vec::new();
    };
    let others: Vec<Vec<Vec<Value>>> = others.iter().map(|run| by_case(run)).collect();
    let cases = by_case(first).into_iter().map(|case| {
        let is_same =
            |it: &&Vec<Value>| it[0]["row"] == case[0]["row"] && it[0]["case"] == case[0]["case"];
        let mut all: Vec<Vec<Value>> = others
            .iter()
            .filter_map(|run| run.iter().find(is_same).cloned())
            .collect();
        all.push(case);
        all.sort_by(|one, other| ratio(one).total_cmp(&ratio(other)));
        all.swap_remove(all.len() / 2)
    });
    cases.flatten().collect()
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

/// Returns the rates of the optimized implementation by row and case.
fn rates(rows: &[Value]) -> BTreeMap<(&str, &str), (f64, f64)> {
    let ours = rows.iter().filter_map(Row::of).filter(Row::is_ours);
    ours.map(|row| ((row.row, row.case), (row.rate, row.x_copy)))
        .collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns what limits the speed of a case. It is memory if the processor alone is considerably faster than the
/// measured rate.
fn limit(memory: f64, cached: Option<f64>) -> &'static str {
    match cached {
        None => "not measured",
        Some(cached) if cached > 1.25 * memory => "memory",
        Some(_) => "the processor",
    }
}

/// Returns the page for the measurements in memory with peers, in cache, with the portable loops and with the AVX2
/// loops, and for the machine.
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
        "## The machine\n\n{}, family {}, model {}, which reports {} of cache; {} threads; {} on {}. The loops use its best \
         instructions, {}. Measured on {}{}.\n",
        about("processor"),
        about("family"),
        about("model"),
        about("cache"),
        about("threads"),
        about("architecture"),
        about("system"),
        about("instructions"),
        about("date"),
        match machine["runs"].as_u64() {
            None | Some(1) => String::new(),
            Some(runs) => format!(": memory {runs} times, and everything else once"),
        },
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

/// Writes the cases for which the design has targets.
fn targets(text: &mut String, cells: &[Cell<'_>], [cached, portable, _]: &[Rates<'_>; 3]) {
    text.push_str(
        "## Targets\n\nThe times of cases that were chosen before any were measured, as multiples of the copy. The targets apply to AVX-512.\n\n\
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
    let casts = portable.iter().filter(|((row, _), _)| *row == "cast_value");
    let slow = casts.clone().filter(|(_, it)| it.1 > PORTABLE).count();
    let _ = writeln!(
        text,
        "\nThe portable loops should take at most {PORTABLE} times as long as the copy to cast between core types. {slow} of {} \
         casts take longer.",
        casts.count()
    );
}

/// Writes one line for each row of the grid.
fn summary(text: &mut String, cells: &[Cell<'_>]) {
    text.push_str(
        "\n## Rows\n\nThe medians over the cases of each row: of the time relative to the copy and, where a peer computes the \
         same numbers, of the time of the fastest such peer relative to ours.\n\n| row | cases | times the copy | with peers | best peer, times ours | cases behind a peer |\n\
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

/// Writes the cases in which a peer is faster.
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

/// Writes how the cost of one cast grows.
fn growth(text: &mut String, cells: &[Cell<'_>]) {
    let rate = |case: &str| {
        let cell = cells
            .iter()
            .find(|it| it.row == "growth" && it.case == case)?;
        // Ten bytes per element.
        Some(10.0 / cell.ours.rate)
    };
    text.push_str(
        "\n## How cost grows\n\nThe cost of `float64->int16 nearest-even clamp` in nanoseconds per element: by the number of elements per \
         call, of which up to about 30,000 stay in the caches; by the number of entries of a map, none of which applies, for \
         262,144 elements; and by threads. The table of all cases shows how the cost depends on the width of the elements: \
         where memory sets the pace, it is proportional to the bytes of both types.\n\n",
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

/// Writes the cases that a peer has in cache.
fn in_cache(text: &mut String, cells: &[Cell<'_>]) {
    text.push_str(
        "\n## In cache, beside NumKong\n\nThe time in microseconds for the same elements, which stay in the second-level cache. Exactum \
         checks every element; NumKong saturates and allocates its output.\n\n| case | ours | NumKong | computes the same |\n\
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

/// Writes what was compared with the reference.
fn equal(text: &mut String, compared: &[Value]) {
    text.push_str(
        "\n## Equality with the reference\n\n`cargo xtask exhaustive` compares the optimized casts with the reference. It \
         found no difference in the following comparisons. For every float32, the results are compared at both ends of each \
         run of equal results; between the ends the reference cannot differ, because rounding preserves the order of numbers. \
         The casts into int16 and uint8 are also compared after `scale_offset`; of the numbers that are too large to be \
         scaled, and so are rejected, every 65,536th is compared.\n\n\
         | elements | casts | elements in all casts |\n|---|---|---|\n",
    );
    for row in compared {
        let (what, casts, elements) = (&row["what"], &row["casts"], &row["elements"]);
        let what = what.as_str().unwrap_or_default();
        let _ = writeln!(text, "| {what} | {casts} | {elements} |");
    }
}

/// Writes every case.
fn all(text: &mut String, cells: &[Cell<'_>], [cached, portable, avx2]: &[Rates<'_>; 3]) {
    text.push_str(
        "\n## All cases\n\nThe rates in memory and in the second-level cache in GB/s; the times of the best and of the portable loops \
         in memory, as multiples of the copy; the time of the fastest peer that computes the same numbers, as a multiple of \
         our time; and what sets the pace.\n\n\
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

/// The text before the measurements.
const HEAD: &str = "# Performance

`cargo xtask performance` generates this page from the measurements in `docs/performance`. To repeat the measurements, run
`cargo xtask performance --measure` on an otherwise idle machine.

## Method

All implementations of a case take turns on one thread, in one process or in a process for each. The two implementations
of a cast that share a process also share the input and the output, and all processes use huge pages where the system offers
them, because otherwise the same loop takes up to a quarter longer, depending on its pages. The output is allocated
beforehand if the interface accepts one. Every second round runs in the reverse order. The result is the median of at least
four rounds, and of up to 24 if the fastest peer differs from Exactum by less than a tenth. Of several runs of a case, the
one with the median ratio between the fastest peer and Exactum counts. *Times the copy* is that median divided by the
median of a `memcpy` in the same rounds, whose reads and writes amount to the same number of bytes as the input and the
output of the case. A case reads and writes 128 MiB in memory, and 128 KiB in cache. A peer that computes different numbers,
or that accepts an element which the case must reject, is not compared. The rate of a case in cache shows the limit of the
processor: if it exceeds the rate in memory by at most a quarter, the processor is said to set the pace, and otherwise
memory.

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
    fn of_several_runs_the_one_with_the_median_ratio_counts() {
        let run = |ours, peer| {
            vec![
                row("bytes", "a", "optimized", ours),
                row("bytes", "a", "numpy", peer),
                row("bytes", "b", "optimized", 1.0 / ours),
            ]
        };
        let middle = middle(&[run(4.0, 4.0), run(1.0, 3.0), run(2.0, 4.0)]);
        let seconds = middle.iter().map(|it| it["seconds"].as_f64());
        assert!(seconds.eq([Some(2.0), Some(4.0), Some(0.5)]), "{middle:?}");
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
            "system": "linux", "architecture": "x86_64", "date": "2026-01-01", "runs": 3,
        });
        insta::assert_snapshot!(page(
            &machine,
            [&memory, &cached, &portable, &[]],
            &[compared]
        ));
    }
}
