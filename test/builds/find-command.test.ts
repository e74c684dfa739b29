import { expect, test } from "vitest";
import { findCommand } from "../../src/builds/find-command.ts";
import { type Files, withWorkspace } from "../support/workspace.ts";

const declaring = (...runners: string[]): Files => ({
	"package.json": JSON.stringify({ devDependencies: Object.fromEntries(runners.map((name) => [name, "*"])) }),
});

function found(files: Files, tool?: string) {
	return withWorkspace(files, ({ root, env }) => {
		const request = { directory: root, workspace: root, env, report: "r", chosen: undefined };
		return findCommand("test", { ...request, tool, language: undefined });
	});
}

test("A test runner that no script names is detected, and selected by its own name", async () => {
	expect(await found(declaring("jest"))).toMatchObject({
		tool: "jest",
		command: { words: expect.arrayContaining(["jest"]) },
	});
	expect(await found(declaring("vitest"))).toMatchObject({ tool: "vitest", others: [] });
	expect(await found(declaring("vitest", "jest"))).toMatchObject({ tool: "vitest", others: ["jest"] });
	expect(await found(declaring("vitest", "jest"), "jest")).toMatchObject({ tool: "jest", others: [] });
});
