import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../test/live/languages.ts";
import { cached, json, run, unpackDebian } from "../registries.ts";
import { proveByPushes } from "./bare-clangd.ts";
import { BareSide } from "./bare-side.ts";
import { judgeC } from "./judge-c.ts";
import type { LargeProject, ScriptedEdit } from "./project.ts";
import { cRules } from "./seeds.ts";

const hub = "src/sds.h";
/**
 * Files of other systems, files that another one includes, and files that define the same symbols in two copies of a
 * library.
 */
const left =
	/^src\/(?:ae_\w+|cli_common|redis-(?:benchmark|cli))\.c$|^deps\/(?:jemalloc\/src\/zone|hdr_histogram\/hdr_histogram)\.c$/;

/** The sources of Debian's package, 256,000 lines with the libraries that it contains. */
function prepare(into: string): void {
	unpackDebian(into, "redis");
	run("sh", ["mkreleasehdr.sh"], join(into, "src"));
	run("sh", ["./configure"], join(into, "deps/jemalloc"));
}

/** Writes the compile commands, whose directory is that of the copy. */
function settle(root: string): void {
	const include = (...directories: readonly string[]) => directories.map((each) => `-I${each}`);
	const parts: readonly (readonly [directory: string, flags: readonly string[]])[] = [
		[
			"src",
			[...include("src", "deps/hiredis", "deps/linenoise", "deps/lua/src", "deps/hdr_histogram"), "-DREDIS_STATIC="],
		],
		["deps/lua/src", [...include("deps/lua/src"), "-DLUA_USE_POSIX"]],
		["deps/hiredis", include("deps/hiredis")],
		["deps/linenoise", include("deps/linenoise")],
		["deps/jemalloc/src", [...include("deps/jemalloc/include"), "-DJEMALLOC_NO_PRIVATE_NAMESPACE"]],
	];
	const commands = parts.flatMap(([directory, flags]) =>
		readdirSync(join(root, directory))
			.map((name) => `${directory}/${name}`)
			.filter((file) => file.endsWith(".c") && !left.test(file))
			.map((file) => ({
				directory: root,
				file,
				arguments: ["clang", "-std=gnu11", "-D_GNU_SOURCE", ...flags, "-c", file],
			})),
	);
	writeFileSync(join(root, "compile_commands.json"), json(commands));
}

const renamed: ScriptedEdit = {
	kind: "export renamed",
	back: "export renamed back",
	change: (n) => ({ file: hub, oldText: "sds sdscatlen(", newText: `sds sdscatlenOther${n}(` }),
};

const trimmed = "sds sdstrim(sds s, const char *cset);";

const edits: readonly ScriptedEdit[] = [
	{
		kind: "comment",
		back: "comment",
		change: (n) => ({ file: hub, oldText: trimmed, newText: `/* Note ${n}. */\n${trimmed}` }),
	},
	{
		kind: "formatting",
		back: "formatting",
		change: (n) => ({ file: hub, oldText: trimmed, newText: trimmed.replace(", ", `,${" ".repeat(n + 1)}`) }),
	},
	{
		kind: "comment in another file",
		back: "comment in another file",
		change: (n) => ({
			file: "src/t_string.c",
			oldText: "void setCommand(client *c) {",
			newText: `/* Note ${n}. */\nvoid setCommand(client *c) {`,
		}),
	},
	{
		kind: "private body",
		back: "private body",
		change: (n) => ({
			file: "src/t_string.c",
			oldText: "void setCommand(client *c) {",
			newText: `void setCommand(client *c) {\n    (void)${n};`,
		}),
	},
	{
		kind: "error in a function body",
		back: "error in a function body fixed",
		change: (n) => ({
			file: "src/t_string.c",
			oldText: "void setCommand(client *c) {",
			newText: `void setCommand(client *c) {\n    (void)missing${n};`,
		}),
	},
	{
		kind: "export added",
		back: "unused export removed",
		change: (n) => ({ file: hub, oldText: trimmed, newText: `${trimmed}\nint sdsadded${n}(const sds s);` }),
	},
	renamed,
	{
		kind: "type changed",
		back: "type changed back",
		change: (n) => ({ file: hub, oldText: trimmed, newText: `sds sdstrim(sds s, const char *cset, int added${n});` }),
	},
];

function isSource(path: string): boolean {
	return /^src\/\w[\w-]*\.[ch]$/.test(path) && !left.test(path);
}

export const redis: LargeProject = {
	name: "redis",
	title: "Redis, clangd",
	program: "clangd",
	directory: () => cached("redis-7.0.15-1", prepare),
	settle,
	hub,
	edits,
	breaking: renamed,
	breakingSymbol: "sdscatlen",
	questions: {
		file: "src/adlist.c",
		before: "list \\*",
		symbols: ["listCreate", "listAddNodeHead", "listAddNodeTail"],
	},
	isSource,
	startBare: (ws, root) =>
		BareSide.start(ws, root, {
			server: { command: findProgram("clangd") ?? "clangd", args: [], languageId: "c" },
			prove: proveByPushes(),
			reopens: true,
		}),
	judge: judgeC,
	// clangd has other codes for the same errors.
	comparesCodes: false,
	seeds: cRules,
};
