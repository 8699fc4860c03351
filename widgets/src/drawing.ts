/**
 * The graph as SVG, shared by both widgets: nodes and edges are added, never redrawn.
 * Who stands where comes from layout.ts, the pixels from geometry.ts.
 */

import { s } from "./dom.ts";
import { bounds, centre, clearOfOthers, edgeShape, ports, type Box, type EdgeShape, type Point } from "./geometry.ts";
import { Layout, type Route } from "./layout.ts";
import { NodeGroup, type Mark } from "./node_group.ts";
import type { NodeData } from "./tape.ts";

/** Pale, well-separated hues for the cells, in the order in which cells appear. */
const HUES = [212, 38, 152, 322, 88, 266, 14, 186];

export interface EdgeGroup {
  element: SVGGElement;
  shape: EdgeShape;
  route: Route;
}

export interface EdgeLook {
  text: string; // the gradient it carried
  active: boolean;
  secret: boolean;
}

export class Drawing {
  readonly svg: SVGSVGElement;
  readonly nodes = new Map<string, NodeGroup>();
  readonly edges = new Map<string, EdgeGroup>();
  readonly consumers = new Map<string, string[]>();
  private readonly layout = new Layout();
  private readonly edgeLayer = s("g", { class: "mg-edges", "aria-hidden": "true" });
  private readonly nodeLayer = s("g", { class: "mg-nodes" });
  private readonly labelLayer = s("g", { class: "mg-labels", "aria-hidden": "true" });
  private readonly labelPoints: Point[] = [];
  private readonly labels = new Map<string, { at: Point; element: SVGGElement | null }>();
  private readonly hues = new Map<string, number>();

  constructor(
    name: string,
    private readonly options: { tags: boolean; below: number },
  ) {
    this.svg = s("svg", { class: "mg-svg", role: "group", "aria-label": name }, this.edgeLayer, this.nodeLayer, this.labelLayer);
  }

  /** Show a new node, or the new record of one that is shown. True if it is new. */
  show(node: NodeData): boolean {
    const known = this.nodes.get(node.id);
    if (known !== undefined) {
      known.update(node);
      if (node.kind === "op") this.markStates(node);
      return false;
    }
    const { moved, routes } = this.layout.add(node);
    const group = new NodeGroup(node, this.hue(node.cell), this.options.tags);
    this.nodes.set(node.id, group);
    this.nodeLayer.append(group.element);
    for (const id of [node.id, ...moved]) this.settle(id);
    this.connect(routes);
    if (node.kind === "op") this.markStates(node);
    return true;
  }

  bounds(): Box {
    const bends = [...this.edges.values()].flatMap((edge) => edge.route.bends);
    return bounds([...this.layout.places.values(), ...bends], this.options.below);
  }

  centreOf(id: string): Point | null {
    const place = this.layout.places.get(id);
    return place === undefined ? null : centre(place);
  }

  markNode(id: string, mark: Mark): void {
    this.nodes.get(id)?.mark(mark);
  }

  markEdge(key: string, look: EdgeLook | null): void {
    const edge = this.edges.get(key);
    const label = this.labels.get(key);
    if (edge === undefined || label === undefined) return;
    edge.element.classList.toggle("mg-used", look !== null);
    edge.element.classList.toggle("mg-active", look?.active ?? false);
    label.element?.remove();
    label.element = look === null ? null : edgeLabel(label.at, look);
    if (label.element !== null) this.labelLayer.append(label.element);
    // An active edge is drawn last, above its neighbours.
    if (look?.active === true) this.edgeLayer.append(edge.element);
  }

  private settle(id: string): void {
    const at = this.centreOf(id);
    if (at !== null) this.nodes.get(id)?.moveTo(at.x, at.y);
  }

  private connect(routes: Route[]): void {
    const entry = ports(routes, this.layout.places);
    for (const route of routes) {
      const from = this.layout.places.get(route.from);
      const to = this.layout.places.get(route.to);
      const source = this.nodes.get(route.from);
      if (from === undefined || to === undefined || source === undefined) continue;
      const shape = edgeShape(from, source.data.kind, route.bends, to, entry.get(route.key) ?? 0);
      const element = edgeGroup(route, shape, !this.options.tags);
      this.edgeLayer.append(element);
      this.edges.set(route.key, { element, shape, route });
      // Only recent neighbours can be in the way: a column is filled at one time.
      const at = clearOfOthers(shape.label, this.labelPoints.slice(-40));
      this.labelPoints.push(at);
      this.labels.set(route.key, { at, element: null });
      const consumers = this.consumers.get(route.from);
      if (consumers === undefined) this.consumers.set(route.from, [route.to]);
      else if (!consumers.includes(route.to)) consumers.push(route.to);
    }
  }

  /** The edges into a freed operation fade with it: the node owned them. */
  private markStates(node: NodeData): void {
    if (!this.options.tags) return;
    node.inputs.forEach((_, operand) => {
      this.edges.get(`${node.id}|${operand}`)?.element.setAttribute("data-state", node.state);
    });
  }

  private hue(cell: string): number | null {
    if (cell === "") return null;
    let hue = this.hues.get(cell);
    if (hue === undefined) {
      hue = HUES[this.hues.size % HUES.length] ?? 0;
      this.hues.set(cell, hue);
    }
    return hue;
  }
}

function edgeGroup(route: Route, { path, start, end }: EdgeShape, backward: boolean): SVGGElement {
  const element = s(
    "g",
    { class: "mg-edge", "data-mg-edge": route.key, "data-from": route.from, "data-to": route.to },
    s("path", { class: "mg-line", d: path }),
    s("path", { class: "mg-head", d: `M${end.x - 8} ${end.y - 4.5} L${end.x - 0.5} ${end.y} L${end.x - 8} ${end.y + 4.5} Z` }),
  );
  if (backward) {
    const d = `M${start.x + 10} ${start.y - 5.5} L${start.x + 1} ${start.y} L${start.x + 10} ${start.y + 5.5} Z`;
    element.append(s("path", { class: "mg-back-head", d }));
  }
  return element;
}

function edgeLabel(at: Point, look: EdgeLook): SVGGElement {
  const width = look.text.length * 6.9 + 12;
  const names = ["mg-edge-label", look.active && "mg-active", look.secret && "mg-secret"].filter(Boolean).join(" ");
  return s(
    "g",
    { class: names, transform: `translate(${at.x} ${at.y})` },
    s("rect", { x: -width / 2, y: -9, width, height: 18, rx: 9 }),
    s("text", { y: 4 }, look.text),
  );
}
