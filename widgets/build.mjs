// Bundles each widget into the one ES module that the Python package ships, and the
// stylesheet beside it. The output is committed; CI runs this again and compares bytes,
// so nothing here may depend on the time, the machine or the folder.
import { build } from "esbuild";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const static_ = "minigrad_widgets/static";
const LIMIT = 112 * 1024; // 38 KB compressed

// Names of our own properties that are made short. The browser has no property of such a name that
// we use, and no data from Python has one: the files that describe that data are looked through.
const SHORT =
  "active admit adopt answered arriving asking banner below bends bounds carried centreOf chip " +
  "choose column complain current edges element engine exercise folded frame guess hover " +
  "landAt landed lane large lastCell lockIn markEdge markNode moveTo moved onResize operand " +
  "paint places playing position positions prediction prompt rebuilt received records resync " +
  "reveal route routes score secret seek setBox setFolded settled stepButton subject subscribe sums " +
  "tabular tools total touched truth viewport visitAt visited zoomAt";
const names = SHORT.split(" ");
const describing = [
  "data/tape",
  "page/anywidget",
  "question/question",
  "graph_diff/difference",
  "memory_tape/memory",
  "tape_player/recording",
  "training_loop/training",
];
const fromPython = describing
  .map((name) => readFileSync(`${here}src/${name}.ts`, "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, ""))
  .join("\n");
for (const name of names) {
  if (new RegExp(`\\b${name}\\b`).test(fromPython)) throw new Error(`${name} is a name in Python's data`);
}

const views = [
  "graph_view",
  "backward_stepper",
  "graph_diff",
  "memory_tape",
  "prediction_view",
  "tape_player",
  "training_loop",
  "verdict_view",
];
await build({
  absWorkingDir: here,
  entryPoints: [
    ...views.map((name) => ({ in: `src/${name}/${name}.ts`, out: name })),
    { in: "src/all.css", out: "minigrad" },
  ],
  outdir: static_,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  mangleProps: new RegExp(`^(${names.join("|")})$`),
  charset: "utf8",
  legalComments: "none",
});

for (const name of readdirSync(`${here}${static_}`).sort()) {
  const { size } = statSync(`${here}${static_}/${name}`);
  console.log(`${name}  ${(size / 1024).toFixed(1)} KB`);
  // Every widget instance sends its module over the wire: keep it small.
  if (size > LIMIT) throw new Error(`${name} is larger than ${LIMIT} bytes`);
}
