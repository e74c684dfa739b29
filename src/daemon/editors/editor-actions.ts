import type { CodeAction, Diagnostic, Range, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { stepsOf } from "../../planning/workspace-edit.ts";
import { convertPositions, linesAt } from "../../query/convert-positions.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { type AskOptions, askEach, askFirst } from "../../query/run.ts";
import type { Located } from "../../routing/locate.ts";
import type { OperationCall } from "../operation-context.ts";
import { actionEdits } from "../writing/action-edits.ts";

interface Asked {
	readonly call: OperationCall;
	readonly located: Located;
	readonly params: Readonly<Record<string, unknown>>;
	readonly options: AskOptions<never>;
}

interface Origin {
	readonly server: string;
	readonly action: CodeAction;
}

/** Edits wait for `codeAction/resolve`. */
export async function codeActions({
	call,
	located,
	params,
	options: { texts },
}: Asked): Promise<readonly CodeAction[]> {
	const { range, context } = params as {
		readonly range?: Range;
		readonly context?: { readonly only?: readonly string[] };
	};
	if (!range) throw new LspError("LSP_INVALID_INPUT", "textDocument/codeAction: range: Expected a range.");
	const only = Array.isArray(context?.only) ? context.only.map(String) : undefined;
	const kind = only?.length === 1 ? only[0] : undefined;
	const isWanted = (action: CodeAction) =>
		!only || only.some((each) => each === "" || action.kind === each || action.kind?.startsWith(`${each}.`));
	const answer = async (query: FileQuery) => {
		const { server, document } = query;
		const { encoding, config } = server;
		const there = { from: "utf-16", to: encoding } as const;
		const back = { from: encoding, to: "utf-16" } as const;
		const lines = linesAt(server);
		const asked = await convertPositions(range, document.uri, there, lines);
		const found = await query.codeActions(asked, kind === undefined ? {} : { kind });
		const resolved = found.filter(isWanted).map(async (action) => {
			const { title, kind: own, isPreferred, disabled, diagnostics } = action;
			return {
				title,
				...(own === undefined ? {} : { kind: own }),
				...(isPreferred === undefined ? {} : { isPreferred }),
				...(disabled === undefined ? {} : { disabled }),
				...(diagnostics === undefined
					? {}
					: { diagnostics: await convertPositions<Diagnostic[]>(diagnostics, document.uri, back, lines) }),
				data: { server: config.id, action } satisfies Origin,
			};
		});
		return { actions: await Promise.all(resolved) };
	};
	const options = { linters: true, ...(texts ? { texts } : {}) };
	const { answers } = await askEach(await call.context(), { located, options, answer });
	return answers.flatMap(({ answer: { actions } }) => actions);
}

export async function resolvedEdit({ call, located, params, options: { texts } }: Asked): Promise<CodeAction> {
	const { data, ...shown } = params as unknown as CodeAction;
	const { server: id, action } = (data ?? {}) as Partial<Origin>;
	const routes = located.routes.filter(({ config }) => config.id === id);
	if (!action || routes.length === 0)
		throw new LspError("LSP_INVALID_INPUT", "codeAction/resolve: data: Expected what came with the action.");
	const answer = async (query: FileQuery) => {
		const { server, document } = query;
		const edits = await actionEdits(call, query, action);
		const back = { from: server.encoding, to: "utf-16" } as const;
		return { edit: await convertPositions(merged(edits), document.uri, back, linesAt(server)) };
	};
	const options = { linters: true, ...(texts ? { texts } : {}) };
	const { edit } = await askFirst(await call.context(), { located: { ...located, routes }, options, answer });
	return { ...shown, edit };
}

function merged(edits: readonly WorkspaceEdit[]): WorkspaceEdit {
	const [first] = edits;
	return edits.length === 1 && first ? first : { documentChanges: edits.flatMap((edit) => [...stepsOf(edit)]) };
}
