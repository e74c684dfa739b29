import type { CallHierarchyItem, TypeHierarchyItem } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import type { RawRequestParams } from "../../contract/protocol.ts";
import { convertPositions, linesAt } from "../../query/convert-positions.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { type AskOptions, askEach, askFirst } from "../../query/run.ts";
import { askWorkspace } from "../../query/run-workspace.ts";
import type { Located } from "../../routing/locate.ts";
import { toSpot, toUri } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";
import { codeActions, resolvedEdit } from "./editor-actions.ts";
import { unsavedTexts } from "./unsaved-texts.ts";

type Params = Readonly<Record<string, unknown>>;

/** Any server may lack them; `true`: the answer needs the whole project. */
const standardRequests: Readonly<Record<string, boolean>> = {
	"textDocument/declaration": false,
	"textDocument/definition": false,
	"textDocument/typeDefinition": false,
	"textDocument/implementation": true,
	"textDocument/references": true,
	"textDocument/hover": false,
	"textDocument/documentHighlight": false,
	"textDocument/documentSymbol": false,
	"textDocument/signatureHelp": false,
	"textDocument/foldingRange": false,
	"textDocument/selectionRange": false,
	"textDocument/inlayHint": false,
	"textDocument/completion": false,
	"textDocument/prepareRename": false,
	"textDocument/rename": true,
	"textDocument/formatting": false,
	"textDocument/rangeFormatting": false,
	"textDocument/prepareCallHierarchy": false,
	"callHierarchy/incomingCalls": true,
	"callHierarchy/outgoingCalls": true,
	"textDocument/prepareTypeHierarchy": false,
	"typeHierarchy/supertypes": true,
	"typeHierarchy/subtypes": true,
};

interface Asked {
	readonly call: OperationCall;
	readonly located: Located;
	readonly method: string;
	readonly params: Params;
	readonly options: AskOptions<{ readonly answer: unknown }>;
}

/** Positions count UTF-16 units. Rejects with LSP_UNSUPPORTED_REQUEST. */
export async function rawRequest(call: OperationCall, given: RawRequestParams): Promise<unknown> {
	const { file, method } = given;
	const params = given.params ?? {};
	if (file === undefined) return workspaceRequest(call, method, params);
	if (typeof file !== "string") throw new LspError("LSP_INVALID_INPUT", "request: file: Expected string.");
	const { located, settings } = await call.service.locate(file, call.params, { mayBeMissing: true });
	const { directory: cwd, maxFileBytes: maxBytes } = settings;
	const { texts, check } = await unsavedTexts(given.texts, { cwd, maxBytes });
	check(located.path);
	const isStandard = Object.hasOwn(standardRequests, method);
	const options = {
		texts,
		whole: isStandard && standardRequests[method] === true,
		...(isStandard ? { isEmpty: ({ answer }: { readonly answer: unknown }) => isEmpty(answer) } : {}),
	};
	const asked = { call, located, method, params, options };
	if (method === "textDocument/codeAction") return codeActions(asked);
	if (method === "codeAction/resolve") return resolvedEdit(asked);
	if (/^textDocument\/(?:rangeF|f)ormatting$/.test(method)) return formatted(asked);
	return firstAnswer(isHierarchy(method) ? atServerOfItem(asked) : asked);
}

async function firstAnswer({ call, located, method, params, options }: Asked): Promise<unknown> {
	const answer = async (query: FileQuery) => ({ answer: await answerOf(query, method, params) });
	return (await askFirst(await call.context(), { located, options, answer })).answer;
}

async function formatted({ call, located, method, params, options }: Asked): Promise<unknown> {
	const answer = async (query: FileQuery) => ({
		answer: await answerOf(query, method, params),
		isFormatter: query.server.config.role === "linter",
	});
	const { isEmpty: _, ...own } = options;
	const question = { located, options: { ...own, linters: true }, answer };
	const { answers } = await askEach(await call.context(), question);
	return (answers.find((each) => each.answer.isFormatter) ?? answers[0])?.answer.answer ?? null;
}

async function answerOf(query: FileQuery, method: string, params: Params): Promise<unknown> {
	const { server, document, lines } = query;
	const { encoding, config } = server;
	const { uri } = document;
	const linesOfUri = linesAt(server);
	const { position } = params;
	const { position: there, ...rest } = await convertPositions(
		params,
		uri,
		{ from: "utf-16", to: encoding },
		linesOfUri,
	);
	const isStandard = Object.hasOwn(standardRequests, method);
	if (isStandard) server.require(method);
	const at = there === undefined ? {} : { position: there };
	const answer =
		isStandard && isPosition(position)
			? await query.request<unknown>(method, toSpot(position, lines, "utf-16"), rest)
			: await server.request<unknown>(method, { textDocument: { uri }, ...at, ...rest }, query.signal);
	const converted = await convertPositions(answer, uri, { from: encoding, to: "utf-16" }, linesOfUri);
	const isOfItems = isHierarchy(method) || /prepare(?:Call|Type)Hierarchy$/.test(method);
	return isOfItems ? withOrigin(converted, config.id) : converted;
}

function isEmpty(answer: unknown): boolean {
	return answer === null || answer === undefined || (Array.isArray(answer) && answer.length === 0);
}

function isPosition(value: unknown): value is { readonly line: number; readonly character: number } {
	const { line, character } = (value ?? {}) as { readonly line?: unknown; readonly character?: unknown };
	return Number.isSafeInteger(line) && Number.isSafeInteger(character) && Number(line) >= 0 && Number(character) >= 0;
}

function isHierarchy(method: string): boolean {
	return /^(?:call|type)Hierarchy\//.test(method);
}

type Item = CallHierarchyItem | TypeHierarchyItem;

interface Origin {
	readonly server: string;
	readonly data?: unknown;
}

function withOrigin(answer: unknown, server: string): unknown {
	if (!Array.isArray(answer)) return answer;
	const marked = ({ data, ...item }: Item) => ({ ...item, data: { server, ...(data === undefined ? {} : { data }) } });
	return answer.map((each: Item | { readonly from: Item } | { readonly to: Item }) => {
		if ("from" in each) return { ...each, from: marked(each.from) };
		if ("to" in each) return { ...each, to: marked(each.to) };
		return marked(each);
	});
}

function atServerOfItem(asked: Asked): Asked {
	const { item } = asked.params as { readonly item?: Partial<Item> };
	const { server, data } = (item?.data ?? {}) as Partial<Origin>;
	const routes = asked.located.routes.filter(({ config }) => config.id === server);
	if (!item || routes.length === 0) return asked;
	const { data: _, ...own } = item;
	// Editors may use links, the server real paths.
	const uri = toUri(asked.located.path);
	const params = { ...asked.params, item: { ...own, uri, ...(data === undefined ? {} : { data }) } };
	return { ...asked, located: { ...asked.located, routes }, params };
}

async function workspaceRequest(call: OperationCall, method: string, params: Params): Promise<unknown> {
	if (method !== "workspace/symbol") throw new LspError("LSP_INVALID_INPUT", `${method} is about a file: name it.`);
	const query = String(params.query ?? "");
	const { answers } = await askWorkspace(await call.context(), await call.settings(), {
		method,
		answer: async ({ server }) => {
			const found = await server.request<unknown[] | null>(method, { query }, call.signal);
			const encodings = { from: server.encoding, to: "utf-16" } as const;
			return { symbols: await convertPositions(found ?? [], "", encodings, linesAt(server)) };
		},
	});
	return answers.flatMap(({ answer }) => answer.symbols);
}
