import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { LspError } from "../contract/errors.ts";
import { validated } from "./validate-result.ts";

const method = "workspace/applyEdit";
const unasked: ApplyWorkspaceEditResult = {
	applied: false,
	failureReason: "pi-lsp applies only edits that a caller asked for",
};

export class EditCapture {
	readonly #id: string;
	#taken: WorkspaceEdit[] | undefined;
	#unreadable: LspError | undefined;
	#last: Promise<unknown> = Promise.resolve();

	constructor(id: string) {
		this.#id = id;
	}

	/** One command at a time: `workspace/applyEdit` names none. Rejects with LSP_SERVER_ERROR for a malformed edit. */
	during<Result>(
		command: () => Promise<Result>,
	): Promise<{ readonly result: Result; readonly edits: readonly WorkspaceEdit[] }> {
		const run = this.#last.then(async () => {
			const edits: WorkspaceEdit[] = [];
			this.#taken = edits;
			this.#unreadable = undefined;
			try {
				const result = await command();
				if (this.#unreadable) throw this.#unreadable;
				return { result, edits };
			} finally {
				this.#taken = undefined;
			}
		});
		this.#last = run.catch(() => {});
		return run;
	}

	answer(params: unknown): ApplyWorkspaceEditResult {
		if (!this.#taken) return unasked;
		try {
			this.#taken.push(validated<ApplyWorkspaceEditParams>(this.#id, method, params).edit);
			return { applied: true };
		} catch (thrown) {
			this.#unreadable = thrown as LspError;
			return { applied: false, failureReason: "The edit could not be read." };
		}
	}
}
