import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/findings.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { folder, isThere, type Language, languages, serverPath } from "./languages.ts";

const rounds = 5;

describe("real servers: an error is told when it is there, and only then", () => {
	for (const language of languages) {
		const missing = [language.program, language.prerequisite].find((name) => name !== undefined && !isThere(name));
		const title = `${language.server} by ${language.strategy}`;
		if (missing === undefined) test(title, () => alternate(language));
		else test.skip(`${title}: ${missing} is not installed`);
	}
});

async function alternate(language: Language): Promise<void> {
	const { server, strategy, project, packages = [], file, right, wrong, line, says } = language;
	await withWorkspace({ ...project, [file]: right }, async (workspace) => {
		for (const name of packages) {
			mkdirSync(workspace.path("node_modules"), { recursive: true });
			symlinkSync(join(folder, "node_modules", name), workspace.path("node_modules", name));
		}
		const env = { ...workspace.env, PATH: [...serverPath, workspace.env.PATH].join(delimiter) };
		const ask = () => check(workspace, file, language.trust ? trusting(env) : env);
		const own = expect.objectContaining({ id: server, strategy, state: "fresh" });
		expect((await ask()).servers).toContainEqual(own);
		for (let round = 0; round < rounds; round++) {
			workspace.write(file, wrong);
			const [broken] = (await ask()).files;
			expect(broken).toMatchObject({ state: "fresh" });
			expect(broken?.diagnostics.map((found) => [found.line, JSON.stringify(found)])).toContainEqual([
				line,
				expect.stringContaining(says),
			]);
			workspace.write(file, right);
			expect((await ask()).files).toMatchObject([{ state: "fresh", diagnostics: [] }]);
		}
	});
}

/** What a person sets who trusts the repository; cargo asks no registry. */
function trusting(env: Environment): Environment {
	const toolchain = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
	return { ...env, PI_LSP_TRUST: "1", CARGO_NET_OFFLINE: "true", RUSTUP_HOME: toolchain };
}

type Environment = Readonly<Record<string, string>>;

async function check(ws: Workspace, file: string, env: Environment): Promise<CheckReport> {
	const { stdout } = await ws.cli(["check", file, "--json", "--timeout", "40000"], { env });
	return JSON.parse(stdout) as CheckReport;
}
