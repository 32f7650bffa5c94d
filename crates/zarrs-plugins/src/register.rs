//! Registration at run time.

use zarrs::array::DataTypeTraitsV3;
use zarrs::array::codec::api::{
    CodecRuntimePluginV3, CodecRuntimeRegistryHandleV3, register_codec_v3, unregister_codec_v3,
};
use zarrs::array::data_type::api::{
    DataTypeRuntimePluginV3, DataTypeRuntimeRegistryHandleV3, register_data_type_v3,
    unregister_data_type_v3,
};

use crate::codec::CODECS;
use crate::data_type::decimal::DecimalDataType;
use crate::data_type::float8_e3m4::Float8E3m4DataType;
use crate::data_type::sample::SampleDataType;
use crate::data_type::uint4::Uint4DataType;
use crate::data_type::uint12::Uint12DataType;

/// The entries that [`register`] added. They are removed when this value is dropped.
///
/// Registrations are independent of each other. A name stays registered until its last registration is dropped, and
/// registrations may be dropped in any order. Open arrays keep the codecs and the data types with which they were
/// opened.
///
/// zarrs asks plugins that were registered at run time before those that are linked in, and earlier registrations
/// before later ones. If a third party has already registered a plugin under one of these names, that plugin stays in
/// use.
///
/// ```
/// use exactum_zarrs_plugins::{Registration, register, register_codecs, register_data_types};
///
/// let all: Registration = register();
/// // Or of them only some.
/// let (codecs, data_types) = (register_codecs(), register_data_types());
/// drop((all, codecs, data_types));
/// ```
#[derive(Default)]
#[must_use = "the plugins are unregistered when this is dropped"]
pub struct Registration {
    codecs: Vec<CodecRuntimeRegistryHandleV3>,
    data_types: Vec<DataTypeRuntimeRegistryHandleV3>,
}

/// Registers all codecs and data types of this crate.
pub fn register() -> Registration {
    let mut registration = register_codecs();
    registration.data_types = register_data_types().take_data_types();
    registration
}

/// Registers only the codecs: `bitround` (also under its older name), `cast_value`, `packbits`,
/// `scale_offset` and `zfp`. It also replaces the `blosc`, `crc32c`, `gzip`, `numcodecs.zlib`,
/// `sharding_indexed` and `zstd` of zarrs.
///
/// The latter treat stored bytes as hostile: nothing is decompressed beyond the size that the document gives
/// a chunk, the entries of a shard's index are checked against the shard, and a checksum is checked whenever
/// bytes before it are read. `gzip` reads several consecutive members and refuses anything else after them.
pub fn register_codecs() -> Registration {
    let codecs = CODECS.iter().map(|&(name, create)| {
        register_codec_v3(CodecRuntimePluginV3::new(move |it| it == name, create))
    });
    Registration {
        codecs: codecs.collect(),
        data_types: Vec::new(),
    }
}

/// Registers only the data types; see [`data_type`](crate::data_type).
pub fn register_data_types() -> Registration {
    Registration {
        codecs: Vec::new(),
        data_types: vec![
            data_type::<DecimalDataType>("exactum.decimal"),
            data_type::<SampleDataType>("exactum.sample"),
            data_type::<Float8E3m4DataType>("float8_e3m4"),
            data_type::<Uint12DataType>("uint12"),
            data_type::<Uint4DataType>("uint4"),
        ],
    }
}

fn data_type<T: DataTypeTraitsV3 + 'static>(name: &'static str) -> DataTypeRuntimeRegistryHandleV3 {
    register_data_type_v3(DataTypeRuntimePluginV3::new(
        move |it| it == name,
        T::create,
    ))
}

impl Registration {
    fn take_data_types(mut self) -> Vec<DataTypeRuntimeRegistryHandleV3> {
        std::mem::take(&mut self.data_types)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        for handle in &self.codecs {
            unregister_codec_v3(handle);
        }
        for handle in &self.data_types {
            unregister_data_type_v3(handle);
        }
    }
}

impl std::fmt::Debug for Registration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registration")
            .field("codecs", &self.codecs.len())
            .field("data_types", &self.data_types.len())
            .finish()
    }
}
