// zarrita 0.7.5: cast_value ignores `rounding` where integers become floats.
//
// 16777219 lies between two numbers of float32; "towards-zero" asks for 16777218, the lower one.
// shows: AssertionError
import assert from "node:assert";
import * as zarr from "zarrita";

const entry = await zarr.registry.get("cast_value")();
const codec = entry.fromConfig(
  { data_type: "int32", rounding: "towards-zero" },
  { dataType: "float32", shape: [1], codecs: [], fillValue: 0 },
);
const chunk = { data: new Int32Array([16777219]), shape: [1], stride: [1] };
assert.deepEqual([...(await codec.decode(chunk)).data], [16777218]);
