// Reads or writes an array with zarrita and the codecs of exactum-wasm, for test_zarrita.py. The elements are given as
// the hexadecimal digits of their bytes.
import { FileSystemStore } from "@zarrita/storage";
import { register } from "exactum-wasm/zarrita";
import * as zarr from "zarrita";

const [direction, folder, options] = process.argv.slice(2);
const store = new FileSystemStore(folder);
await register(zarr);

if (direction === "read") {
  const { data } = await zarr.get(await zarr.open.v3(store, { kind: "array" }));
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(data) ? data : Uint8Array.from(data, Number);
  process.stdout.write(Buffer.from(buffer, byteOffset, byteLength).toString("hex"));
} else {
  const { elements, ...rest } = JSON.parse(options);
  const array = await zarr.create(store, rest);
  const chunk = await zarr.get(array);
  const bytes = Buffer.from(elements, "hex");
  if (rest.dtype === "bool") bytes.forEach((bit, at) => chunk.data.set(at, bit === 1));
  else new Uint8Array(chunk.data.buffer, chunk.data.byteOffset, chunk.data.byteLength).set(bytes);
  await zarr.set(array, null, chunk);
}
