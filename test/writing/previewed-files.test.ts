import { createHash } from "node:crypto";
import { watch } from "node:fs";
import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { commitAll } from "../changes/repository.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const GREET = "export function greet(name: string): string {\n\treturn name;\n}\nexport const old: number = 'x';\n";
const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "graceMs": 20000, "coldMs": 60000, "warmMs": 60000 }`,
	"src/greet.ts": GREET,
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\nexport const older: number = loud;\n`,
	"src/more.ts": `export { greet as welcome } from "./greet.ts";\n`,
	"src/far.ts": `import { welcome } from "./more.ts";\n\nwelcome("far");\n`,
};

const EDITS: Readonly<Record<string, string>> = {
	"its own body breaks": GREET.replace("return name", "return nam"),
	"its users break": GREET.replace("name: string", "name: number"),
	"an export goes": GREET.replace("function greet", "function greeting"),
	"an old error goes": GREET.replace("'x'", "1"),
	"nothing changes for anybody": GREET.replace("return name", "return name + name"),
};
const BREAKING = EDITS["its users break"]!;
const fromInput = ["--content", "-"] as const;

/** The lines inside `<diagnostics>`, each with its file, in order. */
function linesInBlocks(text: string): string[] {
	const blocks = text.match(/<diagnostics.*?<\/diagnostics>/gs) ?? [];
	return blocks
		.flatMap((block) => {
			const [head, ...lines] = block.split("\n");
			return lines.slice(0, -1).map((line) => `${head} ${line}`);
		})
		.sort();
}

test("a preview shows the lines of a check after the edit is written, existing errors among them", () =>
	withWorkspace(PROJECT, async (ws) => {
		commitAll(ws);
		await ws.cli(["check", "src/greet.ts", "src/app.ts", "src/far.ts"]);
		for (const [what, text] of Object.entries(EDITS)) {
			const previewed = await ws.cli(["preview", "src/greet.ts", ...fromInput], { input: text });
			ws.write("src/greet.ts", text);
			const written = await ws.cli(["check", "src/greet.ts", "--scope", "affected"]);
			ws.write("src/greet.ts", GREET);
			await ws.cli(["check", "src/greet.ts", "--scope", "affected"]);
			expect(linesInBlocks(previewed.stdout), what).toEqual(linesInBlocks(written.stdout));
		}
	}));

test("a preview judges all users of a file, however many they are", () => {
	const users = Array.from({ length: 60 }, (_, index) => [
		`src/user-${index}.ts`,
		`import { greet } from "./greet.ts";\n\nexport const said = greet("${index}");\n`,
	]);
	return withWorkspace({ ...PROJECT, ...Object.fromEntries(users) }, async (ws) => {
		const { stdout } = await ws.cli(["preview", "src/greet.ts", ...fromInput, "--json"], { input: BREAKING });
		expect(JSON.parse(stdout)).toMatchObject({ new: 63, omitted: { files: 0 } });
	});
});

test("a preview causes no event that a watcher of the tree could see", () =>
	withWorkspace(PROJECT, async (ws) => {
		const seen = new Set<string>();
		const watchers = [".", "src"].map((directory) =>
			watch(ws.path(directory), (_, name) => void seen.add(`${directory}/${name}`)),
		);
		const last = ["./last", "src/last"];
		try {
			await ws.cli(["preview", "src/greet.ts", ...fromInput], { input: BREAKING });
			await ws.cli(["preview", "src/new.ts", ...fromInput], { input: "export const fresh = 1;\n" });
			for (const file of last) ws.write(file, "");
			await until("the last files are seen", () =>
				last.every((file) => seen.has(file)) ? met(true) : notYet([...seen].join(", ")),
			);
			expect([...seen].sort()).toEqual(last);
		} finally {
			for (const watcher of watchers) watcher.close();
		}
	}));

test("a preview reports files without a server as not proven, and an edit without effect as such", () =>
	withWorkspace({ ...PROJECT, "notes.txt": "one\n" }, async (ws) => {
		const words = ["preview", "notes.txt", ...fromInput];
		const unjudged = await ws.cli([...words, "--json"], { input: "two\n" });
		expect(JSON.parse(unjudged.stdout)).toMatchObject({
			...{ new: 0, netDelta: 0, judged: {} },
			files: [{ path: "notes.txt", role: "edited", state: "unsupported" }],
		});
		expect(unjudged.code).toBe(3);
		const shown = await ws.cli(words, { input: "two\n" });
		expect(shown.stdout).toContain("Nothing was written. Nothing judges these files.");
		const same = await ws.cli(["preview", "src/greet.ts", ...fromInput], { input: GREET });
		expect(same.stdout).toBe("Nothing was written. It would change nothing.\n");
		expect(same.code).toBe(0);
	}));

test("a preview cites the hash of each judged file's bytes, a byte order mark among them", () =>
	withWorkspace(
		{ ...PROJECT, "src/app.ts": `\ufeff${PROJECT["src/app.ts"]}`, "src/greet.ts": `\ufeff${GREET}` },
		async (ws) => {
			const { stdout } = await ws.cli(["preview", "src/greet.ts", ...fromInput, "--json"], { input: BREAKING });
			const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
			expect(JSON.parse(stdout).judged).toMatchObject({
				"src/greet.ts": sha256(`\ufeff${BREAKING}`),
				"src/app.ts": sha256(ws.read("src/app.ts")),
				"src/far.ts": sha256(ws.read("src/far.ts")),
			});
		},
	));

test("a preview shows after an error the declaration that does not fit, with the text of the edit", () =>
	withWorkspace(PROJECT, async (ws) => {
		const edits = [
			{ file: "src/app.ts", old_text: 'greet("you")', new_text: "greet(1)" },
			{ file: "src/greet.ts", old_text: "// one", new_text: "// two" },
		];
		ws.write("src/greet.ts", `// one\n${GREET}`);
		const words = (some: readonly object[]) => some.flatMap((each) => ["--edits", JSON.stringify(each)]);
		// The server has 150 ms for it.
		const declared = (run: () => Promise<{ readonly stdout: string }>) =>
			until("a declaration is shown", async () => {
				const { files } = JSON.parse((await run()).stdout) as CheckReport;
				const [found] = files.flatMap(({ diagnostics }) => diagnostics.flatMap((item) => item.declared ?? []));
				return found ? met(found) : notYet("no declaration");
			});
		const text = "greet(name: string): string";
		const previewed = await declared(() => ws.cli(["preview", ...words(edits), "--json"]));
		expect(previewed).toEqual({ text, path: "src/greet.ts", line: 2 });
		const further = [edits[0] ?? {}, { file: "src/greet.ts", old_text: "// one\n", new_text: "// one\n// two\n" }];
		const moved = await declared(() => ws.cli(["preview", ...words(further), "--json"]));
		expect(moved).toEqual({ text, path: "src/greet.ts", line: 3 });
		ws.write("src/app.ts", ws.read("src/app.ts").replace('greet("you")', "greet(1)"));
		expect(await declared(() => ws.cli(["check", "src/app.ts", "--json"]))).toEqual(previewed);
	}));

test("a preview reports the components that import an edited script as unknown if their server is missing", () =>
	withWorkspace(
		{ ...PROJECT, "src/Price.vue": '<script setup lang="ts">\nimport { greet } from "./greet.ts";\n</script>\n' },
		async (ws) => {
			const words = ["preview", "src/greet.ts", "--old-text", "function greet", "--new-text", "function greeting"];
			const { stdout, code } = await ws.cli(words);
			expect(stdout).toMatch(/src\/Price\.vue: not checked/);
			expect(code).toBe(1);
			const deleted = await ws.cli(["preview", "src/greet.ts", "--deleted"]);
			expect(deleted.stdout).toMatch(/src\/Price\.vue: not checked/);
		},
	));
