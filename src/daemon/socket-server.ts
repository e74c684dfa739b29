import { chmodSync, renameSync, rmSync, statSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { isSameDirectory } from "../util/private-directory.ts";
import { type Address, refused } from "./lifecycle/address.ts";

/** The listening socket of a daemon: private, at a name that leads to it and to no other. */
export class SocketServer {
	readonly #address: Address;
	readonly #server: net.Server;
	#inode: bigint | undefined;

	constructor(address: Address, accept: (socket: net.Socket) => void) {
		this.#address = address;
		this.#server = net.createServer(accept);
	}

	/**
	 * Binds under a private name and renames it into place: Node's close() then unlinks the private name, which is gone,
	 * and not the socket of a successor (docs/facts.md, 3).
	 */
	async listen(): Promise<void> {
		const draft = join(this.#address.directory, `.${process.pid}.sock`);
		rmSync(draft, { force: true });
		await new Promise<void>((resolve, reject) => {
			this.#server.once("error", reject);
			this.#server.listen(draft, resolve);
		});
		const { directory, identity } = this.#address;
		// Whoever may rename the directory above ours may put a link in its place between our look and the bind.
		if (!isSameDirectory(directory, identity)) {
			this.#server.close();
			throw refused(directory, "it was replaced while a daemon started");
		}
		chmodSync(draft, 0o600);
		this.#inode = statSync(draft, { bigint: true }).ino;
		renameSync(draft, this.#address.socket);
	}

	/** True while the well-known name still leads to this daemon. */
	ownsSocket(): boolean {
		try {
			return statSync(this.#address.socket, { bigint: true }).ino === this.#inode;
		} catch {
			return false;
		}
	}

	/** Takes no new callers; those that are connected stay. */
	close(): void {
		if (this.ownsSocket()) rmSync(this.#address.socket, { force: true });
		this.#server.close();
	}
}
