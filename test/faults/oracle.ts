import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { processesOf, residentMegabytes } from "../support/processes.ts";
import { met, notYet, until } from "../support/until.ts";
import { must, shown } from "./row.ts";
import type { World } from "./world.ts";

/** The resources of a process: descriptors and memory in MB. */
export interface Holdings {
	readonly descriptors: number;
	readonly megabytes: number;
}

export function holdingsOf(pid: number): Holdings {
	return { descriptors: readdirSync(`/proc/${pid}/fd`).length, megabytes: Math.round(residentMegabytes(pid)) };
}

/** Oracle O5: the daemon's resources return to their earlier amount, or a little above. */
export async function backTo(pid: number, before: Holdings, moreMegabytes = 20): Promise<string> {
	return until(
		"O5: descriptors and memory of the daemon come back",
		() => {
			const now = holdingsOf(pid);
			const fits = now.descriptors <= before.descriptors + 2 && now.megabytes <= before.megabytes + moreMegabytes;
			const change = `${before.descriptors} to ${now.descriptors} descriptors, ${before.megabytes} to ${now.megabytes} MB`;
			return fits ? met(change) : notYet(change);
		},
		{ timeoutMs: 15_000, everyMs: 200 },
	);
}

/** The common oracle, as far as it applies to every row: O3, O6, O8, and the records of O1 and O2 meanwhile. */
export async function judgeWorld(world: World): Promise<void> {
	must(world.violations.length === 0, shown(world.violations));
	const began = performance.now();
	const report = await healthy(world);
	const ms = performance.now() - began;
	must(report.files[0]?.diagnostics.length === 1, `O6: the next healthy request was answered ${shown(report)}`);
	must(ms <= 5000, `O6: the next healthy request took ${Math.round(ms)} ms`);
	must(world.daemons().length === 1, `O3: ${world.daemons().length} daemons run`);
	must(zombiesOf(world.daemon()) === 0, "O3: the daemon has children that it did not reap");
	const bad = /^.*"event":"(uncaught|unhandled)".*$/m.exec(world.log());
	must(bad === null, `O5: the daemon's log has ${bad?.[0]}`);
	await keepsSecrets(world);
	for (const directory of ["run/pi-lsp", "state/pi-lsp"]) isPrivate(join(world.base, directory));
}

async function healthy(world: World): Promise<CheckReport> {
	const { stdout, stderr } = await world.cli(["check", "probe.json", "--json", "--timeout", "20000"]);
	const report = JSON.parse(stdout || "{}") as CheckReport;
	must(report.files !== undefined, `O6: the next healthy request was answered ${shown(stdout + stderr)}`);
	return report;
}

/** Oracle O8. */
async function keepsSecrets(world: World): Promise<void> {
	const { canary } = world;
	const status = await world.cli(["status", "--json"]);
	must(!(status.stdout + status.stderr).includes(canary), "O8: the secret is in the status");
	for (const { pid, argv } of processesOf(world.ws.runId)) {
		must(!argv.join(" ").includes(canary), `O8: the secret is in the arguments of ${argv[0]}`);
		must(!environment(pid).includes(canary), `O8: the secret is in the environment of ${argv.join(" ")}`);
	}
	for (const directory of ["run", "state"])
		for (const file of filesBelow(join(world.base, directory)))
			must(!readFileSync(file, "latin1").includes(canary), `O8: the secret is in ${file}`);
}

function environment(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/environ`, "latin1");
	} catch {
		return "";
	}
}

/** Children of a process that have exited and were not reaped; a moment's grace for one that exits just now. */
function zombiesOf(parent: number): number {
	return readdirSync("/proc").filter((name) => {
		if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
		try {
			const stat = readFileSync(`/proc/${name}/stat`, "utf8");
			const [state, above] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
			return state === "Z" && Number(above) === parent;
		} catch {
			return false;
		}
	}).length;
}

function filesBelow(directory: string): string[] {
	if (!existsSync(directory)) return [];
	return readdirSync(directory, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

function isPrivate(directory: string): void {
	if (!existsSync(directory)) return;
	const modeOf = (path: string) => lstatSync(path).mode & 0o077;
	must(modeOf(directory) === 0, `O8: others may enter ${directory}`);
	for (const file of filesBelow(directory)) must(modeOf(file) === 0, `O8: others may read ${file}`);
}
