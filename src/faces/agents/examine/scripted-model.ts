import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { attempt } from "../../../util/attempt.ts";

export type Step =
	| { readonly tool: string; readonly input: unknown; readonly namespace?: string }
	| { readonly text: string };

export interface ScriptedModel {
	readonly url: string;
	readonly requests: readonly unknown[];
	close(): Promise<void>;
}

export interface Protocol {
	/** False for asides, such as a request for a title. */
	isStep(body: Record<string, unknown>, url: string): boolean;
	answer(step: Step, respond: Respond, body: Record<string, unknown>): void;
}

interface Respond {
	json(value: unknown): void;
	/** Server-sent events, named by their type. */
	events(list: readonly unknown[]): void;
	readonly id: string;
}

const aside: Step = { text: "ok" };

/** On loopback; takes the steps one by one, then ends the turn. */
export async function scriptedModel(protocol: Protocol, steps: readonly Step[]): Promise<ScriptedModel> {
	const requests: unknown[] = [];
	let count = 0;
	const server = createServer(async (request, response) => {
		const body = await bodyOf(request);
		const url = request.url ?? "";
		if (request.method !== "POST") return void writerFor(response, count++).json({ data: [], models: [] });
		const isStep = protocol.isStep(body, url);
		const step = isStep ? (steps[requests.length] ?? { text: "Done." }) : aside;
		if (isStep) requests.push(body);
		protocol.answer(step, writerFor(response, count++), body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return attempt(() => JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>, {});
}

function writerFor(response: ServerResponse, count: number): Respond {
	return {
		id: `${count}`,
		json(value) {
			response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
		},
		events(list) {
			response.writeHead(200, { "content-type": "text/event-stream" });
			for (const each of list) {
				const { type } = each as { readonly type?: string };
				const name = type === undefined ? "" : `event: ${type}\n`;
				response.write(`${name}data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`);
			}
			response.end();
		},
	};
}

const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };

export const chat: Protocol = {
	isStep: ({ tools }) => Array.isArray(tools) && tools.length > 0,
	answer(step, { json, events, id }, { model, stream }) {
		const isCall = "tool" in step;
		const call = isCall && {
			index: 0,
			id: `call_${id}`,
			type: "function",
			function: { name: step.tool, arguments: JSON.stringify(step.input) },
		};
		const message = { role: "assistant", content: isCall ? null : step.text, ...(call ? { tool_calls: [call] } : {}) };
		const finish_reason = isCall ? "tool_calls" : "stop";
		const about = { id: `chatcmpl-${id}`, created: 1, model };
		if (stream !== true)
			return json({ ...about, object: "chat.completion", usage, choices: [{ index: 0, message, finish_reason }] });
		const chunk = (delta: unknown, end: string | null) => ({
			...about,
			object: "chat.completion.chunk",
			choices: [{ index: 0, delta, finish_reason: end }],
		});
		events([chunk(message, null), chunk({}, finish_reason), { ...chunk({}, null), choices: [], usage }, "[DONE]"]);
	},
};

/** OpenAI's responses; a tool with a text as input is a custom one. */
export const responses: Protocol = {
	isStep: (_, url) => url.includes("/responses"),
	answer(step, { events, id }) {
		const item = itemOf(step, id);
		const response = { id: `resp_${id}`, object: "response" };
		const tokens = { input_tokens: 9, output_tokens: 1, total_tokens: 10 };
		events([
			{ type: "response.created", response },
			{ type: "response.output_item.added", output_index: 0, item },
			{ type: "response.output_item.done", output_index: 0, item },
			{ type: "response.completed", response: { ...response, status: "completed", output: [item], usage: tokens } },
		]);
	},
};

function itemOf(step: Step, id: string) {
	if (!("tool" in step))
		return {
			type: "message",
			id: `msg_${id}`,
			role: "assistant",
			status: "completed",
			content: [{ type: "output_text", text: step.text, annotations: [] }],
		};
	const call = {
		id: `item_${id}`,
		call_id: `call_${id}`,
		name: step.tool,
		namespace: step.namespace,
		status: "completed",
	};
	if (typeof step.input === "string") return { ...call, type: "custom_tool_call", input: step.input };
	return { ...call, type: "function_call", arguments: JSON.stringify(step.input) };
}

export const generateContent: Protocol = {
	// A request outside the conversation offers one or two tools.
	isStep({ tools }) {
		const lists = Array.isArray(tools) ? tools : [];
		return lists.some((each) => ((each as { functionDeclarations?: unknown[] }).functionDeclarations ?? []).length > 2);
	},
	answer(step, { events, id }) {
		const part =
			"tool" in step ? { functionCall: { id: `call_${id}`, name: step.tool, args: step.input } } : { text: step.text };
		events([
			{
				responseId: id,
				modelVersion: "scripted",
				candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
				usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1, totalTokenCount: 10 },
			},
		]);
	},
};

export const messages: Protocol = {
	isStep: ({ tools }, url) => url.startsWith("/v1/messages") && Array.isArray(tools) && tools.length > 0,
	answer(step, { json, events, id }, { model, stream }) {
		const isCall = "tool" in step;
		const block = isCall
			? { type: "tool_use", id: `toolu_${id}`, name: step.tool, input: step.input }
			: { text: step.text, type: "text" };
		const stop_reason = isCall ? "tool_use" : "end_turn";
		const about = { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null };
		const tokens = { input_tokens: 9, output_tokens: 1 };
		if (stream !== true) return json({ ...about, content: [block], stop_reason, usage: tokens });
		const begun = isCall ? { ...block, input: {} } : { ...block, text: "" };
		const delta = isCall
			? { type: "input_json_delta", partial_json: JSON.stringify(step.input) }
			: { type: "text_delta", text: step.text };
		events([
			{ type: "message_start", message: { ...about, content: [], stop_reason: null, usage: tokens } },
			{ type: "content_block_start", index: 0, content_block: begun },
			{ type: "content_block_delta", index: 0, delta },
			{ type: "content_block_stop", index: 0 },
			{ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
			{ type: "message_stop" },
		]);
	},
};
