import type { AgentToolResult, ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Profile } from "../../config/read-settings.ts";
import type { CheckReport } from "../../contract/check-report.ts";
import { LspError, type WriteCommand, withHintFor } from "../../contract/errors.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { harmless } from "../../render/harmless.ts";
import type { DaemonLink } from "../daemon-link.ts";
import { OperationCalls } from "../operation-calls.ts";
import { SkillBinding } from "../skills/skill-binding.ts";
import type { Words } from "../skills/words.ts";
import { genericToolName } from "../tools/generic-tool.ts";
import { commandWriter, isSlim, toolsOf } from "../tools/profiles.ts";
import { slimInput } from "../tools/slim-input.ts";
import { failureText, invoke, type OfferedTool } from "../tools/tool-definitions.ts";
import { holdFiles } from "./hold-files.ts";
import { atPrompt } from "./lsp-command.ts";
import { confirm, notify, type Screen } from "./screen.ts";
import { rowOf } from "./tool-rendering.ts";
import type { TurnMemory } from "./turn-memory.ts";

const toolOptions = { withCheck: false };

interface Execution {
	readonly call: string;
	readonly args: Record<string, unknown>;
	readonly signal: AbortSignal | undefined;
	readonly ctx: ExtensionContext;
}

export class Tools {
	readonly #pi: ExtensionAPI;
	readonly #calls: OperationCalls;
	readonly #screen: Screen;
	readonly #memory: TurnMemory;
	readonly #registered = new Set<string>();
	#hidden: readonly string[] = [];
	#writeCommand: WriteCommand;
	#profile: Profile = "core";
	#tellsNext = true;
	#added: readonly AnyOperation[] = [];
	#binding = new SkillBinding();
	#shownProblem: string | undefined;

	constructor(pi: ExtensionAPI, link: DaemonLink, screen: Screen, memory: TurnMemory) {
		this.#pi = pi;
		this.#calls = new OperationCalls(link);
		this.#screen = screen;
		this.#memory = memory;
		const tools = toolsOf("core", toolOptions);
		this.#writeCommand = commandWriter(tools, atPrompt);
		for (const tool of tools) this.#register(tool, "core");
	}

	get profile(): Profile {
		return this.#profile;
	}

	choose(profile: Profile, tellsNext: boolean, added: readonly AnyOperation[] = []): void {
		this.#profile = profile;
		this.#tellsNext = tellsNext;
		this.#added = added;
		this.#binding = new SkillBinding();
		if (profile === "core" && added.length === 0) return;
		// Core's generic tool alone controls servers.
		const tools = toolsOf(profile, { ...toolOptions, added }).filter(
			({ name, effect }) => profile !== "all" || effect !== "control" || name.includes("_skill"),
		);
		this.#writeCommand = commandWriter(tools, atPrompt);
		if (profile === "none") {
			this.hide();
			return;
		}
		for (const tool of tools) this.#register(tool, profile);
		const offered = new Set(tools.map(({ name }) => name));
		const active = this.#pi.getActiveTools();
		this.#pi.setActiveTools(active.filter((name) => !this.#registered.has(name) || offered.has(name)));
	}

	get skills(): { readonly binding: SkillBinding; readonly words: Words } {
		return { binding: this.#binding, words: isSlim(this.#profile) ? "pi" : this.#profile };
	}

	close(): Promise<void> {
		return this.#calls.audit.close();
	}

	hide(): void {
		const active = this.#pi.getActiveTools();
		const shown = active.filter((name) => this.#registered.has(name));
		if (shown.length === 0) return;
		this.#hidden = shown;
		this.#pi.setActiveTools(active.filter((name) => !this.#registered.has(name)));
	}

	show(): void {
		if (this.#hidden.length === 0) return;
		this.#pi.setActiveTools([...new Set([...this.#pi.getActiveTools(), ...this.#hidden])]);
		this.#hidden = [];
	}

	#register(tool: OfferedTool, profile: Profile): void {
		const { name, title, description, effect, input } = tool;
		this.#registered.add(name);
		this.#pi.registerTool({
			name,
			label: title,
			description,
			promptSnippet: title,
			...(isSlim(profile) && name === genericToolName ? { promptGuidelines: guidelines } : {}),
			parameters: isSlim(profile) ? slimInput(input) : input,
			executionMode: effect === "read" ? "parallel" : "sequential",
			...rowOf(name),
			execute: (call, args, ...[signal, , ctx]) =>
				this.#execute(tool, { call, args: args as Record<string, unknown>, signal, ctx }),
		});
	}

	async #execute(tool: OfferedTool, { call, args, signal, ctx }: Execution): Promise<AgentToolResult<object>> {
		try {
			const answered = this.#calls.run(
				{
					tool: tool.name,
					args,
					profile: this.#profile,
					about: { cwd: ctx.cwd },
					signal,
					skills: this.skills,
					added: this.#added,
					hold: holdFiles(ctx.cwd),
					confirm: async (question) => (ctx.hasUI ? confirm(ctx, "pi-lsp", question) : undefined),
				},
				async (request) => {
					const toolCall = tool.parse(args, { cwd: ctx.cwd });
					const { operation, inputs } = toolCall;
					const ask = async (input: unknown) => {
						const output = await request(operation, input);
						if (operation === "diagnostics" || operation === "check") this.#screen.askedAgain(output as CheckReport);
						return output;
					};
					const answer = await invoke(toolCall, ask, this.#writeCommand);
					const line = this.#tellsNext ? this.#binding.nextLine(answer, this.skills.words) : undefined;
					const next = line === undefined ? [] : [line];
					const text = [...answer.texts, ...this.#binding.takeWarnings(), ...next].join("\n");
					return this.#memory.answer(call, JSON.stringify([operation, inputs]), text);
				},
			);
			const text = await this.#screen.during(answered);
			const { problem } = this.#calls.audit;
			if (problem !== undefined && problem !== this.#shownProblem) notify(ctx, `Audit: ${problem}`, "warning");
			this.#shownProblem = problem;
			return { content: [{ type: "text", text }], details: {} };
		} catch (error) {
			// In pi 0.73 a tool fails only by throwing.
			if (error instanceof LspError) throw new Error(failureText(tool, withHintFor(error, this.#writeCommand)));
			throw error instanceof Error ? new Error(harmless(error.message), { cause: error }) : error;
		}
	}
}

const guidelines = [
	"For uses, definitions or callers of a symbol use lsp_references, lsp_definition, lsp_find, lsp_calls instead of grep: they resolve imports, re-exports, overloads and equal names. Grep is for strings, comments and plain text.",
];
