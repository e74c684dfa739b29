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

/** Seals the question that a client takes to the person: an answer counts for that question alone. */
export const sealed = createRequestStateCodec<string>({ key: randomBytes(32) });

const answerSchema = {
	type: "object" as const,
	properties: { allow: { type: "boolean" as const, title: "Allow it", default: false } },
	required: ["allow"],
};

/**
 * Asks the person through the client. In the newest revision the call is answered with the question, and made again with the
 * person's answer; older clients are asked while the call waits, by the SDK, which then begins the call again too.
 */
export class PersonAtClient {
	readonly #request: McpRequest;
	#question: string | undefined;

	/** Undefined if the client can ask nobody. */
	static of(server: Server, request: McpRequest): PersonAtClient | undefined {
		// The SDK's type has none of the envelope's fields.
		const envelope = request.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
		const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
		const { elicitation } = capabilities ?? {};
		// A client that names no mode takes forms.
		const asks = elicitation && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
		return asks ? new PersonAtClient(request) : undefined;
	}

	private constructor(request: McpRequest) {
		this.#request = request;
	}

	/** The person's answer to that question, if the client brings it. Else rejects with LSP_NEEDS_PERSON: `toAsk` has the question. */
	readonly confirm = async (question: string): Promise<boolean> => {
		const given = inputResponse(this.#request.inputResponses, "allow");
		if (given.kind === "elicit" && this.#request.requestState<string>() === question)
			return given.action === "accept" && given.content?.allow === true;
		this.#question = question;
		throw new LspError("LSP_NEEDS_PERSON", "The person is being asked.");
	};

	/** What the call is answered with if the person has to be asked first. */
	async toAsk(): Promise<InputRequiredResult | undefined> {
		if (this.#question === undefined) return undefined;
		const message = harmlessData(oneLine(this.#question));
		const allow = inputRequired.elicit({ message, requestedSchema: answerSchema });
		return inputRequired({ inputRequests: { allow }, requestState: await sealed.mint(this.#question) });
	}
}
