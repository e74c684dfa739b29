import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/findings.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, type Language, languages, serverPath } from "./languages.ts";

const rounds = 5;

describe("real servers: an error is told when it is there, and only then", () => {
	for (const language of languages) {
		const missing = [language.program, language.prerequisite].find((name) => name !== undefined && !isThere(name));
		const title = `${language.server} by ${language.strategy}`;
		if (missing === undefined) test(title, () => alternate(language));
		else test.skip(`${title}: ${missing} is not installed`);
	}
});

async function alternate({ server, strategy, project, file, right, wrong, line, says }: Language): Promise<void> {
	await withWorkspace({ ...project, [file]: right }, async (ws) => {
		expect((await check(ws, file)).servers).toEqual([
			expect.objectContaining({ id: server, strategy, state: "fresh" }),
		]);
		for (let round = 0; round < rounds; round++) {
			ws.write(file, wrong);
			const [broken] = (await check(ws, file)).files;
			expect(broken).toMatchObject({ state: "fresh" });
			expect(broken?.diagnostics.map((found) => [found.line, JSON.stringify(found)])).toContainEqual([
				line,
				expect.stringContaining(says),
			]);
			ws.write(file, right);
			expect((await check(ws, file)).files).toMatchObject([{ state: "fresh", diagnostics: [] }]);
		}
	});
}

async function check(ws: Workspace, file: string): Promise<CheckReport> {
	const env = { ...ws.env, PATH: [...serverPath, ws.env.PATH].join(delimiter) };
	const { stdout } = await ws.cli(["check", file, "--json", "--timeout", "20000"], { env });
	return JSON.parse(stdout) as CheckReport;
}
