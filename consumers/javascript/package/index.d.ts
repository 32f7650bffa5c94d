/** What a library is asked to do. */
export interface Request {
  /** The request as the vectors have it. */
  readonly members: Record<string, unknown>;
  /** The one element of the input that is sent, where each has to be rejected alone. */
  readonly element: number | null;
  /** The operation, such as `cast_value.encode`. */
  readonly op: string;
  /** The text of the codec's configuration. */
  readonly configuration: string;
  /** The configuration, parsed; an empty object where its text is not a JSON object. */
  readonly settings: Record<string, unknown>;
  /** The data type of the input; `uint8` where it is bytes. */
  readonly source: string;
  /** The data type of the answer; `uint8` where it is bytes. */
  readonly target: string | undefined;
  /** The shape of the decoded array. */
  readonly shape: number[];
  /** The bytes of the input: elements in C order, each little-endian. */
  readonly elements: Uint8Array;
  /** The input as a typed array; undefined where JavaScript has none of its data type. */
  readonly array: ArrayBufferView | undefined;
}

export interface Library {
  /** The operations that are judged; all of `OPERATIONS` by default. */
  operations?: readonly string[];
  /** How binding the vectors are: `must`, and by choice `ruling` and `may`. */
  levels?: readonly ("must" | "ruling" | "may")[];
  /** Whether the library has what the request asks for. */
  offers?(request: Request): boolean;
  /** What the library makes of the request: elements, or bytes. It throws where it rejects. */
  answer(request: Request): ArrayBufferView | Promise<ArrayBufferView>;
  /** Whether an error is a rejection; by default every one is. Any other error is a failure. */
  isRejection?(error: unknown): boolean;
  /** A file of ids that are expected to fail; `EXACTUM_UPDATE=1` keeps it. */
  expected?: string | URL;
  /** Called with the id of each vector that fails, expected or not. */
  failed?(id: string): void;
}

/** Registers a test, as `test` of `node:test` and of Vitest does. */
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
/** Registers a test for each clause of the vectors that the library is offered; failures are grouped by cause. */
export function conformance(test: Test, library: Library): void;
