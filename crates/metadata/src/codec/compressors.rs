//! The configurations of `blosc`, `gzip` and `zstd` (spec/chain.md). Their output bytes are not specified
//! here.

use serde_json::json;

use crate::description::{Choice, Description, Flag, Member, Of, Required, Within};
use crate::diagnostic::Read;
use crate::members::Extension;
use crate::pipeline::{CheckCodec, Codec, CodecKind, Reader};

pub(super) const KEYS: &str = "chain.extension.keys";
const BLOSC: &str = "chain.blosc";
const BLOSC_OTHERS: &str = "chain.blosc.others";
const LEVELS: &str = "chain.levels";
const ZSTD: &str = "chain.zstd";
/// The clause that requires members which the specification neither requires nor gives a default.
const LISTED: &str = "chain.compressor.members";

const fn listed(what: &'static str, help: &'static str) -> Option<Required> {
    Some(Required {
        clause: LISTED,
        what,
        help,
    })
}

/// Returns the name, for values that are their own names.
const fn itself(name: &'static str) -> &'static str {
    name
}

const CNAME: Member<Choice<&str>> = Member {
    name: "cname",
    clause: BLOSC_OTHERS,
    about: "The inner compression algorithm.",
    required: listed(
        "a cname",
        "write \"cname\": \"zstd\", or the algorithm with which the chunks are compressed",
    ),
    form: Choice {
        all: &["lz4", "lz4hc", "blosclz", "zstd", "snappy", "zlib"],
        name: itself,
    },
};

const CLEVEL: Member<Within> = Member {
    name: "clevel",
    clause: LEVELS,
    about: "The compression level: 0 is none, 9 the slowest.",
    required: listed("a clevel", "write \"clevel\": 5"),
    form: Within(0, 9),
};

const NO_SHUFFLE: &str = "noshuffle";

const SHUFFLE: Member<Choice<&str>> = Member {
    name: "shuffle",
    clause: BLOSC,
    about: "The unit that is shuffled before the compression.",
    required: listed(
        "a shuffle",
        "write \"shuffle\": \"noshuffle\", \"shuffle\" or \"bitshuffle\"",
    ),
    form: Choice {
        all: &[NO_SHUFFLE, "shuffle", "bitshuffle"],
        name: itself,
    },
};

const TYPESIZE: Member<Within> = Member {
    name: "typesize",
    clause: BLOSC,
    about: "The stride of the shuffle in bytes; required unless `shuffle` is `noshuffle`.",
    required: None,
    form: Within(1, i64::MAX),
};

const BLOCKSIZE: Member<Within> = Member {
    name: "blocksize",
    clause: BLOSC_OTHERS,
    about: "The number of bytes in a block; 0 leaves it to the library.",
    required: listed(
        "a blocksize",
        "write \"blocksize\": 0 to leave it to the library",
    ),
    form: Within(0, i64::MAX),
};

static BLOSC_CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "blosc",
        file: false,
        example: "{\"cname\": \"zstd\", \"clevel\": 5, \"shuffle\": \"shuffle\", \"typesize\": 4, \"blocksize\": 0}",
    },
    definition: "BloscConfiguration",
    form: LISTED,
    keys: KEYS,
    members: &[&CNAME, &CLEVEL, &SHUFFLE, &TYPESIZE, &BLOCKSIZE],
    rule: |schema| {
        let shuffles = json!({
            "properties": {"shuffle": {"enum": ["shuffle", "bitshuffle"]}},
            "required": ["shuffle"],
        });
        schema.insert("if".into(), shuffles);
        schema.insert("then".into(), json!({"required": ["typesize"]}));
    },
};

const GZIP_LEVEL: Member<Within> = Member {
    name: "level",
    clause: LEVELS,
    about: "The compression level: 0 is none, 9 the slowest.",
    required: listed("a level", "write \"level\": 5, which is a common default"),
    form: Within(0, 9),
};

static GZIP_CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "gzip",
        file: false,
        example: "{\"level\": 5}",
    },
    definition: "GzipConfiguration",
    form: LISTED,
    keys: KEYS,
    members: &[&GZIP_LEVEL],
    rule: |_| {},
};

const ZSTD_LEVEL: Member<Within> = Member {
    name: "level",
    clause: LEVELS,
    about: "The compression level; 0 is the default of the library.",
    required: Some(Required {
        clause: ZSTD,
        what: "a level",
        help: "write \"level\": 0 for the default of the library",
    }),
    form: Within(-131_072, 22),
};

const CHECKSUM: Member<Flag> = Member {
    name: "checksum",
    clause: ZSTD,
    about: "Whether a checksum is stored.",
    required: None,
    form: Flag,
};

static ZSTD_CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "zstd",
        file: false,
        example: "{\"level\": 0}",
    },
    definition: "ZstdConfiguration",
    form: ZSTD,
    keys: KEYS,
    members: &[&ZSTD_LEVEL, &CHECKSUM],
    rule: |_| {},
};

/// Returns a bytes -> bytes codec whose output may have any length.
const fn compressor(
    name: &'static str,
    configuration: &'static Description,
    check: Option<CheckCodec>,
) -> Codec {
    Codec {
        name,
        configuration: Some(configuration),
        kind: CodecKind::BytesToBytes(check),
        varies: true,
    }
}

/// The codecs in a list.
pub(crate) static BLOSC_CODEC: Codec = compressor("blosc", &BLOSC_CONFIGURATION, Some(blosc));
pub(crate) static GZIP_CODEC: Codec = compressor("gzip", &GZIP_CONFIGURATION, None);
pub(crate) static ZSTD_CODEC: Codec = compressor("zstd", &ZSTD_CONFIGURATION, None);

fn blosc(codec: &Extension<'_>, reader: &mut Reader) -> Read<()> {
    let found = BLOSC_CONFIGURATION.of_checked(codec)?;
    let shuffles = found.optional(&SHUFFLE)?.is_some_and(|it| it != NO_SHUFFLE);
    let stride = found.optional(&TYPESIZE)?;
    if !shuffles {
        return Ok(());
    }
    let (Some(stride), Some(node)) = (stride, found.node(&TYPESIZE)) else {
        return Err(codec
            .node
            .reject(BLOSC, "blosc needs a typesize to shuffle")
            .help("typesize is the number of bytes in an element, such as 4 for float32"));
    };
    // This is legal, but very likely a mistake.
    if let Some((element, bytes)) = reader.elements()
        && bytes
            .iter()
            .all(|&bytes| i64::try_from(bytes) != Ok(stride))
    {
        let pointer = format!("{}/configuration/typesize", reader.pointer());
        reader.warnings.add_warning(|| {
            let own = bytes[0];
            let message = format!("typesize is {stride}, but {element} has {own} bytes");
            node.reject(BLOSC, message).at(pointer).help(
                "shuffling groups the bytes at the same position of all elements; with any \
                 other stride, it hardly helps",
            )
        });
    }
    Ok(())
}
