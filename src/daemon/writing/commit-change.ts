import type { CheckReport } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import type { CommitResult } from "../../contract/planned.ts";
import type { CommitParams } from "../../contract/protocol.ts";
import { diffOf } from "../../planning/diff.ts";
import { workspaceOf } from "../../project/root.ts";
import { displayPath } from "../../routing/locate.ts";
import type { Change } from "../../writer/change.ts";
import type { CallSource } from "../serve.ts";
import { realDirectory, type Service } from "../service.ts";
import { ChangeCheck } from "./change-check.ts";
import { notifyServers } from "./notify-servers.ts";

export async function commitChange(service: Service, params: CommitParams, source: CallSource): Promise<CommitResult> {
	const cwd = await realDirectory(params.cwd);
	const planned = service.plans.get(params.plan);
	if (!planned) return alreadyWritten(service, params.plan, cwd);
	const { change } = planned;
	const check = new ChangeCheck(service, change, { ...planned.params, cwd }, source);
	// 1. Prove what is wrong before; do not wait for starting servers.
	const ready = check.before();
	try {
		if (!(await check.areServersRunning())) await ready;
		// 2. Write: the caller can no longer cancel.
		const proving: { report?: Promise<CheckReport> } = {};
		const placed = () => {
			// 3. Tell the servers, which prove the texts while the disk puts them on the medium.
			proving.report = notifyServers(service, change).then(() => check.after());
			proving.report.catch(() => {});
		};
		const record = await service.changes.write(change, params.plan, { ready, placed }).catch(async (error: unknown) => {
			await proving.report?.catch(() => {});
			if (proving.report) await notifyServers(service, change);
			throw error;
		});
		service.plans.delete(params.plan);
		await planned.onWritten?.().catch(() => {});
		const described = { ...describe(change, record.name, cwd), diff: planned.diff };
		return { ...described, check: await proving.report, totals: check.totals };
	} finally {
		await ready;
		check.close();
	}
}

/** A face asks again if the daemon ended while writing. */
async function alreadyWritten(service: Service, plan: string, cwd: string): Promise<CommitResult> {
	const record = (await service.changes.list(await workspaceOf(cwd))).find((each) => each.plan === plan);
	if (!record) throw new LspError("LSP_FILE_CHANGED", "The daemon was ended before the change was written.");
	const notes = ["The daemon was ended right after it had written this; what was written is not checked."];
	const change = await service.changes.change(record);
	return { ...describe(change, record.name, cwd), diff: await diffOf(change, cwd), notes };
}

function describe(change: Change, undo: string, cwd: string): Pick<CommitResult, "written" | "undo"> {
	const paths = [...change.moves.map(({ to }) => to), ...change.files.map(({ path }) => path)];
	const written = [...new Set(paths)].sort().map((path) => displayPath(path, cwd));
	return { written, undo };
}
