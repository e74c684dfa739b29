import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Static, TSchema } from "@sinclair/typebox";
import { Check } from "@sinclair/typebox/value";
import { ensurePrivateDirectory } from "../../util/private-directory.ts";
import { realDisk } from "../../writer/disk.ts";

/** Files that outlive the daemon, private and written whole or not at all. */
export class Mirrors<Schema extends TSchema> {
	readonly #directory: string;
	readonly #schema: Schema;

	constructor(directory: string, schema: Schema) {
		this.#directory = directory;
		this.#schema = schema;
	}

	async ids(): Promise<string[]> {
		const names = await readdir(this.#directory).catch(() => []);
		return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
	}

	async read(id: string): Promise<Static<Schema> | undefined> {
		try {
			const value: unknown = JSON.parse((await realDisk.read(this.#pathOf(id)))?.toString("utf8") ?? "");
			return Check(this.#schema, value) ? value : undefined;
		} catch {
			return undefined;
		}
	}

	async write(id: string, value: Static<Schema>): Promise<void> {
		ensurePrivateDirectory(this.#directory, (path, reason) => new Error(`${path}: ${reason}`));
		const path = this.#pathOf(id);
		const draft = `${path}.${randomBytes(4).toString("hex")}`;
		await realDisk.create(draft, Buffer.from(JSON.stringify(value)), { mode: 0o600 });
		await realDisk.rename(draft, path);
	}

	async remove(id: string): Promise<void> {
		await realDisk.remove(this.#pathOf(id)).catch(() => {});
	}

	/** Also drafts of ended writers. `time` is in ms since 1970. */
	async removeOlderThan(time: number, isKept: (id: string) => boolean): Promise<void> {
		for (const file of await readdir(this.#directory).catch(() => [])) {
			if (file.endsWith(".json") && isKept(file.slice(0, -".json".length))) continue;
			const path = join(this.#directory, file);
			const info = await realDisk.stats(path);
			if (info && Number(info.mtimeMs) < time) await realDisk.remove(path).catch(() => {});
		}
	}

	#pathOf(id: string): string {
		return join(this.#directory, `${id}.json`);
	}
}
