import { relative, resolve } from "node:path";
import { LspError } from "../../contract/errors.ts";
import { fileNamesIn } from "../../edit-hook/command-changes.ts";
import { kindOfCommand } from "../skills/shell-commands.ts";
import type { CallEnded, SkillBinding } from "../skills/skill-binding.ts";
import type { Words } from "../skills/words.ts";
import { violationText } from "../tools/tool-definitions.ts";
import { type ToolEvent, toolCallOf } from "./edit-tools.ts";

/** Other extensions' tools are unknown. */
export class HostCalls {
	readonly #running = new Map<string, CallEnded>();

	begin(
		event: ToolEvent,
		cwd: string,
		{ binding, words }: { binding: SkillBinding; words: Words },
	): string | undefined {
		if (!binding.isActive) return undefined;
		const { id, kind, files, command = "" } = toolCallOf(event);
		if (kind === "other") return undefined;
		const isCommand = kind === "command";
		const does = isCommand ? kindOfCommand(command) : undefined;
		const named = fileNamesIn(command).filter((word) => /\.\w+$/.test(word));
		const input = isCommand
			? { command, files: named }
			: files.length === 1
				? { ...event.input, path: files[0] }
				: event.input;
		try {
			const call = { tool: isCommand ? "bash" : kind, input, cwd, writes: does !== "reads" };
			const ended = binding.begin(does === undefined ? call : { ...call, command: does }, words);
			const written = files.map((file) => relative(cwd, resolve(cwd, file)));
			this.#running.set(id, (output) => ended(output && { written }));
			return undefined;
		} catch (error) {
			if (error instanceof LspError && error.code === "LSP_PHASE_VIOLATION") return violationText(error);
			throw error;
		}
	}

	end({ toolCallId, isError }: { toolCallId: string; isError: boolean }, binding: SkillBinding): string[] {
		const ended = this.#running.get(toolCallId);
		this.#running.delete(toolCallId);
		ended?.(isError ? undefined : {});
		return ended ? binding.takeWarnings() : [];
	}
}
