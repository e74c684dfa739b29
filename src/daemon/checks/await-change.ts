import type { AwaitChangeParams, AwaitChangeResult } from "../../contract/protocol.ts";
import { workspaceOf } from "../../project/root.ts";
import { pause } from "../../util/abort.ts";
import { isInside } from "../../util/paths.ts";
import type { CallSource } from "../serve.ts";
import { realDirectory, type Service } from "../service.ts";

const everyMs = 200;
/** Editors and version control write several files in a row. */
const quietMs = 150;
const maxWaitMs = 60_000;
const maxNamed = 200;

/** Ends when no server in the workspace would report a change. */
export async function awaitChange(
	service: Service,
	{ cwd, since, wait }: AwaitChangeParams,
	{ signal }: CallSource,
): Promise<AwaitChangeResult> {
	const workspace = await workspaceOf(await realDirectory(cwd));
	const until = performance.now() + Math.min(Number(wait) || 0, maxWaitMs);
	const from = Number(since) || 0;
	while (performance.now() < until) {
		const isWatched = service.pool.servers().some(({ root }) => isInside(root, workspace) || isInside(workspace, root));
		if (!isWatched) return { changed: true };
		if ((await service.watches.changedSince(workspace, from)).length > 0) {
			await pause(quietMs, signal);
			const files = await service.watches.changedSince(workspace, from);
			return { changed: true, files: files.slice(0, maxNamed) };
		}
		await pause(everyMs, signal);
	}
	return { changed: false };
}
