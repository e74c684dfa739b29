import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { ask, token, withHttp } from "../faces/mcp/http-server.ts";
import { REPOSITORY } from "../support/repository.ts";
import { runCommand } from "../support/run-command.ts";
import { withWorkspace } from "../support/workspace.ts";

const lines = readFileSync(join(REPOSITORY, "Dockerfile"), "utf8").trimEnd().split("\n");

/** The last line of that kind. */
function last(instruction: string): string {
	const found = lines.filter((line) => line.startsWith(`${instruction} `)).at(-1);
	return found?.slice(instruction.length + 1) ?? "";
}

test("the image is described in at most 20 lines, and runs as a user other than root", () => {
	expect(lines.length).toBeLessThanOrEqual(20);
	expect(last("USER")).toMatch(/^(?!root$|0(?::|$))\w+$/);
});

test("the server of the image serves every client with the token, and its health check gives its state", () =>
	withWorkspace({}, (ws) => {
		const [command, http, ...options] = JSON.parse(last("CMD")) as string[];
		expect([command, http]).toEqual(["mcp", "--http"]);
		return withHttp(ws, options, async (server) => {
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
			const headers = { "Content-Type": "application/json", Host: `localhost:${server.port}` };
			expect((await ask(server, { headers }, body)).status).toBe(401);
			const known = { ...headers, Authorization: `Bearer ${token}` };
			// The client is let in, and informed that a session begins with another request.
			expect((await ask(server, { headers: known }, body)).status).toBe(400);
			const check = JSON.parse(last("HEALTHCHECK").replace("CMD ", "")) as string[];
			const at = (port: number) => check.slice(1).map((word) => word.replace(":8080/", `:${port}/`));
			const health = (port: number) => runCommand(process.execPath, at(port), { cwd: ws.root, env: ws.env });
			expect((await health(server.port)).code).toBe(0);
			expect((await health(9)).code).not.toBe(0);
		});
	}));
