// The answer, what kind of answer it is, and the question with the words that it leaves out.

import { called, h, name, plural } from "./dom.js";

const MOST_LISTED = 12;

/**
 * What kind of answer it is: "answer", "yes", "no" (proven), "refused" (the question was not
 * understood whole), "absent" (nothing was found) or "unproven".
 */
export function kindOf(answer) {
  if (answer.holds === false && answer.supported) return "no";
  if (answer.holds === true && answer.supported) return "yes";
  if (answer.supported) return "answer";
  if (answer.reading?.left_out?.length || answer.not_read) return "refused";
  if (answer.certificate?.ended_by) return "unfinished";
  return answer.found ? "unproven" : "absent";
}

const TITLES = {
  answer: "Answer",
  yes: "Yes, with the facts",
  no: "No, and that is proven",
  refused: "Not answered: the question was not understood whole",
  unfinished: "Not answered: the search was ended before it was through",
  absent: "Not found: the graph does not say",
  unproven: "Not answered: no facts carry an answer",
};

const EXPLAINED = {
  no: "The whole graph was searched for exactly this, and it has no such fact. That is more than “not found”.",
  refused: "A part of the question has no place in what was read, so what was found would answer another question.",
  unfinished: "More time or more rows might find an answer.",
  absent: "That is not a “no”: the names or relations may be called otherwise in this graph.",
  unproven: "Something was found, but it does not answer the question.",
};

/** The card of the answer. */
export function answerCard(answer) {
  const kind = kindOf(answer);
  const card = h("section", { class: `card answer is-${kind}`, "aria-labelledby": "answer-title" });
  card.append(h("p", { class: "kind", id: "answer-title", role: "heading", "aria-level": "2" },
    h("span", { class: "mark", "aria-hidden": "true" }), TITLES[kind]));
  card.append(answerText(answer, kind));
  if (EXPLAINED[kind]) card.append(h("p", { class: "quiet" }, EXPLAINED[kind]));
  return card;
}

function answerText(answer, kind) {
  if (answer.sentences?.length) {
    return h("p", { class: "text" }, answer.sentences.map((sentence) => h("span", {
      class: sentence.supported ? null : "unsupported",
      title: sentence.supported ? null : `no facts carry this: ${sentence.reason}`,
    }, `${sentence.text} `)));
  }
  const plain = kind === "answer" && answer.source === "graph" && answer.answers.length > 1
    && !answer.interpretations?.[0]?.groups && answer.pattern?.count === undefined;
  if (!plain) return h("p", { class: "text" }, name(answer.text));
  const told = toldOf(answer.text).map((part) => h("p", { class: "text" }, name(part)));
  const all = answer.answers.map((bound) => h("li", { title: bound.id }, name(called(bound))));
  const list = h("ul", { class: "answers", "aria-label": plural(all.length, "answer") }, all.slice(0, MOST_LISTED));
  const rest = all.slice(MOST_LISTED);
  if (!rest.length) return h("div", null, told, list);
  const more = h("button", {
    type: "button", class: "link",
    onclick: () => {
      more.parentElement.remove();
      list.append(...rest);
      rest[0].tabIndex = -1;
      rest[0].focus();
    },
  }, `${rest.length} more`);
  list.append(h("li", { class: "more" }, more));
  return h("div", null, told, list);
}

/** What the text of an answer says around its list: what words were taken for, what joins things. */
function toldOf(text) {
  // As `condition`, `means`, `rightly` and `joined_by` have it in the tables of languages.
  const condition = /^(?:If (?=“|the question)|Falls (?=„|die Frage))(?:“[^”]*”|„[^“]*“|[^“„:])*: /
    .exec(text)?.[0].trimEnd() ?? "";
  const joined = text.search(/ (?:Joined by “|Verbunden über „)/);
  return [condition, joined < 0 ? "" : text.slice(joined + 1)].filter(Boolean);
}

/** The question; words that the reading does not account for are underlined. */
export function questionLine(answer) {
  const spans = (answer.reading?.left_out ?? []).filter((span) => Number.isInteger(span.start));
  const points = [...answer.question]; // offsets are of code points, as Python counts
  const line = h("p", { class: "question", dir: "auto" });
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    if (span.start < at) continue;
    line.append(points.slice(at, span.start).join(""));
    line.append(h("span", { class: "left-out" }, points.slice(span.start, span.end).join(""),
      h("span", { class: "sr" }, " (left out)")));
    at = span.end;
  }
  line.append(points.slice(at).join(""));
  return line;
}
