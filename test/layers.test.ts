import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./support/repository.ts";

/** One import statement: its module, and whether it remains when types are erased. */
interface Import {
	readonly from: string;
	readonly to: string;
	readonly typeOnly: boolean;
}

const entryPoints = ["index.ts", "cli.ts", "server.ts"];
const files = [...entryPoints, ...sourcesBelow("src")];
const texts = new Map(files.map((file) => [file, readFileSync(join(REPOSITORY, file), "utf8")]));
const imports = files.flatMap(importsOf);
const values = imports.filter(({ typeOnly }) => !typeOnly);

function sourcesBelow(directory: string): string[] {
	return readdirSync(join(REPOSITORY, directory), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".ts"))
		.map((name) => join(directory, name))
		.sort();
}

/** Only `import type` and `export type` are erased: `import { type A }` still loads the module. */
function importsOf(from: string): Import[] {
	const text = texts.get(from) ?? "";
	const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm);
	const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"/g);
	return [
		...[...statements].map(([, type, to = ""]) => ({ from, to: resolved(from, to), typeOnly: type !== undefined })),
		...[...dynamic].map(([, to = ""]) => ({ from, to: resolved(from, to), typeOnly: false })),
	];
}

/** A file of the repository as a path from its root; a package by its name. */
function resolved(from: string, to: string): string {
	return to.startsWith(".") ? normalize(join(dirname(from), to)) : to;
}

/** The folder of a file below `src/`, `lsp` or `impact/index`; a file next to `src/` as it is named. */
function folderOf(file: string): string {
	return file.startsWith("src/") ? dirname(file).slice("src/".length) : file;
}

/** The topmost folder of a file below `src/`. */
function topFolderOf(file: string): string {
	return folderOf(file).split("/")[0] ?? file;
}

function isOurs(file: string): boolean {
	return texts.has(file) || file.startsWith("src/");
}

/** All files that are loaded with a file, itself included, and the packages that they load. */
function loadedWith(file: string): { readonly files: string[]; readonly packages: string[] } {
	const found = new Set([file]);
	const packages = new Set<string>();
	for (const current of found)
		for (const { to } of values.filter(({ from }) => from === current)) {
			if (isOurs(to)) found.add(to);
			else if (!to.startsWith("node:") && !to.endsWith("package.json")) packages.add(to);
		}
	return { files: [...found].sort(), packages: [...packages].sort() };
}

function shown(list: readonly Import[]): string[] {
	return list.map(({ from, to }) => `${from} -> ${to}`);
}

test("the imports are read: every file of the repository that is named exists", () => {
	expect(imports.length).toBeGreaterThan(200);
	expect(shown(imports.filter(({ to }) => isOurs(to) && !texts.has(to)))).toEqual([]);
	expect(loadedWith("cli.ts").files).toContain("src/diagnostics/check.ts");
});

/** Imports of values from a later group of folders. An order is a list of groups, the earliest first. */
function outOfOrder(order: readonly (readonly string[])[]): Import[] {
	const groupOf = (file: string) => order.findIndex((folders) => folders.includes(folderOf(file)));
	return values.filter(({ from, to }) => groupOf(from) >= 0 && groupOf(to) > groupOf(from));
}

const daemonOrder = [
	["contract", "render"],
	["util"],
	["jsonrpc", "process"],
	["project", "project/manifests"],
	["lsp", "config"],
	["launch", "builds/output", "builds/tools"],
	["builds"],
	["sandbox", "install"],
	["watch"],
	["impact/outline"],
	["impact/index"],
	["impact"],
	["routing"],
	["pool"],
	["diagnostics/sources"],
	["diagnostics/environment", "diagnostics/explain", "diagnostics/overlay"],
	["diagnostics"],
	["query", "query/users", "doctor"],
	["changes"],
	["recording"],
	["architecture"],
	["consumers"],
	["planning", "planning/symbols"],
	["daemon/lifecycle"],
	["writer"],
	["daemon/agents"],
	[
		...[
			"daemon",
			"daemon/building",
			"daemon/checks",
			"daemon/comparing",
			"daemon/editors",
			"daemon/extensions",
			"daemon/mirrors",
			"daemon/simulation",
		],
		"daemon/writing",
	],
];
const faceOrder = [
	["contract", "render"],
	["render/answers", "render/check", "render/pictures", "render/status"],
	["render/formats"],
	["operations/common"],
	["operations/common/editing"],
	["operations/compat"],
	["operations"],
	["edit-hook"],
	["faces/tools", "faces/audit"],
	["faces/skills"],
	["faces/agents"],
	["faces"],
	["faces/agents/examine"],
	[
		...["faces/api", "faces/cli", "faces/cli/agents", "faces/cli/install"],
		...["faces/hooks", "faces/lsp", "faces/mcp", "faces/pi"],
	],
];

describe("the order of folders", () => {
	test("includes every folder, except the list of servers", () => {
		const known = new Set([...daemonOrder, ...faceOrder].flat());
		const others = new Set(files.map(folderOf).filter((folder) => !known.has(folder)));
		expect([...others].sort()).toEqual(["cli.ts", "index.ts", "server.ts", "servers", "servers/judgements"]);
	});

	test("lets a folder of the daemon load only earlier ones", () => {
		expect(shown(outOfOrder(daemonOrder))).toEqual([]);
	});

	test("lets a folder of the faces load only earlier ones", () => {
		expect(shown(outOfOrder(faceOrder))).toEqual([]);
	});

	test("has no files that load each other in a circle", () => {
		const loads = new Map(files.map((file) => [file, values.filter(({ from }) => from === file).map(({ to }) => to)]));
		const reaches = (file: string) => {
			const found = new Set(loads.get(file));
			for (const each of found) for (const to of loads.get(each) ?? []) found.add(to);
			return found;
		};
		expect(files.filter((file) => reaches(file).has(file))).toEqual([]);
	});

	test("has no folder but the tables of operations and servers with more than 20 files", () => {
		const counts = new Map<string, number>();
		for (const file of files) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
		expect([...counts].filter(([folder, count]) => count > 20 && folder !== "operations")).toEqual([]);
	});
});

describe("the daemon's work", () => {
	test("meets the operations in daemon/serve.ts, and the hook in daemon/agents/agent-events.ts", () => {
		const works = new Set(daemonOrder.slice(1).flat());
		const meeting = values.filter(
			({ from, to }) => works.has(folderOf(from)) && isOurs(to) && !works.has(folderOf(to)),
		);
		const others = meeting.filter(({ to }) => !["contract", "render"].includes(folderOf(to)));
		expect(shown(others)).toEqual(
			[
				"src/daemon/agents/agent-events.ts -> src/edit-hook/edit-hook.ts",
				"src/daemon/agents/agent-events.ts -> src/edit-hook/tool-call.ts",
				"src/daemon/serve.ts -> src/operations/extension-operations.ts",
				"src/daemon/serve.ts -> src/operations/index.ts",
				"src/config/config-file.ts -> server.ts",
				"src/config/read-settings.ts -> server.ts",
			].sort(),
		);
	});
});

describe("the faces", () => {
	/** The modules that a face may load in addition: those that reach the daemon, and none that does its work. */
	const allowed = [
		"src/daemon/lifecycle/address.ts",
		"src/daemon/lifecycle/connect.ts",
		"src/daemon/lifecycle/ended.ts",
		"src/daemon/lifecycle/lock.ts",
		"src/daemon/lifecycle/own-file.ts",
		"src/daemon/lifecycle/stop.ts",
		// The arguments of a tool are checked like an operation's input by the daemon.
		"src/daemon/parse-input.ts",
		"src/install/list.ts",
		"src/install/own-package.ts",
		"src/install/plan.ts",
		"src/install/request.ts",
		"src/install/run.ts",
		"src/install/update-package.ts",
		"src/process/environment.ts",
		// The module tells whether an agent and its commands of pi-lsp are there and answer.
		"src/process/find-program.ts",
		"src/process/run-to-end.ts",
		"src/project/own-programs.ts",
		"src/config/read-settings.ts",
		// The module reads what a person has written into the configurations of other agents.
		"src/config/json-reader.ts",
		"src/launch/install.ts",
		"src/planning/diff.ts",
		"src/planning/merge.ts",
		"src/writer/changes.ts",
		// The module finds the files of a baseline that a sparse checkout leaves out.
		"src/project/git.ts",
		// The module finds the directory that a call over MCP is about.
		"src/project/named-root.ts",
		"src/project/workspace-of.ts",
	];

	test("load of the daemon's folders only what reaches the daemon", () => {
		const faces = new Set(faceOrder.flat());
		const wrong = values.filter(
			({ from, to }) =>
				["operations", "faces"].includes(topFolderOf(from)) &&
				isOurs(to) &&
				!faces.has(folderOf(to)) &&
				!(topFolderOf(from) === "faces" && (allowed.includes(to) || ["jsonrpc", "util"].includes(folderOf(to)))),
		);
		expect(shown(wrong)).toEqual(["src/faces/cli/caller.ts -> src/daemon/in-process.ts"]);
	});

	test("have operations that take only types from the folders of the daemon", () => {
		const wrong = values.filter(
			({ from, to }) =>
				topFolderOf(from) === "operations" &&
				isOurs(to) &&
				!["operations", "render", "contract"].includes(topFolderOf(to)),
		);
		expect(shown(wrong)).toEqual([]);
		const packages = values.filter(({ from, to }) => topFolderOf(from) === "operations" && !isOurs(to));
		expect([...new Set(packages.map(({ to }) => to))]).toEqual(["@sinclair/typebox"]);
	});

	test("have texts that know only reports and errors, and the operations' types of output", () => {
		const known = ["render", "contract"];
		const wrong = imports.filter(
			({ from, to, typeOnly }) =>
				topFolderOf(from) === "render" &&
				!known.includes(topFolderOf(to)) &&
				!(typeOnly && folderOf(to).startsWith("operations")),
		);
		expect(shown(wrong)).toEqual([]);
	});
});

describe("meeting points", () => {
	test("only the command line runs the daemon's work in its own process", () => {
		const wrong = values.filter(({ to }) => to === "src/daemon/in-process.ts");
		expect(shown(wrong)).toEqual(["src/faces/cli/caller.ts -> src/daemon/in-process.ts"]);
	});

	test("no other folder takes even a type of a face", () => {
		const wrong = imports.filter(
			({ from, to }) => topFolderOf(to) === "faces" && topFolderOf(from) !== "faces" && !entryPoints.includes(from),
		);
		expect(shown(wrong)).toEqual([]);
	});

	test("the contract loads nothing, the language servers' list loads only its entries", () => {
		const wrong = values.filter(
			({ from, to }) => folderOf(from) === "contract" && isOurs(to) && folderOf(to) !== "contract",
		);
		const data = values.filter(({ from }) => ["server.ts", "servers"].includes(topFolderOf(from)));
		expect(shown([...wrong, ...data.filter(({ to }) => topFolderOf(to) !== "servers")])).toEqual([]);
		expect(
			shown(
				values.filter(
					({ from, to }) => topFolderOf(to) === "servers" && !["server.ts", "servers"].includes(topFolderOf(from)),
				),
			),
		).toEqual([]);
	});
});

describe("pi's own process", () => {
	const { files: loaded, packages } = loadedWith("index.ts");

	test("loads no language server, no watcher, no pool, no diagnostics", () => {
		const loadedFrom = (name: string) => loaded.filter((file) => topFolderOf(file) === name);
		const settings = [
			"config/caller-config",
			"config/config-file",
			"config/extension-fields",
			"config/extensions",
			"config/json-reader",
			"config/read-servers",
			"config/read-settings",
			"config/schema",
			"config/servers",
			"config/trust-store",
			"config/trust",
			"config/validate-field",
			"config/yaml-reader",
			"process/environment",
			"process/orphans",
			"process/process-identity",
			"project/workspace-of",
		];
		expect(["config", "process", "project"].flatMap(loadedFrom)).toEqual(settings.map((name) => `src/${name}.ts`));
		expect(["lsp", "launch", "pool", "routing", "diagnostics", "impact", "watch", "query"].flatMap(loadedFrom)).toEqual(
			[],
		);
		expect(loadedFrom("daemon")).toEqual(
			["address", "connect", "ended", "lock", "own-file", "stop"].map((name) => `src/daemon/lifecycle/${name}.ts`),
		);
	});

	test("loads no package but the schemas and the configuration's reader", () => {
		// pi's own modules are loaded already.
		const own = packages.filter((name) => !name.startsWith("@mariozechner/"));
		expect(own).toEqual(["@sinclair/typebox", "bundled-typebox", "bundled-typebox/errors", "jsonc-parser"]);
	});
});

describe("files are opened by util/read-file.ts alone", () => {
	/** Files that read only what pi-lsp or the kernel has written, with the reason why they do it themselves. */
	const own: Readonly<Record<string, string>> = {
		"src/daemon/lifecycle/address.ts": "the cookie and the log: made by us, private, and opened through no link",
		"src/daemon/lifecycle/own-file.ts":
			"locks, and the note of why a daemon was ended: made by us, opened through no link",
		"src/faces/agents/opencode-plugin.ts": "the text of a plugin, which opencode runs in its own process",
		"src/faces/cli/start.ts": "our own help and version, as the build has written them",
		"src/faces/audit/audit-log.ts": "the log that the user names: appended to, and opened through no link",
		"src/impact/outline/syntax.ts": "our own grammars",
		"src/install/run.ts": "what an installation has just put into its own folder",
		"src/launch/interrupted-install.ts":
			"the process that installs a server, by its own file next to the server's folder",
		"src/process/orphans.ts": "/proc, whose files say that they are empty",
		"src/process/usage.ts": "/proc",
		"src/util/code-cache.ts": "our own bundles",
		"src/util/files.ts": "/proc/self/mounts",
		"src/process/process-identity.ts": "/proc",
		"src/util/private-directory.ts": "a directory of ours, opened to see whose it is",
		"src/watch/event-barrier.ts": "/proc",
		"src/writer/disk.ts": "what a change writes, and the bytes that it replaces: regular files, through no link",
		"src/config/trust-store.ts": "answers of the person: only what no other user can have written counts",
	};
	const opening = /^import\s+(?!type\b)([^;]*?)\s+from\s+"(?:node:)?fs(?:\/promises)?";/gm;
	const opens = /\b(?:readFile|readFileSync|createReadStream|open|openSync|openAsBlob|promises)\b|\*\s+as\b|^[\w$]+/;
	const openers = files.filter((file) =>
		[...(texts.get(file) ?? "").matchAll(opening)].some(([, names = ""]) => opens.test(names)),
	);

	test("other files open only files of pi-lsp itself", () => {
		const expected = [...Object.keys(own), "src/util/read-file.ts"].sort();
		expect(openers.sort()).toEqual(expected);
	});
});

test("no source file has more than 400 lines", () => {
	const long = files.filter((file) => (texts.get(file) ?? "").split("\n").length > 400);
	expect(long.map((file) => relative(".", file))).toEqual([]);
});

describe("the output of a face goes through its one file for output", () => {
	/** The files that may write to a reader: a stream, pi's screen, the model's conversation. */
	const exits: readonly [what: RegExp, where: readonly string[]][] = [
		// MCP's messages are made from the results of mcp-tools.ts.
		[
			/process\.(?:stdout|stderr)\.write|\bconsole\.\w+\(/,
			["src/faces/cli/print.ts", "src/faces/hooks/main.ts", "src/faces/pi/screen.ts", "src/faces/mcp/stdio.ts"],
		],
		[/\.ui\.(?!theme\b)\w+/, ["src/faces/pi/screen.ts"]],
		[/\.sendMessage\(|\.sendUserMessage\(|customType:/, ["src/faces/pi/turn-end.ts"]],
		[/type: "text", text\b/, ["src/faces/pi/extension.ts", "src/faces/pi/tools.ts", "src/faces/mcp/tools.ts"]],
		[/method: "notifications\//, ["src/faces/mcp/tool-calls.ts"]],
	];
	/** The file prints only what the build has written. */
	const ownTexts = "src/faces/cli/start.ts";
	const written = files.filter(
		(file) => /^(?:src\/(?:faces|render)\/|index\.ts|cli\.ts)/.test(file) && file !== ownTexts,
	);

	test.each(exits)("%s", (what, where) => {
		expect(written.filter((file) => what.test(texts.get(file) ?? ""))).toEqual([...where].sort());
		for (const file of where) expect(texts.get(file), file).toMatch(/render\/harmless\.ts|jsonrpc\/refusals\.ts/);
	});
});
