// zarrita 0.7.5: a fill value of 256 is accepted for uint8 and becomes 0; the core requires a number within the range.
// shows: AssertionError
import assert from "node:assert";
import * as zarr from "zarrita";

const document = {
  zarr_format: 3, node_type: "array", shape: [1], data_type: "uint8", fill_value: 256,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
  chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes" }],
};
const text = new TextEncoder().encode(JSON.stringify(document));
const store = { get: (key) => (key === "/zarr.json" ? text : undefined) };
await assert.rejects(async () => (await zarr.open.v3(store, { kind: "array" })).getChunk([0]));
