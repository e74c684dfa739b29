import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "../support/repository.ts";
import { survive } from "./execute.ts";
import { rows } from "./rows.ts";
import { sabotages } from "./sabotages.ts";

/** The rows that tell most for their time; `npm run faults` runs all of them. */
const telling = ["A7", "A10", "B1", "B3", "C4", "C7", "C12", "C16", "D2", "D6", "D7", "E5", "G4", "G9"];

describe("a fault is survived:", () => {
	for (const row of rows.filter(({ id }) => telling.includes(id)))
		test(`${row.id} ${row.title}`, { timeout: 90_000 }, () => survive(row).then(() => {}));
});

test("every row of the groups stands here once", () => {
	const groups: Readonly<Record<string, number>> = { A: 17, B: 8, C: 19, D: 16, E: 13 };
	const ids = rows.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const [group, count] of Object.entries(groups))
		expect(ids.filter((id) => id[0] === group)).toEqual(Array.from({ length: count }, (_, i) => `${group}${i + 1}`));
	expect(ids.filter((id) => id[0] === "G")).toEqual(
		[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17].map((number) => `G${number}`),
	);
});

test("every guard that can be taken out stands where it is looked for, once, and so does its row", () => {
	const astray = sabotages.flatMap(({ name, row, file, from, also }) => {
		const text = readFileSync(join(REPOSITORY, file), "utf8");
		const isFound = [from, ...(also ? [also.from] : [])].every((guard) => text.split(guard).length === 2);
		return isFound && rows.some(({ id }) => id === row) ? [] : [`${row} ${name}`];
	});
	expect(astray).toEqual([]);
});
