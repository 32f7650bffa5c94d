//! Mutants of `sds`: how readers and writers of packed data deviate, and likely mistakes.

mod cells;
mod codes;
mod decided;
mod external;
mod plan;
mod sets;
mod wrong;

use std::sync::Arc;

use exactum_conformance::model::sds::{DataSet, Fill, Lowered, Profile, Scaling, Warning};
use exactum_conformance::{Converted, Request};
use serde_json::{Map, Value, json};

use super::data_sets::{MaskPart, SdsAsked, SdsFaults};
use super::{Mutant, NONE, Overrides, misread, mutant};

/// Changes converted data sets.
fn answer(part: fn(&SdsAsked<'_>, Converted) -> Converted) -> Overrides {
    faults(SdsFaults {
        answer: Some(Arc::new(part)),
        ..SdsFaults::NONE
    })
}

fn faults(sds: SdsFaults) -> Overrides {
    Overrides { sds, ..NONE }
}

fn lowers(lowered: fn(Scaling, Lowered) -> Lowered) -> Overrides {
    faults(SdsFaults {
        lowered: Some(lowered),
        ..SdsFaults::NONE
    })
}

fn masks(mask: MaskPart) -> Overrides {
    faults(SdsFaults {
        mask: Some(mask),
        ..SdsFaults::NONE
    })
}

/// Omits a warning.
fn omits(warning: Warning) -> Overrides {
    faults(SdsFaults {
        omitted: Some(warning),
        ..SdsFaults::NONE
    })
}

fn missing_by_standard(set: &DataSet, right: Vec<bool>) -> Vec<bool> {
    let standard = set.data_type().standard_fill(Profile::Tn115);
    match (set.fill(), sets::codes(set)) {
        (Fill::Code(_), Some(codes)) => codes.iter().map(|code| *code == standard).collect(),
        _ => right,
    }
}

/// Returns the data sets of a request of this row.
fn input(request: &mut Request) -> Option<&mut Map<String, Value>> {
    match request.op().starts_with("sds.") {
        true => request.members_mut().get_mut("input")?.as_object_mut(),
        false => None,
    }
}

fn first_for_all(request: &mut Request) {
    let variables = input(request).and_then(|it| it.get_mut("variables")?.as_object_mut());
    let mut first = None;
    for (_, set) in variables.into_iter().flatten() {
        let scaling = first.get_or_insert_with(|| set["scaling"].clone()).clone();
        if let Some(set) = set.as_object_mut() {
            set.insert("scaling".into(), scaling);
        }
    }
}

fn unsets_one(request: &mut Request) {
    if request.op() != "sds.set" {
        return;
    }
    for (key, value) in request.members_mut() {
        let cannot_be_set = value.is_string() || (key == "scale" && value.as_f64() == Some(0.0));
        if cannot_be_set && (key == "scale" || key == "offset") {
            *value = Value::Null;
        }
    }
}

fn unsets_other(request: &mut Request) {
    if request.op() != "sds.set" {
        return;
    }
    let members = request.members_mut();
    let there = |key: &str| members.get(key).is_some_and(|value| !value.is_null());
    match (there("scale"), there("offset")) {
        (true, false) => members.insert("offset".into(), Value::Null),
        (false, true) => members.insert("scale".into(), Value::Null),
        _ => None,
    };
}

fn stored_as_i4(request: &mut Request) {
    if request.op() == "sds.write" && !request.members_mut().contains_key("storage") {
        request.members_mut().insert("storage".into(), json!("i4"));
    }
}

fn without_protocol(request: &mut Request) {
    if request.op().starts_with("sds.") {
        request.members_mut().remove("external");
    }
}

fn without_profile(request: &mut Request) {
    if let Some(input) = input(request) {
        input.remove("profile");
    }
    if request.op().starts_with("sds.") {
        request.members_mut().remove("profile");
    }
}

pub(crate) use cells::lies;

pub(super) fn mutants() -> Vec<Mutant> {
    [data_sets(), plan::mutants()].concat()
}

fn data_sets() -> Vec<Mutant> {
    [
        scalings(),
        casts(),
        exclusions(),
        code_limits(),
        fills_and_infinities(),
    ]
    .concat()
}

#[rustfmt::skip] // A table.
fn scalings() -> Vec<Mutant> {
    vec![
        mutant("sds-i4-of-32-bits", "sds.1.6",
            "i4 is scaled to all bits that a machine gives it.",
            answer(wrong::of_32_bits)),
        mutant("sds-real-part", "sds.1.5",
            "A complex number becomes its real part (a cast in C).",
            answer(wrong::real_part)),
        misread("sds-first-attributes-of-all", "sds.2.1",
            "All variables have the attributes of the first.",
            first_for_all),
        mutant("sds-defaults-are-unset", "sds.2.2",
            "SCALE 1 and OFFSET 0 count as unset.",
            answer(wrong::defaults_are_unset)),
        mutant("sds-offset-alone-is-unset", "sds.2.2 sds.2.3",
            "Without SCALE there is no scaling (netCDF4-python once).",
            answer(wrong::offset_alone_is_unset)),
        mutant("sds-defaults-filled-in", "sds.2.3",
            "The default of an attribute is set where it is used.",
            answer(wrong::defaults_filled_in)),
        misread("sds-zero-unsets-scale-alone", "sds.2.4",
            "A value that cannot be set unsets only its own attribute.",
            unsets_one),
        misread("sds-set-unsets-the-other", "sds.2.5",
            "Setting one attribute unsets the other.",
            unsets_other),
        mutant("sds-inverse-direction", "sds.2.6",
            "SCALE and OFFSET take codes to values (FITS, CF, the later library).",
            answer(wrong::inverse)),
        mutant("sds-never-written-scaled", "sds.2.7 sds.2.8",
            "Reals with attributes are written as reals.",
            answer(external::never_scaled)),
        mutant("sds-scaling-support-untold", "sds.2.7",
            "There is no warning that a format has no scaling.",
            omits(Warning::ScalingNotSupported)),
        mutant("sds-scaled-codes-stay", "sds.2.8",
            "Scaled integers are read as integers with attributes (DRMS, raw).",
            answer(external::codes_stay)),
        mutant("sds-set-codes-stay", "sds.2.9 sds.5.8",
            "Integers with attributes are written as scaled integers.",
            answer(external::set_codes_stay)),
        mutant("sds-real-scaling-kept", "sds.2.10",
            "The scaling of external reals is kept.",
            answer(external::real_scaling_kept)),
        mutant("sds-ignored-scaling-untold", "sds.2.10",
            "There is no warning that a scaling was ignored.",
            omits(Warning::ScalingIgnored)),
        mutant("sds-lowered-as-it-is", "sds.lower",
            "BSCALE is SCALE and BZERO is OFFSET.",
            lowers(external::inverse_factor)),
        mutant("sds-lowered-exactly", "sds.lower",
            "Every lowering counts as exact.",
            lowers(external::always_exact)),
        mutant("sds-zero-by-factor", "sds.lower",
            "BZERO is computed from the rounded BSCALE.",
            lowers(external::zero_by_factor)),
    ]
}

#[rustfmt::skip] // A table.
fn casts() -> Vec<Mutant> {
    vec![
        mutant("sds-attributes-dropped", "sds.3.1 sds.2.8",
            "Attributes that were used are removed.",
            answer(wrong::attributes_dropped)),
        mutant("sds-defaults-set", "sds.3.2 sds.5.2",
            "Integers without attributes become reals with the default ones.",
            answer(wrong::default_set)),
        mutant("sds-never-autoscaled", "sds.3.3 sds.5.18",
            "Reals without attributes are only rounded (xarray, netCDF4-python, cfitsio).",
            answer(decided::never_scaled)),
        mutant("sds-whole-numbers-left-alone", "sds.5.18",
            "Reals that fit are not scaled (DRMS).",
            answer(wrong::fits_left_alone)),
        mutant("sds-autoscaling-forgotten", "sds.3.3 sds.3.4",
            "The attributes that were determined are not set.",
            answer(wrong::autoscaled_forgotten)),
        mutant("sds-cast-at-the-outside", "sds.4.1",
            "A cast is done before the data are made internal, and after they were made external.",
            answer(external::cast_at_the_outside)),
        mutant("sds-codes-cast", "sds.4.2",
            "Scaled integers are cast code by code.",
            answer(external::codes_cast)),
        mutant("sds-cast-to-plain-reals", "sds.4.3",
            "Integers with attributes that are cast to reals are written as reals.",
            answer(external::cast_to_plain_reals)),
        mutant("sds-always-read-as-doubles", "sds.4.4",
            "Scaled integers are always read as r8.",
            answer(external::always_read_as_doubles)),
        mutant("sds-cast-through-singles", "sds.4.4",
            "Scaled integers that are cast to integers go through r4.",
            answer(external::cast_through_singles)),
        misread("sds-stored-as-i4", "sds.4.4",
            "Scaled integers are written as i4.",
            stored_as_i4),
        mutant("sds-widened-by-shift", "sds.5.1",
            "Widening fills the wider range (samples of sound and images).",
            answer(wrong::widened_by_shift)),
        mutant("sds-normalized", "sds.5.2 sds.3.2",
            "Integers become reals from -1 to 1.",
            answer(wrong::normalized)),
        mutant("sds-sign-extended", "sds.5.3",
            "The bits of unsigned integers are read as signed integers (a char in C).",
            answer(wrong::sign_extended)),
        mutant("sds-narrowing-scales", "sds.5.4 sds.5.9",
            "A narrower type is always autoscaled.",
            answer(decided::narrowing_scales)),
        mutant("sds-never-shifted-alone", "sds.5.5 sds.5.10",
            "If the codes have to change, both attributes change.",
            answer(decided::never_shifted_alone)),
        mutant("sds-shifted-to-the-end", "sds.5.5",
            "Codes are shifted to the low end of the range.",
            answer(decided::shifted_to_the_end)),
        mutant("sds-tie-to-missing", "sds.5.22",
            "A shift that could go either way goes towards the missing code.",
            answer(decided::tie_to_missing)),
        mutant("sds-codes-wrap", "sds.5.6 sds.5.11 sds.5.10",
            "Codes lose the bits that the type does not have (a cast in C).",
            answer(wrong::codes_wrap)),
        mutant("sds-full-range", "sds.5.6 sds.5.11 sds.5.22",
            "Autoscaling fills the whole range (DRMS, nco).",
            answer(decided::full_range)),
        mutant("sds-full-range-but-two", "sds.5.22 sds.5.6",
            "Autoscaling fills the range but for two codes (astropy's minmax).",
            answer(decided::full_range_but_two)),
        mutant("sds-three-quarters-of-codes", "sds.5.22",
            "Autoscaling covers three quarters of the largest code, not of the number of codes.",
            answer(decided::three_quarters_of_codes)),
    ]
}

#[rustfmt::skip] // A table.
fn exclusions() -> Vec<Mutant> {
    vec![
        mutant("sds-nothing-excluded", "sds.5.7",
            "The codes at the ends are used like all others.",
            answer(decided::nothing_excluded)),
        mutant("sds-sign-always-shifted", "sds.5.9",
            "Signed integers become unsigned ones by adding half of the range (FITS).",
            answer(wrong::sign_always_shifted)),
        mutant("sds-always-excluded", "sds.5.12",
            "The codes at the ends are excluded between signed and unsigned integers too.",
            answer(decided::always_excluded)),
        mutant("sds-precision-exactly", "sds.5.13",
            "The only warnings are about lost digits (DRMS).",
            answer(wrong::precision_exactly)),
        mutant("sds-precision-of-values", "sds.5.13",
            "Values are compared with 8388607, not codes.",
            answer(wrong::precision_of_values)),
        mutant("sds-precision-untold", "sds.5.13",
            "There is no warning about lost digits.",
            omits(Warning::PrecisionMayBeLost)),
        mutant("sds-shifted-for-precision", "sds.5.14",
            "i4 is moved to zero, where r4 has more digits.",
            answer(wrong::shifted_for_precision)),
        mutant("sds-always-autoscaled", "sds.5.15 sds.3.1",
            "Reals are autoscaled even if attributes are set.",
            answer(decided::always_autoscaled)),
    ]
}

#[rustfmt::skip] // A table.
fn code_limits() -> Vec<Mutant> {
    vec![
        mutant("sds-truncates", "sds.5.16",
            "Codes are truncated (a cast in C).",
            answer(decided::truncates)),
        mutant("sds-half-even", "sds.5.16",
            "Halves go to even codes (xarray, netCDF4-python, astropy).",
            answer(decided::half_even)),
        mutant("sds-rounded-thrice", "sds.5.16",
            "Product and sum are rounded to binary64 before the code is.",
            answer(decided::rounded_thrice)),
        mutant("sds-half-added", "sds.5.16",
            "A half is added, and the code is truncated (cfitsio).",
            answer(decided::half_added)),
        mutant("sds-wraps", "sds.5.17",
            "Codes beyond the range wrap (xarray, netCDF4-python, astropy).",
            answer(decided::wraps)),
        mutant("sds-clamps", "sds.5.17",
            "Codes beyond the range become the nearest one (cfitsio, GDAL, HDF5).",
            answer(decided::clamps)),
        mutant("sds-out-of-range-untold", "sds.5.17",
            "There is no warning about values without a code.",
            omits(Warning::DataOutOfRange)),
        mutant("sds-single-scaled", "sds.5.19",
            "A single value has a range of width 1.",
            answer(decided::single_scaled)),
        mutant("sds-nothing-is-unset", "sds.5.19 sds.3.4",
            "Without values there are no attributes.",
            answer(codes::nothing_is_unset)),
        mutant("sds-no-values-untold", "sds.5.19",
            "There is no warning that the data set has no value.",
            omits(Warning::NoValidData)),
        mutant("sds-condition-untold", "sds.5.20",
            "There is no warning about an OFFSET without digits.",
            omits(Warning::OffsetIllConditioned)),
        mutant("sds-r4-clamps", "sds.5.21",
            "A value too large for r4 becomes the greatest r4 number.",
            answer(codes::r4_clamps)),
        mutant("sds-negative-scale-lost", "sds.5.22",
            "A computed SCALE is always positive.",
            answer(decided::negative_scale_lost)),
        mutant("sds-autoscaling-untold", "sds.5.18",
            "There is no warning about the attributes that were set.",
            omits(Warning::Autoscaled)),
        mutant("sds-shift-untold", "sds.5.22",
            "There is no warning about the OFFSET that was changed.",
            omits(Warning::Recentred)),
    ]
}

#[rustfmt::skip] // A table.
fn fills_and_infinities() -> Vec<Mutant> {
    vec![
        mutant("sds-nan-is-zero", "sds.6.1",
            "NaN becomes 0 (xarray without a fill value, netCDF4-python, numcodecs).",
            answer(codes::nan_is_zero)),
        mutant("sds-unchecked", "sds.6.2 sds.6.5",
            "Data are not checked for missing values.",
            answer(external::unchecked)),
        mutant("sds-always-checked", "sds.6.3",
            "Data of the same type get the standard fill value.",
            answer(external::always_checked)),
        mutant("sds-undefined-is-standard", "sds.6.4",
            "Without a fill value, the standard one is used.",
            answer(external::undefined_is_standard)),
        mutant("sds-fill-carried", "sds.6.5",
            "A change of type leaves the fill value unchanged.",
            answer(external::fill_carried)),
        mutant("sds-fill-scaled", "sds.6.6",
            "Missing values are scaled like others (GDAL once).",
            answer(codes::fill_scaled)),
        mutant("sds-collisions-untold", "sds.6.7",
            "A value that equals the fill value becomes missing without a warning (xarray).",
            answer(external::collisions_unwarned)),
        mutant("sds-real-fill-ignored", "sds.6.8",
            "Only NaN is a missing real.",
            answer(decided::real_fill_ignored)),
        mutant("sds-other-fill-taken", "sds.external.fill",
            "A fill value of external reals that contradicts the protocol is ignored.",
            answer(decided::other_fill_ignored)),
        misread("sds-protocol-ignored", "sds.6.9",
            "The protocol says nothing about the fill value.",
            without_protocol),
        mutant("sds-missing-by-the-standard", "sds.6.10",
            "The standard code of the type counts as missing, regardless of the fill value.",
            masks(missing_by_standard)),
        mutant("sds-infinite-codes-unset", "sds.7.1",
            "The codes of infinities are not reported.",
            answer(codes::infinite_unset)),
        mutant("sds-infinity-is-zero", "sds.7.2 sds.7.1",
            "Infinities become 0 (xarray, netCDF4-python).",
            answer(codes::infinity_is_zero)),
        mutant("sds-infinity-scaled", "sds.7.2",
            "The codes of infinities are scaled like others.",
            answer(codes::infinite_scaled)),
        mutant("sds-infinity-in-r4-untold", "sds.7.2",
            "There is no warning that r4 has no infinities.",
            omits(Warning::InfinityNotRepresentable)),
        mutant("sds-negative-infinity-next-to-missing", "sds.7.3",
            "Negative infinity is two above the least code.",
            answer(decided::next_to_missing)),
        mutant("sds-infinity-third-greatest", "sds.7.4",
            "Infinity is the third greatest code of an unsigned type.",
            answer(decided::third_greatest)),
        mutant("sds-negative-infinity-is-zero", "sds.7.5",
            "Negative infinity is 0 in an unsigned type.",
            answer(codes::negative_infinity_is_zero)),
        mutant("sds-negative-infinity-untold", "sds.7.5",
            "There is no warning that negative infinity is missing.",
            omits(Warning::NegInfinityToMissing)),
        mutant("sds-infinity-always-reserved", "sds.7.6",
            "Integers that were reals always have codes for infinities.",
            answer(decided::always_infinite)),
        mutant("sds-infinite-fill-has-codes", "sds.7.6",
            "If an infinity stands for missing values, the codes of infinities are still reserved.",
            answer(decided::infinite_fill_counts)),
        misread("sds-profile-ignored", "sds.profile",
            "There is only one profile.",
            without_profile),
    ]
}
