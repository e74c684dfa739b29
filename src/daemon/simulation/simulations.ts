import { randomBytes } from "node:crypto";
import { cancelled, LspError } from "../../contract/errors.ts";
import { waitOrAbort } from "../../util/abort.ts";
import { Locks } from "../../util/locks.ts";
import { LruMap } from "../../util/lru-map.ts";
import { Mirrors } from "../mirrors/mirrors.ts";
import { MirrorSchema, Simulation } from "./simulation.ts";

const maxSessions = 100;
/** In characters, of all sessions. */
const maxSize = 64 * 1024 * 1024;
const idleMs = 24 * 60 * 60 * 1000;
const sweepMs = 60 * 60 * 1000;
const maxRemembered = 1000;

export class Simulations {
	readonly #mirrors: Mirrors<typeof MirrorSchema>;
	readonly #now: () => number;
	readonly #known = new Map<string, Simulation>();
	readonly #ended = new LruMap<string>(maxRemembered);
	readonly #locks = new Locks();
	#loaded: Promise<void> | undefined;
	#sweeping: NodeJS.Timeout | undefined;

	constructor(directory: string, now: () => number = Date.now) {
		this.#mirrors = new Mirrors(directory, MirrorSchema);
		this.#now = now;
	}

	async begin(workspace: string): Promise<{ readonly session: Simulation; readonly ended?: string }> {
		await this.#ready();
		const id = `s${randomBytes(8).toString("hex")}`;
		const session = new Simulation({ id, workspace, state: "created", edits: 0, usedAt: this.#now(), files: [] });
		this.#known.set(id, session);
		const [oldest] = this.#known.keys();
		const isFull = oldest !== undefined && this.#known.size > maxSessions;
		if (isFull) await this.#remove(oldest, "another one began, and it was the one that was idle for the longest");
		await this.#save(session);
		return { session, ...(isFull ? { ended: oldest } : {}) };
	}

	/** `work` has it alone. Rejects with LSP_SESSION_NOT_FOUND or LSP_CANCELLED. */
	async use<T>(
		id: string,
		workspace: string,
		work: (session: Simulation) => Promise<T>,
		signal?: AbortSignal,
	): Promise<T> {
		await this.#ready();
		const turn = this.#locks.run(id, async () => {
			if (signal?.aborted) throw cancelled();
			const session = this.#find(id, workspace);
			session.used(this.#now());
			this.#known.delete(id);
			this.#known.set(id, session);
			const before = session.mirror;
			try {
				const result = await work(session);
				if (session.mirror !== before && this.#known.has(id)) await this.#save(session);
				return result;
			} catch (error) {
				session.restore(before);
				throw error;
			}
		});
		return signal ? waitOrAbort(turn, signal) : turn;
	}

	async end(id: string, workspace: string): Promise<void> {
		await this.#ready();
		return this.#locks.run(id, async () => {
			this.#find(id, workspace);
			await this.#remove(id, "it was ended");
		});
	}

	/** Throws LSP_EDIT_REFUSED if all texts would be too large. */
	requireRoom(session: Simulation, size: number): void {
		let all = size;
		for (const other of this.#known.values()) if (other !== session) all += other.size;
		if (all <= maxSize) return;
		const message = `The texts of all sessions would have ${all} characters, and ${maxSize} is the most.`;
		const suggestion = "End sessions that are done with {{simulate_end}}.";
		throw new LspError("LSP_EDIT_REFUSED", message, { session: session.id, suggestion });
	}

	/** Ends sessions unused for a day. */
	sweep(): void {
		void this.#ready().catch(() => {});
	}

	close(): void {
		clearInterval(this.#sweeping);
	}

	async #ready(): Promise<void> {
		this.#loaded ??= this.#load();
		await this.#loaded;
		await this.#removeIdle();
	}

	async #load(): Promise<void> {
		this.#sweeping = setInterval(() => void this.#removeIdle().catch(() => {}), sweepMs);
		this.#sweeping.unref();
		const found: Simulation[] = [];
		for (const id of await this.#mirrors.ids()) {
			const mirror = await this.#mirrors.read(id);
			if (mirror?.id === id) found.push(new Simulation(mirror));
		}
		found.sort((a, b) => a.mirror.usedAt - b.mirror.usedAt);
		for (const session of found) this.#known.set(session.id, session);
		await this.#mirrors.removeOlderThan(this.#now() - idleMs, (id) => this.#known.has(id));
	}

	async #removeIdle(): Promise<void> {
		const until = this.#now() - idleMs;
		for (const [id, { mirror }] of [...this.#known])
			if (mirror.usedAt < until) await this.#remove(id, "it was unused for 24 hours");
	}

	#find(id: string, workspace: string): Simulation {
		const session = this.#known.get(id);
		const suggestion = "{{simulate_begin}} begins one.";
		const reason = this.#ended.get(id);
		if (reason !== undefined)
			throw new LspError("LSP_SESSION_NOT_FOUND", `Session ${id} has ended: ${reason}.`, { session: id, suggestion });
		if (!session)
			throw new LspError("LSP_SESSION_NOT_FOUND", `There is no session ${id}.`, { session: id, suggestion });
		if (session.workspace === workspace) return session;
		const message = `Session ${id} belongs to another workspace: ${session.workspace}.`;
		throw new LspError("LSP_SESSION_NOT_FOUND", message, { session: id, suggestion });
	}

	async #remove(id: string, why: string): Promise<void> {
		this.#known.delete(id);
		this.#ended.set(id, why);
		await this.#mirrors.remove(id);
	}

	async #save({ id, mirror }: Simulation): Promise<void> {
		try {
			await this.#mirrors.write(id, mirror);
		} catch (error) {
			const message = `Session ${id} cannot be kept: ${(error as Error).message}.`;
			throw new LspError("LSP_WRITE_FAILED", message, { session: id }, { cause: error });
		}
	}
}
