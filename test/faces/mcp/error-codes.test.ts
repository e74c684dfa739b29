import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { FAKE_SERVER } from "../../fakes/fake.ts";
import type { Script } from "../../fakes/script.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";

/**
 * The codes of swissarmyhammer's reference ("Error Handling"), each in the situation that the page describes, with
 * every field of `details` that the page prints.
 */

const hover = "textDocument/hover";

/** A configuration of the user's own with a scripted server for `.fake` files of the language `rust`. */
function configured(ws: Workspace, script: Script, over: object = {}): string {
	const scriptFile = join(ws.base, "fake.json");
	writeFileSync(scriptFile, JSON.stringify(script));
	const config = join(ws.base, "config.json");
	const server = {
		command: [process.execPath, FAKE_SERVER, scriptFile],
		match: ["fake"],
		languageId: "rust",
		rootMarkers: ["Cargo.toml", "Cargo.lock"],
		looseFiles: false,
		...over,
	};
	writeFileSync(config, JSON.stringify({ servers: { "rust-fake": server } }));
	return config;
}

/** Errors that do not depend on the request. */
const isOfServer = /^LSP_SERVER_(UNAVAILABLE|START_FAILED)$/;

async function refused(
	ws: Workspace,
	{ config, file = "a.fake", env = ws.env }: { config?: string; file?: string; env?: Readonly<Record<string, string>> },
) {
	const args = ["--profile", "sah", ...(config ? ["--config", config] : [])];
	return withMcp(ws, { args, env }, async ({ call }) => {
		const given = { operation: "hover", file_path: ws.path(file), line: 1, column: 1 };
		const result = await call("lsp", given);
		expect(result.isError, textOf(result)).toBe(true);
		const { error } = JSON.parse(textOf(result));
		if (isOfServer.test(error.code)) {
			const unproven = await call("lsp", { operation: "diagnostics", file_path: given.file_path });
			expect(unproven.isError, textOf(unproven)).toBe(true);
			expect(JSON.parse(textOf(unproven)).error).toMatchObject({
				code: error.code,
				message: error.message,
				details: { language: "rust" },
			});
		}
		return error;
	});
}

const project = { "a.fake": "one\n", "Cargo.toml": "" };
const words = "thread 'main' panicked at the disco";

test("LSP_PREREQUISITE_MISSING is the code if a prerequisite of a server is missing", () =>
	withWorkspace({ ...project, "Main.java": "class Main {}\n", "pom.xml": "<project/>\n" }, async (ws) => {
		// A jdtls that would start, on a PATH without Java.
		const bin = join(ws.base, "bin");
		ws.write("../bin/jdtls", "#!/bin/sh\nexit 1\n");
		chmodSync(join(bin, "jdtls"), 0o755);
		const error = await refused(ws, {
			file: "Main.java",
			env: { ...ws.env, PATH: bin, PI_LSP_TRUST: "1" },
		});
		expect(error).toMatchObject({
			code: "LSP_PREREQUISITE_MISSING",
			message: expect.stringMatching(/java/i),
			details: {
				language: "java",
				missing: "java",
				suggestion: expect.stringContaining("java"),
				checked_paths: expect.arrayContaining([bin]),
			},
		});
	}));

test("LSP_SERVER_UNAVAILABLE is the code if a server is not installed", () =>
	withWorkspace({ "main.rs": "fn main() {}\n", "Cargo.toml": '[package]\nname = "a"\n' }, async (ws) => {
		const bin = join(ws.base, "bin");
		const error = await refused(ws, { file: "main.rs", env: { ...ws.env, PATH: bin, PI_LSP_TRUST: "1" } });
		expect(error).toMatchObject({
			code: "LSP_SERVER_UNAVAILABLE",
			message: expect.stringContaining("rust-analyzer"),
			details: {
				language: "rust",
				command: "rust-analyzer",
				install_hint: expect.stringContaining("rust-analyzer"),
				search_paths: expect.arrayContaining([bin]),
			},
		});
	}));

test("LSP_SERVER_START_FAILED is the code if a server exits before it answers", () =>
	withWorkspace(project, async (ws) => {
		const config = configured(ws, { start: [{ stderr: `${words}\n` }, { crash: 1 }] });
		expect(await refused(ws, { config })).toMatchObject({
			code: "LSP_SERVER_START_FAILED",
			message: expect.stringContaining("failed to start"),
			details: {
				language: "rust",
				command: expect.stringContaining("fake-server"),
				exit_code: 1,
				stderr: expect.stringContaining(words),
				suggestion: expect.stringMatching(/\w/),
			},
		});
	}));

test("LSP_SERVER_CRASHED is the code if a server exits during a request, and again at the next attempt", () =>
	withWorkspace(project, async (ws) => {
		const config = configured(ws, { on: [{ method: hover, do: [{ stderr: `${words}\n` }, { crash: 1 }] }] });
		const error = await refused(ws, { config });
		expect(error).toMatchObject({
			code: "LSP_SERVER_CRASHED",
			details: {
				language: "rust",
				exit_code: 1,
				stderr: expect.stringContaining(words),
				action: "retry_in_seconds",
				retry_after: expect.any(Number),
			},
		});
		expect(error.details.retry_after).toBeGreaterThan(0);
	}));

test("LSP_NO_PROJECT_ROOT is the code if nothing marks a project", () =>
	withWorkspace({ "a.fake": "one\n" }, async (ws) => {
		expect(await refused(ws, { config: configured(ws, {}) })).toMatchObject({
			code: "LSP_NO_PROJECT_ROOT",
			details: {
				file_path: ws.path("a.fake"),
				looked_for: ["Cargo.toml", "Cargo.lock"],
				suggestion: "Create a Cargo.toml or Cargo.lock in the project directory.",
			},
		});
	}));

const indexing = { token: "t", value: { kind: "begin", title: "Indexing", percentage: 42 } };

test("LSP_FILE_NOT_INDEXED is the code if a server that is still reading its project answers with nothing", () =>
	withWorkspace(project, async (ws) => {
		const config = configured(ws, {
			on: [{ method: hover, do: [{ notify: "$/progress", params: indexing }, { reply: null }] }],
		});
		expect(await refused(ws, { config })).toMatchObject({
			code: "LSP_FILE_NOT_INDEXED",
			message: expect.stringContaining("not yet indexed"),
			details: {
				file_path: ws.path("a.fake"),
				suggestion: expect.stringContaining("Wait for indexing to complete"),
				progress: expect.stringContaining("Indexing"),
			},
		});
	}));

test("an empty answer of a server that has read everything is accepted, and so is any other answer while it reads", () =>
	withWorkspace(project, async (ws) => {
		const done = { ...indexing, value: { kind: "end" } };
		const config = configured(ws, {
			on: [
				{ method: hover, nth: 1, do: [{ notify: "$/progress", params: indexing }, { reply: { contents: "early" } }] },
				{ method: hover, nth: 2, do: [{ notify: "$/progress", params: done }, { reply: null }] },
				{ method: hover, do: [{ reply: { contents: "late" } }] },
			],
		});
		await withMcp(ws, { args: ["--profile", "sah", "--config", config] }, async ({ text }) => {
			const ask = () => text("lsp", { operation: "hover", file_path: ws.path("a.fake"), line: 1, column: 1 });
			expect(await ask()).toContain("early");
			// The second answer is empty while the server was reading; when that has ended, the request is sent once more.
			expect(await ask()).toContain("late");
		});
	}));

test("LSP_UNSUPPORTED_FILE is the code if no server is for this kind of file", () =>
	withWorkspace({ "data.xyz": "x\n" }, async (ws) => {
		expect(await refused(ws, { file: "data.xyz" })).toMatchObject({
			code: "LSP_UNSUPPORTED_FILE",
			message: expect.stringContaining(".xyz"),
			details: {
				file_path: ws.path("data.xyz"),
				extension: ".xyz",
				supported_extensions: expect.arrayContaining([".rs", ".ts", ".tsx", ".js", ".jsx"]),
			},
		});
	}));
