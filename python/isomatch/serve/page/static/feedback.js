// Corrections: a chosen reading, a thumb, a typed answer. They are what the service learns from.

import { post } from "./api.js";
import { h, s, toast } from "./dom.js";

const THUMB = "M7 10.5v9H4.2a1.2 1.2 0 0 1-1.2-1.2v-6.6a1.2 1.2 0 0 1 1.2-1.2zm0 0 3.7-7.2c1.4 0 2.5 1 2.5 2.5V9h5.2a2 2 0 0 1 2 2.4l-1.3 6.5a2 2 0 0 1-2 1.6H7";

/** Sends one correction; says so where the service does not keep any. */
export async function send(body, said) {
  try {
    await post("/v1/feedback", body);
    if (said) toast(said);
    return true;
  } catch (error) {
    toast(error.status === 404 ? "This service does not keep corrections." : `The correction was not kept: ${error.message}`);
    return false;
  }
}

/** Thumbs, and a field for the right answer. */
export function feedbackBar(asked) {
  const thumb = (kind, words) => {
    const button = h("button", { type: "button", class: "icon thumb", "aria-label": words, title: words, "aria-pressed": "false",
      onclick: async () => {
        if (!(await send({ ...asked(), kind }, "Thank you: this was kept."))) return;
        for (const one of bar.querySelectorAll(".thumb")) one.setAttribute("aria-pressed", one === button);
      } }, s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: `thumb-${kind}` }, s("path", { d: THUMB })));
    return button;
  };
  const field = h("input", { type: "text", dir: "auto", "aria-label": "The right answer", placeholder: "The right answer, or several, with ;", maxlength: "1000" });
  const form = h("form", { class: "right-answer", hidden: true, onsubmit: async (event) => {
    event.preventDefault();
    const answers = field.value.split(";").map((one) => one.trim()).filter(Boolean);
    if (!answers.length || !(await send({ ...asked(), kind: "answer", answers }, "Thank you: your answer was kept."))) return;
    field.value = "";
    form.hidden = true;
  } }, field, h("button", { type: "submit" }, "Send"));
  const opener = h("button", { type: "button", class: "link", onclick: () => {
    form.hidden = !form.hidden;
    if (!form.hidden) field.focus();
  } }, "I know the answer");
  const bar = h("div", { class: "feedback" },
    h("span", { class: "quiet" }, "Is this right?"), thumb("up", "Right"), thumb("down", "Wrong"), opener, form);
  return bar;
}
