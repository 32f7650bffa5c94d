/** A place in a document, in bytes of its UTF-8 text. */
export interface Place { start: number; end: number }

/** Something that was found in a document. */
export interface Finding extends Place {
  severity: "error" | "warning" | "note";
  /** The clause of the specification, such as `cast_value.rounding.values`. */
  clause: string;
  level: string | null;
  message: string;
  /** How to mend it; empty where there is nothing to say. */
  help: string;
  /** A JSON pointer. */
  pointer: string;
  related?: (Place & { message: string })[];
}

/** What stands between two codecs of an array. */
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
  /** How many more findings there are than are listed. */
  more?: number;
  stages?: Stage[];
  encoded_bytes?: number | null;
}

export interface Wish {
  data_type: string;
  least: string;
  greatest: string;
  max_error: string;
  /** Whether NaN has to survive. */
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
  /** The clause that demands the rejection, such as `cast_value.out-of-range.error`. */
  clause: string;
}

/** A codec for arrays of a data type and a shape. */
export interface Codec {
  name: "bitround" | "cast_value" | "scale_offset" | "packbits" | "zfp";
  /** The configuration, or its JSON text, which keeps every digit. */
  configuration?: object | string;
  data_type: string;
  shape: readonly number[];
}

export interface Exactum {
  validate(document: string): Judgement;
  plan(wish: Wish): { packings: Packing[] };
  /** The program that writes an array by a packing of the plan, reads it back and compares; or why the library cannot. */
  recipe(wish: Wish, target: string, library: Library): { program: string } | { lacks: string };
  prove(document: string, least: string, greatest: string): Proof;
  tryValues(document: string, values: string[]): { data_type: string; values: Trial[] };
  /** The data type that a codec stores; throws a `Rejection` where its configuration is wrong. */
  stored(codec: Codec): { data_type: string; element_bytes: number };
  /** Encodes the bytes of a chunk: its elements in C order, each little-endian. */
  encode(codec: Codec, bytes: Uint8Array): Uint8Array;
  /** Decodes what `encode` makes. */
  decode(codec: Codec, bytes: Uint8Array): Uint8Array;
  /** Answers a line of the protocol. */
  answer(line: string, implementation?: "reference" | "optimized"): string;
}

/** Loads the module that lies in this package, or the one of the bytes or the response of a `fetch` given. */
export function load(source?: BufferSource | Response | Promise<BufferSource | Response>): Promise<Exactum>;
