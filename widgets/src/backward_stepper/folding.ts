/** The boxes of a stepper's graph: their buttons, and how they stand in the picture. */

import { Boxes, type Regroup } from "../drawing/boxes.ts";
import { Camera } from "../drawing/camera.ts";
import type { Drawing } from "../drawing/drawing.ts";
import { drawFrames } from "../drawing/frames.ts";
import { FoldTools } from "../drawing/levels.ts";
import type { Viewport } from "../drawing/viewport.ts";

export class Folding {
  readonly boxes: Boxes;
  readonly #tools: FoldTools;

  constructor(root: HTMLElement, changed: Regroup) {
    this.boxes = new Boxes(false, changed, true); // gradients land in leaves: they are all shown
    this.#tools = new FoldTools(this.boxes, root);
  }

  /** Buttons for all boxes, and for one level. */
  get tools(): HTMLElement {
    return this.#tools.element;
  }

  /** A button for each box that is open. */
  get chips(): HTMLElement {
    return this.boxes.element;
  }

  readonly open = (box: string): void => void this.boxes.openBox(box);

  paint(hasBoxes: boolean): void {
    this.#tools.paint(hasBoxes);
  }

  /** Show what the open boxes hold in this picture. */
  show(drawing: Drawing, viewport: Viewport): Camera {
    drawFrames(drawing, this.boxes.open, (id) => this.boxes.close(id));
    return new Camera(drawing, viewport);
  }
}
