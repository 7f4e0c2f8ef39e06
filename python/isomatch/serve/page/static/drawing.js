// Facts as a graph in SVG: every node can be focused, moved, and widened.

import { called, h, name, number, s } from "./dom.js";
import { hasLayout, layout } from "./layout.js";

export { hasLayout };

const LABELLED = innerWidth < 600 ? 8 : 24; // edges; beyond, the names of relations show where one points
const NAMED = 50; // nodes; beyond, the names of those with few facts do, too
const LONGEST = 26; // characters of a name in the drawing
const COLOURS = 8;
const HUBS = 14; // nodes that are named in a crowded drawing, too: those of most facts

/**
 * The drawing of facts.
 * @param {object[]} triples
 * @param {Map<string, string>} types by id of the node
 * @param {{widen: (node: object) => Promise<void>}} actions
 */
export function drawing(triples, types, actions) {
  const state = { nodes: new Map(), links: [], colours: new Map(), actions, view: { x: 0, y: 0, width: 800, height: 460 } };
  state.edges = s("g", { class: "edges" });
  state.points = s("g", { class: "points" });
  state.svg = s("svg", { class: "graph", role: "group", "aria-label": "Facts, as a graph; Tab goes from node to node" },
    s("defs", null, s("marker", { id: "arrow", viewBox: "0 0 10 10", refX: "9", refY: "5", markerWidth: "7", markerHeight: "7", orient: "auto-start-reverse" },
      s("path", { d: "M0 1 L9 5 L0 9 z", class: "arrow" }))),
    state.edges, state.points);
  state.legend = h("ul", { class: "legend", "aria-label": "Types" });
  const element = h("figure", null, state.svg, buttons(state), state.legend,
    h("figcaption", { class: "quiet" }, "Click a node, or press Enter on it, for the facts around it; drag to move."));
  insert(triples, state, null);
  colour(types, state);
  start(state);
  fit(state);
  requestAnimationFrame(() => fit(state)); // its size is known once it is on the page
  panning(state);
  return {
    element,
    size: () => state.links.length,
    colour: (all) => colour(all, state),
    add: (fresh, all, around) => {
      insert(fresh, state, around);
      colour(all, state);
      start(state);
      fit(state);
    },
  };
}

function insert(triples, state, around) {
  const from = state.nodes.get(around);
  for (const triple of triples) {
    for (const bound of [triple.source, triple.target]) {
      if (state.nodes.has(bound.id)) continue;
      const turn = state.nodes.size * 2.4; // a spiral, the same each time
      const near = 12 * Math.sqrt(state.nodes.size + 1);
      const node = { id: bound.id, name: bound.name, literal: isLiteral(bound.id), links: [],
        x: (from?.x ?? 0) + near * Math.cos(turn), y: (from?.y ?? 0) + near * Math.sin(turn) };
      node.element = pointOf(node, state);
      state.nodes.set(bound.id, node);
      state.points.append(node.element);
    }
    const link = { source: triple.source.id, target: triple.target.id, triple };
    link.ends = [state.nodes.get(link.source), state.nodes.get(link.target)];
    const [one, other] = link.ends;
    const fewer = one.links.length < other.links.length ? one.links : other.links;
    link.side = fewer.filter((before) => sameEnds(before, link)).length;
    for (const end of new Set(link.ends)) end.links.push(link);
    link.path = s("path", { class: `edge${triple.cited ? " is-cited" : ""}`, "marker-end": "url(#arrow)" });
    link.label = s("text", { class: "relation" }, triple.relation.name || triple.relation.id);
    state.edges.append(s("g", null, link.path, link.label));
    state.links.push(link);
  }
  state.svg.classList.toggle("is-dense", state.links.length > LABELLED);
  state.svg.classList.toggle("is-crowded", state.nodes.size > NAMED);
  state.svg.classList.toggle("is-small", state.nodes.size < 5);
}

function isLiteral(id) {
  return id.startsWith('"');
}

function sameEnds(one, other) {
  const [a, b] = one.ends;
  const [c, d] = other.ends;
  return (a === c && b === d) || (a === d && b === c);
}

function shortened(text) {
  const points = [...text];
  return points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join("")}…` : text;
}

function pointOf(node, state) {
  const shape = node.literal
    ? s("rect", { x: -8, y: -8, width: 16, height: 16, rx: 3 }) : s("circle", { r: 10 });
  const element = s("g", { class: "point", tabindex: node.literal ? null : "0", role: node.literal ? "img" : "button" },
    s("title", null, called(node)), shape,
    s("text", { class: "label", y: 25, direction: direction(called(node)) }, shortened(called(node))));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open(node, state);
  });
  for (const [kind, on] of [["focus", true], ["blur", false], ["pointerenter", true], ["pointerleave", false]]) {
    element.addEventListener(kind, () => highlight(node, state, on));
  }
  dragging(element, node, state);
  return element;
}

/** SVG has no dir="auto". */
function direction(text) {
  const first = text.match(/\p{L}/u)?.[0] ?? "";
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(first) ? "rtl" : "ltr";
}

function describe(node) {
  const facts = node.links;
  const type = node.type ? `, ${node.type}` : "";
  const words = facts.slice(0, 3).map(({ triple }) => `${called(triple.source)} ${called(triple.relation)} ${called(triple.target)}`);
  const more = facts.length > 3 ? `; and ${facts.length - 3} more` : "";
  node.element.setAttribute("aria-label", `${called(node)}${type}: ${words.join("; ")}${more}`);
}

async function open(node, state) {
  if (node.literal || state.busy) return;
  state.busy = true;
  node.element.classList.add("is-busy");
  await state.actions.widen(node);
  node.element.classList.remove("is-busy");
  state.busy = false;
}

function highlight(node, state, on) {
  state.svg.classList.toggle("is-pointing", on);
  for (const link of node.links) {
    link.path.parentNode.classList.toggle("is-lit", on);
    for (const end of link.ends) end.element.classList.toggle("is-named", on);
  }
}

/** Colours nodes by type, most frequent first, and writes the legend. */
function colour(types, state) {
  const counts = new Map();
  for (const node of state.nodes.values()) {
    node.type = node.literal ? "value" : types.get(node.id) ?? node.type;
    if (node.type) counts.set(node.type, (counts.get(node.type) ?? 0) + 1);
  }
  const others = [...counts.keys()].filter((type) => type !== "value" && !state.colours.has(type))
    .sort((a, b) => counts.get(b) - counts.get(a));
  // A type keeps its colour when others join.
  for (const type of others) state.colours.set(type, state.colours.size < COLOURS ? state.colours.size + 1 : 0);
  const degrees = [...state.nodes.values()].map((node) => node.links.length).sort((a, b) => b - a);
  const least = Math.max(degrees[HUBS - 1] ?? 0, 2);
  for (const node of state.nodes.values()) {
    const of = node.type === "value" ? "value" : state.colours.get(node.type) || "other";
    node.element.setAttribute("class", `point colour-${of}${node.links.length < least ? " is-minor" : ""}`);
    describe(node);
  }
  const untyped = [...state.nodes.values()].filter((node) => !node.type).length;
  const rows = [...counts].sort((a, b) => b[1] - a[1]).map(([type, count]) => legendRow(
    type === "value" ? "value" : state.colours.get(type) || "other", type, count));
  if (untyped && counts.size) rows.push(legendRow("other", "type not known", untyped));
  state.legend.replaceChildren(...rows);
}

function legendRow(colourName, type, count) {
  return h("li", null, h("span", { class: `swatch colour-${colourName}`, "aria-hidden": "true" }), name(type),
    h("span", { class: "quiet" }, ` ${number(count)}`));
}

function start(state) {
  state.simulation?.stop();
  const { simulation, settle } = layout([...state.nodes.values()], state.links);
  state.simulation = simulation;
  settle();
  simulation.on("tick", () => place(state));
  place(state);
}

function place(state) {
  for (const node of state.nodes.values()) {
    node.element.setAttribute("transform", `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`);
  }
  for (const link of state.links) {
    const [from, to] = link.ends;
    const curve = curveOf(from, to, link.side);
    link.path.setAttribute("d", curve.d);
    link.label.setAttribute("x", curve.x.toFixed(1));
    link.label.setAttribute("y", curve.y.toFixed(1));
  }
}

/** A line between the edges of two nodes; further facts of the same two are bent. */
function curveOf(from, to, side) {
  if (from === to) {
    const { x, y } = from;
    return { d: `M${x - 8} ${y - 8} C${x - 40} ${y - 52} ${x + 40} ${y - 52} ${x + 8} ${y - 8}`, x, y: y - 46 };
  }
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const bend = side === 0 ? 0 : Math.ceil(side / 2) * 34 * (side % 2 ? 1 : -1);
  const [mx, my] = [(from.x + to.x) / 2 - uy * bend, (from.y + to.y) / 2 + ux * bend];
  const [x1, y1] = [from.x + ux * 11, from.y + uy * 11];
  const [x2, y2] = [to.x - ux * 13, to.y - uy * 13];
  const f = (value) => value.toFixed(1);
  const d = bend ? `M${f(x1)} ${f(y1)} Q${f(mx)} ${f(my)} ${f(x2)} ${f(y2)}` : `M${f(x1)} ${f(y1)} L${f(x2)} ${f(y2)}`;
  return { d, x: bend ? (mx + (from.x + to.x) / 2) / 2 : mx, y: (bend ? (my + (from.y + to.y) / 2) / 2 : my) - 4 };
}

function dragging(element, node, state) {
  let begun = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    begun = { x: event.clientX, y: event.clientY, moved: false };
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!begun) return;
    if (!begun.moved && Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < 4) return;
    if (!begun.moved) state.simulation.alphaTarget(0.15).restart();
    begun.moved = true;
    const box = state.svg.getBoundingClientRect();
    const scale = scaleOf(state, box);
    node.fx = state.view.x + state.view.width / 2 + (event.clientX - box.x - box.width / 2) / scale;
    node.fy = state.view.y + state.view.height / 2 + (event.clientY - box.y - box.height / 2) / scale;
  });
  element.addEventListener("pointerup", () => {
    if (!begun) return;
    const { moved } = begun;
    begun = null;
    node.fx = null;
    node.fy = null;
    state.simulation.alphaTarget(0);
    if (!moved) open(node, state);
  });
  element.addEventListener("pointercancel", () => {
    begun = null;
    node.fx = null;
    node.fy = null;
    state.simulation.alphaTarget(0);
  });
}

function scaleOf(state, box) {
  return Math.min(box.width / state.view.width, box.height / state.view.height) || 1;
}

function show(state) {
  const { x, y, width, height } = state.view;
  // Names stay readable where the whole is small; the width is not known before it is shown.
  const shown = state.svg.clientWidth || Math.min(innerWidth - 60, 880);
  const shrunk = Math.max(width / shown, height / (state.svg.clientHeight || 400));
  state.svg.style.setProperty("--names", Math.min(Math.max(shrunk, 0.8), 1.7).toFixed(2));
  state.svg.setAttribute("viewBox", `${x.toFixed(1)} ${y.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`);
}

/** Shows everything, not larger than it is meant to be read. */
function fit(state) {
  const nodes = [...state.nodes.values()];
  const xs = nodes.map((node) => node.x);
  const ys = nodes.map((node) => node.y);
  const [left, right, top, bottom] = [Math.min(...xs) - 80, Math.max(...xs) + 80, Math.min(...ys) - 40, Math.max(...ys) + 50];
  const width = Math.max(right - left, 420);
  const height = Math.max(bottom - top, 180);
  state.view = { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
  show(state);
}

function zoom(state, factor) {
  const { x, y, width, height } = state.view;
  const wide = Math.min(Math.max(width * factor, 120), 20000);
  const high = (height * wide) / width;
  state.view = { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high };
  show(state);
}

function buttons(state) {
  const button = (text, label, act) => h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: act }, text);
  return h("div", { class: "zoom", role: "group", "aria-label": "Size of the drawing" },
    button("+", "Larger", () => zoom(state, 0.75)), button("−", "Smaller", () => zoom(state, 1.33)),
    button("⤢", "Show all", () => fit(state)));
}

/** The background moves the whole; the wheel with Ctrl makes it larger, as in maps. */
function panning(state) {
  let last = null;
  state.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    last = event;
    state.svg.setPointerCapture(event.pointerId);
  });
  state.svg.addEventListener("pointermove", (event) => {
    if (!last) return;
    const scale = scaleOf(state, state.svg.getBoundingClientRect());
    state.view.x -= (event.clientX - last.clientX) / scale;
    state.view.y -= (event.clientY - last.clientY) / scale;
    last = event;
    show(state);
  });
  for (const end of ["pointerup", "pointercancel"]) state.svg.addEventListener(end, () => { last = null; });
  state.svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(state, event.deltaY > 0 ? 1.15 : 0.87);
  }, { passive: false });
}
