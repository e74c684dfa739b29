import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { CheckReport, ServerReport } from "../../src/contract/check-report.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import type { Language } from "./cases/language.ts";
import { folder, rustupHome, withServers } from "./languages.ts";

/** The time limit of one check, in milliseconds: a virtual machine starts slowly next to other work. */
const checkMs = 90_000;

/** The measurements of a server. Milliseconds are from the request to the answer, inside the daemon. */
export interface Course {
	readonly version: string | undefined;
	readonly strategy: string;
	/** The first answer, the server's start included. */
	readonly coldMs: number;
	readonly warmMs: readonly number[];
}

/**
 * Drives one server through `pi-lsp check`: the right file first, then in turn the error in and the error out,
 * `rounds` times. Throws if an answer differs from the declared one, or is not proven.
 */
export async function drive(language: Language, rounds: number): Promise<Course> {
	const { project, packages = [], file, right, wrong, line, says, silent = false } = language;
	return withWorkspace({ ...project, [file]: silent ? wrong : right }, async (workspace) => {
		for (const name of packages) {
			mkdirSync(workspace.path("node_modules"), { recursive: true });
			symlinkSync(join(folder, "node_modules", name), workspace.path("node_modules", name));
		}
		const first = await check(workspace, language);
		if (!silent) expectClean(first.report);
		const warmMs: number[] = [];
		for (let round = 0; round < rounds; round++) {
			workspace.write(file, wrong);
			const broken = await check(workspace, language);
			const found = broken.report.files[0]?.diagnostics ?? [];
			if (!found.some((one) => one.line === line && JSON.stringify(one).includes(says)))
				throw new Error(`"${says}" is not reported in line ${line}, but: ${JSON.stringify(found)}`);
			workspace.write(file, right);
			const mended = await check(workspace, language);
			expectClean(mended.report);
			warmMs.push(broken.own.ms, mended.own.ms);
		}
		const { version, strategy, ms: coldMs } = first.own;
		return { version, strategy, coldMs, warmMs };
	});
}

/** A check whose answer the server itself has proven. */
async function check(
	workspace: Workspace,
	{ server, strategy, file, severity = "error", trust }: Language,
): Promise<{ readonly report: CheckReport; readonly own: ServerReport }> {
	const env = { ...withServers(workspace.env), ...(trust ? trusting() : {}) };
	const args = ["check", file, "--json", "--severity", severity, "--timeout", `${checkMs}`];
	const { stdout } = await workspace.cli(args, { env, timeoutMs: checkMs + 15_000 });
	const report = JSON.parse(stdout) as CheckReport;
	const own = report.servers.find(({ id }) => id === server);
	if (own?.state !== "fresh" || report.files[0]?.state !== "fresh")
		throw new Error(`${server} has not proven it: ${JSON.stringify(report)}`);
	if (own.strategy !== strategy) throw new Error(`proven by ${own.strategy}, not by ${strategy}`);
	return { report, own };
}

function expectClean({ files }: CheckReport): void {
	const found = files.flatMap(({ diagnostics }) => diagnostics);
	if (found.length > 0) throw new Error(`what is right is called wrong: ${JSON.stringify(found)}`);
}

/** The settings of a person who trusts the repository; cargo uses no registry. */
function trusting(): Record<string, string> {
	return { PI_LSP_TRUST: "1", CARGO_NET_OFFLINE: "true", RUSTUP_HOME: rustupHome };
}
