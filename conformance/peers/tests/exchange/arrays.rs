//! The arrays that are exchanged.

/// A two-dimensional array, the libraries that support its codecs, and its values.
pub(crate) struct Exchanged {
    pub(crate) name: &'static str,
    pub(crate) libraries: &'static [&'static str],
    pub(crate) data_type: &'static str,
    fill_value: &'static str,
    codecs: &'static str,
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// The number of rows that are written; the chunks of the other rows stay missing.
    pub(crate) written: u64,
    /// The bits of the fill value, little-endian.
    absent: &'static [u8],
    /// The bits of element `index`, counted over the rows that are written.
    element: fn(u8) -> Vec<u8>,
}

const BOTH: &[&str] = &["tensorstore", "zarr-python"];

/// Arrays whose values survive their codecs unchanged.
pub(crate) const ARRAYS: &[Exchanged] = &[
    // Without an Exactum codec: the basis on which the libraries agree.
    Exchanged {
        name: "float32-transposed",
        libraries: BOTH,
        fill_value: "-1.5",
        codecs: r#"{"name": "transpose", "configuration": {"order": [1, 0]}},
                   {"name": "bytes", "configuration": {"endian": "big"}}"#,
        absent: &[0x00, 0x00, 0xc0, 0xbf],
        element: |index| (f32::from(index) / 4.0).to_le_bytes().to_vec(),
        ..array("float32")
    },
    Exchanged {
        name: "float8_e3m4",
        libraries: &["tensorstore"],
        fill_value: "\"NaN\"",
        codecs: r#"{"name": "bytes"}"#,
        absent: &[0x78],
        element: |index| vec![index * 7],
        ..array("float8_e3m4")
    },
    Exchanged {
        name: "float8_e3m4-in-shards",
        libraries: &["tensorstore"],
        fill_value: "-0.25",
        codecs: r#"{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 2],
                    "codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes"}],
                    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
                                     {"name": "crc32c"}], "index_location": "end"}}"#,
        absent: &[0x90],
        element: |index| vec![0xe0 - index * 3],
        ..array("float8_e3m4")
    },
    Exchanged {
        name: "cast_value",
        libraries: &["zarr-python"],
        fill_value: "\"NaN\"",
        codecs: r#"{"name": "cast_value", "configuration": {"data_type": "int16", "out_of_range": "clamp",
                    "scalar_map": {"encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}}},
                   {"name": "bytes", "configuration": {"endian": "big"}}"#,
        absent: &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
        element: |index| match index {
            5 => f64::NAN.to_le_bytes().to_vec(),
            _ => (f64::from(index + 1) * -1001.0).to_le_bytes().to_vec(),
        },
        ..array("float64")
    },
    Exchanged {
        name: "scale_offset",
        libraries: &["zarr-python"],
        fill_value: "1000",
        codecs: r#"{"name": "scale_offset", "configuration": {"offset": 1000, "scale": 3}},
                   {"name": "bytes", "configuration": {"endian": "little"}}"#,
        absent: &[0xe8, 0x03, 0, 0],
        element: |index| {
            (i32::from(index) * 65_537 - 1_000_000)
                .to_le_bytes()
                .to_vec()
        },
        ..array("int32")
    },
    Exchanged {
        name: "scale_offset-cast_value-in-shards",
        libraries: &["zarr-python"],
        fill_value: "20.5",
        codecs: r#"{"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 1],
                    "codecs": [{"name": "scale_offset", "configuration": {"offset": 20, "scale": 4}},
                               {"name": "cast_value", "configuration": {"data_type": "int8"}},
                               {"name": "bytes"}],
                    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
                                     {"name": "crc32c"}], "index_location": "start"}}"#,
        absent: &[0x00, 0x00, 0xa4, 0x41],
        element: |index| (20.0 - f32::from(index) / 4.0).to_le_bytes().to_vec(),
        ..array("float32")
    },
    // 2^53 + 1 and the integers after it, which binary64 cannot distinguish.
    Exchanged {
        name: "int64-beyond-floats",
        libraries: &["zarr-python"],
        fill_value: "9007199254740993",
        codecs: r#"{"name": "scale_offset", "configuration": {"offset": 9007199254740993}},
                   {"name": "cast_value", "configuration": {"data_type": "int16"}},
                   {"name": "scale_offset", "configuration": {"offset": -5}}, {"name": "bytes",
                    "configuration": {"endian": "little"}}"#,
        absent: &[1, 0, 0, 0, 0, 0, 0x20, 0],
        element: |index| {
            (9_007_199_254_740_993 + i64::from(index))
                .to_le_bytes()
                .to_vec()
        },
        ..array("int64")
    },
];

/// Returns an array of eight rows and six columns in chunks of 2 x 4; five of its rows are written.
const fn array(data_type: &'static str) -> Exchanged {
    Exchanged {
        name: "",
        libraries: &[],
        data_type,
        fill_value: "",
        codecs: "",
        rows: 8,
        columns: 6,
        written: 5,
        absent: &[],
        element: |_| Vec::new(),
    }
}

impl Exchanged {
    /// Returns the text of `zarr.json`.
    pub(crate) fn document(&self) -> String {
        format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [{}, {}], "data_type": "{}",
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [2, 4]}}}},
                "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "/"}}}},
                "fill_value": {}, "codecs": [{}], "attributes": {{}}}}"#,
            self.rows, self.columns, self.data_type, self.fill_value, self.codecs
        )
    }

    /// Returns all elements in C order, each as bytes.
    pub(crate) fn elements(&self) -> Vec<Vec<u8>> {
        let count = u8::try_from(self.rows * self.columns).unwrap_or(u8::MAX);
        let written = u8::try_from(self.written * self.columns).unwrap_or(u8::MAX);
        (0..count)
            .map(|index| match index < written {
                true => (self.element)(index),
                false => self.absent.to_vec(),
            })
            .collect()
    }
}
