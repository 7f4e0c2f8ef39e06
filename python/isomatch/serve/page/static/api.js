// Calls of the service. The key is kept in this tab only, until it is closed.

const KEY = "isomatch.key";

/** An error that the service told, with its problem details. */
export class Problem extends Error {
  constructor(status, form) {
    super(form.detail || form.title || `status ${status}`);
    this.status = status;
    this.title = form.title || "The service failed";
  }
}

export const base = document.documentElement.dataset.base || "";

export function setKey(key) {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

export function hasKey() {
  return sessionStorage.getItem(KEY) !== null;
}

function headers(more) {
  const key = sessionStorage.getItem(KEY);
  return { ...more, ...(key ? { Authorization: `Bearer ${key}` } : {}) };
}

async function problem(response) {
  let form = {};
  try {
    form = await response.json();
  } catch {
    form = { title: response.statusText, detail: `the service answered with status ${response.status}` };
  }
  return new Problem(response.status, form);
}

async function send(path, init) {
  try {
    return await fetch(base + path, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { title: "The service cannot be reached", detail: "it does not answer; try again" });
  }
}

export async function get(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
  const response = await send(`${path}?${query}`, { headers: headers() });
  if (!response.ok) throw await problem(response);
  return response.json();
}

export async function post(path, body, signal) {
  const response = await send(path, {
    method: "POST",
    headers: headers({ "Content-Type": "application/json" }),
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw await problem(response);
  return response.json();
}

/**
 * Asks, and tells what is known on the way.
 * @param {object} body of /v1/ask
 * @param {(name: string, data: object) => void} told with each event of the stream
 * @returns {Promise<object>} the whole answer
 */
export async function ask(body, told, signal) {
  const response = await send("/v1/ask", {
    method: "POST",
    headers: headers({ "Content-Type": "application/json", Accept: "text/event-stream" }),
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw await problem(response);
  if (!(response.headers.get("Content-Type") || "").startsWith("text/event-stream")) return response.json();
  let answer = null;
  for await (const [event, data] of events(response.body)) {
    if (event === "error") throw new Problem(data.problem?.status ?? data.status ?? 500, data.problem ?? data);
    if (event === "answer") answer = data;
    else told(event, data);
  }
  if (answer === null) throw new Problem(0, { title: "The answer broke off", detail: "the service ended the stream; ask again" });
  return answer;
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest = (rest + (value ?? "")).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const event = lines.find((line) => line.startsWith("event:"))?.slice(6).trim();
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, ""));
      if (event && data.length) yield [event, JSON.parse(data.join("\n"))];
    }
    if (done) return;
  }
}
