import { encode } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import type { ArchitectureReport } from "../../src/operations/architecture.ts";
import { architectureText } from "../../src/render/answers/architecture.ts";
import { mermaidOf, svgOf } from "../../src/render/pictures/architecture.ts";
import { withProject } from "../diagnostics/project.ts";
import { isThere, withServers } from "../live/languages.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const shop = {
	"package.json": '{ "name": "shop", "type": "module", "bin": { "shop": "dist/cli/main.js" } }',
	"tsconfig.json": TYPESCRIPT_PROJECT["tsconfig.json"]?.replace('["src"]', '["src", "test"]') ?? "",
	"src/cli/main.ts": 'import { total } from "../cart/total.ts";\nconsole.log(total([1]));\n',
	"src/cart/total.ts":
		'import { round } from "../money/round.ts";\nimport type { Main } from "../money/kinds.ts";\nexport function total(all: number[]): Main {\n\treturn round(all[0] ?? 0);\n}\n',
	"src/cart/vat.ts": 'import { round } from "../money/round.ts";\nexport const vat = round(1);\n',
	"src/money/round.ts": "export function round(n: number): number {\n\treturn n;\n}\n",
	"src/money/kinds.ts": 'import type { vat } from "../cart/vat.ts";\nexport type Main = typeof vat;\n',
	"test/total.test.ts": 'import { total } from "../src/cart/total.ts";\ntotal([]);\n',
};

/** The folders from the top down as `folder: its dependencies`; dependencies of types alone are in brackets. */
function usesIn({ folders }: ArchitectureReport): string[] {
	return folders.map(({ path, uses }) => {
		const named = uses.map((use) => (use.isUnloaded ? `(${use.path})` : use.path));
		return `${path}: ${named.join(" ")}`;
	});
}

describe("architecture", { timeout: 120_000 }, () => {
	test("maps folders from the top down, entry points and the symbols that most files refer to", () =>
		withProject(shop, async ({ call }) => {
			const report = await call<ArchitectureReport>("architecture", {});
			expect(usesIn(report)).toEqual(["src/cli: src/cart", "src/cart: src/money", "src/money: (src/cart)"]);
			expect(report).toMatchObject({
				path: ".",
				files: 5,
				tests: 1,
				packages: [{ name: "shop", path: ".", files: 5 }],
				circles: [],
				entryPoints: [{ file: "src/cli/main.ts", what: "bin shop" }],
				unread: [],
			});
			expect(report.hotSpots[0]).toEqual({
				...{ symbol: "round", kind: "function", file: "src/money/round.ts", line: 1 },
				...{ files: 2, uses: 2 },
			});
		}));

	test("counts files by the innermost package, leaves out excluded ones, and names the languages that it does not read", () => {
		const others = Array.from({ length: 40 }, (_, index) => [`packages/b/more/${index}.ts`, "export {};\n"] as const);
		return withProject(
			{
				".pi-lsp.json": '{ "exclude": ["generated/**"] }',
				"package.json": '{ "name": "root", "private": true, "type": "module", "workspaces": ["packages/*"] }',
				"generated/big.ts": "export {};\n",
				"packages/a/package.json": '{ "name": "@s/a", "type": "module" }',
				"packages/a/one.ts":
					'import "./two.ts";\nimport { b } from "../b/b.ts";\nimport type { B } from "../b/b.ts";\nexport const a: B = b;\n',
				"packages/a/two.ts": "export {};\n",
				"packages/b/package.json": '{ "name": "@s/b", "type": "module" }',
				"packages/b/b.ts": "export type B = number;\nexport const b: B = 1;\n",
				...Object.fromEntries(others),
				"packages/b/one.lua": "return 1\n",
				"packages/b/one.hs": "main = print 1\n",
				"packages/b/two.hs": "main = print 1\n",
				"packages/b/three.hs": "main = print 1\n",
			},
			async ({ call }) => {
				const { packages, folders, unread } = await call<ArchitectureReport>("architecture", {});
				expect(packages.map(({ name, files, uses }) => [name, files, uses])).toEqual([
					["root", 0, []],
					["@s/a", 2, ["@s/b"]],
					["@s/b", 45, []],
				]);
				expect(folders.find(({ path }) => path === "packages/a")?.uses[0]).not.toHaveProperty("isUnloaded");
				expect(unread).toEqual([{ path: "*.hs", reason: "the imports of this language are not read" }]);
			},
		);
	});

	test("counts as hot spots exported symbols that other files of the code use, not those that only tests or their own file use", () =>
		withProject(
			{
				...shop,
				"src/money/round.ts":
					"export function round(n: number): number {\n\treturn inner(n);\n}\nexport function inner(n: number): number {\n\treturn n;\n}\nfunction total(n: number): number {\n\treturn n;\n}\ntotal(inner(round(1)));\n",
				"test/round.test.ts": 'import { inner, round } from "../src/money/round.ts";\nround(inner(1));\n',
			},
			async ({ call }) => {
				const { hotSpots } = await call<ArchitectureReport>("architecture", {});
				expect(hotSpots.filter(({ file }) => file === "src/money/round.ts")).toEqual([
					{ symbol: "round", kind: "function", file: "src/money/round.ts", line: 1, files: 2, uses: 2 },
				]);
				expect(hotSpots.map(({ kind, symbol }) => `${kind} ${symbol}`)).toContain("type Main");
			},
		));

	test("names a circle of loaded imports, with the files that close it", () =>
		withProject(
			{
				...shop,
				"src/money/kinds.ts":
					'import { vat } from "../cart/vat.ts";\nexport type Main = number;\nexport const v = vat;\n',
			},
			async ({ call }) => {
				const { circles } = await call<ArchitectureReport>("architecture", {});
				expect(circles).toEqual([
					{
						folders: ["src/cart", "src/money"],
						imports: [
							{ from: "src/cart/total.ts", to: "src/money/round.ts" },
							{ from: "src/money/kinds.ts", to: "src/cart/vat.ts" },
						],
						all: 2,
					},
				]);
			},
		));

	test("maps one directory, with more folders if they are requested, and draws it", () =>
		withWorkspace({ ...TYPESCRIPT_PROJECT, ...shop }, async (ws) => {
			const one = await ws.cli(["architecture", "src/cart", "--json"]);
			expect(JSON.parse(one.stdout)).toMatchObject({ path: "src/cart", files: 2, folders: [{ path: "src/cart" }] });
			const mermaid = await ws.cli(["architecture", "--mermaid"]);
			expect(mermaid.stdout).toBe(
				'graph TD\n  n0["src/cli (1)"]\n  n1["src/cart (2)"]\n  n2["src/money (2)"]\n  n0 --> n1\n  n1 --> n2\n',
			);
			const svg = await ws.cli(["architecture", "--svg"]);
			expect(svg.stdout).toMatch(/^<svg [\s\S]*src\/cart 2[\s\S]*<\/svg>\n$/);
			const file = await ws.cli(["architecture", "src/cart/vat.ts"]);
			expect(file.stderr).toContain("LSP_INVALID_INPUT");
			expect((await ws.cli(["architecture", "nowhere"])).stderr).toContain("LSP_FILE_NOT_FOUND");
			expect((await ws.cli(["architecture", "../.."])).stderr).toContain("LSP_OUTSIDE_WORKSPACE");
		}));

	test.skipIf(!isThere("gopls"))(
		"recognizes packages of a Go module by their names, and where processes start (gopls)",
		() =>
			withWorkspace(
				{
					"go.mod": "module example.org/shop\n\ngo 1.21\n",
					"cmd/shop/main.go": 'package main\n\nimport "example.org/shop/cart"\n\nfunc main() { cart.Total() }\n',
					"cart/cart.go":
						'package cart\n\nimport "example.org/shop/money"\n\nfunc Total() int { return money.Round(1) }\n',
					"money/money.go": "package money\n\nfunc Round(n int) int { return n }\n",
				},
				async (ws) => {
					const { stdout } = await ws.cli(["architecture", "--json"], { env: withServers(ws.env), timeoutMs: 100_000 });
					const report = JSON.parse(stdout) as ArchitectureReport;
					expect(usesIn(report)).toEqual(["cmd/shop: cart", "cart: money", "money: "]);
					expect(report.entryPoints).toEqual([{ file: "cmd/shop/main.go", what: "main" }]);
					expect(report.hotSpots.map(({ symbol }) => symbol).sort()).toEqual(["Round", "Total"]);
				},
			),
	);
});

describe("the text of a map", () => {
	const names = Array.from({ length: 120 }, (_, index) => `packages/some-package-${index}/source/directory`);
	const huge: ArchitectureReport = {
		...{ path: ".", files: 9000, tests: 4000, languages: [{ name: "ts", files: 9000 }] },
		packages: names.map((name) => ({
			name: `@scope/${name}`,
			path: name,
			kind: "npm",
			files: 75,
			uses: names.slice(0, 30),
		})),
		folders: names.map((path, index) => ({
			...{ path, files: 75, level: 120 - index },
			uses: names.slice(index + 1).map((to) => ({ path: to, imports: 3 })),
		})),
		circles: names.map((name) => ({ folders: [name, "a"], imports: [{ from: name, to: "a" }], all: 30 })),
		entryPoints: names.map((file) => ({ file, what: "main" })),
		hotSpots: names.map((file) => ({ symbol: "aSymbol", kind: "function", file, line: 1, files: 30, uses: 60 })),
		unread: names.map((path) => ({ path, reason: "its server did not answer within 60 s" })),
	};

	test("has at most 1,500 tokens, however large the project", () => {
		const text = architectureText(huge);
		expect(encode(text).length).toBeLessThanOrEqual(1500);
		expect(text).toContain("folders, from the top down");
		expect(text).toContain("most referred to:");
		expect(text).toMatch(/\.\.\. and \d+ more/);
	});

	test("names packages once that are folders of the same name", () => {
		const packages = ["a", "b"].map((name) => ({
			name,
			path: `crates/${name}`,
			kind: "cargo" as const,
			files: 1,
			uses: [],
		}));
		const folders = [{ path: "crates/a", files: 1, level: 0, uses: [] }];
		const text = architectureText({ ...huge, packages, folders });
		expect(text).toContain("packages (files: what they use):\n  b  crates/b 1\n");
		expect(text).not.toContain("a  crates/a");
	});

	test("keeps a hostile name within its picture", () => {
		const folders = [{ path: 'a"]<b>&--> x', files: 1, level: 0, uses: [] }];
		expect(mermaidOf({ ...huge, folders })).toBe('graph TD\n  n0["a#34;]#60;b#62;#38;--#62; x (1)"]');
		expect(svgOf({ ...huge, folders })).toContain("a&quot;]&lt;b&gt;&amp;--&gt; x 1</text>");
	});

	test("draws boxes that hold their names and do not overlap, all of it within the picture", () => {
		const svg = svgOf(huge);
		const [, ...size] = /width="(\d+)" height="(\d+)"/.exec(svg)?.map(Number) ?? [];
		const box = /<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"[^>]*><text x="(\d+)"[^>]*>([^<]*)</g;
		const boxes = [...svg.matchAll(box)].map(([, x, y, width, height, at, name = ""]) => {
			const [left, top, textStart] = [Number(x), Number(y), Number(at)];
			return { left, top, right: left + Number(width), bottom: top + Number(height), textStart, name };
		});
		expect(boxes).toHaveLength(huge.folders.length);
		for (const { left, right, top, bottom, textStart, name } of boxes) {
			// DejaVu Sans Mono, the widest of the usual fonts, takes 0.602 of its size for a letter.
			expect(textStart + name.length * 12 * 0.602).toBeLessThanOrEqual(right);
			expect([left >= 0, top >= 0, right <= (size[0] ?? 0), bottom <= (size[1] ?? 0)]).not.toContain(false);
		}
		for (const one of boxes)
			expect(
				boxes.filter((other) => other.top === one.top && other.left < one.right && one.left < other.right),
			).toEqual([one]);
		const lines = [...svg.matchAll(/<path d="M(\S+) (\S+)C\S+ \S+ \S+ \S+ (\S+) (\S+)" fill="none"/g)];
		expect(lines.length).toBeGreaterThan(100);
		for (const [, ...ends] of lines) {
			const [x1 = -1, y1 = -1, x2 = -1, y2 = -1] = ends.map(Number);
			expect(boxes.some((each) => each.bottom === y1 && each.left < x1 && x1 < each.right)).toBe(true);
			expect(boxes.some((each) => each.top === y2 && each.left < x2 && x2 < each.right)).toBe(true);
		}
	});

	test("draws no arrow that follows from others, and marks those of circles", () => {
		const uses = (...paths: string[]) => paths.map((path) => ({ path, imports: 1 }));
		const folders = [
			{ path: "a", files: 1, level: 2, uses: uses("b", "c", "d") },
			{ path: "b", files: 1, level: 1, uses: uses("c", "d") },
			{ path: "c", files: 1, level: 1, uses: uses("b") },
			{ path: "d", files: 1, level: 0, uses: [] },
		];
		const [, ...lines] = mermaidOf({ ...huge, folders }).split("\n");
		expect(lines.slice(4)).toEqual(["  n0 --> n1", "  n0 --> n2", "  n1 -.-> n2", "  n1 --> n3", "  n2 -.-> n1"]);
	});
});
