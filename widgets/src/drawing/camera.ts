/** What the reader looks at stays where it is while the picture is drawn anew: what was pressed, or the middle. */

import type { Drawing } from "./drawing.ts";
import type { Point } from "./pixels.ts";
import type { Viewport } from "./viewport.ts";

/** A node of the picture, and where in the window it stands; null: the beginning is to be seen. */
export interface Stand {
  id: string;
  at: (Point & { scale: number }) | null;
}

export class Camera {
  constructor(
    private readonly drawing: Drawing,
    private readonly viewport: Viewport,
  ) {}

  /**
   * Where this node stands; if it is not in the picture, the one in the middle of the window. Who
   * has pressed none and sees the beginning goes on seeing it.
   */
  standOf(kept: string): Stand {
    if (kept === "" && this.viewport.isAtStart) return { id: kept, at: null };
    const id = this.drawing.nodes.has(kept) ? kept : nearest(this.drawing, this.viewport.middle());
    return { id, at: this.viewport.placeOf(this.drawing.centreOf(id)) };
  }

  /** Let this node stand there: exactly, or as nearly as the drawing allows. */
  stand(id: string, at: Stand["at"], exactly: boolean): void {
    if (at === null) this.viewport.toStart();
    else this.viewport.hold(this.drawing.centreOf(id), at, exactly);
  }
}

function nearest(drawing: Drawing, point: Point): string {
  let best = "";
  let least = Infinity;
  for (const id of drawing.nodes.keys()) {
    const at = drawing.centreOf(id);
    const distance = at ? Math.hypot(at.x - point.x, at.y - point.y) : Infinity;
    if (distance >= least) continue;
    best = id;
    least = distance;
  }
  return best;
}
