import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "../support/repository.ts";
import { survive } from "./execute.ts";
import type { TestProof } from "./row.ts";
import { rows } from "./rows.ts";
import { sabotages } from "./sabotages.ts";

/** The rows that prove most for their time; `npm run faults` runs all of them. */
const sampled = ["A7", "A10", "B1", "B3", "C4", "C7", "C12", "C16", "D2", "D6", "D7", "E5", "G4", "G9", "G10"];

describe("a fault is survived:", () => {
	for (const row of rows.filter(({ id }) => sampled.includes(id)))
		test(`${row.id} ${row.title}`, { timeout: 90_000 }, () => survive(row).then(() => {}));
});

test("every row of the groups is in the table once", () => {
	const groups: Readonly<Record<string, number>> = { A: 17, B: 8, C: 19, D: 16, E: 13, F: 10, G: 18, H: 45 };
	const ids = rows.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const [group, count] of Object.entries(groups))
		expect(ids.filter((id) => id[0] === group)).toEqual(Array.from({ length: count }, (_, i) => `${group}${i + 1}`));
});

test("every proof of a row is in the file that it names, and names rows that are injected", () => {
	const injected = new Set(rows.filter(({ run }) => typeof run === "function").map(({ id }) => id));
	const astray = rows.flatMap(({ id, run }) => {
		if (typeof run !== "object") return [];
		const { tests = [], rows: others = [] } = run;
		if (tests.length + others.length === 0) return [`${id} has no proof`];
		return [
			...tests.filter((proof) => !stands(proof)).map(({ file, title }) => `${id} ${file}: ${title}`),
			...others.filter((other) => !injected.has(other)).map((other) => `${id} ${other}`),
		];
	});
	expect(astray).toEqual([]);
});

/** True if a title is in a file that the suite runs, or in a table next to it that it imports. */
function stands({ file, title }: TestProof): boolean {
	const path = join(REPOSITORY, file);
	if (!file.endsWith(".test.ts") || !existsSync(path)) return false;
	const text = readFileSync(path, "utf8");
	const tables = [...text.matchAll(/ from "\.\/([\w-]+\.ts)"/g)].map(([, name]) => join(path, "..", name ?? ""));
	return [text, ...tables.map((table) => readFileSync(table, "utf8"))].some((each) => each.includes(title));
}

test("every guard that can be removed is in its file exactly once, and so is its row", () => {
	const astray = sabotages.flatMap(({ name, row, file, from, also }) => {
		const text = readFileSync(join(REPOSITORY, file), "utf8");
		const isFound = [from, ...(also ? [also.from] : [])].every((guard) => text.split(guard).length === 2);
		return isFound && rows.some(({ id }) => id === row) ? [] : [`${row} ${name}`];
	});
	expect(astray).toEqual([]);
});
