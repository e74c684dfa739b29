import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { CLI } from "../../support/repository.ts";
import type { Workspace } from "../../support/workspace.ts";

export const modern = "2026-07-28";

/** A person's answer to a question whether something is allowed. */
export type Answer = { action: "accept"; content: { allow: boolean } } | { action: "decline" | "cancel" };

/** The same client of a person who gives that answer to every question. */
export function askedClient(answer: Answer): { readonly client: Client; readonly questions: string[] } {
	const questions: string[] = [];
	const client = new Client(
		{ name: "test", version: "1" },
		{ capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: modern } } },
	);
	client.setRequestHandler("elicitation/create", ({ params }) => {
		questions.push(params.message);
		return answer;
	});
	return { client, questions };
}

/** The official client of the second generation, held to the newest revision. */
export async function withModern(
	ws: Workspace,
	args: readonly string[],
	body: (client: Client) => Promise<void>,
	client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: modern } } }),
) {
	const mistakes: string[] = [];
	client.onerror = (error) => void mistakes.push(error.message);
	const command = { command: process.execPath, args: [CLI, "mcp", ...args] };
	await client.connect(new StdioClientTransport({ ...command, cwd: ws.root, env: { ...ws.env }, stderr: "ignore" }));
	try {
		await body(client);
		expect(mistakes).toEqual([]);
	} finally {
		await client.close();
	}
}
