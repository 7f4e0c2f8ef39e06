// The panel of one chip: what it was read as, and the next nearest readings to choose from.

import { announce, h, name, number } from "./dom.js";
import * as patterns from "./pattern.js";

const FAR = 0.6; // a distance at which a reading is doubtful
const KINDS = { node: "name", relation: "relation", type: "type" };

/** Opens the panel under the pattern; the same chip closes it. */
export function openPanel(button, element, view) {
  const wasOpen = button.getAttribute("aria-expanded") === "true";
  close(view.panel, false);
  if (wasOpen) return;
  button.setAttribute("aria-expanded", "true");
  view.panel.opener = button;
  view.panel.hidden = false;
  view.panel.onkeydown = (event) => {
    if (event.key === "Escape") close(view.panel, true);
  };
  if (element.kind === "condition") literalPanel(element, view);
  else readingsPanel(element, view);
  view.panel.querySelector("button, input")?.focus({ preventScroll: true });
  view.panel.scrollIntoView({ block: "nearest" });
}

function close(panel, focus) {
  const opener = panel.opener;
  opener?.setAttribute("aria-expanded", "false");
  panel.hidden = true;
  panel.replaceChildren();
  panel.opener = null;
  if (focus) opener?.focus();
}

function closer(panel) {
  return h("button", { type: "button", class: "icon close", "aria-label": "Close", onclick: () => close(panel, true) }, "×");
}

function literalPanel(element, view) {
  view.panel.append(
    h("header", null, h("h3", null, element.title), closer(view.panel)),
    h("p", { class: "quiet" }, "Taken literally, so its distance is 0."),
    element.others.length ? h("ul", { class: "choices" }, element.others.map((other) => h("li", null, h("button", {
      type: "button", onclick: () => view.actions.again(other.pattern(), null),
    }, other.words)))) : null);
}

function readingsPanel(element, view) {
  const { choice, said } = element;
  const list = h("ul", { class: "choices", "aria-label": "Next nearest readings" });
  const status = h("p", { class: "quiet", role: "status" }, "Looking for the next nearest readings …");
  const field = h("input", {
    type: "search", dir: "auto", "aria-label": `Search another ${KINDS[element.kind]}`,
    placeholder: `Another ${KINDS[element.kind]}`, maxlength: "1000",
  });
  const look = async (text) => {
    list.replaceChildren();
    status.hidden = false;
    status.textContent = "Looking for the nearest …";
    try {
      const found = await nearest(element, text, view);
      list.replaceChildren(...found.map((finding) => choiceRow(finding, element, view)));
      status.textContent = found.length ? "" : "The graph has nothing else that is near.";
      status.hidden = found.length > 0;
      if (found.length) announce(`${found.length} readings`);
    } catch (error) {
      status.textContent = `They could not be found: ${error.message}`;
    }
  };
  view.panel.append(
    h("header", null,
      h("h3", null, "“", name(said), "” ", choice ? ["was read as ", name(choice.called ?? choice.name)] : view.answer.interpretations?.length ? "was not found in the graph" : "is in no match of the whole pattern"),
      closer(view.panel)),
    choice ? h("p", { class: "quiet" }, distanceWords(element), " ", h("code", { dir: "ltr" }, choice.id)) : null,
    h("h4", null, "Next nearest"), status, list,
    h("form", { class: "another", onsubmit: (event) => {
      event.preventDefault();
      if (field.value.trim()) look(field.value.trim());
    } }, field, h("button", { type: "submit" }, "Search")));
  look(said);
}

function distanceWords({ choice, said, text }) {
  // A reader may have mended a word before names were compared.
  const mended = said !== text && !patterns.isIdentity(text) ? `The reading took it for “${text}”. ` : "";
  if (choice.distance < 0.005) return `${mended}At distance 0: by its very name, or its id.`;
  return `${mended}At distance ${number(choice.distance, 2)}; 0 is its very name.`;
}

/** The findings that would be another reading; relations and types can be told by words only. */
async function nearest(element, text, view) {
  const findings = await view.actions.find(text, element.kind, 12);
  const seen = new Set(element.choice ? [element.choice.id] : []);
  if (element.kind !== "node" && element.choice) seen.add(element.choice.name.toLowerCase());
  return findings.filter((finding) => {
    const key = element.kind === "node" ? finding.id : finding.name.toLowerCase();
    if (finding.kind !== element.kind || seen.has(key) || seen.has(finding.id)) return false;
    seen.add(key);
    return true;
  }).slice(0, 8);
}

function choiceRow(finding, element, view) {
  const choose = () => {
    const text = patterns.pinned(element.kind, finding);
    view.actions.again(patterns.replaced(view.answer.pattern, element, text), { element, finding });
  };
  return h("li", null, h("button", { type: "button", onclick: choose, "data-id": finding.id },
    name(finding.name || finding.id),
    h("span", { class: "id", dir: "ltr" }, ending(finding.id)),
    h("span", { class: "distance" }, h("span", { class: "sr" }, "at distance "), number(finding.distance, 2))));
}

/** The end of an id, which tells things of one name apart. */
function ending(id) {
  const end = id.split(/[#]|\/(?=[^/]*\/[^/]*$)/).at(-1);
  return end.length > 40 ? `…${end.slice(-40)}` : end;
}

/** For an answer that was refused: the nearest readings of what has none, or was left out. */
export function missingSection(answer, actions) {
  const left = (answer.reading?.left_out ?? []).map((span) => ({ text: span.text, kind: null }));
  const unread = answer.pattern && !answer.found
    ? patterns.elements(answer.pattern, answer.interpretations?.[0]?.choices, answer.parts)
      .filter((element) => !patterns.isIdentity(element.text) && (!element.choice || element.choice.distance > FAR)) : [];
  const all = [...left, ...unread].slice(0, 4);
  if (!all.length) return null;
  const rows = all.map((one) => {
    const row = h("li", null, h("strong", null, "“", name(one.text), "”"),
      one.kind ? ` (${KINDS[one.kind]}): ` : " was left out; ", h("span", { class: "nearest" }, "…"));
    actions.find(one.text, one.kind, 3).then((findings) => {
      const nearestOnes = [...findings].sort((a, b) => a.distance - b.distance).slice(0, 3);
      row.querySelector(".nearest").replaceChildren(...(nearestOnes.length ? [
        "nearest in the graph: ",
        ...nearestOnes.flatMap((finding, place) => [place ? ", " : "", name(finding.name || finding.id),
          ` (${KINDS[finding.kind]}, ${number(finding.distance, 2)})`]),
      ] : ["the graph has nothing near"]));
    }).catch((error) => {
      row.querySelector(".nearest").textContent = `nearest readings could not be found: ${error.message}`;
    });
    return row;
  });
  return h("ul", { class: "missing", "aria-label": "What was not understood" }, rows);
}
