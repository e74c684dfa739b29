import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { realPathOf } from "../../util/files.ts";
import { maxSourceBytes, readHead } from "../../util/read-file.ts";
import { ownDirectory } from "../../util/xdg.ts";
import type { FileChange } from "../../writer/change.ts";
import { Changes } from "../../writer/changes.ts";
import type { Part, Setting } from "./host.ts";

export interface LedgerFile {
	readonly host: string;
	/** As the host names it, maybe by a link. */
	readonly path: string;
	readonly parts: readonly Part[];
	/** Null for the person's own files. */
	readonly project: string | null;
	/** Null for no file. The ledger is private to this user. */
	readonly before: string | null;
	readonly after: string;
	readonly made: readonly string[];
}

type Env = Setting["env"];

export class Ledger {
	readonly #state: string;

	constructor(env: Env) {
		this.#state = ownDirectory("XDG_STATE_HOME", env);
	}

	async read(): Promise<readonly LedgerFile[]> {
		const bytes = await bytesOf(join(await this.#directory(), "ledger.json"));
		return bytes ? ((JSON.parse(bytes.toString("utf8")) as { readonly files: readonly LedgerFile[] }).files ?? []) : [];
	}

	async write(host: string, { files, made, paths, ledger }: HostChange): Promise<void> {
		const directory = await this.#directory();
		const path = join(directory, "ledger.json");
		const before = await bytesOf(path);
		const others = (await this.read()).filter((file) => file.host !== host || !paths.includes(file.path));
		const rows = [...others, ...ledger];
		const text = `${JSON.stringify({ files: rows }, null, "\t")}\n`;
		const after = rows.length > 0 ? Buffer.from(text) : undefined;
		const own = before || after ? [{ path, before, after, mode: 0o600 }] : [];
		await new Changes(directory).write(
			{
				title: `set up ${host}`,
				root: dirname(directory),
				moves: [],
				files: [...files, ...own],
				emptied: emptiedBy(files, made),
			},
			host,
		);
		if (!after) await rm(directory, { recursive: true, force: true });
	}

	async #directory(): Promise<string> {
		return join((await realPathOf(this.#state)) ?? this.#state, "agents");
	}
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
	if (!existsSync(path)) return undefined;
	const found = await readHead(path, maxSourceBytes);
	if (typeof found === "string") throw new Error(`${path}: ${found}`);
	return found;
}

export interface HostChange {
	readonly files: readonly FileChange[];
	readonly made: readonly string[];
	readonly paths: readonly string[];
	readonly ledger: readonly LedgerFile[];
}

function emptiedBy(files: readonly FileChange[], made: readonly string[]): string[] {
	const gone = new Set(files.filter(({ after }) => !after).map(({ path }) => path));
	const folders = [...new Set(made)].filter((folder) => existsSync(folder));
	return folders
		.sort((a, b) => b.length - a.length)
		.filter((folder) => {
			const isEmpty = readdirSync(folder).every((name) => gone.has(`${folder}/${name}`));
			if (isEmpty) gone.add(folder);
			return isEmpty;
		});
}
