import type { Profile } from "../../config/read-settings.ts";
import type { WriteCommand } from "../../contract/errors.ts";
import type { AnyAlias, AnyOperation, NextStep } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { aliasTool, doorTool, type OfferedTool, operationTool } from "./tool-definitions.ts";

export { type Profile, profiles } from "../../config/read-settings.ts";

/** A tool's name, in pi and over MCP. */
function toolName({ name }: AnyOperation): string {
	return `lsp_${name}`;
}

/** A next step as the call of a tool. */
export function toolCall({ operation, input }: NextStep): string {
	return `lsp_${operation} ${JSON.stringify(input)}`;
}

/** The operations that are tools by themselves in a profile; an agent whose edits nobody checks needs `check` as well. */
function operationsOf(profile: Profile, { checks }: { readonly checks: boolean }): readonly AnyOperation[] {
	if (profile === "all") return operations;
	if (profile !== "core") return [];
	return operations.filter(({ name, core }) => core || (checks && name === "check"));
}

/** The tools of a profile, as they are offered. */
export function toolsOf(profile: Profile, options: { readonly checks: boolean }): readonly OfferedTool[] {
	const own = operationsOf(profile, options);
	const offered = new Set(own.map(({ name }) => name));
	// A model can call only what it is offered; what an answer leads to beside goes through the door.
	const write = (step: NextStep) =>
		offered.has(step.operation) || profile !== "core"
			? toolCall(step)
			: `lsp ${JSON.stringify({ operation: step.operation, input: step.input })}`;
	return [
		...own.map((operation) => operationTool(operation, toolName(operation), write)),
		...(profile === "core" ? [doorTool(write)] : []),
		...aliasesOf(profile),
	];
}

/**
 * How the hints of errors name commands to an agent who is offered these tools. `person` writes a command as the person of
 * this host types it; undefined where they cannot.
 */
export function commandWriter(offered: readonly OfferedTool[], person: WriteCommand): WriteCommand {
	return (command) => {
		if (command === "usage") return "the schema of the tool";
		for (const tool of offered) {
			const call = tool.callOf(command);
			if (call !== undefined) return `\`${call}\``;
		}
		return person(command);
	};
}

/**
 * The tool that a call means. A profile's own come first, then ours, then every other profile's: all names work, whatever
 * is offered. Of several tools with one name it is the first whose parameters the call has.
 */
export function toolCalled(
	name: string,
	given: object,
	profile: Profile,
	options: { readonly checks: boolean },
): OfferedTool | undefined {
	const everywhere: readonly Profile[] = ["core", "all", "sah", "llxprt", "agent-lsp"];
	const named = [profile, ...everywhere].flatMap((each) => toolsOf(each, options)).filter((tool) => tool.name === name);
	return named.find(({ input }) => fits(given, input)) ?? named[0];
}

function fits(given: object, { properties, required = [] }: OfferedTool["input"]): boolean {
	return required.every((key) => Object.hasOwn(given, key)) && Object.keys(given).every((key) => key in properties);
}

function aliasesOf(profile: Profile): OfferedTool[] {
	const tools = new Map<string, [AnyOperation, AnyAlias][]>();
	for (const operation of operations)
		for (const alias of operation.aliases ?? [])
			if (alias.profile === profile) tools.set(alias.name, [...(tools.get(alias.name) ?? []), [operation, alias]]);
	return [...tools.values()].map(aliasTool);
}
