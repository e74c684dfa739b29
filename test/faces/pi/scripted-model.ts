import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ModelRequest, readRequest } from "./model-request.ts";

/** A tool call that the scripted model makes. */
export interface ScriptedCall {
	readonly name: string;
	readonly arguments: Readonly<Record<string, unknown>>;
	/** The id of the call, generated if it is not given. */
	readonly id?: string;
}

/** The answer of the scripted model to one request. */
export interface ScriptedTurn {
	readonly text?: string;
	readonly calls?: readonly ScriptedCall[];
}

/** A turn, or a function that reads the request first and throws to refuse to continue. */
export type ScriptedStep =
	| ScriptedTurn
	| ((request: ModelRequest, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

/** A model on 127.0.0.1 that follows a script and records its requests. */
export interface ScriptedModel {
	readonly baseUrl: string;
	readonly requests: readonly ModelRequest[];
	/** Steps that refused to continue, and requests for which the script has no step. */
	readonly refusals: readonly Error[];
	close(): Promise<void>;
}

/** Starts a model that answers the n-th request with the n-th step, over the protocol of OpenAI's chat completions. */
export async function startScriptedModel(steps: readonly ScriptedStep[]): Promise<ScriptedModel> {
	const requests: ModelRequest[] = [];
	const refusals: Error[] = [];

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.method !== "POST" || !request.url?.endsWith("/chat/completions")) {
			throw new Error(`nothing was scripted for ${request.method} ${request.url}`);
		}
		const body = await readBody(request);
		const index = requests.length;
		const read = readRequest(JSON.parse(body), performance.now());
		requests.push(read);
		const step = steps[index];
		if (step === undefined) throw new Error(`the script has ${steps.length} steps; this is request ${index + 1}`);
		const turn = typeof step === "function" ? await step(read, index) : step;
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const chunk of chunksOf(turn, index)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
		response.end("data: [DONE]\n\n");
	}

	const server = createServer((request, response) => {
		answer(request, response).catch((cause: unknown) => {
			const error = cause instanceof Error ? cause : new Error(String(cause));
			refusals.push(error);
			// The status is 400, because the client tries again after a 500.
			response.writeHead(400, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message: `the scripted model refuses: ${error.message}` } }));
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		requests,
		refusals,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function* chunksOf(turn: ScriptedTurn, index: number): Generator<object> {
	const calls = turn.calls ?? [];
	const chunk = (delta: object, finish: string | null = null) => ({
		id: `turn-${index}`,
		object: "chat.completion.chunk",
		created: 0,
		model: "scripted",
		choices: [{ index: 0, delta, finish_reason: finish }],
	});
	yield chunk({ role: "assistant", content: turn.text ?? "" });
	for (const [position, call] of calls.entries()) {
		const id = call.id ?? `call_${index}_${position}`;
		const called = { name: call.name, arguments: JSON.stringify(call.arguments) };
		yield chunk({ tool_calls: [{ index: position, id, type: "function", function: called }] });
	}
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	yield { ...chunk({}, calls.length > 0 ? "tool_calls" : "stop"), usage };
}

async function readBody(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts).toString("utf8");
}
