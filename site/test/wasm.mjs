// Sends 2,000 cases of all rows through the WebAssembly module in Node and compares its answers with those of the
// native build.
import { spawn } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { load } from "../../wasm/npm/exactum.js";

const CASES = 2000;
const command = process.argv[2];
const root = new URL("../../", import.meta.url);
const engine = await load(readFile(new URL("wasm/npm/exactum.wasm", root)));

/** The requests of a row, one for each case. */
async function requests(row) {
  const folder = new URL(`vectors/${row}/`, root);
  const found = [];
  for (const name of (await readdir(folder)).sort()) {
    const { groups } = JSON.parse(await readFile(new URL(name, folder), "utf8"));
    for (const group of groups) {
      for (const one of group.cases) {
        const request = { id: `${group.id}/${one.id}`, ...group.request, ...one.request };
        // Requests of many megabytes are left to the runner.
        if (JSON.stringify(request).length < 20_000) found.push(request);
      }
    }
  }
  return found;
}

const manifest = JSON.parse(await readFile(new URL("vectors/manifest.json", root), "utf8"));
const rows = [...new Set(manifest.files.map(({ path }) => path.split("/")[0]))];
const chosen = [];
for (const row of rows) {
  const all = await requests(row);
  const wanted = Math.min(all.length, Math.ceil(CASES / rows.length));
  for (let place = 0; place < wanted; place++) chosen.push(all[Math.floor((place * all.length) / wanted)]);
}

/** The answers of the native build, line by line. */
async function native(implementation) {
  const adapter = spawn(command, ["adapter", implementation], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = [];
  const reader = createInterface({ input: adapter.stdout });
  reader.on("line", (line) => lines.push(line));
  for (const request of chosen) adapter.stdin.write(`${JSON.stringify(request)}\n`);
  adapter.stdin.end();
  await new Promise((resolve) => reader.on("close", resolve));
  return lines;
}

let wrong = 0;
for (const implementation of ["reference", "optimized"]) {
  const expected = await native(implementation);
  const begin = performance.now();
  chosen.forEach((request, place) => {
    const answer = engine.answer(JSON.stringify(request), implementation);
    if (answer !== expected[place] && ++wrong <= 10) console.error(`${implementation}: ${request.id}\n  wasm   ${answer.slice(0, 300)}\n  native ${(expected[place] ?? "nothing").slice(0, 300)}`);
  });
  console.log(`${implementation}: ${chosen.length} cases of ${rows.length} rows in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
if (chosen.length < CASES * 0.8 || wrong) {
  console.error(`${wrong} answers differ; ${chosen.length} cases were compared`);
  process.exit(1);
}
