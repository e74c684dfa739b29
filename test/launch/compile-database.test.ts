import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cleanDatabase, compileDatabasePaths } from "../../src/launch/compile-database.ts";
import { cleanCommand, splitCommand } from "../../src/launch/compile-flags.ts";
import { type Tree, withTree } from "../config/tree.ts";

const clean = (...words: string[]) => cleanCommand(words, "/ws/build");

describe("cleanCommand: the allowed flags", () => {
	test.each<[string, string[], string[]]>([
		["the kind of the compiler", ["/ws/evil/g++-12"], ["clang++"]],
		["the compiler behind a cache", ["/usr/bin/ccache", "gcc", "-DX"], ["clang", "-DX"]],
		[
			"every include path, absolute",
			["cc", "-I../include", "-I", "x", "-isystem", "../sys", "-iquote/q", "-I@x", "--sysroot=/s"],
			[
				"clang",
				"-I/ws/include",
				"-I/ws/build/x",
				"-isystem",
				"/ws/sys",
				"-iquote",
				"/q",
				"-I/ws/build/@x",
				"--sysroot",
				"/s",
			],
		],
		["macros", ["cc", "-DA", "-D", 'B="x y"', "-UC", "-D@x"], ["clang", "-DA", '-DB="x y"', "-UC"]],
		[
			"the standard, warnings and what the language means",
			[
				"cc",
				"-std=gnu++20",
				"-Wall",
				"-Wno-error=format",
				"-Werror",
				"-xc++",
				"-x",
				"c",
				"-fno-rtti",
				"-mavx2",
				"-m32",
			],
			["clang", "-std=gnu++20", "-Wall", "-Wno-error=format", "-Werror", "-xc++", "-xc", "-fno-rtti", "-mavx2", "-m32"],
		],
		[
			"of Microsoft's the same",
			["C:\\VC\\cl.exe", "/I", "inc", "/DX=1", "/std:c++latest", "/TP", "/FoX.obj", "/W4"],
			["clang++", "-fms-extensions", "-fms-compatibility", "-I/ws/build/inc", "-DX=1", "-std=c++23", "-xc++"],
		],
	])("%s", (_, words, left) => {
		expect(clean(...words)).toEqual(left);
	});

	test.each([
		["-Xclang", "-diagnostic-log-file", "-Xclang", "/out"],
		["-Xclang", "-load", "-Xclang", "/evil.so"],
		["-fplugin=/evil.so"],
		["-fpass-plugin=/evil.so"],
		["-mllvm", "-load=/evil.so"],
		["-fmodules", "-fmodules-cache-path=/out", "-fmodule-file=/evil.pcm"],
		["--serialize-diagnostics", "/out"],
		["-serialize-diagnostics", "/out"],
		["-MD", "-MF", "/out", "-MJ", "/out", "-o", "/out"],
		["-Wp,-MD,/out", "-Wl,-x", "-Wa,@x"],
		["@/ws/evil.rsp", "--config=/evil.cfg", "--config", "/evil.cfg"],
		["-include-pch", "/evil.pch", "-include", "/evil.h"],
		["-ftime-trace=/out", "-fdebug-prefix-map=a=b", "-save-temps=obj", "-dump-dir"],
		["-B/evil", "-resource-dir", "/evil", "-ccc-install-dir", "/evil", "-specs=/evil", "-wrapper", "/evil"],
		["-target", "../../ws/evil", "--target=../evil", "-x", "ir", "-module-dependency-dir", "/out"],
		["a.c", "-c", "--", "-DX"],
	])("have no flag of %j %j %j %j", (...words) => {
		expect(clean("cc", ...words)).toEqual(["clang"]);
	});
});

test("A command that is one text is split as a shell does, and nothing is expanded", () => {
	expect(splitCommand(`cc  -DA='x y' "-DB=\\"$HOME\\"" -DC=a\\ b \`id\` '' "open`)).toEqual([
		"cc",
		"-DA=x y",
		'-DB="$HOME"',
		"-DC=a b",
		"`id`",
		"",
		"open",
	]);
});

describe("cleanDatabase", () => {
	const names = (directory: string) => readdirSync(directory).sort();
	const make = (tree: Tree, root = tree.path("ws/src")) =>
		cleanDatabase(root, compileDatabasePaths(root), { XDG_CACHE_HOME: tree.path("cache") });
	const read = (directory: string) =>
		JSON.parse(readFileSync(join(directory, "compile_commands.json"), "utf8")) as unknown[];

	test("The copy is made of the nearest database upward, and has absolute paths", () =>
		withTree(["ws/src/"], async (tree) => {
			const { path } = tree;
			const entries = [
				{ directory: "out", file: "../a.c", command: "cc -DA -o a.o ../a.c", output: "/x" },
				{ directory: path("ws"), file: "@evil.rsp", arguments: ["cc", '-DB{}"[', "@evil.rsp"] },
				{ file: 1, command: "cc" },
				{ file: "b.c" },
			];
			tree.write("ws/build/compile_commands.json", JSON.stringify(entries, null, 2));
			expect(read(await make(tree))).toEqual([
				{
					directory: path("ws/build/out"),
					file: path("ws/build/a.c"),
					arguments: ["clang", "-DA", path("ws/build/a.c")],
				},
				{
					directory: path("ws"),
					file: path("ws/@evil.rsp"),
					arguments: ["clang", '-DB{}"[', path("ws/@evil.rsp")],
				},
			]);
			tree.write("ws/src/compile_flags.txt", "-Iinc\n-Xclang\n-load\n-isystem\nsys\n");
			const directory = await make(tree);
			expect(names(directory)).toEqual(["compile_flags.txt", "made-of.json"]);
			expect(readFileSync(join(directory, "compile_flags.txt"), "utf8")).toBe(
				`-I${path("ws/src/inc")}\n-isystem\n${path("ws/src/sys")}\n`,
			);
		}));

	test("The copy is made again only when the database has changed", () =>
		withTree(["ws/src/"], async (tree) => {
			const file = tree.write("ws/compile_commands.json", '[{ "file": "a.c", "command": "cc -DA" }]');
			const made = join(await make(tree), "compile_commands.json");
			const before = statSync(made).ino;
			await make(tree);
			expect(statSync(made).ino).toBe(before);
			writeFileSync(file, '[{ "file": "a.c", "command": "cc -DAB" }]');
			expect(JSON.stringify(read(await make(tree)))).toContain("-DAB");
		}));

	test.each([
		["is no list", '{"a": '],
		["is empty", ""],
		["is no JSON", "[{]}]"],
	])("The copy is empty if the database %s", (_, text) =>
		withTree(["ws/src/"], async (tree) => {
			tree.write("ws/compile_commands.json", text);
			expect(read(await make(tree))).toEqual([]);
		}),
	);

	test("The copy is empty without a database, or if it is no regular file", () =>
		withTree(["ws/src/", "ws/build/"], async (tree) => {
			expect(names(await make(tree))).toEqual(["made-of.json"]);
			symlinkSync("/dev/zero", tree.path("ws/build/compile_commands.json"));
			expect(names(await make(tree))).toEqual(["made-of.json"]);
			mkdirSync(tree.path("ws/src/compile_commands.json"));
			expect(names(await make(tree))).toEqual(["made-of.json"]);
		}));

	test("A copy of 30,000 files does not block the event loop", () =>
		withTree(["ws/src/"], async (tree) => {
			const flags = Array.from({ length: 40 }, (_, index) => `-I/include/directory/${index}`).join(" ");
			const entries = Array.from({ length: 30_000 }, (_, index) => ({ file: `${index}.c`, command: `cc ${flags}` }));
			tree.write("ws/compile_commands.json", JSON.stringify(entries));
			let longest = 0;
			let last = performance.now();
			const ticks = setInterval(() => {
				longest = Math.max(longest, performance.now() - last);
				last = performance.now();
			}, 5);
			const directory = await make(tree);
			clearInterval(ticks);
			expect(read(directory)).toHaveLength(30_000);
			// The whole takes a second or two.
			expect(longest).toBeLessThan(500);
		}));
});
