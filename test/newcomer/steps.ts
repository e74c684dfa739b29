import { expect } from "vitest";
import type { ScriptedCall } from "../faces/pi/scripted-model.ts";
import { runCommand } from "../support/run-command.ts";
import type { Files } from "../support/workspace.ts";
import type { Machine } from "./machine.ts";

/** The actions of a newcomer, and the texts that must be read then. */
interface Step {
	readonly does: string;
	/** The files that are written by hand before it. */
	readonly writes?: Files;
	readonly reads: readonly (string | RegExp)[];
	/** Texts that must not be read. */
	readonly never?: readonly (string | RegExp)[];
}

/** A line at the shell's prompt. */
export interface ShellStep extends Step {
	readonly line: string;
	/** Its exit code, by default 0. */
	readonly exit?: number;
	readonly env?: Readonly<Record<string, string>>;
}

/** A call of a tool by the model of an MCP client. */
export interface ToolStep extends Step {
	readonly tool: string;
	readonly input: object;
}

/** A line at pi's prompt, or the action of pi's model in the next turn. */
export type PiStep = Step & ({ readonly line: string } | { readonly call: ScriptedCall });

export async function atTheShell({ ws, env }: Machine, step: ShellStep): Promise<void> {
	writeFiles(ws, step.writes);
	const all = { ...env, ...step.env };
	const { code, stdout, stderr } = await runCommand("sh", ["-c", step.line], {
		cwd: ws.root,
		env: all,
		timeoutMs: 100_000,
	});
	expectRead(step, `${stdout}${stderr}`);
	expect(code, `$ ${step.line}\n${stdout}${stderr}`).toBe(step.exit ?? 0);
}

export function writeFiles(ws: Machine["ws"], files: Files = {}): void {
	for (const [file, text] of Object.entries(files)) ws.write(file, text);
}

export function expectRead({ reads, never = [] }: Step, text: string): void {
	for (const part of reads) {
		if (typeof part === "string") expect(text).toContain(part);
		else expect(text).toMatch(part);
	}
	for (const part of never) {
		if (typeof part === "string") expect(text).not.toContain(part);
		else expect(text).not.toMatch(part);
	}
}
