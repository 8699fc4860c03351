// Bundles each widget into the one ES module that the Python package ships, and the
// stylesheet beside it. The output is committed; CI runs this again and compares bytes,
// so nothing here may depend on the time, the machine or the folder.
import { build } from "esbuild";
import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const static_ = "minigrad_widgets/static";

await build({
  absWorkingDir: here,
  entryPoints: [
    ...["graph_view", "backward_stepper", "graph_diff", "prediction_view", "verdict_view"].map((name) => ({ in: `src/${name}.ts`, out: name })),
    { in: "src/all.css", out: "minigrad" },
  ],
  outdir: static_,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
});

const LIMIT = 40 * 1024;
const LIMITS = { "backward_stepper.js": 43 * 1024 }; // with the table of steps and the export
for (const name of readdirSync(`${here}${static_}`).sort()) {
  const { size } = statSync(`${here}${static_}/${name}`);
  console.log(`${name}  ${(size / 1024).toFixed(1)} KB`);
  // Every widget instance sends its module over the wire: keep it small.
  const limit = LIMITS[name] ?? LIMIT;
  if (size > limit) throw new Error(`${name} is larger than ${limit} bytes`);
}
