import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { servers } from "../../server.ts";
import { languages } from "../live/languages.ts";
import { REPOSITORY } from "../support/repository.ts";

/** The rows of the last table of docs/languages.md below its heads, cell by cell. */
const [, part = ""] = readFileSync(join(REPOSITORY, "docs/languages.md"), "utf8").split(
	"## Language servers that were run",
);
const rows = part
	.split("\n")
	.filter((line) => line.startsWith("| "))
	.slice(2)
	.map((line) =>
		line
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);

test("docs/languages.md has every server that is driven, and `npm run matrix` rewrites it", () => {
	expect(rows.map(([server]) => server)).toEqual(languages.map(({ server }) => server));
});

test("the unmeasured servers have no figures, and all others have them", () => {
	for (const [server, , , strategy = "", cold = "", warm = "", result = ""] of rows) {
		const measured = result === "checked";
		expect([server, /^(checked|FAILED|absent: `.+` is not installed)$/.test(result)]).toEqual([server, true]);
		for (const figure of [cold, warm]) expect([server, /^\d+(\.\d)?$/.test(figure)]).toEqual([server, measured]);
		expect(strategy).toBe(measured ? languages.find((language) => language.server === server)?.strategy : "");
	}
});

test("every server that is driven is in the registry, which declares no other strategy, and is driven once", () => {
	const driven = languages.map(({ server }) => server);
	expect(new Set(driven).size).toBe(driven.length);
	for (const { server: id, strategy } of languages) {
		const known = servers.find((server) => server.id === id);
		expect([id, known?.strategy ?? strategy]).toEqual([id, strategy]);
	}
});
