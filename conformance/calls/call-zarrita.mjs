// zarrita: arrays opened from their documents, in a store that is a Map.
import { createInterface } from "node:readline";
import * as zarr from "zarrita";

const little = '{"name": "bytes", "configuration": {"endian": "little"}}';
const document = (dataType, shape, fillValue, codecs) =>
  `{"zarr_format": 3, "node_type": "array", "shape": ${JSON.stringify(shape)}, "data_type": "${dataType}",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": ${JSON.stringify(shape)}}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": ${fillValue}, "codecs": [${codecs}]}`;

async function call({ op, configuration, data_type, input, json }) {
  const [row, way] = op.split(".");
  const store = new Map();
  if (row === "fill_value") {
    store.set("/zarr.json", new TextEncoder().encode(document(data_type, [1], json, little)));
  } else {
    if (way !== "decode") throw new Error("not called here");
    const configured = configuration === undefined ? "" : `, "configuration": ${configuration}`;
    const codecs = `{"name": "${row}"${configured}}, ${little}`;
    const fillValue = data_type === "bool" ? "false" : "0";
    store.set("/zarr.json", new TextEncoder().encode(document(data_type ?? input.data_type, input.shape, fillValue, codecs)));
    store.set(`/c/${input.shape.map(() => 0).join("/")}`, new Uint8Array(Buffer.from(input.data, "hex")));
  }
  const array = await zarr.open.v3(store, { kind: "array" });
  const { data } = await zarr.get(array);
  if (data.buffer === undefined) return Buffer.from(Uint8Array.from(data, Number)).toString("hex");
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex");
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await call(JSON.parse(line)).then((ok) => ({ ok }), (error) => ({ reject: String(error).slice(0, 200) }));
  console.log(JSON.stringify(answer));
}
