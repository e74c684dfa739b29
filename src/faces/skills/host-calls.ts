import { relative, resolve } from "node:path";
import { LspError } from "../../contract/errors.ts";
import { fileNamesIn } from "../../edit-hook/command-changes.ts";
import { violationText } from "../tools/tool-definitions.ts";
import { kindOfCommand } from "./shell-commands.ts";
import type { CallEnded, SkillBinding } from "./skill-binding.ts";
import type { Words } from "./words.ts";

export interface OwnCall {
	readonly id: string;
	/** `other`: unknown tools of other extensions. */
	readonly kind: "edit" | "write" | "command" | "other";
	readonly files: readonly string[];
	readonly command?: string | undefined;
	readonly input: Readonly<Record<string, unknown>>;
}

export class HostCalls {
	readonly #running = new Map<string, CallEnded>();

	/** Returns a refusal. */
	begin(
		{ id, kind, files, command = "", input: given }: OwnCall,
		cwd: string,
		{ binding, words }: { binding: SkillBinding; words: Words },
	): string | undefined {
		if (!binding.isActive || kind === "other") return undefined;
		const isCommand = kind === "command";
		const does = isCommand ? kindOfCommand(command) : undefined;
		const named = fileNamesIn(command).filter((word) => /\.\w+$/.test(word));
		// A patch names its files itself.
		const isOfFile = files.length === 1 && given.patch === undefined;
		const input = isCommand ? { command, files: named } : { ...given, ...(isOfFile ? { path: files[0] } : { files }) };
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

	end({ id, isError }: { id: string; isError: boolean }, binding: SkillBinding): string[] {
		const ended = this.#running.get(id);
		this.#running.delete(id);
		ended?.(isError ? undefined : {});
		return ended ? binding.takeWarnings() : [];
	}
}
