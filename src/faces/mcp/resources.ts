import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { asLspError, describeError, disabled, withHintFor } from "../../contract/errors.ts";
import { operations } from "../../operations/index.ts";
import { harmless, harmlessData } from "../../render/harmless.ts";
import { attempt } from "../../util/attempt.ts";
import type { Request } from "../operation-calls.ts";
import { harmlessError } from "../tools/format-answer.ts";
import { commandWriter, writeToolCall } from "../tools/profiles.ts";
import { invoke, operationCall } from "../tools/tool-definitions.ts";
import type { McpSession } from "./session.ts";
import { offered } from "./tool-calls.ts";
import { inTerminal } from "./tools.ts";

const mimeType = "application/json";

interface Addressed {
	readonly title: string;
	readonly description: string;
	readonly operation: string;
	/** Behind the path; empty for an address without one. */
	readonly templates: readonly string[];
	input(file: string, query: URLSearchParams): object;
}

const byPosition = ["{path}?line={line}&column={column}&language_id={language_id}", "{path}?symbol={symbol}"];

/** By scheme, where possible agent-lsp's. */
const addressed: Readonly<Record<string, Addressed>> = {
	"lsp-diagnostics": {
		title: "Errors and warnings",
		description: "What the compiler says about a file, and whether that is proven. Without a path: of all open files",
		operation: "diagnostics",
		templates: ["{path}"],
		input: (file) => (file === "" ? { scope: "open" } : { file }),
	},
	"lsp-hover": {
		title: "Type and documentation",
		description: "Of the symbol at a line and a column, both from 1, or with a name",
		operation: "hover",
		templates: byPosition,
		input: positionIn,
	},
	"lsp-completions": {
		title: "What may be written",
		description: "At a line and a column, both from 1, or behind a symbol",
		operation: "completion",
		templates: byPosition,
		input: positionIn,
	},
	"lsp-symbols": {
		title: "Outline of a file",
		description: "What a file declares, nested, with lines",
		operation: "symbols",
		templates: ["{path}"],
		input: (file) => ({ file: required(file, "path") }),
	},
	"lsp-status": {
		title: "State of the language servers",
		description: "Which run, for which directory, and what they are busy with",
		operation: "status",
		templates: [],
		input: () => ({}),
	},
};

export class Resources {
	readonly #session: McpSession;

	constructor(session: McpSession) {
		this.#session = session;
	}

	async list() {
		if (!(await this.#session.isOffering())) return [];
		const own = ["lsp-diagnostics", "lsp-status"].map((scheme) => [scheme, addressed[scheme] as Addressed] as const);
		const whole = Object.entries(this.#added).filter(([, { templates }]) => templates.length === 0);
		return [...own, ...whole].map(([scheme, { title, description }]) => {
			return { uri: `${scheme}:///`, name: scheme, title, description, mimeType };
		});
	}

	async templates() {
		if (!(await this.#session.isOffering())) return [];
		return Object.entries({ ...addressed, ...this.#added }).flatMap(([scheme, { title, description, templates }]) =>
			templates.map((template) => {
				const by = template.endsWith("{symbol}") ? `${scheme}-by-symbol` : scheme;
				return { uriTemplate: `${scheme}:///${template}`, name: by, title, description, mimeType };
			}),
		);
	}

	/** Throws a ProtocolError. */
	async read(uri: string, signal: AbortSignal) {
		const value = await this.value(uri, signal);
		return { contents: [{ uri, mimeType, text: JSON.stringify(value) }] };
	}

	/** Throws a ProtocolError for an unknown kind. */
	find(uri: string) {
		const [, scheme = "", path = "", query = ""] = /^([a-z0-9-]+):\/\/\/([^?#]*)(?:\?([^#]*))?$/.exec(uri) ?? [];
		const known = { ...this.#added, ...addressed };
		const kind = Object.hasOwn(known, scheme) ? known[scheme] : undefined;
		const file = decoded(path);
		if (!kind || file === undefined) throw new ResourceNotFoundError(uri);
		return { kind, file, query: new URLSearchParams(query) };
	}

	/** Throws a ProtocolError. The audit log has only what clients ask for. */
	async value(uri: string, signal: AbortSignal, isOwn = false): Promise<unknown> {
		await this.#session.settings();
		const { kind, file, query } = this.find(uri);
		return this.ask(kind.operation, file, (found) => kind.input(found, query), { signal, isOwn });
	}

	/** Throws a ProtocolError. */
	async ask(
		name: string,
		written: string,
		inputFor: (file: string) => object,
		{ signal, isOwn = false }: { readonly signal: AbortSignal; readonly isOwn?: boolean },
	): Promise<unknown> {
		const { calls, caller } = this.#session;
		const settings = await this.#session.settings();
		const { added } = this.#session;
		const operation = [...operations, ...added].find((each) => each.name === name);
		const profile = this.#session.profile(settings);
		const write = commandWriter(offered.of(profile, added), inTerminal);
		try {
			if (!operation || !(await this.#session.isOffering())) throw disabled();
			const { file, place } = await this.#placeOf(written);
			const input = inputFor(file);
			const about = this.#session.about(place);
			const ask = (request: Request) =>
				invoke(operationCall(operation, input, writeToolCall), (each) => request(name, each), write);
			const call = { tool: `resource ${name}`, args: input, profile, about, signal };
			const answer = isOwn
				? await ask((_, each) => caller.call(name, { ...about, input: each }, signal))
				: await calls.run(call, ask);
			return answer.value;
		} catch (thrown) {
			if (thrown instanceof ProtocolError) throw thrown;
			const error = harmlessError(withHintFor(asLspError(thrown), write));
			const isInput = ["LSP_INVALID_INPUT", "LSP_FILE_NOT_FOUND", "LSP_OUTSIDE_WORKSPACE"].includes(error.code);
			throw new ProtocolError(
				isInput ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
				harmless(describeError(error)),
				{ code: error.code },
			);
		}
	}

	get #added(): Readonly<Record<string, Addressed>> {
		const { tools, resources } = this.#session.extension;
		const all = harmlessData(resources).map(({ name, title, description, tool }) => {
			const takesFile = tools.some((each) => each.name === tool && Object.hasOwn(each.input, "file"));
			const input = (file: string) => (takesFile ? { file: required(file, "path") } : {});
			return [name, { title, description, operation: tool, templates: takesFile ? ["{path}"] : [], input }] as const;
		});
		return Object.fromEntries(all);
	}

	/** By workspace: no caller learns which files exist elsewhere. */
	async #placeOf(written: string) {
		const { directories } = this.#session;
		const absolute = `/${written.replace(/^\/+/, "")}`;
		const place = written === "" ? undefined : await directories.around(absolute);
		return place ? { file: absolute, place } : { file: written, place: { cwd: await directories.first } };
	}
}

function positionIn(file: string, query: URLSearchParams): object {
	const symbol = query.get("symbol");
	const line = query.get("line");
	const at = { file: required(file, "path") };
	if (symbol) return { ...at, symbol, ...(line ? { line: position(query, "line") } : {}) };
	return { ...at, line: position(query, "line"), column: position(query, "column") };
}

function position(query: URLSearchParams, name: string): number {
	const value = Number(query.get(name) ?? Number.NaN);
	if (Number.isSafeInteger(value) && value >= 1) return value;
	throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${name} is a whole number of at least 1.`);
}

function required(value: string, name: string): string {
	if (value !== "") return value;
	throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${name} is missing.`);
}

function decoded(path: string): string | undefined {
	return attempt(() => decodeURIComponent(path));
}
