import type { AwaitChangeParams, AwaitChangeResult, ServerHealth } from "../../contract/protocol.ts";
import { workspaceOf } from "../../project/root.ts";
import { pause } from "../../util/abort.ts";
import { isInside } from "../../util/paths.ts";
import type { CallSource } from "../serve.ts";
import { realDirectory, type Service } from "../service.ts";

const everyMs = 200;
/** Without servers a look may read the whole tree. */
const idleMs = 1000;
const quietMs = 150;
const maxWaitMs = 60_000;

/** Trees stay watched meanwhile, even of idle servers. */
export async function awaitChange(
	service: Service,
	{ cwd, since, wait, servers: known }: AwaitChangeParams,
	{ signal }: CallSource,
): Promise<AwaitChangeResult> {
	const workspace = await workspaceOf(await realDirectory(cwd));
	const until = performance.now() + Math.min(Number(wait) || 0, maxWaitMs);
	const from = Number(since) || 0;
	const follows = known !== undefined;
	const isAround = (root: string) => isInside(root, workspace) || isInside(workspace, root);
	const healthNow = (): ServerHealth[] =>
		service.pool.entries().flatMap(({ route, health }) => (isAround(route.root) ? health : []));
	while (performance.now() < until) {
		const mayNotify = service.pool.servers().some(({ root }) => isAround(root));
		const isWatched = service.watches.keep(workspace);
		if (!isWatched && !mayNotify && !follows) return { changed: true };
		if (follows && JSON.stringify(healthNow()) !== JSON.stringify(known)) {
			if (known !== null) await pause(quietMs, signal);
			return { changed: false, servers: healthNow() };
		}
		if ((await service.watches.changedSince(workspace, from)).length > 0) {
			await pause(quietMs, signal);
			const now = Date.now();
			return { changed: true, files: await service.watches.changedSince(workspace, from), until: now };
		}
		await pause(mayNotify ? everyMs : idleMs, signal);
	}
	return { changed: false };
}
