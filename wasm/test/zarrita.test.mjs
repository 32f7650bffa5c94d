// Uses exactum-wasm as the codecs of zarrita: written arrays are read back unchanged, and input that the specifications
// reject is rejected.
import assert from "node:assert/strict";
import test from "node:test";
import { load, Rejection } from "exactum-wasm";
import { register } from "exactum-wasm/zarrita";
import * as zarr from "zarrita";

const exactum = await register(zarr);
const bytes = { name: "bytes", configuration: { endian: "little" } };
const CHAINS = {
  "scaled, cast and packed": ["float32", [
    { name: "scale_offset", configuration: { offset: 5, scale: 10 } },
    { name: "cast_value", configuration: { data_type: "uint8", rounding: "nearest-even", out_of_range: "clamp" } },
    { name: "packbits", configuration: { first_bit: 0, last_bit: 6 } },
  ]],
  "cast to int4, which zarrita lacks": ["float64", [{ name: "cast_value", configuration: { data_type: "int4" } }, { name: "packbits" }]],
  "cast to bytes of zarrita": ["float64", [{ name: "cast_value", configuration: { data_type: "int16" } }, bytes]],
  "rounded to bits, which zarrita does not write": ["float32", [{ name: "bitround", configuration: { keepbits: 3 } }, bytes]],
  "cast of int64": ["int64", [{ name: "cast_value", configuration: { data_type: "int8" } }, bytes]],
  "transposed and packed": ["uint16", [{ name: "transpose", configuration: { order: [1, 0] } }, { name: "packbits", configuration: { last_bit: 2 } }]],
  "transposed, without loss": ["float64", [{ name: "transpose", configuration: { order: [1, 0] } }, { name: "zfp", configuration: { mode: "reversible" } }]],
  "zfp without loss": ["float32", [{ name: "zfp", configuration: { mode: "reversible" } }]],
  "zfp of int32": ["int32", [{ name: "zfp", configuration: { mode: "reversible" } }]],
};

for (const [title, [dtype, codecs]] of Object.entries(CHAINS)) {
  test(`${title}: written and read back`, async () => {
    const options = { dtype, shape: [4, 6], chunkShape: [2, 3], codecs, fillValue: 0 };
    const array = await zarr.create(new Map(), options);
    const made = zarr.registry.get("bytes")().fromConfig({ endian: "little" }, { dataType: dtype, shape: [4, 6], codecs: [] });
    const { data, stride } = made.decode(new Uint8Array(24 * (dtype.endsWith("64") ? 8 : dtype.endsWith("16") ? 2 : 4)));
    for (let at = 0; at < 24; at++) data[at] = dtype === "int64" ? BigInt(at % 7) : title.startsWith("scaled") ? 5 + at / 10 : at % 7;
    const expected = data.slice();
    await zarr.set(array, null, { data, shape: [4, 6], stride });
    const read = await zarr.get(array);
    // A transposed array is read in the order of its own strides.
    const ordered = expected.map((_, at) => read.data[Math.floor(at / 6) * read.stride[0] + (at % 6) * read.stride[1]]);
    assert.deepEqual(ordered, expected);
  });
}

test("packed booleans are BoolArrays", async () => {
  const array = await zarr.create(new Map(), { dtype: "bool", shape: [10], chunkShape: [10], codecs: [{ name: "packbits" }], fillValue: false });
  await zarr.set(array, null, true);
  await zarr.set(array, [zarr.slice(3, 5)], false);
  const { data } = await zarr.get(array);
  assert.deepEqual([...data], [true, true, true, false, false, true, true, true, true, true]);
  assert.equal((await array.store.get("/c/0")).length, 2);
});

test("a value that does not fit is rejected with its clause", async () => {
  const codecs = [{ name: "cast_value", configuration: { data_type: "int8" } }, bytes];
  const array = await zarr.create(new Map(), { dtype: "float32", shape: [2], chunkShape: [2], codecs, fillValue: 0 });
  await assert.rejects(zarr.set(array, null, 300), ({ cause }) => cause instanceof Rejection && cause.clause.startsWith("cast_value."));
});

test("a configuration is rejected before a chunk is read", async () => {
  const codecs = [{ name: "cast_value", configuration: { data_type: "int8", rounding: "up" } }, bytes];
  const array = await zarr.create(new Map(), { dtype: "float32", shape: [2], chunkShape: [2], codecs, fillValue: 0 });
  await assert.rejects(array.getChunk([0]).then(() => zarr.set(array, null, 1)), /rounding/);
});

test("bytes of another length are refused", () => {
  const codec = { name: "packbits", data_type: "uint8", shape: [1000, 1000, 1000, 1000] };
  assert.throws(() => exactum.decode(codec, new Uint8Array(3)), Rejection);
  assert.throws(() => exactum.encode({ ...codec, shape: [2] }, new Uint8Array(3)), Rejection);
  assert.throws(() => exactum.encode({ ...codec, shape: [-2] }, new Uint8Array(3)), /whole number/);
});

test("documents are judged by the installed package", async () => {
  const { verdict } = (await load()).validate('{"zarr_format": 3, "node_type": "group"}');
  assert.equal(verdict, "valid");
});
