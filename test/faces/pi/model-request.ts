/** One message of a conversation in a request to the model, with its text in one piece. */
export interface ModelMessage {
	readonly role: string;
	readonly text: string;
	/** The calls that an assistant message makes. */
	readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
	/** The call that a tool message answers. */
	readonly callId?: string;
}

/** A tool in its declaration to the model. */
interface DeclaredTool {
	readonly name: string;
	readonly description: string;
	readonly parameters: unknown;
}

/** One request to the model. */
export interface ModelRequest {
	/** The time of its arrival, on the clock of `performance.now()`. */
	readonly at: number;
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly DeclaredTool[];
}

interface WireMessage {
	role: string;
	content?: string | { type: string; text?: string }[] | null;
	tool_call_id?: string;
	tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

interface WireRequest {
	messages: WireMessage[];
	tools?: { function: { name: string; description?: string; parameters?: unknown } }[];
}

/** Reads the body of a request for a chat completion. */
export function readRequest(body: unknown, at: number): ModelRequest {
	const { messages, tools = [] } = body as WireRequest;
	return {
		at,
		messages: messages.map(readMessage),
		tools: tools.map(({ function: tool }) => ({
			name: tool.name,
			description: tool.description ?? "",
			parameters: tool.parameters,
		})),
	};
}

function readMessage(message: WireMessage): ModelMessage {
	const { content } = message;
	const text = Array.isArray(content) ? content.map((part) => part.text ?? `[${part.type}]`).join("\n") : content;
	return {
		role: message.role,
		text: text ?? "",
		calls: (message.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called })),
		...(message.tool_call_id === undefined ? {} : { callId: message.tool_call_id }),
	};
}

/** The tool results that a request brings since the model's last turn, in the order in which pi sends them. */
export function newToolResults(request: ModelRequest): ModelMessage[] {
	const lastTurn = request.messages.findLastIndex((message) => message.role === "assistant");
	return request.messages.slice(lastTurn + 1).filter((message) => message.role === "tool");
}

/** The one new tool result of a request. */
export function toolResult(request: ModelRequest): string {
	const results = newToolResults(request);
	const [only] = results;
	if (only === undefined || results.length > 1) throw new Error(`expected one tool result, found ${results.length}`);
	return only.text;
}

/** The conversation of a request, for people; the system prompt is left out. */
export function conversationText(request: ModelRequest): string {
	const lines: string[] = [];
	for (const { role, text, calls, callId } of request.messages) {
		if (role === "system" || role === "developer") continue;
		lines.push(`[${callId === undefined ? role : `result of ${callId}`}] ${text}`);
		for (const call of calls) lines.push(`[call ${call.id}] ${call.name} ${call.arguments}`);
	}
	return lines.join("\n");
}
