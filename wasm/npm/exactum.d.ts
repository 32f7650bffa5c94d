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

export interface Packing { target: string; bytes: number; largest_error: number; document: string }

export interface Proof {
  verdict: "proved" | "refuted";
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

export interface Exactum {
  validate(document: string): Judgement;
  plan(wish: Wish): { packings: Packing[] };
  prove(document: string, least: string, greatest: string): Proof;
  tryValues(document: string, values: string[]): { data_type: string; values: Trial[] };
  /** Answers a line of the protocol. */
  answer(line: string, implementation?: "reference" | "optimized"): string;
}

/** Loads `exactum.wasm` from its bytes, or from the response of a `fetch`. */
export function load(source: BufferSource | Response | Promise<BufferSource | Response>): Promise<Exactum>;
