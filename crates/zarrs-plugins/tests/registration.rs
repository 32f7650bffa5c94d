//! Tests registrations: before and after them, nothing is registered, and in between they may be made any number of
//! times. There is only one test, since the registry is shared by the process.

use exactum_zarrs_plugins::data_type::uint4::Uint4DataType;
use exactum_zarrs_plugins::{Registration, register, register_codecs, register_data_types};
use zarrs::array::{Codec, DataType};
use zarrs::metadata::v3::MetadataV3;

/// Returns whether the codecs and the data types of this crate are registered.
fn there() -> (bool, bool) {
    let codec = Codec::from_metadata(&MetadataV3::new("scale_offset")).is_ok();
    let uint12 = DataType::from_metadata(&MetadataV3::new("uint12")).is_ok();
    let uint4 = DataType::from_metadata(&MetadataV3::new("uint4")).expect("zarrs has one");
    assert_eq!(uint4.is::<Uint4DataType>(), uint12);
    (codec, uint12)
}

#[test]
fn registrations_come_and_go() {
    assert_eq!(there(), (false, false));
    let first = register();
    assert_eq!(there(), (true, true));
    let second = register();
    drop(first);
    assert_eq!(there(), (true, true));
    drop(second);
    assert_eq!(there(), (false, false));

    let codecs = register_codecs();
    assert_eq!(there(), (true, false));
    let data_types = register_data_types();
    assert_eq!(there(), (true, true));
    drop(codecs);
    assert_eq!(there(), (false, true));
    drop(data_types);
    assert_eq!(there(), (false, false));

    // A registration may be stored in a static, or be forgotten: both keep it forever.
    static KEPT: std::sync::OnceLock<Registration> = std::sync::OnceLock::new();
    KEPT.get_or_init(register);
    assert_eq!(there(), (true, true));
}
