// zarrita (JavaScript) behind Exactum's protocol: requests and answers are JSON objects, one per line.
//
// Codecs are judged through `zarr.registry`, and whole documents through arrays opened from a store
// that contains the unchanged document and one chunk. Elements are passed as the bytes of typed arrays.
// Two things are not offered: encoding with codecs that zarrita only decodes, such as bitround, cast_value and
// scale_offset; and `chain.resolve`, since it reports neither sizes nor whether a fill value survives.
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// zarrita is installed next to this Node.
const manifest = findPackageJSON("zarrita", pathToFileURL(process.execPath));
const { version, exports } = JSON.parse(readFileSync(manifest, "utf8"));
const zarr = await import(new URL(exports["."].import, pathToFileURL(manifest)));

const NUMBERS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float16: Float16Array, float32: Float32Array, float64: Float64Array,
};
const ARRAYS = { ...NUMBERS, bool: zarr.BoolArray };
const [numbers, all] = [Object.keys(NUMBERS), Object.keys(ARRAYS)];
const documents = { codecs: [...zarr.registry.keys(), "sharding_indexed"], data_types: all };

const HELLO = {
  protocol: 1, name: "zarrita", version, language: "javascript",
  operations: {
    "bytes.encode": { from: all }, "bytes.decode": { from: all }, "fill_value.parse": { from: all },
    "bitround.decode": { from: numbers }, "cast_value.decode": { from: numbers, to: numbers },
    "scale_offset.decode": { from: numbers },
    "chain.encode": { from: all, codecs: ["bytes", "transpose"] }, "chain.decode": documents,
    "metadata.validate": { kind: ["array", "group"], ...documents },
  },
};

const bytesOf = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const hexOf = (bytes) => Buffer.from(bytes).toString("hex");

/** An array of the protocol as a chunk in C order. */
function chunkOf({ data_type, shape, data }) {
  const stride = zarr._zarrita_internal_getStrides(shape, "C");
  return { data: new ARRAYS[data_type](bytesOf(data).buffer), shape, stride };
}

/** A chunk, whatever its strides, as an array of the protocol; data that do not fill the shape as they are. */
function arrayOf(data_type, { data, shape, stride }) {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const width = data.BYTES_PER_ELEMENT;
  const along = (places, extent, i) =>
    places.flatMap((at) => Array.from({ length: extent }, (_, n) => at + n * stride[i]));
  if (shape.reduce((a, b) => a * b, 1) !== data.length) return { data_type, shape: [data.length], data: hexOf(bytes) };
  const elements = shape.reduce(along, [0]).map((at) => bytes.subarray(at * width, (at + 1) * width));
  return { data_type, shape, data: hexOf(Buffer.concat(elements)) };
}

/** A codec for chunks of a data type and shape; `text` is its configuration, if it has one. */
async function codec(name, text, dataType, shape) {
  const entry = await zarr.registry.get(name)();
  const configuration = text === undefined ? undefined : JSON.parse(text);
  return entry.fromConfig(configuration, { dataType, shape, codecs: [], fillValue: null });
}

/** What a codec decodes of a chunk, or of bytes, to an array of a data type and shape. */
async function decode(name, text, dataType, shape, stored) {
  return { output: arrayOf(dataType, await (await codec(name, text, dataType, shape)).decode(stored)) };
}

/** The array of a document, in a store that has one chunk under whatever key, or none. */
function open(document, chunk) {
  const store = {
    get: (key) => (key === "/zarr.json" ? new TextEncoder().encode(document) : chunk),
    getRange: (_, { offset, length, suffixLength }) =>
      suffixLength === undefined ? chunk.slice(offset, offset + length) : chunk.slice(-suffixLength),
    set: (_, bytes) => { store.written = bytes; },
  };
  return zarr.open.v3(store, { kind: "array" });
}

const OPERATIONS = {
  hello: () => HELLO,
  "bytes.encode": async ({ configuration, input }) =>
    ({ bytes: hexOf((await codec("bytes", configuration, input.data_type, input.shape)).encode(chunkOf(input))) }),
  "bytes.decode": ({ configuration, data_type, shape, bytes }) =>
    decode("bytes", configuration, data_type, shape, bytesOf(bytes)),
  "cast_value.decode": ({ configuration, data_type, input }) =>
    decode("cast_value", configuration, data_type, input.shape, chunkOf(input)),
  "bitround.decode": ({ configuration, input }) =>
    decode("bitround", configuration, input.data_type, input.shape, chunkOf(input)),
  "scale_offset.decode": ({ configuration, input }) =>
    decode("scale_offset", configuration, input.data_type, input.shape, chunkOf(input)),
  // A fill value is read as the value of a missing chunk.
  "fill_value.parse": async ({ data_type, json }) => {
    JSON.parse(json); // it must be a single value, not a fragment of the surrounding document
    const array = await open(`{"zarr_format":3,"node_type":"array","shape":[1],"data_type":"${data_type}","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1]}},"chunk_key_encoding":{"name":"default"},"fill_value":${json},"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}`);
    return { bits: arrayOf(data_type, await array.getChunk([0])).data };
  },
  "chain.decode": async ({ metadata, bytes }) => {
    const array = await open(metadata, bytesOf(bytes));
    const first = array.shape.length === 0
      ? await array.getChunk([])
      : await zarr.get(array, JSON.parse(metadata).chunk_grid.configuration.chunk_shape.map((n) => zarr.slice(n)));
    return { output: arrayOf(array.dtype, first) };
  },
  "chain.encode": async ({ metadata, input }) => {
    const array = await open(metadata);
    const chunk = chunkOf(input);
    const scalar = array.shape.length === 0 && input.shape.length === 0;
    await zarr.set(array, null, scalar ? (chunk.data.get?.(0) ?? chunk.data[0]) : chunk);
    return { bytes: hexOf(array.store.written) };
  },
  // Opening parses the document, and reading the first existing chunk creates the codecs. Errors that a codec
  // then raises for this chunk, which is empty, do not concern the document.
  "metadata.validate": async ({ document, kind }) => {
    if (kind === "group") {
      const store = { get: (key) => (key === "/zarr.json" ? new TextEncoder().encode(document) : undefined) };
      await zarr.open.v3(store, { kind: "group" });
      return {};
    }
    const array = await open(document, new Uint8Array(0));
    await array.getChunk(array.shape.map(() => 0)).catch((error) => {
      if (!zarr.isZarritaError(error, "CodecPipelineError")) throw error;
    });
    return {};
  },
};

/** Returns the answer for an exception. */
function answerTo(thrown) {
  // A CodecPipelineError states where the error occurred; the error itself is its cause.
  const error = zarr.isZarritaError(thrown, "CodecPipelineError") ? thrown.cause : thrown;
  const [name, message] = [error.name, error.message.toWellFormed()];
  if (zarr.isZarritaError(error, "UnsupportedError")) return { unsupported: { message } };
  // Any exception is a refusal. The language itself throws TypeErrors and similar errors for mistakes in a
  // program, unless they come from BigInt() or JSON.parse, with which zarrita parses its scalars and
  // documents.
  const parsing = / to a BigInt/.test(message) && name !== "TypeError" || / JSON/.test(message) && name === "SyntaxError";
  const accident = [TypeError, RangeError, ReferenceError, SyntaxError].includes(error.constructor) && !parsing;
  return { reject: { reason: /^Value|^Cannot cast/.test(message) ? "out_of_range" : "metadata", message: accident ? `${name}: ${message}` : message, accident } };
}

// If several codecs of a chain cannot be created, zarrita awaits only the first, and Node would end the
// process because of the others; the first error has been reported by then.
process.on("unhandledRejection", () => {});

for await (const line of createInterface({ input: process.stdin })) {
  let [request, answer] = [{ id: null }];
  try {
    request = JSON.parse(line);
    const perform = OPERATIONS[request.op];
    answer = perform ? { ok: await perform(request) } : { error: { message: `unknown operation ${request.op}` } };
  } catch (thrown) {
    answer = request.id === null ? { error: { message: String(thrown) } } : answerTo(thrown);
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer })}\n`);
}
