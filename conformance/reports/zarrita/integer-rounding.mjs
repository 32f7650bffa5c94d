// zarrita 0.7.5: cast_value ignores `rounding` when integers are converted to floats.
//
// 16777219 is between two float32 numbers; "towards-zero" requires the lower one, 16777218.
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
