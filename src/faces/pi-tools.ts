import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describeError, LspError } from "../errors.ts";
import type { AnyOperation } from "../operation.ts";
import { operations } from "../operations/index.ts";
import { answerText } from "./answer.ts";
import type { DaemonLink } from "./daemon-link.ts";
import type { SessionOptions } from "./pi-options.ts";
import { rowOf } from "./pi-rows.ts";
import type { Screen } from "./pi-screen.ts";
import { toolCall, toolName } from "./profile.ts";

/** The operations that the model is offered as tools, as `--lsp-tools` says. */
export class Tools {
	readonly #pi: ExtensionAPI;
	readonly #link: DaemonLink;
	readonly #screen: Screen;
	/** Those that were taken away and may come back. */
	#hidden: readonly string[] = [];

	constructor(pi: ExtensionAPI, link: DaemonLink, screen: Screen) {
		this.#pi = pi;
		this.#link = link;
		this.#screen = screen;
		for (const operation of operations.filter(({ core }) => core)) this.#register(operation);
	}

	/** At the start of a session, when the flags are known. */
	choose({ tools }: SessionOptions): void {
		if (tools === "none") this.hide();
		if (tools !== "all") return;
		for (const operation of operations.filter(({ core, effect }) => !core && effect === "read"))
			this.#register(operation);
	}

	/** Takes our tools from the model. */
	hide(): void {
		const active = this.#pi.getActiveTools();
		const ours = new Set(operations.map(toolName));
		const shown = active.filter((name) => ours.has(name));
		if (shown.length === 0) return;
		this.#hidden = shown;
		this.#pi.setActiveTools(active.filter((name) => !ours.has(name)));
	}

	/** Gives back what was taken. */
	show(): void {
		if (this.#hidden.length === 0) return;
		this.#pi.setActiveTools([...new Set([...this.#pi.getActiveTools(), ...this.#hidden])]);
		this.#hidden = [];
	}

	#register(operation: AnyOperation): void {
		this.#pi.registerTool({
			name: toolName(operation),
			label: operation.title,
			description: operation.description,
			promptSnippet: `${operation.title}: ${operation.description.split(/(?<=[.:]) /)[0]}`,
			parameters: operation.input,
			executionMode: operation.effect === "read" ? "parallel" : "sequential",
			...rowOf(operation.name),
			execute: async (_id, input, signal, _onUpdate, ctx: ExtensionContext) => {
				try {
					const asked = this.#link.call(operation.name, { cwd: ctx.cwd, input }, signal);
					const output = await this.#screen.during(asked);
					return { content: [{ type: "text", text: answerText(operation, output, input, toolCall) }], details: {} };
				} catch (error) {
					// pi 0.73 knows no other way to say that a tool failed; the message is what the model reads.
					throw error instanceof LspError ? new Error(describeError(error)) : error;
				}
			},
		});
	}
}
