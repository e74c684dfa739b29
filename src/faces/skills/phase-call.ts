import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AnyOperation } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";

type Input = Readonly<Record<string, unknown>>;

/** A call of an operation, or of a tool of the host, as phases see it. */
export interface PhaseCall {
	/** The name of the operation, or of the host's tool. */
	readonly tool: string;
	readonly input: Input;
	readonly cwd: string;
	/** Whether it may change a file. */
	readonly writes: boolean;
	/** What a line of the shell does at worst. */
	readonly command?: "reads" | "runs" | "other";
}

/** Models may write a boolean as a word, which the daemon takes as one. */
function isOn(value: unknown): boolean {
	return value === true || value === "true";
}

/** Whether it shows a change instead of making it. */
export function isDry({ dry_run, return_edit }: Input): boolean {
	return isOn(dry_run) || isOn(return_edit);
}

export function withoutDry({ dry_run: _, return_edit: __, ...rest }: Input): Input {
	return rest;
}

/** Whether a call of the operation may change a file. Taking a change back counts as none: nothing may stand in its way. */
export function writes({ name, effect }: AnyOperation, input: Input): boolean {
	if (effect !== "write" || name === "undo") return false;
	if (name === "simulate_commit") return input.apply !== undefined && input.apply !== false;
	return !isDry(input);
}

export function phaseCallOf(tool: string, input: unknown, cwd: string): PhaseCall {
	const operation = operations.find(({ name }) => name === tool);
	const given = typeof input === "object" && input !== null ? (input as Input) : {};
	return { tool, input: given, cwd, writes: operation !== undefined && writes(operation, given) };
}

/**
 * Whether a call does what another one has shown: the same input, or the edit with which that answered. An edit may come in
 * our words or in those of pi's tools.
 */
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

/** The edit that a call makes, whoever's tool it is; undefined if its parameters are of another form. */
export function editIn({ input, cwd }: PhaseCall): object | undefined {
	if (typeof input.patch === "string") return { patch: input.patch };
	const file = [input.file, input.path, input.file_path].find((value) => typeof value === "string");
	if (typeof file !== "string") return undefined;
	const path = pathOf(file, cwd);
	if (typeof input.content === "string") return { path, content: input.content };
	const parts = Array.isArray(input.edits) ? input.edits : [input];
	const edits = parts.map((part: Input) => ({
		old: part.old_text ?? part.oldText,
		new: part.new_text ?? part.newText,
		line: part.line,
		column: part.column,
		end_line: part.end_line,
		end_column: part.end_column,
	}));
	return edits.every((each) => typeof each.new === "string") ? { path, edits } : undefined;
}

/** pi takes an `@` off. */
function pathOf(path: string, cwd: string): string {
	return resolve(cwd, path.replace(/^@/, ""));
}
