// What the views of a notebook hold, as it is saved with it.

export const STATES = "application/vnd.jupyter.widget-state+json";
const VIEW = "application/vnd.jupyter.widget-view+json";

/** The ids of the views that cells show. */
export function viewsOf(cells) {
  const outputs = cells.flatMap((cell) => cell.outputs ?? []);
  return outputs.map((output) => output.data?.[VIEW]?.model_id).filter((id) => id !== undefined);
}

/**
 * JupyterLab saves the views that it knows, and forgets all others: whoever saves, or leaves, before
 * they are back after a reload would lose each answer. What is still shown is saved again as it was.
 */
export function keepStates(model) {
  let last = model.getMetadata("widgets");
  model.metadataChanged.connect((_, { key }) => {
    if (key !== "widgets") return;
    const now = model.getMetadata("widgets");
    const kept = now && withShown(viewsOf(model.toJSON().cells), last, now);
    last = kept;
    if (kept !== now) model.setMetadata("widgets", kept);
  });
}

/** These states, and of those before the ones of views that are shown and missing, with their parts. */
export function withShown(shown, before, now) {
  const old = before?.[STATES]?.state ?? {};
  const state = { ...now[STATES].state };
  const missing = shown.filter((id) => id in old && !(id in state));
  if (missing.length === 0) return now;
  while (missing.length > 0) {
    const id = missing.pop();
    state[id] = old[id];
    for (const [, part] of JSON.stringify(old[id]).matchAll(/"IPY_MODEL_([^"]+)"/g)) {
      if (part in old && !(part in state)) missing.push(part);
    }
  }
  return { ...now, [STATES]: { ...now[STATES], state } };
}
