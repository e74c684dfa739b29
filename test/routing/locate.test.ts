import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync } from "node:fs";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSettings, type Settings } from "../../src/config/read-settings.ts";
import { locate } from "../../src/routing/locate.ts";
import { type Tree, withTree } from "../config/tree.ts";

const home = process.env.HOME;
beforeAll(() => {
	process.env.XDG_CONFIG_HOME = "/nonexistent";
});
afterAll(() => {
	process.env.HOME = home;
});

const project = ["ws/.git/", "ws/package.json", "ws/tsconfig.json", "ws/src/a.ts", "ws-secret/b.ts", "outside.ts"];

async function find(tree: Tree, file: string, over: Partial<Settings> = {}) {
	return locate(file, { ...(await readSettings(tree.path("ws"))), ...over });
}

interface Row {
	readonly code: string;
	readonly file: string | ((tree: Tree) => string);
	readonly prepare?: (tree: Tree) => void;
}

const rows: Readonly<Record<string, Row>> = {
	"a file that is not there": { code: "LSP_FILE_NOT_FOUND", file: "src/none.ts" },
	"a file below a file": { code: "LSP_FILE_NOT_FOUND", file: "src/a.ts/b.ts" },
	"a link that leads nowhere": {
		code: "LSP_FILE_NOT_FOUND",
		file: "src/dead.ts",
		prepare: (tree) => symlinkSync("gone.ts", tree.path("ws/src/dead.ts")),
	},
	"a directory": { code: "LSP_NOT_A_FILE", file: "src" },
	"a directory with the name of a source": {
		code: "LSP_NOT_A_FILE",
		file: "src/dir.ts",
		prepare: (tree) => void tree.mkdir("ws/src/dir.ts"),
	},
	"no name at all": { code: "LSP_NOT_A_FILE", file: "" },
	"a FIFO, without waiting for its writer": {
		code: "LSP_NOT_A_FILE",
		file: "src/fifo.ts",
		prepare: (tree) => void execFileSync("mkfifo", [tree.path("ws/src/fifo.ts")]),
	},
	"a link to itself": {
		code: "LSP_FILE_NOT_FOUND",
		file: "src/loop.ts",
		prepare: (tree) => symlinkSync("loop.ts", tree.path("ws/src/loop.ts")),
	},
	"a name with NUL": { code: "LSP_FILE_NOT_FOUND", file: "src/a\0.ts" },
	"a name of 300 bytes": { code: "LSP_FILE_NOT_FOUND", file: `src/${"x".repeat(300)}.ts` },
	"a file outside the workspace": { code: "LSP_OUTSIDE_WORKSPACE", file: "../outside.ts" },
	"an absolute path outside": { code: "LSP_OUTSIDE_WORKSPACE", file: (tree) => tree.path("outside.ts") },
	"a sibling with the same beginning": { code: "LSP_OUTSIDE_WORKSPACE", file: "../ws-secret/b.ts" },
	"a link that leads outside": {
		code: "LSP_OUTSIDE_WORKSPACE",
		file: "src/link.ts",
		prepare: (tree) => symlinkSync(tree.path("outside.ts"), tree.path("ws/src/link.ts")),
	},
	"a new file below a link that leads outside": {
		code: "LSP_OUTSIDE_WORKSPACE",
		file: "out/new.ts",
		prepare: (tree) => symlinkSync(tree.path("ws-secret"), tree.path("ws/out")),
	},
	"a device outside": { code: "LSP_OUTSIDE_WORKSPACE", file: "/dev/zero" },
	"a file of an installed package": {
		code: "LSP_IGNORED_FILE",
		file: "node_modules/x/index.ts",
		prepare: (tree) => void tree.write("ws/node_modules/x/index.ts"),
	},
	"a file of version control": {
		code: "LSP_IGNORED_FILE",
		file: ".git/x.ts",
		prepare: (tree) => void tree.write("ws/.git/x.ts"),
	},
	"a kind that no server knows": {
		code: "LSP_UNSUPPORTED_FILE",
		file: "notes.xyz",
		prepare: (tree) => void tree.write("ws/notes.xyz"),
	},
	"a file without an extension": {
		code: "LSP_UNSUPPORTED_FILE",
		file: "ts",
		prepare: (tree) => void tree.write("ws/ts"),
	},
	"a file of 3 MB": {
		code: "LSP_FILE_TOO_LARGE",
		file: "src/a.ts",
		prepare: (tree) => truncateSync(tree.path("ws/src/a.ts"), 3 * 1024 * 1024),
	},
	"a binary file": {
		code: "LSP_BINARY_FILE",
		file: "src/a.ts",
		prepare: (tree) => void tree.write("ws/src/a.ts", "abc\0def"),
	},
	"a text in UTF-16": {
		code: "LSP_BINARY_FILE",
		file: "src/a.ts",
		prepare: (tree) => void tree.write("ws/src/a.ts", "\ufeff".concat("a\0b\0")),
	},
	"a project of TypeScript 3, for which there is no server": {
		code: "LSP_SERVER_UNAVAILABLE",
		file: "src/a.ts",
		prepare: (tree) => void tree.write("ws/package.json", '{"devDependencies":{"typescript":"^3.9.0"}}'),
	},
};

describe("locate: refusals with a code and a hint", () => {
	test.each(Object.keys(rows))("%s", (name) =>
		withTree(project, async (tree) => {
			const { code, file, prepare } = rows[name] as Row;
			prepare?.(tree);
			const error = await find(tree, typeof file === "string" ? file : file(tree)).catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({ code, details: { suggestion: expect.stringMatching(/\w/) } });
		}),
	);

	test("A file is refused if its server is switched off", () =>
		withTree(project, async (tree) => {
			const { servers } = await readSettings(tree.path("ws"));
			const disabled = new Set(servers.map(({ id }) => id));
			await expect(find(tree, "src/a.ts", { disabled })).rejects.toMatchObject({ code: "LSP_SERVER_DISABLED" });
		}));

	test("A TypeScript file is refused with the server that is switched off, not for want of a version", () =>
		withTree(project, async (tree) => {
			await expect(find(tree, "src/a.ts", { disabled: new Set(["typescript"]) })).rejects.toMatchObject({
				code: "LSP_SERVER_DISABLED",
				message: "typescript is disabled.",
			});
		}));

	test("A file without a project is refused if its server needs one", () =>
		withTree(project, async (tree) => {
			const servers = [{ id: "x", match: ["ts"], command: "x", args: [], languageId: "x", rootMarkers: ["x.toml"] }];
			await expect(find(tree, "src/a.ts", { servers })).rejects.toMatchObject({
				code: "LSP_NO_PROJECT_ROOT",
				message: "No x project found for src/a.ts: no x.toml is in its directory or above.",
				details: { looked_for: ["x.toml"] },
			});
		}));
});

describe("locate: a server that runs code of the repository", () => {
	const server = {
		id: "runner",
		match: ["ts"],
		command: "node",
		args: [],
		languageId: "x",
		rootMarkers: ["package.json"],
		runsRepositoryCode: true,
	};

	test("The file is refused without trust, and the error names the command that gives trust", () =>
		withTree(project, async (tree) => {
			await expect(find(tree, "src/a.ts", { servers: [server] })).rejects.toMatchObject({
				code: "LSP_SERVER_UNTRUSTED",
				details: { suggestion: expect.stringContaining("{{trust add}}") },
			});
		}));

	test("The server is one of the file's servers with trust", () =>
		withTree(project, async (tree) => {
			const { routes } = await find(tree, "src/a.ts", { servers: [server], trusted: true });
			expect(routes.map(({ config }) => config.id)).toEqual(["runner"]);
		}));

	test("A linter without trust does not affect the file's other servers", () =>
		withTree(project, async (tree) => {
			const { servers } = await readSettings(tree.path("ws"));
			const linter = { ...server, role: "linter" } as const;
			const { routes } = await find(tree, "src/a.ts", { servers: [...servers, linter] });
			expect(routes.map(({ config }) => config.id)).toEqual(["typescript"]);
		}));
});

describe("locate: paths", () => {
	const cases: [string, string, string][] = [
		["as it is written", "src/a.ts", "src/a.ts"],
		["with dots", "./src/../src/a.ts", "src/a.ts"],
		["with the @ that models write", "@src/a.ts", "src/a.ts"],
		["in upper case", "src/B.TS", "src/B.TS"],
	];
	test.each(cases)("A file is found %s", (_, file, display) =>
		withTree([...project, "ws/src/B.TS"], async (tree) => {
			const located = await find(tree, file);
			expect(located).toMatchObject({ path: tree.path("ws", display), display, workspace: tree.path("ws") });
			expect(located.routes).toHaveLength(1);
			expect(located.routes[0]).toMatchObject({ root: tree.path("ws"), languageId: "typescript" });
		}),
	);

	test("A file whose name begins with @ or ~ is found before the expanded path", () =>
		withTree([...project, "ws/@at.ts", "ws/at.ts", "ws/@types/x.d.ts", "ws/~/src/a.ts"], async (tree) => {
			process.env.HOME = tree.path("ws");
			for (const file of ["@at.ts", "@types/x.d.ts", "~/src/a.ts"]) expect((await find(tree, file)).display).toBe(file);
		}));

	test("A path from the home directory is expanded", () =>
		withTree(project, async (tree) => {
			process.env.HOME = tree.base;
			expect((await find(tree, "~/ws/src/a.ts")).display).toBe("src/a.ts");
		}));

	test("A file is found by an absolute path", () =>
		withTree(project, async (tree) => {
			expect((await find(tree, tree.path("ws/src/a.ts"))).display).toBe("src/a.ts");
		}));

	test("A file below a link has its real path", () =>
		withTree(project, async (tree) => {
			symlinkSync(tree.path("ws/src"), tree.path("ws/linked"));
			expect((await find(tree, "linked/a.ts")).path).toBe(tree.path("ws/src/a.ts"));
		}));

	test("A file is found from a directory that is a link to the workspace", () =>
		withTree(project, async (tree) => {
			symlinkSync(tree.path("ws"), tree.path("alias"));
			const located = await locate("src/a.ts", await readSettings(tree.path("alias")));
			expect(located).toMatchObject({ path: tree.path("ws/src/a.ts"), display: "src/a.ts" });
		}));

	test.each([
		["a.tsx", "typescriptreact"],
		["a.mts", "typescript"],
		["a.js", "javascript"],
		["a.cjs", "javascript"],
		["a.jsx", "javascriptreact"],
	])("%s has the language id %s", (name, languageId) =>
		withTree([...project, `ws/${name}`], async (tree) => {
			expect((await find(tree, name)).routes[0]?.languageId).toBe(languageId);
		}),
	);

	test.each(["(auth)/a b.ts", "#x/[id].ts", "%41/a.ts", "日本/👍.ts", "a'b\".ts", "new\nline.ts"])(
		"A file is found by the unusual name %j",
		(name) =>
			withTree([...project, `ws/${name}`], async (tree) => {
				expect((await find(tree, name)).display).toBe(name);
			}),
	);

	test("A file that does not exist is located if it may be missing", () =>
		withTree(project, async (tree) => {
			const settings = await readSettings(tree.path("ws"));
			const located = await locate("src/new.ts", settings, { mayBeMissing: true });
			expect(located.path).toBe(tree.path("ws/src/new.ts"));
		}));
});
