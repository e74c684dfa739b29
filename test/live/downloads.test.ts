import { chmodSync, cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { withWorkspace } from "../support/workspace.ts";

/** A project without types of its own, and an `npm` that records its arguments. */
function files(typescript?: string): Record<string, string> {
	const devDependencies = typescript === undefined ? {} : { devDependencies: { typescript } };
	return {
		"package.json": JSON.stringify({ name: "p", dependencies: { lodash: "4" }, ...devDependencies }),
		"a.js": 'const lodash = require("lodash");\nlodash.chunk([]);\nmodule.exports = { lodash };\n',
		"bin/npm": '#!/bin/sh\necho "$@" >> "$(dirname "$0")/asked"\nexit 1\n',
	};
}

test.each([
	["TypeScript 7", undefined],
	["TypeScript 5", "5.9.3"],
])("%s downloads no types without a request", (_, typescript) =>
	withWorkspace(files(typescript), async (ws) => {
		// Entries of PATH inside the workspace do not count: the folder is next to it.
		const bin = join(ws.root, "..", "npm-bin");
		cpSync(join(ws.root, "bin"), bin, { recursive: true });
		chmodSync(join(bin, "npm"), 0o755);
		const env = { ...ws.env, PATH: `${bin}:${ws.env.PATH ?? process.env.PATH}` };
		// With the setting, npm runs as soon as the project is loaded, and the next answer comes after that.
		for (let i = 0; i < 5; i++) expect((await ws.cli(["hover", "a.js", "2:1"], { env })).code).toBe(0);
		const asked = join(bin, "asked");
		expect(existsSync(asked) ? readFileSync(asked, "utf8") : "").toBe("");
	}),
);
