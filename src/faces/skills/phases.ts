import { isDeepStrictEqual } from "node:util";
import type { CheckReport } from "../../contract/check-report.ts";
import { isProven, newErrorsIn } from "../../operations/common/written.ts";
import { operations } from "../../operations/index.ts";
import { isDry, isSame, type PhaseCall, writes } from "./phase-call.ts";

/** Of `phases.json` in the skill's folder. */
export interface Phase {
	readonly name: string;
	readonly purpose: string;
	/** Reading is never refused. */
	readonly allow: readonly Rule[];
	readonly advance: readonly Rule[];
	readonly next: string;
}

export interface Rule {
	/** Operations or host's tools, with `*`, separated by `|`. */
	readonly tool: string;
	readonly dry?: true;
	readonly same?: true;
	readonly with?: Readonly<Record<string, unknown>>;
	readonly command?: "runs";
	readonly result?: "clean" | "written";
}

export interface Shown {
	readonly call: PhaseCall;
	readonly output: unknown;
}

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

export function writtenBy(output: unknown): readonly string[] {
	const { written } = (output ?? {}) as Partial<Answer>;
	return Array.isArray(written) ? written : [];
}

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
	if (!operation) return true;
	const report = check ?? (files && "servers" in (output as object) ? (output as CheckReport) : undefined);
	if (!report) return operation.exitCode?.(output as never) === 0;
	const isMeant =
		written.size === 0 || input.scope === "workspace" || report.files.some(({ path }) => written.has(path));
	return isMeant && newErrorsIn(report).length === 0 && isProven(report);
}

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

export function forbiddenIn({ allow }: Phase): string[] {
	const writers = operations
		.filter((operation) => writes(operation, { apply: true, command: "" }))
		.map(({ name }) => name);
	return [...hostTools, ...writers].filter((name) => !allow.some((rule) => matchesTool(rule, name) && !rule.dry));
}
