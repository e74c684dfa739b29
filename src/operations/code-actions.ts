import { Type } from "@sinclair/typebox";
import type { CodeAction, Diagnostic } from "vscode-languageserver-protocol";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import { actionRange } from "./common/action-range.ts";
import { At, Incomplete, incompleteFor } from "./common/inputs.ts";
import { ReturnEdit, ReturnedEdit } from "./common/written.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const method = "textDocument/codeAction";

const maxResolved = 30;

const { at: _, ...Position } = At;

const Action = t.object({
	title: t.text(),
	kind: t.optional.text(),
	preferred: t.optional.flag("The server's own favourite"),
	disabled: t.optional.text("Why it cannot be done here"),
	fixes: t.optional.texts("The messages that it would do away with"),
	server: t.text(),
	edit: ReturnedEdit,
	command: t.optional.object("With `return_edit`, where it has no edit: what `execute_command` runs", {
		title: t.text(),
		command: t.text(),
		arguments: t.optional.list(Type.Unknown()),
	}),
});

type Action = ValueOf<typeof Action>;

const Output = t.object({ actions: t.list(Action), ...Incomplete });

export type CodeActions = ValueOf<typeof Output>;

export const codeActions = defineOperation({
	name: "code_actions",
	alsoNamed: ["lsp_actions"],
	title: "Fixes and refactorings",
	description:
		"What the language server and the linters of a file would do at a place: fixes for its errors, imports, refactorings. Ask about a line, some lines, a symbol, or without any of them about the whole file.",
	effect: "read",
	aliases: [agentLsp.codeActions],
	requests: [method],
	input: t.object({
		...Position,
		kind: t.optional.text("Only this kind and those below it: quickfix, refactor, source.organizeImports, …"),
		end_column: t.optional.positive("Behind its last character, with `column`"),
		return_edit: ReturnEdit,
	}),
	output: Output,
	positional: ["file", "symbol"],
	example: {
		input: { file: "src/app.ts", line: 3 },
		output: {
			actions: [
				{
					title: 'Add import from "./greet.ts"',
					kind: "quickfix",
					preferred: true,
					fixes: ["Cannot find name 'greet'."],
					server: "typescript",
				},
				{ title: "Extract to function in module scope", kind: "refactor.extract.function", server: "typescript" },
			],
		},
	},
	async run({ file, kind, return_edit, ...position }, on) {
		const { answers, unanswered } = await on.askEach({ file, linters: true }, async (query) => {
			const found = await query.codeActions(await actionRange(query, position), { kind });
			if (!return_edit) return { actions: found.map(toAction) };
			const edits = found.map(async (action, index) =>
				index < maxResolved && !action.disabled ? on.edits.answerAction(query, action) : {},
			);
			const returned = await Promise.all(edits);
			return { actions: found.map((action, index) => ({ ...toAction(action), ...returned[index] })) };
		});
		const seen = new Set<string>();
		const actions = answers
			.flatMap(({ server, answer }) => answer.actions.map((action): Action => ({ ...action, server })))
			.filter(({ title, kind: own }) => {
				const key = `${own} ${title}`;
				return !seen.has(key) && seen.add(key);
			});
		const rank = ({ disabled, preferred, fixes }: Action) => (disabled ? 3 : preferred ? 0 : fixes ? 1 : 2);
		return { actions: actions.sort((a, b) => rank(a) - rank(b)), ...incompleteFor(unanswered) };
	},
	render({ actions: all, incomplete }, { kind: wanted }) {
		const asked = incomplete === undefined ? "No server" : "No server that answered";
		if (all.length === 0) return `${asked} has a fix or a refactoring for this place.`;
		const actions = all.filter(({ disabled }) => disabled === undefined || wanted !== undefined);
		const others = all.length - actions.length;
		const several = new Set(actions.map(({ server }) => server)).size > 1;
		return [
			count(actions.length, "action", "actions"),
			...actions.map(({ title, kind, preferred, disabled, fixes = [], server }) => {
				const notes = [kind, ...(preferred ? ["preferred"] : []), ...(several ? [server] : [])].filter(Boolean);
				const fixed = fixes.length === 0 ? "" : `, for: ${fixes.join("; ")}`;
				const not = disabled === undefined ? "" : `, not here: ${disabled}`;
				return oneLine(`${title}${notes.length ? ` [${notes.join(", ")}]` : ""}${fixed}${not}`);
			}),
			...(others > 0 ? [`${others} more are not possible here; ask for a kind (refactor) to see why.`] : []),
		].join("\n");
	},
});

function toAction(action: CodeAction): Omit<Action, "server"> {
	const { title, kind, isPreferred, disabled, diagnostics } = action;
	const fixes = Array.isArray(diagnostics) ? messagesOf(diagnostics) : [];
	return {
		title,
		...(kind ? { kind } : {}),
		...(isPreferred ? { preferred: true } : {}),
		...(disabled ? { disabled: disabled.reason } : {}),
		...(fixes.length > 0 ? { fixes } : {}),
	};
}

function messagesOf(diagnostics: readonly Partial<Diagnostic>[]): string[] {
	return [...new Set(diagnostics.flatMap((found) => (typeof found?.message === "string" ? [found.message] : [])))];
}
