import type { ServerConfig } from "../../server.ts";

/** They precede every configuration. */
export class RemoteServers {
	readonly #addresses = new Map<string, Map<string, string>>();
	changes = 0;

	/** Undefined disconnects. False if nothing changes. */
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

	applyTo(workspace: string, servers: readonly ServerConfig[]): readonly ServerConfig[] {
		const known = this.#addresses.get(workspace);
		if (!known) return servers;
		return servers.map((config) => {
			const connect = known.get(config.id);
			return connect === undefined ? config : { ...config, connect };
		});
	}
}
