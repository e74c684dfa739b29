import { World } from "../../test/faults/world.ts";
import { withWorkspace } from "../../test/support/workspace.ts";

/** Lends a world with nothing but fake servers; at the end no process of it may be left. */
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
