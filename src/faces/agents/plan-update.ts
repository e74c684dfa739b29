import { isInside } from "../../util/paths.ts";
import { byFile } from "./configured-file.ts";
import type { AgentHost, Setting } from "./host.ts";
import type { LedgerFile } from "./ledger.ts";
import { type HostPlan, planSetUp, planTakeOut } from "./plan.ts";

/** What one agent was set up with, for a person or in a project. */
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
 * Writes what this version writes otherwise, and takes out the files that it no longer writes. `force`: what was changed by hand
 * too. Throws LSP_CONFIG_INVALID or LSP_EDIT_REFUSED.
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
	// With another CODEX_HOME, say, the files of the first are still in use.
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
