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
  entryPoints: ["src/graph_view.ts", "src/backward_stepper.ts", "src/prediction_view.ts", "src/verdict_view.ts", "src/minigrad.css"],
  outdir: static_,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
});

const LIMIT = 40_000;
for (const name of readdirSync(`${here}${static_}`).sort()) {
  const { size } = statSync(`${here}${static_}/${name}`);
  console.log(`${name}  ${(size / 1000).toFixed(1)} KB`);
  // Every widget instance sends its module over the wire: keep it small.
  if (size > LIMIT) throw new Error(`${name} is larger than ${LIMIT} bytes`);
}
