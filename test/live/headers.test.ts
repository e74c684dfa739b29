import { statSync, utimesSync } from "node:fs";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorsOf, type Project, withProject } from "../diagnostics/project.ts";
import type { Files } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

/** The header is so long that a preamble takes longer than the file after it. */
const large = `#pragma once\n${Array.from({ length: 20_000 }, (_, n) => `static inline int fn${n}(int a) { return a * ${n}; }`).join("\n")}\n`;
const header = (name: string) => `#pragma once\nint ${name}(int);\nint other(int);\n`;
const source = (text: string) => `#include "large.h"\n#include "api.h"\n\nint use(void) {\n\treturn ${text};\n}\n`;

const files: Files = {
	".clang-format": "",
	"large.h": large,
	"api.h": header("first"),
	"a.c": source("first(1)"),
	"b.c": source("other(1)"),
	"compile_commands.json": JSON.stringify(
		["a.c", "b.c"].map((file) => ({ directory: "/", file, arguments: ["clang", "-std=gnu11", "-c", file] })),
	),
};

/** The header is small, so that several edits come within a second. */
const small: Files = {
	"api.h": header("first"),
	"a.c": "",
	"compile_flags.txt": "-std=gnu11\n",
};

const shop = (amount: string) => `#pragma once
#define SHOP_API
namespace shop {
class SHOP_API till {
 public:
  void put(${amount});
};
}
`;
/** A header behind an include directory, a class of it behind a macro, and a source that edits never touch. */
const library: Files = {
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"include/shop/till.h": shop("int amount"),
	"src/till.cc": '#include "shop/till.h"\n\nvoid shop::till::put(int amount) {}\n',
	"compile_flags.txt": "-xc++\n-std=c++17\n-Iinclude\n",
};

const structure = (name: string, member: string) => `struct ${name} {\n\tint weight;\n\t${member}\n};\n`;
/** A source whose error the compiler does not see while a structure two headers away is missing. */
const chain: Files = {
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"inner.h": `#pragma once\n${structure("inner", "int n;")}`,
	"middle.h": `#pragma once\n#include "inner.h"\n${structure("middle", "struct inner inner;")}`,
	"outer.h": `#pragma once\n#include "middle.h"\n${structure("outer", "struct middle middle;")}`,
	"use.c": '#include "outer.h"\n\nint use(void) {\n\tstruct outer outer = {"text"};\n\treturn outer.weight;\n}\n',
	"compile_flags.txt": "-std=gnu11\n",
};

/** The project with a compile database of its own directory, and each source proven once. */
async function withSources(body: (project: Project) => Promise<void>): Promise<void> {
	await withProject(files, async (project) => {
		const { ws } = project;
		ws.write("compile_commands.json", ws.read("compile_commands.json").replaceAll('"/"', JSON.stringify(ws.root)));
		expect(errorsOf(await project.check(["a.c", "b.c", "api.h"]))).toEqual([]);
		await body(project);
	});
}

describe.skipIf(!isThere("clangd"))("clangd: an edit of a header", () => {
	const own = process.env.PATH;
	beforeAll(() => {
		process.env.PATH = withServers({ PATH: own ?? "" }).PATH;
	});
	afterAll(() => {
		process.env.PATH = own;
	});

	test("reports new and fixed errors in a source that was not edited", () =>
		withSources(async ({ edit }) => {
			expect(errorsOf(await edit("api.h", header("second")), { judged: true })).toEqual([
				"a.c 5:9 -Wimplicit-function-declaration new",
			]);
			expect((await edit("api.h", header("first"))).files).toContainEqual(
				expect.objectContaining({ path: "a.c", diagnostics: [], fixed: 1 }),
			);
		}));

	test("removes an error that the compiler no longer reports, however far away", () =>
		withProject(chain, async ({ ws, check, edit }) => {
			const known = errorsOf(await check(["use.c"]));
			expect(known).toEqual(["use.c 4:24 -Wint-conversion"]);
			const report = await edit("inner.h", ws.read("inner.h").replace("inner", "other"));
			const errors = errorsOf(report, { judged: true }).filter((line) => !line.includes("incomplete"));
			expect(errors).toEqual([]);
			expect(report.files).toContainEqual(expect.objectContaining({ path: "use.c", fixed: 1 }));
		}));

	test("counts in the next edit of a source, however soon that comes", () =>
		withSources(async ({ edit, editAlone }) => {
			for (let round = 0; round < 12; round++) {
				const name = round % 2 === 0 ? "second" : "first";
				await editAlone("api.h", header(name));
				const report = await editAlone("a.c", source(`first(${round}) + missing${round}`));
				const own = report.files.filter(({ path, role }) => path === "a.c" && role === "edited");
				expect(own.map(({ state }) => state)).toEqual(["fresh"]);
				const [unknown, missing] = [
					"a.c 5:9 -Wimplicit-function-declaration",
					`a.c 5:${round < 10 ? 20 : 21} undeclared_var_use`,
				];
				expect(errorsOf({ ...report, files: own })).toEqual(round % 2 === 0 ? [missing, unknown].sort() : [missing]);
			}
			expect(errorsOf(await edit("a.c", source("other(1)")))).toEqual([]);
		}));

	test("to a text of the same size within a second counts in the next edit of a source", () =>
		withProject(small, async ({ editAlone }) => {
			const text = (round: number) => `#include "api.h"\n\nint use(void) {\n\treturn first(${round});\n}\n`;
			await editAlone("a.c", text(0));
			for (let round = 1; round <= 30; round++) {
				const isGone = round % 2 === 1;
				await editAlone("api.h", header(isGone ? "fifth" : "first"));
				const report = await editAlone("a.c", text(round));
				const own = report.files.filter(({ path, role }) => path === "a.c" && role === "edited");
				expect([round, ...errorsOf({ ...report, files: own })]).toEqual(
					isGone ? [round, "a.c 4:9 -Wimplicit-function-declaration"] : [round],
				);
			}
		}));

	test.each([
		["within a second", false],
		["and its time restored", true],
	])("on disk, to a text of the same size %s, counts in the next check of a source", (_, isRestored) =>
		withProject(
			{ ...small, "a.c": '#include "api.h"\n\nint use(void) {\n\treturn first(1);\n}\n' },
			async (project) => {
				const { ws, check } = project;
				const path = ws.path("api.h");
				for (let round = 0; round < 6; round++) {
					const isGone = round % 2 === 1;
					const expected = isGone ? ["a.c 4:9 -Wimplicit-function-declaration"] : [];
					expect([round, ...errorsOf(await check(["a.c"]))]).toEqual([round, ...expected]);
					const { atime, mtime } = statSync(path);
					ws.write("api.h", header(isGone ? "first" : "fifth"));
					if (isRestored) utimesSync(path, atime, mtime);
				}
			},
		),
	);

	test("of a class behind a macro reports errors in a source that names the header by an include directory", () =>
		withProject(library, async ({ check, edit }) => {
			expect(errorsOf(await check(["include/shop/till.h"]))).toEqual([]);
			const report = await edit("include/shop/till.h", shop("int amount, int times"));
			expect(errorsOf(report, { judged: true })).toEqual(["src/till.cc 3:18 member_decl_does_not_match new"]);
		}));

	const cpp = "#pragma once\nnamespace shop {\ntemplate <class T> T twice(T a) { return a + a; }\n}\n";
	const c = "#pragma once\nstatic inline int *ints(void *class) { return class; }\n";
	const headers: readonly [of: string, header: string, Files][] = [
		["C++ by its standard", cpp, { "compile_flags.txt": "-std=c++17\n" }],
		["C++ by its sources", cpp, { "compile_flags.txt": "-Iinclude\n", "src/a.cc": '#include "shop.h"\n' }],
		["C with flags", c, { "compile_flags.txt": "-Iinclude\n", "src/a.c": '#include "shop.h"\n' }],
		["C without flags", c, { "src/a.c": '#include "../include/shop.h"\n' }],
	];
	test.each(headers)("that is %s is judged by its language", (_, header, sources) =>
		withProject({ ...sources, "include/shop.h": `${header}// No more.\n` }, async ({ check, edit }) => {
			const file = "include/shop.h";
			expect(errorsOf(await check([file]))).toEqual([]);
			const report = await edit(file, `${header}int broken(void) { return missing; }\n`);
			const codes = report.files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
			expect([...new Set(codes)]).toEqual(["undeclared_var_use"]);
		}),
	);
});
