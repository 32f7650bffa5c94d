//! Arrays through zarrs on a real file system, with the codecs and data types of this crate.

mod codecs;
mod common;
mod data_types;
mod faults;
mod fill;
mod fused;
mod packbits;
mod parts;
mod zfp;
