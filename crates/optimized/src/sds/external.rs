//! Reading from and writing to external formats (sds.2.7 to sds.2.10, sds.4.*, sds.6.3 to sds.6.9).

use exactum_model::sds::{
    DataSet, External, Fill, NAN, Output, Profile, Scaling, SdsType, Values, Warning, Warnings,
};
use exactum_model::{Reason, Rejection};

use super::{NAN_SINGLE, convert, is_missing, missing_of, single_bits, widened};

/// Reads external data and casts it to a type, or to none: `SDS_ANY` (sds.4.1).
///
/// # Errors
/// A fill value that contradicts the protocol (sds.external.fill), and the rejections of [`convert`].
pub fn read(
    external: &DataSet,
    cast: Option<SdsType>,
    protocol: Option<External>,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let of = external.data_type();
    let copied = of == SdsType::C8 || !external.scaling.is_set() || cast == Some(of);
    let (internal, mut warnings) = if of.is_real() {
        real(external, protocol, profile)?
    } else if copied {
        (external.clone(), Warnings::new())
    } else {
        let through = match (cast, of) {
            (Some(_), _) | (None, SdsType::I4 | SdsType::U4) => SdsType::R8,
            (None, _) => SdsType::R4,
        };
        convert(external, through, profile)?
    };
    let (output, more) = convert(&internal, cast.unwrap_or(internal.data_type()), profile)?;
    warnings.extend(more);
    Ok((output, warnings))
}

fn real(
    external: &DataSet,
    protocol: Option<External>,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let fill = agreed(external.fill(), protocol)?;
    let mut warnings = Warnings::new();
    if external.scaling.is_set() {
        warnings.insert(Warning::ScalingIgnored);
    }
    let mut values = external.values().clone();
    if let Fill::Real(_) = fill {
        match &mut values {
            Values::Singles(bits) => {
                let missing = is_missing(&widened(bits), fill);
                for (bits, _) in bits.iter_mut().zip(missing).filter(|(_, missing)| *missing) {
                    *bits = NAN_SINGLE;
                }
            }
            Values::Doubles(bits) => {
                let missing = is_missing(&super::doubles(bits), fill);
                for (bits, _) in bits.iter_mut().zip(missing).filter(|(_, missing)| *missing) {
                    *bits = exactum_model::sds::NAN;
                }
            }
            Values::Integers(_) | Values::Complex(_) => {}
        }
    }
    let of = external.data_type();
    let read = DataSet::new(of, values, Scaling::UNSET, Fill::Nan, None, profile)?;
    Ok((read, warnings))
}

/// Returns the fill value of external reals (sds.6.8, sds.6.9).
fn agreed(given: Fill, protocol: Option<External>) -> Result<Fill, Rejection> {
    match (
        given,
        protocol.map(|protocol| (protocol, protocol.real_fill())),
    ) {
        (Fill::Undefined, None) => Ok(Fill::Nan),
        (given, None) => Ok(given),
        (Fill::Undefined, Some((_, own))) => Ok(own),
        (given, Some((_, own))) if given == own => Ok(own),
        (_, Some((protocol, _))) => Err(Rejection::new(
            Reason::Metadata,
            "sds.external.fill",
            format!(
                "{} prescribes another fill value for reals",
                protocol.name()
            ),
        )
        .at_pointer("/fill")),
    }
}

/// Casts a data set to a type, or to none, and writes it to an external format (sds.4.1).
///
/// # Errors
/// A fill value that contradicts the protocol or that the type cannot hold, a storage type that is not an
/// integer, and the rejections of [`convert`].
///
/// ```
/// use exactum_optimized::model::sds::{
///     DataSet, Fill, Output, Profile, Scaling, SdsType, Values,
/// };
/// use exactum_optimized::sds;
///
/// let profile = Profile::default();
/// let values = Values::Integers(vec![1, 2]);
/// let scaling = Scaling::of(Some(2.0_f64.to_bits()), None);
/// let fill = Fill::Undefined;
/// let codes = DataSet::new(SdsType::I2, values, scaling, fill, None, profile)?;
/// // Scaled data are written as reals or, where the format scales integers, unchanged.
/// let (written, _) = sds::write(&codes, None, &Output::default(), profile)?;
/// let (back, _) = sds::read(&written, None, None, profile)?;
/// assert_eq!(back.values().len(), 2);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn write(
    input: &DataSet,
    cast: Option<SdsType>,
    output: &Output,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let (internal, mut warnings) = convert(input, cast.unwrap_or(input.data_type()), profile)?;
    let of = internal.data_type();
    let is_set = internal.scaling.is_set();
    if of == SdsType::C8 || (of.is_integer() && !is_set) {
        return Ok((internal, warnings));
    }
    if of.is_real() && is_set && output.scaling {
        if !output.storage.is_integer() {
            let message = format!("scaled integers cannot be stored as {}", output.storage);
            return Err(
                Rejection::new(Reason::UnsupportedDataType, "sds.2.7", message)
                    .at_pointer("/storage"),
            );
        }
        let (scaled, more) = convert(&internal, output.storage, profile)?;
        warnings.extend(more);
        return Ok((scaled, warnings));
    }
    let mut plain = match of {
        SdsType::I4 | SdsType::U4 => convert(&internal, SdsType::R8, profile)?,
        of if of.is_integer() => convert(&internal, SdsType::R4, profile)?,
        _ if is_set => (internal, Warnings::from([Warning::ScalingNotSupported])),
        _ => (internal, Warnings::new()),
    };
    plain.0.scaling = Scaling::UNSET;
    warnings.extend(plain.1);
    let given = match output.fill {
        None => Fill::Undefined,
        Some(bits) if f64::from_bits(bits).is_nan() => Fill::Nan,
        Some(bits) => Fill::Real(bits),
    };
    let fill = match agreed(given, output.external)? {
        Fill::Real(bits) => bits,
        _ => NAN,
    };
    let (filled, more) = filled(&plain.0, fill, profile)?;
    warnings.extend(more);
    Ok((filled, warnings))
}

/// Replaces missing values by a number or NaN (sds.6.8); a value that equals it becomes missing (sds.6.7).
fn filled(input: &DataSet, fill: u64, profile: Profile) -> Result<(DataSet, Warnings), Rejection> {
    let of = input.data_type();
    let number = f64::from_bits(fill);
    let (stands, single) = match number.is_nan() {
        true => (Fill::Nan, NAN_SINGLE),
        false => (Fill::Real(fill), single_bits(number)),
    };
    let fits = of == SdsType::R8 || f64::from(f32::from_bits(single)) == number;
    if number.is_infinite() || !(fits || number.is_nan()) {
        let message = format!("the fill value is not a finite value of {of}");
        return Err(Rejection::new(Reason::FillValue, "sds.6.8", message).at_pointer("/fill"));
    }
    let mut taken = false;
    let own = missing_of(input.fill());
    let mut value = |value: f64| {
        let missing = value.is_nan() || value == own;
        taken |= !missing && value == number;
        missing
    };
    let values = match input.values() {
        Values::Singles(bits) => {
            let one = |&bits: &u32| {
                if value(f32::from_bits(bits).into()) {
                    single
                } else {
                    bits
                }
            };
            Values::Singles(bits.iter().map(one).collect())
        }
        Values::Doubles(bits) => {
            let one = |&bits: &u64| {
                if value(f64::from_bits(bits)) {
                    fill
                } else {
                    bits
                }
            };
            Values::Doubles(bits.iter().map(one).collect())
        }
        other => other.clone(),
    };
    let output = DataSet::new(of, values, input.scaling, stands, None, profile)?;
    let warnings = match taken {
        true => Warnings::from([Warning::DataOutOfRange]),
        false => Warnings::new(),
    };
    Ok((output, warnings))
}
