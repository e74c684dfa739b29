// node scripts/run-ts.mjs scripts/fill-readme.ts: writes the tables of the README anew from what is declared.
import { readFileSync, writeFileSync } from "node:fs";
import { readmeTables, splitTable } from "./readme-tables.ts";

const file = new URL("../README.md", import.meta.url);
let readme = readFileSync(file, "utf8");
for (const [name, rows] of Object.entries(readmeTables)) {
	const [before, , after] = splitTable(readme, name);
	readme = `${before}${rows.map((row) => `${row}\n`).join("")}${after}`;
}
writeFileSync(file, readme);
