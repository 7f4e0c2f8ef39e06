// The evidence: facts as a drawing and as a table, which show the same.

import { called, h, name, number, painted, plural } from "./dom.js";
import { drawing, hasLayout } from "./drawing.js";

const MOST_DRAWN = 500; // facts; more are in the table only
const WIDEN = 25; // facts that one click adds

/** The section of the evidence; null where there is none. */
export function evidenceSection(answer, actions) {
  const facts = answer.evidence ?? [];
  if (!facts.length) return null;
  const cited = new Set(answer.cited);
  const numbered = facts.map((one) => ({ ...one.triple, number: one.number, cited: cited.has(one.number) }));
  const triples = answer.cut ? [...numbered, ...furtherFacts(numbered, answer)] : numbered;
  const state = { triples, types: typesOf(answer), asked: new Set(), notices: new Map(), actions };
  if (answer.cut && triples.length === numbered.length) {
    state.notices.set("cut", "Not all facts are shown: there were more than are listed here.");
  } else if (answer.cut) {
    state.notices.set("cut", `${number(numbered.length)} facts have a number, as an answer in words cites them; the others are of the same matches.`);
  }
  for (const one of answer.interpretations ?? []) {
    if (one.cut) state.notices.set("matches", "Not all matches were read: there are more than the search keeps.");
  }
  const notices = h("ul", { class: "notices" });
  const table = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Facts, as a table" });
  const figure = h("div", { class: "drawing" });
  const heading = h("p", { class: "quiet" });
  const section = h("section", { class: "card evidence", "aria-labelledby": "evidence-title" },
    h("header", null, h("h2", { id: "evidence-title" }, answer.supported ? "Evidence" : "What was found instead"), heading, switcher(figure, table)),
    figure, table, h("div", { role: "status" }, notices));
  state.show = () => {
    heading.textContent = plural(state.triples.length, "fact");
    table.replaceChildren(factsTable(state.triples));
    notices.replaceChildren(...[...state.notices.values()].map((text) => h("li", null, text)));
  };
  state.show();
  draw(figure, state, section);
  return section;
}

/** Facts of the best reading's matches that the evidence, which has a limit in words, left out. */
function furtherFacts(numbered, answer) {
  const known = new Set(numbered.map(key));
  const further = new Map();
  for (const match of answer.matches ?? []) {
    if (match.rank !== 1) continue;
    for (const triple of match.triples) if (!known.has(key(triple))) further.set(key(triple), triple);
  }
  return [...further.values()];
}

function switcher(figure, table) {
  const choose = (drawn) => {
    figure.hidden = !drawn;
    table.hidden = drawn;
    buttons[0].setAttribute("aria-pressed", drawn);
    buttons[1].setAttribute("aria-pressed", !drawn);
  };
  const buttons = ["Drawing", "Table"].map((words, place) => h("button", {
    type: "button", onclick: () => choose(place === 0),
  }, words));
  choose(true);
  return h("div", { class: "switch", role: "group", "aria-label": "Show the facts as" }, buttons);
}

function factsTable(triples) {
  return h("table", { class: "facts" },
    h("caption", { class: "sr" }, "Facts"),
    h("thead", null, h("tr", null, ["No.", "From", "Relation", "To"].map((words) => h("th", { scope: "col" }, words)))),
    h("tbody", null, triples.map((triple) => h("tr", { class: triple.cited ? "is-cited" : null },
      h("td", { class: "no" }, triple.number === undefined ? "+" : number(triple.number)),
      [triple.source, triple.relation, triple.target].map((bound) => h("td", { title: bound.id }, name(called(bound))))))));
}

async function draw(figure, state, section) {
  await painted(); // the table, before the layout begins
  if (!(await hasLayout())) {
    figure.append(h("p", { class: "quiet" }, "The drawing needs d3-force, which is not installed: ", h("code", null, "make page"),
      " gets it where isomatch runs from its sources. The table shows the same."));
    section.querySelector(".switch button:last-child").click();
    return;
  }
  if (state.triples.length > MOST_DRAWN) {
    state.notices.set("drawn", `The drawing has the first ${number(MOST_DRAWN)} of ${number(state.triples.length)} facts; the table has all.`);
    state.show();
  }
  const view = drawing(state.triples.slice(0, MOST_DRAWN), state.types, { widen: (node) => widen(node, state, view) });
  figure.append(view.element);
  await addTypes(state, view);
}

/** Types that the pattern asks for, as each match read them, hold for what its nodes are bound to. */
function typesOf(answer) {
  const types = new Map();
  for (const match of answer.matches ?? []) {
    for (const node of answer.pattern?.nodes ?? []) {
      const bound = match.bindings[node.id];
      const read = node.type && match.interpretation.find((choice) => choice.part === "type" && choice.text === node.type);
      if (bound && read) types.set(bound.id, read.name);
    }
  }
  return types;
}

/** Asks for the types that the matches do not tell. */
async function addTypes(state, view) {
  const ends = state.triples.flatMap((triple) => [triple.source, triple.target]);
  const unknown = [...new Set(ends.map((bound) => bound.id))].filter((id) => !state.types.has(id) && !state.asked.has(id));
  unknown.forEach((id) => state.asked.add(id));
  try {
    if (unknown.length) learn(await state.actions.nodes(unknown.slice(0, MOST_DRAWN * 2)), state);
  } catch {
    return; // The drawing is right without colours.
  }
  view.colour(state.types);
}

function learn(nodes, state) {
  for (const node of nodes) if (node.types?.length) state.types.set(node.id, node.types[0]);
}

/** Adds the facts around a node, in bounds. */
async function widen(node, state, view) {
  const room = MOST_DRAWN - view.size();
  if (room <= 0) {
    state.notices.set("full", `No more than ${number(MOST_DRAWN)} facts are drawn.`);
    state.show();
    return;
  }
  try {
    const found = await state.actions.neighbourhood([node.id], Math.min(WIDEN, room));
    const known = new Set(state.triples.map(key));
    const fresh = found.triples.filter((triple) => !known.has(key(triple)));
    state.triples = [...state.triples, ...fresh];
    view.add(fresh, state.types, node.id);
    const told = called(node);
    if (found.cut) state.notices.set(node.id, `“${told}” has more facts than the ${number(found.triples.length)} that were read.`);
    else if (!fresh.length) state.notices.set(node.id, `“${told}” has no further facts.`);
    else state.notices.set(node.id, `${plural(fresh.length, "fact")} around “${told}” added.`);
    state.show();
    await addTypes(state, view);
  } catch (error) {
    state.notices.set(node.id, `The facts around “${called(node)}” could not be read: ${error.message}`);
    state.show();
  }
}

function key(triple) {
  return triple.id ?? `${triple.source.id}\n${triple.relation.id}\n${triple.target.id}`;
}
