// Judges a library by the vectors, in node:test, Vitest, or any runner whose `test(name, options, run)` registers a
// test. There is a test for each clause, and its failures are grouped by cause.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { compare, elementsOf, TYPES } from "./compare.js";
import { read } from "./files.js";

/** The operations whose inputs and outputs are arrays and bytes. */
export const OPERATIONS = [
  ...["bytes", "cast_value", "cf", "packbits", "scale_offset", "zfp"].flatMap((name) => [`${name}.encode`, `${name}.decode`]),
  "downsample.read",
];

const ARRAYS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float16: globalThis.Float16Array, float32: Float32Array, float64: Float64Array,
};

/** A request to a library. */
export class Request {
  #elements;

  constructor(members, element = null) {
    this.members = members;
    this.element = element;
    this.op = members.op;
    this.configuration = members.configuration ?? "{}";
    this.source = members.input?.data_type ?? "uint8";
  }

  /** The parsed configuration, which is an empty object if the text is not a JSON object. */
  get settings() {
    try {
      const settings = JSON.parse(this.configuration);
      return settings && typeof settings === "object" && !Array.isArray(settings) ? settings : {};
    } catch {
      return {};
    }
  }

  /** The data type of the answer; `uint8` if the answer is bytes. */
  get target() {
    if (this.members.data_type) return this.members.data_type;
    if (["cast_value.encode", "cf.encode"].includes(this.op)) return this.settings.data_type?.name ?? this.settings.data_type;
    return /^(scale_offset|downsample)/.test(this.op) ? this.source : "uint8";
  }

  /** The shape of the decoded array. */
  get shape() {
    if (this.element !== null) return [1];
    return this.members.shape ?? this.members.input.shape ?? [this.elements.length / TYPES[this.source].bytes];
  }

  /** The bytes of the input: elements in C order, each little-endian. */
  get elements() {
    if (this.#elements) return this.#elements;
    const all = this.members.bytes === undefined ? elementsOf(this.members.input) : Uint8Array.from(Buffer.from(this.members.bytes, "hex"));
    const size = TYPES[this.source].bytes;
    return (this.#elements = this.element === null ? all : all.slice(this.element * size, (this.element + 1) * size));
  }

  /** The input as a typed array; undefined if JavaScript has no typed array for the data type. */
  get array() {
    const made = ARRAYS[this.source];
    return made && new made(this.elements.slice().buffer);
  }
}

/** The vectors of some operations and levels. */
export function* vectors(operations = OPERATIONS, levels = ["must"]) {
  const rows = operations.map((operation) => operation.split(".")[0]);
  for (const { path, clauses } of read("manifest.json").files) {
    if (!clauses.some((clause) => rows.includes(clause.split(".")[0]))) continue;
    for (const group of read(path).groups.filter(({ level }) => levels.includes(level))) {
      for (const one of group.cases) {
        const members = { ...group.request, ...one.request };
        if (!operations.includes(members.op) || !TYPES[members.input?.data_type ?? "uint8"]) continue;
        yield {
          id: `${group.id}/${one.id}`, level: group.level, clauses: [...(one.clauses ?? []), ...(group.clauses ?? [])],
          request: new Request(members), expect: one.expect, each: one.each === true,
        };
      }
    }
  }
}

/** Asks a library and returns how its answer differs from the expected one, or null if it is right. */
async function judge(vector, { answer, isRejection }) {
  const { members } = vector.request;
  const count = vector.each ? elementsOf(members.input).length / TYPES[vector.request.source].bytes : 1;
  for (let element = 0; element < count; element++) {
    const request = vector.each ? new Request(members, element) : vector.request;
    let got = null, thrown = null;
    try {
      got = await answer(request);
    } catch (error) {
      if (!isRejection(error)) return { cause: `throws ${error?.name ?? typeof error}: ${plain(error)}`, detail: error?.stack ?? String(error) };
      thrown = error;
    }
    const difference = compare(request, got, vector.expect, thrown && plain(thrown));
    if (difference) return vector.each ? { ...difference, detail: `element ${element} alone: ${difference.detail}` } : difference;
  }
  return null;
}

/** A message without its numbers, so that equal causes have equal messages. */
const plain = (error) => String(error?.message ?? error).split("\n")[0].replace(/-?\d[\d.e+-]*n?/g, "#").slice(0, 120);

function report(clause, asked, failures) {
  const causes = new Map();
  for (const failure of failures) causes.set(failure.cause, [...(causes.get(failure.cause) ?? []), failure]);
  const lines = [`${clause}: ${failures.length} of ${asked} vectors fail, for ${causes.size} ${causes.size === 1 ? "cause" : "causes"}`];
  for (const [cause, all] of [...causes].sort(([, a], [, b]) => b.length - a.length)) {
    const types = [...new Set(all.map(({ vector: { request } }) => `${request.source} -> ${request.target}`))];
    const few = types.slice(0, 6).join(", ") + (types.length > 6 ? `, and ${types.length - 6} more` : "");
    const [{ vector, detail }] = all.toSorted?.((a, b) => a.vector.request.elements.length - b.vector.request.elements.length) ?? all;
    lines.push("", `  ${all.length} times: ${cause} (${few})`, `    ${vector.id}`, `    ${vector.request.op} ${vector.request.configuration}`,
      ...detail.split("\n").map((line) => `      ${line}`));
    if (process.env.EXACTUM_ALL) lines.push(...all.filter((it) => it.vector !== vector).map((it) => `    ${it.vector.id}`));
    else if (all.length > 1) lines.push(`    and ${all.length - 1} more; EXACTUM_ALL=1 lists them`);
  }
  return lines.join("\n");
}

/** Registers a test for each clause that is cited by the vectors that the library offers. See index.d.ts. */
export function conformance(test, library) {
  const { operations, levels, offers = () => true, expected } = library;
  const isRejection = library.isRejection ?? (() => true);
  const isUpdate = Boolean(process.env.EXACTUM_UPDATE) && expected !== undefined;
  const lines = expected !== undefined && existsSync(expected) ? readFileSync(expected, "utf8").split("\n") : [];
  const known = new Set(lines.filter((line) => line && !line.startsWith("#")));
  const clauses = new Map();
  for (const vector of vectors(operations, levels)) {
    if (!offers(vector.request)) continue;
    const clause = vector.clauses[0];
    clauses.set(clause, [...(clauses.get(clause) ?? []), vector]);
  }
  if (!clauses.size) throw new Error("the library supports none of these vectors");
  const failed = new Set([...known].filter(() => isUpdate));
  const write = () => writeFileSync(expected, `# Vectors that are expected to fail; EXACTUM_UPDATE=1 updates this list.\n${[...failed].sort().map((id) => `${id}\n`).join("")}`);
  for (const [clause, all] of clauses) {
    test(clause, { timeout: 600_000 }, async () => {
      const failures = [];
      const stale = [];
      for (const vector of all) {
        const difference = await judge(vector, { answer: library.answer, isRejection });
        if (difference) library.failed?.(vector.id);
        if (isUpdate) {
          if (difference) failed.add(vector.id); else failed.delete(vector.id);
        } else if (difference && !known.has(vector.id)) failures.push({ vector, ...difference });
        else if (!difference && known.has(vector.id)) stale.push(vector.id);
      }
      if (isUpdate) return write();
      if (stale.length) failures.push(...stale.map((id) => ({ vector: all.find((it) => it.id === id), cause: "passes, but is listed as an expected failure", detail: "EXACTUM_UPDATE=1 removes it from the list" })));
      if (failures.length) {
        const error = new Error(report(clause, all.length, failures));
        error.stack = error.message;
        throw error;
      }
    });
  }
}
