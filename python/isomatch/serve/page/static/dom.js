// Elements, made of data. Names from the graph only ever become text nodes.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; attributes that begin with "on" are listeners. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Resolves once what is in the document is painted: a callback for a frame comes before that. */
export function painted() {
  return new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A name in a direction of its own, so that one in Arabic does not turn what is around it. */
export function name(text, attributes) {
  return h("bdi", { dir: "auto", ...attributes }, text);
}

/** What a bound element is called. */
export function called(bound) {
  return bound.name || bound.id;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Says something to screen readers, once. */
export function announce(text) {
  byId("live").textContent = text;
}

/** A short notice that shows for some seconds, and is read out. */
export function toast(text) {
  const place = byId("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => {
    place.hidden = true;
  }, 4000);
}

/** Writes text to the clipboard, also where the page has no secure address. */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "off-screen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(said);
}

export function number(value, digits = 0) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}
