//! The numeric examples of the note, and rows that check its statements in words.

#![expect(
    clippy::disallowed_types,
    reason = "the rows are written as decimal numbers"
)]

use exactum_model::sds::{
    DataSet, External, Fill, Infinite, Needs, Output, PlanRequest, Policy, Profile, Scaling,
    SdsType, Values, Warning,
};

use super::*;

fn ints(of: SdsType, values: &[i64], fill: Fill) -> DataSet {
    let values = Values::Integers(values.to_vec());
    DataSet::new(of, values, Scaling::UNSET, fill, None, Profile::Tn115).unwrap()
}

fn doubles(values: &[f64], scaling: Scaling) -> DataSet {
    let values = Values::Doubles(values.iter().map(|value| value.to_bits()).collect());
    DataSet::new(
        SdsType::R8,
        values,
        scaling,
        Fill::Nan,
        None,
        Profile::Tn115,
    )
    .unwrap()
}

fn scaling(scale: f64, offset: f64) -> Scaling {
    Scaling::of(Some(scale.to_bits()), Some(offset.to_bits()))
}

fn codes(set: &DataSet) -> &[i64] {
    match set.values() {
        Values::Integers(values) => values,
        other => panic!("{other:?} are not integers"),
    }
}

/// Converts a data set, and returns the result, its SCALE, its OFFSET and the names of the warnings.
fn converted(input: &DataSet, to: SdsType) -> (DataSet, Option<f64>, Option<f64>, String) {
    let (output, warnings) = convert(input, to, Profile::Tn115).unwrap();
    let names: Vec<&str> = warnings.iter().map(|it| it.name()).collect();
    let number = |bits: Option<u64>| bits.map(f64::from_bits);
    let (scale, offset) = (
        number(output.scaling.scale()),
        number(output.scaling.offset()),
    );
    (output, scale, offset, names.join(" "))
}

#[test]
fn the_examples_of_the_note_hold() {
    let check = |from,
                 ends: [i64; 2],
                 to,
                 expected_codes: [i64; 2],
                 scale,
                 offset,
                 expected_warnings: &str| {
        let (output, s, o, warnings) = converted(&ints(from, &ends, Fill::Undefined), to);
        assert_eq!(codes(&output), expected_codes, "{from} {ends:?} -> {to}");
        assert_eq!(
            (s, o, warnings.as_str()),
            (scale, offset, expected_warnings),
            "{from} {ends:?} -> {to}"
        );
    };
    use SdsType::{I2, I4, U1, U2};
    check(I4, [-32767, 32766], I2, [-32767, 32766], None, None, "");
    check(
        I4,
        [-32767, 32767],
        I2,
        [-24576, 24576],
        Some(49152.0 / 65534.0),
        Some(0.0),
        "AUTOSCALED",
    );
    check(I4, [0, 65535], U2, [0, 65535], None, None, "");
    check(
        I4,
        [-32767, 32767],
        U2,
        [0, 65534],
        Some(1.0),
        Some(32767.0),
        "RECENTRED",
    );
    check(
        U2,
        [0, 65535],
        I2,
        [-32768, 32767],
        Some(1.0),
        Some(-32768.0),
        "RECENTRED",
    );
    check(
        U2,
        [0, 65535],
        U1,
        [31, 223],
        Some(192.0 / 65535.0),
        Some(31.0),
        "AUTOSCALED",
    );
}

#[test]
fn reals_are_scaled_into_three_quarters() {
    let input = doubles(
        &[-1.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0],
        Scaling::UNSET,
    );
    let (output, scale, offset, warnings) = converted(&input, SdsType::I2);
    assert_eq!(codes(&output), [-24576, 24576, -32768, 32767, -32767, 0]);
    assert_eq!(
        (scale, offset, warnings.as_str()),
        (Some(24576.0), Some(0.0), "AUTOSCALED")
    );
    assert_eq!(output.fill(), Fill::Code(-32768));
    let both = Infinite {
        positive: 32767,
        negative: Some(-32767),
    };
    assert_eq!(output.infinite(), Some(both));

    let (output, _, offset, warnings) = converted(&input, SdsType::U1);
    assert_eq!(codes(&output), [31, 223, 255, 254, 255, 127]);
    assert_eq!(
        (offset, warnings.as_str()),
        (Some(127.0), "NEG_INFINITY_TO_MISSING AUTOSCALED")
    );

    // After a round trip, all values are unchanged, including NaN and the infinities.
    let (coded, ..) = converted(&input, SdsType::I2);
    let (back, ..) = converted(&coded, SdsType::R8);
    assert_eq!(back.values(), input.values());
}

#[test]
fn single_values_and_none_at_all() {
    let check = |values: &[f64], expected: &[i64], scale, offset, expected_warnings: &str| {
        let (output, s, o, warnings) = converted(&doubles(values, Scaling::UNSET), SdsType::I2);
        assert_eq!(codes(&output), expected, "{values:?}");
        assert_eq!(
            (s, o, warnings.as_str()),
            (Some(scale), Some(offset), expected_warnings),
            "{values:?}"
        );
    };
    check(&[7.5, 7.5], &[0, 0], 1.0, -7.5, "AUTOSCALED");
    check(&[f64::NAN], &[-32768], 1.0, 0.0, "NO_VALID_DATA");
    check(&[], &[], 1.0, 0.0, "NO_VALID_DATA");
    check(
        &[1e300],
        &[0],
        1.0,
        -1e300,
        "OFFSET_ILL_CONDITIONED AUTOSCALED",
    );
}

#[test]
fn preset_attributes_govern() {
    // Ties go away from zero. A value without a code becomes missing and is never wrapped or clamped.
    let input = doubles(&[0.25, -0.25, 400.0, -16384.0, 16383.5], scaling(2.0, 0.0));
    let (output, scale, _, warnings) = converted(&input, SdsType::I2);
    assert_eq!(codes(&output), [1, -1, 800, -32768, 32767]);
    assert_eq!((scale, warnings.as_str()), (Some(2.0), "DATA_OUT_OF_RANGE"));
    // A negative SCALE keeps its sign when both attributes are determined again.
    let values = Values::Integers(vec![-32767, 32767]);
    let preset = scaling(-1.0, 0.0);
    let input = DataSet::new(
        SdsType::I4,
        values,
        preset,
        Fill::Undefined,
        None,
        Profile::Tn115,
    );
    let (output, scale, offset, _) = converted(&input.unwrap(), SdsType::I2);
    assert_eq!(codes(&output), [-24576, 24576]);
    assert_eq!((scale, offset), (Some(-49152.0 / 65534.0), Some(0.0)));
}

#[test]
fn missing_goes_to_missing_unscaled() {
    let (output, ..) = converted(&ints(SdsType::U1, &[0, 7, 254], Fill::Code(7)), SdsType::I1);
    assert_eq!(output.fill(), Fill::Code(-128));
    assert_eq!(codes(&output)[1], -128);
    let (output, ..) = converted(&ints(SdsType::U1, &[0, 7], Fill::Undefined), SdsType::U4);
    assert_eq!(output.fill(), Fill::Undefined);
    assert_eq!(
        missing(&ints(SdsType::U1, &[0, 7], Fill::Code(7))).unwrap(),
        [false, true]
    );
}

#[test]
fn precision_is_warned_of() {
    let warnings_of = |value: i64, fill| {
        let (_, _, _, warnings) = converted(&ints(SdsType::I4, &[value], fill), SdsType::R4);
        warnings
    };
    assert_eq!(warnings_of(8_388_607, Fill::Undefined), "");
    assert_eq!(
        warnings_of(8_388_608, Fill::Undefined),
        "PRECISION_MAY_BE_LOST"
    );
    assert_eq!(warnings_of(8_388_608, Fill::Code(8_388_608)), "");
    assert_eq!(
        warnings_of(-8_388_608, Fill::Undefined),
        "PRECISION_MAY_BE_LOST"
    );
}

#[test]
fn formats_close_the_table() {
    let set = scaling(10.0, 0.0);
    let plain = |set: &DataSet| (set.data_type(), set.scaling.is_set());
    // Scaled integers are read as reals with the attributes set, and such reals are written as scaled integers.
    let mut external = ints(SdsType::I2, &[5, -32768], Fill::Code(-32768));
    external.scaling = set;
    let (internal, _) = read(&external, None, None, Profile::Tn115).unwrap();
    assert_eq!(plain(&internal), (SdsType::R4, true));
    let (written, _) = write(&internal, None, &Output::default(), Profile::Tn115).unwrap();
    assert_eq!(written, external);
    // Integers with the attributes set are written as reals without scaling.
    let (output, _) = write(&external, None, &Output::default(), Profile::Tn115).unwrap();
    assert_eq!(plain(&output), (SdsType::R4, false));
    // Scaled reals are read as reals with the attributes unset.
    let scaled = doubles(&[1.0], set);
    let (output, warnings) = read(&scaled, None, None, Profile::Tn115).unwrap();
    assert_eq!(plain(&output), (SdsType::R8, false));
    assert!(warnings.contains(&Warning::ScalingIgnored));
    // A format without scaling receives plain reals.
    let no_scaling = Output {
        scaling: false,
        ..Output::default()
    };
    let (output, warnings) = write(&scaled, None, &no_scaling, Profile::Tn115).unwrap();
    assert_eq!(plain(&output), (SdsType::R8, false));
    assert!(warnings.contains(&Warning::ScalingNotSupported));
}

#[test]
fn wso_ds_has_a_number_for_missing() {
    let wso = Output {
        external: Some(External::WsoDs),
        ..Output::default()
    };
    let input = doubles(&[f64::NAN, 1.0], Scaling::UNSET);
    let (written, _) = write(&input, Some(SdsType::R4), &wso, Profile::Tn115).unwrap();
    let missing = (-8_388_608e10_f32).to_bits();
    assert_eq!(
        written.values(),
        &Values::Singles(vec![missing, 1.0f32.to_bits()])
    );
    let (back, _) = read(
        &written,
        Some(SdsType::R8),
        Some(External::WsoDs),
        Profile::Tn115,
    )
    .unwrap();
    assert_eq!(back, input);
    assert!(read(&input, None, Some(External::WsoDs), Profile::Tn115).is_err());
}

#[test]
fn a_scaling_is_lowered() {
    let lowered = lower(scaling(0.75, 12.0)).unwrap();
    let read = |bits| f64::from_bits(bits);
    assert_eq!(
        (read(lowered.factor), read(lowered.zero)),
        (1.0 / 0.75, -16.0)
    );
    assert_eq!(
        (lowered.factor_is_exact, lowered.zero_is_exact),
        (false, true)
    );
    assert!(lower(scaling(5e-324, 0.0)).is_err());
}

/// Returns a request for a range that may need a code for NaN.
fn request(minimum: f64, maximum: f64, target: SdsType, nan: bool, policy: Policy) -> PlanRequest {
    PlanRequest {
        minimum: minimum.to_bits(),
        maximum: maximum.to_bits(),
        target,
        needs: Needs {
            nan,
            ..Needs::default()
        },
        policy,
        profile: Profile::Tn115,
    }
}

#[test]
fn packings_are_planned() {
    let check = |request: PlanRequest, scale: f64, offset: f64, fill| {
        let plan = plan(&request).unwrap_or_else(|it| panic!("{request:?}: {it}"));
        let (s, o) = (f64::from_bits(plan.scale), f64::from_bits(plan.offset));
        assert_eq!((s, o, plan.fill), (scale, offset, fill), "{request:?}");
        let half = 0.5 / scale;
        let error = f64::from_bits(plan.maximum_error);
        assert!(
            (half..half * (1.0 + 1e-9)).contains(&error),
            "{error:e} {half:e}"
        );
    };
    use SdsType::{I2, U1, U2};
    check(
        request(-1.0, 1.0, I2, true, Policy::Tn115),
        24576.0,
        0.0,
        Some(-32768),
    );
    check(
        request(0.0, 65535.0, U1, false, Policy::Tn115),
        192.0 / 65535.0,
        31.0,
        None,
    );
    check(
        request(0.0, 254.0, U1, true, Policy::Full),
        1.0,
        0.0,
        Some(255),
    );
    check(request(0.0, 255.0, U1, false, Policy::Full), 1.0, 0.0, None);
    check(
        request(-1.0, 1.0, I2, true, Policy::PowerOfTwo),
        16384.0,
        0.0,
        Some(-32768),
    );
    check(
        request(-54.5, 600.8, I2, true, Policy::Decimal),
        10.0,
        -2731.0,
        Some(-32768),
    );
    check(
        request(0.0, 100.0, U2, true, Policy::Quantum(0.01f64.to_bits())),
        100.0,
        27767.0,
        Some(65535),
    );
    let room = plan(&request(-1.0, 1.0, I2, true, Policy::Tn115))
        .unwrap()
        .headroom;
    let room = f64::from_bits(room.unwrap());
    assert!((room - 1.0 / 6.0).abs() < 1e-4, "{room}");
}

#[test]
fn ranges_without_a_packing_are_rejected() {
    use SdsType::I2;
    let refused = |request: PlanRequest, pointer: &str| {
        let rejection = plan(&request).unwrap_err();
        assert_eq!(rejection.reason, exactum_model::Reason::Scaling);
        assert_eq!(
            rejection.at,
            Some(exactum_model::At::Pointer(pointer.into()))
        );
    };
    refused(request(1.0, -1.0, I2, true, Policy::Tn115), "/minimum");
    refused(request(0.0, f64::NAN, I2, true, Policy::Tn115), "/maximum");
    refused(
        request(0.0, 1.0, SdsType::R8, true, Policy::Tn115),
        "/target",
    );
    refused(
        request(0.0, 1e6, I2, true, Policy::Quantum(1f64.to_bits())),
        "/policy",
    );
    refused(request(0.0, 1.0, I2, true, Policy::Quantum(0)), "/policy");
    refused(
        request(1e300, 1e300f64.next_up(), I2, true, Policy::Full),
        "/minimum",
    );
}
