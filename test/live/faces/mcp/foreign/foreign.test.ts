import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { namedFake } from "../../../../faces/mcp/fake.ts";
import { token, withHttp } from "../../../../faces/mcp/http-server.ts";
import { HOSTS_FOLDER } from "../../../../faces/pi/hosts.ts";
import { CLI } from "../../../../support/repository.ts";
import { runCommand } from "../../../../support/run-command.ts";
import { type Workspace, withWorkspace } from "../../../../support/workspace.ts";

/** Clients in other languages: each is a program that is given the requests, and prints the answers. */

type Program = readonly string[];

interface Foreign {
	/** The revision of the protocol that it negotiates with this server. */
	readonly revision: string;
	/** Undefined if it is not installed. */
	program(ws: Workspace): Promise<Program | undefined>;
	/** Arguments in addition to those of all clients. */
	readonly more?: object;
}

function python(version: string, file: string): Foreign["program"] {
	const program = join(HOSTS_FOLDER, `python-mcp-${version}/bin/python`);
	return async () => (existsSync(program) ? [program, "-B", join(import.meta.dirname, file)] : undefined);
}

/** The client is rebuilt, from dependencies that are downloaded and compiled already. */
async function go(ws: Workspace): Promise<Program | undefined> {
	const program = join(ws.base, "client");
	const env = { ...process.env, GOPROXY: "off", GOTOOLCHAIN: "local" } as Record<string, string>;
	const built = await runCommand("go", ["build", "-o", program, "."], { cwd: join(import.meta.dirname, "go"), env })
		.then(({ code }) => code === 0)
		.catch(() => false);
	return built ? [program] : undefined;
}

const [newest, older] = ["2026-07-28", "2025-11-25"];

// scripts/install-hosts.mjs installs these versions.
const clients: Readonly<Record<string, Foreign>> = {
	"Python, first generation": { revision: older, program: python("1.30.0", "client_1.py") },
	"Python, second generation": { revision: newest, program: python("2.3.0", "client_2.py") },
	"Go, newest revision": { revision: newest, program: go },
	"Go, older revision": { revision: older, program: go, more: { version: older } },
};

describe.each(Object.entries(clients))("the official client of %s", (_, { revision, program, more }) => {
	test.for(["standard input and output", "HTTP"])(
		"lists, calls, reads, subscribes, cancels and gets progress over %s",
		(transport, { skip }) =>
			withWorkspace({ "a.fake": "one\n" }, async (ws) => {
				const [file, ...args] = (await program(ws)) ?? [];
				if (file === undefined) return skip("it is not installed: node scripts/install-hosts.mjs");
				const fake = namedFake(ws, { on: [{ method: "textDocument/definition", do: [{ never: true }] }] });
				const position = { file: "a.fake", line: 1, column: 1 };
				const hover = { name: "lsp_hover", arguments: position };
				const hanging = { name: "lsp_definition", arguments: position };
				const run = async (server: object) => {
					const asked = JSON.stringify({ ...server, hover, hanging, ...more });
					const { code, stdout, stderr } = await runCommand(file, [...args, asked], { cwd: ws.root, env: ws.env });
					expect(code, stderr).toBe(0);
					expect(JSON.parse(stdout)).toEqual({
						version: revision,
						tools: expect.arrayContaining(["lsp_check", "lsp_hover"]),
						updated: "lsp-status:///",
						progress: expect.any(Number),
						hover: expect.stringContaining("one"),
						status: expect.stringContaining('"node"'),
					});
					await fake.received("$/cancelRequest");
				};
				if (transport !== "HTTP") return run({ command: [process.execPath, CLI, "mcp", fake.pair] });
				await withHttp(ws, [fake.pair], ({ url }) => run({ url, authorization: `Bearer ${token}` }));
			}),
	);
});
