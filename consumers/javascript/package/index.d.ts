/** A request to a library. */
export interface Request {
  /** The request as it is written in the vectors. */
  readonly members: Record<string, unknown>;
  /** The only element of the input that is sent, if each element must be rejected alone. */
  readonly element: number | null;
  /** The operation, such as `cast_value.encode`. */
  readonly op: string;
  /** The text of the codec's configuration. */
  readonly configuration: string;
  /** The parsed configuration, which is an empty object if the text is not a JSON object. */
  readonly settings: Record<string, unknown>;
  /** The data type of the input; `uint8` if the input is bytes. */
  readonly source: string;
  /** The data type of the answer; `uint8` if the answer is bytes. */
  readonly target: string | undefined;
  /** The shape of the decoded array. */
  readonly shape: number[];
  /** The bytes of the input: elements in C order, each little-endian. */
  readonly elements: Uint8Array;
  /** The input as a typed array; undefined if JavaScript has no typed array for the data type. */
  readonly array: ArrayBufferView | undefined;
}

export interface Library {
  /** The operations that are judged; all of `OPERATIONS` by default. */
  operations?: readonly string[];
  /** The levels of the vectors: `must`, and optionally `ruling` and `may`. */
  levels?: readonly ("must" | "ruling" | "may")[];
  /** Returns whether the library supports the request. */
  offers?(request: Request): boolean;
  /** Returns the library's answer to the request: elements or bytes. It throws if the library rejects the request. */
  answer(request: Request): ArrayBufferView | Promise<ArrayBufferView>;
  /** Returns whether an error is a rejection; by default every error is. Any other error is a failure. */
  isRejection?(error: unknown): boolean;
  /** A file with the ids that are expected to fail; `EXACTUM_UPDATE=1` updates it. */
  expected?: string | URL;
  /** Called with the id of each vector that fails, expected or not. */
  failed?(id: string): void;
}

/** Registers a test, like `test` of `node:test` and of Vitest. */
export type Test = (name: string, options: { timeout: number }, run: () => Promise<void>) => unknown;

export interface Vector {
  id: string;
  level: "must" | "ruling" | "may";
  clauses: string[];
  request: Request;
  expect: Record<string, unknown>;
  each: boolean;
}

export const OPERATIONS: readonly string[];
/** The vectors of some operations and levels. */
export function vectors(operations?: readonly string[], levels?: readonly string[]): Generator<Vector>;
/** Registers a test for each clause of the vectors that the library offers; failures are grouped by cause. */
export function conformance(test: Test, library: Library): void;
