import type { AnyOperation, NextStep } from "../operation.ts";
import { operations } from "../operations/index.ts";

/** Which operations an agent is offered as tools: the few that pay for themselves, or every one. */
export const profiles = ["core", "all"] as const;
export type Profile = (typeof profiles)[number];

/** A tool's name, in pi and over MCP. */
export function toolName({ name }: AnyOperation): string {
	return `lsp_${name}`;
}

/** A next step as the call of a tool. */
export function toolCall({ operation, input }: NextStep): string {
	return `lsp_${operation} ${JSON.stringify(input)}`;
}

/** The operations of a profile. An agent without a hook that checks its edits needs `check` among the few. */
export function toolsOf(profile: Profile): readonly AnyOperation[] {
	return profile === "all" ? operations : operations.filter(({ name, core }) => core || name === "check");
}
