//! The numbers to which plans are applied.

use libtest_mimic::Failed;
use serde_json::Value;

pub(crate) const ROWS: u64 = 48;
pub(crate) const COLUMNS: u64 = 64;

/// A smooth field that fills a range, with patches of NaN and, if requested, of infinities.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) values: Vec<f64>,
}

/// The distance from the middle between two codes up to which a library might round a quotient to another
/// code.
const NEAR: f64 = 1.0 / 65_536.0;

impl Field {
    /// Returns the field of a range, with the special values that are needed.
    pub(crate) fn of(range: [f64; 2], needs: &str) -> Self {
        let [least, greatest] = range;
        let needed: Vec<f64> = needs.split(',').filter_map(|it| it.parse().ok()).collect();
        let mut values = Vec::new();
        for row in 0..u32::try_from(ROWS).unwrap_or_default() {
            for column in 0..u32::try_from(COLUMNS).unwrap_or_default() {
                let (y, x) = (f64::from(row) / 7.0, f64::from(column) / 9.0);
                let height = 0.5 + 0.5 * (y.sin() * x.cos());
                let value = (least + (greatest - least) * height).clamp(least, greatest);
                // Patches of five by eight, one after another.
                let patch = usize::try_from(row / 5 * 8 + column / 8).unwrap_or_default();
                values.push(match (patch.is_multiple_of(4), needed.as_slice()) {
                    (true, [_, ..]) => needed[patch / 4 % needed.len()],
                    _ => value,
                });
            }
        }
        let last = values.len() - 1;
        // Both ends occur; neither is in a patch of special values.
        (values[last], values[last - 1]) = (least, greatest);
        Self { values }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.values.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    /// Replaces each number near the middle between two codes by another number of the field. Returns how
    /// many there were.
    ///
    /// # Errors
    /// If no scale is printed.
    pub(crate) fn keep_from_the_middle(&mut self, plan: &Value) -> Result<usize, Failed> {
        let is_near = |value: f64| -> Result<bool, Failed> {
            let fraction = quotient(plan, value)?.rem_euclid(1.0);
            Ok((fraction - 0.5).abs() < NEAR)
        };
        let mut other = None;
        for value in self.values.iter().filter(|value| value.is_finite()) {
            if !is_near(*value)? {
                other = Some(*value);
                break;
            }
        }
        let mut count = 0;
        for value in self.values.iter_mut().filter(|value| value.is_finite()) {
            if is_near(*value)? {
                *value = other.ok_or("every number is near the middle of two codes")?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Returns the number that is rounded to a code, to within 2^-19 of the exact quotient.
///
/// # Errors
/// If no scale is printed.
pub(crate) fn quotient(plan: &Value, value: f64) -> Result<f64, Failed> {
    let of = |key: &str| {
        plan["codecs"][0]["configuration"][key]
            .as_f64()
            .ok_or("no scale")
    };
    Ok((value - of("offset")?) * of("scale")?)
}
