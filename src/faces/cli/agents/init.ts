import { homedir } from "node:os";
import { workspaceOf } from "../../../project/workspace-of.ts";
import { type AgentHost, type Part, parts } from "../../agents/host.ts";
import { agentHosts, hostNamed, placeOf, requireLasting, settingFor } from "../../agents/hosts.ts";
import { Ledger } from "../../agents/ledger.ts";
import { planSetUp } from "../../agents/plan.ts";
import { commandMistake, parseCommand } from "../parse-command.ts";
import { confirmed, print } from "../print.ts";
import { amountOf, type Planned, shownPlan, tellFailure, tilde, writePlans } from "./agent-changes.ts";

const closing =
	"Begin a new session. `pi-lsp doctor --hosts` says whether it works, `pi-lsp uninstall` takes it out again.";

/** Exit codes. */
const notRun = 2;
const notDone = 3;

export async function initCommand(args: readonly string[]): Promise<number> {
	const { names, wanted, yes, dryRun, inProject } = parse(args);
	await requireLasting();
	const home = homedir();
	const project = inProject ? await projectHere(home) : undefined;
	const hosts = names.length > 0 ? names.map((name) => hostNamed(name, "init")) : await found(home);
	if (hosts.length === 0) {
		print(`No coding agent was found. Name one: ${agentHosts.map(({ name }) => name).join(", ")}.`);
		return notDone;
	}
	const setting = await settingFor(home, process.env, project);
	const ledger = new Ledger(process.env);
	const known = await ledger.read();
	const planned: Planned[] = [];
	for (const host of hosts) {
		const wish = { host: host.name, project, entries: host.entries(setting), parts: wanted };
		const plan = await planSetUp(wish, known).catch((error: unknown) => tellFailure(host, error));
		if (plan) planned.push({ host, plan });
	}
	for (const { host, plan } of planned) print(shownPlan(host.title, plan, home, "is already set up."));
	const open = planned.filter(({ plan }) => plan.files.length > 0);
	let failed = hosts.length - planned.length;
	if (open.length > 0 && dryRun) print(`Nothing was written (--dry-run): ${amountOf(open)}.`);
	if (open.length > 0 && !dryRun) {
		if (!yes && !(await confirmed(`Write this (${amountOf(open)})?`, "Nothing was written"))) return notRun;
		const next = (host: AgentHost) => (host.next && wanted.includes("hooks") ? ` ${host.next}` : "");
		const left = await writePlans(ledger, open, (host) => `${host.title} is set up.${next(host)}`);
		if (left < open.length) print(closing);
		failed += left;
	}
	return failed > 0 ? notDone : 0;
}

async function found(home: string): Promise<AgentHost[]> {
	const hosts: AgentHost[] = [];
	for (const host of agentHosts) {
		const place = await placeOf(host, home, process.env);
		if (place === undefined) continue;
		print(`${host.title} is here (${tilde(place, home)}).`);
		hosts.push(host);
	}
	return hosts;
}

async function projectHere(home: string): Promise<string> {
	const workspace = await workspaceOf(process.cwd());
	if (workspace === home) throw commandMistake("init", "--project: the home directory is no project.");
	return workspace;
}

function parse(args: readonly string[]) {
	const flag = { type: "boolean" } as const;
	const options = {
		yes: { ...flag, short: "y" },
		"dry-run": flag,
		project: flag,
		user: flag,
		"hooks-only": flag,
		"mcp-only": flag,
	} as const;
	const { values, positionals } = parseCommand("init", { args: [...args], options, allowPositionals: true });
	if (values.project && values.user) throw commandMistake("init", "--project and --user exclude each other.");
	if (values["hooks-only"] && values["mcp-only"])
		throw commandMistake("init", "--hooks-only and --mcp-only exclude each other.");
	const only: Part | undefined = values["hooks-only"] ? "hooks" : values["mcp-only"] ? "mcp" : undefined;
	return {
		names: [...new Set(positionals)],
		wanted: only === undefined ? parts : [only],
		yes: values.yes === true,
		dryRun: values["dry-run"] === true,
		inProject: values.project === true,
	};
}
