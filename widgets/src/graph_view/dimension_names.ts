/** What the dimensions of a value are called, where an operation that made or uses it says so. */

import { usersOf, type Nodes } from "../drawing/neighbours.ts";
import type { NodeData } from "../data/tape.ts";

const IMAGES = ["sample", "channel", "row", "column"];
const KERNELS = ["output channel", "input channel", "row", "column"];

/** Operations on batches of images, if there are four dimensions. */
const ON_IMAGES = /^(convolution|(adaptive_)?(max|avg)_pool)/;

/** The names of all dimensions; none if nothing is known, or if there are not four. */
export function dimensionNames(node: NodeData, nodes: Nodes): readonly string[] {
  if (node.value.shape.length !== 4) return [];
  if (ON_IMAGES.test(node.op)) return IMAGES;
  for (const user of usersOf(nodes, node.id)) {
    const argument = user.inputs.find(({ id }) => id === node.id)?.arg;
    if (!ON_IMAGES.test(user.op)) continue;
    if (argument === "input") return IMAGES;
    const transposed = user.inputs.some(({ arg }) => arg === "shape"); // then it is the other way round
    if (argument === "weight" && !transposed && user.inputs.some(({ arg }) => arg === "how")) return KERNELS;
  }
  return [];
}
