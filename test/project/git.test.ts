import { expect, test } from "vitest";
import { filesAt } from "../../src/project/git.ts";
import { commitAll } from "../changes/repository.ts";
import { withWorkspace } from "../support/workspace.ts";

test("All files of a revision are found among many, however long their paths are", () => {
	const names = Array.from({ length: 1500 }, (_, index) => `${"long/".repeat(20)}f${index}.ts`);
	return withWorkspace(Object.fromEntries(names.map((name) => [name, ""])), async (ws) => {
		commitAll(ws);
		const options = { workspace: ws.root, env: process.env, signal: new AbortController().signal, maxBytes: 1 };
		const paths = names.map((name) => ws.path(name));
		expect((await filesAt("HEAD", [...paths, ws.path("none.ts")], options)).size).toBe(names.length);
	});
});
