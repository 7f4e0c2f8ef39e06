// Query, timing and JSON: what stands behind an answer.

import { copy, h, number, plural } from "./dom.js";

const STATIONS = {
  interpret: "Reading the question", link: "Linking names", parts: "Inner patterns", plan: "Planning",
  compile: "Compiling queries", execute: "In the database", match: "Putting matches together",
  describe: "Names of what was found", answer: "Writing the answer",
};

let count = 0;

/** The section with the tabs. */
export function tabsSection(answer) {
  const query = answer.query;
  const tabs = [
    ["Query", () => h("div", null, lacking(query),
      code(query, /^\s*(\/\/|MATCH|CALL|OPTIONAL|CYPHER|UNWIND)/.test(query ?? "") ? "Cypher" : "SPARQL",
        "There is no query: nothing was found that it could give."))],
    ["Timing", () => timing(answer)],
    ["JSON", () => code(JSON.stringify(answer, null, 2), "JSON", "")],
  ];
  count += 1;
  const id = (place, part) => `tabs-${count}-${part}-${place}`;
  const buttons = tabs.map(([title], place) => h("button", {
    type: "button", role: "tab", id: id(place, "tab"), "aria-controls": id(place, "panel"),
    "aria-selected": place === 0 ? "true" : "false", tabindex: place === 0 ? null : "-1",
    onclick: () => select(place),
  }, title));
  const panels = tabs.map((_, place) => h("div", {
    role: "tabpanel", id: id(place, "panel"), "aria-labelledby": id(place, "tab"), tabindex: "0", hidden: place !== 0,
  }));
  const select = (place) => {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", at === place ? "true" : "false");
      button.tabIndex = at === place ? 0 : -1;
      panels[at].hidden = at !== place;
    });
    if (!panels[place].hasChildNodes()) panels[place].append(tabs[place][1]());
  };
  select(0);
  const keys = (event) => {
    const at = buttons.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const place = (next + tabs.length) % tabs.length;
    select(place);
    buttons[place].focus();
  };
  return h("section", { class: "card tabs", "aria-label": "Behind the answer" },
    h("div", { role: "tablist", "aria-label": "Behind the answer", onkeydown: keys }, buttons), panels);
}

/** What the query does not say, as its first comment names it (`isomatch.output.queries`). */
function lacking(query) {
  const found = /^(?:#|\/\/) without: *(.*)/.exec(query ?? "");
  return found && h("ul", { class: "notices" }, h("li", null,
    "The query gives the rows that the answer is made of. It does not say ", h("code", { dir: "ltr" }, found[1]), "."));
}

function code(text, language, nothing) {
  if (!text) return h("p", { class: "quiet" }, nothing);
  return h("div", { class: "code" },
    h("div", { class: "bar" }, h("span", { class: "quiet" }, language),
      h("button", { type: "button", class: "copy", onclick: () => copy(text, `${language} copied`) }, `Copy ${language}`)),
    h("pre", { tabindex: "0", dir: "ltr", "aria-label": language }, h("code", null, text)));
}

function timing(answer) {
  const stages = Object.entries(answer.stages_ms ?? {}).filter(([key]) => key !== "total");
  if (!stages.length) return h("p", { class: "quiet" }, "No times were taken.");
  const total = answer.stages_ms.total ?? stages.reduce((sum, [, ms]) => sum + ms, 0);
  const most = Math.max(...stages.map(([, ms]) => ms), 1);
  const rows = stages.map(([key, ms]) => {
    const bar = h("span", { class: "bar-fill" });
    bar.style.inlineSize = `${Math.max((100 * ms) / most, 0.5)}%`;
    return h("tr", null, h("th", { scope: "row" }, STATIONS[key] ?? key),
      h("td", { class: "bar-cell", "aria-hidden": "true" }, bar), h("td", { class: "ms" }, `${number(ms, ms < 10 ? 1 : 0)} ms`));
  });
  const profile = answer.profile;
  return h("div", null,
    h("table", { class: "timing" },
      h("caption", { class: "sr" }, "Time by station"),
      h("tbody", null, rows, h("tr", { class: "total" }, h("th", { scope: "row" }, "In all"),
        h("td", { "aria-hidden": "true" }), h("td", { class: "ms" }, `${number(total)} ms`)))),
    profile ? h("p", { class: "quiet" }, `Strategy ${profile.strategy}: ${plural(profile.rounds, "round")}, ${plural(profile.rows, "row")}, `
      + `${plural(profile.examined, "interpretation")} examined, ${plural(profile.vectors_read ?? 0, "vector")} read.`) : null);
}
