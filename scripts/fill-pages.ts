// node scripts/run-ts.mjs scripts/fill-pages.ts: rewrites schema.json and the tables of the pages from the declarations.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configSchema } from "./config-schema.ts";
import { pageTables, splitTable } from "./page-tables.ts";

const file = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

for (const [name, { page, rows }] of Object.entries(pageTables)) {
	const [before, , after] = splitTable(readFileSync(file(page), "utf8"), name);
	writeFileSync(file(page), `${before}${rows.map((row) => `${row}\n`).join("")}${after}`);
}
writeFileSync(file("schema.json"), `${JSON.stringify(configSchema(), null, "\t")}\n`);
execFileSync("npx", ["biome", "format", "--write", file("schema.json")], { stdio: "inherit" });
