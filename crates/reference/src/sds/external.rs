//! Reading and writing of external formats (sds.2.7 to sds.2.10, sds.4.*, sds.6.3 to sds.6.9).

use exactum_exact::Exact;
use exactum_model::sds::{
    DataSet, External, Fill, Output, Profile, Scaling, SdsType, Values, Warning, Warnings,
};
use exactum_model::{Reason, Rejection};

use super::element::{Element, binary64, elements, round_real};

use super::decisions::Conversion;
use super::{convert_with, reals};
use crate::Reference;

/// Reads external data with its external fill value, and casts it to a type. Without a type, which is `SDS_ANY`, it
/// is not cast (sds.4.1).
///
/// # Errors
/// If the fill value contradicts the protocol (sds.external.fill), or if [`convert`](super::convert) rejects the
/// cast.
pub fn read(
    external: &DataSet,
    cast: Option<SdsType>,
    protocol: Option<External>,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    read_with(&Reference, external, cast, protocol, profile)
}

/// Reads external data with the given decisions.
///
/// # Errors
/// The same as for [`read`].
pub fn read_with(
    rules: &dyn Conversion,
    external: &DataSet,
    cast: Option<SdsType>,
    protocol: Option<External>,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let of = external.data_type();
    let (internal, mut warnings) = if of.is_real() {
        read_real(rules, external, protocol, profile)?
    } else if !external.scaling.is_set() || cast == Some(of) || of == SdsType::C8 {
        // Equal types are copied bit by bit, including attributes and fill value (sds.4.2, sds.6.3).
        (external.clone(), Warnings::new())
    } else {
        let real = match cast {
            None => width_of(of),
            Some(_) => SdsType::R8,
        };
        convert_with(rules, external, real, profile)?
    };
    let cast = cast.unwrap_or(internal.data_type());
    let (output, more) = convert_with(rules, &internal, cast, profile)?;
    warnings.extend(more);
    Ok((output, warnings))
}

/// Reads reals. Their scaling is ignored (sds.2.10), and their fill value becomes NaN (sds.6.8).
fn read_real(
    rules: &dyn Conversion,
    external: &DataSet,
    protocol: Option<External>,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let fill = rules.fill_of_reals(external.fill(), protocol)?;
    let mut warnings = Warnings::new();
    if external.scaling.is_set() {
        warnings.insert(Warning::ScalingIgnored);
    }
    let of = external.data_type();
    let read = DataSet::new(
        of,
        external.values().clone(),
        Scaling::UNSET,
        fill,
        None,
        profile,
    )?;
    if !matches!(fill, Fill::Real(_)) {
        return Ok((read, warnings));
    }
    let (read, _) = filled(&read, Fill::Nan, profile)?;
    Ok((read, warnings))
}

/// Casts a data set to a type, if one is given, and writes it to an external format (sds.4.1).
///
/// # Errors
/// If the fill value contradicts the protocol, if the type cannot hold the fill value, if the storage type is not an
/// integer type, or if [`convert`](super::convert) rejects a conversion.
pub fn write(
    input: &DataSet,
    cast: Option<SdsType>,
    output: &Output,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    write_with(&Reference, input, cast, output, profile)
}

/// Writes a data set to an external format with the given decisions.
///
/// # Errors
/// The same as for [`write()`].
pub fn write_with(
    rules: &dyn Conversion,
    input: &DataSet,
    cast: Option<SdsType>,
    output: &Output,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let target = cast.unwrap_or(input.data_type());
    let (internal, mut warnings) = convert_with(rules, input, target, profile)?;
    let of = internal.data_type();
    let is_set = internal.scaling.is_set();
    if of == SdsType::C8 || (of.is_integer() && !is_set) {
        return Ok((internal, warnings));
    }
    let written = if of.is_integer() {
        // The data are written as reals, which are not scaled (sds.2.9).
        let (mut real, more) = convert_with(rules, &internal, width_of(of), profile)?;
        warnings.extend(more);
        real.scaling = Scaling::UNSET;
        real
    } else if is_set && output.scaling {
        if !output.storage.is_integer() {
            return Err(Rejection::new(
                Reason::UnsupportedDataType,
                "sds.2.7",
                format!("scaled integers cannot be stored as {}", output.storage),
            )
            .at_pointer("/storage"));
        }
        let (scaled, more) = convert_with(rules, &internal, output.storage, profile)?;
        warnings.extend(more);
        return Ok((scaled, warnings));
    } else {
        let mut real = internal;
        if is_set {
            warnings.insert(Warning::ScalingNotSupported);
            real.scaling = Scaling::UNSET;
        }
        real
    };
    let given = output.fill.map_or(Fill::Undefined, real_fill);
    let fill = rules.fill_of_reals(given, output.external)?;
    let (written, more) = filled(&written, fill, profile)?;
    warnings.extend(more);
    Ok((written, warnings))
}

fn real_fill(bits: u64) -> Fill {
    match Exact::from_bits(&binary64(), bits) {
        Exact::Nan => Fill::Nan,
        _ => Fill::Real(bits),
    }
}

/// Replaces missing values by a fill value (sds.6.8). A value that equals the fill value becomes missing
/// (sds.6.7).
fn filled(input: &DataSet, fill: Fill, profile: Profile) -> Result<(DataSet, Warnings), Rejection> {
    let of = input.data_type();
    let Fill::Real(fill_bits) = fill else {
        let missing = elements(input);
        let bits = bits_of(input.values()).into_iter().zip(missing);
        let bits: Vec<Option<u64>> = bits
            .map(|(bits, element)| (element != Element::Missing).then_some(bits))
            .collect();
        let output = DataSet::new(
            of,
            reals(of, &bits),
            input.scaling,
            Fill::Nan,
            None,
            profile,
        )?;
        return Ok((output, Warnings::new()));
    };
    let fill_value = Exact::from_bits(&binary64(), fill_bits);
    let own = round_real(&fill_value, of).filter(|&bits| {
        let rounded = Exact::from_bits(&of.data_type().format(), bits);
        matches!(fill_value, Exact::Finite(_) | Exact::Zero { .. })
            && rounded
                .compare(&fill_value)
                .is_some_and(std::cmp::Ordering::is_eq)
    });
    let Some(own) = own else {
        return Err(Rejection::new(
            Reason::FillValue,
            "sds.6.8",
            format!("the fill value is not a finite value of {of}"),
        )
        .at_pointer("/fill"));
    };
    let mut warnings = Warnings::new();
    let mut bits = bits_of(input.values());
    for (bits, element) in bits.iter_mut().zip(elements(input)) {
        match element {
            Element::Missing => *bits = own,
            Element::Stored(value) => {
                if value
                    .compare(&fill_value)
                    .is_some_and(std::cmp::Ordering::is_eq)
                {
                    warnings.insert(Warning::DataOutOfRange);
                }
            }
            Element::Infinite { .. } => {}
        }
    }
    let bits: Vec<Option<u64>> = bits.into_iter().map(Some).collect();
    let output = DataSet::new(of, reals(of, &bits), input.scaling, fill, None, profile)?;
    Ok((output, warnings))
}

/// Returns the real type that holds the values of an integer type: `r4` for one or two bytes, and `r8` for four.
fn width_of(integer: SdsType) -> SdsType {
    match integer {
        SdsType::I4 | SdsType::U4 => SdsType::R8,
        _ => SdsType::R4,
    }
}

fn bits_of(values: &Values) -> Vec<u64> {
    match values {
        Values::Singles(values) => values.iter().map(|&bits| bits.into()).collect(),
        Values::Doubles(values) => values.clone(),
        Values::Integers(_) | Values::Complex(_) => Vec::new(),
    }
}
