import { existsSync } from "node:fs";
import type { ServerConfig } from "../../../../server.ts";
import { asLspError, describeError, type ErrorValue, LspError, withHintFor } from "../../../contract/errors.ts";
import { type Installed, installedCalled, listInstalled, testedVersion, updateOf } from "../../../install/list.ts";
import {
	type Advice,
	commandLine,
	lookAround,
	type Machine,
	managers,
	type Plan,
	planFor,
} from "../../../install/plan.ts";
import { type InstallRequest, readRequest } from "../../../install/request.ts";
import { install } from "../../../install/run.ts";
import { duration } from "../../../render/status/status.ts";
import { harmlessError } from "../../tools/format-answer.ts";
import { writeCommand } from "../help.ts";
import { confirmed, print, printAside, printJson } from "../print.ts";
import { showWaiting } from "../waiting-line.ts";
import { listServers, removeServers } from "./installed-servers.ts";
import { type InstallOptions, installOptions } from "./options.ts";

interface Outcome {
	readonly id: string;
	/** `advice`: pi-lsp does not install it; `unknown`: a mistake. */
	readonly state: "installed" | "planned" | "bundled" | "advice" | "failed" | "unknown";
	readonly manager?: string;
	readonly package?: string;
	readonly version?: string;
	readonly choice?: Plan["choice"];
	readonly commands?: readonly string[];
	readonly advice?: string;
	readonly error?: ErrorValue;
}

const usage = 2;
const notDone = 3;

export async function installServers(args: readonly string[]): Promise<number> {
	const options = installOptions(args);
	const machine = await lookAround(process.cwd(), process.env);
	if (options.action === "list") return listServers(machine, options);
	if (options.action === "remove") return removeServers(machine, options);
	return new Installation(machine, options).run();
}

class Installation {
	readonly #machine: Machine;
	readonly #options: InstallOptions;
	readonly #outcomes: Outcome[] = [];

	constructor(machine: Machine, options: InstallOptions) {
		this.#machine = machine;
		this.#options = options;
	}

	async run(): Promise<number> {
		const plans: Plan[] = [];
		for (const request of await this.#requests()) {
			const plan = await this.#plan(request);
			if (!plan || plans.some(({ id }) => id === plan.id)) continue;
			this.#tell(described(plan, request));
			if (isPlan(plan)) plans.push(plan);
			else this.#outcomes.push(adviceOutcome(plan));
		}
		const { dryRun, yes, json } = this.#options;
		if (plans.length === 0) return this.#end();
		if (dryRun || !(yes || (!json && (await confirmed("Run this?", "Nothing was run"))))) {
			this.#outcomes.push(...plans.map((plan): Outcome => ({ ...about(plan), state: "planned" })));
			return dryRun ? this.#end() : Math.max(usage, this.#end());
		}
		await this.#carryOut(plans);
		return this.#end();
	}

	async #requests(): Promise<readonly InstallRequest[]> {
		const { words, action } = this.#options;
		const { servers } = this.#machine;
		if (action === "install") return this.#each(words, (word) => [readRequest(word, servers)]);
		const installed = await listInstalled(servers, this.#machine.env);
		const all = installed.flatMap((one) => {
			const version = updateOf(one);
			return one.server && version !== undefined ? [updateRequest(one, one.server, version)] : [];
		});
		if (words.length === 0) {
			if (all.length === 0) this.#tell(installed.length === 0 ? "Nothing is installed." : "Nothing is to be updated.");
			return all;
		}
		return this.#each(words, (word) => {
			const named = installedCalled(word, installed);
			if (named.length === 0)
				throw new LspError("LSP_INVALID_INPUT", `install: ${word} was not installed by pi-lsp.`, {
					suggestion: `\`pi-lsp install ${word}\` installs it.`,
				});
			return named.flatMap((one) => {
				const { server, record } = one;
				return server ? [updateRequest(one, server, testedVersion(server, record?.manager) ?? "latest")] : [];
			});
		});
	}

	#each(words: readonly string[], read: (word: string) => readonly InstallRequest[]): readonly InstallRequest[] {
		return words.flatMap((word) => {
			try {
				return read(word);
			} catch (error) {
				this.#fail(word, "unknown", asLspError(error));
				return [];
			}
		});
	}

	async #plan(request: InstallRequest): Promise<Plan | Advice | undefined> {
		try {
			return await planFor(
				{ ...request, ...(this.#options.manager && { manager: this.#options.manager }) },
				this.#machine,
			);
		} catch (error) {
			this.#fail(request.servers[0].id, "unknown", asLspError(error));
			return undefined;
		}
	}

	async #carryOut(plans: readonly Plan[]): Promise<void> {
		const controller = new AbortController();
		const end = () => controller.abort();
		process.once("SIGINT", end).once("SIGTERM", end);
		for (const plan of plans) {
			if (controller.signal.aborted) break;
			const began = performance.now();
			this.#tell(`Installing ${plan.id} …`);
			const replaced = existsSync(plan.folder);
			try {
				const version = await showWaiting(`installing ${plan.id}`, ({ say }) =>
					install(plan, this.#machine.env, controller.signal, (line) => say(`${plan.id}: ${line}`)),
				);
				const took = duration(performance.now() - began);
				const then = replaced
					? `one that runs is the old one until \`pi-lsp restart ${plan.id}\`.`
					: "the next question finds it.";
				this.#tell(`${plan.id} is installed${version ? `: ${version}` : ""} (${took}); ${then}`);
				this.#outcomes.push({ ...about(plan), ...(version ? { version } : {}), state: "installed" });
			} catch (error) {
				this.#fail(plan.id, "failed", withNextWay(asLspError(error), plan), about(plan));
			}
		}
		process.off("SIGINT", end).off("SIGTERM", end);
	}

	#fail(id: string, state: "failed" | "unknown", thrown: LspError, known: Partial<Outcome> = {}): void {
		const error = withHintFor(thrown, writeCommand);
		if (!this.#options.json) printAside(describeError(harmlessError(error)));
		this.#outcomes.push({ ...known, id, state, error: error.toJSON() });
	}

	#tell(text: string): void {
		if (!this.#options.json) print(text);
	}

	#end(): number {
		if (this.#options.json) printJson({ servers: this.#outcomes });
		const states = this.#outcomes.map(({ state }) => state);
		if (states.some((state) => state === "failed" || state === "advice")) return notDone;
		return states.includes("unknown") ? usage : 0;
	}
}

function updateRequest({ record }: Installed, server: ServerConfig, version: string): InstallRequest {
	return {
		servers: [server],
		...(version === "latest" ? { version } : {}),
		...(record ? { manager: record.manager } : {}),
	};
}

function isPlan(plan: Plan | Advice): plan is Plan {
	return "steps" in plan;
}

function about({ id, manager, package: { name, version }, choice, steps }: Plan): Omit<Outcome, "state"> {
	const commands = steps.map(commandLine);
	return { id, manager, package: name, ...(version === undefined ? {} : { version }), choice, commands };
}

const choiceWords: Readonly<Record<Plan["choice"], string>> = {
	tested: "the version that was tested",
	newest: "the newest version",
	named: "the version that was asked for",
};

function described(plan: Plan | Advice, { language }: InstallRequest): string {
	const of = language === undefined || language === plan.id ? "" : `${language}: `;
	if (!isPlan(plan)) return `${of}${plan.id}: ${adviceText(plan)}`;
	const { package: wanted, choice, manager, steps, temporary, folder, note } = plan;
	const name = wanted.name === plan.id ? plan.id : `${plan.id}: ${wanted.name}`;
	const version = wanted.version === undefined ? "" : ` ${wanted.version}`;
	const lines = [...steps.map(commandLine), commandLine({ program: "mv", args: [temporary, folder] })];
	return [
		`${of}${name}${version}, ${choiceWords[choice]}, from ${managers[manager].from}. This is run:`,
		...lines.map((line) => `  ${line}`),
		...(note === undefined ? [] : [note]),
	].join("\n");
}

function adviceText({ bundled, lacks, command }: Advice): string {
	if (bundled) return "it comes with pi-lsp.";
	const why = lacks === undefined ? "pi-lsp does not run this" : `${lacks}, so pi-lsp cannot install it`;
	if (command === undefined) return lacks === undefined ? "pi-lsp does not know how to install it." : `${why}.`;
	return command.startsWith("see ") ? `${why}; ${command}` : `${why}; run it yourself:\n  ${command}`;
}

function adviceOutcome(advice: Advice): Outcome {
	return { id: advice.id, state: advice.bundled ? "bundled" : "advice", advice: adviceText(advice) };
}

function withNextWay(error: LspError, { otherWays: [next] }: Plan): LspError {
	if (error.code !== "LSP_INSTALL_FAILED" || next === undefined) return error;
	const way = next.startsWith("see ") ? next : `take the next way: \`${next}\``;
	const suggestion = `${error.details.suggestion} Or ${way}.`;
	return new LspError(error.code, error.message, { ...error.details, suggestion });
}
