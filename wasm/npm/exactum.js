// Runs Exactum's WebAssembly module. Everything is computed in this process, and nothing is sent anywhere.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A configuration, a document or values that Exactum rejects, with the clause that requires the rejection. */
export class Rejection extends Error {
  constructor({ error, reason, clause }) {
    super(error);
    this.name = "Rejection";
    this.reason = reason;
    this.clause = clause;
  }
}

/** Reads the module in the folder of this file. */
async function module() {
  const url = new URL("./exactum.wasm", import.meta.url);
  if (url.protocol !== "file:") return fetch(url);
  const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
  return readFile(url);
}

/** Loads the module in the folder of this file, or the module in the given bytes or the given response of a `fetch`. */
export async function load(source = module()) {
  const bytes = await source;
  const made = typeof Response !== "undefined" && bytes instanceof Response
    ? await WebAssembly.instantiate(await bytes.arrayBuffer(), {})
    : await WebAssembly.instantiate(bytes, {});
  const { exports } = made.instance ?? made;
  const write = (bytes, address) => {
    if (address === 0) throw new RangeError("the request is too long");
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  };
  const call = (request) => {
    const text = encoder.encode(JSON.stringify(request));
    write(text, exports.input(text.length));
    const length = exports.call();
    const answer = JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length)));
    if (typeof answer.error !== "string") return answer;
    throw typeof answer.clause === "string" ? new Rejection(answer) : new Error(answer.error);
  };
  const text = (configuration) => (typeof configuration === "string" ? configuration : JSON.stringify(configuration ?? {}));
  const convert = (direction) => ({ name, configuration, data_type, shape }, bytes) => {
    write(bytes, exports.chunk(bytes.length));
    const { length } = call({ call: "convert", direction, name, configuration: text(configuration), data_type, shape });
    return new Uint8Array(exports.memory.buffer, exports.converted(), length).slice();
  };
  return {
    validate: (document) => call({ call: "validate", document }),
    plan: (wish) => call({ call: "plan", ...wish }),
    recipe: (wish, target, library) => call({ call: "recipe", ...wish, target, library }),
    prove: (document, least, greatest) => call({ call: "prove", document, least, greatest }),
    tryValues: (document, values) => call({ call: "try", document, values }),
    stored: ({ name, configuration, data_type, shape }) => call({ call: "stored", name, configuration: text(configuration), data_type, shape }),
    encode: convert("encode"),
    decode: convert("decode"),
    answer: (line, implementation = "reference") => call({ call: "answer", implementation, line }).line,
  };
}
