//! The extension module `exactum._exactum`: the functions of Exactum over NumPy arrays.
//!
//! The Python package checks the arguments of a call and turns them into the JSON of a codec's configuration. The crate
//! `exactum-metadata` reads this JSON, so the same rules apply to documents and to function calls.

mod arch;
mod codec;
mod command;
mod downsample;
mod rejection;
mod scalar;

/// The functions and classes of the module.
#[pyo3::pymodule]
mod _exactum {
    #[pymodule_export]
    use crate::codec::Codec;
    #[pymodule_export]
    use crate::command::{call, main};
    #[pymodule_export]
    use crate::downsample::downsample;
    #[pymodule_export]
    use crate::scalar::{scalar_bytes, scalar_json};
}
