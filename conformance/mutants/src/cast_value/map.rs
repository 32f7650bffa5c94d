//! Mutants of `cast_value`: the scalar map.

use exactum_conformance::model::MapEntry;

use super::*;

/// Returns a mutant of the map; `lookup` returns the output for an element, if there is one.
fn lookup(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    find: fn(&Element<'_>) -> Option<u64>,
) -> Mutant {
    let overrides = elements(move |it| match find(it) {
        Some(output) => give(output),
        None => it.with(|_| ()),
    });
    crate::mutant(name, clause, fault, overrides)
}

/// Returns whether both bits are NaN.
fn both_nan(format: &Format, a: u64, b: u64) -> bool {
    let float = format.float();
    float.is_some_and(|format| format.is_nan(a) && format.is_nan(b))
}

/// Returns whether both bits are zeros.
fn both_zero(format: &Format, a: u64, b: u64) -> bool {
    let float = format.float();
    float.is_some_and(|format| format.is_zero(a) && format.is_zero(b))
}

/// Reads an entry of the other direction's map backwards.
fn backwards(map: &[MapEntry], it: &Element<'_>) -> Option<u64> {
    let entry = map
        .iter()
        .find(|entry| it.from.same_value(entry.output, it.bits))?;
    Some(entry.input)
}

impl Element<'_> {
    /// Returns the result without the map.
    fn unmapped(&self) -> Option<Exact> {
        let bits = self.with(|_| ())?.ok()?;
        Some(Exact::from_bits(&self.to, bits))
    }

    /// Returns the output of the map after a change.
    fn output(&self, change: impl Fn(u64) -> u64) -> Option<u64> {
        self.mapped().map(change)
    }
}

pub(super) fn mutants() -> Vec<Mutant> {
    [lookup_order(), keys(), outputs_and_directions()].concat()
}

#[rustfmt::skip] // A table.
fn lookup_order() -> Vec<Mutant> {
    vec![
        lookup("map-after-exactness", "cast_value.scalar_map.first",
            "The map is applied only to values that the other type does not have, as if it were a \
             list of special cases.",
            |it| match it.unmapped() {
                Some(result) if same(&result, &it.value) => None,
                _ => it.mapped(),
            }),
        lookup("map-after-range", "cast_value.scalar_map.first",
            "The whole array is checked before the map is applied, so mapped values are rejected.",
            |it| it.unmapped().and(it.mapped())),
        lookup("map-key-is-the-rounded-value", "cast_value.scalar_map.first",
            "The rounded value is looked up too: the map runs over the cast array.",
            |it| {
                let rounded = |_: &Format, key, _| {
                    it.unmapped()
                        .is_some_and(|rounded| same(&Exact::from_bits(&it.from, key), &rounded))
                };
                it.mapped().or_else(|| it.entry(rounded))
            }),
        lookup("last-duplicate-wins", "cast_value.scalar_map.first-duplicate",
            "The list becomes a dictionary, in which the last entry stays (zarr-python 3.3.0, cast-value 0.2.1).",
            |it| {
                let last = it
                    .cast
                    .map
                    .iter()
                    .rfind(|entry| it.from.same_value(entry.input, it.bits));
                last.map(|entry| entry.output)
            }),
        lookup("map-applied-twice", "cast_value.scalar_map.one-step",
            "The entries replace values in place one after another, so an output can match a later \
             key (cast-value 0.2.1).",
            |it| {
                let first = it
                    .cast
                    .map
                    .iter()
                    .position(|entry| it.from.same_value(entry.input, it.bits))?;
                let mut current = it.mapped()?;
                for entry in &it.cast.map[first + 1..] {
                    if same(
                        &Exact::from_bits(&it.from, entry.input),
                        &Exact::from_bits(&it.to, current),
                    ) {
                        current = entry.output;
                    }
                }
                Some(current)
            }),
    ]
}

#[rustfmt::skip] // A table.
fn keys() -> Vec<Mutant> {
    vec![
        lookup("nan-key-bitwise", "cast_value.scalar_map.nan-key",
            "A NaN key matches its own bits only (zarrs).",
            |it| {
                it.entry(|format, key, bits| {
                    key == bits || (format.same_value(key, bits) && !both_nan(format, key, bits))
                })
            }),
        lookup("nan-key-never-matches", "cast_value.scalar_map.nan-key",
            "Keys are compared with `==`, for which no NaN equals itself.",
            |it| {
                it.entry(|format, key, bits| {
                    format.same_value(key, bits) && !both_nan(format, key, bits)
                })
            }),
        lookup("zero-key-bitwise", "cast_value.scalar_map.zero-key",
            "A key 0.0 does not match -0.0 (zarrs).",
            |it| {
                it.entry(|format, key, bits| {
                    key == bits || (format.same_value(key, bits) && !both_zero(format, key, bits))
                })
            }),
        lookup("keys-through-binary64", "cast_value.scalar_map.exact",
            "Keys are JSON numbers in binary64: 2^53 + 1 matches 2^53 (zarrita 0.7.5).",
            |it| {
                let seen = |bits| through(&Exact::from_bits(&it.from, bits), &BINARY64);
                it.entry(|format, key, bits| match format {
                    Format::Integer(_) => same(&seen(key), &seen(bits)),
                    _ => format.same_value(key, bits),
                })
            }),
        lookup("outputs-through-binary64", "cast_value.scalar_map.exact",
            "Outputs are JSON numbers in binary64 (zarrita 0.7.5, cast-value 0.2.1).",
            |it| {
                it.output(|output| match it.to {
                    Format::Integer(_) => bits_through_binary64(&it.to, output),
                    _ => output,
                })
            }),
    ]
}

#[rustfmt::skip] // A table.
fn outputs_and_directions() -> Vec<Mutant> {
    vec![
        lookup("output-nan-made-default", "cast_value.scalar_map.output-bits",
            "A NaN output becomes the default NaN: it is kept as a number of the host language.",
            |it| {
                it.output(|output| match it.to.float() {
                    Some(to) if to.is_nan(output) => to.nan_bits().unwrap_or(output),
                    _ => output,
                })
            }),
        lookup("output-nan-quieted", "cast_value.scalar_map.output-bits",
            "A signalling NaN output is made quiet by a load into a float register and a conversion.",
            |it| {
                it.output(|output| match it.to.float() {
                    Some(to) if to.is_nan(output) && to.mantissa_bits > 0 => {
                        output | 1 << (to.mantissa_bits - 1)
                    }
                    _ => output,
                })
            }),
        lookup("output-zero-loses-sign", "cast_value.scalar_map.output-bits",
            "An output -0.0 arrives as 0: outputs are parsed as integers where they can be.",
            |it| {
                it.output(|output| match it.to.float() {
                    Some(to) if to.is_zero(output) => 0,
                    _ => output,
                })
            }),
        lookup("encode-map-read-backwards", "cast_value.scalar_map.directions",
            "Decoding falls back on the inverse of `encode`, as if one map applied in both directions.",
            |it| {
                it.mapped()
                    .or_else(|| backwards(&it.decoding()?.codec.encode_map, it))
            }),
        lookup("decode-map-read-backwards", "cast_value.scalar_map.directions",
            "Encoding falls back on the inverse of `decode`.",
            |it| {
                it.mapped()
                    .or_else(|| backwards(&it.encoding()?.codec.decode_map, it))
            }),
        lookup("decode-map-ignored", "cast_value.scalar_map.directions",
            "Only `encode` is read: the decoder never gets a map.",
            |it| it.encoding()?.mapped()),
    ]
}
