// A cast between the types that JavaScript supports, done as typed arrays do it. It is correct if every value fits.
const TYPES = { int8: Int8Array, int16: Int16Array, int32: Int32Array, float32: Float32Array, float64: Float64Array };
const WIDER = [["int8", "int16"], ["int8", "int32"], ["int16", "int32"], ["int8", "float32"], ["int16", "float32"], ["int8", "float64"], ["int16", "float64"], ["int32", "float64"], ["float32", "float64"]];

export const operations = ["cast_value.decode"];
const isPlain = ({ settings: { rounding, out_of_range, scalar_map } }) => rounding === "nearest-even" && !out_of_range && !scalar_map;

/** Lossless casts. */
export const right = {
  operations,
  offers: (request) => isPlain(request) && WIDER.some(([from, to]) => request.source === from && request.target === to),
  answer: ({ array, target }) => TYPES[target].from(array),
};

/** All casts, of which those that lose something are wrong. */
export const wrong = { ...right, offers: (request) => isPlain(request) && TYPES[request.source] && TYPES[request.target] };
