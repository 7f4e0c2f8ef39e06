// The schema browser: types and relations of the graph, with a search.

import { get } from "./api.js";
import { byId, h, name, number } from "./dom.js";

let turn = 0;

/** Opens it; ask(pattern) shows what a type or relation holds. */
export function openSchema(graph, ask) {
  const dialog = byId("schema");
  const field = dialog.querySelector("input");
  let waiting;
  field.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => show(dialog, graph, field.value.trim(), ask), 250);
  };
  dialog.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    show(dialog, graph, field.value.trim(), ask);
  };
  dialog.showModal();
  show(dialog, graph, field.value.trim(), ask);
}

async function show(dialog, graph, focus, ask) {
  const place = dialog.querySelector(".content");
  const mine = ++turn;
  if (!place.hasChildNodes()) place.append(h("p", { class: "quiet" }, "Reading the schema …"));
  let schema;
  try {
    schema = await get("/v1/schema", { graph, focus, limit: 60 });
  } catch (error) {
    place.replaceChildren(h("p", { class: "problem" }, error.message));
    return;
  }
  if (mine !== turn) return; // a later search has begun
  const run = (pattern) => () => {
    dialog.close();
    ask(pattern);
  };
  place.replaceChildren(
    schema.types.length ? h("h3", null, "Types") : null,
    h("ul", { class: "schema-list" }, schema.types.map((type) => row(type.name, count(type.nodes, "nodes"), type.id))),
    h("h3", null, "Relations"),
    h("ul", { class: "schema-list" }, schema.relations.map((relation) => row(
      relation.name, count(relation.triples, "facts"), relation.id, ends(relation), run(example(relation))))),
    schema.cut ? h("p", { class: "quiet" }, "There are more: search for what you need.") : "");
}

function count(value, unit) {
  return `${number(value)} ${unit}`;
}

function ends(relation) {
  const side = (types) => types.slice(0, 2).join(", ") || "any";
  return relation.from.length || relation.to.length ? `${side(relation.from)} → ${side(relation.to)}` : "";
}

function example(relation) {
  return `(?from)-[${relation.name.replace(/[[\]\\]/g, " ")}]->(?to)`;
}

function row(title, quantity, id, more, act) {
  return h("li", { title: id },
    act ? h("button", { type: "button", class: "link", onclick: act }, name(title)) : name(title),
    more ? h("span", { class: "quiet" }, more) : null, h("span", { class: "quiet quantity" }, quantity));
}
