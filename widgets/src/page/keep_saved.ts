/**
 * JupyterLab saves a widget only as long as its kernel lives. A notebook that is saved after its
 * kernel was restarted, or that was opened again, would lose its pictures. So of the widgets
 * whose kernel has gone those are saved too that stand in the page.
 */

import type { Model } from "./anywidget.ts";

interface Saved {
  _comm_live?: boolean;
  views?: object;
  get(name: string): unknown;
}

/** The part of JupyterLab's widget manager that decides what is saved. */
interface Manager {
  _modelsSync?: Map<string, Saved>;
  get_state_sync?: (...options: unknown[]) => unknown;
  mgKeeps?: boolean;
}

export function keepSaved({ widget_manager }: Model & { widget_manager?: Manager }): void {
  const manager = widget_manager;
  const save = manager?.get_state_sync;
  if (!manager || !save || !manager._modelsSync || manager.mgKeeps) return;
  manager.mgKeeps = true;
  manager.get_state_sync = (...options) => {
    const kept = inPage([...manager._modelsSync!.values()]);
    for (const one of kept) one._comm_live = true;
    try {
      return save.apply(manager, options);
    } finally {
      for (const one of kept) one._comm_live = false;
    }
  };
}

/** The widgets without a kernel that somebody sees, each with its layout. */
function inPage(models: Saved[]): Saved[] {
  const seen = models.filter(
    (one) => one._comm_live === false && one.get("_esm") && Object.keys(one.views ?? {}).length > 0,
  );
  const layouts = seen.map((one) => one.get("layout") as Saved | null);
  return [...seen, ...layouts.filter((one) => one?._comm_live === false)] as Saved[];
}
