import { randomUUID } from "node:crypto";
import type { Planned } from "../../contract/planned.ts";
import { diffOf } from "../../planning/diff.ts";
import { displayPath } from "../../routing/locate.ts";
import type { Change } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";

interface KeepOptions {
	readonly cwd: string;
	readonly dryRun?: boolean | undefined;
	readonly onWritten?: () => Promise<void>;
}

export async function keepPlan(
	{ service, params }: OperationCall,
	change: Change,
	{ cwd, dryRun = false, onWritten }: KeepOptions,
): Promise<Planned> {
	const paths = [...change.moves.flatMap(({ from, to }) => [from, to]), ...change.files.map(({ path }) => path)];
	const files = [...new Set(paths)].sort().map((path) => displayPath(path, cwd));
	const planned = { diff: await diffOf(change, cwd), files };
	if (dryRun || files.length === 0) return { planned };
	const plan = randomUUID();
	service.plans.set(plan, { change, params, diff: planned.diff, ...(onWritten ? { onWritten } : {}) });
	return { planned: { ...planned, plan } };
}
