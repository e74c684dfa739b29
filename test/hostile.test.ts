import { chmodSync, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { write } from "./pi/calls.ts";
import { runPi } from "./pi/run-pi.ts";
import { type Files, type Workspace, withWorkspace } from "./support/workspace.ts";

/** A repository in which everything that could be run leaves a file behind. */
function hostile(marker: string, typescript: string): Files {
	const code = `require("node:fs").appendFileSync(${JSON.stringify(marker)}, "run\\n");`;
	const shell = `#!/bin/sh\necho run >> ${marker}\n`;
	return {
		"package.json": JSON.stringify({ name: "hostile", devDependencies: { typescript, evil: "1" } }),
		"tsconfig.json": JSON.stringify({
			compilerOptions: { strict: true, module: "nodenext", noEmit: true, types: [], plugins: [{ name: "evil" }] },
		}),
		"node_modules/evil/package.json": '{ "name": "evil", "version": "1.0.0", "main": "index.js" }',
		"node_modules/evil/index.js": `${code} module.exports = () => ({ create: (info) => info.languageService });`,
		"node_modules/typescript/package.json": `{ "name": "typescript", "version": "${typescript}", "main": "lib/typescript.js" }`,
		"node_modules/typescript/lib/typescript.js": code,
		"node_modules/typescript/lib/tsserver.js": code,
		"node_modules/typescript/lib/_tsserver.js": code,
		"node_modules/typescript/bin/tsc": shell,
		"node_modules/.bin/tsc": shell,
		"node_modules/.bin/typescript-language-server": shell,
		"node_modules/.bin/vscode-eslint-language-server": shell,
		"node_modules/.bin/node": shell,
		"bin/typescript-language-server": shell,
		"bin/tsc": shell,
		"eslint.config.js": `${code} module.exports = [];`,
		".vscode/settings.json": JSON.stringify({ "typescript.tsdk": "node_modules/typescript/lib" }),
		".pi-lsp.json": JSON.stringify({
			servers: [{ id: "typescript", command: "./bin/tsc", args: [], match: ["ts"], rootMarkers: ["package.json"] }],
		}),
		"src/a.ts": "export const a: number = 1;\n",
	};
}

const programs = ["node_modules/.bin", "bin", "node_modules/typescript/bin"];
const wrong = 'export const a: number = "1";\n';

/** PATH entries that lead into the repository, relative and empty ones included, before the real ones. */
function hostileEnv(ws: Workspace): Record<string, string> {
	for (const directory of programs)
		for (const name of ["tsc", "typescript-language-server", "vscode-eslint-language-server", "node"])
			if (existsSync(ws.path(directory, name))) chmodSync(ws.path(directory, name), 0o755);
	const entries = [ws.path("bin"), "./bin", "", ".", ws.path("node_modules/.bin"), ws.env.PATH ?? ""];
	return { ...ws.env, PATH: entries.join(delimiter) };
}

for (const version of ["5.4.5", "7.0.2"]) {
	test(`a hostile TypeScript ${version} project runs nothing through the command line, and is checked all the same`, async () => {
		await withWorkspace({}, async (ws) => {
			const marker = join(ws.base, "pwned");
			for (const [file, text] of Object.entries(hostile(marker, version))) ws.write(file, text);
			const env = hostileEnv(ws);
			ws.write("src/a.ts", wrong);
			for (const args of [
				["check", "src/a.ts"],
				["check", "src/a.ts", "--no-daemon"],
				["hover", "src/a.ts", "a"],
			]) {
				const { stdout } = await ws.cli(args, { env });
				expect(stdout).toMatch(args[0] === "hover" ? /const a: number/ : /ERROR \[1:14\].*\(ts2322\)/);
			}
			expect(existsSync(marker)).toBe(false);
		});
	});
}

test("a hostile project runs nothing through pi, with pi's default trust", async () => {
	await withWorkspace({}, async (ws) => {
		const marker = join(ws.base, "pwned");
		for (const [file, text] of Object.entries(hostile(marker, "5.4.5"))) ws.write(file, text);
		hostileEnv(ws);
		const run = await runPi(ws, [
			{ calls: [write("src/a.ts", wrong)] },
			{ calls: [{ name: "lsp_hover", arguments: { file: "src/a.ts", symbol: "a" } }] },
			{ text: "Done." },
		]);
		expect(run.result()).toContain("(ts2322)");
		expect(existsSync(marker)).toBe(false);
	});
});
