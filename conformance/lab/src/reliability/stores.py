"""Makes arrays of Zarr 3 that are hostile: `stores.py FOLDER` writes each into a folder of its own below FOLDER."""

import gzip
import json
import os
import struct
import sys
import zlib

BYTES = {"name": "bytes", "configuration": {"endian": "little"}}
ZSTD = {"name": "zstd", "configuration": {"level": 1, "checksum": False}}
GZIP = {"name": "gzip", "configuration": {"level": 1}}
CRC32C = {"name": "crc32c"}
ELEMENTS = bytes(range(16))
TOP = 1 << 64


def sharding(*inner, chunk=8):
    return {"name": "sharding_indexed", "configuration": {
        "chunk_shape": [chunk], "codecs": list(inner), "index_codecs": [BYTES, CRC32C]}}


def write(folder, codecs, chunks, shape=16, chunk=None):
    os.makedirs(os.path.join(folder, "c"))
    document = {
        "zarr_format": 3, "node_type": "array", "shape": [shape], "data_type": "uint8", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [chunk or shape]}},
        "chunk_key_encoding": {"name": "default"}, "codecs": codecs}
    with open(os.path.join(folder, "zarr.json"), "w") as file:
        json.dump(document, file)
    for name, data in chunks.items():
        with open(os.path.join(folder, "c", name), "wb") as file:
            file.write(data)


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return struct.pack("<I", crc ^ 0xffffffff)


def shard(data, *entries):
    index = b"".join(struct.pack("<QQ", *entry) for entry in entries)
    return data + index + crc32c(index)


def frame(size, header=b"\xc0\x38", blocks=None):
    """A frame of Zstandard that claims a size, and has blocks that repeat a zero 131,072 times each."""
    count = size >> 17 if blocks is None else blocks
    repeated = struct.pack("<I", (1 << 17) << 3 | 2)[:3] + b"\0"
    last = struct.pack("<I", (1 << 17) << 3 | 3)[:3] + b"\0"
    return b"\x28\xb5\x2f\xfd" + header + struct.pack("<Q", size) + repeated * (count - 1) + last


def zeros(size):
    """A member of gzip."""
    packer, block = zlib.compressobj(9, zlib.DEFLATED, 31), bytes(1 << 20)
    parts = [packer.compress(block) for _ in range(size >> 20)]
    return b"".join(parts) + packer.flush()


def main(root):
    claim = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", 1 << 62) + b"\1\0\0"
    bomb, gzip_bomb = frame(1 << 32), zeros(1 << 31)
    one = {"0": shard(ELEMENTS, (0, 8), (8, 8))}

    def inside(data):
        return {"0": shard(data, (0, len(data)), (0, len(data)))}

    stores = {
        "16 elements": ([BYTES], {"0": ELEMENTS}),
        "two members of gzip": ([BYTES, GZIP], {"0": gzip.compress(ELEMENTS[:9]) + gzip.compress(ELEMENTS[9:])}),
        "junk behind gzip": ([BYTES, GZIP], {"0": gzip.compress(ELEMENTS) + b"junk"}),
        "a frame of zstd of 16 bytes that claims 2^62": ([BYTES, ZSTD], {"0": claim}),
        "zstd of 131 kB that becomes 4 GiB": ([BYTES, ZSTD], {"0": bomb}),
        "gzip of 2 MB that becomes 2 GiB": ([BYTES, GZIP], {"0": gzip_bomb}),
        "zstd of 131 kB in a shard": ([sharding(BYTES, ZSTD)], inside(bomb)),
        "gzip of 2 MB in a shard": ([sharding(BYTES, GZIP)], inside(gzip_bomb)),
        "a shard": ([sharding(BYTES)], one),
        "an index with offset 2^64-2 and length 8": ([sharding(BYTES)], {"0": shard(ELEMENTS, (TOP - 2, 8), (8, 8))}),
        "an index with offset 2^64-1 and length 4": ([sharding(BYTES)], {"0": shard(ELEMENTS, (TOP - 1, 4), (8, 8))}),
        "an index with offset 4 and length 2^64-1": ([sharding(BYTES)], {"0": shard(ELEMENTS, (4, TOP - 1), (8, 8))}),
        "an index with a length of 2^40": ([sharding(BYTES)], {"0": shard(ELEMENTS, (0, 1 << 40), (8, 8))}),
        "a shard of 3 bytes": ([sharding(BYTES)], {"0": b"abc"}),
    }
    for name, (codecs, chunks) in stores.items():
        write(os.path.join(root, name), codecs, chunks)
    write(os.path.join(root, "a shard of 2^62 chunks"), [sharding(BYTES, chunk=1)], {"0": bytes(1000)}, 1 << 62)
    write(os.path.join(root, "268,435,456 chunks, one of them written"), [BYTES], {"5": b"\7"}, 1 << 28, 1)
    write(os.path.join(root, "268,435,456 chunks, none of them written"), [BYTES], {}, 1 << 28, 1)
    for name in ["a chunk that is a loop of links", "a chunk that is a FIFO", "a chunk that is a folder"]:
        write(os.path.join(root, name), [BYTES], {})
    os.symlink("0", os.path.join(root, "a chunk that is a loop of links", "c", "0"))
    os.mkfifo(os.path.join(root, "a chunk that is a FIFO", "c", "0"))
    os.mkdir(os.path.join(root, "a chunk that is a folder", "c", "0"))


main(sys.argv[1])
