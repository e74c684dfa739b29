import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readmeTables, splitTable } from "../scripts/readme-tables.ts";
import { servers } from "../server.ts";
import { operations } from "../src/operations/index.ts";
import { REPOSITORY } from "./support/repository.ts";

const readme = readFileSync(join(REPOSITORY, "README.md"), "utf8");
const rows = (name: string) => splitTable(readme, name)[1];

test.each(Object.entries(readmeTables))("the README lists all %s as they are declared", (name, declared) => {
	expect(rows(name), "node scripts/run-ts.mjs scripts/fill-readme.ts writes them anew").toEqual(declared);
});

test("its tables say what a reader looks for", () => {
	const firstCells = (name: string) => rows(name).map((row) => row.split("|")[1]?.trim());
	expect(firstCells("servers")).toEqual(servers.map(({ id }) => id));
	expect(rows("servers")[0]).toBe("| typescript | ts, tsx, mts, cts, … | pull |");
	expect(firstCells("operations")).toHaveLength(operations.length);
	for (const row of Object.values(readmeTables).flat()) expect(row).not.toMatch(/undefined|\n/);
});
