// zarrita 0.7.5: booleans change places if `bytes` has the endian "big".
//
// The codec reads the size of an element from the constructor, but BoolArray has it only on its instances: the size is
// assumed to be 4.
// shows: AssertionError
import assert from "node:assert";
import * as zarr from "zarrita";

const entry = await zarr.registry.get("bytes")();
const codec = entry.fromConfig({ endian: "big" }, { dataType: "bool", shape: [4], codecs: [], fillValue: null });
const { data } = codec.decode(new Uint8Array([1, 0, 0, 0]));
assert.deepEqual([...data], [true, false, false, false]);
