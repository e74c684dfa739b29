import { join } from "node:path";
import process from "node:process";
import { expect, test, vi } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import type { CommitResult, Planned, Written } from "../../src/contract/planned.ts";
import { paramsFromEnvironment } from "../../src/contract/protocol.ts";
import { dispatch } from "../../src/daemon/serve.ts";
import { FileIndex } from "../../src/impact/index/file-index.ts";
import { LanguageServer } from "../../src/lsp/server.ts";
import { exitCodeOfWritten } from "../../src/operations/common/written.ts";
import { check } from "../../src/operations/diagnostics.ts";
import { summaryOf } from "../../src/process/environment.ts";
import { writtenText } from "../../src/render/answers/written.ts";
import { checkText } from "../../src/render/check/diagnostics.ts";
import { Changes } from "../../src/writer/changes.ts";
import { realDisk, type WritingDisk } from "../../src/writer/disk.ts";
import { type Project, withProject } from "../diagnostics/project.ts";
import { met, notYet, until } from "../support/until.ts";
import type { Files } from "../support/workspace.ts";

const users = ["one", "two", "three", "four"];
const PROJECT: Files = {
	"src/greet.ts": "export function greet(name: string) {\n\treturn name.trim();\n}\n",
	...Object.fromEntries(
		users.map((user) => [
			`src/${user}.ts`,
			`import { greet } from "./greet.ts";\n\nexport const ${user} = greet("you");\n`,
		]),
	),
};

test("The server is asked once about each file of a written change, and about nothing but its diagnostics", () =>
	withProject(PROJECT, async (project) => {
		// The first change finds nothing known of the files, and the server registers its watched files a moment later.
		await rename(project, "greet", "hail");
		await until("the project is watched", async () => {
			const { servers } = await project.call<{ servers: { watch?: { state: string } }[] }>("status", {});
			const states = servers.map(({ watch }) => watch?.state);
			return states.every((state) => state === "ready") ? met(true) : notYet(String(states));
		});
		await rename(project, "hail", "salute");
		const asked = vi.spyOn(LanguageServer.prototype, "request");
		const notify = vi.spyOn(LanguageServer.prototype, "notify");
		try {
			const { check } = await rename(project, "salute", "welcome", () => asked.mockClear());
			expect(check?.files.map(({ path, state }) => `${path} ${state}`).sort()).toEqual(
				["greet", ...users].map((name) => `src/${name}.ts fresh`).sort(),
			);
			const methods = asked.mock.calls.map(([method]) => method);
			expect(methods).toEqual(["greet", ...users].map(() => "textDocument/diagnostic"));
			// The server is not notified of temporary names either.
			await project.check(["src/greet.ts"]);
			expect(JSON.stringify(notify.mock.calls)).not.toContain(".pi-lsp-");
		} finally {
			asked.mockRestore();
			notify.mockRestore();
		}
	}));

test("A change that fails when its servers have been notified leaves nothing, in the files and in answers", () =>
	withProject(PROJECT, async (project) => {
		const { ws, service, call, check } = project;
		await rename(project, "greet", "salute");
		const names = ["src/greet.ts", ...users.map((user) => `src/${user}.ts`)];
		const texts = names.map((name) => ws.read(name));
		const notify = vi.spyOn(LanguageServer.prototype, "notify");
		const changesSent = () => notify.mock.calls.filter(([method]) => method === "textDocument/didChange").length;
		const create: WritingDisk["create"] = async (path, bytes, like) => {
			if (!path.endsWith("committed")) return realDisk.create(path, bytes, like);
			await until("the server is notified of the new texts", () => (changesSent() > 0 ? met(true) : notYet("nothing")));
			throw Object.assign(new Error("no room"), { code: "ENOSPC" });
		};
		try {
			Object.assign(service, { changes: new Changes(join(ws.base, "full"), { ...realDisk, create }) });
			await expect(rename(project, "salute", "welcome")).rejects.toMatchObject({ code: "LSP_WRITE_FAILED" });
			expect(names.map((name) => ws.read(name))).toEqual(texts);
			const found = await call<{ total: number }>("references", { file: "src/greet.ts", symbol: "salute" });
			expect(found.total).toBe(2 * users.length);
			const { files } = await check(names);
			expect(files.map(({ state, diagnostics }) => [state, diagnostics])).toEqual(names.map(() => ["fresh", []]));
		} finally {
			notify.mockRestore();
		}
	}));

test("A change reports that it is not proven when the search for its dependents does not end in time", () =>
	withProject(PROJECT, async (project) => {
		const reading = vi.spyOn(FileIndex.prototype, "read");
		try {
			const written = await rename(project, "greet", "salute", () => reading.mockReturnValue(new Promise(() => {})));
			expect(written.check?.files.map(({ state }) => state)).toEqual(["greet", ...users].map(() => "fresh"));
			expect(written.check?.omitted).toEqual({ diagnostics: 0, files: 0, unsearched: true });
			expect(exitCodeOfWritten(written as Written)).toBe(3);
			const text = writtenText("renamed", written as Written);
			expect(text).toContain("Not all files that may see it were looked for in time.\nundo: u1");
			expect(text).not.toContain("nothing new is wrong");
		} finally {
			reading.mockRestore();
		}
	}));

test("A check of affected files reports that it is not clean when the search for them does not end in time", () =>
	withProject(PROJECT, async ({ call }) => {
		const reading = vi.spyOn(FileIndex.prototype, "read").mockReturnValue(new Promise(() => {}));
		try {
			const input = { files: ["src/greet.ts"], scope: "affected", timeout: 5000 };
			const report = await call<CheckReport>("check", input);
			expect(report.files).toMatchObject([{ path: "src/greet.ts", state: "fresh" }]);
			expect(report.omitted).toMatchObject({ files: 0, unsearched: true });
			expect(check.exitCode?.(report as never)).toBe(3);
			expect(checkText(report)).toContain("Not all files that may see it were looked for in time.");
		} finally {
			reading.mockRestore();
		}
	}));

async function rename(
	{ ws, service, call }: Project,
	from: string,
	to: string,
	planned: () => void = () => {},
): Promise<CommitResult> {
	const { plan } = (await call<Planned>("rename", { file: "src/greet.ts", symbol: from, new_name: to })).planned;
	planned();
	const caller = { ...paramsFromEnvironment(process.env), environment: summaryOf(process.env), cwd: ws.root };
	const source = { env: async () => process.env, signal: new AbortController().signal };
	return (await dispatch(service, "commit", { ...caller, plan }, source)) as CommitResult;
}
