/** A range of a document, in bytes of its UTF-8 text. */
export interface Place { start: number; end: number }

/** An error, a warning or a note about a document. */
export interface Finding extends Place {
  severity: "error" | "warning" | "note";
  /** The clause of the specification, such as `cast_value.rounding.values`. */
  clause: string;
  level: string | null;
  message: string;
  /** How to fix it; may be empty. */
  help: string;
  /** A JSON pointer. */
  pointer: string;
  related?: (Place & { message: string })[];
}

/** The chunk of an array after one of its codecs. */
export interface Stage {
  codec: string | null;
  data_type: string;
  shape: number[];
  fill_value: string;
  bits: string;
}

export interface Judgement {
  kind: "array" | "group" | "downsample" | "sds";
  verdict: "valid" | "not judged" | "rejected";
  findings: Finding[];
  /** The number of further findings that are not listed. */
  more?: number;
  stages?: Stage[];
  encoded_bytes?: number | null;
}

export interface Wish {
  data_type: string;
  least: string;
  greatest: string;
  max_error: string;
  /** Whether NaN must survive. */
  nan?: boolean;
}

export type Library = "zarr-python" | "xarray" | "zarrs" | "tensorstore" | "gdal";

export interface Packing { target: string; bytes: number; largest_error: number; document: string }

export interface Proof {
  verdict: "proved" | "refuted" | "undecided";
  stored: string;
  codes: [string, string] | null;
  largest_error: number | null;
  faults: { kind: string; first: string; last: string }[];
  /** Values of the range, each with its error. */
  drawn: [number, number][];
}

export interface Step { codec: string; data_type: string; value: string; exact: string; bits: string }
export interface Refusal { reason: string; clause: string; message: string }
export interface Trial {
  written: string;
  error?: string;
  steps?: Step[];
  back?: Step;
  rejected?: Refusal;
  not_read?: Refusal;
}

/** A configuration, a document or values that Exactum rejects. */
export class Rejection extends Error {
  constructor(rejection: { error: string; reason: string; clause: string });
  /** The reason, from a closed list, such as `out_of_range`. */
  reason: string;
  /** The clause that requires the rejection, such as `cast_value.range.error`. */
  clause: string;
}

/** A codec for arrays of a data type and a shape. */
export interface Codec {
  name: "bitround" | "cast_value" | "scale_offset" | "packbits" | "zfp";
  /** The configuration, or its JSON text, which preserves every digit. */
  configuration?: object | string;
  data_type: string;
  shape: readonly number[];
}

export interface Exactum {
  validate(document: string): Judgement;
  plan(wish: Wish): { packings: Packing[] };
  /**
   * Returns a program that writes an array with a packing of the plan, reads it back and compares, or the reason why
   * the library cannot store this packing.
   */
  recipe(wish: Wish, target: string, library: Library): { program: string } | { lacks: string };
  prove(document: string, least: string, greatest: string): Proof;
  tryValues(document: string, values: string[]): { data_type: string; values: Trial[] };
  /** Returns the data type that a codec stores. Throws a `Rejection` if its configuration is wrong. */
  stored(codec: Codec): { data_type: string; element_bytes: number };
  /** Encodes the bytes of a chunk, which are its elements in C order, each little-endian. */
  encode(codec: Codec, bytes: Uint8Array): Uint8Array;
  /** Decodes the output of `encode`. */
  decode(codec: Codec, bytes: Uint8Array): Uint8Array;
  /** Answers one line of the protocol. */
  answer(line: string, implementation?: "reference" | "optimized"): string;
}

/** Loads the module of this package, or the module in the given bytes or the given response of a `fetch`. */
export function load(source?: BufferSource | Response | Promise<BufferSource | Response>): Promise<Exactum>;
