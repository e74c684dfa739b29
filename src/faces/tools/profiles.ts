import type { Profile } from "../../config/read-settings.ts";
import { LspError, type WriteCommand } from "../../contract/errors.ts";
import type { AnyOperation, NextStep } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { compatTools } from "./compat-tools.ts";
import type { WriteCall } from "./format-answer.ts";
import { genericTool, genericToolName } from "./generic-tool.ts";
import { type OfferedTool, operationTool } from "./tool-definitions.ts";

export function writeToolCall({ operation, input }: NextStep): string {
	return `lsp_${operation} ${JSON.stringify(input)}`;
}

interface ToolOptions {
	/** Adds `lsp_check` to `core` where no hook checks edits. */
	readonly withCheck: boolean;
	readonly added?: readonly AnyOperation[];
}

export function toolsOf(profile: Profile, options: ToolOptions): readonly OfferedTool[] {
	if (profile === "all")
		return [...operations, ...(options.added ?? [])].map((operation) => operationTool(operation, writeToolCall));
	if (!isSlim(profile)) return compatTools(profile);
	const { usable, offered } = slimmed(profile, options);
	const write = slimWriter(profile, options);
	return [...offered.map((operation) => operationTool(operation, write)), genericTool(write, usable)];
}

type Slim = Extract<Profile, "core" | "read">;

export function isSlim(profile: Profile): profile is Slim {
	return profile === "core" || profile === "read";
}

function slimmed(profile: Slim, { withCheck, added = [] }: ToolOptions) {
	const all = [...operations, ...added];
	const usable = profile === "read" ? all.filter(isReading) : all;
	return { usable, offered: usable.filter(({ name, core }) => core || (withCheck && name === "check")) };
}

export function slimWriter(profile: Slim, options: ToolOptions): WriteCall {
	const { offered } = slimmed(profile, options);
	return (step) =>
		offered.some(({ name }) => name === step.operation)
			? writeToolCall(step)
			: `${genericToolName} ${JSON.stringify({ operation: step.operation, input: step.input })}`;
}

function isReading({ effect }: AnyOperation): boolean {
	return effect === "read";
}

/** `read` reaches no changing operation by another profile's name. */
export function readingOnly(tool: OfferedTool, added: readonly AnyOperation[] = []): OfferedTool {
	return {
		...tool,
		parse(args, from) {
			const call = tool.parse(args, from);
			if ([...operations, ...added].some((each) => each.name === call.operation && !isReading(each)))
				throw new LspError(
					"LSP_UNKNOWN_OPERATION",
					`Profile read only answers questions; it has no ${call.operation}.`,
				);
			return call;
		},
	};
}

export function commandWriter(offered: readonly OfferedTool[], person: WriteCommand): WriteCommand {
	return (command) => {
		for (const tool of offered) {
			const call = tool.callOf(command);
			if (call !== undefined) return `\`${call}\``;
		}
		return person(command);
	};
}

export class OfferedTools {
	readonly #options: ToolOptions;
	readonly #made = new Map<Profile, readonly OfferedTool[]>();

	constructor(options: ToolOptions) {
		this.#options = options;
	}

	of(profile: Profile, added: readonly AnyOperation[] = []): readonly OfferedTool[] {
		if (added.length > 0) return toolsOf(profile, { ...this.#options, added });
		const tools = this.#made.get(profile) ?? toolsOf(profile, this.#options);
		this.#made.set(profile, tools);
		return tools;
	}

	called(name: string, args: object, profile: Profile, added: readonly AnyOperation[] = []): OfferedTool | undefined {
		const all: readonly Profile[] = [profile, "core", "all", "sah", "llxprt", "agent-lsp"];
		let first: OfferedTool | undefined;
		for (const each of all)
			for (const tool of this.of(each, added)) {
				if (tool.name !== name && !tool.alsoNamed?.includes(name)) continue;
				if (fits(args, tool.input)) return tool;
				first ??= tool;
			}
		return first;
	}
}

function fits(args: object, { properties, required = [] }: OfferedTool["input"]): boolean {
	return required.every((key) => Object.hasOwn(args, key)) && Object.keys(args).every((key) => key in properties);
}
