//! The extension module `exactum._exactum`: the functions of Exactum over NumPy arrays.
//!
//! The package checks what users pass and turns it into the JSON of a codec's configuration; the crate
//! `exactum-metadata` reads that, and so one set of rules holds for documents and for function calls.

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
