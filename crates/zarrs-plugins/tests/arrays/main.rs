//! Arrays through zarrs on a real file system, with our codecs and data types.

mod codecs;
mod common;
mod data_types;
mod faults;
mod fill;
mod fused;
mod packbits;
mod parts;
mod zfp;
