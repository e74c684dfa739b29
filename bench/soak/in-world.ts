import { World } from "../../test/faults/world.ts";
import { withWorkspace } from "../../test/support/workspace.ts";

/** Runs `work` in a world with fake servers only; no process of it may be left at the end. */
export function inWorld<T>(work: (world: World) => Promise<T>): Promise<T> {
	return withWorkspace({}, async (ws) => {
		const world = new World(ws);
		try {
			return await work(world);
		} finally {
			world.cleanUp();
		}
	});
}
