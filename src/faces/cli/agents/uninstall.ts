import { rm, rmdir, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { stopDaemon } from "../../../daemon/lifecycle/stop.ts";
import { serversFolder } from "../../../launch/install.ts";
import { statOf } from "../../../util/files.ts";
import { ownDirectory } from "../../../util/xdg.ts";
import type { AgentHost } from "../../agents/host.ts";
import { agentHosts, hostNamed, settingFor } from "../../agents/hosts.ts";
import { Ledger } from "../../agents/ledger.ts";
import { type HostPlan, planTakeOut } from "../../agents/plan.ts";
import { parseCommand } from "../parse-command.ts";
import { confirmed, print } from "../print.ts";
import { amountOf, shownPlan, tellFailure, tilde } from "./agent-changes.ts";

const notRun = 2;
const notDone = 3;

export async function uninstallCommand(args: readonly string[]): Promise<number> {
	const { names, yes, dryRun, purge } = parse(args);
	const home = homedir();
	const hosts = names.length > 0 ? names.map((name) => hostNamed(name, "uninstall")) : agentHosts;
	const ledger = new Ledger(process.env);
	const known = await ledger.read();
	const projects = new Set(known.flatMap(({ project }) => (project === null ? [] : [project])));
	const settings = await Promise.all([undefined, ...projects].map((project) => settingFor(home, process.env, project)));
	const planned: { readonly host: AgentHost; readonly plan: HostPlan }[] = [];
	let failed = 0;
	const tell = (host: AgentHost, error: unknown) => {
		failed++;
		return tellFailure(host, error);
	};
	for (const host of hosts) {
		const entries = settings.flatMap((setting) => host.entries(setting));
		const plan = await planTakeOut(host.name, entries, known).catch((error: unknown) => tell(host, error));
		if (!plan) continue;
		const isThere = plan.files.length > 0 || plan.links.length > 0 || known.some((file) => file.host === host.name);
		if (isThere) planned.push({ host, plan });
		if (isThere || names.length > 0) print(shownPlan(host.title, plan, home, "has nothing of pi-lsp."));
	}
	const folders = purge ? await purgeable() : [];
	for (const folder of folders) print(`Removes ${tilde(folder, home)} with all that is in it.`);
	if (planned.length === 0 && folders.length === 0) {
		if (purge && !dryRun) await stopDaemon();
		if (failed === 0) print("There is nothing to take out.");
		return failed > 0 ? notDone : 0;
	}
	const amount = planned.length > 0 ? amountOf(planned) : undefined;
	if (dryRun) {
		print(`Nothing was taken out (--dry-run)${amount === undefined ? "" : `: ${amount}`}.`);
		return failed > 0 ? notDone : 0;
	}
	const question = `Take this out${amount === undefined ? "" : ` (${amount})`}?`;
	if (!yes && !(await confirmed(question, "Nothing was taken out"))) return notRun;
	for (const { host, plan } of planned) await takeOut(host, plan, ledger).catch((error: unknown) => tell(host, error));
	if (purge) await stopDaemon();
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
	for (const [folder, holds] of await leftOver()) print(`Left: ${tilde(folder, home)} (${holds})`);
	return failed > 0 ? notDone : 0;
}

async function takeOut(host: AgentHost, plan: HostPlan, ledger: Ledger): Promise<void> {
	await ledger.write(host.name, plan);
	for (const link of plan.links) await unlink(link);
	print(`${host.title}: what was of pi-lsp is taken out.`);
}

async function purgeable(): Promise<string[]> {
	return existing([ownDirectory("XDG_CACHE_HOME"), serversFolder(process.env)]);
}

async function leftOver(): Promise<(readonly [folder: string, holds: string])[]> {
	const state = ownDirectory("XDG_STATE_HOME");
	for (const empty of [state, ownDirectory("XDG_DATA_HOME")]) await rmdir(empty).catch(() => {});
	const kept: readonly (readonly [string, string])[] = [
		[ownDirectory("XDG_CACHE_HOME"), "caches: --purge"],
		[serversFolder(process.env), "installed servers: --purge"],
		[ownDirectory("XDG_CONFIG_HOME"), "your settings and answers"],
		[state, "the log, and what undoes changes"],
	];
	const folders = new Set(await existing(kept.map(([folder]) => folder)));
	return kept.filter(([folder]) => folders.has(folder));
}

async function existing(folders: readonly string[]): Promise<string[]> {
	const found: string[] = [];
	for (const folder of folders) if (await statOf(folder)) found.push(folder);
	return found;
}

function parse(args: readonly string[]) {
	const flag = { type: "boolean" } as const;
	const options = { yes: { ...flag, short: "y" }, "dry-run": flag, purge: flag } as const;
	const { values, positionals } = parseCommand("uninstall", { args: [...args], options, allowPositionals: true });
	const { yes = false, "dry-run": dryRun = false, purge = false } = values;
	return { names: [...new Set(positionals)], yes, dryRun, purge };
}
