//! Codecs of the registry, of numcodecs and of zarrs that are known only by name.

use crate::pipeline::{Codec, CodecKind};

const fn array_to_array(name: &'static str) -> Codec {
    Codec {
        name,
        configuration: None,
        kind: CodecKind::ArrayToArray(None),
        varies: false,
    }
}

const fn array_to_bytes(name: &'static str) -> Codec {
    Codec {
        name,
        configuration: None,
        kind: CodecKind::ArrayToBytes(None),
        varies: false,
    }
}

/// Returns a bytes -> bytes codec whose output is as long as its input plus a constant.
const fn checksum(name: &'static str) -> Codec {
    Codec {
        name,
        configuration: None,
        kind: CodecKind::BytesToBytes(None),
        varies: false,
    }
}

/// Returns a bytes -> bytes codec whose output may have any length.
const fn compressor(name: &'static str) -> Codec {
    Codec {
        varies: true,
        ..checksum(name)
    }
}

/// Returns an array -> bytes codec whose output may have any length.
const fn variable_length(name: &'static str) -> Codec {
    Codec {
        varies: true,
        ..array_to_bytes(name)
    }
}

pub(super) static CODECS: [Codec; 25] = [
    array_to_array("numcodecs.astype"),
    array_to_array("numcodecs.delta"),
    array_to_array("numcodecs.packbits"),
    array_to_array("numcodecs.quantize"),
    array_to_array("zarrs.squeeze"),
    array_to_bytes("numcodecs.pcodec"),
    variable_length("vlen-array"),
    variable_length("zarrs.vlen"),
    variable_length("zarrs.vlen_v2"),
    checksum("numcodecs.adler32"),
    checksum("numcodecs.crc32"),
    checksum("numcodecs.crc32c"),
    checksum("numcodecs.fletcher32"),
    checksum("numcodecs.jenkins_lookup3"),
    checksum("numcodecs.shuffle"),
    compressor("numcodecs.blosc"),
    compressor("numcodecs.bz2"),
    compressor("numcodecs.gzip"),
    compressor("numcodecs.lz4"),
    compressor("numcodecs.lzma"),
    compressor("numcodecs.zlib"),
    compressor("numcodecs.zstd"),
    compressor("zarrs.bz2"),
    compressor("zarrs.gdeflate"),
    compressor("zarrs.zlib"),
];
