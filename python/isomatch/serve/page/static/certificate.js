// What is proven, in one sentence, and what that means.

import { h, number } from "./dom.js";

/** The certificate of an answer; null where there is none. */
export function certificateSection(answer) {
  const proof = answer.certificate;
  if (!proof) return null;
  const words = sentence(proof.words);
  const proven = proof.complete && !proof.changed;
  return h("section", { class: "card certificate", "aria-labelledby": "certificate-title" },
    h("h2", { id: "certificate-title" }, "Proof"),
    h("p", { class: `proof ${proven ? "is-proven" : "is-open"}` },
      h("span", { class: "mark", "aria-hidden": "true" }), words),
    h("details", null,
      h("summary", null, "What does this mean?"),
      h("div", { class: "meaning" }, meaning(proof, answer.supported).map((text) => h("p", null, text)))),
    (answer.notes ?? []).length
      ? h("ul", { class: "notes", "aria-label": "Notes" }, [...new Set(answer.notes)].map((note) => h("li", { dir: "auto" }, sentence(note))))
      : null);
}

function sentence(words) {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function meaning(proof, supported) {
  const told = [
    "An interpretation is one choice of an element of the graph for every name, relation and type that was "
    + "understood. Its distance is how far the words are from the names of what was chosen: 0 is the very name.",
  ];
  if (!supported) told.push("Nothing answers the question, so no answer is proven.");
  else told.push(proof.complete
    ? "Complete: every other interpretation in the whole graph is at least as far away as those shown. It is not "
      + "a sample, and nothing nearer was overlooked."
    : "Not complete: an interpretation that is nearer was not ruled out in the whole graph.");
  if (supported && !proof.exact) told.push("The result may differ from a search of every candidate.");
  if (proof.bound) {
    told.push(`What was not examined is at a distance of ${number(proof.bound, 2)} or more.`);
  }
  if (proof.approximate) told.push("Candidates came from an approximate index, which may miss a near name.");
  if (proof.ended_by) told.push(`The search was ended by its limit of ${proof.ended_by}, before it was through.`);
  if (proof.changed) told.push("The graph has changed since it was indexed: what is new in it may be missing.");
  if (proof.ties) told.push("Others are exactly as near as the last one shown.");
  told.push("It proves what the graph says, by this reading. It does not prove that the reading is what you meant "
    + "(look at it above), nor that the graph is right.");
  return told;
}
