// A lesson that was improved since its copy in this browser began: who has changed nothing gets the
// new one, and everybody else is asked. Whatever is pressed, nothing is lost.
import { changedSections, isUntouched, whatChanged } from "./lesson.js";
import { Line } from "./line.js";

const SITE = new URL("../../../", import.meta.url);

export async function announceNewer(app, panel, shared) {
  const { context } = panel;
  const began = context.model.getMetadata("minigrad");
  if (!began?.version) return;
  const lesson = await newerThan(began, context.path).catch(() => null); // there is no network
  if (lesson === null || context.isDisposed) return;
  if (isUntouched(context.model.toJSON(), began)) return replace(context, lesson);

  const line = await Line.above(panel, shared);
  const { version } = lesson.metadata.minigrad;
  const buttons = {
    async "Keep mine"() {
      context.model.setMetadata("minigrad", { ...began, kept: version });
      await context.save();
      line.close();
    },
    async "Take the new one"() {
      const mine = await setAside(app.serviceManager.contents, context);
      await replace(context, lesson);
      const open = () => app.commands.execute("docmanager:open", { path: mine });
      line.say(["This is the new lesson. Yours is kept beside it: ", { text: mine, open }], {
        Close: () => line.close(),
      });
    },
    async "Download mine"() {
      await context.save();
      download(context.path, context.model.toJSON());
      line.say([...words, " Yours was downloaded."], buttons);
    },
  };
  const page = new URL(`../lessons/${context.path.replace(/ipynb$/, "html")}`, SITE);
  const words = [
    { strong: "This lesson has been improved since you began." },
    ` ${whatChanged(changedSections(lesson, began))} Below is your copy. If you take the new one, `,
    "yours stays beside it under another name. ",
    { text: "Read the new one first", href: page.href },
    ".",
  ];
  line.say(words, buttons);
}

/** The lesson as it is on the site now; null if the copy began from it, or was kept against it. */
async function newerThan(began, path) {
  const newest = (await load("lessons.json"))[path];
  if (newest === undefined || newest === began.version || newest === began.kept) return null;
  const lesson = await load(`files/${encodeURIComponent(path)}`);
  return lesson.metadata.minigrad.version === newest ? lesson : null;
}

async function load(path) {
  const answer = await fetch(new URL(path, SITE), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${answer.status} ${path}`);
  return answer.json();
}

async function replace(context, lesson) {
  context.model.fromJSON(lesson);
  await context.save();
}

/** Save the copy under a name that is free, and return it. */
async function setAside(contents, context) {
  await context.save();
  const today = new Date().toISOString().slice(0, 10);
  const base = context.path.replace(/\.ipynb$/, `-mine-${today}`);
  let name = `${base}.ipynb`;
  for (let number = 2; await isThere(contents, name); number++) name = `${base}-${number}.ipynb`;
  const copy = await contents.copy(context.path, "");
  await contents.rename(copy.path, name);
  return name;
}

function isThere(contents, path) {
  return contents.get(path, { content: false }).then(
    () => true,
    () => false,
  );
}

function download(path, notebook) {
  const file = new Blob([JSON.stringify(notebook, null, 1)], { type: "application/x-ipynb+json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = path.split("/").pop();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
