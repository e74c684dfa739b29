import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { LspError, type WriteCommand, withHintFor } from "../../contract/errors.ts";
import { rareFields } from "../../operations/common/inputs.ts";
import { harmless } from "../../render/harmless.ts";
import type { DaemonLink } from "../daemon-link.ts";
import { withPerson } from "../person.ts";
import { genericTool } from "../tools/generic-tool.ts";
import { commandWriter, type Profile, toolsOf } from "../tools/profiles.ts";
import { failureText, invoke, type OfferedTool } from "../tools/tool-definitions.ts";
import { atPrompt } from "./lsp-command.ts";
import { confirmed, type Screen } from "./screen.ts";
import { rowOf } from "./tool-rendering.ts";
import type { TurnMemory } from "./turn-memory.ts";

/** The hook checks what the model edits. */
const checked = { checks: false };

/** The tools that the model is offered, as the profile says. */
export class Tools {
	readonly #pi: ExtensionAPI;
	readonly #link: DaemonLink;
	readonly #screen: Screen;
	readonly #memory: TurnMemory;
	/** Names of all that was registered, whether it is offered or not. */
	readonly #ours = new Set<string>();
	/** Those that were taken away and may come back. */
	#hidden: readonly string[] = [];
	/** How hints name commands: by the tools that are offered. */
	#write: WriteCommand;

	constructor(pi: ExtensionAPI, link: DaemonLink, screen: Screen, memory: TurnMemory) {
		this.#pi = pi;
		this.#link = link;
		this.#screen = screen;
		this.#memory = memory;
		const tools = toolsOf("core", checked);
		this.#write = commandWriter(tools, atPrompt);
		for (const tool of tools) this.#register(tool, "core");
	}

	/** At the start of a session, when the flags are known. */
	choose(profile: Profile): void {
		if (profile === "core") return;
		if (profile === "none") {
			this.#write = commandWriter([], atPrompt);
			this.hide();
			return;
		}
		// What controls servers is the person's business; the model has it by name in core.
		const tools = toolsOf(profile, checked).filter(({ effect }) => profile !== "all" || effect === "read");
		this.#write = commandWriter(tools, atPrompt);
		for (const tool of tools) this.#register(tool, profile);
		const offered = new Set(tools.map(({ name }) => name));
		const active = this.#pi.getActiveTools();
		this.#pi.setActiveTools(active.filter((name) => !this.#ours.has(name) || offered.has(name)));
	}

	/** Takes our tools from the model. */
	hide(): void {
		const active = this.#pi.getActiveTools();
		const shown = active.filter((name) => this.#ours.has(name));
		if (shown.length === 0) return;
		this.#hidden = shown;
		this.#pi.setActiveTools(active.filter((name) => !this.#ours.has(name)));
	}

	/** Gives back what was taken. */
	show(): void {
		if (this.#hidden.length === 0) return;
		this.#pi.setActiveTools([...new Set([...this.#pi.getActiveTools(), ...this.#hidden])]);
		this.#hidden = [];
	}

	#register(tool: OfferedTool, profile: Profile): void {
		const { name, title, description, effect, input } = tool;
		this.#ours.add(name);
		this.#pi.registerTool({
			name,
			label: title,
			description,
			promptSnippet: title,
			...(profile === "core" && name === genericTool.name ? { promptGuidelines: guidelines } : {}),
			parameters: profile === "core" ? slim(input) : input,
			executionMode: effect === "read" ? "parallel" : "sequential",
			...rowOf(name),
			execute: async (call, given, signal, _onUpdate, ctx: ExtensionContext) => {
				try {
					const wanted = tool.read(given as Record<string, unknown>, ctx.cwd);
					const { operation, inputs } = wanted;
					const ask = (one: unknown) =>
						withPerson(
							(permits) => this.#link.call(operation, { cwd: ctx.cwd, input: one, permits }, signal),
							async (question) => (ctx.hasUI ? confirmed(ctx, "pi-lsp", question) : undefined),
						);
					const { texts } = await this.#screen.during(invoke(wanted, ask, this.#write));
					const text = this.#memory.answer(call, JSON.stringify([operation, inputs]), texts.join("\n"));
					return { content: [{ type: "text", text }], details: {} };
				} catch (error) {
					// pi 0.73 knows no other way to say that a tool failed; the message is what the model reads.
					if (error instanceof LspError) throw new Error(failureText(tool, withHintFor(error, this.#write)));
					throw error instanceof Error ? new Error(harmless(error.message), { cause: error }) : error;
				}
			},
		});
	}
}

/** When the tools are the better choice, for the system prompt. */
const guidelines = guidelinesFor(new Set(toolsOf("core", checked).map(({ name }) => name)));

function guidelinesFor(offered: ReadonlySet<string>): string[] {
	const named = ["lsp_references", "lsp_definition", "lsp_find", "lsp_calls"]
		.filter((name) => offered.has(name))
		.join(", ");
	return [
		`For uses, definitions or callers of a symbol use ${named} instead of grep: they resolve imports, re-exports, overloads and equal names. Grep is for strings, comments and plain text.`,
	];
}

/** The same parameters without those that are rarely of use, and without bounds: both are taken, and checked, all the same. */
function slim({ properties, required = [] }: OfferedTool["input"]) {
	const kept = Object.entries(properties).flatMap(([name, { minimum: _, maximum: __, minLength: ___, ...schema }]) => {
		if (rareFields.has(name)) return [];
		const field = Type.Unsafe(schema);
		return [[name, required.includes(name) ? field : Type.Optional(field)] as const];
	});
	return Type.Object(Object.fromEntries(kept));
}
