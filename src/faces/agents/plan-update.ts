import { isInside } from "../../util/paths.ts";
import { byFile } from "./configured-file.ts";
import type { AgentHost, Setting } from "./host.ts";
import type { LedgerFile } from "./ledger.ts";
import { type HostPlan, planSetUp, planTakeOut } from "./plan.ts";

export interface SetUp {
	readonly host: AgentHost;
	readonly project: string | undefined;
}

export function setUpsIn(known: readonly LedgerFile[], hosts: readonly AgentHost[]): readonly SetUp[] {
	return hosts.flatMap((host) => {
		const projects = new Set(known.filter((file) => file.host === host.name).map(({ project }) => project));
		return [...projects].map((project) => ({ host, project: project ?? undefined }));
	});
}

/**
 * Takes out files that this version no longer writes. `force`: also what was changed by hand. Throws LSP_CONFIG_INVALID
 * or LSP_EDIT_REFUSED.
 */
export async function planUpdate(
	{ host, project }: SetUp,
	setting: Setting,
	{ known, force }: { readonly known: readonly LedgerFile[]; readonly force: boolean },
): Promise<HostPlan> {
	const own = known.filter((file) => file.host === host.name && file.project === (project ?? null));
	const entries = host.entries(setting);
	const parts = [...new Set(own.flatMap((file) => file.parts))];
	const plan = await planSetUp({ host: host.name, project, entries, parts, force }, known);
	const written = byFile(entries);
	// With another CODEX_HOME the files of the first stay in use.
	const folder = project ?? host.folder(setting);
	const gone = own.filter(({ path }) => !written.has(path) && isInside(path, folder)).map(({ path }) => path);
	const out = await planTakeOut(host.name, entries, known, gone);
	return {
		files: [...plan.files, ...out.files],
		links: [...plan.links, ...out.links],
		notes: [...plan.notes, ...out.notes],
		made: out.made,
		paths: [...plan.paths, ...out.paths],
		ledger: [...plan.ledger, ...out.ledger],
	};
}
