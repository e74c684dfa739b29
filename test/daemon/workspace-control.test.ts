import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Project, withProject } from "../diagnostics/project.ts";

const files = {
	"src/area.ts": "export function area(w: number): number {\n\treturn w;\n}\n",
	"src/app.ts": 'import { area } from "./area.ts";\n\nexport const wrong: string = area(1);\n',
	"src/fine.ts": "export const fine = 1;\n",
	"tools/tool.ts": "export const tool = 2;\n",
};

interface Opened {
	readonly files: { readonly path: string; readonly server: string }[];
}

const opened = ({ call }: Project, ...names: string[]) => call<Opened>("open", { files: names });

test("start: the servers of a directory's languages are started, with the time it took", () =>
	withProject(files, async ({ call }) => {
		const typescript = expect.objectContaining({
			server: "typescript",
			root: ".",
			version: expect.stringMatching(/^7/),
		});
		expect(await call("start", {})).toMatchObject({ servers: expect.arrayContaining([typescript]) });
		expect(await call("start", { directory: "src", language: "typescript" })).toMatchObject({
			servers: [{ root: "." }],
		});
		await expect(call("start", { language: "cobol" })).rejects.toMatchObject({ code: "LSP_UNSUPPORTED_FILE" });
		await expect(call("start", { directory: "../.." })).rejects.toMatchObject({ code: "LSP_OUTSIDE_WORKSPACE" });
	}));

test("open and close: files are opened, and only open files are closed", () =>
	withProject(files, async (project) => {
		expect(await opened(project, "src/area.ts", "src/fine.ts")).toEqual({
			files: [
				{ path: "src/area.ts", server: "typescript" },
				{ path: "src/fine.ts", server: "typescript" },
			],
		});
		const closed = await project.call<Opened>("close", { files: ["src/area.ts", "src/app.ts"] });
		expect(closed.files).toEqual([{ path: "src/area.ts", server: "typescript" }]);
		await expect(opened(project, "src/none.ts")).rejects.toMatchObject({ code: "LSP_FILE_NOT_FOUND" });
	}));

interface Report {
	readonly files: { readonly path: string; readonly diagnostics: readonly unknown[] }[];
	readonly summary: object;
	readonly omitted: object;
}

test("diagnostics: the open files or the workspace are checked, with at most the requested number of diagnostics", () =>
	withProject(files, async (project) => {
		const ask = (input: object) => project.call<Report>("diagnostics", input);
		expect((await ask({})).files).toEqual([]);
		await opened(project, "src/fine.ts");
		expect((await ask({})).files.map(({ path }) => path)).toEqual(["src/fine.ts"]);
		const all = await ask({ scope: "workspace" });
		// The other checked files depend on the installed servers (JSON).
		const scripts = all.files.filter(({ path }) => path.endsWith(".ts"));
		expect(scripts.map(({ path, diagnostics }) => [path, diagnostics.length]).sort()).toEqual([
			["src/app.ts", 1],
			["src/area.ts", 0],
			["src/fine.ts", 0],
			["tools/tool.ts", 0],
		]);
		expect(all.summary).toEqual({ errors: 1, warnings: 0, info: 0, hints: 0 });
		writeFileSync(join(project.ws.root, "src/more.ts"), "export const a: string = 1;\nexport const b: string = 2;\n");
		const some = await ask({ scope: "workspace", limit: 1 });
		expect(some.omitted).toMatchObject({ diagnostics: 2 });
		expect(some.files.map(({ path }) => path)).not.toContain("src/more.ts");
		await expect(ask({ scope: "affected" })).rejects.toMatchObject({ code: "LSP_INVALID_INPUT" });
	}));

test("diagnostics: a file that a query has opened to find users of a symbol is none of the open files", () => {
	const outside = {
		...files,
		"tsconfig.json": '{ "compilerOptions": { "strict": true }, "include": ["src"] }',
		"tools/tool.ts": 'import { area } from "../src/area.ts";\n\nexport const tool = area(2);\n',
	};
	return withProject(outside, async (project) => {
		const found = await project.call<{ total: number }>("references", { file: "src/area.ts", symbol: "area" });
		expect(found.total).toBe(4);
		const [server] = project.service.pool.servers();
		expect(server?.documents.paths()).toContain(project.ws.path("tools/tool.ts"));
		const { files: open } = await project.call<Report>("diagnostics", {});
		expect(open.map(({ path }) => path)).toEqual(["src/area.ts"]);
	});
});

test("changed: servers are notified of the changed files in their root", () =>
	withProject(files, async (project) => {
		const change = (kind: string, ...names: string[]) => project.call("files_changed", { kind, files: names });
		expect(await change("changed", "src/fine.ts")).toEqual({ servers: 0 });
		await opened(project, "src/fine.ts");
		expect(await change("changed", "src/fine.ts")).toEqual({ servers: 1 });
		await expect(change("deleted", "/etc/hosts")).rejects.toMatchObject({ code: "LSP_OUTSIDE_WORKSPACE" });
	}));

test("folders: the workspace folders are listed, and added to servers that accept them", () =>
	withProject(files, async (project) => {
		expect(await project.call("folders", {})).toEqual({ servers: [] });
		await opened(project, "src/fine.ts");
		expect(await project.call("folders", {})).toEqual({ servers: [{ server: "typescript", folders: ["."] }] });
		const added = await project.call<{ changed: string[] }>("folders", { action: "add", directory: "tools" });
		const [server] = project.service.pool.servers();
		const takes = server?.capabilities.workspace?.workspaceFolders?.changeNotifications !== undefined;
		expect(added.changed).toEqual(takes ? ["typescript"] : []);
	}));

test("log_level: the log level can be changed while the daemon runs", () =>
	withProject(files, async (project) => {
		for (const [level, debug] of [
			["frames", 2],
			["stderr", 1],
			["events", 0],
		] as const) {
			expect(await project.call("log_level", { level })).toEqual({ level });
			expect(project.service.pool.debug).toBe(debug);
		}
	}));
