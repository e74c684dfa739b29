import {
	type CallToolResult,
	createRequestStateCodec,
	type GetPromptResult,
	type InputRequest,
	type InputRequiredResult,
	inputRequired,
	inputResponse,
	type Prompt,
	ResourceNotFoundError,
	type Server,
	type ServerContext,
	type ServerEventBus,
	type Tool,
} from "@modelcontextprotocol/server";

/** The tools, resources and prompts that the official suite names in the descriptions of its scenarios. */

type McpRequest = ServerContext["mcpReq"];

interface Around {
	readonly request: McpRequest;
	readonly server: Server;
	readonly bus: ServerEventBus;
}

interface Fixture {
	readonly tool: Tool;
	call(args: Readonly<Record<string, unknown>>, around: Around): Promise<CallToolResult | InputRequiredResult>;
}

export const sealed = createRequestStateCodec<string>({ key: "a key that is long enough for this, of a test" });

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const wav = Buffer.from(
	"524946462400000057415645666d7420100000000100010040 1f0000401f00000100080064617461 00000000".replaceAll(" ", ""),
	"hex",
).toString("base64");

const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: png, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, words: string) => ({
	type: "resource" as const,
	resource: { uri, mimeType, text: words },
});
const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The requests to the client, by the key of the answer. */
const form = (message: string, properties: Readonly<Record<string, { readonly type: "string" | "boolean" }>>) =>
	inputRequired.elicit({
		message,
		requestedSchema: { type: "object", properties, required: Object.keys(properties) } as never,
	});
const ask = (words: string, maxTokens: number) =>
	inputRequired.createMessage({ messages: [{ role: "user", content: text(words) }], maxTokens });
const name = { name: { type: "string" } } as const;

/** Repeats the requests until every answer is there; then `answer` has the contents of the forms. */
async function asking(
	request: McpRequest,
	inputRequests: Readonly<Record<string, InputRequest>>,
	answer: (contents: Readonly<Record<string, unknown>>) => CallToolResult,
	state?: string,
): Promise<CallToolResult | InputRequiredResult> {
	const given = Object.keys(inputRequests).map((key) => [key, inputResponse(request.inputResponses, key)] as const);
	const isThere = given.every(([, { kind }]) => kind !== "missing");
	if (isThere && (state === undefined || request.requestState<string>() === state))
		return answer(Object.fromEntries(given));
	return inputRequired({
		inputRequests: { ...inputRequests },
		...(state === undefined ? {} : { requestState: await sealed.mint(state) }),
	});
}

/**
 * Otherwise the SDK sends the request on the client's stream of notifications, and loses it if that is not open yet.
 */
const within = ({ id }: McpRequest) => ({ relatedRequestId: id });

const enumeration = ["option1", "option2", "option3"];
const titled = (words: string) =>
	["First", "Second", "Third"].map((each, index) => ({ const: `value${index + 1}`, title: `${each} ${words}` }));

/** Forms that are requested while a call of the older revisions waits. */
const forms: Readonly<Record<string, object>> = {
	test_elicitation_sep1034_defaults: {
		name: { type: "string", default: "John Doe" },
		age: { type: "integer", default: 30 },
		score: { type: "number", default: 95.5 },
		status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
		verified: { type: "boolean", default: true },
	},
	test_elicitation_sep1330_enums: {
		untitledSingle: { type: "string", enum: enumeration },
		titledSingle: { type: "string", oneOf: titled("Option") },
		legacyEnum: {
			type: "string",
			enum: ["opt1", "opt2", "opt3"],
			enumNames: ["Option One", "Option Two", "Option Three"],
		},
		untitledMulti: { type: "array", items: { type: "string", enum: enumeration } },
		titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
	},
};

const calls: Readonly<Record<string, Fixture["call"]>> = {
	test_simple_text: async () => ({ content: [text("This is a simple text response for testing.")] }),
	test_image_content: async () => ({ content: [image] }),
	test_audio_content: async () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] }),
	test_embedded_resource: async () => ({
		content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
	}),
	test_multiple_content_types: async () => ({
		content: [
			text("Multiple content types test:"),
			image,
			embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
		],
	}),
	test_error_handling: async () => ({
		isError: true,
		content: [text("This tool intentionally returns an error for testing")],
	}),
	async test_tool_with_progress(_, { request: { _meta, notify } }) {
		const progressToken = _meta?.progressToken;
		for (const progress of [0, 50, 100]) {
			if (progressToken !== undefined)
				await notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
			await soon(50);
		}
		return { content: [text("done")] };
	},
	async test_tool_with_logging(_, { request }) {
		for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
			await request.log("info", words);
			await soon(50);
		}
		return { content: [text("done")] };
	},
	async test_logging_tool(_, { request }) {
		await request.log("info", "logged");
		return { content: [text("done")] };
	},
	async test_sampling({ prompt }, { request }) {
		const wanted = { messages: [{ role: "user" as const, content: text(String(prompt)) }], maxTokens: 100 };
		const { content } = await request.requestSampling(wanted, within(request));
		return { content: [text(`LLM response: ${JSON.stringify(content)}`)] };
	},
	async test_elicitation({ message }, { request }) {
		const field = (description: string) => ({ type: "string" as const, description });
		const properties = { username: field("User's response"), email: field("User's email address") };
		const requestedSchema = { type: "object" as const, properties, required: ["username", "email"] };
		const { action, content } = await request.elicitInput(
			{ message: String(message), requestedSchema },
			within(request),
		);
		return { content: [text(`User response: ${action}, ${JSON.stringify(content)}`)] };
	},
	...Object.fromEntries(
		Object.entries(forms).map(([tool, properties]): [string, Fixture["call"]] => [
			tool,
			async (_, { request }) => {
				const requestedSchema = { type: "object", properties, required: [] } as never;
				const { action, content } = await request.elicitInput(
					{ message: "Please fill it in", requestedSchema },
					within(request),
				);
				return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)] };
			},
		]),
	),
	test_missing_capability: (_, { request }) =>
		asking(request, { it: ask("Anything", 10) }, () => ({ content: [text("done")] })),
	test_streaming_elicitation: (_, { request }) =>
		asking(request, { it: form("Your name?", name) }, () => ({ content: [text("done")] })),
	async test_trigger_tool_change(_, { server, bus }) {
		bus.publish({ kind: "tools_list_changed" });
		await server.sendToolListChanged().catch(() => {});
		return { content: [text("done")] };
	},
	async test_trigger_prompt_change(_, { server, bus }) {
		bus.publish({ kind: "prompts_list_changed" });
		await server.sendPromptListChanged().catch(() => {});
		return { content: [text("done")] };
	},
	test_input_required_result_elicitation: (_, { request }) =>
		asking(request, { user_name: form("What is your name?", name) }, ({ user_name }) => ({
			content: [text(`Hello, ${(user_name as { content?: { name?: string } }).content?.name}!`)],
		})),
	test_input_required_result_sampling: (_, { request }) =>
		asking(request, { capital_question: ask("What is the capital of France?", 100) }, (given) => ({
			content: [text(JSON.stringify(given))],
		})),
	test_input_required_result_list_roots: (_, { request }) =>
		asking(request, { client_roots: inputRequired.listRoots() }, (given) => ({
			content: [text(JSON.stringify(given))],
		})),
	test_input_required_result_request_state: (_, { request }) =>
		asking(
			request,
			{ confirm: form("Please confirm", { ok: { type: "boolean" } }) },
			() => ({ content: [text("state-ok")] }),
			"asked",
		),
	test_input_required_result_tampered_state: (_, { request }) =>
		asking(
			request,
			{ confirm: form("Please confirm", { ok: { type: "boolean" } }) },
			() => ({ content: [text("state-ok")] }),
			"asked",
		),
	test_input_required_result_multiple_inputs: (_, { request }) =>
		asking(
			request,
			{
				user_name: form("What is your name?", name),
				greeting: ask("Generate a greeting", 50),
				client_roots: inputRequired.listRoots(),
			},
			(given) => ({ content: [text(JSON.stringify(given))] }),
			"asked",
		),
	test_input_required_result_multi_round: (_, { request }) => {
		const second = { step2: form("Step 2: What is your favorite color?", { color: { type: "string" } }) };
		const done = () => ({ content: [text("done")] });
		if (request.requestState<string>() === "second") return asking(request, second, done, "second");
		const isFirst = inputResponse(request.inputResponses, "step1").kind === "missing";
		const first = { step1: form("Step 1: What is your name?", name) };
		return isFirst ? asking(request, first, done, "first") : asking(request, second, done, "second");
	},
	// Only what the client supports is requested.
	test_input_required_result_capabilities: (_, { request }) => {
		const envelope = request.envelope as
			| Readonly<Record<string, { readonly sampling?: object } | undefined>>
			| undefined;
		const { sampling } = envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
		const wanted = sampling ? { it: ask("Anything", 10) } : { it: form("Your name?", name) };
		return asking(request, wanted, () => ({ content: [text("done")] }));
	},
	json_schema_2020_12_tool: async () => ({ content: [text("done")] }),
};

/** Of the JSON Schema that the suite looks for in a list. */
const schema2020 = {
	$schema: "https://json-schema.org/draft/2020-12/schema",
	type: "object" as const,
	$defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
	properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
	additionalProperties: false,
};

export const tools: Readonly<Record<string, Fixture>> = Object.fromEntries(
	Object.entries(calls).map(([tool, call]) => [
		tool,
		{
			tool: {
				name: tool,
				description: "Of the suite",
				inputSchema: tool === "json_schema_2020_12_tool" ? schema2020 : { type: "object" as const },
			},
			call,
		},
	]),
);

export const resources = [
	{ uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
	{ uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
	{ uri: "test://watched-resource", name: "watched-resource", mimeType: "text/plain" },
];
export const templates = [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }];

export function read(uri: string) {
	const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
	const words = { id, templateTest: true, data: `Data for ID: ${id}` };
	if (id !== undefined) return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(words) }] };
	if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: png }] };
	if (!resources.some((resource) => resource.uri === uri)) throw new ResourceNotFoundError(uri);
	return { contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }] };
}

export function complete() {
	return { completion: { values: ["paris", "park", "party"], total: 3, hasMore: false } };
}

interface PromptFixture {
	readonly prompt: Prompt;
	get(given: Readonly<Record<string, string>>, request: McpRequest): GetPromptResult | InputRequiredResult;
}

function promptCalled(title: string, names: readonly string[], get: PromptFixture["get"]): [string, PromptFixture] {
	const given = names.map((each) => ({ name: each, required: true }));
	return [title, { prompt: { name: title, description: "Of the suite", arguments: given }, get }];
}

const user = (...contents: GetPromptResult["messages"][number]["content"][]): GetPromptResult => ({
	messages: contents.map((content) => ({ role: "user", content })),
});

export const prompts: Readonly<Record<string, PromptFixture>> = Object.fromEntries([
	promptCalled("test_simple_prompt", [], () => user(text("This is a simple prompt for testing."))),
	promptCalled("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) =>
		user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
	),
	promptCalled("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) =>
		user(
			embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
			text("Please process the embedded resource above."),
		),
	),
	promptCalled("test_prompt_with_image", [], () => user(image, text("Please analyze the image above."))),
	promptCalled("test_input_required_result_prompt", [], (_, request) => {
		const wanted = form("What context should the prompt use?", { context: { type: "string" } });
		const given = inputResponse(request.inputResponses, "user_context");
		if (given.kind !== "elicit") return inputRequired({ inputRequests: { user_context: wanted } });
		return user(text(`Use this context: ${given.content?.context}`));
	}),
]);
