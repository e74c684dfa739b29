import type { ServerHealth } from "../../contract/protocol.ts";

interface Seen {
	readonly folder: string;
	readonly crashes: number;
	readonly isDown: boolean;
	readonly wasReady: boolean;
}

interface ServerMessage {
	readonly type: "server_crashed" | "server_recovered" | "workspace_ready";
	readonly server: string;
	readonly root: string;
	readonly message: string;
}

export class ServerNews {
	readonly #seen = new Map<string, Seen>();
	readonly #folders = new Set<string>();

	/** `now`: all servers of the folder. */
	compare(folder: string, now: readonly ServerHealth[]): ServerMessage[] {
		const messages: ServerMessage[] = [];
		const isKnown = this.#folders.has(folder);
		this.#folders.add(folder);
		const left = new Set([...this.#seen.keys()].filter((key) => this.#seen.get(key)?.folder === folder));
		for (const [index, { id, root, state, crashes }] of now.entries()) {
			const alike = now.slice(0, index).filter((other) => other.id === id && other.root === root).length;
			const key = JSON.stringify([folder, id, root, alike]);
			left.delete(key);
			const before = this.#seen.get(key);
			const tell = (type: ServerMessage["type"], message: string) =>
				messages.push({ type, server: id, root, message: `${id} ${message}` });
			const hasCrashed = isKnown && crashes > (before?.crashes ?? 0);
			if (hasCrashed) tell("server_crashed", "has ended by itself.");
			const isUp = state === "ready" || state === "loading";
			if (isUp && (hasCrashed || before?.isDown)) tell("server_recovered", "runs again.");
			const wasReady = isUp && !hasCrashed && before?.wasReady === true;
			if (state === "ready" && !wasReady) tell("workspace_ready", "has read the project.");
			const isDown = !isUp && (hasCrashed || before?.isDown === true);
			this.#seen.set(key, { folder, crashes, isDown, wasReady: wasReady || state === "ready" });
		}
		for (const key of left) this.#seen.delete(key);
		return messages;
	}
}
