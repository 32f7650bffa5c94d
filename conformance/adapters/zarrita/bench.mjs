// Times zarrita for `cargo xtask bench`, on request, with elements prepared in advance.
// conformance/lab/src/bench/outside.rs describes the dialogue.
//
// zarrita only decodes. A cast from S to T is the decoding of an array of T that is stored as S. Its
// interface does not accept an output, so every run allocates one.
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// zarrita is installed next to this Node.
const manifest = findPackageJSON("zarrita", pathToFileURL(process.execPath));
const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
const zarr = await import(new URL(exports["."].import, pathToFileURL(manifest)));

const ARRAYS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float16: Float16Array, float32: Float32Array, float64: Float64Array,
};

/** The codec of a case, its configuration and the data type of the decoded array; or nothing. */
function described({ operation, from, to, rounding, out_of_range, map, configuration }) {
  if (operation === "decode") return ["scale_offset", configuration, from];
  if (operation !== "cast") return undefined;
  const cast = { data_type: from, rounding, scalar_map: { decode: map } };
  return ["cast_value", out_of_range === null ? cast : { ...cast, out_of_range }, to];
}

let chunk;
let codec;
const run = () => codec.decode(chunk).data;

async function prepare(work) {
  const [name, configuration, dataType] = described(work) ?? [];
  if (!(dataType in ARRAYS && work.from in ARRAYS)) return {};
  const { fromConfig } = await zarr.registry.get(name)();
  try {
    codec = fromConfig(configuration, { dataType, shape: [work.count], codecs: [], fillValue: null });
  } catch {
    return {}; // it does not have this mode
  }
  const period = new Uint8Array(Buffer.from(work.period, "hex"));
  const data = new ARRAYS[work.from](work.count);
  const bytes = new Uint8Array(data.buffer);
  for (let at = 0; at < bytes.length; at += period.length) {
    bytes.set(period.subarray(0, bytes.length - at), at);
  }
  chunk = { data, shape: [work.count], stride: [1] };
  const first = Buffer.from(run().buffer, 0, work.first).toString("hex");
  return { zarrita: { allocates: true, first } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    if (request.prepare) {
      answer = { contestants: await prepare(request.prepare) };
    } else {
      const start = performance.now();
      for (let repeat = 0; repeat < request.repeats; repeat += 1) run();
      answer = { seconds: (performance.now() - start) / 1000 / request.repeats };
    }
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
