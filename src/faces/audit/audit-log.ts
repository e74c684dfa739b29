import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { AuditRecord } from "../../contract/audit-record.ts";

const maxWaiting = 256;
const maxBytes = 5 * 1024 * 1024;

/** A JSON object per line; rotates at 5 MB into PATH.1. Never throws. */
export class AuditLog {
	readonly path: string;
	readonly #waiting: string[] = [];
	#writing: Promise<void> | undefined;
	#handle: FileHandle | undefined;
	#dropped = 0;
	problem: string | undefined;

	constructor(path: string) {
		this.path = path;
	}

	add(record: AuditRecord): void {
		if (this.#waiting.length >= maxWaiting) this.#dropped++;
		else this.#waiting.push(lineOf(record));
		this.#writing ??= this.#drain();
	}

	async close(): Promise<void> {
		await this.#writing;
		await this.#handle?.close().catch(() => {});
		this.#handle = undefined;
	}

	async #drain(): Promise<void> {
		while (this.#waiting.length > 0) {
			const lines = this.#waiting.splice(0);
			if (this.#dropped > 0) lines.push(lineOf(droppedRecord(this.#dropped)));
			this.#dropped = 0;
			try {
				this.#handle ??= await this.#open();
				await this.#handle.write(lines.join(""));
				if ((await this.#handle.stat()).size > maxBytes) await this.#rotate();
			} catch (thrown) {
				this.problem = `the audit log ${this.path} cannot be written: ${(thrown as Error).message}`;
				await this.#handle?.close().catch(() => {});
				this.#handle = undefined;
			}
		}
		this.#writing = undefined;
	}

	async #open(): Promise<FileHandle> {
		await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
		const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
		// A FIFO would wait for a reader without O_NONBLOCK. Windows lacks both flags.
		const flags = O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
		const handle = await open(this.path, flags, 0o600);
		if ((await handle.stat()).isFile()) return handle;
		await handle.close();
		throw new Error("it is not a plain file");
	}

	async #rotate(): Promise<void> {
		if ((await stat(this.path)).size > maxBytes) await rename(this.path, `${this.path}.1`);
		await this.#handle?.close();
		this.#handle = undefined;
	}
}

function lineOf(record: AuditRecord): string {
	return `${JSON.stringify(record)}\n`;
}

function droppedRecord(count: number): AuditRecord {
	return {
		timestamp: new Date().toISOString(),
		tool: "audit",
		session_id: null,
		files: [],
		edit_summary: null,
		diagnostics_before: null,
		diagnostics_after: null,
		net_delta: null,
		success: false,
		error_message: `${count} calls are not recorded: more than ${maxWaiting} were waiting for the disk.`,
		duration_ms: 0,
	};
}
