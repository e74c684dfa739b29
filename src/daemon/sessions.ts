import { EditSession } from "../diagnostics/edit-session.ts";
import { LateReports } from "./late.ts";

/** One agent's conversation: what it has edited, and what it is owed. */
export interface Session {
	readonly edits: EditSession;
	readonly late: LateReports;
	/** The last commands that were told of, by call. */
	readonly commands: Map<string, Command>;
}

export interface Command {
	/** When it began, in milliseconds since the epoch. */
	readonly since: number;
	/** It is over: what was held up for it goes on. */
	readonly end: () => void;
}

const maxSessions = 100;
const maxCommands = 20;

/** The sessions that were heard of last. */
export class Sessions {
	readonly #sessions = new Map<string, Session>();

	get(id: string): Session {
		const known = this.#sessions.get(id) ?? begin();
		this.#sessions.delete(id);
		this.#sessions.set(id, known);
		const [oldest] = this.#sessions;
		if (oldest && this.#sessions.size > maxSessions) {
			oldest[1].edits.close();
			this.#sessions.delete(oldest[0]);
		}
		return known;
	}

	/** A file has changed on disk. */
	changedOnDisk(path: string): void {
		for (const { edits } of this.#sessions.values()) edits.changedOnDisk(path);
	}

	/** The daemon ends: nothing is worked out for anybody any more. */
	close(): void {
		for (const { edits } of this.#sessions.values()) edits.close();
	}
}

function begin(): Session {
	const edits = new EditSession();
	return { edits, late: new LateReports(edits), commands: new Map() };
}

/** Notes when a command began. */
export function beginCommand({ commands }: Session, call: string, command: Command): void {
	commands.set(call, command);
	const [oldest] = commands;
	if (oldest && commands.size > maxCommands) commands.delete(oldest[0]);
}
