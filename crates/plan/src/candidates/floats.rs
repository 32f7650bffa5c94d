//! Packings into shorter floats.

use exactum_exact::Exact;
use exactum_model::{DataType, FloatFormat, Format};

use super::layout::rounded;
use super::{Candidate, Layout, Request, Target};

/// Returns the packing into a float type: a cast, with codes for the values that the type does not contain.
///
/// # Errors
/// If nothing is proved. The message gives the reason for the plain cast.
pub(super) fn float(request: &Request, target: Target) -> Result<Candidate, String> {
    let (Format::Float(_), Format::Float(format)) =
        (request.data_type.format(), target.data_type.format())
    else {
        return Err(format!(
            "{} cannot be cast to {}",
            request.data_type, target.data_type
        ));
    };
    let fill_value = request.fill_value.unwrap_or_else(|| chosen_fill(request));
    let plain = Layout::plain(request.data_type, target);
    // The difference between a single value and itself is zero, which is read back exactly.
    let single = Layout {
        offset: Some(request.range[0]),
        ..plain.clone()
    };
    if request.is_single() {
        let candidate = attempt(request, &plain, &format, fill_value);
        return candidate
            .ok()
            .filter(|candidate| matches!(candidate.error, Exact::Zero { .. }))
            .map_or_else(|| attempt(request, &single, &format, fill_value), Ok);
    }
    attempt(request, &plain, &format, fill_value)
}

/// Returns the layout, or the same layout with separate codes for the special values that do not survive.
fn attempt(
    request: &Request,
    layout: &Layout,
    format: &FloatFormat,
    fill_value: u64,
) -> Result<Candidate, String> {
    let first = request.prove(layout.clone(), fill_value);
    let Err(why) = first else { return first };
    let mapped = specials(request.data_type)
        .filter(|(name, _)| request.needs().iter().any(|need| need == name))
        .map(|(_, bits)| bits)
        .chain([fill_value]);
    // These values are stored as the numbers that are farthest from zero.
    let greatest = format.max_finite_bits();
    let codes = (0..4)
        .map(|below| greatest - below)
        .flat_map(|bits| [bits | format.sign_mask(), bits]);
    let mut codes = codes.filter(|code| format.signed || code & format.sign_mask() == 0);
    let mut map: Vec<(u64, u64)> = Vec::new();
    for bits in mapped {
        let one = Layout {
            map: map.clone(),
            ..layout.clone()
        };
        let shifted = match (layout.offset, request.value(bits)) {
            (Some(_), value @ (Exact::Finite(_) | Exact::Zero { .. })) => {
                rounded(&value.subtract(&layout.offset()), layout.work)
            }
            _ => Some(bits),
        };
        if let Some(shifted) = shifted
            && !comes_back(request, &one, bits)
            && let Some(code) = codes.next()
        {
            map.push((shifted, code));
        }
    }
    if map.is_empty() {
        return Err(why);
    }
    let layout = Layout {
        map,
        ..layout.clone()
    };
    request.prove(layout, fill_value).map_err(|_| why)
}

/// Returns whether a value is stored and read back as itself.
fn comes_back(request: &Request, layout: &Layout, bits: u64) -> bool {
    let chain = layout.chain(request.data_type, bits);
    let back = exactum_reference::analysis::put(&chain, bits).and_then(|stored| stored.back);
    back.is_ok_and(|back| request.data_type.format().same_value(back, bits))
}

/// Returns NaN and the infinities of a float type, with their names.
pub(super) fn specials(data_type: DataType) -> impl Iterator<Item = (&'static str, u64)> {
    let format = data_type.format().float();
    let infinity = format.and_then(|format| format.infinity_bits());
    let sign = format.map_or(0, |format| format.sign_mask());
    let all = [
        ("NaN", format.and_then(|format| format.nan_bits())),
        ("Infinity", infinity),
        ("-Infinity", infinity.map(|bits| bits | sign)),
    ];
    all.into_iter()
        .filter_map(|(name, bits)| Some((name, bits?)))
}

/// Returns the fill value of a plan that may choose it: NaN if it survives, and otherwise zero or the least
/// value.
pub(super) fn chosen_fill(request: &Request) -> u64 {
    let nan = specials(request.data_type).next();
    match nan {
        Some((_, bits)) if request.needs.nan => bits,
        _ if request.is_single() => request.range[0],
        _ => 0,
    }
}
