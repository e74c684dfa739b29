import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typescriptServer } from "../../bench/bare-client.ts";
import { type Project, withProject } from "../diagnostics/project.ts";
import { listenAt } from "../support/listening.ts";

const files = { "src/a.ts": "export const a: number = 1;\n", "src/a.json": "{}\n" };

interface Status {
	readonly servers: readonly { readonly id: string; readonly pid?: number; readonly state: string }[];
}
interface Started {
	readonly servers: readonly { readonly server: string; readonly error?: { readonly code: string } }[];
}

/** Runs `body` while a real TypeScript 7 listens at an address, one for each connection. */
async function withListening(project: Project, body: (address: string, heard: Socket[]) => Promise<void>) {
	const address = join(project.ws.base, "somebody");
	const heard: Socket[] = [];
	const { root: cwd, env } = project.ws;
	const server = await listenAt(address, heard, () => spawn(typescriptServer(), ["--lsp", "--stdio"], { cwd, env }));
	try {
		await body(address, heard);
	} finally {
		for (const socket of heard) socket.destroy();
		server.close();
	}
}

const typeOf = async ({ call }: Project) =>
	(await call<{ text: string }>("hover", { file: "src/a.ts", symbol: "a" })).text;

/** The TypeScript server that answers now; without a process for one that others run. */
const answering = async ({ call }: Project) =>
	(await call<Status>("status", {})).servers.filter(({ id, state }) => id === "typescript" && state === "active");

test("a server that somebody else runs is used from the start that names it to the next one", () =>
	withProject(files, async (project) => {
		const { call } = project;
		expect(await typeOf(project)).toContain("a: number");
		await withListening(project, async (connect, heard) => {
			const started = await call<Started>("start", { language: "typescript", connect });
			expect(started.servers).toEqual([expect.objectContaining({ server: "typescript", root: "." })]);
			expect(started.servers[0]?.error).toBeUndefined();
			for (let round = 0; round < 2; round++) expect(await typeOf(project)).toContain("a: number");
			expect(heard).toHaveLength(1);
			expect((await answering(project)).map(({ pid }) => pid)).toContain(undefined);
			await call("start", { language: "typescript" });
			expect(await typeOf(project)).toContain("a: number");
			expect((await answering(project)).every(({ pid }) => pid !== undefined)).toBe(true);
			expect(heard).toHaveLength(1);
		});
	}));

test("a connection stays where there is none to be had to another one", () =>
	withProject(files, async (project) =>
		withListening(project, async (connect) => {
			const start = (address: string) => project.call<Started>("start", { language: "typescript", connect: address });
			await start(connect);
			const { servers } = await start(join(project.ws.base, "nobody"));
			expect(servers).toMatchObject([{ error: { code: "LSP_SERVER_UNAVAILABLE" } }]);
			expect(await typeOf(project)).toContain("a: number");
			expect((await answering(project)).map(({ pid }) => pid)).toEqual([undefined]);
		}),
	));

test("where nobody listens that is said, and our own server goes on", () =>
	withProject(files, async (project) => {
		const connect = join(project.ws.base, "nobody");
		const { servers } = await project.call<Started>("start", { language: "typescript", connect });
		expect(servers).toMatchObject([{ server: "typescript", error: { code: "LSP_SERVER_UNAVAILABLE" } }]);
		expect(await typeOf(project)).toContain("a: number");
		await expect(project.call("start", { connect })).rejects.toMatchObject({
			code: "LSP_INVALID_INPUT",
			message: expect.stringContaining("needs a language"),
		});
	}));
