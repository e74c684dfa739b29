import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AnyOperation } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";

type Input = Readonly<Record<string, unknown>>;

export interface PhaseCall {
	readonly tool: string;
	readonly input: Input;
	readonly cwd: string;
	readonly writes: boolean;
	readonly command?: "reads" | "runs" | "other";
}

/** Models write words for booleans. */
function isOn(value: unknown): boolean {
	return value === true || value === "true";
}

export function isDry({ dry_run, return_edit }: Input): boolean {
	return isOn(dry_run) || isOn(return_edit);
}

export function withoutDry({ dry_run: _, return_edit: __, ...rest }: Input): Input {
	return rest;
}

export function writes({ name, effect }: AnyOperation, input: Input): boolean {
	if (effect !== "write" || name === "undo") return false;
	if (name === "simulate_commit") return input.apply !== undefined && input.apply !== false;
	return !isDry(input);
}

/** `added`: of packages. */
export function phaseCallOf(tool: string, input: unknown, cwd: string, added: readonly AnyOperation[] = []): PhaseCall {
	const operation = [...operations, ...added].find(({ name }) => name === tool);
	const given = typeof input === "object" && input !== null ? (input as Input) : {};
	return { tool, input: given, cwd, writes: operation !== undefined && writes(operation, given) };
}

export function isSame(call: PhaseCall, shown: PhaseCall, answer: unknown): boolean {
	const { edit } = (answer ?? {}) as { readonly edit?: unknown };
	if (call.input.edit !== undefined) return isDeepStrictEqual(call.input.edit, edit);
	if (call.tool === shown.tool) return isDeepStrictEqual(plain(call), plain(shown));
	const [wanted, tried] = [editIn(call), editIn(shown)];
	return wanted !== undefined && isDeepStrictEqual(wanted, tried);
}

function plain({ input, cwd }: PhaseCall): Input {
	const { timeout: _, scope: __, ...rest } = withoutDry(input);
	return typeof rest.file === "string" ? { ...rest, file: pathOf(rest.file, cwd) } : rest;
}

export function editIn({ input, cwd }: PhaseCall): object | undefined {
	if (typeof input.patch === "string") return { patch: input.patch };
	const parts = Array.isArray(input.edits) ? input.edits : [input];
	const edits = parts.map((part: Input) => ({
		path: fileOf(part, cwd) ?? fileOf(input, cwd),
		content: part.content,
		deleted: isOn(part.deleted),
		old: part.old_text ?? part.oldText,
		new: part.new_text ?? part.newText,
		line: part.line,
		column: part.column,
		end_line: part.end_line,
		end_column: part.end_column,
	}));
	const isEdit = edits.every(
		({ path, content, deleted, new: next }) =>
			path !== undefined && (deleted || typeof content === "string" || typeof next === "string"),
	);
	return isEdit ? { edits } : undefined;
}

function fileOf({ file, path, file_path }: Input, cwd: string): string | undefined {
	const found = [file, path, file_path].find((value) => typeof value === "string");
	return found === undefined ? undefined : pathOf(found, cwd);
}

function pathOf(path: string, cwd: string): string {
	return resolve(cwd, path.replace(/^@/, ""));
}
