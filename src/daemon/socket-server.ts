import { chmodSync, renameSync, rmSync, statSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { attempt } from "../util/attempt.ts";
import { isSameDirectory } from "../util/private-directory.ts";
import { type Address, refused } from "./lifecycle/address.ts";

export class SocketServer {
	readonly #address: Address;
	readonly #server: net.Server;
	#inode: bigint | undefined;

	constructor(address: Address, accept: (socket: net.Socket) => void) {
		this.#address = address;
		this.#server = net.createServer(accept);
	}

	/** Renames a socket bound to a temporary name (docs/facts.md, 3). Rejects with LSP_DAEMON_REFUSED. */
	async listen(): Promise<void> {
		const draft = join(this.#address.directory, `.${process.pid}.sock`);
		rmSync(draft, { force: true });
		await new Promise<void>((resolve, reject) => {
			this.#server.once("error", reject);
			this.#server.listen(draft, resolve);
		});
		const { directory, identity } = this.#address;
		// Users who may write to the parent may have replaced the directory by a link.
		if (!isSameDirectory(directory, identity)) {
			this.#server.close();
			throw refused(directory, "it was replaced while a daemon started");
		}
		chmodSync(draft, 0o600);
		this.#inode = statSync(draft, { bigint: true }).ino;
		renameSync(draft, this.#address.socket);
	}

	ownsSocket(): boolean {
		return attempt(() => statSync(this.#address.socket, { bigint: true }).ino === this.#inode, false);
	}

	close(): void {
		if (this.ownsSocket()) rmSync(this.#address.socket, { force: true });
		this.#server.close();
	}
}
