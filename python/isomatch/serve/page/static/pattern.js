// The pattern of a reading: how it is drawn as paths, and how one of its parts is read anew.
// Nothing here touches the page.

const IDENTITY = /^<[^<>"{}|^`\\\s]*:[^<>"{}|^`\\\s]*>$/;

/** The text that stands for a finding in a pattern, at distance 0. */
export function pinned(kind, finding) {
  const identity = `<${finding.id}>`;
  return kind === "node" && IDENTITY.test(identity) ? identity : finding.name;
}

/** Whether a node's text is the identity of one node. */
export function isIdentity(text) {
  return IDENTITY.test(text ?? "");
}

/**
 * What was chosen for a part of the pattern, or undefined where nothing was.
 * @param {number} place among the nodes of that text: two people of one name are two choices
 */
export function choiceOf(choices, part, text, place = 0) {
  const same = (choices ?? []).filter((choice) => choice.part === part && choice.text === text);
  return same[place] ?? same[0]
    ?? choices?.find((choice) => choice.part === part && choice.text.toLowerCase() === text.toLowerCase());
}

/** The place of a node among those of its text. */
export function placeOf(pattern, node) {
  return pattern.nodes.filter((other) => other.text === node.text).indexOf(node);
}

/**
 * The edges as paths: each is nodes and edges in turn, as people write them. Without edges, the
 * node that is alone.
 * @returns {Array<Array<{node: object} | {edge: object, index: number, forward: boolean}>>}
 */
export function paths(pattern) {
  const nodes = new Map(pattern.nodes.map((node) => [node.id, node]));
  if (!pattern.edges.length) return pattern.nodes.map((node) => [{ node }]);
  const left = pattern.edges.map((edge, index) => ({ edge, index }));
  const drawn = [];
  const degree = (id) => left.filter(({ edge }) => edge.source === id || edge.target === id).length;
  while (left.length) {
    // A path begins where only one edge is left, so that it is as long as it can be.
    const at = left.find(({ edge }) => degree(edge.source) === 1 || degree(edge.target) === 1) ?? left[0];
    const begin = degree(at.edge.source) === 1 || degree(at.edge.target) > 1 ? at.edge.source : at.edge.target;
    const path = [{ node: nodes.get(begin) }];
    let here = begin;
    for (;;) {
      const place = left.findIndex(({ edge }) => edge.source === here || edge.target === here);
      if (place < 0) break;
      const [{ edge, index }] = left.splice(place, 1);
      const forward = edge.source === here;
      here = forward ? edge.target : edge.source;
      path.push({ edge, index, forward }, { node: nodes.get(here) });
    }
    drawn.push(path);
  }
  return drawn;
}

/** Ids of the unknown nodes that are the answer, as the rules of patterns have it. */
export function answers(pattern) {
  if (pattern.return) return pattern.return;
  for (const key of ["count", "sum", "avg", "min", "max"]) if (pattern[key]) return [pattern[key]];
  return pattern.ask ? [] : pattern.nodes.filter((node) => node.text === undefined).map((node) => node.id);
}

/**
 * A copy of the pattern in which one part has another text.
 * @param {object} pattern
 * @param {{kind: string, text: string, node?: string, within: number[]}} element node: its id;
 *   within: places of inner patterns
 */
export function replaced(pattern, element, text) {
  const copy = structuredClone(pattern);
  let inner = copy;
  for (const place of element.within) inner = inner.parts[place].pattern;
  if (element.kind === "node") {
    for (const node of inner.nodes) if (node.id === element.node) node.text = text;
  } else if (element.kind === "type") {
    for (const node of inner.nodes) if (node.type === element.text) node.type = text;
  } else {
    for (const edge of inner.edges) if (edge.relation === element.text) edge.relation = text;
  }
  return copy;
}

/** A copy in which a condition has another operator. */
export function compared(pattern, index, within, operator) {
  const copy = structuredClone(pattern);
  let inner = copy;
  for (const place of within) inner = inner.parts[place].pattern;
  inner.where[index].operator = operator;
  return copy;
}

/** A copy in the opposite order. */
export function reversed(pattern) {
  const copy = structuredClone(pattern);
  copy.order.descending = !copy.order.descending;
  return copy;
}

const OPERATORS = {
  "=": "is", "!=": "is not", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least",
  between: "between", in: "in", contains: "contains", "starts with": "starts with",
};

export const COMPARISONS = ["=", "!=", "<", "<=", ">", ">="];

export function operatorWords(operator) {
  return OPERATORS[operator] ?? operator;
}

/** A condition in words, without its node. */
export function conditionWords(condition) {
  const of = condition.other ? [condition.other] : condition.values ?? [];
  const values = condition.operator === "between" ? of.join(" and ") : of.join(", ");
  const either = (condition.or ?? []).map((other) => ` or ${conditionWords(other)}`).join("");
  return `${operatorWords(condition.operator)} ${values}${either}`;
}

/** What is worked out of the matches, in words; empty where nothing is. */
export function workedOut(pattern) {
  const words = { count: "count", sum: "sum", avg: "average", min: "least", max: "greatest" };
  const own = Object.keys(words).filter((key) => typeof pattern[key] === "string")
    .map((key) => [words[key], pattern[key]]);
  return [...own, ...(pattern.each ?? []).map((one) => [words[one.function], one.node])];
}

/** The parts that may be read anew, with what was chosen for each. */
export function elements(pattern, choices, parts = [], within = []) {
  const found = new Map();
  const add = (kind, text, node) => {
    if (text === undefined || found.has(`${kind} ${node?.id ?? text}`)) return;
    const choice = choiceOf(choices, kind, text, node ? placeOf(pattern, node) : 0);
    found.set(`${kind} ${node?.id ?? text}`, { kind, text, node: node?.id, within, choice });
  };
  for (const node of pattern.nodes) {
    add("node", node.text, node);
    add("type", node.type);
  }
  for (const edge of pattern.edges) add("relation", edge.relation);
  const inner = (pattern.parts ?? []).flatMap((part, index) => elements(
    part.pattern, parts[index]?.interpretations?.[0]?.choices, parts[index]?.parts, [...within, index],
  ));
  return [...found.values(), ...inner];
}
