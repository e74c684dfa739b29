import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { asLspError } from "../../../contract/errors.ts";
import { isNewer, type OwnPackage, ownPackage } from "../../../install/own-package.ts";
import { commandLine, lookAround } from "../../../install/plan.ts";
import { newestVersion, type StepContext, updatePackage } from "../../../install/update-package.ts";
import { statOf } from "../../../util/files.ts";
import { anySource, readText } from "../../../util/read-file.ts";
import { agentHosts, ownScript, settingFor } from "../../agents/hosts.ts";
import { Ledger } from "../../agents/ledger.ts";
import { planUpdate, setUpsIn } from "../../agents/plan-update.ts";
import { version } from "../help.ts";
import { parseCommand } from "../parse-command.ts";
import { confirmed, print, printAside } from "../print.ts";
import { showWaiting } from "../waiting-line.ts";
import { amountOf, type Planned, shownPlan, tellFailure, tilde, writePlans } from "./agent-changes.ts";

/** Exit codes: `found` with --check; `notDone` also if unknown. */
const found = 1;
const notRun = 2;
const notDone = 3;

interface Options {
	readonly check: boolean;
	readonly force: boolean;
	readonly entries: boolean;
	readonly yes: boolean;
}

export async function updateCommand(args: readonly string[]): Promise<number> {
	const options = parse(args);
	if (options.entries) return updateEntries(options);
	const script = await ownScript();
	const result = await updateOwnPackage(script, options);
	if (result === "installed") return runInstalled(script, options);
	if (result === "refused") return notRun;
	const code = await updateEntries(options);
	if (result === "newest") return code;
	if (options.check) return code === found || result === "open" ? found : notDone;
	return code === 0 ? notDone : code;
}

/** `open`: the text says what to do; `unknown`: what hinders. */
type Result = "newest" | "installed" | "open" | "unknown" | "refused";

async function updateOwnPackage(script: string, { check, yes }: Options): Promise<Result> {
	const folder = dirname(dirname(script));
	const home = homedir();
	const { path } = await lookAround(process.cwd(), process.env);
	const context = { cwd: home, env: process.env, path, signal: new AbortController().signal };
	const newest = await showWaiting("asking npm for the newest version", () => newestVersion(context)).catch(tellWhy);
	if (newest === undefined) return "unknown";
	if (!isNewer(newest, version())) {
		print(`pi-lsp ${version()} is the newest.`);
		return "newest";
	}
	const own = ownPackage(folder, newest, home, process.env);
	print(`pi-lsp ${newest} is there; this is ${version()}, ${wordsFor(own, home)}.`);
	if (!("step" in own)) {
		print(`To bring it up to date: ${own.advice}`);
		return "open";
	}
	print(`  ${commandLine(own.step)}`);
	if (check) return "open";
	if (!yes && !(await confirmed("Run this?", "Nothing was run"))) return "refused";
	return run(own, folder, { newest, context: { ...context, cwd: own.cwd } });
}

function wordsFor({ by, where }: OwnPackage, home: string): string {
	return `${by === "npm" || by === "pi" ? `installed by ${by} ` : ""}in ${tilde(where, home)}`;
}

async function run(
	own: Extract<OwnPackage, { readonly step: unknown }>,
	folder: string,
	{ newest, context }: { readonly newest: string; readonly context: StepContext },
): Promise<Result> {
	const isRun = await showWaiting(`installing pi-lsp ${newest}`, () => updatePackage(own.step, context)).then(
		() => true,
		tellWhy,
	);
	if (!isRun) return "unknown";
	const now = await installedVersion(folder);
	if (now === newest) {
		print(`pi-lsp ${newest} is installed.`);
		return "installed";
	}
	const left = own.by === "pi" ? ": its settings name that version" : "";
	printAside(`${own.by} left pi-lsp at ${now ?? "no version"}${left}.`);
	return "open";
}

async function installedVersion(folder: string): Promise<string | undefined> {
	const text = await readText(join(folder, "package.json"), anySource);
	return text === undefined ? undefined : (JSON.parse(text) as { readonly version?: string }).version;
}

function runInstalled(script: string, { force, yes }: Options): number {
	const args = ["update", "--entries", ...(force ? ["--force"] : []), ...(yes ? ["--yes"] : [])];
	const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" });
	return status ?? notDone;
}

async function updateEntries({ check, force, yes }: Options): Promise<number> {
	const home = homedir();
	if (ownPackage(dirname(dirname(await ownScript())), version(), home, process.env).by === "npx") {
		print("The agents' entries stay as they are: the cache of npx is emptied now and then.");
		return 0;
	}
	const ledger = new Ledger(process.env);
	const known = await ledger.read();
	const planned: Planned[] = [];
	let failed = 0;
	for (const setUp of setUpsIn(known, agentHosts)) {
		const { host, project } = setUp;
		if (project !== undefined && !(await statOf(project))) {
			print(`${host.title}: ${tilde(project, home)} is no longer there; \`pi-lsp uninstall ${host.name}\` forgets it.`);
			continue;
		}
		const setting = await settingFor(home, process.env, project);
		const plan = await planUpdate(setUp, setting, { known, force }).catch((error: unknown) => tellFailure(host, error));
		if (!plan) {
			failed++;
			continue;
		}
		planned.push({ host, plan });
		const title = project === undefined ? host.title : `${host.title} in ${tilde(project, home)}`;
		print(shownPlan(title, plan, home, "is up to date."));
	}
	if (planned.length + failed === 0) print("`pi-lsp init` has set up no agent.");
	const open = planned.filter(({ plan }) => plan.files.length > 0);
	if (check) return open.length > 0 ? found : failed > 0 ? notDone : 0;
	if (open.length > 0) {
		if (!yes && !(await confirmed(`Write this (${amountOf(open)})?`, "Nothing was written"))) return notRun;
		failed += await writePlans(ledger, open, ({ title }) => `${title} is up to date.`);
	}
	return failed > 0 ? notDone : 0;
}

function tellWhy(error: unknown): undefined {
	printAside(asLspError(error).message);
}

function parse(args: readonly string[]): Options {
	const flag = { type: "boolean" } as const;
	const options = { check: flag, force: flag, entries: flag, yes: { ...flag, short: "y" } } as const;
	const {
		check = false,
		force = false,
		entries = false,
		yes = false,
	} = parseCommand("update", { args: [...args], options }).values;
	return { check, force, entries, yes };
}
