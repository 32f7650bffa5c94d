// The pages that compute: Validate, Plan and Try. Everything is computed in the browser, and nothing is sent anywhere.
import { h } from "./site.js";
import { rich } from "./views.js";

let loading;
/** The WebAssembly module, which is loaded once, when a page needs it. */
function exactum() {
  loading ??= import("./exactum.js").then(({ load }) => load(fetch("exactum.wasm").then((response) => {
    if (!response.ok) throw new Error("exactum.wasm is not part of this site; wasm/build creates it");
    return response;
  })));
  loading.catch(() => { loading = undefined; });
  return loading;
}

const PACKED = `{
  "zarr_format": 3,
  "node_type": "array",
  "shape": [365, 720, 1440],
  "data_type": "float32",
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 720, 1440]}},
  "chunk_key_encoding": {"name": "default"},
  "fill_value": "NaN",
  "codecs": [
    {"name": "scale_offset", "configuration": {"offset": 273.15, "scale": 100}},
    {"name": "cast_value", "configuration": {
      "data_type": "int16", "rounding": "nearest-even",
      "scalar_map": {"encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}
    }},
    {"name": "bytes", "configuration": {"endian": "little"}},
    {"name": "zstd", "configuration": {"level": 3, "checksum": false}}
  ],
  "dimension_names": ["time", "lat", "lon"]
}
`;
const WRONG = PACKED.replace('"nearest-even"', '"nearest_even"').replace("365, 720", "365, 721").replace('{"endian": "little"}', '{"endain": "little"}');

const clauseLink = (id) => h("a", { href: `#/clause/${id}` }, h("code", {}, id));
const failed = (error) => h("p", { class: "error-note", role: "alert" }, error.message);
/** Converts positions in UTF-8 bytes to positions in a string. */
function places(text) {
  const at = [];
  let byte = 0, index = 0;
  for (const character of text) { for (let more = new TextEncoder().encode(character).length; more; more--) at[byte++] = index; index += character.length; }
  at[byte] = index;
  return (place) => at[Math.min(place, byte)];
}

export async function validate() {
  const text = h("textarea", { id: "text", spellcheck: "false", "aria-label": "The document", autocapitalize: "off" });
  const out = h("div", { "aria-live": "polite", id: "judgement" });
  text.value = WRONG;
  let turn = 0;
  const judge = async () => {
    const mine = ++turn;
    try {
      const { validate } = await exactum();
      if (mine !== turn) return;
      const judged = validate(text.value);
      const kinds = { valid: "all", "not judged": "reading", rejected: "few" };
      const signs = { valid: "✓", "not judged": "?", rejected: "✗" };
      out.replaceChildren(...[h("p", { class: `verdict ${kinds[judged.verdict]}` }, `${signs[judged.verdict]} ${judged.verdict}`), h("span", { class: "quiet small" }, ` as ${judged.kind === "array" ? "an" : "a"} ${judged.kind} document of Zarr v3`),
        judged.findings.length ? marked(text.value, judged.findings) : null,
        judged.findings.map((it, place) => h("div", { class: `card ${{ error: "wrong", warning: "refuses", note: "differs" }[it.severity]}`, style: "margin-top:.9rem" },
          h("p", { class: "small" }, h("b", {}, it.severity), " ", clauseLink(it.clause), it.level ? h("span", { class: "quiet" }, ` ${it.level}`) : null, h("span", { class: "quiet" }, ` ${line(text.value, it)}`)),
          h("p", {}, rich(it.message)), it.help ? h("p", { class: "small" }, h("b", {}, "Help: "), rich(it.help)) : null,
          h("button", { class: "plain", type: "button", onclick: () => select(it) }, "Show in the document"))),
        judged.more ? h("p", { class: "quiet" }, `and ${judged.more} more`) : null,
        judged.stages ? [h("h2", {}, "The chunk after each codec"), h("div", { class: "scroll free", tabindex: 0, role: "region", "aria-label": "Stages" }, h("table", {}, h("thead", {}, h("tr", {}, ["After", "Data type", "Shape", "Fill value"].map((it) => h("th", { scope: "col" }, it)))),
          h("tbody", {}, judged.stages.map((it) => h("tr", {}, h("td", {}, it.codec ?? "the array"), h("td", {}, h("code", {}, it.data_type)), h("td", { class: "n", style: "text-align:left" }, it.shape.join(" × ")), h("td", {}, it.fill_value, h("span", { class: "bits" }, it.bits)))))))] : null].flat(9).filter(Boolean));
    } catch (error) { if (mine === turn) out.replaceChildren(failed(error)); }
  };
  const select = (it) => { const at = places(text.value); text.focus(); text.setSelectionRange(at(it.start), at(it.end)); };
  let timer;
  text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(judge, 200); });
  const take = async (file) => { text.value = await file.text(); judge(); };
  const box = h("div", { class: "editor", ondragover: (event) => { event.preventDefault(); box.classList.add("drop"); }, ondragleave: () => box.classList.remove("drop"), ondrop: (event) => { event.preventDefault(); box.classList.remove("drop"); if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]); } }, text);
  judge();
  return { title: "Validate", nodes: [h("h1", {}, "Validate"), h("p", { class: "lead" }, rich("Paste a zarr.json, or drop a file onto the text below. It can describe an array, a group, a downsample view or a scaled data set. It is validated in the same way as by the command `exactum validate`, and it does not leave your browser.")),
    h("div", { class: "controls" }, h("label", {}, "File", h("input", { type: "file", accept: ".json,application/json", onchange: (event) => event.target.files[0] && take(event.target.files[0]) })), h("button", { class: "plain", type: "button", id: "right", onclick: () => { text.value = PACKED; judge(); } }, "A valid example"), h("button", { class: "plain", type: "button", id: "wrong", onclick: () => { text.value = WRONG; judge(); } }, "An invalid example")),
    h("div", { class: "two" }, box, out)] };
}

function line(text, it) {
  const before = text.slice(0, places(text)(it.start)).split("\n");
  return `line ${before.length}, column ${before.at(-1).length + 1}`;
}
/** The lines around a finding, which is underlined. */
function marked(text, findings) {
  const at = places(text);
  const marks = findings.map((it) => [at(it.start), at(it.end), it]).sort(([a], [b]) => a - b);
  const nodes = [];
  let done = 0;
  for (const [from, to, it] of marks) {
    if (from < done) continue;
    nodes.push(text.slice(done, from), h("mark", { class: it.severity, title: it.message }, text.slice(from, to) || " "));
    done = to;
  }
  nodes.push(text.slice(done));
  return h("pre", { class: "marked mono", tabindex: 0, "aria-label": "The document with the findings underlined" }, nodes);
}

const input = (name, label, value, more = {}) => h("label", {}, label, h("input", { name, value, spellcheck: "false", ...more }));
const exponent = (number) => (number === 0 ? "0" : Math.abs(number) >= 1e-3 && Math.abs(number) < 1e6 ? String(Number(number.toPrecision(9))) : number.toExponential(5));

export async function plan() {
  const out = h("div", { "aria-live": "polite", id: "packings" });
  const form = h("form", { class: "form", onsubmit: (event) => { event.preventDefault(); make(); } },
    h("label", {}, "Data type of the array", h("select", { name: "data_type" }, ["float32", "float64", "float16"].map((it) => h("option", {}, it)))),
    input("least", "Least value", "200", { inputmode: "decimal" }), input("greatest", "Greatest value", "330", { inputmode: "decimal" }), input("max_error", "Largest error allowed", "0.005", { inputmode: "decimal" }),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "nan", checked: true }), "NaN must survive"), h("button", {}, "Plan"));
  const make = async () => {
    try {
      const engine = await exactum();
      const wish = Object.fromEntries(new FormData(form));
      wish.nan = form.nan.checked;
      const { packings } = engine.plan(wish);
      const detail = h("div");
      const show = (packing) => {
        const proof = engine.prove(packing.document, wish.least, wish.greatest);
        detail.replaceChildren(h("h2", {}, `${wish.data_type} as ${packing.target}`),
          h("p", {}, h("span", { class: `tag ${proof.verdict === "proved" ? "must" : "ruling"}` }, proof.verdict), ` Every value from ${wish.least} to ${wish.greatest} is read back within ${exponent(proof.largest_error)}`, proof.codes ? `, as the codes ${proof.codes[0]} to ${proof.codes[1]}.` : "."),
          picture(proof, Number(wish.max_error)),
          ...recipes((library) => engine.recipe(wish, packing.target, library)),
          h("h3", {}, "The document"), h("pre", { tabindex: 0 }, h("code", {}, packing.document)));
        for (const row of rows) row.setAttribute("aria-pressed", String(row.dataset.target === packing.target));
      };
      const rows = packings.map((it) => h("button", { class: "plain", type: "button", "data-target": it.target, onclick: () => show(it) }, it.target));
      out.replaceChildren(h("div", { class: "scroll free", tabindex: 0, role: "region", "aria-label": "Packings" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Stored as"), h("th", { scope: "col", class: "n" }, "Bytes per value"), h("th", { scope: "col", class: "n" }, "Largest error (proved)"))),
        h("tbody", {}, packings.map((it, place) => h("tr", {}, h("td", {}, rows[place]), h("td", { class: "n" }, it.bytes), h("td", { class: "n" }, exponent(it.largest_error))))))), detail);
      show(packings[0]);
    } catch (error) { out.replaceChildren(failed(error)); }
  };
  make();
  return { title: "Plan and prove", nodes: [h("h1", {}, "Plan and prove"), h("p", { class: "lead" }, "Enter the range of your values and the largest error that you can accept. Each packing below is proved for every value of the range, not only for samples. The smallest packing comes first."), form, out] };
}

/** The program that writes an array with a packing, for the chosen library. */
function recipes(recipe) {
  const program = h("div", { id: "recipe", "aria-live": "polite" });
  const select = h("select", { id: "library", onchange: () => show() }, ["zarr-python", "xarray", "zarrs", "tensorstore", "gdal"].map((it) => h("option", {}, it)));
  const show = () => {
    const { program: text, lacks } = recipe(select.value);
    program.replaceChildren(text ? h("pre", { tabindex: 0, "aria-label": `A program for ${select.value}` }, h("code", {}, text)) : h("p", {}, `${select.value} cannot store this packing: ${lacks}.`));
  };
  show();
  return [h("h3", {}, "A program that writes the array, reads it back and compares"), h("label", {}, "Library ", select), program];
}

/** A chart of the error over the range. */
function picture(proof, allowed) {
  const [wide, high, left, bottom, top] = [860, 260, 76, 34, 14];
  const points = proof.drawn;
  if (points.length < 2) return null;
  const most = Math.max(allowed, proof.largest_error ?? 0, ...points.map(([, error]) => Math.abs(error))) * 1.12 || 1;
  const [first, last] = [points[0][0], points.at(-1)[0]];
  const x = (value) => left + ((value - first) / (last - first || 1)) * (wide - left - 14);
  const y = (error) => top + ((most - error) / (2 * most)) * (high - top - bottom);
  const label = (at, words, anchor = "end", dx = -8, dy = 4) => h("text", { x: at[0] + dx, y: at[1] + dy, "text-anchor": anchor }, words);
  return h("svg", { class: "plot", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `The error of ${points.length} values of the range; the largest proved error is ${exponent(proof.largest_error)}, and ${allowed} is allowed` },
    h("line", { class: "axis", x1: left, x2: wide - 14, y1: y(0), y2: y(0) }),
    [allowed, -allowed].map((it) => h("line", { class: "bound", x1: left, x2: wide - 14, y1: y(it), y2: y(it) })),
    h("polyline", { class: "error", points: points.map(([value, error]) => `${x(value).toFixed(1)},${y(error).toFixed(1)}`).join(" ") }),
    label([left, y(allowed)], `+${allowed}`), label([left, y(0)], "0"), label([left, y(-allowed)], `−${allowed}`),
    label([left, high - bottom], String(Number(first.toPrecision(7))), "start", 0, 24), label([wide - 14, high - bottom], String(Number(last.toPrecision(7))), "end", 0, 24), label([(left + wide) / 2, high - bottom], "value, and the error of that value after it is read back", "middle", 0, 24));
}

export async function tryValues() {
  const text = h("textarea", { id: "text", spellcheck: "false", "aria-label": "The array document", style: "min-height:20rem" });
  text.value = PACKED;
  const values = h("input", { id: "values", value: "281.37 273.155 NaN 1e9 -0.0", spellcheck: "false" });
  const out = h("div", { "aria-live": "polite", id: "trials" });
  const make = async () => {
    try {
      const { tryValues } = await exactum();
      const { values: trials } = tryValues(text.value, values.value.split(/[\s,]+/).filter(Boolean));
      out.replaceChildren(...trials.map((it) => {
        if (it.error) return h("div", { class: "card wrong" }, h("h3", {}, it.written), h("p", {}, it.error));
        const refusal = it.rejected ?? it.not_read;
        const rows = [...it.steps, ...(it.back ? [it.back] : [])];
        return h("div", { class: `card ${refusal ? "wrong" : ""}` }, h("h3", {}, it.written),
          h("div", { class: "scroll free", tabindex: 0, role: "region", "aria-label": `Steps of ${it.written}` }, h("table", {}, h("thead", {}, h("tr", {}, ["After", "Data type"].map((it) => h("th", { scope: "col" }, it)), ["Value", "Bits", "Exact value"].map((it) => h("th", { scope: "col", class: "n" }, it)))),
            h("tbody", {}, rows.map((step) => h("tr", {}, h("td", {}, step.codec), h("td", {}, h("code", {}, step.data_type)), h("td", { class: "n" }, step.value), h("td", { class: "n mono" }, step.bits), h("td", { class: "n" }, step.exact)))))),
          refusal ? h("p", { style: "margin-top:.7rem" }, `${it.rejected ? "Rejected" : "Not read back"}: ${refusal.message} `, clauseLink(refusal.clause)) : null);
      }));
    } catch (error) { out.replaceChildren(failed(error)); }
  };
  let timer;
  for (const field of [text, values]) field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(make, 250); });
  make();
  return { title: "Try", nodes: [h("h1", {}, "Try"), h("p", { class: "lead" }, "Send values through the codecs of an array, one codec at a time, and see the result of each step: the value, its bits, and every digit of the number that the bits represent."),
    h("p", {}, h("label", { style: "display:grid;gap:.25rem" }, h("span", { class: "quiet small" }, "Values, or bit patterns in hexadecimal"), values)), h("div", { class: "two" }, text, out)] };
}
