import { randomUUID } from "node:crypto";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import type { Planned } from "../../contract/planned.ts";
import { diffOf } from "../../planning/diff.ts";
import type { EditSummary } from "../../planning/workspace-edit.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { displayPath } from "../../routing/locate.ts";
import type { Change } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { changeFor, type PlanOptions, summaryFor } from "./plan-change.ts";

export interface PlannedEdit extends Planned {
	readonly places: Readonly<Record<string, number>>;
	readonly unconfirmed: readonly string[];
	readonly excluded: readonly string[];
}

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

export async function keepEdit(
	call: OperationCall,
	{ change, summary }: { readonly change: Change; readonly summary: EditSummary },
	options: KeepOptions,
): Promise<PlannedEdit> {
	return { ...(await keepPlan(call, change, options)), ...summaryFor(summary, options.cwd) };
}

/** Rejects like `changeFor`. */
export async function planEdits(
	call: OperationCall,
	asked: FileQuery,
	edits: readonly WorkspaceEdit[],
	options: PlanOptions,
): Promise<PlannedEdit> {
	return keepEdit(call, await changeFor(asked, edits, options), { cwd: asked.cwd, dryRun: options.dryRun });
}
