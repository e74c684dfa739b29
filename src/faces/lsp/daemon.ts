import type { CallerConfig } from "../../config/caller-config.ts";
import type { Caller } from "../../contract/caller.ts";
import type { Severity } from "../../contract/check-report.ts";
import type {
	AffectedByParams,
	AffectedByResult,
	AwaitChangeParams,
	AwaitChangeResult,
	ProvenFile,
	ProveTextsResult,
	UnsavedTexts,
} from "../../contract/protocol.ts";
import type { EditorFolders } from "./folders.ts";

interface Proving {
	readonly texts: UnsavedTexts;
	readonly severity: Severity;
	readonly unopened: boolean;
}

type TextChange = Omit<AffectedByParams["changes"][number], "file">;

export class Daemon {
	readonly #caller: Pick<Caller, "call">;
	readonly #folders: EditorFolders;
	readonly #config: { readonly config?: CallerConfig };

	constructor(caller: Pick<Caller, "call">, folders: EditorFolders, config: { readonly config?: CallerConfig }) {
		this.#caller = caller;
		this.#folders = folders;
		this.#config = config;
	}

	directoryOf(path: string): string {
		return this.#folders.of(path);
	}

	request<Result>(
		path: string,
		method: string,
		{ params, texts }: { readonly params: object; readonly texts: UnsavedTexts },
		signal: AbortSignal,
	): Promise<Result> {
		return this.#call("request", this.directoryOf(path), { file: path, method, params, texts }, signal);
	}

	async requestOfAll<Item>(method: string, params: object, signal: AbortSignal): Promise<Item[]> {
		const asked = this.#folders.all.map((cwd) => this.#call<Item[]>("request", cwd, { method, params }, signal));
		const settled = await Promise.allSettled(asked);
		const answers = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
		if (answers.length > 0) return answers.flat();
		throw settled.find((each) => each.status === "rejected")?.reason;
	}

	async prove(
		files: readonly string[],
		how: Proving,
		signal: AbortSignal,
	): Promise<readonly (ProvenFile | undefined)[]> {
		const proven = new Map<string, ProvenFile>();
		const calls = [...this.#byDirectory(files, (path) => path)].map(async ([cwd, some]) => {
			const result = await this.#call<ProveTextsResult>("prove_texts", cwd, { files: some, ...how }, signal);
			for (const [index, path] of some.entries()) {
				const file = result.files[index];
				if (file) proven.set(path, file);
			}
		});
		await Promise.all(calls);
		return files.map((path) => proven.get(path));
	}

	async affectedBy(changes: ReadonlyMap<string, TextChange>, signal: AbortSignal): Promise<string[]> {
		const calls = [...this.#byDirectory([...changes], ([path]) => path)].map(([cwd, some]) => {
			const given = some.map(([file, change]) => ({ file, ...change }));
			return this.#call<AffectedByResult>("affected_by", cwd, { changes: given }, signal);
		});
		const paths = (await Promise.all(calls)).flatMap(({ files }) => files);
		return paths.map(await this.#folders.naming());
	}

	awaitChange({ cwd, ...params }: AwaitChangeParams, signal: AbortSignal): Promise<AwaitChangeResult> {
		return this.#call("await_change", cwd, params, signal);
	}

	#byDirectory<Item>(items: readonly Item[], pathOf: (item: Item) => string): Map<string, Item[]> {
		const groups = new Map<string, Item[]>();
		for (const item of items) {
			const cwd = this.directoryOf(pathOf(item));
			groups.set(cwd, [...(groups.get(cwd) ?? []), item]);
		}
		return groups;
	}

	#call<Result>(method: string, cwd: string, params: object, signal: AbortSignal): Promise<Result> {
		return this.#caller.call<Result>(method, { cwd, ...this.#config, ...params }, signal);
	}
}
