import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LspError } from "../contract/errors.ts";
import { type HeldLock, tryLock, waitForLock } from "../daemon/lifecycle/lock.ts";
import { deadline } from "../util/abort.ts";
import { attempt } from "../util/attempt.ts";
import { isInside } from "../util/paths.ts";
import { ensurePrivateDirectory } from "../util/private-directory.ts";
import type { Change } from "./change.ts";
import { type Commit, commit, tidy } from "./commit.ts";
import { realDisk, type WritingDisk } from "./disk.ts";
import { changeOf, type Record, readRecord } from "./record.ts";
import { removeRecord, rollBack } from "./roll-back.ts";
import { writeError } from "./write-error.ts";

const maxRecords = 100;
/** Another change may wait 10 s for `ready`. */
const waitMs = 20_000;

export class Changes {
	readonly #directory: string;
	readonly #disk: WritingDisk;

	constructor(directory: string, disk: WritingDisk = realDisk) {
		this.#directory = directory;
		this.#disk = disk;
	}

	/** Awaits `ready`, calls `placed` and rejects like `commit`. */
	write(change: Change, plan: string, { ready, placed }: Pick<Commit, "ready" | "placed"> = {}): Promise<Record> {
		return this.#alone(async () => {
			const { name, directory } = this.#begin();
			return commit(change, { name, directory, plan, ready, placed }, this.#disk);
		});
	}

	/** What a killed process left half done, not what another is writing. */
	async recover(): Promise<void> {
		if (this.#names().length === 0) return;
		const lock = await tryLock(this.#lockPath);
		if (!lock) return;
		try {
			await this.#recover();
		} finally {
			await lock.release();
		}
	}

	/** Complete ones, last first. */
	async list(workspace: string): Promise<readonly Record[]> {
		const found: Record[] = [];
		for (const name of this.#names().reverse()) {
			const directory = join(this.#directory, name);
			const record = await readRecord(directory, this.#disk).catch(() => undefined);
			const isOurs = record && (isInside(record.root, workspace) || isInside(workspace, record.root));
			if (isOurs && (await this.#isComplete(directory))) found.push(record);
		}
		return found;
	}

	change(record: Record): Promise<Change> {
		return changeOf(record, this.#disk);
	}

	get #lockPath(): string {
		return join(this.#directory, "lock");
	}

	/** An incomplete record is a dead process's. Rejects with LSP_WRITE_FAILED without room. */
	async #alone<T>(work: () => Promise<T>): Promise<T> {
		try {
			const lock = await this.#lock();
			try {
				await this.#recover();
				return await work();
			} finally {
				await lock.release();
			}
		} catch (thrown) {
			throw writeError(thrown);
		}
	}

	#lock(): Promise<HeldLock> {
		ensurePrivateDirectory(this.#directory, (path, reason) => new Error(`${path}: ${reason}`));
		const busy = () => new LspError("LSP_WRITE_FAILED", `Another change has been written for ${waitMs / 1000} s.`);
		const limit = deadline(waitMs, busy);
		return waitForLock(this.#lockPath, limit.signal).finally(() => limit.end());
	}

	async #recover(): Promise<void> {
		const incomplete: string[] = [];
		for (const name of this.#names().reverse()) {
			if (await this.#disk.stats(join(this.#directory, name, "done"))) break;
			incomplete.unshift(name);
		}
		for (const name of incomplete) {
			const directory = join(this.#directory, name);
			const record = await readRecord(directory, this.#disk);
			if (!record) await removeRecord(directory);
			else if (await this.#isComplete(directory)) await tidy(record, this.#disk);
			else await rollBack(record, this.#disk);
		}
	}

	async #isComplete(directory: string): Promise<boolean> {
		const marks = ["committed", "done"].map((name) => this.#disk.stats(join(directory, name)));
		return (await Promise.all(marks)).some((info) => info !== undefined);
	}

	#begin(): { readonly name: string; readonly directory: string } {
		const names = this.#names();
		const number = Math.max(0, ...names.map(numberOf)) + 1;
		const name = `u${number}`;
		const directory = join(this.#directory, name);
		mkdirSync(directory, { mode: 0o700 });
		for (const old of names.slice(0, Math.max(0, names.length - maxRecords + 1)))
			void removeRecord(join(this.#directory, old)).catch(() => {});
		return { name, directory };
	}

	#names(): string[] {
		return attempt(
			() =>
				readdirSync(this.#directory)
					.filter((name) => /^u\d+$/.test(name))
					.sort((a, b) => numberOf(a) - numberOf(b)),
			[],
		);
	}
}

function numberOf(name: string): number {
	return Number(name.slice(1));
}
