import { readFile } from "node:fs/promises";
import type { ChangedByResult, CommandParams } from "../daemon/protocol.ts";
import type { DaemonLink } from "./daemon-link.ts";
import type { ToolCall } from "./edit-hook.ts";
import { absolutePath, textBefore } from "./mutations.ts";

const mostNamed = 20;

/** True for a tool that runs a command, which may change any file. */
export function runsCommands(tool: string): boolean {
	return tool === "bash";
}

/** What a command has changed. */
export interface CommandChanges {
	/** What a file held before the command, by the file's name; undefined where nobody knows. */
	readonly files: ReadonlyMap<string, string | undefined>;
	readonly more: number;
}

/**
 * Finds out which files a command changes. The daemon knows of all that it watches; where no server runs yet, and for
 * what the files held before, the files that the command names are read before it. Reading them starts nothing: most
 * commands change nothing.
 */
export class CommandFiles {
	readonly #link: DaemonLink;
	readonly #session: string;
	readonly #named = new Map<string, ReadonlyMap<string, string>>();

	constructor(link: DaemonLink, session: string) {
		this.#link = link;
		this.#session = session;
	}

	async before({ toolCallId, input }: ToolCall, cwd: string, maxBytes: number): Promise<void> {
		const client = await this.#link.current();
		client?.notify("command", { ...this.#params(toolCallId, cwd), at: Date.now() });
		const texts = new Map<string, string>();
		for (const file of namedIn(input.command)) {
			const text = await textBefore(absolutePath(file, cwd), maxBytes);
			if (typeof text === "string") texts.set(file, text);
			if (texts.size === mostNamed) break;
		}
		this.#named.set(toolCallId, texts);
	}

	async after({ toolCallId }: ToolCall, cwd: string, signal: AbortSignal): Promise<CommandChanges> {
		const named = this.#named.get(toolCallId) ?? new Map<string, string>();
		this.#named.delete(toolCallId);
		const files = new Map<string, string | undefined>();
		for (const [file, text] of named) {
			const now = await readFile(absolutePath(file, cwd), "utf8").catch(() => undefined);
			if (now !== text) files.set(file, text);
		}
		const client = await this.#link.current();
		const seen = await client
			?.call<ChangedByResult>("changed_by", this.#params(toolCallId, cwd), signal)
			.catch(() => undefined);
		const known = new Set([...files.keys()].map((file) => absolutePath(file, cwd)));
		for (const file of seen?.files ?? []) if (!known.has(absolutePath(file, cwd))) files.set(file, undefined);
		return { files, more: seen?.more ?? 0 };
	}

	#params(call: string, cwd: string): CommandParams {
		return { cwd, session: this.#session, call };
	}
}

/** The words of a command that look like the name of a file with an extension. */
function namedIn(command: unknown): string[] {
	if (typeof command !== "string") return [];
	const words = command.match(/[^\s'"`;|&<>()=]+/g) ?? [];
	return [...new Set(words)].filter((word) => /\.\w+$/.test(word));
}
