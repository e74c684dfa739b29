import process from "node:process";
import { parseArgs } from "node:util";
import { LspError } from "../../contract/errors.ts";
import { type Advice, commandLine, type Plan, planFor } from "../../install/plan.ts";
import { install } from "../../install/run.ts";
import { duration } from "../../render/status/status.ts";
import { askAtTerminal, print } from "./print.ts";

/** Exit code: the person was not asked or said no. */
const notRun = 2;
const notDone = 3;

export async function installServers(args: readonly string[]): Promise<number> {
	const { ids, yes } = parse(args);
	const plans = await Promise.all(ids.map((id) => planFor(id, process.cwd(), process.env)));
	for (const plan of plans) print(described(plan));
	const runnable = plans.filter(isPlan);
	if (runnable.length === 0) return notDone;
	if (!yes && !(await confirmed())) return notRun;
	const controller = new AbortController();
	const end = () => controller.abort();
	process.once("SIGINT", end).once("SIGTERM", end);
	for (const plan of runnable) {
		const began = performance.now();
		print(`Installing ${plan.id} …`);
		await install(plan, process.env, controller.signal);
		print(`${plan.id} is installed (${duration(performance.now() - began)}); the next question finds it.`);
	}
	return runnable.length === plans.length ? 0 : notDone;
}

function parse(args: readonly string[]): { readonly ids: readonly string[]; readonly yes: boolean } {
	try {
		const options = { yes: { type: "boolean", short: "y" } } as const;
		const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
		if (positionals.length > 0) return { ids: [...new Set(positionals)], yes: values.yes === true };
	} catch (error) {
		throw new LspError("LSP_INVALID_INPUT", `install: ${(error as Error).message.split("\n")[0]}`);
	}
	throw new LspError("LSP_INVALID_INPUT", "install: which server?", {
		suggestion: "Run `pi-lsp doctor` to see which are missing, then `pi-lsp install ID`.",
	});
}

function isPlan(plan: Plan | Advice): plan is Plan {
	return "steps" in plan;
}

function described(plan: Plan | Advice): string {
	if (!isPlan(plan))
		return plan.command === undefined
			? `${plan.id}: nobody knows how to install it.`
			: `${plan.id}: pi-lsp does not run this; run it yourself:\n  ${plan.command}`;
	const { id, steps, temporary, folder } = plan;
	const lines = [...steps.map(commandLine), commandLine({ program: "mv", args: [temporary, folder] })];
	return [`${id}: this is run:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

async function confirmed(): Promise<boolean> {
	const answer = await askAtTerminal("Run this?");
	if (answer === true) return true;
	print(answer === undefined ? "Nothing was run. A person at a terminal is asked." : "Nothing was run.");
	return false;
}
