// Judges a library with faults. Its failures are grouped by cause, each with one example in numbers and bits. With the
// file of expected failures the tests pass, and a stale entry is reported.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { conformance } from "exactum-vectors";
import { wrong } from "./library.mjs";

const expected = "expected-failures.txt";

/** Runs all tests of a library, and returns the messages of those that fail. */
async function run(library) {
  const tests = [], messages = [];
  conformance((name, _, run) => tests.push(run), library);
  for (const one of tests) await one().catch(({ message }) => messages.push(message));
  return messages;
}

rmSync(expected, { force: true });
const messages = await run(wrong);
const text = messages.join("\n");
assert(messages.length > 2, "a library with faults passes");
assert(text.length < 20_000, `${text.length} characters of failures`);
assert.match(text, /\d+ times: is not rejected \(out_of_range\) \(.*float64 -> int8/);
assert.match(text, /\d+ times: gives wrong values/);
assert.match(text, /element \d+: sent 0x\w+ \(\S+\), got 0x\w+ \(\S+\), expected 0x\w+ \(\S+\)/);
console.log(messages.find((message) => message.includes("gives wrong values")));

process.env.EXACTUM_UPDATE = "1";
await run({ ...wrong, expected });
const ids = readFileSync(expected, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
delete process.env.EXACTUM_UPDATE;
assert.deepEqual(await run({ ...wrong, expected }), []);
assert(ids.length > 10 && existsSync(expected));
const [passing] = [...(await import("exactum-vectors")).vectors(wrong.operations)].filter(({ id, request }) => wrong.offers(request) && !ids.includes(id));
writeFileSync(expected, [...ids, passing.id].join("\n"));
const stale = await run({ ...wrong, expected });
assert.equal(stale.length, 1);
assert.match(stale[0], /passes, but is listed as an expected failure/);
console.log(`${ids.length} failures of ${messages.length} clauses, in ${text.length} characters`);
