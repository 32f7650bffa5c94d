// The codecs of Exactum for zarrita's registry. They read and write, and reject what the specifications reject.
import { load } from "./exactum.js";

const ARRAYS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float16: globalThis.Float16Array, float32: Float32Array, float64: Float64Array,
};
// Elements of other types are represented by their bits.
const BITS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };

const strides = (shape) => {
  const made = new Array(shape.length).fill(1);
  for (let at = shape.length - 2; at >= 0; at--) made[at] = made[at + 1] * shape[at + 1];
  return made;
};

/** The bytes of a chunk in the order of its memory, in which zarrita's own codecs read them too. */
const bytesOf = ({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** The extents of a chunk in the order of its memory; zarrita transposes only by changing strides. */
function extentsOf({ shape, stride }) {
  const order = shape.map((_, at) => at).sort((a, b) => stride[b] - stride[a] || a - b);
  return order.map((at) => shape[at]);
}

/** The extents of a stored chunk, which are those of the array after all transpositions among its codecs. */
function storedExtents({ shape, codecs = [] }) {
  const orders = codecs.filter(({ name }) => name === "transpose").map(({ configuration }) => configuration.order);
  return orders.reduce((extents, order) => order.map((at) => extents[at]), shape);
}

/** Returns the class of the codec `name` for zarrita's registry. The module `exactum` does the computation. */
function codecClass(exactum, bool, name, kind) {
  return class {
    kind = kind;

    constructor(configuration, meta) {
      this.meta = meta;
      this.request = { name, configuration, data_type: meta.dataType, shape: meta.shape };
      // A wrong configuration is rejected here, before a chunk is read.
      this.stored = exactum.stored(this.request);
      this.decoded = exactum.stored({ name: "packbits", data_type: meta.dataType, shape: [] });
    }

    static fromConfig(configuration, meta) {
      return new this(configuration, meta);
    }

    getEncodedMeta(meta) {
      return this.stored.data_type === meta.dataType ? meta : { ...meta, dataType: this.stored.data_type, fillValue: null };
    }

    encode(chunk) {
      const bytes = exactum.encode({ ...this.request, shape: extentsOf(chunk) }, bytesOf(chunk));
      return kind === "array_to_bytes" ? bytes : this.chunk(bytes, this.stored, chunk);
    }

    decode(stored) {
      if (kind === "array_to_array") {
        return this.chunk(exactum.decode({ ...this.request, shape: extentsOf(stored) }, bytesOf(stored)), this.decoded, stored);
      }
      const { shape } = this.meta;
      const bytes = exactum.decode({ ...this.request, shape: storedExtents(this.meta) }, stored);
      return this.chunk(bytes, this.decoded, { shape, stride: strides(shape) });
    }

    chunk(bytes, { data_type, element_bytes }, { shape, stride }) {
      const { buffer } = bytes;
      const data = data_type === "bool" && bool ? new bool(buffer) : new (ARRAYS[data_type] ?? BITS[element_bytes])(buffer);
      return { data, shape, stride };
    }
  };
}

/**
 * Registers `zfp`, `packbits`, `cast_value`, `scale_offset` and `bitround`, of which the last three replace zarrita's own.
 *
 *     import * as zarr from "zarrita";
 *     await register(zarr);
 */
export async function register({ registry, BoolArray }, exactum = load()) {
  const engine = await exactum;
  const kinds = {
    bitround: "array_to_array", cast_value: "array_to_array", scale_offset: "array_to_array",
    packbits: "array_to_bytes", zfp: "array_to_bytes",
  };
  for (const [name, kind] of Object.entries(kinds)) {
    const made = codecClass(engine, BoolArray, name, kind);
    registry.set(name, () => made);
  }
  return engine;
}
