// Compares answers with the expectations of the vectors, bit for bit, as vectors/README.md describes.
import { read } from "./files.js";

/** The data types by name. */
export const TYPES = Object.fromEntries(read("data_types.json").data_types.map((type) => [type.name, type]));
const BLOCK = 4096;
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytesOf = (text) => Buffer.from(text, "hex");

/** The bytes of an input, which are given in hex, as ranges of bit patterns, or as a sequence of splitmix64. */
export function elementsOf({ data_type, shape, data, ranges, splitmix }) {
  if (data !== undefined) return Uint8Array.from(bytesOf(data));
  const { bytes, components, component_mask } = TYPES[data_type];
  const size = bytes / components, bits = [];
  if (ranges) {
    for (const [first, last] of ranges) for (let one = BigInt(`0x${first}`); one <= BigInt(`0x${last}`); one++) bits.push(one);
  } else {
    const mask = BigInt(`0x${component_mask}`), count = shape.reduce((all, extent) => all * extent, components);
    for (let at = 0n; at < count; at++) bits.push(mixed(BigInt(`0x${splitmix}`) + at) & mask);
  }
  const made = new Uint8Array(bits.length * size);
  bits.forEach((one, at) => { for (let byte = 0; byte < size; byte++) made[at * size + byte] = Number((one >> BigInt(8 * byte)) & 255n); });
  return made;
}

function mixed(seed) {
  const low = (number) => BigInt.asUintN(64, number);
  let z = low(seed + 0x9e3779b97f4a7c15n);
  z = low((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = low((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

/** A component's bits as a number. */
const bitsAt = (bytes, at, size) => BigInt(`0x${hex(Uint8Array.from(bytes.subarray(at * size, (at + 1) * size)).reverse())}`);

function isNan(bits, nan) {
  if (!nan) return false;
  if (nan.codes) return nan.codes.some((code) => BigInt(`0x${code}`) === bits);
  const [ones, some] = [BigInt(`0x${nan.ones}`), BigInt(`0x${nan.some}`)];
  return (bits & ones) === ones && (bits & some) !== 0n;
}

/** A component's bits in the canonical form for comparison. */
function canonical(bits, type, isExact) {
  const mask = BigInt(`0x${type.component_mask}`);
  if (["int2", "int4"].includes(type.name) && bits > mask && bits >> BigInt(type.component_bits - 1) === 0xffn >> BigInt(type.component_bits - 1)) return bits & mask;
  return !isExact && isNan(bits, type.nan) ? BigInt(`0x${type.nan.default}`) : bits;
}

/** A component as a number; undefined if JavaScript has no numbers of its data type. */
function valueOf(bytes, at, { name, bytes: each, components }) {
  const size = each / components, view = new DataView(Uint8Array.from(bytes.subarray(at * size, (at + 1) * size)).buffer);
  switch (name) {
    case "int8": return view.getInt8(0);
    case "uint8": return view.getUint8(0);
    case "int16": return view.getInt16(0, true);
    case "uint16": return view.getUint16(0, true);
    case "int32": return view.getInt32(0, true);
    case "uint32": return view.getUint32(0, true);
    case "int64": return view.getBigInt64(0, true);
    case "uint64": return view.getBigUint64(0, true);
    case "float32": case "complex64": return view.getFloat32(0, true);
    case "float64": case "complex128": return view.getFloat64(0, true);
  }
}

/** A number as a fraction of integers. */
function fraction(number) {
  if (typeof number === "bigint") return [number, 1n];
  let denominator = 1n;
  // Doubling is exact: it only changes the exponent.
  while (!Number.isInteger(number)) { number *= 2; denominator *= 2n; }
  return [BigInt(number), denominator];
}

/** A decimal text as a fraction of integers. */
function decimal(text) {
  const [, whole, rest = "", power = "0"] = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  const digits = Number(power) - rest.length, number = BigInt(whole + rest);
  return digits >= 0 ? [number * 10n ** BigInt(digits), 1n] : [number, 10n ** BigInt(-digits)];
}

function isWithin(a, b, bound) {
  if (typeof a === "number" && !(Number.isFinite(a) && Number.isFinite(b))) return false;
  const [[an, ad], [bn, bd], [n, d]] = [fraction(a), fraction(b), decimal(bound)];
  const difference = an * bd - bn * ad;
  return (difference < 0n ? -difference : difference) * d <= n * ad * bd;
}

const shown = (bytes, at, type) => {
  const size = type.bytes / type.components, value = valueOf(bytes, at, type);
  return `0x${bitsAt(bytes, at, size).toString(16).padStart(2 * size, "0")}` + (value === undefined ? "" : ` (${Object.is(value, -0) ? "-0" : value})`);
};

/** How an answer differs from the expected one, as cause and details; null if it is right. A null answer is a rejection. */
export function compare(request, got, expect, message) {
  if (expect.open) return null;
  if (expect.one_of) {
    const all = expect.one_of.map((one) => compare(request, got, one, message));
    return all.includes(null) ? null : all[0];
  }
  if (expect.reject) {
    if (got === null) return null;
    const bytes = view(got);
    return { cause: `is not rejected (${expect.reject.reason})`, detail: `got 0x${hex(bytes.subarray(0, 16))}${bytes.length > 16 ? "..." : ""}, but must be rejected` };
  }
  if (got === null) return { cause: `is rejected: ${message}`, detail: "was rejected, but a result is expected" };
  const wanted = expect.within ?? expect.ok, bytes = view(got);
  if (wanted.bytes !== undefined) return different(bytes, bytesOf(wanted.bytes), TYPES.uint8, { mask: wanted.mask, isExact: true });
  const type = TYPES[wanted.output.data_type];
  if (wanted.output.crc32) return checksums(bytes, wanted.output.crc32, type);
  const isExact = !/^(cast_value|scale_offset|cf)/.test(request.op);
  const sent = request.source !== "uint8" && request.elements.length / TYPES[request.source].bytes === bytes.length / type.bytes ? request : null;
  return different(bytes, bytesOf(wanted.output.data), type, { mask: wanted.output.mask, bound: wanted.bound, isExact, sent });
}

const view = (got) => (got instanceof Uint8Array ? got : new Uint8Array(got.buffer, got.byteOffset, got.byteLength));

function different(got, right, type, { mask, bound, isExact, sent }) {
  if (got.length !== right.length) return { cause: "has the wrong size", detail: `has ${got.length} bytes, expected ${right.length}` };
  const size = type.bytes / type.components, count = right.length / size, under = mask && bytesOf(mask), wrong = [];
  for (let at = 0; at < count; at++) {
    if (under) {
      if (right.subarray(at * size, (at + 1) * size).some((byte, i) => (byte ^ got[at * size + i]) & under[at * size + i])) wrong.push(at);
      continue;
    }
    if (canonical(bitsAt(got, at, size), type, isExact) === canonical(bitsAt(right, at, size), type, isExact)) continue;
    if (bound === undefined || !isWithin(valueOf(got, at, type), valueOf(right, at, type), bound)) wrong.push(at);
  }
  if (!wrong.length) return null;
  const lines = wrong.slice(0, 3).map((at) => {
    const from = sent && type.components === 1 ? `sent ${shown(sent.elements, at, TYPES[sent.source])}, ` : "";
    return `element ${Math.floor(at / type.components)}: ${from}got ${shown(got, at, type)}, expected ${shown(right, at, type)}`;
  });
  return { cause: "gives wrong values", detail: [`${wrong.length} of ${count} are wrong`, ...lines].join("\n") };
}

function checksums(got, sums, type) {
  const size = type.bytes / type.components, mask = BigInt(`0x${type.component_mask}`), plain = Uint8Array.from(got);
  for (let at = 0; at < plain.length / size; at++) {
    const bits = canonical(bitsAt(plain, at, size), type, false) & mask;
    for (let byte = 0; byte < size; byte++) plain[at * size + byte] = Number((bits >> BigInt(8 * byte)) & 255n);
  }
  const length = BLOCK * type.bytes, made = [];
  for (let at = 0; at < plain.length; at += length) made.push(crc32(plain.subarray(at, at + length)));
  if (made.length !== sums.length) return { cause: "has the wrong size", detail: `has ${made.length} blocks of ${BLOCK} elements, expected ${sums.length}` };
  const wrong = made.findIndex((sum, at) => sum !== sums[at]);
  return wrong < 0 ? null : { cause: "gives wrong values", detail: `a block of ${BLOCK} elements is wrong, from element ${wrong * BLOCK} on: got bytes 0x${hex(got.subarray(wrong * length, wrong * length + 16))}...` };
}

function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (~sum >>> 0).toString(16).padStart(8, "0");
}
