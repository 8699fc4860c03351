/**
 * The graph as SVG, of GraphView and of the stepper: nodes and edges are added, never redrawn.
 * Which column and lane a node stands in comes from lanes.ts, how many pixels these are from pixels.ts.
 */

import type { NodeData } from "../data/tape.ts";
import { listen, s } from "../page/dom.ts";
import { cutSign } from "./cut_sign.ts";
import { Lanes, type Route } from "./lanes.ts";
import { idOf, NodeGroup, operationOrPill } from "./node_group.ts";
import { arrowHead, bounds, centre, edgeShape, ports, type Box, type EdgeShape, type Point } from "./pixels.ts";

export interface EdgeGroup {
  element: SVGGElement;
  shape: EdgeShape;
  route: Route;
}

export class Drawing {
  readonly svg: SVGSVGElement;
  readonly nodes = new Map<string, NodeGroup>();
  readonly edges = new Map<string, EdgeGroup>();
  readonly #lanes = new Lanes();
  #hasCuts = false;
  readonly #edgeLayer = s("g", { class: "mg-edges", "aria-hidden": "true" });
  readonly #nodeLayer = s("g", "mg-nodes");

  /** `below`: room under the picture; `shape`: how a node is drawn. */
  constructor(
    name: string,
    private readonly below: number,
    private readonly shape: (node: NodeData) => SVGElement[] = operationOrPill,
  ) {
    this.svg = s("svg", { class: "mg-svg", role: "group", "aria-label": name }, this.#edgeLayer, this.#nodeLayer);
    listen(this.svg, "pointerover", (event) => this.nodes.get(idOf(event.target))?.hover());
  }

  /** Show a new node, or the new record of one that is shown. True if it is new. */
  show(node: NodeData): boolean {
    const known = this.nodes.get(node.id);
    if (known) {
      known.update(node);
      return false;
    }
    const { moved, routes } = this.#lanes.add(node);
    const group = new NodeGroup(node, this.shape);
    this.nodes.set(node.id, group);
    this.#nodeLayer.append(group.element);
    for (const id of [node.id, ...moved]) this.#settle(id);
    this.#connect(routes);
    return true;
  }

  /** Is there an edge along which a value goes on without its history? */
  get hasCuts(): boolean {
    return this.#hasCuts;
  }

  bounds(): Box {
    const bends = [...this.edges.values()].flatMap((edge) => edge.route.bends);
    return bounds([...this.#lanes.places.values(), ...bends], this.below);
  }

  centreOf(id: string | null | undefined): Point | null {
    const place = this.#lanes.places.get(id ?? "");
    return place ? centre(place) : null;
  }

  #settle(id: string): void {
    const at = this.centreOf(id);
    if (at) this.nodes.get(id)?.moveTo(at.x, at.y);
  }

  #connect(routes: Route[]): void {
    const entry = ports(routes, this.#lanes.places);
    for (const route of routes) {
      const from = this.#lanes.places.get(route.from);
      const to = this.#lanes.places.get(route.to);
      const source = this.nodes.get(route.from);
      if (!from || !to || !source) continue;
      const kind = this.nodes.get(route.to)?.data.kind;
      const shape = edgeShape(from, source.data.kind, route.bends, to, entry.get(route.key) ?? 0, kind);
      const element = edgeGroup(route, shape, kind === "data");
      this.#hasCuts ||= kind === "data";
      this.#edgeLayer.append(element);
      this.edges.set(route.key, { element, shape, route });
    }
  }
}

/** `cut`: the value goes on without its history, and no gradient comes back. */
function edgeGroup(route: Route, { path, end, label }: EdgeShape, cut: boolean): SVGGElement {
  return s(
    "g",
    { class: cut ? "mg-edge mg-cut" : "mg-edge", "data-mg-edge": route.key },
    s("path", { class: "mg-line", d: path }),
    s("path", { class: "mg-head", d: arrowHead(end, 1) }),
    ...(cut ? [cutSign(label)] : []),
  );
}
