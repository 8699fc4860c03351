/**
 * The graph as SVG, shared by both widgets: nodes and edges are added, never redrawn.
 * Who stands where comes from layout.ts, the pixels from geometry.ts.
 */

import { s } from "./dom.ts";
import { bounds, centre, edgeShape, ports, type Box, type EdgeShape, type Point } from "./geometry.ts";
import { Layout, type Route } from "./layout.ts";
import { NodeGroup, operationOrPill } from "./node_group.ts";
import type { NodeData } from "./tape.ts";

/** Pale, well-separated hues for the cells, in the order in which cells appear. */
const HUES = [212, 38, 152, 322, 88, 266, 14, 186];

interface Options {
  tags: boolean; // does it show what became of the nodes?
  below: number; // room under the picture
  shape?: (node: NodeData) => SVGElement[];
}

const LARGE = 200; // nodes

export interface EdgeGroup {
  element: SVGGElement;
  shape: EdgeShape;
  route: Route;
}

export class Drawing {
  readonly svg: SVGSVGElement;
  readonly nodes = new Map<string, NodeGroup>();
  readonly edges = new Map<string, EdgeGroup>();
  readonly consumers = new Map<string, string[]>();
  arriving = false; // do nodes and edges that are shown now come with a movement?
  readonly #layout = new Layout();
  readonly #edgeLayer = s("g", { class: "mg-edges", "aria-hidden": "true" });
  readonly #nodeLayer = s("g", "mg-nodes");
  readonly #hues = new Map<string, number>();

  readonly #options: Options;

  constructor(name: string, options: Options) {
    this.#options = options;
    this.svg = s("svg", { class: "mg-svg", role: "group", "aria-label": name }, this.#edgeLayer, this.#nodeLayer);
  }

  /** Show a new node, or the new record of one that is shown. True if it is new. */
  show(node: NodeData): boolean {
    const known = this.nodes.get(node.id);
    if (known !== undefined) {
      known.update(node);
      this.#markStates(node);
      return false;
    }
    const { moved, routes } = this.#layout.add(node);
    const group = new NodeGroup(node, this.#hue(node.cell), this.#options.shape ?? operationOrPill);
    group.element.classList.toggle("mg-new", this.arriving);
    this.nodes.set(node.id, group);
    this.#nodeLayer.append(group.element);
    for (const id of [node.id, ...moved]) this.#settle(id);
    this.#connect(routes);
    this.#markStates(node);
    return true;
  }

  bounds(): Box {
    const bends = [...this.edges.values()].flatMap((edge) => edge.route.bends);
    const box = bounds([...this.#layout.places.values(), ...bends], this.#options.below);
    // A large picture grows by leaps: each time, the browser lays all of it out anew.
    if (this.nodes.size > LARGE) box.width = Math.ceil(box.width / 1000) * 1000;
    return box;
  }

  centreOf(id: string): Point | null {
    const place = this.#layout.places.get(id);
    return place === undefined ? null : centre(place);
  }

  #settle(id: string): void {
    const at = this.centreOf(id);
    if (at !== null) this.nodes.get(id)?.moveTo(at.x, at.y);
  }

  #connect(routes: Route[]): void {
    const entry = ports(routes, this.#layout.places);
    for (const route of routes) {
      const from = this.#layout.places.get(route.from);
      const to = this.#layout.places.get(route.to);
      const source = this.nodes.get(route.from);
      if (from === undefined || to === undefined || source === undefined) continue;
      const kind = this.nodes.get(route.to)?.data.kind;
      const shape = edgeShape(from, source.data.kind, route.bends, to, entry.get(route.key) ?? 0, kind);
      const element = edgeGroup(route, shape);
      element.classList.toggle("mg-new", this.arriving);
      this.#edgeLayer.append(element);
      this.edges.set(route.key, { element, shape, route });
      const consumers = this.consumers.get(route.from);
      if (consumers === undefined) this.consumers.set(route.from, [route.to]);
      else if (!consumers.includes(route.to)) consumers.push(route.to);
    }
  }

  /** The edges into a freed operation fade with it: the node owned them. */
  #markStates(node: NodeData): void {
    if (!this.#options.tags) return;
    node.inputs.forEach((_, operand) => {
      this.edges.get(`${node.id}|${operand}`)?.element.setAttribute("data-state", node.state);
    });
  }

  #hue(cell: string): number | null {
    if (cell === "") return null;
    let hue = this.#hues.get(cell);
    if (hue === undefined) {
      hue = HUES[this.#hues.size % HUES.length] ?? 0;
      this.#hues.set(cell, hue);
    }
    return hue;
  }
}

function edgeGroup(route: Route, { path, end }: EdgeShape): SVGGElement {
  return s(
    "g",
    { class: "mg-edge", "data-mg-edge": route.key },
    s("path", { class: "mg-line", d: path }),
    s("path", { class: "mg-head", d: `M${end.x - 8} ${end.y - 4.5} L${end.x - 0.5} ${end.y} L${end.x - 8} ${end.y + 4.5} Z` }),
  );
}
