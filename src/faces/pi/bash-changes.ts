import type {
	ChangedByResult,
	CheckCommandParams,
	CheckCommandResult,
	CommandParams,
} from "../../contract/protocol.ts";
import type { DaemonLink } from "../daemon-link.ts";
import type { ToolEvent } from "./edit-hook.ts";
import { absolutePath, textBefore } from "./edit-tools.ts";

const maxNames = 20;

export function runsCommands(tool: string): boolean {
	return tool === "bash";
}

/** `text` is from before the command; null for a file that did not exist. */
export type KnownFile = CheckCommandParams["known"][number];

/** Where no server watches the tree, only changes of files that the command names are known. */
export class BashChanges {
	readonly #link: DaemonLink;
	readonly #session: string;
	readonly #known = new Map<string, readonly KnownFile[]>();

	constructor(link: DaemonLink, session: string) {
		this.#link = link;
		this.#session = session;
	}

	/** Starts no daemon: most commands change nothing. */
	async before({ toolCallId, input }: ToolEvent, cwd: string, maxBytes: number): Promise<void> {
		const client = await this.#link.current();
		client?.notify("command", { ...this.#params(toolCallId, cwd), at: Date.now() });
		this.#known.set(toolCallId, await readTexts(fileNamesIn(input.command), cwd, maxBytes));
	}

	async changedNames({ toolCallId }: ToolEvent, cwd: string, maxBytes: number): Promise<readonly KnownFile[]> {
		const known = this.#known.get(toolCallId) ?? [];
		this.#known.delete(toolCallId);
		const files = known.map(({ file }) => file);
		const texts = new Map((await readTexts(files, cwd, maxBytes)).map(({ file, text }) => [file, text]));
		return known.filter(({ file, text }) => texts.get(file) !== text);
	}

	/** Undefined if no file is known and no daemon runs. */
	async check(
		{ toolCallId }: ToolEvent,
		cwd: string,
		about: Pick<CheckCommandParams, "known" | "told">,
		signal: AbortSignal,
	): Promise<CheckCommandResult | undefined> {
		if (about.known.length === 0 && !(await this.#link.current())) return undefined;
		const params: CheckCommandParams = { ...this.#params(toolCallId, cwd), ...about };
		return this.#link.call<CheckCommandResult>("check_command", params, signal);
	}

	async seenByDaemon({ toolCallId }: ToolEvent, cwd: string, signal: AbortSignal): Promise<readonly string[]> {
		const client = await this.#link.current();
		const params = this.#link.withTrust(this.#params(toolCallId, cwd));
		const result = await client?.call<ChangedByResult>("changed_by", params, signal);
		return result?.files ?? [];
	}

	#params(call: string, cwd: string): CommandParams {
		return { cwd, session: this.#session, call };
	}
}

async function readTexts(files: readonly string[], cwd: string, maxBytes: number): Promise<KnownFile[]> {
	const read = await Promise.all(
		files.map(async (file) => ({ file, text: await textBefore(absolutePath(file, cwd), maxBytes) })),
	);
	return read.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
}

/** Words that look like a file name with an extension. */
function fileNamesIn(command: unknown): string[] {
	if (typeof command !== "string") return [];
	const words = command.match(/[^\s'"`;|&<>()=]+/g) ?? [];
	return [...new Set(words)].filter((word) => /\.\w+$/.test(word)).slice(0, maxNames);
}
