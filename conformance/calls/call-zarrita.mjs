// zarrita: arrays opened from their documents, in a store that is a Map.
import { createInterface } from "node:readline";
import * as zarr from "zarrita";

const little = '{"name": "bytes", "configuration": {"endian": "little"}}';
const document = (dataType, shape, fillValue, codecs) =>
  `{"zarr_format": 3, "node_type": "array", "shape": ${JSON.stringify(shape)}, "data_type": "${dataType}",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": ${JSON.stringify(shape)}}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": ${fillValue}, "codecs": [${codecs}]}`;

async function call({ op, configuration, data_type, input, json, kind, document: text, metadata, bytes, shape }) {
  const [row, way] = op.split(".");
  const store = new Map();
  // Shards are read by ranges; none is there.
  store.getRange = async () => undefined;
  const put = (shape, data) => store.set(`/c/${shape.map(() => 0).join("/")}`, new Uint8Array(Buffer.from(data, "hex")));
  if (row === "metadata" || way === "resolve") {
    store.set("/zarr.json", new TextEncoder().encode(text ?? metadata));
    const node = await zarr.open.v3(store, { kind: kind ?? "array" });
    // Codecs are made when the first chunk is read.
    await node.getChunk?.(node.shape.map(() => 0));
    return "";
  }
  if (row === "chain" && way === "decode") {
    store.set("/zarr.json", new TextEncoder().encode(metadata));
    put(JSON.parse(metadata).shape, bytes);
  } else if (row === "fill_value") {
    store.set("/zarr.json", new TextEncoder().encode(document(data_type, [1], json, little)));
  } else {
    if (way !== "decode") return undefined;
    const configured = configuration === undefined ? "" : `, "configuration": ${configuration}`;
    const codecs = `{"name": "${row}"${configured}}${row === "bytes" ? "" : `, ${little}`}`;
    const fillValue = data_type === "bool" ? "false" : "0";
    store.set("/zarr.json", new TextEncoder().encode(document(data_type ?? input.data_type, shape ?? input.shape, fillValue, codecs)));
    put(shape ?? input.shape, bytes ?? input.data);
  }
  const array = await zarr.open.v3(store, { kind: "array" });
  const { data } = await zarr.get(array);
  if (data.buffer === undefined) return Buffer.from(Uint8Array.from(data, Number)).toString("hex");
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex");
}

for await (const line of createInterface({ input: process.stdin })) {
  const answered = (ok) => (ok === undefined ? { uncovered: true } : { ok });
  const answer = await call(JSON.parse(line)).then(answered, (error) => ({ reject: String(error).slice(0, 200) }));
  console.log(JSON.stringify(answer));
}
