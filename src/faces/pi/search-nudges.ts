import type { KnownNameParams, KnownNameResult, NameUse } from "../../contract/protocol.ts";
import { count } from "../../render/count.ts";
import { pause } from "../../util/abort.ts";
import type { DaemonLink } from "../daemon-link.ts";
import type { WriteCall } from "../tools/format-answer.ts";
import type { ToolEvent } from "./edit-tools.ts";
import { searchedName } from "./searched-name.ts";

const maxPerSession = 3;
const waitMs = 5;

interface Asked {
	readonly name: string;
	readonly answer: Promise<NameUse | undefined>;
	readonly controller: AbortController;
}

export class SearchNudges {
	readonly #link: DaemonLink;
	readonly #asked = new Map<string, Asked>();
	readonly #nudged = new Set<string>();

	constructor(link: DaemonLink) {
		this.#link = link;
	}

	begin(event: ToolEvent, cwd: string): void {
		const name = searchedName(event);
		if (name === undefined || this.#nudged.has(name) || this.#nudged.size >= maxPerSession) return;
		const controller = new AbortController();
		const answer = this.#ask({ cwd, name }, controller.signal).catch(() => undefined);
		this.#asked.set(event.toolCallId, { name, answer, controller });
	}

	async end(
		{ toolCallId, isError }: { readonly toolCallId: string; readonly isError: boolean },
		write: WriteCall,
	): Promise<string | undefined> {
		const asked = this.#asked.get(toolCallId);
		this.#asked.delete(toolCallId);
		if (!asked) return undefined;
		const use = await Promise.race([asked.answer, pause(waitMs)]);
		asked.controller.abort();
		if (!use || isError || this.#nudged.has(asked.name) || this.#nudged.size >= maxPerSession) return undefined;
		this.#nudged.add(asked.name);
		const { symbol, file, uses, files } = use;
		const call = write({ operation: "references", input: { file, symbol }, why: "" });
		return `${count(uses, "use", "uses")} in ${count(files, "file", "files")}: ${call}`;
	}

	async #ask(params: KnownNameParams, signal: AbortSignal): Promise<NameUse | undefined> {
		const client = await this.#link.current();
		const result = await client?.call<KnownNameResult>("known_name", this.#link.withTrust(params), signal);
		return result?.use;
	}
}
