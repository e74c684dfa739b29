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
import type { Caller } from "../../contract/caller.ts";
import type { FileReport } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";
import { questionText, type TrustView } from "../../render/status/trust.ts";

type McpRequest = ServerContext["mcpReq"];

/** Binds an answer to its question. */
export const sealed = createRequestStateCodec<string>({ key: randomBytes(32) });

const answerSchema = {
	type: "object" as const,
	properties: { allow: { type: "boolean" as const, title: "Allow it", default: false } },
	required: ["allow"],
};

export function lacksTrust(output: unknown): boolean {
	const { files, servers, withheld } = Object(output) as Readonly<Record<string, unknown>>;
	const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
	const isUntrusted = (each: unknown) => (Object(each) as Partial<FileReport>).state === "untrusted";
	return listed(withheld).length > 0 || [...listed(files), ...listed(servers)].some(isUntrusted);
}

export async function withTrust<Result>(
	attempt: (untrusted: () => void) => Promise<Result>,
	trusts: () => Promise<boolean>,
): Promise<Result> {
	let isUntrusted = false;
	const untrusted = () => {
		isUntrusted = true;
	};
	const first = attempt(untrusted);
	await first.catch(() => {});
	return isUntrusted && (await trusts()) ? attempt(untrusted) : first;
}

/** The newest revision's client repeats the call with the answer; for older ones the SDK asks and begins it again. */
export class PersonAtClient {
	readonly #request: McpRequest;
	readonly #declined: Set<string>;
	#question: string | undefined;

	static of(server: Server, request: McpRequest, declined: Set<string>): PersonAtClient | undefined {
		const envelope = request.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
		const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
		const { elicitation } = capabilities ?? {};
		// No mode means forms.
		const asks = elicitation && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
		return asks ? new PersonAtClient(request, declined) : undefined;
	}

	private constructor(request: McpRequest, declined: Set<string>) {
		this.#request = request;
		this.#declined = declined;
	}

	/** Unanswered it rejects with LSP_NEEDS_PERSON, and `toAsk` has the question. */
	readonly confirm = (question: string): Promise<boolean> => this.#ask(oneLine(question));

	/** Keeps a yes as `pi-lsp trust add` does. Rejects like `confirm`. */
	async trusts(caller: Caller, about: { readonly cwd: string }): Promise<boolean> {
		const view = await caller.call<TrustView>("trust", about);
		const { root, hash, state } = view;
		const asked = JSON.stringify([root, hash]);
		if ((state !== "untrusted" && state !== "stale") || this.#declined.has(asked)) return false;
		if (await this.#ask(questionText(view))) {
			await caller.call("trust", { ...about, answer: "yes", hash });
			return true;
		}
		this.#declined.add(asked);
		return false;
	}

	async #ask(question: string): Promise<boolean> {
		const given = inputResponse(this.#request.inputResponses, "allow");
		if (given.kind === "elicit" && this.#request.requestState<string>() === question)
			return given.action === "accept" && given.content?.allow === true;
		this.#question = question;
		throw new LspError("LSP_NEEDS_PERSON", "The person is being asked.");
	}

	async toAsk(): Promise<InputRequiredResult | undefined> {
		if (this.#question === undefined) return undefined;
		const message = harmlessData(this.#question);
		const allow = inputRequired.elicit({ message, requestedSchema: answerSchema });
		return inputRequired({ inputRequests: { allow }, requestState: await sealed.mint(this.#question) });
	}
}
