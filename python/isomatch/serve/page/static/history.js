// What was asked in this browser, kept in it and nowhere else.

import { byId, h, name } from "./dom.js";

const KEY = "isomatch.history";
const MOST = 50;

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** Keeps an address under its question, the newest first. */
export function remember(question, address, kind) {
  const others = read().filter((one) => one.address !== address);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ question, address, kind, at: Date.now() }, ...others].slice(0, MOST)));
  } catch {
    // Storage is full or switched off: there is no history.
  }
}

const MARKS = { answer: "✓", yes: "✓", no: "✕" };

/** Opens the list; go(address) shows one again. */
export function openHistory(go) {
  const dialog = byId("history");
  const all = read();
  const list = dialog.querySelector(".list");
  list.replaceChildren(...all.map((one) => h("li", null,
    h("a", { href: one.address, onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      dialog.close();
      go(one.address);
    } }, h("span", { "aria-hidden": "true", class: "mark-text" }, MARKS[one.kind] ?? "–"), name(one.question)),
    h("time", { class: "quiet", datetime: new Date(one.at).toISOString() },
      new Date(one.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })))));
  dialog.querySelector(".nothing").hidden = all.length > 0;
  const clear = dialog.querySelector(".clear");
  clear.hidden = all.length === 0;
  clear.onclick = () => {
    localStorage.removeItem(KEY);
    dialog.close();
  };
  dialog.showModal();
}
