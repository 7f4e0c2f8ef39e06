// The page: takes a question, asks the service, and shows what comes back.

import { answerCard, kindOf, questionLine } from "./answer.js";
import * as api from "./api.js";
import { certificateSection } from "./certificate.js";
import { announce, byId, copy, h, painted, toast } from "./dom.js";
import { evidenceSection } from "./evidence.js";
import { feedbackBar, send } from "./feedback.js";
import { hasLayout } from "./layout.js";
import { openHistory, remember } from "./history.js";
import { readingSection } from "./reading.js";
import { missingSection } from "./readings.js";
import { openSchema } from "./schema.js";
import { tabsSection } from "./tabs.js";

const form = byId("ask");
const field = byId("question");
const result = byId("result");
let running = null;

const graph = () => form.elements.graph?.value || "";

/** Where this is asked again: a question, and the pattern that it was corrected to. */
function addressOf(asked) {
  const parameters = new URLSearchParams();
  if (asked.graph) parameters.set("graph", asked.graph);
  if (asked.question) parameters.set("q", asked.question);
  if (asked.pattern) parameters.set("pattern", typeof asked.pattern === "string" ? asked.pattern : JSON.stringify(asked.pattern));
  if (asked.pattern && asked.options?.nodes) parameters.set("nodes", asked.options.nodes);
  return `${location.pathname}?${parameters}`;
}

function askedAt(address) {
  const parameters = new URL(address, location.href).searchParams;
  const nodes = parameters.get("nodes");
  return { graph: parameters.get("graph") ?? graph(), question: parameters.get("q") ?? "",
    pattern: parameters.get("pattern") ?? null, options: nodes ? { nodes } : {} };
}

/** Whether a text is a pattern in one of its written forms, and no question. */
function isPattern(text) {
  return /^\s*(\(|\{|\[\s*\[)/.test(text);
}

/** Asks, and shows the answer; the address is that of the result. */
async function run(asked, { push = true, change = null } = {}) {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  if (push) history.pushState(null, "", addressOf(asked));
  setForm(asked);
  const waiting = waitingCard(() => mine.abort());
  result.replaceChildren(waiting.element);
  result.setAttribute("aria-busy", "true");
  byId("examples").hidden = true;
  document.documentElement.classList.remove("is-first");
  announce("Asking");
  hasLayout(); // comes while the service works
  try {
    const body = { question: asked.pattern === null ? asked.question : text(asked.pattern), query: true };
    if (asked.graph) body.graph = asked.graph;
    if (asked.pattern !== null) body.interpreter = "given";
    if (Object.keys(asked.options ?? {}).length) body.options = asked.options;
    const answer = await api.ask(body, waiting.told, mine.signal);
    if (running === mine) show(answer, asked, change);
  } catch (error) {
    if (running !== mine) return;
    if (error.name === "AbortError") result.replaceChildren(h("p", { class: "card quiet" }, "Stopped."));
    else failed(error, () => run(asked, { push: false, change }));
  } finally {
    if (running === mine) result.removeAttribute("aria-busy");
  }
}

function text(pattern) {
  return typeof pattern === "string" ? pattern : JSON.stringify(pattern);
}

function setForm(asked) {
  field.value = asked.question || (asked.pattern === null ? "" : text(asked.pattern));
  turn();
  grow();
  if (asked.graph && form.elements.graph) form.elements.graph.value = asked.graph;
  document.title = `${asked.question || "Pattern"} · isomatch`;
}

/** A card that tells how far the service is. */
function waitingCard(stop) {
  const step = h("p", { class: "step", role: "status" }, "Reading the question …");
  const shown = h("p", { class: "text", dir: "auto" });
  const element = h("section", { class: "card waiting", "aria-label": "Asking" }, h("div", { class: "progress", "aria-hidden": "true" }),
    step, shown, h("button", { type: "button", class: "link", onclick: stop }, "Stop"));
  const steps = { understood: "Understood; searching the graph …", evidence: "Facts found; writing the answer …", text: "Writing the answer …" };
  return { element, told: (event, data) => {
    step.textContent = steps[event] ?? step.textContent;
    if (event === "text") shown.append(data.text);
  } };
}

/** Shows an answer in all its parts. */
function show(answer, asked, change) {
  const actions = {
    find: async (words, kind, limit) => (await api.post("/v1/find", {
      ...named(asked.graph), text: words, limit, ...(kind ? { kinds: [kind] } : {}) })).found,
    neighbourhood: (nodes, limit) => api.post("/v1/neighbourhood", { ...named(asked.graph), nodes, limit }),
    nodes: async (ids) => (await api.post("/v1/nodes", { ...named(asked.graph), nodes: ids })).nodes,
    again: (pattern, changed) => {
      const change = changed && { ...changed, keep: () => keepReading(answer, asked, pattern) };
      run({ ...asked, pattern, options: readWith(answer, asked) }, { change });
    },
  };
  const card = answerCard(answer);
  if (asked.pattern === null && answer.reading?.left_out?.length) card.prepend(questionLine(answer));
  if (change) card.append(changedLine(answer, change));
  else if (asked.question && asked.pattern !== null) card.prepend(h("p", { class: "changed" }, CHOSEN));
  if (!answer.supported) card.append(missingSection(answer, actions) ?? "");
  card.append(h("div", { class: "actions" },
    feedbackBar(() => ({ ...named(asked.graph), question: asked.question || text(asked.pattern), read_pattern: answer.pattern ?? undefined,
      reading: answer.reading ? { ...answer.reading, options: readWith(answer, asked) } : undefined })),
    h("button", { type: "button", class: "link", onclick: () => copy(new URL(addressOf(asked), location.href).href, "Address copied") }, "Copy address")));
  result.replaceChildren(card);
  painted().then(() => {
    if (!card.isConnected) return; // another question was asked meanwhile
    result.append(...[readingSection(answer, actions), evidenceSection(answer, actions),
      certificateSection(answer), tabsSection(answer)].filter(Boolean));
    result.dataset.shown = "yes";
  });
  remember(asked.question || text(asked.pattern), addressOf(asked), kindOf(answer));
  announce(`${card.querySelector(".kind").textContent}. ${answer.text}`);
}

/** What an address with a question and a pattern says: nobody has checked that they belong together. */
const CHOSEN = "This reading was chosen by hand: the answer is to the pattern below, which may not be what the question says.";

/** How the answer was read with a choice, which is kept as a correction only if it was taken. */
function changedLine(answer, { element, finding, keep }) {
  const undo = h("button", { type: "button", class: "link", onclick: () => history.back() }, "Undo");
  const [said, chosen] = [element.said, finding.name].map((words) => h("bdi", { dir: "auto" }, words));
  if (!isRead(answer, finding.id)) return h("p", { class: "changed" }, "Your choice was not taken: “", chosen,
    "” is also the name of something else, and that was read. ", undo);
  keep();
  return h("p", { class: "changed" }, "Read again with your choice: “", said, "” is ", chosen, ". ", undo);
}

/** Whether the reading has an element; where nothing fits the pattern, nothing says otherwise. */
function isRead(answer, id) {
  const best = answer.interpretations?.[0];
  return !best || JSON.stringify([best.choices, answer.parts ?? [], answer.optional ?? []]).includes(JSON.stringify(id));
}

function named(name) {
  return name ? { graph: name } : {};
}

/** The options that a question was read with belong to its pattern. */
function readWith(answer, asked) {
  return { ...asked.options, ...answer.reading?.options };
}

function keepReading(answer, asked, pattern) {
  send({ ...named(asked.graph), question: asked.question || answer.question, kind: "reading", pattern,
    read_pattern: answer.pattern, reading: { source: "given", options: readWith(answer, asked) } }, "Kept as a correction.");
}

/** Says what went wrong, and takes a key where one is needed. */
function failed(error, again) {
  const card = h("section", { class: "card problem", role: "alert" }, h("h2", null, error.title ?? "The page failed"), h("p", { dir: "auto" }, error.message));
  if (error.status === 401) {
    const key = h("input", { type: "password", "aria-label": "Key", placeholder: "Key", autocomplete: "off", required: true });
    const use = h("button", { type: "submit" }, "Use this key");
    card.append(h("form", { class: "key", onsubmit: (event) => {
      event.preventDefault();
      api.setKey(key.value.trim());
      key.disabled = use.disabled = true; // this card goes when the service has replied
      listGraphs().then(again);
    } }, key, use),
    h("p", { class: "quiet" }, "It is kept in this tab until you close it, and sent to this service only."));
    if (api.hasKey()) api.setKey(null);
  } else card.append(h("button", { type: "button", onclick: again }, "Try again"));
  result.replaceChildren(card);
  card.querySelector("input, button")?.focus();
}

/** The graphs to choose from, where the page was made without knowing who reads it. */
async function listGraphs() {
  const place = byId("graphs");
  if (place.querySelector("select")) return;
  try {
    const { graphs } = await api.get("/v1/graphs");
    if (graphs.length < 2) return;
    place.replaceChildren(h("label", { for: "graph" }, "Graph"), h("select", { id: "graph", name: "graph" },
      graphs.map((one) => h("option", { value: one.name, selected: one.default }, one.name))));
  } catch (error) {
    if (error.status !== 401) toast(error.message);
  }
}

/** A pattern is read from left to right, whatever names are in it. */
function turn() {
  field.dir = isPattern(field.value) ? "ltr" : "auto";
}

function grow() {
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight + 2}px`;
}

function begin(words) {
  if (words) run({ graph: graph(), question: isPattern(words) ? "" : words, pattern: isPattern(words) ? words : null, options: {} });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  begin(field.value.trim());
});
field.addEventListener("input", grow);
field.addEventListener("input", turn);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
form.elements.graph?.addEventListener("change", () => location.assign(`${location.pathname}?${new URLSearchParams({ graph: graph() })}`));
for (const link of document.querySelectorAll("#examples a")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    run(askedAt(link.href));
  });
}
byId("open-history").addEventListener("click", () => openHistory((address) => run(askedAt(address))));
byId("open-schema").addEventListener("click", () => openSchema(graph(), (pattern) => begin(pattern)));
byId("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("isomatch.theme", dark ? "light" : "dark");
  } catch {
    // Storage is switched off: until the page is closed.
  }
});
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
}
addEventListener("popstate", () => {
  const asked = askedAt(location.href);
  if (asked.question || asked.pattern) run(asked, { push: false });
  else location.reload();
});

const first = askedAt(location.href);
const given = byId("answer-data");
if (given) show(JSON.parse(given.textContent), first, null);
else if (document.documentElement.dataset.asked === "no" && (first.question || first.pattern)) run(first, { push: false });
if (document.documentElement.dataset.known === "no") listGraphs();
turn();
grow();
