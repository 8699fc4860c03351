// Keeps a learner's work in this browser: a reload comes back to the same lesson with its views and
// answers, and what is done in a view is saved like what is typed. JupyterLite keeps the files.
import { announceNewer } from "./newer.js";
import { keepStates } from "./states.js";

export const plugin = (shared) => ({
  id: "minigrad-kept:plugin",
  autoStart: true,
  activate(app) {
    app.docRegistry.addWidgetExtension("Notebook", {
      createNew(panel, context) {
        restoreViews(context.sessionContext);
        saveAll(panel.content.node, context);
        context.ready.then(() => {
          nameInAddress(app.shell.currentWidget);
          keepStates(context.model);
          announceNewer(app, panel, shared);
        });
      },
    });
    if (innerWidth < 700) makeRoom(app);
    app.shell.currentChanged?.connect(() => nameInAddress(app.shell.currentWidget));
  },
});

/** JupyterLite takes a lesson's name out of the address: a reload would show no lesson at all. */
function nameInAddress(widget) {
  if (widget?.context?.path.endsWith(".ipynb")) {
    history.replaceState(history.state, "", `?path=${encodeURIComponent(widget.context.path)}`);
  }
}

/** JupyterLite shows a lesson in the list of files; on a phone that leaves no room for the lesson. */
function makeRoom(app) {
  app.commands.commandExecuted.connect(async function collapse(commands, { id, result }) {
    if (id !== "docmanager:show-in-file-browser") return;
    commands.commandExecuted.disconnect(collapse);
    await result;
    app.shell.collapseLeft?.();
  });
}

const known = new Set();

/**
 * Before JupyterLab shows saved views, it asks the kernel for those that are alive. JupyterLite's
 * kernels never answer (jupyterlite #155), and the page would say "Loading widget…" for ever. But
 * they begin in this page: of a kernel that was not seen before, the answer is known. One that was,
 * because its lesson was closed and opened again, is still asked in the way that is tried first.
 */
function restoreViews(sessionContext) {
  sessionContext.kernelChanged.connect((_, { newValue: kernel }) => {
    if (!kernel) return;
    kernel.requestCommInfo = async () => ({ content: { status: "ok", comms: {} } });
    if (known.has(kernel.id)) return;
    known.add(kernel.id);
    const createComm = kernel.createComm;
    kernel.createComm = function (target, ...rest) {
      if (target === "jupyter.widget.control") throw new Error("This kernel has no views yet.");
      return createComm.call(this, target, ...rest);
    };
  });
}

/**
 * JupyterLab counts everything as saved when a save has ended: what was written meanwhile, too, and
 * an answer that is given in a view never counts as a change. Both are saved as well.
 */
function saveAll(notebook, context) {
  let since = false; // has anything changed since the last save began?
  const change = () => {
    since = true;
    context.model.dirty = true;
  };
  const done = ({ target }) => target.closest(".jp-OutputArea-output") && setTimeout(change);
  for (const event of ["click", "change", "keyup"]) notebook.addEventListener(event, done);
  context.model.contentChanged.connect(() => (since = true));
  context.saveState.connect((_, state) => {
    if (state === "started") Promise.resolve().then(() => (since = false));
    else if (since) change();
  });
  const leave = () => {
    if (document.hidden && context.model.dirty) context.save();
  };
  document.addEventListener("visibilitychange", leave);
  context.disposed.connect(() => document.removeEventListener("visibilitychange", leave));
}
