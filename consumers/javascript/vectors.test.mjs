// Judges the array-to-array codecs that zarrita decodes by Exactum's vectors, a test for each.
//
//     EXACTUM_VECTORS=path/to/vectors node --test vectors.test.mjs
//
// For another library change `offers` and `answer`. `EXACTUM_FAILED=FILE` writes down the ids that fail.
// zarrita is looked for in the folder of ZARRITA, or else here.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, test, after } from "node:test";
import { pathToFileURL } from "node:url";

// `findPackageJSON` of node:module would do this, but Node 20 does not have it.
const above = (folder) => {
  const manifest = new URL("node_modules/zarrita/package.json", folder);
  const parent = new URL("..", folder);
  assert(existsSync(manifest) || parent.href !== folder.href, "zarrita is not installed");
  return existsSync(manifest) ? manifest : above(parent);
};
const manifest = above(pathToFileURL(`${process.env.ZARRITA ?? process.cwd()}/`));
const entry = JSON.parse(readFileSync(manifest, "utf8")).exports["."].import;
const zarr = await import(new URL(entry, manifest));

const ROOT = process.env.EXACTUM_VECTORS
  ? pathToFileURL(`${process.env.EXACTUM_VECTORS}/`) : new URL("../../vectors/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));
const TYPES = Object.fromEntries(read("data_types.json").data_types.map((type) => [type.name, type]));
const failed = [];

const ARRAYS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float16: globalThis.Float16Array, float32: Float32Array, float64: Float64Array,
};

/** Whether the library is asked. */
function offers({ op, data_type, input }) {
  const types = op === "cast_value.decode" ? [input.data_type, data_type] : [input?.data_type];
  return ["cast_value.decode", "scale_offset.decode"].includes(op) && types.every((type) => ARRAYS[type]);
}

/** What the library makes of elements: the bytes of its result. Whatever it throws is a rejection. */
async function answer({ op, configuration, data_type, input }, bytes, shape) {
  const [codec, dataType] = [op.split(".")[0], data_type ?? input.data_type];
  const made = (await zarr.registry.get(codec)()).fromConfig(
    configuration === undefined ? undefined : JSON.parse(configuration),
    { dataType, shape, codecs: [], fillValue: null });
  const stride = shape.map((_, i) => shape.slice(i + 1).reduce((a, b) => a * b, 1));
  const { data } = await made.decode({ data: new ARRAYS[input.data_type](bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), shape, stride });
  assert(data instanceof ARRAYS[dataType], "another data type");
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** The bytes of an input: written down, or ranges of bit patterns. */
function elements({ data_type, data, ranges }) {
  if (data !== undefined) return Buffer.from(data, "hex");
  const size = TYPES[data_type].bytes, parts = [];
  for (const [first, last] of ranges)
    for (let bits = parseInt(first, 16); bits <= parseInt(last, 16); bits++) {
      parts.push(Buffer.alloc(size));
      parts.at(-1).writeUIntLE(bits, 0, size);
    }
  return Buffer.concat(parts);
}

/** The bytes with every NaN replaced by the default one. The types here fill their bytes. */
function canonical(bytes, { nan, bytes: size }) {
  if (nan === null) return Buffer.from(bytes);
  const [ones, some] = [BigInt(`0x${nan.ones}`), BigInt(`0x${nan.some}`)], plain = Buffer.from(bytes);
  for (let at = 0; at < plain.length; at += size) {
    const bits = BigInt(`0x${Buffer.from(plain.subarray(at, at + size)).reverse().toString("hex")}`);
    if ((bits & ones) === ones && bits & some) Buffer.from(nan.default, "hex").reverse().copy(plain, at);
  }
  return plain;
}

function equal(got, { data_type, data, mask }) {
  const wanted = Buffer.from(data, "hex");
  if (mask) {
    const bits = Buffer.from(mask, "hex");
    return got.length === wanted.length && wanted.every((byte, i) => !((byte ^ got[i]) & bits[i]));
  }
  return canonical(got, TYPES[data_type]).equals(canonical(wanted, TYPES[data_type]));
}

async function right(request, each, expect, bytes = elements(request.input), shape = request.input.shape) {
  if (each) {
    const size = TYPES[request.input.data_type].bytes;
    for (let at = 0; at < bytes.length; at += size)
      if (!(await right(request, false, expect, bytes.subarray(at, at + size), [1]))) return false;
    return true;
  }
  if (expect.one_of) return (await Promise.all(expect.one_of.map((one) => right(request, false, one)))).includes(true);
  const got = await answer(request, bytes, shape).catch(() => null);
  if (expect.open) return true;
  return expect.reject ? got === null : got !== null && equal(got, expect.ok.output);
}

for (const { path } of read("manifest.json").files.filter(({ path }) => /^(cast_value|scale_offset)\//.test(path)))
  describe(path, () => {
    for (const group of read(path).groups)
      for (const { id, request, clauses = [], each, expect } of group.cases) {
        const whole = { ...group.request, ...request };
        if (!offers(whole)) continue;
        test(`${group.id}/${id}`, async () => {
          if (await right(whole, each, expect)) return;
          failed.push(`${group.id}/${id}`);
          assert.fail(`${[...group.clauses, ...clauses].join(" ")}: expected ${JSON.stringify(expect).slice(0, 300)}`);
        });
      }
  });

after(() => {
  if (process.env.EXACTUM_FAILED) writeFileSync(process.env.EXACTUM_FAILED, failed.sort().map((id) => `${id}\n`).join(""));
});
