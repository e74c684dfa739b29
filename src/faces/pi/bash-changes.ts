import type {
	ChangedByResult,
	CheckCommandParams,
	CheckCommandResult,
	CommandParams,
} from "../../contract/protocol.ts";
import type { DaemonLink } from "../daemon-link.ts";
import type { ToolCall } from "./edit-hook.ts";
import { absolutePath, textBefore } from "./edit-tools.ts";

const maxNamed = 20;

/** True for a tool that runs a command, which may change any file. */
export function runsCommands(tool: string): boolean {
	return tool === "bash";
}

/** A file that the command named and changed, with what it held before; null for one that did not exist. */
export type KnownFile = CheckCommandParams["known"][number];

/**
 * Knows what the files that a command names held before it. The daemon knows which files a command changes, as far as it
 * watches them; where no server runs yet only the named ones are known. Reading them starts nothing: most commands change
 * nothing.
 */
export class BashChanges {
	readonly #link: DaemonLink;
	readonly #session: string;
	readonly #named = new Map<string, readonly KnownFile[]>();

	constructor(link: DaemonLink, session: string) {
		this.#link = link;
		this.#session = session;
	}

	async before({ toolCallId, input }: ToolCall, cwd: string, maxBytes: number): Promise<void> {
		const client = await this.#link.current();
		client?.notify("command", { ...this.#params(toolCallId, cwd), at: Date.now() });
		this.#named.set(toolCallId, await readAll(namedIn(input.command), cwd, maxBytes));
	}

	/** The files that the command named and that hold something else now. */
	async changedOf({ toolCallId }: ToolCall, cwd: string, maxBytes: number): Promise<readonly KnownFile[]> {
		const named = this.#named.get(toolCallId) ?? [];
		this.#named.delete(toolCallId);
		const now = await readAll(
			named.map(({ file }) => file),
			cwd,
			maxBytes,
		);
		const texts = new Map(now.map(({ file, text }) => [file, text]));
		return named.filter(({ file, text }) => texts.get(file) !== text);
	}

	/** Checks what the command has changed; undefined if nobody can know of anything. */
	async check(
		{ toolCallId }: ToolCall,
		cwd: string,
		about: Pick<CheckCommandParams, "known" | "told">,
		signal: AbortSignal,
	): Promise<CheckCommandResult | undefined> {
		if (about.known.length === 0 && !(await this.#link.current())) return undefined;
		const params: CheckCommandParams = { ...this.#params(toolCallId, cwd), ...about };
		return this.#link.call<CheckCommandResult>("check_command", params, signal);
	}

	/** The further files that the daemon has seen change, as the agent would name them. */
	async seenBy({ toolCallId }: ToolCall, cwd: string, signal: AbortSignal): Promise<readonly string[]> {
		const client = await this.#link.current();
		const params = this.#link.withTrust(this.#params(toolCallId, cwd));
		const seen = await client?.call<ChangedByResult>("changed_by", params, signal);
		return seen?.files ?? [];
	}

	#params(call: string, cwd: string): CommandParams {
		return { cwd, session: this.#session, call };
	}
}

/** What the files hold; without those that are none of our business. */
async function readAll(files: readonly string[], cwd: string, maxBytes: number): Promise<KnownFile[]> {
	const read = await Promise.all(
		files.map(async (file) => ({ file, text: await textBefore(absolutePath(file, cwd), maxBytes) })),
	);
	return read.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
}

/** The words of a command that look like the name of a file with an extension. */
function namedIn(command: unknown): string[] {
	if (typeof command !== "string") return [];
	const words = command.match(/[^\s'"`;|&<>()=]+/g) ?? [];
	return [...new Set(words)].filter((word) => /\.\w+$/.test(word)).slice(0, maxNamed);
}
