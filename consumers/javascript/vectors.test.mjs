// Judges by Exactum's vectors what zarrita decodes with its array -> array codecs. There is a test for each clause, and
// its failures are grouped by cause.
//
//     npm install exactum-vectors-0.1.0.tgz zarrita && node --test vectors.test.mjs
//
// For another library, change `offers` and `answer`. `EXACTUM_FAILED=FILE` writes the ids that fail to a file.
import { writeFileSync } from "node:fs";
import test, { after } from "node:test";
import { conformance } from "exactum-vectors";
import * as zarr from "zarrita";

const ARRAYS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float16: globalThis.Float16Array, float32: Float32Array, float64: Float64Array,
};
const failed = [];

conformance(test, {
  operations: ["cast_value.decode", "scale_offset.decode"],
  levels: ["must", "ruling", "may"],

  /** Whether the library is asked. */
  offers: ({ source, target }) => Boolean(ARRAYS[source] && ARRAYS[target]),

  /** What the library makes of elements. Whatever it throws is a rejection. */
  async answer({ op, members, source, target, shape, array }) {
    const codec = (await zarr.registry.get(op.split(".")[0])()).fromConfig(
      members.configuration === undefined ? undefined : JSON.parse(members.configuration),
      { dataType: target, shape, codecs: [], fillValue: null });
    const stride = shape.map((_, i) => shape.slice(i + 1).reduce((a, b) => a * b, 1));
    const { data } = await codec.decode({ data: array, shape, stride });
    if (!(data instanceof ARRAYS[target])) throw new Error(`${source} became another data type`);
    return data;
  },

  failed: (id) => failed.push(id),
});

after(() => {
  if (process.env.EXACTUM_FAILED) writeFileSync(process.env.EXACTUM_FAILED, failed.sort().map((id) => `${id}\n`).join(""));
});
