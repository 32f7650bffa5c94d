// The pages that only show data.
import { data, h } from "./site.js";

const ROWS = {
  bitround: "Elements rounded to fewer bits", bytes: "Elements written one after another", cast_value: "Every element cast to another data type", cf: "Packing attributes of the CF conventions",
  chain: "Array documents and chunks through all codecs", data_type: "Data types and their values", downsample: "Reduced views of arrays",
  fill_value: "Fill values read and written", packbits: "Elements packed into bits", scale_offset: "Elements scaled and shifted",
  sds: "Scaled data sets of SOI TN 94-115", zfp: "Compression of floats by zfp",
};
const SECTIONS = {
  fault: ["Faults", "A sentence of the text requires different behaviour."],
  "own-words": ["Faults by its own documentation", "The library does not claim to implement the text that the vectors test, but its behaviour contradicts its own documentation."],
  unsupported: ["Not supported", "The library states that it does not support a feature, or that it supports it only in part."],
  reading: ["Other readings", "The text leaves a question open, or leaves the behaviour to the implementation. A difference is not a fault."],
  "other-text": ["Measured against a text that it does not claim to implement", "The library never claimed to implement this text, so none of these differences is a fault. They matter to users who move data between libraries."],
};

const count = (number, noun, plural = `${noun}s`) => `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
const clauseLink = (id) => h("a", { href: `#/clause/${id}` }, h("code", {}, id));
const outside = (href, text) => h("a", { href, rel: "noopener" }, text);
const crumb = (...parts) => h("p", { class: "crumb" }, h("a", { href: "#/" }, "Overview"), parts.map((part) => [" / ", part]));
/** Text in which words between backticks are shown as code. */
export const rich = (text) => text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));
const html = (text, name = "prose") => { const node = h("div", { class: name }); node.innerHTML = text; fix(node); return node; };
/** Redirects links to other documents of the checkout to the pages of these documents. */
function fix(node) {
  for (const link of node.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href");
    const guide = /^(?:\.\/)?([a-z-]+)\.md(#.*)?$/.exec(href);
    if (/(^|\/)rulings\.md/.test(href)) link.href = "#/rulings";
    else if (guide) link.href = `#/guide/${guide[1]}`;
    else if (!/^(https?:|#)/.test(href)) link.replaceWith(...link.childNodes);
  }
  for (const table of node.querySelectorAll("table")) { table.tabIndex = 0; }
}
/** The share of checks that are passed; it is 100 only if all of them are. */
function share([passed, asked]) {
  if (passed === asked) return "100";
  return (Math.min(Math.floor((passed / asked) * 1000) / 10, 99.9)).toFixed(1);
}
function grade(it) {
  if (!it || !it[1]) return it && it[3] ? ["reading", "?", "tested only on open questions"] : it && it[4] ? ["other", "○", "measured against a text that it does not claim to implement"] : ["none", "–", "not tested"];
  const part = it[0] / it[1];
  return it[0] === it[1] ? ["all", "✓", "passes all"] : part >= 0.98 ? ["most", "≈", "passes almost all"] : part >= 0.8 ? ["some", "!", "passes most"] : ["few", "✗", "fails many"];
}
function cell(name, row, it, claims) {
  const unclaimed = it && claims && !(row in claims);
  const [kind, sign, words] = unclaimed ? ["other", "○", "measured against a text that it does not claim to implement"] : grade(it);
  if (!it || kind === "none") return h("td", { class: "none" }, h("span", { title: words }, "–"));
  const label = `${name}, ${row}: ${words}` + (it[1] ? `, ${it[0]} of ${it[1]} checks` : "") + (it[3] ? `; ${count(it[3], "case")} read differently` : "") + (it[4] ? `; ${count(it[4], "case")} by a text that it does not claim to implement` : "");
  return h("td", { class: kind }, h("a", { href: `#/implementation/${name}`, title: label }, h("span", { class: "hidden" }, `${label}; `),
    h("span", { class: "sign", "aria-hidden": "true" }, sign), it[1] ? share(it) : "", it[3] && !unclaimed ? h("span", { class: "extra", "aria-hidden": "true" }, "?") : null));
}
const LEGEND = () => h("ul", { class: "legend", "aria-label": "Legend" },
  [["all", "✓ 100", "all checks passed"], ["most", "≈ 99.1", "98 % or more"], ["some", "! 85.0", "80 % or more"], ["few", "✗ 41.5", "less than 80 %"], ["reading", "? ", "differs where the text leaves a choice"], ["other", "○ 60.2", "a text that it does not claim to implement"], ["none", "–", "not tested"]]
    .map(([kind, sign, words]) => h("li", {}, h("span", { class: `cell ${kind}` }, sign), words)));

const total = (it) => Object.entries(it.rows).reduce(([passed, asked], [row, standing]) => (it.claims && !(row in it.claims) ? [passed, asked] : [passed + standing[0], asked + standing[1]]), [0, 0]);

export async function overview(_, all) {
  const rows = all.rows;
  const state = { words: "", language: "", sort: "breadth" };
  const body = h("tbody");
  const languages = [...new Set(all.implementations.map((it) => it.language))].sort();
  const fill = () => {
    const value = (it) => {
      if (state.sort === "name") return 0;
      if (state.sort === "breadth") return total(it)[1];
      const standing = state.sort === "share" ? total(it) : it.rows[state.sort] ?? [0, 0];
      return standing[1] ? standing[0] / standing[1] : -1;
    };
    const size = (it) => (["share", "breadth", "name"].includes(state.sort) ? (state.sort === "name" ? 0 : total(it)[1]) : it.rows[state.sort]?.[1] ?? 0);
    const shown = all.implementations
      .filter((it) => `${it.name} ${it.version}`.toLowerCase().includes(state.words) && (!state.language || it.language === state.language))
      .sort((a, b) => value(b) - value(a) || size(b) - size(a) || a.name.localeCompare(b.name));
    body.replaceChildren(...shown.map((it) => h("tr", {},
      h("th", { scope: "row" }, h("a", { href: `#/implementation/${it.name}` }, it.name), h("small", {}, `${it.version} · ${it.language}`)),
      h("td", { class: "n" }, h("span", {}, total(it)[1] ? `${share(total(it))} %` : "–")),
      h("td", { class: "n" }, h("span", {}, it.causes.fault ? String(it.causes.fault) : "–")),
      rows.map((row) => cell(it.name, row.id, it.rows[row.id], it.claims)))));
    status.textContent = count(shown.length, "implementation");
    for (const heading of head.querySelectorAll("th[data-sort]")) heading.setAttribute("aria-sort", heading.dataset.sort === state.sort ? (state.sort === "name" ? "ascending" : "descending") : "none");
  };
  const sorter = (key, ...text) => h("th", { scope: "col", "data-sort": key }, h("button", { type: "button", onclick: () => { state.sort = key; fill(); }, title: `Sort by ${key}` }, ...text));
  const head = h("thead", {}, h("tr", {}, sorter("name", "Implementation"), sorter("share", "Claimed"), h("th", { scope: "col", title: "The number of causes of faults" }, "Faults"),
    rows.map((row) => sorter(row.id, row.id))));
  const status = h("span", { class: "quiet", role: "status" });
  fill();
  return {
    title: "", nodes: [
      h("h1", {}, "Which libraries get every number right"),
      h("p", { class: "lead" }, "Zarr codecs change the numbers of an array: they cast, scale, pack and compress them. Exactum states what each number must become, sentence by sentence, and tests every implementation that it can find. These pages show the results, down to the bit, with programs that reproduce them."),
      factList(all),
      h("div", { class: "controls" },
        h("label", {}, "Filter", h("input", { type: "search", id: "filter", oninput: (event) => { state.words = event.target.value.toLowerCase(); fill(); } })),
        h("label", {}, "Language", h("select", { id: "language", onchange: (event) => { state.language = event.target.value; fill(); } }, h("option", { value: "" }, "all"), languages.map((it) => h("option", {}, it)))), status),
      h("div", { class: "scroll grid", tabindex: 0, role: "region", "aria-label": "Implementations by row" }, h("table", {}, head, body)),
      LEGEND(),
      h("p", { class: "small quiet text", style: "margin-top:.9rem" }, "The implementations with the most checks come first; click a heading to sort by its column. “Claimed” is the share of passed checks in all rows whose texts the library claims to implement, and “Faults” counts causes, not cases. A check is one case together with one clause that the case cites, provided that a sentence of the text decides it. Differences from a ruling or from optional behaviour are not counted, and neither are texts that the library does not claim to implement."),
      h("h2", {}, "Rows and the texts they follow"),
      h("div", { class: "scroll free", tabindex: 0, role: "region", "aria-label": "Rows" }, h("table", {},
        h("thead", {}, h("tr", {}, ["Row", "What it is", "Clauses", "Cases", "Text"].map((it, place) => h("th", { scope: "col", class: place === 2 || place === 3 ? "n" : null }, it)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#/row/${row.id}` }, row.id)), h("td", {}, ROWS[row.id] ?? ""), h("td", { class: "n" }, row.clauses), h("td", { class: "n" }, row.cases.toLocaleString("en")),
          h("td", { class: "small" }, (row.upstream ?? []).slice(0, 3).map((it) => h("div", {}, upstream(it)))))))))
    ],
  };
}
const factList = (all) => h("ul", { class: "facts" }, [[all.implementations.length, "implementations"], [all.clauses, "clauses"], [all.cases.toLocaleString("en"), "cases"], [all.suite, "version of the vectors"], [all.date || "–", "date"]].map(([value, name]) => h("li", {}, h("b", {}, String(value)), ` ${name}`)));
const upstream = (text) => {
  const [repository, commit] = text.split("@");
  return commit && repository.includes("/") && /^[0-9a-f]{40}$/.test(commit) ? [outside(`https://github.com/${repository}/tree/${commit}`, repository), " at ", h("code", {}, commit.slice(0, 8))] : text;
};

const level = (clause) => h("span", { class: `tag ${clause.level}` }, clause.level === "ruling" ? `ruling R${clause.ruling}` : clause.level);

export async function row([id], all) {
  const page = await data(`row/${id}`);
  const standings = all.implementations.filter((it) => it.rows[id]).sort((a, b) => (b.rows[id][0] / b.rows[id][1] || -1) - (a.rows[id][0] / a.rows[id][1] || -1));
  return {
    title: id, nodes: [crumb(id), h("h1", {}, id), h("p", { class: "lead" }, `${ROWS[id] ?? ""}.`),
      h("p", { class: "small quiet" }, "Based on ", (page.upstream ?? []).map((it, place) => [place ? ", " : "", upstream(it)])),
      h("h2", {}, "Who implements it"),
      h("ul", { class: "tally" }, standings.map((it) => { const [kind, sign] = it.claims && !(id in it.claims) ? ["other", "○"] : grade(it.rows[id]); return h("li", {}, h("a", { class: kind, href: `#/implementation/${it.name}` }, h("span", { class: "sign", "aria-hidden": "true" }, sign), `${it.name} `, it.rows[id][1] ? share(it.rows[id]) : "")); })), LEGEND(),
      h("h2", {}, count(page.clauses.length, "clause")),
      h("div", { class: "scroll free", tabindex: 0, role: "region", "aria-label": "Clauses" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Clause"), h("th", { scope: "col" }, "Level"), h("th", { scope: "col", class: "n" }, "Cases"), h("th", { scope: "col", class: "n" }, "Pass"), h("th", { scope: "col", class: "n" }, "Differ"))),
        h("tbody", {}, page.clauses.map((clause) => { const who = Object.values(clause.standing); const pass = who.filter((it) => Object.keys(it).every((key) => key === "pass" || key.startsWith("observed"))).length;
          return h("tr", {}, h("td", {}, clauseLink(clause.id), h("div", { class: "small quiet" }, rich(clause.text.length > 150 ? `${clause.text.slice(0, 150)} …` : clause.text))), h("td", {}, level(clause)), h("td", { class: "n" }, clause.cases.toLocaleString("en")), h("td", { class: "n" }, pass), h("td", { class: "n" }, who.length - pass)); }))))],
  };
}

export async function clause([id], all) {
  const page = await data(`row/${id.split(".")[0]}`);
  const place = page.clauses.findIndex((it) => it.id === id);
  const clause = page.clauses[place];
  if (!clause) throw new Error(`there is no clause ${id}`);
  const names = all.implementations.filter((it) => clause.standing[it.name]);
  const chips = names.map((it) => {
    const counts = clause.standing[it.name];
    const asked = Object.values(counts).reduce((sum, it) => sum + it, 0);
    const isOpen = Object.keys(counts).every((key) => key.startsWith("observed"));
    const isOther = it.claims && !(page.id in it.claims);
    const [kind, sign] = isOpen ? ["reading", "?"] : isOther ? ["other", "○"] : clause.level === "must" ? grade([counts.pass ?? 0, asked]) : (counts.pass ?? 0) === asked ? ["all", "✓"] : ["reading", "?"];
    return h("li", {}, h("a", { class: kind, href: `#/implementation/${it.name}`, title: Object.entries(counts).map(([key, value]) => `${value} ${key}`).join(", ") }, h("span", { class: "sign", "aria-hidden": "true" }, sign), `${it.name} `, isOpen ? "open" : `${counts.pass ?? 0}/${asked}`));
  });
  const next = [page.clauses[place - 1], page.clauses[place + 1]];
  return {
    title: id, nodes: [crumb(h("a", { href: `#/row/${page.id}` }, page.id)), h("h1", {}, id.split(".").map((part, place) => (place ? [".", h("wbr"), part] : part))),
      h("p", {}, level(clause), " ", clause.document ? h("span", { class: "tag may" }, "document") : null),
      h("p", { class: "lead" }, rich(clause.text)),
      clause.quote ? h("blockquote", {}, clause.quote) : null,
      h("p", { class: "small quiet" }, `Upstream: ${clause.upstream}. `, (page.upstream ?? []).slice(0, 1).map(upstream), clause.ruling ? [". ", h("a", { href: `#/ruling/${clause.ruling}` }, `Why: ruling R${clause.ruling}`)] : null),
      clause.uncovered ? h("p", { class: "small" }, `No vector covers this clause: ${clause.uncovered}`) : null,
      h("h2", {}, "Who follows this clause"), h("p", { class: "quiet small" }, `${clause.cases === 1 ? "1 case cites" : `${count(clause.cases, "case")} cite`} this clause. The figures show how many cases each implementation passed, and how many it was given.`), names.length ? h("ul", { class: "tally" }, chips) : h("p", {}, "No implementation has been tested."), LEGEND(),
      clause.examples.length ? [h("h2", {}, "Worked examples"), clause.examples.map((it) => example(it))] : null,
      clause.causes.length ? [h("h2", {}, "Causes of failure"), clause.causes.map((it) => cause(it, true))] : null,
      h("p", { class: "controls", style: "margin-top:2rem" }, next.map((it, place) => it && h("a", { href: `#/clause/${it.id}` }, place ? `${it.id} →` : `← ${it.id}`)))],
  };
}

/** A case with all implementations that fail it, a group of cases, or the groups in a file of the vectors. */
export async function caseOf([row, topic, name, id]) {
  const file = await data(`cases/${row}/${topic}`);
  const path = `${row}/${topic}`;
  const crumbs = [h("a", { href: `#/row/${row}` }, row), h("a", { href: `#/case/${path}` }, topic)];
  const failing = (it) => new Set(it.failed.map((one) => one.implementation)).size;
  const list = (headings, lines) => h("div", { class: "scroll free", tabindex: 0, role: "region", "aria-label": headings[0] }, h("table", {},
    h("thead", {}, h("tr", {}, headings.map((it, place) => h("th", { scope: "col", class: place ? "n" : null }, it)))),
    h("tbody", {}, lines.map(([to, text, note, ...cells]) => h("tr", {}, h("td", {}, h("a", { href: `#/case/${to}` }, h("code", {}, text)), note ? h("div", { class: "small quiet" }, note) : null), cells.map((it) => h("td", { class: "n" }, it)))))));
  if (!name) {
    return { title: path, nodes: [crumb(...crumbs), h("h1", {}, path), h("p", { class: "small quiet" }, "Based on ", upstream(file.upstream)),
      list(["Group", "Level", "Cases", "Cases with failures"], file.groups.map((it) => [it.id, it.id.split("/")[2], null, it.level, it.cases.length, it.cases.filter(failing).length]))] };
  }
  const group = file.groups.find((it) => it.id === `${path}/${name}`);
  if (!group) throw new Error(`there are no cases ${path}/${name}`);
  if (id === undefined) {
    return { title: group.id, nodes: [crumb(...crumbs), h("h1", {}, group.id), h("p", { class: "small quiet" }, `${count(group.cases.length, "case")} at level ${group.level}`),
      list(["Case", "Implementations that fail"], group.cases.map((it) => [`${group.id}/${it.id}`, it.id, it.example.note, failing(it) || "–"]))] };
  }
  const place = group.cases.findIndex((it) => it.id === id);
  const one = group.cases[place];
  if (!one) throw new Error(`there is no case ${group.id}/${id}`);
  const { clauses } = await data(`row/${row}`);
  const cited = (one.example.clauses ?? []).map((it) => [it, clauses.find((clause) => clause.id === it)]);
  const next = [group.cases[place - 1], group.cases[place + 1]];
  return { title: `${group.id}/${id}`, nodes: [crumb(...crumbs, h("a", { href: `#/case/${group.id}` }, name)), h("h1", {}, `${group.id}/${id}`),
    cited.map(([it, clause]) => h("p", {}, clause ? [level(clause), " "] : null, clauseLink(it), clause ? [": ", rich(clause.text)] : null)),
    h("h2", {}, "The request and the expected answer"), example(one.example),
    h("p", { class: "small quiet" }, "To show this case in a terminal: ", h("code", {}, `exactum explain ${group.id}/${id}`)),
    h("h2", {}, one.failed.length ? `${count(failing(one), "implementation")} failed it` : "No implementation failed it"),
    h("p", { class: "small quiet" }, "An implementation that is not listed passed the case, gave an answer where every answer is right, or does not support what the case requires."),
    one.failed.map((it) => h("article", { class: "card" }, h("h3", {}, h("a", { href: `#/implementation/${it.implementation}/${it.cause ?? ""}` }, it.implementation), ": ", it.fault ?? it.verdict),
      h("p", { class: "small quiet" }, it.verdict, it.section ? ` · ${SECTIONS[it.section][0].toLowerCase()}` : ""), example(it.example))),
    h("p", { class: "controls", style: "margin-top:2rem" }, next.map((it, place) => it && h("a", { href: `#/case/${group.id}/${it.id}` }, place ? `${it.id} →` : `← ${it.id}`)))] };
}

/** A case in numbers and bits: the request, the expected answer and the actual answer. */
export function example(it) {
  const names = { op: "operation", data_type: "data type", configuration: "configuration" };
  const members = Object.entries(it.request ?? {});
  const columns = [["input", it.input], ["expected", it.expected?.elements ? it.expected : null], ["got", it.got?.elements ? it.got : null]].filter(([, column]) => column);
  const got = Array.isArray(it.got) ? new Map(it.got) : null;
  if (got) columns.push(["got", { elements: null, at: got }]);
  const from = it.input?.from ?? it.expected?.from ?? 0;
  const rows = Math.max(0, ...columns.map(([, column]) => column.elements?.length ?? 0));
  const show = (element) => (element ? [element[0], element[1] ? h("span", { class: "bits" }, element[1]) : null] : "");
  const isOneAnswer = got && !it.each;
  const value = (column, index) => (column.elements ? column.elements[index] : it.each ? column.at.get(from + index) : null);
  const differs = (index) => it.got && (it.each ? got?.has(from + index) : it.got.elements && it.expected?.elements && it.got.elements[index]?.[1] !== it.expected.elements[index]?.[1]);
  const shownColumns = columns.filter(([, column]) => column.elements || it.each);
  return h("div", { class: "example" },
    it.case && h("div", { class: "case" }, h("a", { href: `#/case/${it.case}` }, h("code", {}, it.case)), it.note ? ` · ${it.note}` : ""),
    h("dl", { class: "request" }, members.map(([key, text]) => [h("dt", {}, names[key] ?? key), h("dd", {}, h("code", {}, text))]),
      it.expected?.reject ? [h("dt", {}, "expected"), h("dd", {}, "a rejection: ", h("code", {}, it.expected.reject))] : null,
      it.expected?.json ? [h("dt", {}, "expected"), h("dd", {}, h("code", {}, it.expected.json))] : null,
      isOneAnswer ? [h("dt", {}, "got"), h("dd", {}, [...got.values()].map((answer) => h("code", {}, answer.filter(Boolean).join(" "))))] : null),
    rows ? h("div", { class: "scroll free", tabindex: 0, role: "region", "aria-label": `Elements of ${it.case ?? "the answer"}` }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "n" }, "#"), shownColumns.map(([name, column]) => h("th", { scope: "col", class: "value" }, name, column.data_type ? ` (${column.data_type})` : "")))),
      h("tbody", {}, Array.from({ length: rows }, (_, index) => h("tr", { class: differs(index) ? "wrong" : null }, h("td", { class: "n quiet" }, from + index), shownColumns.map(([name, column]) => h("td", { class: "value" }, name === "expected" && !column.elements[index] ? "" : show(value(column, index))))))))) : null,
    (it.input?.count ?? 0) > from + rows && rows ? h("p", { class: "small quiet" }, `${count(it.input.count, "element")} in total`) : null,
    it.derivation ? derivation(it.derivation) : null);
}

/** The derivation of one element's expected value, step by step. */
function derivation({ element, steps }) {
  const linked = (text) => text.split(/\(([a-z_]+(?:\.[a-z-]+)+)\)/).map((part, place) => (place % 2 ? ["(", clauseLink(part), ")"] : part));
  return h("details", { class: "derivation" }, h("summary", {}, `How the result of element ${element} is derived`),
    steps.map(([title, facts]) => [h("p", { class: "small" }, h("b", {}, title)), h("dl", { class: "request" }, facts.map(([name, fact]) => [h("dt", {}, name), h("dd", {}, linked(fact))]))]));
}

function cause(it, withName) {
  const kind = { fault: it.severity === "wrong value" || it.severity === "crash" ? "wrong" : "refuses", "own-words": "wrong", unsupported: "refuses", reading: "differs", "other-text": "apart" }[it.section];
  const repeat = `exactum explain ${it.example?.case ?? ""} --implementation ${it.implementation}`;
  const known = it.reported === false ? "Not reported: Exactum has not reported this fault and does not know of any report." : it.reported ? outside(it.reported, "Reported upstream") : null;
  return h("article", { class: `card ${kind}`, id: withName ? null : it.id, tabindex: -1 },
    h("h3", {}, withName ? [h("a", { href: `#/implementation/${it.implementation}/${it.id}` }, it.implementation), ": "] : null, it.fault),
    h("p", { class: "small quiet" }, `${it.severity ?? ""} · ${count(it.cases, "case")}`, it.must && it.must !== it.cases ? `, ${it.must} at level must` : "", withName ? ` · ${SECTIONS[it.section][0].toLowerCase()}` : "", withName ? null : [" · ", it.clauses.map((id, place) => [place ? ", " : "", clauseLink(id)])]),
    it.reason ? h("p", {}, rich(it.reason)) : null,
    it.seen ? h("p", { class: "small quiet" }, it.seen.first === it.seen.last ? `Seen in version ${it.seen.first}` : `Seen in versions ${it.seen.first} to ${it.seen.last}`, ".") : null,
    it.machine ? h("p", { class: "small" }, `Seen with ${it.machine}.`) : null,
    h("p", { class: "small" }, [known, it.ruling ? h("a", { href: `#/ruling/${it.ruling}` }, `Ruling R${it.ruling}`) : null, it.decision ? outside(it.decision, "Its authors keep this behaviour") : null, it.promise ? outside(it.promise, "Its documentation") : null, it.link?.startsWith("https://") ? outside(it.link, "Source") : null, withName ? null : h("a", { href: `#/implementation/${it.implementation}/${it.id}` }, "Link to this cause")].filter(Boolean).map((part, place) => [place ? " · " : "", part])),
    it.example ? h("details", { open: !withName && it.section === "fault" && it.severity === "wrong value" }, h("summary", {}, "One case in numbers and bits"), example(it.example), h("p", { class: "small quiet" }, "To repeat this case: ", h("code", {}, repeat))) : null,
    it.program ? h("details", {}, h("summary", {}, `The program that shows the fault: ${it.program.path}`), h("pre", { tabindex: 0 }, h("code", {}, it.program.text))) : null);
}

export async function implementation([name, anchor], all) {
  const page = await data(`implementation/${name}`);
  const languages = Object.entries(page.rows);
  const verdicts = Object.entries(page.verdicts).sort(([, a], [, b]) => b - a);
  const offers = page.arrays ? [["Codecs", page.arrays.codecs], ["Data types", page.arrays.data_types]].filter(([, list]) => list?.length) : [];
  const sections = Object.entries(SECTIONS).map(([id, [title, about]]) => [id, title, about, page.causes.filter((it) => it.section === id)]).filter(([, , , list]) => list.length);
  const address = new URL(`badge/${name}/`, location.href.split("#")[0]).href;
  return {
    title: name, anchor, nodes: [crumb(name), h("h1", {}, name),
      h("ul", { class: "facts" }, h("li", {}, "version ", h("b", {}, page.version), page.versions?.length > 1 ? ` (judged: ${page.versions.join(", ")})` : ""), h("li", {}, "language ", h("b", {}, page.language)), verdicts.map(([verdict, number]) => h("li", {}, h("b", {}, number.toLocaleString("en")), ` ${verdict}`))),
      h("ul", { class: "tally" }, languages.map(([row, it]) => { const isOther = page.claims && !(row in page.claims); const [kind, sign] = isOther ? ["other", "○"] : grade(it); return h("li", {}, h("a", { class: kind, href: `#/row/${row}` }, h("span", { class: "sign", "aria-hidden": "true" }, sign), `${row} `, it[1] ? share(it) : "")); })), LEGEND(),
      h("h2", {}, "What it offers"),
      page.claims && Object.keys(page.claims).length ? h("p", {}, "It claims to implement the texts of ", Object.entries(page.claims).map(([row, link], place) => [place ? ", " : "", outside(link, row)]), ".") : h("p", {}, "It does not claim to implement any of the texts that the vectors test."),
      offers.map(([title, list]) => h("p", { class: "small" }, h("b", {}, `${title}: `), list.map((it, place) => [place ? " " : "", h("code", {}, typeof it === "string" ? it : JSON.stringify(it))]))),
      sections.map(([id, title, about, list]) => [h("h2", { id: `section-${id}` }, `${title} (${list.length})`), h("p", { class: "quiet small text" }, about),
        id === "fault" ? list.map((it) => cause(it, false)) : h("details", { open: list.length < 6 || list.some((it) => it.id === anchor) }, h("summary", {}, `Show ${count(list.length, "cause")}`), list.map((it) => cause(it, false)))]),
      sections.length ? null : h("p", {}, "No case fails."),
      page.gone.length ? [h("h2", { id: "gone" }, `No longer seen (${page.gone.length})`), h("p", { class: "quiet small text" }, `Faults and other differences of earlier versions that version ${page.version} no longer shows.`),
        h("ul", { class: "list small" }, page.gone.map((it) => h("li", {}, it.fault, h("span", { class: "quiet" }, ` · last seen in ${it.last}`))))] : null,
      h("h2", {}, "Badges"), h("p", { class: "small" }, languages.map(([row]) => [h("img", { src: `badge/${name}/${row}.svg`, alt: `exactum ${row}`, loading: "lazy", height: 20 }), " "])), h("pre", { tabindex: 0 }, h("code", {}, `[![exactum](${address}${languages[0]?.[0] ?? "bytes"}.svg)](${location.href.split("#")[0]}#/implementation/${name})`))],
  };
}

const CORE = ["bytes", "packbits", "zfp", "sharding_indexed", "cast_value", "scale_offset", "transpose", "reshape", "bitround", "gzip", "zstd", "blosc", "crc32c"];
const TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "int4", "uint4", "float8_e4m3", "float8_e5m2"];
/** Whether an implementation reads an array with these codecs and data types: [verdict, text, causes]. */
export function reads(one, codecs, types) {
  if (!one.arrays) return ["apart", "does not read Zarr arrays", []];
  const lacks = (key, wanted) => (one.arrays[key] ? wanted.filter((it) => !one.arrays[key].includes(it)) : []);
  const missing = [...lacks("codecs", codecs), ...lacks("data_types", types)];
  if (missing.length) return ["refuses", `lacks ${missing.join(", ")}`, []];
  const concerns = one.causes.filter((it) => ["fault", "own-words", "reading", "unsupported"].includes(it.section)
    && (codecs.includes(it.rows[0]) || it.codecs.some((codec) => codecs.includes(codec)) || it.rows.includes("fill_value"))
    && (!it.data_types.length || !types.length || it.data_types.some((type) => types.includes(type)))
    && (!it.rows.some((row) => ["bitround", "cast_value", "scale_offset", "packbits", "zfp"].includes(row)) || it.rows.some((row) => codecs.includes(row))));
  const wrong = concerns.filter((it) => it.severity === "wrong value" && it.section !== "reading");
  const stops = concerns.filter((it) => it.severity === "rejected but must accept" || it.severity === "crash");
  if (wrong.length) return ["wrong", "reads other values in some cases", wrong.concat(stops)];
  if (stops.length) return ["may", "refuses in some cases", stops];
  return ["reads", "reads it", []];
}
export async function canIUse(_, all) {
  const { implementations } = await data("readers");
  const chosen = { codecs: new Set(["bytes", "cast_value"]), types: new Set(["float32", "int16"]) };
  const out = h("div");
  const offered = (key, core) => [...new Set([...core, ...implementations.flatMap((it) => it.arrays?.[key] ?? [])])].filter((it) => typeof it === "string");
  const boxes = (legend, set, list) => h("fieldset", { class: "chips" }, h("legend", {}, legend), list.map((it) => h("label", {}, h("input", { type: "checkbox", value: it, checked: set.has(it), onchange: (event) => { if (event.target.checked) set.add(it); else set.delete(it); fill(); } }), it)));
  const more = (legend, set, key, core) => { const rest = offered(key, core).filter((it) => !core.includes(it)); return [boxes(legend, set, core), rest.length ? h("details", {}, h("summary", {}, `${count(rest.length, "more")}`.replace("mores", "more")), boxes(`Further ${legend.toLowerCase()}`, set, rest)) : null]; };
  const forms = h("div");
  const drawForms = () => forms.replaceChildren(...[more("Codecs", chosen.codecs, "codecs", CORE), more("Data types of the array and of the stored elements", chosen.types, "data_types", TYPES)].flat(9).filter(Boolean));
  const order = ["reads", "may", "wrong", "refuses"];
  const words = { reads: ["all", "✓", "Reads it"], may: ["some", "!", "Refuses in some cases"], wrong: ["few", "✗", "Reads other values in some cases"], refuses: ["none", "–", "Refuses"] };
  const fill = () => {
    const judged = implementations.map((one) => [one, ...reads(one, [...chosen.codecs], [...chosen.types])]).filter(([, verdict]) => verdict !== "apart").sort(([, a], [, b]) => order.indexOf(a) - order.indexOf(b));
    out.replaceChildren(...order.flatMap((verdict) => { const those = judged.filter(([, it]) => it === verdict); if (!those.length) return []; const [kind, sign, title] = words[verdict];
      return [h("h2", {}, h("span", { class: `verdict ${kind}`, style: "margin:0" }, `${sign} ${title}`), ` ${those.length}`), those.map(([one, , detail, causes]) => h("div", { class: "card" }, h("h3", {}, h("a", { href: `#/implementation/${one.name}` }, one.name), " ", h("span", { class: "quiet small" }, one.version)), verdict === "refuses" ? h("p", { class: "small" }, detail) : null, causes.length ? h("ul", { class: "list small" }, causes.slice(0, 6).map((it) => h("li", {}, h("a", { href: `#/implementation/${one.name}/${it.id}` }, it.fault), h("span", { class: "quiet" }, ` · ${it.severity}`)))) : null, causes.length > 6 ? h("p", { class: "small quiet" }, `and ${causes.length - 6} more`) : null))].flat(); }));
  };
  const note = h("p", { class: "small", role: "status" });
  const take = async (file) => {
    try {
      const document_ = JSON.parse(await file.text());
      chosen.codecs = new Set(); chosen.types = new Set();
      const name = (it) => (typeof it === "string" ? it : it?.name);
      if (name(document_.data_type)) chosen.types.add(name(document_.data_type));
      const walk = (codecs) => { for (const codec of codecs ?? []) { if (name(codec)) chosen.codecs.add(name(codec)); const inner = codec?.configuration; if (name(inner?.data_type)) chosen.types.add(name(inner.data_type)); walk(inner?.codecs); walk(inner?.index_codecs); } };
      walk(document_.codecs);
      note.textContent = `${file.name}: ${[...chosen.codecs].join(", ")} over ${[...chosen.types].join(", ")}`;
      drawForms(); fill();
    } catch (error) { note.textContent = `This file cannot be read: ${error.message}`; note.className = "small error-note"; }
  };
  const drop = h("div", { class: "card", ondragover: (event) => { event.preventDefault(); drop.classList.add("drop"); }, ondragleave: () => drop.classList.remove("drop"), ondrop: (event) => { event.preventDefault(); drop.classList.remove("drop"); if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]); } },
    h("label", {}, "Drop a zarr.json here, or choose one, to use its codecs and data types: ", h("input", { type: "file", id: "document", accept: ".json,application/json", onchange: (event) => event.target.files[0] && take(event.target.files[0]) })), note);
  drawForms(); fill();
  return { title: "Can I use", nodes: [h("h1", {}, "Can I use"), h("p", { class: "lead" }, "Choose the codecs and the data types of an array to see which libraries can read it, which read other values in some cases, and which refuse it."), drop, forms, out, h("p", { class: "small quiet text" }, "The answers are derived from the committed results of cases with these codecs and data types, so they are only as good as the coverage of these cases.")] };
}

export async function interoperability() {
  const { implementations } = await data("readers");
  const codecs = ["bytes", "packbits", "zfp"];
  const state = { codec: "bytes" };
  const out = h("div");
  const side = (one, op) => { const it = one.operations[`${state.codec}.${op}`] ?? {}; return { wrong: (it["wrong value"] ?? 0), stops: (it["rejected but must accept"] ?? 0) + (it.crash ?? 0) + (it.timeout ?? 0), accepts: it["accepted but must reject"] ?? 0 }; };
  const fill = () => {
    const those = implementations.filter((one) => one.computes.includes(state.codec));
    const judge = (a, b) => { const [e, d] = [side(a, "encode"), side(b, "decode")]; const wrong = e.wrong + d.wrong; const stops = e.stops + d.stops;
      return wrong ? ["few", "✗", `${wrong} wrong`] : stops ? ["some", "!", `${stops} refused`] : ["all", "✓", ""]; };
    out.replaceChildren(h("div", { class: "scroll grid", tabindex: 0, role: "region", "aria-label": `Who encodes and who decodes ${state.codec}` }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "encodes ↓  decodes →"), those.map((it) => h("th", { scope: "col" }, it.name, h("small", {}, it.version))))),
      h("tbody", {}, those.map((a) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#/implementation/${a.name}` }, a.name)), those.map((b) => { const [kind, sign, words] = judge(a, b); return h("td", { class: kind }, h("span", { title: `${a.name} encodes, ${b.name} decodes: ${words || "they agree in every case that both were given"}` }, h("span", { class: "sign" }, sign), words)); })))))));
  };
  fill();
  return { title: "Interoperability", nodes: [h("h1", {}, "Interoperability"), h("p", { class: "lead" }, "Which library can decode what another library has encoded. A pair is right if, in every case that it was given, the first library writes the bytes that the text requires and the second decodes them to the values that they represent."),
    h("div", { class: "controls" }, h("label", {}, "Codec", h("select", { id: "codec", onchange: (event) => { state.codec = event.target.value; fill(); } }, codecs.map((it) => h("option", {}, it))))), out,
    h("ul", { class: "legend" }, [["all", "✓", "agree"], ["some", "! 4 refused", "one side refuses cases that it must accept"], ["few", "✗ 12 wrong", "one side produces different values or bytes"]].map(([kind, sign, words]) => h("li", {}, h("span", { class: `cell ${kind}` }, sign), words)))] };
}

export async function rulings([number]) {
  const { rulings: all } = await data("rulings");
  const chips = (list, kind) => list.length ? h("ul", { class: "list small" }, list.map((it) => { const [, who, words] = /^(.*?) \((.*)\)$/.exec(it) ?? [, it, ""]; return h("li", {}, h("span", { class: `tag ${kind === "open" ? "other" : kind}` }, { all: "✓ ", reading: "? ", open: "○ " }[kind], h("a", { href: `#/implementation/${who.split(" ")[0]}`, style: "color:inherit" }, who)), " ", h("span", { class: "quiet" }, rich(words))); })) : h("p", { class: "small quiet" }, "none");
  const isOpen = (it) => / \(open: /.test(it);
  const open = (clause) => clause.others.filter(isOpen);
  const otherwise = (clause) => clause.others.filter((it) => !isOpen(it));
  const state = { words: "" };
  const list = h("div");
  const fill = () => list.replaceChildren(...all.filter((it) => `r${it.number} ${it.title} ${it.html}`.toLowerCase().includes(state.words)).map((it) => h("article", { class: "card", id: `R${it.number}`, tabindex: -1 }, h("h2", { style: "margin-top:0" }, h("a", { href: `#/ruling/${it.number}` }, `R${it.number}`), ` ${it.title}`), html(it.html),
    it.clauses.filter((clause) => clause.same.length + clause.others.length).map((clause) => h("details", { open: String(it.number) === number }, h("summary", {}, h("code", {}, clause.id), ` ${clause.same.length} as ruled, ${otherwise(clause).length} differently`, open(clause).length ? `, ${open(clause).length} where it is open` : ""), h("p", { class: "small" }, rich(clause.text), " ", clauseLink(clause.id)), h("div", { class: "two" }, h("div", {}, h("h3", {}, "As ruled"), chips(clause.same, "all"), open(clause).length ? [h("h3", {}, "Answers where every answer is right"), chips(open(clause), "open")] : null), h("div", {}, h("h3", {}, "Differently"), chips(otherwise(clause), "reading"))))))));
  fill();
  return { title: number ? `Ruling R${number}` : "Open questions", anchor: number && `R${number}`, nodes: [h("h1", {}, "Open questions"), h("p", { class: "lead" }, "These are the questions that the texts leave open. Each entry lists the possible readings, the decision of Exactum and its reason, and the answer of every implementation. A difference from a ruling is never called a fault."), h("div", { class: "controls" }, h("label", {}, "Filter", h("input", { type: "search", id: "filter", oninput: (event) => { state.words = event.target.value.toLowerCase(); fill(); } })), h("span", { class: "quiet" }, count(all.length, "question"))), list] };
}

export async function evidence([part]) {
  const { parts } = await data("evidence");
  const current = parts.find((it) => it.id === part) ?? parts[0];
  return { title: "How we know", nodes: [h("h1", {}, "How we know"), h("p", { class: "lead" }, "Every clause is covered by a mutant, which is an implementation that breaks the clause on purpose and must fail, or by one document that is accepted and another that is rejected. Expected values come from exact integer arithmetic and are compared with a second oracle that uses different algorithms and packages."),
    h("ul", { class: "tally" }, parts.map((it) => h("li", {}, h("a", { class: it === current ? "all" : "other", href: `#/evidence/${it.id}`, "aria-current": it === current ? "page" : null }, it.title)))), html(current.html, "prose wide")] };
}

export async function guide([name]) {
  const { chapters } = await data("guide");
  if (!chapters.length) return { title: "Guide", nodes: [h("h1", {}, "Guide"), h("p", {}, "There are no chapters yet.")] };
  const current = chapters.find((it) => it.id === name) ?? chapters[0];
  return { title: current.title, nodes: [h("div", { class: "chapters" }, h("nav", { "aria-label": "Chapters" }, chapters.map((it) => h("a", { href: `#/guide/${it.id}`, "aria-current": it === current ? "page" : null }, it.title))), html(current.html))] };
}
