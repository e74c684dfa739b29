import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./support/repository.ts";

/** One import statement: what it names, and whether it is still there when types are gone. */
interface Import {
	readonly from: string;
	readonly to: string;
	readonly typeOnly: boolean;
}

const doors = ["index.ts", "cli.ts", "server.ts"];
const files = [...doors, ...sourcesBelow("src")];
const texts = new Map(files.map((file) => [file, readFileSync(join(REPOSITORY, file), "utf8")]));
const imports = files.flatMap(importsOf);
const values = imports.filter(({ typeOnly }) => !typeOnly);

function sourcesBelow(directory: string): string[] {
	return readdirSync(join(REPOSITORY, directory), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".ts"))
		.map((name) => join(directory, name))
		.sort();
}

/** Only `import type` and `export type` are gone at run time: `import { type A }` still loads the module. */
function importsOf(from: string): Import[] {
	const text = texts.get(from) ?? "";
	const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm);
	const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"/g);
	return [
		...[...statements].map(([, type, to = ""]) => ({ from, to: resolved(from, to), typeOnly: type !== undefined })),
		...[...dynamic].map(([, to = ""]) => ({ from, to: resolved(from, to), typeOnly: false })),
	];
}

/** A file of ours as a path from the root of the repository; a package as it is named. */
function resolved(from: string, to: string): string {
	return to.startsWith(".") ? normalize(join(dirname(from), to)) : to;
}

function roomOf(file: string): string {
	const [top, second = ""] = file.split("/");
	return top === "src" ? second.replace(/\.ts$/, "") : file;
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

function told(list: readonly Import[]): string[] {
	return list.map(({ from, to }) => `${from} -> ${to}`);
}

test("the imports are read: every file of ours that is named exists", () => {
	expect(imports.length).toBeGreaterThan(200);
	expect(told(imports.filter(({ to }) => isOurs(to) && !texts.has(to)))).toEqual([]);
	expect(loadedWith("cli.ts").files).toContain("src/diagnostics/check.ts");
});

describe("the ladder of the daemon", () => {
	const ladder = [
		["errors", "findings", "examination", "util"],
		["rpc"],
		["lsp"],
		["workspace", "install"],
		["watch"],
		["impact"],
		["diagnostics"],
		["doctor"],
		["daemon"],
	];
	const rung = (file: string) => ladder.findIndex((rooms) => rooms.includes(roomOf(file)));

	test("a room loads only what stands below it", () => {
		const wrong = values.filter(
			({ from, to }) => rung(from) >= 0 && isOurs(to) && rung(to) >= 0 && rung(to) > rung(from),
		);
		expect(told(wrong)).toEqual([]);
	});

	test("it meets the other ladder in one place: daemon/serve.ts loads the operations", () => {
		const meeting = values.filter(({ from, to }) => rung(from) >= 0 && isOurs(to) && rung(to) < 0);
		expect(told(meeting)).toEqual(
			[
				"src/daemon/serve.ts -> src/operations/index.ts",
				"src/workspace/config-file.ts -> server.ts",
				"src/workspace/config.ts -> server.ts",
			].sort(),
		);
	});
});

describe("the ladder of the faces", () => {
	const ladder = [
		["errors", "findings", "examination", "text"],
		["operation"],
		["operations"],
		["faces"],
		["index.ts", "cli.ts"],
	];
	const rung = (file: string) => ladder.findIndex((rooms) => rooms.includes(roomOf(file)));
	/** What a face may load beside: what it takes to reach the daemon, and nothing that does its work. */
	const beside = [
		"src/daemon/address.ts",
		"src/daemon/connect.ts",
		"src/daemon/ended.ts",
		"src/daemon/lock.ts",
		"src/daemon/protocol.ts",
		"src/daemon/stop.ts",
		"src/install/plan.ts",
		"src/install/run.ts",
		"src/lsp/environment.ts",
		"src/workspace/config.ts",
	];

	test("a room loads only what stands below it, a face also what reaches the daemon", () => {
		const wrong = values.filter(({ from, to }) => {
			if (rung(from) < 1 || !isOurs(to)) return false;
			if (rung(to) >= 0) return rung(to) > rung(from);
			return !(roomOf(from) === "faces" && (beside.includes(to) || ["rpc", "util"].includes(roomOf(to))));
		});
		expect(told(wrong)).toEqual(["src/faces/cli-caller.ts -> src/daemon/in-process.ts"]);
	});

	test("operations take only types from the rooms that do the work", () => {
		const allowed = ["operation", "operations", "text", "errors", "findings", "examination"];
		const wrong = values.filter(
			({ from, to }) => roomOf(from) === "operations" && isOurs(to) && !allowed.includes(roomOf(to)),
		);
		expect(told(wrong)).toEqual([]);
		const packages = values.filter(({ from, to }) => ["operations", "operation"].includes(roomOf(from)) && !isOurs(to));
		expect([...new Set(packages.map(({ to }) => to))]).toEqual(["@sinclair/typebox"]);
	});

	test("text knows only its own room, findings, examinations and errors", () => {
		const wrong = imports.filter(
			({ from, to }) => roomOf(from) === "text" && !["text", "findings", "examination", "errors"].includes(roomOf(to)),
		);
		expect(told(wrong)).toEqual([]);
	});
});

describe("meeting points", () => {
	test("only the command line runs the daemon's work in its own process", () => {
		const wrong = values.filter(({ to }) => to === "src/daemon/in-process.ts");
		expect(told(wrong)).toEqual(["src/faces/cli-caller.ts -> src/daemon/in-process.ts"]);
	});

	test("of a face nobody takes even a type, except the caller that runs in process", () => {
		const wrong = imports.filter(
			({ from, to }) => roomOf(to) === "faces" && !["faces", ...doors].includes(roomOf(from)),
		);
		expect(told(wrong)).toEqual(["src/daemon/in-process.ts -> src/faces/caller.ts"]);
	});

	test("errors, findings and examinations load nothing, the language servers' list loads only its entries", () => {
		const wrong = values.filter(({ from }) => ["errors", "findings", "examination"].includes(roomOf(from)));
		const data = values.filter(({ from }) => ["server.ts", "servers"].includes(roomOf(from)));
		expect(told([...wrong, ...data.filter(({ to }) => roomOf(to) !== "servers")])).toEqual([]);
		expect(
			told(
				values.filter(({ from, to }) => roomOf(to) === "servers" && !["server.ts", "servers"].includes(roomOf(from))),
			),
		).toEqual([]);
	});
});

describe("pi's own process", () => {
	const { files: loaded, packages } = loadedWith("index.ts");

	test("loads no language server, no watcher, no pool, no diagnostics", () => {
		const room = (name: string) => loaded.filter((file) => roomOf(file) === name);
		expect(room("lsp")).toEqual(["src/lsp/environment.ts"]);
		const settings = [
			"caller-config",
			"config-file",
			"config-schema",
			"config-servers",
			"config",
			"trust-store",
			"trust",
			"workspace-of",
		];
		expect(room("workspace")).toEqual(settings.map((name) => `src/workspace/${name}.ts`));
		expect([...room("diagnostics"), ...room("watch")]).toEqual([]);
		expect(room("daemon")).toEqual(
			["address", "connect", "ended", "lock", "protocol", "stop"].map((name) => `src/daemon/${name}.ts`),
		);
	});

	test("loads no package but the schemas and the socket's JSON-RPC", () => {
		// What belongs to pi itself is there already.
		const own = packages.filter((name) => !name.startsWith("@mariozechner/"));
		expect(own).toEqual(["@sinclair/typebox", "vscode-jsonrpc/node"]);
	});
});

describe("files are opened by util/read-file.ts alone", () => {
	/** Those that read what nobody but pi-lsp or the kernel has written, and why they do it themselves. */
	const own: Readonly<Record<string, string>> = {
		"src/daemon/address.ts": "the cookie and the log: made by us, private, and opened through no link",
		"src/daemon/ended.ts": "the note of why a daemon was ended: made by us, in our private directory",
		"src/daemon/lock.ts": "locks: made by us, and opened through no link",
		"src/install/run.ts": "what an installation has just put into its own folder",
		"src/util/orphans.ts": "/proc, whose files say that they are empty",
		"src/lsp/usage.ts": "/proc",
		"src/util/code-cache.ts": "our own bundles",
		"src/util/files.ts": "/proc/self/mounts",
		"src/util/identity.ts": "/proc",
		"src/util/private-directory.ts": "a directory of ours, opened to see whose it is",
		"src/watch/event-queue.ts": "/proc",
		"src/workspace/trust-store.ts": "answers of the person: only what nobody else can have written counts",
	};
	const opening = /^import\s+(?!type\b)([^;]*?)\s+from\s+"(?:node:)?fs(?:\/promises)?";/gm;
	const opens = /\b(?:readFile|readFileSync|createReadStream|open|openSync|openAsBlob|promises)\b|\*\s+as\b|^[\w$]+/;
	const openers = files.filter((file) =>
		[...(texts.get(file) ?? "").matchAll(opening)].some(([, names = ""]) => opens.test(names)),
	);

	test("but for what is our own", () => {
		const expected = [...Object.keys(own), "src/util/read-file.ts"].sort();
		expect(openers.sort()).toEqual(expected);
	});
});

test("no source file has more than 400 lines", () => {
	const long = files.filter((file) => (texts.get(file) ?? "").split("\n").length > 400);
	expect(long.map((file) => relative(".", file))).toEqual([]);
});

describe("what leaves a face goes through the door for it", () => {
	/** Who may use what writes to somebody: a stream, pi's screen, the model's conversation. */
	const doors: readonly [what: RegExp, where: readonly string[]][] = [
		// MCP's messages are made of what mcp-tools.ts says.
		[
			/process\.(?:stdout|stderr)\.write|\bconsole\.\w+\(/,
			["src/faces/print.ts", "src/faces/pi-screen.ts", "src/faces/mcp-stdio.ts"],
		],
		[/\.ui\.(?!theme\b)\w+/, ["src/faces/pi-screen.ts"]],
		[/\.sendMessage\(|\.sendUserMessage\(|customType:/, ["src/faces/pi-ending.ts"]],
		[/type: "text", text\b/, ["src/faces/pi.ts", "src/faces/pi-tools.ts", "src/faces/mcp-tools.ts"]],
		[/\bsendNotification\(/, ["src/faces/mcp-server.ts"]],
	];
	const written = files.filter((file) => /^(?:src\/(?:faces|text)\/|index\.ts|cli\.ts)/.test(file));

	test.each(doors)("%s", (what, where) => {
		expect(written.filter((file) => what.test(texts.get(file) ?? ""))).toEqual([...where].sort());
		for (const file of where) expect(texts.get(file), file).toMatch(/text\/harmless\.ts|rpc\/refusals\.ts/);
	});
});
