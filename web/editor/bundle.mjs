// Bundles the editor into one file, with the licences of all that is in it. Called by `cargo xtask codemirror`.

import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

process.chdir(import.meta.dirname);
const [out, stamp] = process.argv.slice(2);
const { metafile, outputFiles } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/element.js"],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  metafile: true,
  write: false,
  // CodeMirror parses for 100 ms at a time where the browser can say that a key waits. A frame is shorter than that.
  define: { "navigator.scheduling": "undefined" },
});

const packages = new Map();
for (const input of Object.keys(metafile.inputs)) {
  const folder = input.match(/^node_modules\/(@[^/]+\/)?[^/]+/)?.[0];
  if (folder) packages.set(folder, JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}
const byLicence = new Map();
for (const [folder, { name, version, license }] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
  if (license !== "MIT") throw new Error(`${name} is under ${license}, not under MIT`);
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  byLicence.set(text, [...(byLicence.get(text) ?? []), `${name} ${version}`]);
}
const licences = [...byLicence].map(([text, names]) => `${names.join(", ")}\n\n${text}`);
writeFileSync(out, `/*! ${stamp}\n\n${licences.join("\n\n---\n\n")}\n*/\n${outputFiles[0].text}`);
