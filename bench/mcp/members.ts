import { join } from "node:path";
import type { World } from "../../test/faults/world.ts";
import { ownFile } from "../soak/crowd.ts";
import type { Member } from "./crowd.ts";
import { HttpClient } from "./http-client.ts";
import { token } from "./programs.ts";

export const clients = 200;
export const workspaces = 50;

/** Half of them have sessions. */
export function membersIn(world: World, url: URL): Member[] {
	return Array.from({ length: clients }, (_, index) => {
		const folder = `ws-${index % workspaces}`;
		const own = ownFile(`own-${index}.go`, index);
		const path = world.write(`${folder}/${own.file}`, own.text);
		// Half of the clients of each workspace.
		const hasSession = Math.floor(index / workspaces) % 2 === 0;
		const root = join(world.root, folder);
		const client = new HttpClient(url, token, hasSession ? root : undefined);
		return { client, own, path, status: hasSession ? `clangd: disabled, ${root}\n` : "daemon: pid" };
	});
}
