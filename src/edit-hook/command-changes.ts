import type { ChangedByResult, CheckCommandParams, CheckCommandResult, CommandParams } from "../contract/protocol.ts";
import type { DaemonCalls } from "./host.ts";
import { absolutePath, type ToolCall, textBefore } from "./tool-call.ts";

const maxNames = 20;

/** Before the command; `text` is null for a missing file. */
export type KnownFile = CheckCommandParams["known"][number];

/** Without a running server only files that the command names are known. */
export class CommandChanges {
	readonly #daemon: DaemonCalls;
	readonly #session: string;
	readonly #known = new Map<string, readonly KnownFile[]>();

	constructor(daemon: DaemonCalls, session: string) {
		this.#daemon = daemon;
		this.#session = session;
	}

	async before({ id, command, texts, at = Date.now() }: ToolCall, cwd: string, maxBytes: number): Promise<void> {
		const client = await this.#daemon.current();
		client?.notify("command", { ...this.#params(id, cwd), at });
		const known = texts
			? [...texts].map(([file, text]) => ({ file, text }))
			: await readTexts(fileNamesIn(command), cwd, maxBytes);
		this.#known.set(id, known);
	}

	async changedNames({ id }: ToolCall, cwd: string, maxBytes: number): Promise<readonly KnownFile[]> {
		const known = this.#known.get(id) ?? [];
		this.#known.delete(id);
		const files = known.map(({ file }) => file);
		const texts = new Map((await readTexts(files, cwd, maxBytes)).map(({ file, text }) => [file, text]));
		return known.filter(({ file, text }) => texts.get(file) !== text);
	}

	async check(
		{ id }: ToolCall,
		cwd: string,
		about: Pick<CheckCommandParams, "known" | "confirmed">,
		signal: AbortSignal,
	): Promise<CheckCommandResult | undefined> {
		if (about.known.length === 0 && !(await this.#daemon.current())) return undefined;
		const params: CheckCommandParams = { ...this.#params(id, cwd), ...about };
		return this.#daemon.call<CheckCommandResult>("check_command", params, signal);
	}

	async seenByDaemon({ id }: ToolCall, cwd: string, signal: AbortSignal): Promise<readonly string[]> {
		const client = await this.#daemon.current();
		const params = this.#daemon.withTrust(this.#params(id, cwd));
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

/** Names without an extension (`Dockerfile`) come last. */
export function fileNamesIn(command = ""): string[] {
	const words = [...new Set(command.match(/[^\s'"`;|&<>()=]+/g) ?? [])].filter((word) => !word.startsWith("-"));
	const hasExtension = (word: string) => /\.\w+$/.test(word);
	const isPlain = (word: string) => /^[\w./@+~-]*\w$/.test(word);
	return [...words.filter(hasExtension), ...words.filter((word) => !hasExtension(word) && isPlain(word))].slice(
		0,
		maxNames,
	);
}
