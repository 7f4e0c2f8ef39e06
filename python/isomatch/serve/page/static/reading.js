// What was understood: the pattern, drawn as paths of chips, each of which may be read anew.

import { h, name, number } from "./dom.js";
import * as patterns from "./pattern.js";
import { openPanel } from "./readings.js";

/**
 * The section of what was understood; null where there is no pattern.
 * @param {object} answer
 * @param {{again: Function, find: Function}} actions again(pattern, change): runs it anew
 */
export function readingSection(answer, actions) {
  if (!answer.pattern) return null;
  const best = answer.interpretations?.[0];
  const panel = h("div", { class: "panel", id: "readings", hidden: true });
  const drawing = h("div", { class: "pattern" });
  const view = { answer, panel, actions };
  drawPattern(drawing, answer.pattern, best?.choices, answer.parts ?? [], [], view);
  const source = {
    given: "as you chose or wrote it", schema: "by the graph’s own words", gsr: "by the trained model",
    programs: "by the trained model", llm: "by the language model",
  }[answer.reading?.source];
  const sum = best && `distance ${number(best.gsd, 2)} in all`;
  const whole = !best ? "nothing in the graph fits all of it" : best.near ? sum : `the nearest is too far to answer, ${sum}`;
  return h("section", { class: "card reading", "aria-labelledby": "reading-title" },
    h("header", null,
      h("h2", { id: "reading-title" }, best?.near === false ? "The nearest reading" : "What was understood"),
      h("p", { class: "quiet" }, [source ? `Read ${source}` : null, whole].filter(Boolean).join(", "), ".")),
    drawing, panel,
    h("p", { class: "quiet hint" }, "Not what you meant? Choose a part to see what else it may be."));
}

function drawPattern(place, pattern, choices, parts, within, view) {
  const asked = new Set(within.length ? [] : patterns.answers(pattern));
  const context = { pattern, choices, within, view, asked };
  for (const path of patterns.paths(pattern)) {
    place.append(h("p", { class: "path" }, path.map((step) => (
      step.node ? nodeChips(step.node, context) : edgeChips(step, context)))));
  }
  const conditions = [
    ...(pattern.where ?? []).map((condition, index) => conditionChip(condition, index, context)),
    ...patterns.workedOut(pattern).map(([words, of]) => clause(`${words} of `, variable(of))),
    pattern.order ? orderChip(pattern.order, context) : null,
    pattern.ask ? clause("is it so?") : null,
  ].filter(Boolean);
  if (conditions.length) place.append(h("p", { class: "path clauses" }, conditions));
  const drawPart = (part, found, at, joined, operator) => {
    const inner = h("div", { class: "part" });
    inner.append(h("p", { class: "quiet" }, joined, part.nodes.map(variable), ` ${partWords(operator)}`));
    drawPattern(inner, part.pattern, found?.interpretations?.[0]?.choices, found?.parts ?? [], at, view);
    place.append(inner);
  };
  (pattern.parts ?? []).forEach((part, index) => {
    const at = [...within, index];
    if (isEither(part, pattern)) {
      part.pattern.parts.forEach((one, number) => drawPart(
        { ...one, nodes: part.nodes }, parts[index]?.parts?.[number], [...at, number], number ? "or " : "where ", "in"));
    } else drawPart(part, parts[index], at, part.alternative ? "or " : "where ", part.operator);
  });
  for (const part of pattern.optional ?? []) {
    const inner = h("div", { class: "part" }, h("p", { class: "quiet" }, "and, where there is one"));
    const all = new Map(pattern.nodes.map((node) => [node.id, node]));
    const nodes = part.nodes.map((node) => ({ ...all.get(node.id), ...node }));
    drawPattern(inner, { nodes, edges: part.edges, return: [] }, choices, [], within, view);
    place.append(inner);
  }
}

/**
 * Whether a part says in two noes that a node is in one of several sets: not in the rest, which is in none.
 * All that the rest is said to be, the pattern around it says of the same nodes.
 */
function isEither(part, pattern) {
  const { nodes, edges, parts = [], return: returned, ...more } = part.pattern;
  const [id, ...others] = part.nodes;
  const isSaid = (edge) => pattern.edges.some((one) => JSON.stringify(one) === JSON.stringify(edge));
  return part.operator === "not in" && !others.length && `${returned}` === id && parts.length > 1
    && !Object.keys(more).length && edges.every(isSaid)
    && nodes.every((node) => pattern.nodes.some((one) => ["id", "text", "every", "type"].every(
      (key) => node[key] === one[key] || (key === "type" && node.type === undefined))))
    && parts.every((one) => one.operator === "not in" && `${one.nodes}` === id);
}

function partWords(operator) {
  return { in: "is one of", "not in": "is none of" }[operator] ?? `is ${patterns.operatorWords(operator)} every`;
}

function variable(id) {
  return h("span", { class: "variable" }, id.replaceAll("_", " "));
}

/** A known node, or an unknown one with its type. */
function nodeChips(node, context) {
  const known = node.text !== undefined;
  const isAnswer = context.asked.has(node.id);
  const chips = [];
  if (known) chips.push(chip("node", node.text, context, node));
  else {
    chips.push(h("span", { class: `unknown${isAnswer ? " is-answer" : ""}` },
      h("span", { class: "sr" }, isAnswer ? "the answer, " : "any, "),
      node.type === undefined ? h("span", { "aria-hidden": "true" }, "any ") : null, variable(node.id),
      isAnswer ? h("span", { class: "badge", "aria-hidden": "true" }, "answer") : null));
  }
  if (node.type !== undefined) chips.push(chip("type", node.type, context));
  return h("span", { class: "group" }, chips);
}

function edgeChips({ edge, forward }, context) {
  const arrow = edge.directed;
  const relation = edge.relation === undefined
    ? h("span", { class: "unknown" }, "any relation") : chip("relation", edge.relation, context);
  const value = edge.value === undefined ? null : context.pattern.nodes.find((node) => node.id === edge.value);
  return h("span", { class: "edge" },
    h("span", { class: `line${arrow && !forward ? " is-back" : ""}`, "aria-hidden": "true" }),
    relation,
    value ? [h("span", { class: "quiet" }, edge.key ? ` ${edge.key} ` : " as "), nodeChips(value, context)] : null,
    h("span", { class: `line${arrow && forward ? " is-forth" : ""}`, "aria-hidden": "true" }),
    h("span", { class: "sr" }, arrow ? (forward ? " to " : " from ") : " with "));
}

/** A chip of a part that was linked to the graph. */
function chip(kind, text, context, node) {
  const choice = patterns.choiceOf(context.choices, kind, text, node ? patterns.placeOf(context.pattern, node) : 0);
  const said = patterns.isIdentity(text) ? choice?.name ?? text.slice(1, -1) : asked(kind, text, context) ?? text;
  const read = choice ? choice.called ?? choice.name : null;
  const differs = read !== null && !alike(read, said);
  const element = { kind, text, node: node?.id, said, choice, within: context.within };
  const distance = choice ? number(choice.distance, 2) : null;
  // Where nothing fits the whole pattern, its parts may each be in the graph.
  const missing = context.choices ? " not found in the graph" : " in no match";
  return h("button", {
    type: "button", class: `chip chip-${kind}${choice || !context.choices ? "" : " is-unread"}`, "aria-expanded": "false",
    "aria-controls": "readings", "data-kind": kind,
    onclick: (event) => openPanel(event.currentTarget, element, context.view),
  },
  h("span", { class: "sr" }, `${{ node: "name", relation: "relation", type: "type" }[kind]} `),
  differs ? [h("span", { class: "said" }, "“", name(said), "”"), h("span", { class: "sr" }, " read as "),
    h("span", { "aria-hidden": "true", class: "becomes" }, "›")] : null,
  name(read ?? said),
  h("span", { class: `distance ${nearness(choice)}` },
    h("span", { class: "sr" }, choice ? " at distance " : missing), choice ? distance : null,
    choice ? null : h("span", { "aria-hidden": "true" }, context.choices ? "?" : "–")));
}

const SPANS = { node: "name", relation: "relation", type: "type" };

/** The words of the question that became a part of the pattern, where the reading tells. */
function asked(kind, text, context) {
  const spans = context.view.answer.reading?.understood ?? [];
  return spans.find((span) => span.kind === SPANS[kind] && span.meaning === text)?.text;
}

/** Whether two texts are the same but for their endings, as "countries" and "country". */
function alike(one, other) {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a[same] === b[same]) same += 1;
  return a === b || (same >= 4 && same >= most - 1 && Math.abs(a.length - b.length) <= 3);
}

function nearness(choice) {
  if (!choice) return "is-far";
  if (choice.distance < 0.005) return "is-exact";
  return choice.distance < 0.6 ? "is-near" : "is-far";
}

function clause(...content) {
  return h("span", { class: "clause" }, content);
}

/** A condition: it is taken literally, so its other readings are the other comparisons. */
function conditionChip(condition, index, context) {
  const others = patterns.COMPARISONS.includes(condition.operator) && !condition.or
    ? patterns.COMPARISONS.filter((operator) => operator !== condition.operator) : [];
  const words = patterns.conditionWords(condition);
  const change = (operator) => patterns.compared(context.view.answer.pattern, index, context.within, operator);
  return literalChip(
    [condition.counted ? "number of " : null, variable(condition.node), ` ${words}`],
    `The condition “${condition.node} ${words}”`,
    others.map((operator) => ({
      words: patterns.conditionWords({ ...condition, operator }), pattern: () => change(operator),
    })), context);
}

function orderChip(order, context) {
  const first = order.limit === 1 && !order.offset;
  const words = (descending) => [
    descending ? "greatest" : "least", " first", first ? ", only the first" : null,
    order.limit && !first ? `, ${order.limit} of them` : null, order.offset ? `, after ${order.offset}` : null,
  ].filter(Boolean).join("");
  return literalChip([order.counted ? "number of " : null, variable(order.node), ` ${words(order.descending)}`],
    "The order", context.within.length ? [] : [{
      words: words(!order.descending), pattern: () => patterns.reversed(context.view.answer.pattern),
    }], context);
}

function literalChip(content, title, others, context) {
  return h("button", {
    type: "button", class: "chip chip-condition", "aria-expanded": "false", "aria-controls": "readings",
    "data-kind": "condition",
    onclick: (event) => openPanel(event.currentTarget, { kind: "condition", title, others }, context.view),
  }, h("span", { class: "sr" }, "condition "), content,
  h("span", { class: "distance is-exact" }, h("span", { class: "sr" }, " at distance "), number(0, 2)));
}
