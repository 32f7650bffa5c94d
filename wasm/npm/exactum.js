// Runs Exactum's WebAssembly. Everything happens in this process: no request is ever sent.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes the calls of a module that was compiled or instantiated from `exactum.wasm`. */
export async function load(source) {
  const bytes = await source;
  const made = typeof Response !== "undefined" && bytes instanceof Response
    ? await WebAssembly.instantiate(await bytes.arrayBuffer(), {})
    : await WebAssembly.instantiate(bytes, {});
  const { exports } = made.instance ?? made;
  const call = (request) => {
    const text = encoder.encode(JSON.stringify(request));
    const address = exports.input(text.length);
    if (address === 0) throw new RangeError("the request is too long");
    new Uint8Array(exports.memory.buffer, address, text.length).set(text);
    const length = exports.call();
    const answer = JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length)));
    if (typeof answer.error === "string") throw new Error(answer.error);
    return answer;
  };
  return {
    validate: (document) => call({ call: "validate", document }),
    plan: (wish) => call({ call: "plan", ...wish }),
    prove: (document, least, greatest) => call({ call: "prove", document, least, greatest }),
    tryValues: (document, values) => call({ call: "try", document, values }),
    answer: (line, implementation = "reference") => call({ call: "answer", implementation, line }).line,
  };
}
