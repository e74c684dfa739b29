import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const rounds = 4;
const count = 40;
/** The files are more than references are followed through: only the second search comes to the end. */
const chain = ["b", "c", "e", "g", "h"];
const users = Array.from({ length: count }, (_, index) => `pkg/d${index}.py`);

describe.skipIf(!isThere("ty"))("ty: many files that depend on the edited one", () => {
	const python = (type: string, value: string) => `def f() -> ${type}:\n    return ${value}\n`;
	const files = {
		"ty.toml": "",
		"pkg/__init__.py": "",
		"pkg/a.py": python("int", "1"),
		...Object.fromEntries(
			chain
				.slice(1)
				.map((name, index) => [`pkg/${name}.py`, `import pkg.${chain[index]}\n\nv = pkg.${chain[index]}.v\n`]),
		),
		"pkg/b.py": "import pkg.a\n\nv = pkg.a.f()\n",
		...Object.fromEntries(
			users.map((name) => [name, `import pkg.${chain.at(-1)}\n\nn: int = pkg.${chain.at(-1)}.v\n`]),
		),
	};

	test("have the errors of the current content, in every round", () =>
		withWorkspace(files, async (ws) => {
			const env = withServers(ws.env);
			const check = async () => {
				const { stdout } = await ws.cli(["check", "pkg/a.py", "--scope", "affected", "--json", "--timeout", "40000"], {
					env,
				});
				const { files: found, servers, omitted } = JSON.parse(stdout) as CheckReport;
				expect(servers).toMatchObject([{ id: "ty", strategy: "pull", state: "fresh" }]);
				expect(omitted.files).toBe(0);
				return found.flatMap(({ path, diagnostics }) => (diagnostics.length ? [path] : [])).sort();
			};
			expect(await check()).toEqual([]);
			for (let round = 0; round < rounds; round++) {
				ws.write("pkg/a.py", python("str", '"1"'));
				expect(await check()).toEqual([...users].sort());
				ws.write("pkg/a.py", python("int", "1"));
				expect(await check()).toEqual([]);
			}
		}));
});
