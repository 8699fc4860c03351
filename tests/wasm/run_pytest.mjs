/* Runs pytest on a checkout in Pyodide, as a browser would run it, but without a browser:

       node run_pytest.mjs PYODIDE WHEELS CHECKOUT [argument of pytest]...

   PYODIDE: a folder with Pyodide and the wheels of its own that are needed, here NumPy's.
   WHEELS: a folder with wheels of pure Python: pytest and what the tests import. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, wheels, checkout, ...options] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));

const python = await loadPyodide({
  indexURL: resolve(pyodide) + sep,
  stdout: (line) => console.log(line),
  stderr: (line) => console.error(line),
  // Nothing is written into the checkout.
  env: { PYTHONDONTWRITEBYTECODE: "1", HYPOTHESIS_STORAGE_DIRECTORY: "/tmp/hypothesis" },
});
await python.loadPackage("numpy", { messageCallback() {} });

const packages = python.runPython("import sysconfig; sysconfig.get_path('purelib')");
for (const wheel of readdirSync(wheels)) {
  const content = new Uint8Array(readFileSync(join(wheels, wheel)));
  python.unpackArchive(content, "wheel", { extractDir: packages });
}
python.mountNodeFS("/checkout", resolve(checkout));

// WebAssembly has no signals to catch crashes with, and no file descriptors to capture.
python.globals.set("options", ["-p", "no:faulthandler", "--capture=sys", ...options]);
const failed = python.runPython(`
import os
import sys

import pytest

os.chdir("/checkout")
os.mkdir("/tmp/cache")
int(pytest.main([*options, "-o", "cache_dir=/tmp/cache"]))
`);
process.exit(failed);
