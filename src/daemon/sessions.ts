import { EditSession } from "../diagnostics/edit-session.ts";
import { LruMap } from "../util/lru-map.ts";
import { isInside } from "../util/paths.ts";
import type { AgentSession } from "./agents/agent-events.ts";
import type { Base } from "./comparing/compare-base.ts";
import { LateReports } from "./late-reports.ts";
import { SessionMirrors } from "./mirrors/session-mirrors.ts";

export interface Session {
	readonly edits: EditSession;
	readonly late: LateReports;
	readonly commands: Map<string, Command>;
	readonly bases: LruMap<Base>;
	readonly untrusted: LruMap<() => Promise<unknown>>;
	agent?: AgentSession;
}

export interface Command {
	/** Milliseconds since 1970. */
	readonly since: number;
	readonly end: () => void;
}

const maxSessions = 100;
const maxCommands = 20;
const maxBases = 500;
const maxUntrusted = 100;

export class Sessions {
	readonly #sessions = new Map<string, Session>();
	readonly #mirrors: SessionMirrors;

	constructor(directory: string) {
		this.#mirrors = new SessionMirrors(directory);
	}

	get(id: string): Session {
		const known = this.#sessions.get(id) ?? this.#begin(id);
		this.#sessions.delete(id);
		this.#sessions.set(id, known);
		const [oldest] = this.#sessions;
		if (oldest && this.#sessions.size > maxSessions) {
			oldest[1].edits.close();
			this.#sessions.delete(oldest[0]);
		}
		return known;
	}

	end(id: string): void {
		const session = this.#sessions.get(id);
		this.#sessions.delete(id);
		session?.agent?.clear();
		session?.edits.close();
		this.#mirrors.end(id, session?.edits);
	}

	/** Repeats, with late reports, what lacked trust. */
	trusted(directory: string): void {
		for (const { late, untrusted } of this.#sessions.values())
			for (const [path, check] of [...untrusted])
				if (isInside(path, directory)) {
					untrusted.delete(path);
					late.follow(check().then(() => {}));
				}
	}

	changedOnDisk(path: string): void {
		for (const { edits } of this.#sessions.values()) edits.changedOnDisk(path);
	}

	close(): void {
		for (const { edits } of this.#sessions.values()) edits.close();
	}

	#begin(id: string): Session {
		const edits = new EditSession();
		this.#mirrors.follow(id, edits);
		return {
			edits,
			late: new LateReports(edits),
			commands: new Map(),
			bases: new LruMap(maxBases),
			untrusted: new LruMap(maxUntrusted),
		};
	}
}

export function beginCommand({ commands }: Session, call: string, command: Command): void {
	commands.set(call, command);
	const [oldest] = commands;
	if (oldest && commands.size > maxCommands) commands.delete(oldest[0]);
}
