import type { ServerConfig } from "../../server.ts";

/**
 * The servers that others run and that callers have connected to, by workspace and server id. They apply to all callers of
 * the workspace and take precedence over every configuration.
 */
export class RemoteServers {
	readonly #addresses = new Map<string, Map<string, string>>();
	/** Increases with each change of what `applyTo` returns. */
	changes = 0;

	/** Connects a server of a workspace to an address, or disconnects it without one. False if nothing changes. */
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

	/** The servers of a workspace, with the addresses of those that are connected to. */
	applyTo(workspace: string, servers: readonly ServerConfig[]): readonly ServerConfig[] {
		const known = this.#addresses.get(workspace);
		if (!known) return servers;
		return servers.map((config) => {
			const connect = known.get(config.id);
			return connect === undefined ? config : { ...config, connect };
		});
	}
}
