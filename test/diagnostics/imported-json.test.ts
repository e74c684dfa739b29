import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { withProject } from "./project.ts";

const compilerOptions = { strict: true, types: [], noEmit: true, module: "esnext", moduleResolution: "bundler" };

const files = {
	"tsconfig.json": JSON.stringify({ compilerOptions: { ...compilerOptions, resolveJsonModule: true } }),
	"d.json": `{ "a": 1 }`,
	"m.ts": `import d from "./d.json";\nexport const n: number = d.a;\n`,
};

test("An edit of JSON without a server of its own reports the scripts that it breaks", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, ...files }, async (ws) => {
		const broken = async (...args: string[]) => {
			const { stdout } = await ws.cli(["check", ...args, "--format", "json"]);
			const { files: found } = JSON.parse(stdout) as CheckReport;
			return found.flatMap(({ path, diagnostics }) => diagnostics.map(({ code }) => `${path} ${code}`));
		};
		expect(await broken("m.ts")).toEqual([]);
		ws.write("d.json", `{ "a": "x" }`);
		expect(await broken("d.json", "--scope", "affected")).toEqual(["m.ts 2322"]);
		ws.write("d.json", `{ "a": 2 }`);
		expect(await broken("d.json", "--scope", "affected")).toEqual([]);
	}));

test("The JSON before an edit is shown to TypeScript as JSON, not as a script", () =>
	withProject(files, async ({ edit, check }) => {
		const codes = (report: CheckReport) =>
			report.files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
		expect(codes(await edit("d.json", `{ "a": "x" }`))).toEqual(["2322"]);
		expect(codes(await check(["m.ts"]))).toEqual(["2322"]);
		expect(codes(await edit("d.json", `{ "a": 2 }`))).toEqual([]);
		expect(codes(await check(["m.ts"]))).toEqual([]);
	}));
