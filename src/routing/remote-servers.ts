import type { ServerConfig } from "../../server.ts";

/**
 * Where somebody else runs a server, as callers have said since the daemon began: by workspace and the server's id. It
 * counts for everybody in the workspace, over all configurations.
 */
export class Connections {
	readonly #addresses = new Map<string, Map<string, string>>();
	/** While it stands still, so does what `over` gives. */
	changes = 0;

	/** From now on a server of a workspace is the one at an address, or our own again without one; false if it was already. */
	set(workspace: string, id: string, address: string | undefined): boolean {
		const known = this.#addresses.get(workspace) ?? new Map<string, string>();
		if (known.get(id) === address) return false;
		this.changes++;
		if (address === undefined) known.delete(id);
		else known.set(id, address);
		if (known.size === 0) this.#addresses.delete(workspace);
		else this.#addresses.set(workspace, known);
		return true;
	}

	/** The servers of a workspace, those that are connected to among them. */
	over(workspace: string, servers: readonly ServerConfig[]): readonly ServerConfig[] {
		const known = this.#addresses.get(workspace);
		if (!known) return servers;
		return servers.map((config) => {
			const connect = known.get(config.id);
			return connect === undefined ? config : { ...config, connect };
		});
	}
}
