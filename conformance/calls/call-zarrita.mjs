// zarrita: arrays opened from their documents, in a store that is a Map.
import { createInterface } from "node:readline";
import * as zarr from "zarrita";

const ARRAYS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float16: Float16Array, float32: Float32Array, float64: Float64Array,
};
const little = '{"name": "bytes", "configuration": {"endian": "little"}}';
const document = (dataType, shape, fillValue, codecs) =>
  `{"zarr_format": 3, "node_type": "array", "shape": ${JSON.stringify(shape)}, "data_type": "${dataType}",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": ${JSON.stringify(shape)}}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": ${fillValue}, "codecs": [${codecs}]}`;

async function call({ op, configuration, data_type, input, json, kind, document: text, metadata, bytes, shape }) {
  const [row, way] = op.split(".");
  const store = new Map();
  // Shards are read by byte ranges; there are none here.
  store.getRange = async () => undefined;
  const put = (shape, data) => store.set(`/c/${shape.map(() => 0).join("/")}`, new Uint8Array(Buffer.from(data, "hex")));
  if (row === "metadata" || way === "resolve") {
    store.set("/zarr.json", new TextEncoder().encode(text ?? metadata));
    const node = await zarr.open.v3(store, { kind: kind ?? "array" });
    // The codecs are created when the first existing chunk is read. It is empty, so they are right to refuse it.
    store.get = () => new Uint8Array(0);
    await node.getChunk?.(node.shape.map(() => 0)).catch((error) => {
      if (error.name !== "CodecPipelineError") throw error;
    });
    return "";
  }
  if (row === "chain") {
    store.set("/zarr.json", new TextEncoder().encode(metadata));
    if (way === "decode") put(JSON.parse(metadata).shape, bytes);
  } else if (row === "fill_value") {
    store.set("/zarr.json", new TextEncoder().encode(document(data_type, [1], json, little)));
  } else {
    const configured = configuration === undefined ? "" : `, "configuration": ${configuration}`;
    const codecs = `{"name": "${row}"${configured}}${row === "bytes" ? "" : `, ${little}`}`;
    const fillValue = data_type === "bool" ? "false" : "0";
    store.set("/zarr.json", new TextEncoder().encode(document(data_type ?? input.data_type, shape ?? input.shape, fillValue, codecs)));
    if (way === "decode") put(shape ?? input.shape, bytes ?? input.data);
  }
  const array = await zarr.open.v3(store, { kind: "array" });
  if (way === "encode") {
    if (!Object.hasOwn(ARRAYS, input.data_type) || input.shape.length === 0) return undefined;
    const data = new ARRAYS[input.data_type](new Uint8Array(Buffer.from(input.data, "hex")).buffer);
    const stride = input.shape.map((_, i) => input.shape.slice(i + 1).reduce((a, b) => a * b, 1));
    await zarr.set(array, null, { data, shape: input.shape, stride });
    return Buffer.from(store.get(`/c/${input.shape.map(() => 0).join("/")}`)).toString("hex");
  }
  // For an array without dimensions, `get` returns the element itself.
  const { data } = array.shape.length === 0 ? await array.getChunk([]) : await zarr.get(array);
  if (data.buffer === undefined) return Buffer.from(Uint8Array.from(data, Number)).toString("hex");
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex");
}

for await (const line of createInterface({ input: process.stdin })) {
  const answered = (ok) => (ok === undefined ? { uncovered: true } : { ok });
  const answer = await call(JSON.parse(line)).then(answered, (error) => ({ reject: String(error).slice(0, 200) }));
  console.log(JSON.stringify(answer));
}
