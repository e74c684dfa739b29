import { randomBytes } from "node:crypto";
import {
	CLIENT_CAPABILITIES_META_KEY,
	type ClientCapabilities,
	createRequestStateCodec,
	type InputRequiredResult,
	inputRequired,
	inputResponse,
	type Server,
	type ServerContext,
} from "@modelcontextprotocol/server";
import { LspError } from "../../contract/errors.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";

type McpRequest = ServerContext["mcpReq"];

/** An answer counts for its own question. */
export const sealed = createRequestStateCodec<string>({ key: randomBytes(32) });

const answerSchema = {
	type: "object" as const,
	properties: { allow: { type: "boolean" as const, title: "Allow it", default: false } },
	required: ["allow"],
};

/**
 * The newest revision returns the question, and the client repeats the call with the answer; for older ones the SDK
 * asks during the call, and begins it again.
 */
export class PersonAtClient {
	readonly #request: McpRequest;
	#question: string | undefined;

	static of(server: Server, request: McpRequest): PersonAtClient | undefined {
		// The SDK's type lacks these fields.
		const envelope = request.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
		const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
		const { elicitation } = capabilities ?? {};
		// Without a mode it takes forms.
		const asks = elicitation && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
		return asks ? new PersonAtClient(request) : undefined;
	}

	private constructor(request: McpRequest) {
		this.#request = request;
	}

	/** Without an answer it rejects with LSP_NEEDS_PERSON, and `toAsk` has the question. */
	readonly confirm = async (question: string): Promise<boolean> => {
		const given = inputResponse(this.#request.inputResponses, "allow");
		if (given.kind === "elicit" && this.#request.requestState<string>() === question)
			return given.action === "accept" && given.content?.allow === true;
		this.#question = question;
		throw new LspError("LSP_NEEDS_PERSON", "The person is being asked.");
	};

	async toAsk(): Promise<InputRequiredResult | undefined> {
		if (this.#question === undefined) return undefined;
		const message = harmlessData(oneLine(this.#question));
		const allow = inputRequired.elicit({ message, requestedSchema: answerSchema });
		return inputRequired({ inputRequests: { allow }, requestState: await sealed.mint(this.#question) });
	}
}
