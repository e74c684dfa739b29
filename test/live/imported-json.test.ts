import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const compilerOptions = { strict: true, types: [], noEmit: true, module: "esnext", moduleResolution: "bundler" };

describe.skipIf(!isThere("vscode-json-language-server"))(
	"JSON that a script imports breaks it as the compiler says, at each edit",
	() => {
		test.each(["^7.0.0", "^5.9.0"])("with TypeScript %s", (typescript) => {
			const files = {
				"package.json": JSON.stringify({ name: "sample", devDependencies: { typescript } }),
				"tsconfig.json": JSON.stringify({ compilerOptions: { ...compilerOptions, resolveJsonModule: true } }),
				"d.json": `{ "a": 1 }`,
				"m.ts": `import d from "./d.json";\nexport const n: number = d.a;\n`,
			};
			return withWorkspace(files, async (ws) => {
				const env = withServers(ws.env);
				const broken = async (...args: string[]) => {
					const { stdout } = await ws.cli(["check", ...args, "--format", "json"], { env });
					const found = (JSON.parse(stdout) as CheckReport).files.find(({ path }) => path === "m.ts");
					return found?.diagnostics.map(({ line, code }) => `${line} ${code}`) ?? [];
				};
				expect(await broken("m.ts")).toEqual([]);
				ws.write("d.json", `{ "a": "x" }`);
				expect(await broken("d.json", "--scope", "affected")).toEqual(["2 2322"]);
				ws.write("d.json", `{ "b": "x" }`);
				expect(await broken("d.json", "--scope", "affected")).toEqual(["2 2339"]);
				expect(await broken("m.ts")).toEqual(["2 2339"]);
			});
		});
	},
);
