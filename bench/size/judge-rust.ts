import { isAbsolute } from "node:path";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { runCommand } from "../../test/support/run-command.ts";
import type { Workspace } from "../../test/support/workspace.ts";
import type { Errors } from "../truth/errors.ts";
import type { Prove } from "./bare-side.ts";
import { machineMs } from "./clock.ts";

interface Span {
	readonly file_name: string;
	readonly line_start: number;
	readonly column_start: number;
	readonly line_end: number;
	readonly column_end: number;
	readonly is_primary: boolean;
	readonly expansion: { readonly span: Span } | null;
}

interface Message {
	readonly reason: string;
	readonly message?: {
		readonly level: string;
		readonly message: string;
		readonly code: { readonly code: string } | null;
		readonly spans: readonly Span[];
	};
}

/** The errors that rust-analyzer shows come from `cargo check`, so the bare client runs it. */
export function proveByCargo(ws: Workspace): Prove {
	return async (_, file, root) => (await check(ws, root)).filter((each) => each.file === file).map(({ item }) => item);
}

/** The lines and codes of all errors in the workspace; cargo checks no crate that depends on one with errors. */
export async function judgeRust(ws: Pick<Workspace, "env">, root: string): Promise<Errors> {
	const errors = new Map<string, Set<string>>();
	for (const { file, item } of await check(ws, root))
		errors.set(file, (errors.get(file) ?? new Set()).add(`${item.range.start.line + 1} ${item.code}`));
	return errors;
}

export async function checkMs(ws: Workspace, root: string): Promise<number> {
	const began = machineMs();
	await check(ws, root);
	return machineMs() - began;
}

/** rust-analyzer shows an error inside a macro of the standard library at the line that uses the macro. */
function callSite(span: Span | undefined): Span | undefined {
	return span && isAbsolute(span.file_name) && span.expansion ? callSite(span.expansion.span) : span;
}

async function check(
	ws: Pick<Workspace, "env">,
	root: string,
): Promise<{ readonly file: string; readonly item: Diagnostic }[]> {
	const args = ["check", "--workspace", "--all-targets", "--message-format=json", "--quiet"];
	const { stdout } = await runCommand("cargo", args, { cwd: root, env: ws.env, timeoutMs: 300_000 });
	const messages = stdout.split("\n").filter((line) => line.startsWith("{"));
	// A crate is compiled again for its tests, and its errors are repeated.
	const seen = new Set<string>();
	return messages.flatMap((line) => {
		const { reason, message } = JSON.parse(line) as Message;
		if (reason !== "compiler-message" || message?.level !== "error") return [];
		const at = callSite(message.spans.find((span) => span.is_primary));
		const key = JSON.stringify([at, message.message]);
		if (at === undefined || seen.has(key)) return [];
		seen.add(key);
		const item: Diagnostic = {
			severity: 1,
			message: message.message,
			code: message.code?.code ?? "",
			range: {
				start: { line: at.line_start - 1, character: at.column_start - 1 },
				end: { line: at.line_end - 1, character: at.column_end - 1 },
			},
		};
		return [{ file: at.file_name, item }];
	});
}
