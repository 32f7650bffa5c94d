// Tests every page in headless Chromium: it loads, logs no error, fits on a phone, and axe finds no serious problem.
// The search, the filters and the tools must work. Sizes and times are printed.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [site, tools, pictures] = process.argv.slice(2);
const require = createRequire(join(resolve(tools), "package.json"));
const { chromium } = require("playwright-core");
const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".wasm": "application/wasm" };
const served = new Map();
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://site").pathname;
  const file = path.endsWith("/") ? `${path}index.html` : path;
  try {
    const bytes = gzipSync(await readFile(join(site, file)));
    served.set(file, bytes.length);
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-encoding": "gzip" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise((done) => server.on("listening", done));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const failures = [];
const fail = (words) => { failures.push(words); console.error(`FAILED: ${words}`); };
const check = (is, words) => { if (!is) fail(words); };

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && fail(`${page.url()}: ${message.text()}`));
  page.on("pageerror", (error) => fail(`${page.url()}: ${error}`));
  page.on("request", (request) => request.url().startsWith(address) || request.url().startsWith("data:") || fail(`${page.url()} requests ${request.url()}`));
  return page;
}
async function go(page, hash) {
  await page.goto(`${address}#${hash}`);
  await page.waitForFunction((hash) => document.getElementById("main").dataset.drawn === hash || (hash === "#/" && document.getElementById("main").dataset.drawn === ""), `#${hash}`);
}

const page = await open();
const begin = performance.now();
await go(page, "/");
const first = [...served.values()].reduce((sum, bytes) => sum + bytes, 0);
const elements = await page.evaluate(() => document.querySelectorAll("*").length);
console.log(`first load: ${(first / 1000).toFixed(1)} KB gzipped in ${served.size} files, ${(performance.now() - begin).toFixed(0)} ms, ${elements} elements`);
check(first < 300_000, `the first load is ${first} bytes`);

const overview = JSON.parse(await readFile(join(site, "data/overview.json"), "utf8"));
const { rulings } = JSON.parse(await readFile(join(site, "data/rulings.json"), "utf8"));
const { chapters } = JSON.parse(await readFile(join(site, "data/guide.json"), "utf8"));
const kinds = ["/", "/row/cast_value", "/clause/cast_value.rounding.once", "/implementation/zarrita", "/case/bitround/all-float16/every-1/nan", "/can-i-use", "/interoperability", `/ruling/${rulings[0].number}`, "/evidence", "/guide", "/validate", "/plan", "/try"];
const pages = [...new Set([...kinds, ...overview.rows.map((it) => `/row/${it.id}`), ...overview.implementations.map((it) => `/implementation/${it.name}`), ...chapters.map((it) => `/guide/${it.id}`), "/case/bitround/all-float16", "/case/bitround/all-float16/every-1", "/rulings", "/evidence/fairness", "/evidence/reliability"])];
for (const hash of pages) {
  const begin = performance.now();
  await go(page, hash);
  const heading = await page.textContent("h1");
  check(heading && heading !== "Page not found", `${hash} has no page`);
  const took = performance.now() - begin;
  check(took < 5000, `${hash} takes ${took.toFixed(0)} ms`);
}
console.log(`${pages.length} pages load`);

// The search, by keyboard alone.
await go(page, "/");
await page.keyboard.press("/");
await page.keyboard.type("rounding once");
await page.waitForSelector("#found li[data-to]");
check((await page.textContent("#found li")).includes("cast_value.rounding.once"), "the search does not find a clause first");
await page.keyboard.press("Enter");
await page.waitForFunction(() => location.hash === "#/clause/cast_value.rounding.once");
for (const words of ["zarrita rounding mode", "zarrita bool"]) {
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  await page.waitForSelector("#found li[data-to*='implementation/zarrita/']");
  await page.keyboard.press("Escape");
  await page.fill("#search", "");
  await page.evaluate(() => document.activeElement.blur());
}

// Pressing Enter right after typing waits for the results of the search.
const hurried = await open();
await go(hurried, "/");
await hurried.keyboard.press("/");
await hurried.keyboard.type("zarrita bool");
await hurried.keyboard.press("Enter");
await hurried.waitForFunction(() => location.hash.startsWith("#/implementation/zarrita/"));
await hurried.context().close();

// A worked example explains how its result is derived.
await go(page, "/clause/cast_value.rounding.nearest-even");
const shown = page.locator(".derivation").filter({ visible: true }).first();
await shown.locator("summary").click();
const derived = await shown.textContent();
for (const word of ["exact value", "below", "above", "nearer", "nearest-even", "result"]) check(derived.includes(word), `the derivation has no ${word}`);
check(await shown.locator("a[href^='#/clause/']").count() > 0, "the derivation links no clause");

// A case states which implementation failed it and why, and the search finds a group of cases by its name.
await go(page, "/case/bitround/all-float16/every-1/nan");
const failed = await page.textContent("#main");
for (const words of ["numcodecs", "BitRound turns NaN into numbers and infinities", "expected", "got"]) check(failed.includes(words), `the case does not show ${words}`);
await page.keyboard.press("/");
await page.keyboard.type("bitround/all-float16/every-1");
await page.waitForSelector("#found li[data-to^='#/case/bitround/all-float16/every-1']");
await page.keyboard.press("Escape");
await page.fill("#search", "");
await page.evaluate(() => document.activeElement.blur());
// Faults that a library has fixed are still listed.
await go(page, "/implementation/zarr-python");
check((await page.textContent("#gone")).includes("No longer seen"), "no fault of an earlier version is named");

// The filter and the sorting of the overview.
await go(page, "/");
await page.fill("#filter", "zarrita");
check((await page.locator(".grid tbody tr").count()) === 1, "the filter does not leave one implementation");
await page.fill("#filter", "");
await page.click("th[data-sort=cast_value] button");
check((await page.getAttribute("th[data-sort=cast_value]", "aria-sort")) === "descending", "sorting is not announced");
await go(page, "/can-i-use");
await page.setInputFiles("#document", { name: "zarr.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ data_type: "float32", codecs: ["zstd", { name: "bytes" }] })) });
await page.waitForFunction(() => document.querySelector("input[value=zstd]").checked && !document.querySelector("input[value=cast_value]").checked);

// The tools, on real documents.
await go(page, "/validate");
await page.waitForSelector("#judgement .verdict");
check((await page.textContent("#judgement .verdict")).includes("rejected"), "the document with faults is not rejected");
check((await page.locator("#judgement mark").count()) >= 2, "the faults are not underlined");
await page.click("#right");
await page.waitForFunction(() => document.querySelector("#judgement .verdict")?.textContent.includes("valid"));
await page.fill("#text", '{"zarr_format": 3, "node_type": "group"}');
await page.waitForFunction(() => document.querySelector("#judgement").textContent.includes("group"));
await go(page, "/plan");
await page.waitForSelector("#packings .plot");
check((await page.textContent("#packings")).includes("proved"), "the plan is not proved");
check((await page.textContent("#packings")).includes("packbits"), "no packing shares bytes");
await page.click("[data-target=int16]");
await page.selectOption("#library", "xarray");
check((await page.textContent("#recipe")).includes("import xarray"), "no program for xarray");
await page.fill("[name=max_error]", "-1");
await page.click("form.form button");
await page.waitForSelector("#packings [role=alert]");
await go(page, "/try");
await page.waitForSelector("#trials table");
check((await page.textContent("#trials")).includes("0x"), "no bits are shown");

// Accessibility, in light and dark mode, and on a phone with a width of 360 pixels.
for (const [name, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 360, height: 740 }, isMobile: true }]]) {
  const page = await open(options);
  for (const hash of kinds) {
    await go(page, hash);
    if (["/validate", "/plan", "/try"].includes(hash)) await page.waitForSelector("#judgement .verdict, #packings .plot, #trials table");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check(wide <= 0, `${hash} is ${wide} pixels too wide (${name})`);
    if (name !== "phone") {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      for (const { id, impact, nodes } of violations.filter(({ impact }) => ["serious", "critical"].includes(impact))) {
        fail(`${hash} (${name}): ${impact}: ${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary?.split("\n")[1] ?? ""}`);
      }
    }
    if (pictures) await page.screenshot({ path: join(pictures, `${name}${hash.replaceAll("/", "-")}.png`) });
  }
  await page.context().close();
}
console.log("heaviest parts, KB gzipped:", [...served].sort(([, a], [, b]) => b - a).slice(0, 6).map(([file, bytes]) => `${file} ${(bytes / 1000).toFixed(0)}`).join(", "));
await browser.close();
server.close();
console.log(failures.length ? `${failures.length} failures` : "the site passes");
process.exit(failures.length ? 1 : 0);
