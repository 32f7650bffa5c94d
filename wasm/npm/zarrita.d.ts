import type { Exactum } from "./exactum.js";

/** The parts of `import * as zarr from "zarrita"` that are used here. */
export interface Zarrita {
  registry: { set(name: string, codec: () => unknown): unknown };
  /** Holds the elements of arrays of `bool`. */
  BoolArray?: new (buffer: ArrayBuffer) => unknown;
}

/**
 * Registers the codecs `zfp`, `packbits`, `cast_value`, `scale_offset` and `bitround`, of which the last three replace
 * zarrita's own, and returns the module that computes them.
 *
 * If a codec rejects a chunk, zarrita throws a `CodecPipelineError`, whose `cause` is a `Rejection`.
 */
export function register(zarrita: Zarrita, exactum?: Exactum | Promise<Exactum>): Promise<Exactum>;
