import { isDeepStrictEqual } from "node:util";
import type { CheckReport } from "../../contract/check-report.ts";
import { isProven, newErrorsIn } from "../../operations/common/written.ts";
import { operations } from "../../operations/index.ts";
import { isDry, isSame, type PhaseCall, writes } from "./phase-call.ts";

/** A step of a skill: the file `phases.json` beside its text holds them in their order. */
export interface Phase {
	readonly name: string;
	readonly purpose: string;
	/** What may write in it; what only reads is never refused. */
	readonly allow: readonly Rule[];
	/** One of these, when it has succeeded, ends it. */
	readonly advance: readonly Rule[];
	/** The call that goes on, as a command of the shell. */
	readonly next: string;
}

/** Which calls are meant. */
export interface Rule {
	/** Names of operations or of the host's tools, with `*`, separated by `|`. */
	readonly tool: string;
	/** Only those that show a change instead of making it. */
	readonly dry?: true;
	/** Only what the call has shown that ended the phase before. */
	readonly same?: true;
	/** Only with these arguments. */
	readonly with?: Readonly<Record<string, unknown>>;
	/** Of lines of the shell: only those that build and test. */
	readonly command?: "runs";
	/** Only with this result. */
	readonly result?: "clean" | "written";
}

/** The call that ended a phase, and its answer. */
export interface Shown {
	readonly call: PhaseCall;
	readonly output: unknown;
}

/** Whether the rule means the call, whatever its result. */
export function means(rule: Rule, call: PhaseCall, shown: Shown | undefined): boolean {
	if (!matchesTool(rule, call.tool)) return false;
	if (rule.dry && !isDry(call.input)) return false;
	if (rule.command !== undefined && call.command === "other") return false;
	if (rule.same && !(shown && isSame(call, shown.call, shown.output))) return false;
	return Object.entries(rule.with ?? {}).every(([key, value]) => isDeepStrictEqual(call.input[key], value));
}

export function matchesTool({ tool }: Rule, name: string): boolean {
	return tool.split("|").some((each) => new RegExp(`^${each.replaceAll("*", "\\w*")}$`).test(name));
}

interface Answer {
	readonly written: readonly string[];
	readonly check: CheckReport;
	readonly refused: boolean;
	readonly files: readonly { readonly path: string }[];
}

/** The files that a call has written; none if it answers with anything else. */
export function writtenBy(output: unknown): readonly string[] {
	const { written } = (output ?? {}) as Partial<Answer>;
	return Array.isArray(written) ? written : [];
}

/** Whether an answer is what the rule asks for. `written` is what was written before, of which one file must be meant. */
export function resulted(
	{ result }: Rule,
	{ tool, input }: PhaseCall,
	output: unknown,
	written: ReadonlySet<string>,
): boolean {
	if (result === undefined) return true;
	if (result === "written") return writtenBy(output).length > 0;
	const { check, refused, files } = (output ?? {}) as Partial<Answer>;
	if (refused) return false;
	const operation = operations.find(({ name }) => name === tool);
	// A tool of the host that has failed does not come here.
	if (!operation) return true;
	const report = check ?? (files && "servers" in (output as object) ? (output as CheckReport) : undefined);
	if (!report) return operation.exitCode?.(output as never) === 0;
	const isMeant =
		written.size === 0 || input.scope === "workspace" || report.files.some(({ path }) => written.has(path));
	return isMeant && newErrorsIn(report).length === 0 && isProven(report);
}

/** A rule as an agent reads it: `rename {"dry_run":true}`. */
export function ruleText({ tool, dry, same, with: given, command }: Rule): string[] {
	const input = { ...(dry ? { dry_run: true } : {}), ...given };
	const words = [
		...(Object.keys(input).length > 0 ? [JSON.stringify(input)] : []),
		...(same ? ["as it was shown"] : []),
		...(command ? ["to build and test"] : []),
	];
	return tool.split("|").map((name) => [name, ...words].join(" "));
}

const hostTools = ["edit", "write", "bash"];

/** What a phase refuses: whatever writes and no rule names. */
export function forbiddenIn({ allow }: Phase): string[] {
	const writers = operations
		.filter((operation) => writes(operation, { apply: true, command: "" }))
		.map(({ name }) => name);
	return [...hostTools, ...writers].filter((name) => !allow.some((rule) => matchesTool(rule, name) && !rule.dry));
}
