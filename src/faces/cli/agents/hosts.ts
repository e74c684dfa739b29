import { homedir } from "node:os";
import { delimiter, isAbsolute } from "node:path";
import { ownEntries, repositoryAt } from "../../../project/own-programs.ts";
import { workspaceOf } from "../../../project/workspace-of.ts";
import { harmlessData } from "../../../render/harmless.ts";
import { type HostsView, hostsText } from "../../../render/status/hosts.ts";
import { Semaphore } from "../../../util/semaphore.ts";
import { examineHost, isWrong } from "../../agents/examine/examine-host.ts";
import { agentHosts, settingFor } from "../../agents/hosts.ts";
import { Ledger } from "../../agents/ledger.ts";
import { version } from "../help.ts";
import { print, printJson } from "../print.ts";

const maxMs = 600_000;

export async function examineHosts({
	json,
	inProject,
}: {
	readonly json: boolean;
	readonly inProject: boolean;
}): Promise<number> {
	const { env } = process;
	const home = homedir();
	const root = process.cwd();
	const place = { root, workspace: await workspaceOf(root) };
	const directories = (env.PATH ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
	const context = {
		setting: await settingFor(home, env, inProject ? place.workspace : undefined),
		ledger: await new Ledger(env).read(),
		home,
		env,
		path: await ownEntries(directories, place),
		repository: await repositoryAt(place),
		version: version(),
		signal: AbortSignal.timeout(maxMs),
		driving: new Semaphore(1),
	};
	const hosts = await Promise.all(agentHosts.map((host) => examineHost(host, context)));
	const found: HostsView = { version: version(), hosts };
	if (json) printJson(found);
	else print(hostsText(harmlessData(found)));
	return hosts.some(isWrong) ? 1 : 0;
}
