// Where nodes stand: d3-force, loaded when the first drawing needs it.

import { base } from "./api.js";

const FILES = ["d3-dispatch", "d3-quadtree", "d3-timer", "d3-force"];
const BUDGET = 150; // milliseconds of layout before the first picture

let loading = null;

function load(file) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${base}/static/vendor/${file}.min.js`;
    script.async = false;
    script.onload = resolve;
    script.onerror = () => reject(new Error(file));
    document.head.append(script);
  });
}

/** Whether d3-force is installed; loads it. */
export async function hasLayout() {
  if (document.documentElement.dataset.drawing !== "yes") return false;
  loading ??= Promise.all(FILES.map(load)).then(() => Boolean(globalThis.d3?.forceSimulation), () => false);
  return loading;
}

/**
 * A layout of nodes and links, which d3 moves in place.
 * @returns {{simulation: object, settle: () => void}} settle: lays out for a moment
 */
export function layout(nodes, links) {
  const { d3 } = globalThis;
  const many = nodes.length > 80;
  const narrow = innerWidth < 600;
  const simulation = d3.forceSimulation(nodes)
    .force("link", d3.forceLink(links).id((node) => node.id).distance(many ? 60 : narrow ? 110 : 135).strength(many ? 0.3 : 0.5))
    .force("charge", d3.forceManyBody().strength(many ? -120 : narrow ? -380 : -420).distanceMax(many ? 400 : 700))
    .force("apart", d3.forceCollide(many ? 18 : 34))
    .force("x", d3.forceX().strength(narrow ? 0.1 : 0.035))
    .force("y", d3.forceY().strength(0.09))
    .stop();
  const settle = () => {
    const end = performance.now() + BUDGET;
    while (simulation.alpha() > simulation.alphaMin() && performance.now() < end) simulation.tick();
  };
  return { simulation, settle };
}
