import type { Exactum } from "./exactum.js";

/** What `import * as zarr from "zarrita"` has of it. */
export interface Zarrita {
  registry: { set(name: string, codec: () => unknown): unknown };
  /** Holds the elements of arrays of `bool`. */
  BoolArray?: new (buffer: ArrayBuffer) => unknown;
}

/**
 * Registers the codecs `zfp`, `packbits`, `cast_value`, `scale_offset` and `bitround`, the last three in the place of
 * zarrita's own, and returns the module that computes them.
 *
 * A chunk that a codec rejects throws zarrita's `CodecPipelineError`, whose `cause` is a `Rejection`.
 */
export function register(zarrita: Zarrita, exactum?: Exactum | Promise<Exactum>): Promise<Exactum>;
