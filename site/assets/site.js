// The shell: addresses, loading the data in parts, and the search. Nothing is requested from another host.
import * as views from "./views.js";
import * as tools from "./tools.js";

/** Creates an element. Text is never interpreted as HTML. */
export function h(name, attributes = {}, ...children) {
  const node = document.createElementNS(
    ["svg", "path", "line", "text", "polyline"].includes(name) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat(9).filter((child) => child != null && child !== false));
  return node;
}

const parts = new Map();
const embedded = globalThis.exactumData ?? {};
/** Loads a part of the data, once. */
export function data(path) {
  if (embedded[path]) return Promise.resolve(embedded[path]);
  if (!parts.has(path)) {
    const part = fetch(`data/${path}.json`).then((response) => {
      if (!response.ok) throw new Error(`data/${path}.json: ${response.status}`);
      return response.json();
    });
    part.catch(() => parts.delete(path));
    parts.set(path, part);
  }
  return parts.get(path);
}

const routes = {
  "": views.overview, row: views.row, clause: views.clause, implementation: views.implementation,
  case: views.caseOf, "can-i-use": views.canIUse, interoperability: views.interoperability, rulings: views.rulings,
  ruling: views.rulings, evidence: views.evidence, guide: views.guide,
  validate: tools.validate, plan: tools.plan, try: tools.tryValues,
};

const main = document.getElementById("main");
let drawing = 0;
async function draw(isFirst) {
  const hash = location.hash;
  if (hash === "#main") return;
  const [, name = "", ...rest] = decodeURIComponent(hash.slice(1)).split("/");
  const mine = ++drawing;
  for (const link of document.querySelectorAll("#nav a")) {
    const target = link.getAttribute("href").slice(2);
    const is = target === name || (target === "rulings" && name === "ruling") || (target === "" && ["row", "clause", "implementation", "case"].includes(name));
    if (is) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  document.getElementById("nav").classList.remove("open");
  document.querySelector(".menu").setAttribute("aria-expanded", "false");
  try {
    const view = routes[name];
    if (!view) throw new Error("this page does not exist");
    const { title, nodes, anchor } = await view(rest, await data("overview"));
    if (mine !== drawing) return;
    document.title = title ? `${title} · Exactum` : "Exactum";
    main.replaceChildren(...nodes.flat(9).filter(Boolean));
    const target = anchor && document.getElementById(anchor);
    if (target) target.scrollIntoView({ behavior: "instant" }); else scrollTo({ top: 0, behavior: "instant" });
    if (!isFirst) (target ?? main).focus({ preventScroll: true });
  } catch (error) {
    if (mine !== drawing) return;
    main.replaceChildren(h("h1", {}, "Page not found"), h("p", {}, String(error.message)), h("p", {}, h("a", { href: "#/" }, "Back to the overview")));
  }
  main.dataset.drawn = hash;
}
addEventListener("hashchange", () => draw(false));

const menu = document.querySelector(".menu");
menu.addEventListener("click", () => {
  const open = document.getElementById("nav").classList.toggle("open");
  menu.setAttribute("aria-expanded", String(open));
});

// The search.
const field = document.getElementById("search");
const found = document.getElementById("found");
let chosen = -1;
function close() { found.hidden = true; field.setAttribute("aria-expanded", "false"); field.removeAttribute("aria-activedescendant"); chosen = -1; }
function choose(index) {
  const items = [...found.children];
  if (!items.length) return;
  chosen = (index + items.length) % items.length;
  items.forEach((item, place) => item.setAttribute("aria-selected", String(place === chosen)));
  field.setAttribute("aria-activedescendant", items[chosen].id);
  items[chosen].scrollIntoView({ block: "nearest" });
}
function go(item) { if (item) { location.hash = item.dataset.to; close(); field.value = ""; field.blur(); } }
/** The best entries that contain all words, ordered by kind. */
export function matches(all, words) {
  const is = (text) => words.every((word) => text.toLowerCase().includes(word));
  const few = (list, most) => list.slice(0, most);
  return [
    ...few(all.implementations.filter((it) => is(`${it.name} ${it.language}`)), 4).map((it) => [`#/implementation/${it.name}`, `${it.name} ${it.version}`, "implementation"]),
    ...few(all.rows.filter((it) => is(it.id)), 3).map((it) => [`#/row/${it.id}`, it.id, "row"]),
    ...few(all.clauses.filter(([id]) => is(id)).concat(all.clauses.filter(([id, text]) => !is(id) && is(`${id} ${text}`))), 8).map(([id, text]) => [`#/clause/${id}`, id, text]),
    ...few(all.causes.filter(([name, , fault, clauses]) => is(`${name} ${fault} ${clauses.join(" ")}`)), 8).map(([name, id, fault]) => [`#/implementation/${name}/${id}`, fault, `${name}, cause of failures`]),
    ...few(all.groups.filter(([id]) => is(id)), 6).map(([id, count, clause]) => [`#/case/${id}`, id, `${count} ${count === 1 ? "case" : "cases"} of ${clause}`]),
  ];
}
let searching = Promise.resolve();
field.addEventListener("input", () => { searching = search(); });
async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return close();
  const [index, overview] = await Promise.all([data("search"), data("overview")]);
  if (!words.join(" ") || field.value.toLowerCase().split(/\s+/).filter(Boolean).join(" ") !== words.join(" ")) return;
  const hits = matches({ ...index, implementations: overview.implementations, rows: overview.rows }, words);
  const none = h("li", { id: "hit-none", role: "option", "aria-disabled": "true" }, "No entry contains all these words");
  found.replaceChildren(...(hits.length ? hits.map(([to, title, detail], place) =>
    h("li", { role: "option", id: `hit-${place}`, "aria-selected": "false", "data-to": to, onmousedown: (event) => { event.preventDefault(); go(event.currentTarget); } }, title, h("small", {}, detail))) : [none]));
  found.hidden = false;
  field.setAttribute("aria-expanded", "true");
  if (hits.length) choose(0);
}
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") { choose(chosen + 1); event.preventDefault(); }
  else if (event.key === "ArrowUp") { choose(chosen - 1); event.preventDefault(); }
  else if (event.key === "Escape") close();
  // The search may still be loading its data.
  else if (event.key === "Enter") { searching.then(() => go(found.children[chosen])); event.preventDefault(); }
});
field.addEventListener("blur", close);
document.querySelector(".search").addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) { field.focus(); event.preventDefault(); }
});

data("overview").then((all) => {
  document.getElementById("made").replaceChildren(
    `Vectors ${all.suite}, ${all.cases.toLocaleString("en")} cases of ${all.clauses} clauses. Generated from commit `, h("code", {}, all.commit || "unknown"),
    all.date ? ` of ${all.date}` : "", ". Everything on this site is computed from committed files, and nothing you paste leaves your browser.");
});
draw(true);
